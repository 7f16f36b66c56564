"""The alarm clock of the table, and a table whose program is held up while hands press."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from popout.board.layout import Layout
from popout.board.switches import SwitchEvent
from popout.play.alarm import GRACE_MS, LATE_MS, Alarm
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.store import Store
from tables import WiredBoard, moves, running
from turned_clock import TurnedLoop


def in_turned_time(story: Callable[[TurnedLoop], Awaitable[None]]) -> None:
    loop = TurnedLoop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(story(loop))


class Rings:
    """An alarm, and when it rang."""

    def __init__(self, loop: TurnedLoop) -> None:
        self.at: list[float] = []
        self.alarm = Alarm(lambda: loop.time() * 1000, lambda: self.at.append(loop.time() * 1000))
        self.start = loop.time() * 1000

    async def wait(self, ms: float) -> list[float]:
        """The times of ringing since the start, to the millisecond, after waiting."""
        await asyncio.sleep(ms / 1000)
        return [round(at - self.start) for at in self.at]


def test_it_rings_once_when_it_is_due():
    async def story(loop: TurnedLoop) -> None:
        rings = Rings(loop)
        rings.alarm.set(rings.start + 50)
        assert rings.alarm.is_set
        assert await rings.wait(500) == [50]
        assert not rings.alarm.is_set

    in_turned_time(story)


def test_it_is_set_anew_and_stopped():
    async def story(loop: TurnedLoop) -> None:
        rings = Rings(loop)
        rings.alarm.set(rings.start + 50)
        rings.alarm.set(rings.start + 90)
        assert await rings.wait(80) == []
        assert await rings.wait(100) == [90]
        rings.alarm.set(rings.start + 300)
        rings.alarm.set(None)
        assert await rings.wait(1000) == [90]

    in_turned_time(story)


def test_what_is_due_now_is_done_at_once_and_what_was_due_long_ago_a_little_later():
    async def story(loop: TurnedLoop) -> None:
        rings = Rings(loop)
        rings.alarm.set(rings.start - LATE_MS / 2)
        assert await rings.wait(1) == [0]
        rings.alarm.set(rings.start - 100)
        assert await rings.wait(100) == [0, 1 + GRACE_MS]

    in_turned_time(story)


def test_held_up_it_lets_what_is_on_its_way_come_first():
    async def story(loop: TurnedLoop) -> None:
        rings = Rings(loop)
        rings.alarm.set(rings.start + 10)
        await asyncio.sleep(0)
        loop.turn(0.1)
        assert await rings.wait(5) == []
        assert await rings.wait(100) == [100 + GRACE_MS]

    in_turned_time(story)


def test_held_up_after_it_has_risen_it_lets_what_is_on_its_way_come_first_too():
    async def story(loop: TurnedLoop) -> None:
        rings = Rings(loop)
        rings.alarm.set(rings.start)
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # it has risen, and waits for its turn
        loop.turn(0.1)
        assert await rings.wait(5) == []
        assert await rings.wait(100) == [100 + GRACE_MS]

    in_turned_time(story)


def test_where_the_program_is_held_up_always_it_rings_all_the_same():
    async def story(loop: TurnedLoop) -> None:
        rings = Rings(loop)
        rings.alarm.set(rings.start + 10)
        while not rings.at and loop.time() < rings.start / 1000 + 60:
            await asyncio.sleep(0.001)
            loop.turn(0.1)
        assert len(rings.at) == 1

    in_turned_time(story)


def test_a_pause_holds_it_back():
    async def story(loop: TurnedLoop) -> None:
        rings = Rings(loop)
        rings.alarm.set(rings.start + 10, pause_s=0.2)
        assert await rings.wait(500) == [200]

    in_turned_time(story)


class LateBoard(WiredBoard):
    """A board whose edges come through a thread: its wires move at once, its edges are brought when a test says."""

    def __init__(self, loop: TurnedLoop) -> None:
        super().__init__(Layout.plain(7, 6))
        self._loop = loop

    def now(self) -> float:
        return self._loop.time() * 1000

    def bring(self, switch: str, closed: bool, time: float) -> None:
        self._events.put_nowait(SwitchEvent(switch, closed, time))


@pytest.mark.parametrize("stood_still", [55, 90, 150])
@pytest.mark.parametrize("bounce", [False, True], ids=["clean", "bouncing"])
def test_a_tap_while_the_program_stood_still_is_one_move_g2(store: Store, stood_still: float, bounce: bool):
    async def story(loop: TurnedLoop) -> None:
        board = LateBoard(loop)
        table = Table(board, store, Settings())
        async with running(table):
            await asyncio.sleep(0.1)
            for tap, column in enumerate((4, 5, 4), start=1):
                began = board.now()
                switch = f"column {column}"
                edges = [(0.0, True), (50.0, False)]
                if bounce:
                    edges = [(0.0, True), (3.0, False), (6.0, True), (50.0, False), (54.0, True), (54.9, False)]
                loop.turn(stood_still / 1000)
                for after, closed in edges:
                    # What the wire is by now, it is; its edges come one by one.
                    board.wires[switch] = False
                    board.bring(switch, closed, began + after)
                    await asyncio.sleep(0.002)
                await asyncio.sleep(0.5)
                assert len(table.controller.game.moves) == tap, moves(table)
        assert moves(table) == "d4 d5 d4"

    in_turned_time(story)


def test_a_press_of_which_only_the_beginning_was_heard_in_time_is_one_move_g2(store: Store):
    async def story(loop: TurnedLoop) -> None:
        board = LateBoard(loop)
        table = Table(board, store, Settings())
        async with running(table):
            await asyncio.sleep(0.1)
            began = board.now()
            board.bring("column 4", True, began)
            await asyncio.sleep(0.001)
            loop.turn(0.1)  # the button came up meanwhile
            await asyncio.sleep(0.004)
            board.bring("column 4", False, began + 60)
            await asyncio.sleep(0.5)
        assert moves(table) == "d4"

    in_turned_time(story)
