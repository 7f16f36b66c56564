"""What every command shares: the reader's language, what the screen can show, and files as text."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import TextIO

import click

from popout.locale import Catalogue, choose_language
from popout.rules import Message, PopoutError
from popout.views.drawing import Style, wrap

STANDARD_INPUT = "-"


_OBEYED = re.compile(r"[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]|\x1b(?!\[\d*m)")
"""What a terminal would obey, colours left aside."""


class FileUnreadable(PopoutError, OSError):
    """A file that cannot be read, or that is no text."""

    code = "unreadable"


class FileNotWritten(PopoutError, OSError):
    """A file that cannot be written, or must not be."""

    code = "not-written"


class FileThere(FileNotWritten):
    """A file of that name exists."""

    code = "file-exists"


class Console:
    """Where a command speaks to a person: sentences to standard output, complaints to standard error.

    :ivar catalogue: the language. :ivar style: what the screen can show.
    :ivar interactive: a person types at a terminal and reads the answers there; otherwise a pipe or a file is involved.
    """

    def __init__(self, catalogue: Catalogue | None = None) -> None:
        self.catalogue = catalogue or Catalogue(choose_language())
        self.interactive = _is_terminal(sys.stdin) and _is_terminal(sys.stdout)
        screen = _is_terminal(sys.stdout)
        self.style = Style(
            symbols=can_show(Style().characters(), sys.stdout),
            colour=screen and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb",
            width=shutil.get_terminal_size().columns if screen else None,
        )

    def say(self, *messages: Message) -> None:
        """Print sentences, each on lines of its own."""
        for message in messages:
            self.write(*wrap(self.catalogue.text(message), self.style))

    def write(self, *lines: str) -> None:
        """Print finished text, a text a line."""
        for line in lines:
            # Named, since click would write UTF-8 to a console that has said that it cannot show it.
            click.echo(_harmless(line), file=sys.stdout, color=self.style.colour or None)

    def complain(self, message: Message) -> None:
        """Print to standard error what is wrong."""
        if sys.stdout:
            sys.stdout.flush()  # so that both come in the order in which they were said
        click.echo(_harmless(f"popout: {self.catalogue.text(message)}"), file=sys.stderr)


def can_show(letters: str, stream: TextIO | None) -> bool:
    """Whether a stream can print all of these letters."""
    try:
        letters.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def read_text(path: str) -> str:
    """The text of a file, or with ``-`` of standard input.

    :raises FileUnreadable: it is not there, is no file, may not be read or is no text in UTF-8.
    """
    try:
        data = _standard_input() if path == STANDARD_INPUT else Path(path).read_bytes()
    except FileNotFoundError:
        raise FileUnreadable(Message("There is no such file. Look at its name and folder.")) from None
    except IsADirectoryError:
        raise FileUnreadable(Message("This is a folder. Name the files in it.")) from None
    except PermissionError:
        raise FileUnreadable(Message("You may not read this file. Its owner can allow it.")) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileUnreadable(Message("This file cannot be read: {reason}.", reason=reason)) from None
    if b"\0" in data:
        raise FileUnreadable(Message("This is no text in UTF-8. Save it as plain text in UTF-8."))
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileUnreadable(
            Message("Line {line} is no text in UTF-8. Save the file as plain text in UTF-8.", line=line)
        ) from None


def write_text(path: str, text: str, *, replace: bool) -> None:
    """Write a text file in UTF-8. A file that is replaced is replaced whole or not at all.

    :raises FileThere: it is there already and `replace` is not set.
    :raises FileNotWritten: it cannot be written.
    """
    try:
        file = Path(path).expanduser()
        if replace and file.is_file():
            _replace(file.resolve(), text)
            return
        with file.open("w" if replace else "x", encoding="utf-8") as opened:
            opened.write(text)
    except FileExistsError:
        raise FileThere(Message("{path} is there already, and was left as it is.", path=path)) from None
    except FileNotFoundError:
        raise FileNotWritten(Message("{path} cannot be written: there is no such folder.", path=path)) from None
    except IsADirectoryError:
        raise FileNotWritten(Message("{path} is a folder. Name a file in it.", path=path)) from None
    except PermissionError:
        raise FileNotWritten(Message("You may not write {path}. Choose another folder.", path=path)) from None
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileNotWritten(Message("{path} cannot be written: {reason}.", path=path, reason=reason)) from None


def _replace(file: Path, text: str) -> None:
    beside = file.with_name(f".{file.name}.new")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)


def _harmless(text: str) -> str:
    """`text` without what would move the cursor or worse: names of files and players come from anywhere."""
    return _OBEYED.sub("?", text)


def _standard_input() -> bytes:
    return sys.stdin.buffer.read() if sys.stdin else b""


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()
