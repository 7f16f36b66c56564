"""The table with drivers that fail in every way: one loss, tries with pauses, and the game goes on exactly as it is."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from popout.board.driver import BoardDriver, BoardLost
from popout.board.switches import SwitchEvent
from popout.play import reopening
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.journal import Kind
from popout.record.store import Store
from popout.rules import Message
from tables import PLAIN, WiredBoard, in_a_loop, moves, running
from waiting import until


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reopening, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(reopening, "LONGEST_PAUSE_S", 0.004)


class Moody(WiredBoard):
    """A board whose calls fail when a test says so.

    :ivar failing: the name of the call that fails. :ivar how: with what; :ivar times: how often, for ever if negative.
    """

    def __init__(self, failing: str = "", how: Exception | None = None, times: int = -1) -> None:
        self.failing, self.how, self.times = failing, how, times
        super().__init__(PLAIN)

    def _fail(self, what: str) -> None:
        if self.failing == what and self.times and self.how:
            self.times -= 1
            raise self.how

    def now(self) -> float:
        self._fail("now")
        return super().now()

    def levels(self) -> Mapping[str, bool]:
        self._fail("levels")
        return super().levels()


LOST, BUG = BoardLost(Message("It is settling.")), ValueError("a driver's own bug")


async def press(board: WiredBoard, column: int) -> None:
    board.move(f"column {column}", True)
    await asyncio.sleep(0.05)
    board.move(f"column {column}", False)


@pytest.mark.parametrize("how", [LOST, BUG], ids=["lost", "bug"])
@pytest.mark.parametrize("failing", ["levels", "now"])
def test_a_board_that_does_not_answer_at_once_after_it_came_back_is_tried_again_s5(
    store: Store, failing: str, how: Exception
):
    async def story() -> None:
        first, settling, third = WiredBoard(PLAIN), Moody(failing, how), WiredBoard(PLAIN)
        boards: list[BoardDriver] = [settling, third]
        table = Table(first, store, Settings(), reopen=lambda: boards.pop(0))
        async with running(table):
            await press(first, 4)
            await until(lambda: moves(table) == "d4")
            first.cut()
            await until(lambda: table.board is third and third.shown)
            assert settling.closed
            assert table.controller.trouble is None
            await press(third, 5)
            await until(lambda: moves(table) == "d4 d5")

    in_a_loop(story)


@pytest.mark.parametrize("how", [LOST, BUG], ids=["lost", "bug"])
def test_a_clock_that_fails_is_a_board_that_is_opened_again_s1(store: Store, how: Exception):
    async def story() -> None:
        first, second = Moody(), WiredBoard(PLAIN)
        table = Table(first, store, Settings(), reopen=lambda: second)
        async with running(table):
            await press(first, 4)
            await until(lambda: moves(table) == "d4")
            first.failing, first.how = "now", how
            first._events.put_nowait(SwitchEvent("column 1", True, 0))
            await until(lambda: table.board is second and second.shown)
            await press(second, 5)
            await until(lambda: moves(table) == "d4 d5")

    in_a_loop(story)


def test_a_clock_that_fails_once_right_after_a_commit_writes_no_move_twice(store: Store):
    async def story() -> None:
        board, second = Moody(), WiredBoard(PLAIN)
        table = Table(board, store, Settings(), reopen=lambda: second)
        append = store.append

        def and_then(*arguments: object) -> None:
            append(*arguments)  # type: ignore[arg-type]
            board.failing, board.how, board.times = "now", BUG, 1

        async with running(table):
            store.append = and_then  # type: ignore[method-assign]
            await press(board, 4)
            await until(lambda: moves(table) == "d4")
            await until(lambda: table.board is second)
            store.append = append  # type: ignore[method-assign]
            await press(second, 3)
            await until(lambda: moves(table) == "d4 d3")
        assert [entry.text for entry in store.current() if entry.kind is Kind.MOVE] == ["d4", "d3"]

    in_a_loop(story)


def test_a_board_that_falls_silent_by_itself_is_looked_for(store: Store):
    async def story() -> None:
        first, second = WiredBoard(PLAIN), WiredBoard(PLAIN)
        table = Table(first, store, Settings(), reopen=lambda: second)
        async with running(table) as task:
            first.switch_off()
            await until(lambda: table.board is second and second.shown)
            assert not task.done()
            await press(second, 5)
            await until(lambda: moves(table) == "d5")

    in_a_loop(story)


def test_a_table_that_is_started_again_while_its_board_is_away_goes_on_looking_for_it(store: Store):
    async def story() -> None:
        first, second = WiredBoard(PLAIN), WiredBoard(PLAIN)
        is_there = False

        def reopen() -> BoardDriver:
            if not is_there:
                raise BoardLost(Message("It is not there."))
            return second

        table = Table(first, store, Settings(), reopen=reopen)
        async with running(table):
            first.cut()
            await until(lambda: table.controller.trouble)
        is_there = True
        async with running(table):
            await until(lambda: table.board is second and second.shown)
            assert table.controller.trouble is None
            await press(second, 5)
            await until(lambda: moves(table) == "d5")

    in_a_loop(story)


def test_a_picture_that_always_fails_is_logged_once_and_tried_more_and_more_seldom(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(reopening, "LONGEST_PAUSE_S", 5.0)

    async def story() -> None:
        table = Table(WiredBoard(PLAIN), store, Settings())
        tried = []

        def bug(now: float) -> None:
            tried.append(now)
            raise ZeroDivisionError("a bug")

        async with running(table):
            monkeypatch.setattr(table.controller, "frame", bug)
            table.controller.toggle_menu(0)
            await table.order(lambda _: None)
            await until(lambda: len(tried) > 6)
            before = len(tried)
            await asyncio.sleep(0.2)
            assert len(tried) - before < 4

    in_a_loop(story)
    assert caplog.messages.count("The controller failed (ZeroDivisionError: a bug).") == 1
