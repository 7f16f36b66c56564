"""Tables for tests: a real event loop around a twin or a board with wires, and records whose disks are slow or fail."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import ClassVar

import pytest

from popout.board.driver import BoardDriver, BoardLost
from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.board.switches import SwitchEvent
from popout.play.table import Table
from popout.record.journal import Entry, apply
from popout.record.store import Store
from popout.rules import Game, Message, RuleSet
from popout_sim.contacts import PERFECT
from popout_sim.driver import SimulatedBoard
from waiting import PATIENCE_S

RULES = RuleSet.parse("popout 7x6")
PLAIN = Layout.plain(7, 6)


class WiredBoard(BoardDriver):
    """A board without a twin, as a real one: a test moves its wires, cuts its cable, sees its lamps."""

    name: ClassVar[str] = "wired"
    resizable: ClassVar[bool] = False

    def __init__(self, layout: Layout, levels: Mapping[str, bool] | None = None) -> None:
        self.layout = layout
        self.wires = dict.fromkeys(layout.switches, False) | dict(levels or {})
        self.shown: list[Frame] = []
        self.closed = 0
        self._cut = False
        self._events: asyncio.Queue[SwitchEvent | BoardLost | None] = asyncio.Queue()

    @classmethod
    def attached(cls, layout: Layout) -> bool:  # noqa: ARG003 - whatever the layout
        return True

    @property
    def description(self) -> Message:
        return Message("a board with wires")

    def now(self) -> float:
        return time.monotonic() * 1000

    def levels(self) -> Mapping[str, bool]:
        if self._cut:
            raise BoardLost(Message("The cable was pulled."))
        return dict(self.wires)

    async def events(self) -> AsyncIterator[SwitchEvent]:
        while (event := await self._events.get()) is not None:
            if isinstance(event, BoardLost):
                raise event
            yield event

    def show(self, frame: Frame) -> None:
        assert not self.closed, "a board that was closed was lit"
        if self._cut:
            raise BoardLost(Message("The cable was pulled."))
        self.shown.append(frame)

    def close(self) -> None:
        self.closed += 1

    def move(self, switch: str, closed: bool) -> None:
        self.wires[switch] = closed
        self._events.put_nowait(SwitchEvent(switch, closed, self.now()))

    def cut(self) -> None:
        self._cut = True
        self._events.put_nowait(BoardLost(Message("The cable was pulled.")))

    def switch_off(self) -> None:
        self._events.put_nowait(None)


class SlowStore(Store):
    """A record whose disk takes its time, and that tells whether two threads were ever in it."""

    def __init__(self, seconds: float = 0.05) -> None:
        super().__init__(None)
        self.seconds = seconds
        self.together = 0
        self.most_together = 0

    def append(self, entry: Entry, after: Game) -> None:
        self.together += 1
        self.most_together = max(self.most_together, self.together)
        time.sleep(self.seconds)
        self.together -= 1
        super().append(entry, after)


class FailingStore(Store):
    """A record whose disk fails when a test says so, with whatever it says."""

    def __init__(self) -> None:
        super().__init__(None)
        self.failing: Exception | None = None

    def append(self, entry: Entry, after: Game) -> None:
        if self.failing:
            raise self.failing
        super().append(entry, after)


@asynccontextmanager
async def running(table: Table) -> AsyncIterator[asyncio.Task[None]]:
    task = asyncio.create_task(table.run())
    try:
        yield task
    finally:
        if not task.done():
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task


async def tap(table: Table, column: int) -> None:
    table.finger(f"column {column}", True)
    await asyncio.sleep(0.05)
    table.finger(f"column {column}", False)
    await asyncio.sleep(0.05)


def written(store: Store, *entries: Entry) -> None:
    """Put a game into a record."""
    game = None
    for entry in entries:
        game = apply(game, entry)
        store.append(entry, game)


def sim(layout: Layout = PLAIN) -> SimulatedBoard:
    return SimulatedBoard(layout, contact=PERFECT)


def moves(table: Table) -> str:
    return " ".join(map(str, table.controller.game.moves))


def codes(table: Table) -> list[str]:
    return [notice.code for notice in table.controller.notices.since(0)]


def in_a_loop(story: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with asyncio.timeout(2 * PATIENCE_S):
            await story()

    asyncio.run(whole())
