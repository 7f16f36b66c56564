"""The table at a board that debounces its switches itself."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from popout.board.driver import BoardLost
from popout.board.switches import Fault, SwitchEvent, SwitchFault
from popout.play.settings import Settings, without_debouncing
from popout.play.table import Table
from popout.record.store import Store
from popout.rules import Message
from tables import PLAIN, WiredBoard, codes, in_a_loop, moves, running
from waiting import until

SETTINGS = Settings(glitch_ms=7, lockout_ms=70, disc_lockout_ms=700)


class Debounced(WiredBoard):
    """A board with a microcontroller that has a debouncer.

    :ivar times: those that it was told.
    """

    debounced: ClassVar[bool] = True

    def __init__(self) -> None:
        self.times: list[tuple[float, float, float]] = []
        self.settling = 0
        super().__init__(PLAIN)

    def debounce(self, glitch_ms: float, lockout_ms: float, disc_lockout_ms: float) -> None:
        if self.settling:
            self.settling -= 1
            raise BoardLost(Message("It is settling."))
        self.times.append((glitch_ms, lockout_ms, disc_lockout_ms))

    def find(self, switch: str, fault: Fault) -> None:
        self._events.put_nowait(SwitchFault(switch, fault, self.now()))  # type: ignore[arg-type]


def test_the_board_debounces_with_the_times_of_the_settings_and_nobody_else_does(store: Store):
    async def story() -> None:
        board = Debounced()
        table = Table(board, store, SETTINGS)
        assert board.times == [(7, 70, 700)]
        assert table.settings == SETTINGS
        assert table.controller.settings == without_debouncing(SETTINGS)
        now = board.now()
        for closed, time in ((True, now), (False, now + 2), (True, now + 4), (False, now + 6)):
            table.controller.edge(SwitchEvent("column 4", closed, time))
            table.controller.tick(time, {"column 4": closed})
        assert table.controller.unsaved is not None, "short presses count, since the board says that they were some"

    in_a_loop(story)


def test_another_board_is_debounced_by_the_table(store: Store):
    async def story() -> None:
        assert Table(WiredBoard(PLAIN), store, SETTINGS).controller.settings == SETTINGS

    in_a_loop(story)


def test_a_board_that_came_back_is_told_the_times_again_s5(store: Store):
    """Field bug S5: what a board was told before it was opened again, it has forgotten."""

    async def story() -> None:
        first, settling, third = Debounced(), Debounced(), Debounced()
        settling.settling = 1
        boards = [settling, third]
        table = Table(first, store, SETTINGS, reopen=lambda: boards.pop(0))
        async with running(table):
            first.cut()
            await until(lambda: table.board is third and third.shown)
            assert (settling.closed, settling.times) == (1, [])
            assert third.times == [(7, 70, 700)]

    in_a_loop(story)


def test_a_fault_that_the_board_found_is_told_and_cancels_the_press_under_way(store: Store):
    async def story() -> None:
        board = Debounced()
        table = Table(board, store, SETTINGS)
        async with running(table):
            board.move("column 4", True)
            await until(lambda: table.controller.press)
            board.find("column 4", Fault.FAULTY)
            await until(lambda: "switch-faulty" in codes(table))
            board.move("column 4", False)
            board.find("column 4", Fault.HEALED)
            await until(lambda: "switch-healed" in codes(table))
            assert moves(table) == ""
            board.move("column 5", True)
            await asyncio.sleep(0.05)
            board.move("column 5", False)
            await until(lambda: moves(table) == "d5")

    in_a_loop(story)


def test_a_fault_that_comes_after_the_clock_was_set_back_is_told(store: Store):
    async def story() -> None:
        board = Debounced()
        table = Table(board, store, SETTINGS)
        async with running(table):
            real = board.now
            board.now = lambda: real() - 10_000  # type: ignore[method-assign]
            board.find("column 4", Fault.FAULTY)
            await until(lambda: "switch-faulty" in codes(table))
            assert table.controller.trouble is None

    in_a_loop(story)
