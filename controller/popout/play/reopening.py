"""Opening a board again that was lost, while the game and its page go on."""

from __future__ import annotations

import asyncio
import itertools
import logging
import threading
from collections.abc import Callable
from typing import Final

from popout.board.driver import BoardAway, BoardDriver, BoardError
from popout.play.supervisor import described
from popout.rules import Message

FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 5.0

_log = logging.getLogger(__name__)


async def open_again(
    reopen: Callable[[], BoardDriver],
    greet: Callable[[BoardDriver], None],
    failed: Callable[[Exception], None],
    useless: Callable[[BoardError | None], None],
) -> None:
    """Try to open a board, with growing pauses, until one was greeted.

    :param reopen: opens it, in a thread: a board that does not answer must stop nothing else.
    :param greet: goes on with it; one for which that fails is closed, and another try is made.
    :param failed: hears of each fault of the program.
    :param useless: hears why the board that is there cannot be used, or with None that none is there any more; each
        when it is so at two tries in a row, since one that was just plugged in may not be ready.
    """
    told = before = None
    for tries in itertools.count():
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
