"""Opening a board again, however long that takes and whoever does not want it any more."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from popout.board.driver import BoardAway, BoardDriver, BoardError
from popout.play import reopening
from popout.play.reopening import Relapses, growing_pause, open_again
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.store import Store
from popout.rules import Drop, Message
from tables import PLAIN, WiredBoard, in_a_loop, moves, running
from waiting import PATIENCE_S, until


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reopening, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(reopening, "LONGEST_PAUSE_S", 0.004)


class Mute:
    """What opens a board that does not answer for long: not before a test says so."""

    def __init__(self) -> None:
        self.board = WiredBoard(PLAIN)
        self.opening = threading.Event()
        self.answers = threading.Event()

    def __call__(self) -> BoardDriver:
        self.opening.set()
        assert self.answers.wait(PATIENCE_S)
        return self.board


@pytest.fixture
def mute() -> Iterator[Mute]:
    made = Mute()
    yield made
    made.answers.set()


def unwanted(board: BoardDriver) -> None:
    raise AssertionError(f"{board} was greeted")


def ignored(fault: Exception) -> None:
    raise AssertionError("nothing failed") from fault


def away(error: BoardError | None) -> None:
    raise AssertionError("none was there") from error


def test_a_board_that_does_not_answer_stops_neither_the_page_nor_the_game(store: Store, mute: Mute):
    async def story() -> None:
        first = WiredBoard(PLAIN)
        table = Table(first, store, Settings(), reopen=mute)
        async with running(table):
            first.cut()
            await until(mute.opening.is_set)
            await table.order(lambda controller: controller.play(Drop(3)))
            assert moves(table) == "d3"
            assert table.board is first
            mute.answers.set()
            await until(lambda: table.board is mute.board and mute.board.shown)
            assert not mute.board.closed

    in_a_loop(story)


def test_a_table_that_ends_meanwhile_closes_a_board_that_opens_after_all(store: Store, mute: Mute):
    async def story() -> None:
        first = WiredBoard(PLAIN)
        table = Table(first, store, Settings(), reopen=mute)
        async with running(table):
            first.cut()
            await until(mute.opening.is_set)
        assert not mute.board.closed
        mute.answers.set()
        await until(lambda: mute.board.closed)
        assert table.board is first

    in_a_loop(story)
    assert mute.board.closed == 1


@pytest.mark.parametrize("turns", [0, 1], ids=["before the loop has heard of it", "after"])
def test_a_board_that_opens_as_the_table_ends_is_closed(mute: Mute, turns: int):
    """The thread is done, and its board has not been taken yet."""

    async def story() -> None:
        threads = ThreadPoolExecutor(1)
        asyncio.get_running_loop().set_default_executor(threads)
        task = asyncio.create_task(open_again(mute, unwanted, ignored, away))
        await until(mute.opening.is_set)
        mute.answers.set()
        threads.submit(int).result(PATIENCE_S)  # once that is done, what the only thread did before is
        for _ in range(turns):
            await asyncio.sleep(0)  # the task's turn comes after this one
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    in_a_loop(story)
    assert mute.board.closed == 1


def test_a_table_that_ends_while_nothing_is_there_leaves_nothing(mute: Mute):
    def not_there() -> BoardDriver:
        mute()
        raise BoardAway(Message("It is not there."))

    async def story() -> None:
        task = asyncio.create_task(open_again(not_there, unwanted, ignored, away))
        await until(mute.opening.is_set)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        mute.answers.set()

    in_a_loop(story)


def test_a_board_that_is_not_greeted_is_closed_and_another_try_is_made():
    boards = [WiredBoard(PLAIN), WiredBoard(PLAIN)]
    first, second = boards
    greeted, faults = [], []

    def greet(board: BoardDriver) -> None:
        if board is first:
            raise ValueError("it settles")
        greeted.append(board)

    async def story() -> None:
        await open_again(lambda: boards.pop(0), greet, faults.append, away)

    in_a_loop(story)
    assert greeted == [second]
    assert [str(fault) for fault in faults] == ["it settles"]
    assert (first.closed, second.closed) == (1, 0)


def test_a_driver_that_cannot_even_close_is_left_alone():
    class Stiff(WiredBoard):
        def close(self) -> None:
            raise ValueError("stiff")

    boards = [Stiff(PLAIN), WiredBoard(PLAIN)]
    stiff, good = boards
    faults: list[Exception] = []

    def greet(board: BoardDriver) -> None:
        if board is stiff:
            raise BoardError(Message("It settles."))

    async def story() -> None:
        await open_again(lambda: boards.pop(0), greet, faults.append, away)

    in_a_loop(story)
    assert (len(faults), boards, good.closed) == (1, [], 0)


class NotOurs(BoardError):
    code = "not-ours"


def test_why_a_board_that_is_there_cannot_be_used_is_said_when_it_is_new():
    not_ours, held = NotOurs(Message("It is not ours.")), BoardError(Message("It is held."))
    gone = BoardAway(Message("It is not there."))
    board = WiredBoard(PLAIN)
    tries = [gone, gone, not_ours, not_ours, not_ours, held, held, gone, gone, held, gone, board]
    said: list[BoardError | None] = []

    def reopen() -> BoardDriver:
        if isinstance(found := tries.pop(0), BoardError):
            raise found
        return found

    async def story() -> None:
        await open_again(reopen, lambda _: None, ignored, said.append)

    in_a_loop(story)
    # Whatever was so at one try alone may be a board that was just plugged in.
    assert said == [not_ours, held, None]


def test_the_trouble_is_that_of_the_last_try_and_the_log_tells_of_it(store: Store, caplog: pytest.LogCaptureFixture):
    first, second = WiredBoard(PLAIN), WiredBoard(PLAIN)
    found: list[BoardDriver | BoardError] = [NotOurs(Message("It is not ours."))]

    def reopen() -> BoardDriver:
        if isinstance(found[0], BoardError):
            raise found[0]
        return found[0]

    async def story() -> None:
        table = Table(first, store, Settings(), reopen=reopen)

        def trouble() -> str:
            return str(table.controller.trouble and table.controller.trouble[1])

        async with running(table):
            first.cut()
            await until(lambda: trouble() == "It is not ours.")
            found[0] = BoardAway(Message("There is none."))
            await until(lambda: trouble() == "The cable was pulled.")
            found[0] = second
            await until(lambda: second.shown)
            assert table.controller.trouble is None

    with caplog.at_level(logging.WARNING, "popout"):
        in_a_loop(story)
    assert caplog.messages == [
        "The board is lost: The cable was pulled.",
        "The board is lost: It is not ours.",
        "The board is lost: The cable was pulled.",
        "The board is back.",
    ]


def test_a_board_that_is_slow_to_close_stops_neither_the_page_nor_the_game(store: Store):
    """And no other is opened before: its port is for one alone."""

    class Slow(WiredBoard):
        def close(self) -> None:
            closing.set()
            assert may_close.wait(PATIENCE_S)
            super().close()

    closing, may_close = threading.Event(), threading.Event()
    first, second = Slow(PLAIN), WiredBoard(PLAIN)

    def reopen() -> BoardDriver:
        assert first.closed
        return second

    async def story() -> None:
        table = Table(first, store, Settings(), reopen=reopen)
        async with running(table):
            first.cut()
            await until(closing.is_set)
            await table.order(lambda controller: controller.play(Drop(3)))
            assert moves(table) == "d3"
            assert not first.closed
            may_close.set()
            await until(lambda: second.shown)

    in_a_loop(story)


def test_a_board_that_is_not_greeted_and_is_slow_to_close_stops_nothing_either():
    class Slow(WiredBoard):
        def close(self) -> None:
            assert threading.current_thread() is not threading.main_thread()
            super().close()

    boards = [Slow(PLAIN), WiredBoard(PLAIN)]
    first, second = boards
    faults: list[Exception] = []

    def greet(board: BoardDriver) -> None:
        if board is first:
            raise ValueError("it settles")

    async def story() -> None:
        await open_again(lambda: boards.pop(0), greet, faults.append, away)

    in_a_loop(story)
    assert (first.closed, second.closed) == (1, 0)


def test_a_board_that_fails_soon_after_each_opening_is_left_alone_for_longer_and_longer():
    """Field bug S1: no endless stream of greetings."""
    now = 0.0
    relapses = Relapses(lambda: now)
    found = []
    for stayed in (60.0, 1.0, 1.0, 1.0, 10.0, 1.0):
        relapses.opened()
        now += stayed
        found.append(relapses.lost())
    assert found == [0, 1, 2, 3, 0, 1]
    assert growing_pause(1) > growing_pause(0)


def test_the_pauses_begin_where_those_of_the_last_time_ended(monkeypatch: pytest.MonkeyPatch):
    asked: list[int] = []

    def no_pause(failures: int) -> float:
        asked.append(failures)
        return 0.0

    monkeypatch.setattr(reopening, "growing_pause", no_pause)
    found: list[BoardDriver | BoardError] = [BoardAway(Message("It is not there.")), WiredBoard(PLAIN)]

    def reopen() -> BoardDriver:
        if isinstance(answer := found.pop(0), BoardError):
            raise answer
        return answer

    async def story() -> None:
        await open_again(reopen, lambda _: None, ignored, away, relapses=3)

    in_a_loop(story)
    assert asked == [3, 4]
