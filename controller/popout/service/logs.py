"""The log: what goes wrong inside, in lines on standard error, as the journal or a person at a terminal reads them.

What the program says to players is no log; that goes to standard output or is shown.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import threading
from collections.abc import Mapping

_PRIORITIES = ((logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
_DEBUG_PRIORITY = 7
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def configure(*, verbose: bool = False, environ: Mapping[str, str] = os.environ) -> None:
    """Set up the log of this process; called again, it replaces what was set up before.

    At a terminal it holds what went wrong, a line each; with `verbose` also what led to it, and where in the program a
    fault arose. The journal always gets that, marked as what its readers see only if they ask.

    :param environ: in which ``JOURNAL_STREAM`` says which stream is the journal.
    """
    journal = goes_to_the_journal(environ)
    details = verbose or journal
    root = logging.getLogger()
    for old in [handler for handler in root.handlers if isinstance(handler, _ToStandardError)]:
        root.removeHandler(old)
    handler = _ToStandardError()
    handler.setFormatter(_Lines(marked=journal, traces=details))
    root.addHandler(handler)
    # The packages that are used warn of every stranger that talks nonsense to them.
    root.setLevel(logging.WARNING if verbose else logging.ERROR)
    logging.getLogger("popout").setLevel(logging.DEBUG if details else logging.WARNING)
    threading.excepthook = _thread_failed


def goes_to_the_journal(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether standard error is the stream that systemd made for its journal."""
    device, _, inode = environ.get("JOURNAL_STREAM", "").partition(":")
    try:
        found = os.fstat(sys.stderr.fileno())
    except (AttributeError, OSError, ValueError):  # no standard error, or one that is no file
        return False
    return (device, inode) == (str(found.st_dev), str(found.st_ino))


class _ToStandardError(logging.Handler):
    """Writes to whatever standard error is at the moment: a view that fills the screen may have put it aside."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            sys.stderr.write(self.format(record) + "\n")
            sys.stderr.flush()
        except (AttributeError, OSError, ValueError):
            pass  # nobody reads it any more, and a game does not end for that
        except Exception:
            self.handleError(record)


class _Lines(logging.Formatter):
    """Lines without anything that a terminal would obey.

    :param marked: give each line the priority in front that the journal reads; it notes the time itself.
    :param traces: also where in the program an error arose.
    """

    def __init__(self, *, marked: bool, traces: bool) -> None:
        super().__init__()
        self._marked = marked
        self._traces = traces

    def format(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        if not record.name.startswith("popout"):
            text = f"{record.name}: {text}"
        if record.exc_info and self._traces:
            text = f"{text}\n{self.formatException(record.exc_info)}"
        start = f"<{_priority(record.levelno)}>" if self._marked else "popout: "
        lines = [_UNPRINTABLE.sub("?", line) for line in text.splitlines()] or [""]
        return "\n".join(start + line for line in lines)


def _priority(level: int) -> int:
    return next((priority for least, priority in _PRIORITIES if level >= least), _DEBUG_PRIORITY)


def _thread_failed(failed: threading.ExceptHookArgs) -> None:
    name = failed.thread.name if failed.thread else "?"
    logging.getLogger("popout").error(
        "The thread %s failed (%s: %s).", name, failed.exc_type.__name__, failed.exc_value, exc_info=failed.exc_value
    )
