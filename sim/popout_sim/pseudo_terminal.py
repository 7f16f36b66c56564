"""A serial port that is not there: what is written to a pseudo terminal, the program that has it open reads."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from importlib import import_module
from typing import Final

from popout.board.driver import BoardError
from popout.rules.messages import Message

_READ_BYTES: Final = 4096


class PseudoTerminalMissing(BoardError):
    """The system has no pseudo terminals, or none is left."""

    code = "pseudo-terminal-missing"


class PseudoTerminal:
    """The board's side of a port; nothing here ever waits.

    It is open at both ends, so that a host that goes away is no end of it.

    :ivar name: what a host opens, such as ``/dev/pts/5``; another one than `other_than`.
    :raises PseudoTerminalMissing: the system has none, or none is left.
    """

    def __init__(self, *, other_than: str = "") -> None:
        if not hasattr(os, "openpty"):
            raise PseudoTerminalMissing(
                Message(
                    "This system has no pseudo terminals, behind which a simulated board could be a serial port. Run "
                    "it on Linux or macOS."
                )
            )
        try:
            self._ours, self._theirs = os.openpty()
            self.name = os.ttyname(self._theirs)
            if self.name == other_than:
                # While that is open, the next one has another name.
                former = self._ours, self._theirs
                try:
                    self._ours, self._theirs = os.openpty()
                finally:
                    _close(*former)
                self.name = os.ttyname(self._theirs)
        except OSError as error:
            raise PseudoTerminalMissing(
                Message(
                    "The system gives no pseudo terminal for a serial port: {reason}. Close some terminals.",
                    reason=error.strerror or str(error),
                )
            ) from error
        import_module("tty").setraw(self._theirs)
        os.set_blocking(self._ours, False)
        self._rest = b""

    def read(self) -> bytes:
        """What has come."""
        with suppress(OSError):  # nothing has
            return os.read(self._ours, _READ_BYTES)
        return b""

    async def wait(self, seconds: float) -> None:
        """Wait until something comes, so long at most. It may be closed meanwhile."""
        loop, came = asyncio.get_running_loop(), asyncio.Event()
        ours = self._ours
        loop.add_reader(ours, came.set)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await came.wait()
        finally:
            loop.remove_reader(ours)

    def free(self) -> bool:
        """Whether a line can be written: none is under way. Goes on with the one that is."""
        if self._rest:
            with suppress(OSError):  # nobody reads, and there is no room
                self._rest = self._rest[os.write(self._ours, self._rest) :]
        return not self._rest

    def write(self, line: bytes) -> None:
        """Send a line, when it is taken. Only when it is `free`."""
        self._rest = line

    def close(self) -> None:
        """The port is gone, also for a host that has it open."""
        _close(self._ours, self._theirs)


def _close(*descriptors: int) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
