"""What somebody wants of a board: the answers from which its pins are planned and its layout file is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from popout.board.chain import CellLamps, CellPlace, Chain, ColumnLamps, Corner, TurnLamps
from popout.board.switches import (
    BAR,
    MENU,
    POWERS,
    TAKE_BACK,
    column_switch,
    drop_sensor,
    pop_sensor,
    second_row_switch,
)
from popout.wiring.pinout import Computer

LampChoice = Literal["none", "turns", "columns", "cells"]
WiringChoice = Literal["auto", "pins", "matrix", "expanders"]

EXTRAS = ("pop_beams", "drop_beams", "second_row", "powers", "take_back", "menu")
"""The fields of `Wishes` that add switches, those first that can be given up most easily."""

# The lamps that a USB cable, or the Pi itself, feeds besides the computer: they are seldom all white at once.
_LAMPS_ON_THE_PI = 8
_LAMPS_ON_A_CABLE = 64
_AMPERES_OF_THE_COMPUTER = 0.4
_AMPERES_A_LAMP = 0.04


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """The answers.

    :ivar computer: a Raspberry Pi with its own pins, or a Pico on a USB cable.
    :ivar lamps: ``none``; ``turns``, two plain LEDs; ``columns``, a chain of column and turn lamps; ``cells``, a chain
        with a lamp behind every cell too.
    :ivar start: the corner of the first lamp. :ivar along: where the wire runs first.
    :ivar serpentine: whether every second run goes back the other way.
    :ivar amperes: what the supply can give to the lamps; None for what suits their number.
    :ivar wiring: how the switches are wired; ``auto`` for one pin each if there are enough.
    """

    title: str = ""
    columns: int = 7
    rows: int = 6
    computer: Computer = "pi"
    actuation: Literal["button", "disc"] = "button"
    lamps: LampChoice = "cells"
    start: Corner = "bottom left"
    along: Literal["column", "row"] = "column"
    serpentine: bool = True
    menu: bool = True
    take_back: bool = True
    powers: bool = False
    second_row: bool = False
    drop_beams: bool = False
    pop_beams: bool = False
    amperes: float | None = None
    wiring: WiringChoice = "auto"

    @property
    def chained(self) -> bool:
        """Whether there is a chain of lamps, and so a data line and a supply."""
        return self.lamps in ("columns", "cells")

    def chain(self, pin: str) -> Chain | None:
        """The lamps on their data line; None if there is none.

        The columns follow on where the cells end, and the turn lamp of the side at which they arrive: red's is at the
        left, yellow's at the right. Without cells the wire begins at the right, so that red's comes first.
        """
        if not self.chained:
            return None
        if self.lamps == "columns":
            return Chain(pin=pin, order="grb", parts=(ColumnLamps(start="right"), TurnLamps(start="red")))
        cells = CellLamps(start=self.start, along=self.along, serpentine=self.serpentine)
        *_, last = cells.places(self.columns, self.rows)
        if isinstance(last, CellPlace) and 2 * last.column > self.columns:
            return Chain(pin=pin, order="grb", parts=(cells, ColumnLamps(start="right"), TurnLamps(start="red")))
        return Chain(pin=pin, order="grb", parts=(cells, ColumnLamps(start="left"), TurnLamps(start="yellow")))

    def lamp_count(self) -> int:
        """How many lamps the chain has."""
        chain = self.chain("")
        return 0 if chain is None else len(chain.places(self.columns, self.rows))

    def suitable_amperes(self) -> float:
        """What the supply of the lamps should give: so much that a lit board is bright, and full white dimmed."""
        lamps = self.lamp_count()
        if lamps <= (_LAMPS_ON_THE_PI if self.computer == "pi" else _LAMPS_ON_A_CABLE):
            return _AMPERES_OF_THE_COMPUTER
        return float(max(1, round(lamps * _AMPERES_A_LAMP)))

    def extras(self) -> tuple[str, ...]:
        """Those of `EXTRAS` that are wanted."""
        return tuple(extra for extra in EXTRAS if getattr(self, extra))

    def without(self, extra: str) -> Self:
        """The same, with one of `EXTRAS` given up."""
        given_up: dict[str, Any] = {extra: False}
        return replace(self, **given_up)

    def buttons(self) -> tuple[str, ...]:
        """The names of the switches that hands and discs close."""
        return (*self.rows_of_buttons(), *self.single_switches())

    def rows_of_buttons(self) -> Iterator[str]:
        """The names of the buttons or levers of the columns."""
        yield from map(column_switch, self._each_column())
        if self.second_row:
            yield from map(second_row_switch, self._each_column())

    def single_switches(self) -> Iterator[str]:
        """The names of the switches of which there is one."""
        yield BAR
        if self.menu:
            yield MENU
        if self.take_back:
            yield TAKE_BACK
        if self.powers:
            yield from POWERS

    def beams(self) -> Iterator[str]:
        """The names of the light beams."""
        if self.drop_beams:
            yield from map(drop_sensor, self._each_column())
        if self.pop_beams:
            yield from map(pop_sensor, self._each_column())

    def _each_column(self) -> range:
        return range(1, self.columns + 1)
