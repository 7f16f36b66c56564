"""Lines from standard input while an event loop runs, whatever they are: typed, piped, garbage, or none at all."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator

_AT_ONCE = 64 * 1024
LONGEST = 16 * 1024
"""The most bytes of a line; what is longer is cut there."""


class Lines:
    """Reads a file descriptor line by line. Bytes that are no UTF-8 come as a replacement character.

    The thread that reads is left behind at the end: nothing can wake it from waiting for somebody to type.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._started = False

    async def __aiter__(self) -> AsyncIterator[str]:
        """The lines that nobody has had yet, until there are no more."""
        if not self._started:
            self._started = True
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._read, args=(loop,), name="standard input", daemon=True).start()
        while (line := await self._queue.get()) is not None:
            yield line
        self._queue.put_nowait(None)  # whoever asks again hears the same

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        rest = b""
        while data := self._some():
            *whole, rest = (rest + data).split(b"\n")
            rest = rest[:LONGEST]
            for line in whole:
                self._give(loop, line)
        if rest:
            self._give(loop, rest)
        self._put(loop, None)

    def _some(self) -> bytes:
        try:
            return os.read(self._descriptor, _AT_ONCE)
        except OSError:
            return b""  # the terminal is gone, or there never was an input

    def _give(self, loop: asyncio.AbstractEventLoop, line: bytes) -> None:
        self._put(loop, line[:LONGEST].decode(errors="replace").rstrip("\r"))

    def _put(self, loop: asyncio.AbstractEventLoop, line: str | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(self._queue.put_nowait, line)
