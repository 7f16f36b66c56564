"""Boards on the lines of the rig: layouts, lamps that remember what they were to show, and a table that plays there."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from popout.board.frame import DARK, Colour, Frame
from popout.board.gpio.driver import GpioBoard
from popout.board.layout import Layout
from popout.board.switches import BAR, MENU, TAKE_BACK, column_switch
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.store import Store
from popout.rules import RuleSet
from tables import running
from waiting import until

PI = Layout.load("7x6-pi")
FIRST_LINE = 2
"""Lines 0 and 1 are those that tell a Pi which board sits on it."""


def wide(columns: int, rows: int = 6) -> Layout:
    """A board with more columns than the one that is shipped."""
    return _wired(columns, rows, [*map(column_switch, range(1, columns + 1)), BAR, MENU, TAKE_BACK])


def beside(number: int, columns: int) -> Layout:
    """One of several boards beside each other, from 0; they have columns alone."""
    return _wired(columns, 6, list(map(column_switch, range(1, columns + 1))), FIRST_LINE + number * columns)


def _wired(columns: int, rows: int, switches: list[str], first: int = FIRST_LINE) -> Layout:
    pins = {switch: f"GPIO{line}" for line, switch in enumerate(switches, first)}
    return replace(PI, name=f"{columns}x{rows}", columns=columns, rows=rows, switches=pins)


class SeenLamps:
    """Lamps that only remember.

    :ivar frames: what they were to show, and when, in milliseconds of the monotonic clock.
    :ivar closed: for each closing, whether they were to go dark.
    """

    def __init__(self) -> None:
        self.frames: list[tuple[float, Frame]] = []
        self.closed: list[bool] = []

    def show(self, frame: Frame) -> None:
        """Remember it."""
        self.frames.append((time.monotonic() * 1000, frame))

    def close(self, dark: bool, *, wait: bool = True) -> None:  # noqa: ARG002 - it is done at once
        """Remember it."""
        self.closed.append(dark)

    def grids(self, since: int = 0) -> set[tuple[str, ...]]:
        """The discs that were shown from the frame with that number on, as a position's grid is written."""
        return {
            tuple("".join(map(_disc, column)).rstrip(" ") for column in frame.cells) for _, frame in self.frames[since:]
        }


def _disc(colour: Colour) -> str:
    if colour == DARK:
        return " "
    return "O" if colour >> 8 & 0xFF else "X"


@asynccontextmanager
async def playing(
    path: Path, rules: str | None, layout: Layout = PI, lamps: SeenLamps | None = None, settings: Settings | None = None
) -> AsyncIterator[Table]:
    """A table that plays on the lines, with its record in a file, as `popout play` makes it.

    :param rules: of a new game; None goes on with the last one.
    """
    lamps = SeenLamps() if lamps is None else lamps

    def open_board() -> GpioBoard:
        return GpioBoard(layout, lamps=lamps)

    with Store(path) as store:
        table = Table(open_board(), store, settings or Settings(), rules and RuleSet.parse(rules), reopen=open_board)
        try:
            async with running(table):
                await table.started.wait()
                yield table
        finally:
            table.board.close()


def said(table: Table) -> list[str]:
    """Every sentence at the table so far."""
    return [str(notice.message) for notice in table.controller.notices.since(0)]


def recorded(path: Path) -> list[str]:
    """What the record of the last game says, an entry a text."""
    with Store(path) as store:
        return [f"{entry.kind.value} {entry.text}".strip() for entry in store.current()]


async def seen(lamps: SeenLamps, grid: tuple[str, ...], since: int = 0) -> None:
    """Wait until the lamps were to show these discs."""
    await until(lambda: grid in lamps.grids(since))


def in_time(story: object, limit_s: float = 120) -> None:
    """Run a story, and fail if it takes too long."""

    async def whole() -> None:
        async with asyncio.timeout(limit_s):
            await story()  # type: ignore[operator]

    asyncio.run(whole())
