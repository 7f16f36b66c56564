"""Opening a board again that was lost, while the game and its page go on."""

from __future__ import annotations

import asyncio
import itertools
import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from popout.board.driver import BoardAway, BoardDriver, BoardError
from popout.play.supervisor import described
from popout.rules import Message

FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 5.0
WELL_AFTER_S: Final = 5.0
"""A board that has stayed for so long was well."""

_log = logging.getLogger(__name__)


async def open_again(
    reopen: Callable[[], BoardDriver],
    greet: Callable[[BoardDriver], None],
    failed: Callable[[Exception], None],
    useless: Callable[[BoardError | None], None],
    relapses: int = 0,
) -> None:
    """Try to open a board, with growing pauses, until one was greeted.

    :param reopen: opens it, in a thread: a board that does not answer must stop nothing else.
    :param greet: goes on with it; one for which that fails is closed, and another try is made.
    :param failed: hears of each fault of the program.
    :param useless: hears why the board that is there cannot be used, or with None that none is there any more; each
        when it is so at two tries in a row, since one that was just plugged in may not be ready.
    :param relapses: as many tries count as failed already.
    """
    told = before = None
    for tries in itertools.count(relapses):
        await asyncio.sleep(growing_pause(tries))
        try:
            board = await _opened_in_thread(reopen)
        except BoardError as error:
            now = None if isinstance(error, BoardAway) else error
            if _says(now) == before != told:
                useless(now)
                told = before
            before = _says(now)
            continue
        except Exception as fault:
            failed(fault)
            continue
        try:
            greet(board)
            return
        except Exception as fault:
            # It is there, and does not answer yet.
            failed(fault)
            await close(board)


class Relapses:
    """How often in a row a board was lost soon after it had been opened: one that keeps failing is left alone."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with a board that was opened now; `clock` gives seconds."""
        self._clock = clock
        self._count = 0
        self.opened()

    def opened(self) -> None:
        """A board was opened."""
        self._opened_at = self._clock()

    def lost(self) -> int:
        """It was lost; how often in a row it had been before, each time so soon."""
        if self._clock() - self._opened_at >= WELL_AFTER_S:
            self._count = 0
        self._count += 1
        return self._count - 1


def growing_pause(failures: int) -> float:
    """How long to wait before the next try after so many that failed, in seconds."""
    return min(FIRST_PAUSE_S * 2.0 ** min(failures, 10), LONGEST_PAUSE_S)


async def close(board: BoardDriver) -> None:
    """Close a board that was lost, whatever comes of it; in a thread, since it may take its time."""
    await asyncio.to_thread(_close, board)


def _close(board: BoardDriver) -> None:
    try:
        board.close()
    except Exception as fault:
        _log.debug("The lost board could not be closed (%s).", described(fault))


async def _opened_in_thread(reopen: Callable[[], BoardDriver]) -> BoardDriver:
    """The board, opened in a thread; where nobody waits for it any more it is closed, at the latest once it opens."""
    lock = threading.Lock()
    unwanted = False
    found: list[BoardDriver] = []

    def open_it() -> None:
        board = reopen()
        with lock:
            found.append(board)
            wanted = not unwanted
        if not wanted:
            _close(board)

    try:
        await asyncio.to_thread(open_it)
    except asyncio.CancelledError:
        with lock:
            unwanted = True
            opened = list(found)
        for board in opened:
            await close(board)
        raise
    return found[0]


def _says(error: BoardError | None) -> Message | None:
    return None if error is None else error.message
