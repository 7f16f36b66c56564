"""The thread that writes pictures to the lamps, so that whoever shows one never waits for a wire."""

from __future__ import annotations

import atexit
import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from popout.board.frame import Frame

REPEAT_S: Final = 10.0
"""After this time without a new picture the last one is sent again: a lamp may have lost it."""

CLOSE_S: Final = 0.9
"""How long `Writer.close` waits for a write that hangs."""

TELL_AGAIN_S: Final = 60.0
"""Lamps that fail now and then are reported no more often than this."""

_log = logging.getLogger(__name__)

_ending: set[threading.Thread] = set()
"""The threads of closed writers that nobody has waited for. The end of the program does: it would cut them short."""


@atexit.register
def wait_for_the_last() -> None:
    """Wait until all lamps have their last picture; `CLOSE_S` at most."""
    until = time.monotonic() + CLOSE_S
    for thread in tuple(_ending):
        thread.join(max(0.0, until - time.monotonic()))


class Writer:
    """Writes the newest frame from a thread of its own; frames that come faster than the wire are left out.

    A write that fails is tried again with the next frame or repetition. It is reported, but not each time.

    :param write: lights the lamps; whatever it raises is logged.
    :param end: called at the end, from the thread, so that nothing is closed under a write that hangs.
    :param repeat: seconds without a new frame after which the last one is written again.
    """

    def __init__(self, write: Callable[[Frame], None], end: Callable[[], None], *, repeat: float = REPEAT_S) -> None:
        self._write = write
        self._end = end
        self._repeat = repeat
        self._change = threading.Condition()
        self._newest: Frame | None = None
        self._closing = False
        self._told = False
        self._tell_from = 0.0
        self._thread = threading.Thread(target=self._run, name="popout-lamps", daemon=True)
        self._thread.start()

    def show(self, frame: Frame) -> None:
        """Write `frame` as soon as the wire is free, unless a newer one comes. Nothing once it is closed."""
        with self._change:
            if not self._closing:
                self._newest = frame
                self._change.notify()

    def close(self, last: Frame | None, *, wait: bool = True) -> None:
        """Write what is left, or `last` in its place, and end, within a second; may be called twice.

        :param wait: whether to wait for that; else only the end of the program does.
        """
        with self._change:
            if not self._closing:
                self._closing = True
                self._newest = last if last is not None else self._newest
                if not wait:
                    _ending.add(self._thread)
                self._change.notify()
        if not wait:
            return
        self._thread.join(CLOSE_S)
        if self._thread.is_alive():
            _log.error("The lamps did not take their last picture in time.")

    def _run(self) -> None:
        try:
            self._write_all()
        finally:
            try:
                self._end()
            except Exception as error:  # whatever the library's devices raise: it is over anyway
                _log.warning("The lamps could not be let go of (%s).", error)
            _ending.discard(self._thread)

    def _write_all(self) -> None:
        shown: Frame | None = None
        closing = False
        while not closing:
            with self._change:
                self._change.wait_for(lambda: self._newest is not None or self._closing, self._repeat)
                frame, self._newest = self._newest, None
                closing = self._closing
            if frame is not None:
                shown = frame
            elif closing:
                break
            if shown is not None:
                self._try(shown)

    def _try(self, frame: Frame) -> None:
        try:
            self._write(frame)
        except Exception as error:  # hardware libraries raise all kinds, and this thread must live
            now = time.monotonic()
            if not self._told and now >= self._tell_from:
                _log.warning("The lamps cannot be lit (%s). It is tried again.", error or type(error).__name__)
                self._told, self._tell_from = True, now + TELL_AGAIN_S
        else:
            if self._told:
                _log.warning("The lamps can be lit again.")
            self._told = False
