"""Opening a board again, however long that takes and whoever does not want it any more."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from popout.board.driver import BoardDriver, BoardError
from popout.play import reopening
from popout.play.reopening import open_again
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


def test_a_board_that_opens_as_the_table_ends_is_closed(mute: Mute):
    """The thread is done, and its board has not been taken yet."""

    async def story() -> None:
        task = asyncio.create_task(open_again(mute, unwanted, ignored))
        await until(mute.opening.is_set)
        mute.answers.set()
        while not is_answered(task):  # its turn comes after this one
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    def is_answered(task: asyncio.Task[None]) -> bool:
        waited_for = task._fut_waiter  # type: ignore[attr-defined]
        return waited_for is None or waited_for.done()

    in_a_loop(story)
    assert mute.board.closed == 1


def test_a_table_that_ends_while_nothing_is_there_leaves_nothing(mute: Mute):
    def away() -> BoardDriver:
        mute()
        raise BoardError(Message("It is not there."))

    async def story() -> None:
        task = asyncio.create_task(open_again(away, unwanted, ignored))
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
        await open_again(lambda: boards.pop(0), greet, faults.append)

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
        await open_again(lambda: boards.pop(0), greet, faults.append)

    in_a_loop(story)
    assert (len(faults), boards, good.closed) == (1, [], 0)
