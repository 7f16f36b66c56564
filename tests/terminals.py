"""Terminals for tests: a real table at the twin of a board, and somebody who presses keys and reads the screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from textual.pilot import Pilot
from textual.widgets import Static

from popout.board.layout import Layout
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.store import Store
from popout.rules import RuleSet
from popout.views.terminal.app import Terminal
from popout.views.terminal.link import Link, TableLink
from popout.views.terminal.widgets import BoardWidget
from popout.views.web.listening import listen
from popout.views.web.network import Network
from popout.views.web.server import serve
from popout.views.web.state import TableView
from popout_sim.contacts import PERFECT
from popout_sim.driver import SimulatedBoard

WITHIN_S = 20
UNHURRIED = Settings(take_back_hold_ms=20_000, menu_hold_ms=20_000, stuck_after_ms=60_000)
"""On a machine that stands still for a moment a tap is not to become a hold."""


@asynccontextmanager
async def a_table(
    rules: str = "popout 7x6", *, layout: Layout | None = None, settings: Settings | None = None
) -> AsyncIterator[Table]:
    """A running table with a new game."""
    parsed = RuleSet.parse(rules)
    described = layout or Layout.plain(parsed.columns, parsed.rows)
    with Store(None) as record, SimulatedBoard(described, contact=PERFECT) as twin:
        table = Table(twin, record, settings or UNHURRIED, parsed)
        running = asyncio.create_task(table.run())
        await asyncio.sleep(0)
        try:
            yield table
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


class Seat:
    """Somebody at a terminal."""

    def __init__(self, app: Terminal, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def state(self) -> dict:
        """The newest state that the terminal has heard."""
        return dict(self.app.hands.state)

    async def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        await self.pilot.press(*keys)

    async def see(self, expected: Callable[[], object]) -> None:
        """Wait until the screen is as expected."""
        async with asyncio.timeout(WITHIN_S):
            while not expected():
                await self.pilot.pause(0.01)
        await self.pilot.pause()

    async def play(self, moves: str) -> None:
        """Make moves by the keys of the columns, with the bar where it must be."""
        for word in moves.split():
            made, bar = len(self.state["moves"]), "open" if word[0] == "p" else "closed"
            if self.state["bar"] != bar:
                await self.press("space")
                await self.see(lambda bar=bar: self.state["bar"] == bar)
            await self.press(*word[1:])
            await self.see(lambda made=made: len(self.state["moves"]) == made + 1)

    def says(self, name: str) -> str:
        """What a part of the screen says: title, players, box, status, notice, keys; or one of a dialog."""
        return str(self.app.screen.query_one(f"#{name}", Static).visual)

    def shows(self, text: str) -> bool:
        """Whether the screen that is in front shows a text."""
        return text in self.screen

    @property
    def screen(self) -> str:
        """The whole screen as text, a row a line."""
        strips = self.app.screen._compositor.render_strips(self.app.size)
        return "\n".join(strip.text.rstrip() for strip in strips)

    @property
    def board(self) -> str:
        """The board as it is drawn."""
        widget = self.app.screen.query_one(BoardWidget)
        return "\n".join(line.rstrip() for line in widget.render().plain.split("\n"))


@asynccontextmanager
async def served(table: Table, port: int = 0, network: Network | None = None) -> AsyncIterator[int]:
    """The page of a table, on a real port."""
    listener = listen("127.0.0.1", port)
    serving = asyncio.create_task(serve(TableView(table), listener=listener, network=network))
    try:
        yield listener.port
    finally:
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving


@asynccontextmanager
async def seated(link: Link, *, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Seat]:
    """Somebody at a terminal of that size on a link, once the board has answered."""
    app = Terminal(link, str)
    async with app.run_test(size=size) as pilot:
        seat = Seat(app, pilot)
        await seat.see(lambda: app.hands.state)
        yield seat
    await link.close()


def at_a_terminal(
    story: Callable[[Seat, Table], Awaitable[None]],
    rules: str = "popout 7x6",
    *,
    size: tuple[int, int] = (80, 24),
    layout: Layout | None = None,
    settings: Settings | None = None,
) -> None:
    """Let a story happen at a terminal beside its table."""

    async def run() -> None:
        async with (
            a_table(rules, layout=layout, settings=settings) as table,
            seated(TableLink(TableView(table), str), size=size) as seat,
        ):
            await story(seat, table)

    asyncio.run(run())
