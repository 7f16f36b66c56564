"""The table when a part of the program or the board fails: the game goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import pytest

from popout.board.driver import BoardDriver, BoardError, BoardLost
from popout.board.frame import Frame
from popout.board.switches import SwitchEvent
from popout.play import reopening
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.store import Store
from popout.rules import Drop, Message
from tables import PLAIN, WiredBoard, codes, in_a_loop, moves, running, sim, tap
from waiting import until


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reopening, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(reopening, "LONGEST_PAUSE_S", 0.004)


# Faults of the program itself


def test_a_fault_at_what_hands_do_costs_that_press_and_the_game_goes_on_g10_e11(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    async def story() -> None:
        table = Table(sim(), store, Settings())
        real = table.controller._move

        def bug(*_: object) -> None:
            raise ZeroDivisionError("a bug")

        async with running(table):
            await tap(table, 4)
            await until(lambda: moves(table) == "d4")
            monkeypatch.setattr(table.controller, "_move", bug)
            await tap(table, 4)
            await until(lambda: "part-failed" in codes(table))
            monkeypatch.setattr(table.controller, "_move", real)
            await tap(table, 5)
            await until(lambda: moves(table) == "d4 d5")

    in_a_loop(story)
    assert "The controller failed (ZeroDivisionError: a bug)." in caplog.messages


def test_a_fault_while_time_passes_is_told_with_growing_pauses_and_the_game_goes_on_g10(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    async def story() -> None:
        table = Table(sim(), store, Settings())
        loop, pauses = asyncio.get_running_loop(), []
        call_later = loop.call_later

        def bug(*_: object) -> None:
            raise ZeroDivisionError("a bug")

        def noted(delay: float, callback: Callable[..., object], *arguments: Any) -> asyncio.TimerHandle:
            if callback == table._alarm._rise and delay:
                pauses.append(delay)
            return call_later(delay, callback, *arguments)

        async with running(table):
            await tap(table, 4)
            await until(lambda: moves(table) == "d4")
            with monkeypatch.context() as patched:
                patched.setattr(table.controller, "tick", bug)
                patched.setattr(table.controller, "due", lambda now: now)
                patched.setattr(reopening, "LONGEST_PAUSE_S", 0.1)
                patched.setattr(loop, "call_later", noted)
                table.finger("column 4", True)
                await until(lambda: pauses and pauses[-1] == 0.1)
            assert sorted(set(pauses)) == [0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.1]
            assert pauses == sorted(pauses)
            table.finger("column 4", False)
            await tap(table, 2)
            await until(lambda: moves(table) == "d4 d2")

    in_a_loop(story)


def test_a_picture_that_cannot_be_computed_stops_no_move(store: Store, monkeypatch: pytest.MonkeyPatch):
    async def story() -> None:
        table = Table(sim(), store, Settings())

        def bug(*_: object) -> None:
            raise ZeroDivisionError("a bug")

        async with running(table):
            monkeypatch.setattr(table.controller, "frame", bug)
            await table.order(lambda controller: controller.play(Drop(4)))
            assert moves(table) == "d4"
            monkeypatch.undo()
            await tap(table, 5)
            await until(lambda: moves(table) == "d4 d5" and any(table.board.lamps.columns))

    in_a_loop(story)


@pytest.mark.parametrize("how", ["show", "events", "levels"])
def test_a_driver_that_fails_is_opened_again_and_the_game_goes_on_e14(
    store: Store, how: str, caplog: pytest.LogCaptureFixture
):
    class Failing(WiredBoard):
        fails = ""

        def show(self, frame: Frame) -> None:
            self._fail("show")
            super().show(frame)

        def levels(self) -> Mapping[str, bool]:
            self._fail("levels")
            return super().levels()

        async def events(self) -> AsyncIterator[SwitchEvent]:
            async for event in super().events():
                self._fail("events")
                yield event

        def _fail(self, what: str) -> None:
            if self.fails == what:
                raise ValueError("a driver's own bug")

    async def story() -> None:
        board, second = Failing(PLAIN), WiredBoard(PLAIN)
        table = Table(board, store, Settings(), reopen=lambda: second)
        async with running(table):
            board.move("column 4", True)
            await asyncio.sleep(0.05)
            board.move("column 4", False)
            await until(lambda: moves(table) == "d4")
            board.fails = how
            board.move("column 1", True)
            await until(lambda: table.board is second and second.shown)
            assert table.controller.trouble is None
            second.move("column 2", True)
            await asyncio.sleep(0.05)
            second.move("column 2", False)
            await until(lambda: moves(table) == "d4 d2")
            assert board.closed

    in_a_loop(story)
    assert any("a driver's own bug" in message for message in caplog.messages)


def test_a_fault_of_another_part_is_shown_and_the_game_goes_on(store: Store):
    async def story() -> None:
        table = Table(sim(), store, Settings())
        async with running(table):
            table.fault("page", ValueError("a bug"))
            assert str(table.controller.notices.newest.message) == (
                "A part of the program failed and is started again: the page (a bug). The game goes on."
            )
            await tap(table, 4)
            await until(lambda: moves(table) == "d4")

    in_a_loop(story)


# A board that is lost


def test_a_board_that_is_lost_is_looked_for_with_growing_pauses_and_the_game_goes_on_e14(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    pauses: list[float] = []
    sleep = asyncio.sleep

    async def story() -> None:
        first, second = WiredBoard(PLAIN), WiredBoard(PLAIN)
        tries = 0

        def reopen() -> BoardDriver:
            nonlocal tries
            tries += 1
            if tries < 5:
                raise BoardLost(Message("It is not there."))
            return second

        table = Table(first, store, Settings(), reopen=reopen)

        async def paused(seconds: float) -> None:
            if table.controller.trouble:
                pauses.append(seconds)
            await sleep(seconds)

        async with running(table):
            await tap(table, 4)
            await until(lambda: moves(table) == "d4")
            monkeypatch.setattr(reopening.asyncio, "sleep", paused)
            first.cut()
            while table.board is not second:
                await sleep(0.001)
            monkeypatch.undo()
            assert first.closed == 1
            await tap(table, 5)
            await until(lambda: moves(table) == "d4 d5")
            assert second.shown, "the whole picture was shown again"
            assert codes(table) == ["moved", "board-lost", "board-found", "moved"]

    monkeypatch.setattr(reopening, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(reopening, "LONGEST_PAUSE_S", 0.004)
    in_a_loop(story)
    assert pauses == [0.001, 0.002, 0.004, 0.004, 0.004]


def test_the_usual_pauses_grow_from_a_tenth_of_a_second_to_five(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.undo()
    assert (reopening.FIRST_PAUSE_S, reopening.LONGEST_PAUSE_S) == (0.1, 5.0)


def test_while_the_board_is_away_nothing_is_pressed_and_nothing_is_lit(store: Store):
    async def story() -> None:
        board = WiredBoard(PLAIN)
        there = asyncio.Event()

        def reopen() -> BoardDriver:
            if not there.is_set():
                raise BoardError(Message("It is not there."))
            return WiredBoard(PLAIN, {"column 3": True})

        table = Table(board, store, Settings(), reopen=reopen)
        async with running(table):
            table.finger("column 5", True)
            await asyncio.sleep(0.01)
            board.cut()
            await until(lambda: table.controller.trouble)
            with pytest.raises(BoardLost) as caught:
                table.finger("column 4", True)
            assert str(caught.value) == "The cable was pulled."
            await table.order(lambda controller: controller.play(Drop(1)))
            await asyncio.sleep(0.1)
            there.set()
            await until(lambda: table.controller.trouble is None)
            await until(lambda: "switch-stuck" in codes(table))
            assert moves(table) == "d1", "the button that was down all the time makes no move"

    in_a_loop(story)


def test_a_board_that_is_lost_for_good_ends_the_game_with_its_reason(store: Store):
    async def story() -> None:
        board = WiredBoard(PLAIN)
        table = Table(board, store, Settings())
        task = asyncio.create_task(table.run())
        await asyncio.sleep(0.01)
        board.cut()
        with pytest.raises(BoardLost) as caught:
            await task
        assert str(caught.value) == "The cable was pulled."

    in_a_loop(story)


def test_a_board_that_fails_while_time_passes_is_lost_and_no_crash(store: Store):
    async def story() -> None:
        board, second = WiredBoard(PLAIN), WiredBoard(PLAIN)
        table = Table(board, store, Settings(count_down_after_ms=100), reopen=lambda: second)
        async with running(table):
            board.move("column 4", True)
            await asyncio.sleep(0.02)
            board._cut = True  # it fails before it says so
            await asyncio.sleep(0.2)
            board.cut()
            await until(lambda: table.board is second)
            await until(lambda: table.controller.trouble is None)
            assert moves(table) == ""

    in_a_loop(story)
