"""The chain of lamps: which lamps a board has, and in which order one data line visits them.

The lamps are WS2812 or alike, one behind the other on a single data pin. The chain is described by its parts in the
order of the wire (`CellLamps`, `ColumnLamps`, `TurnLamps`); from that come the places of all lamps, and from a
frame the colours to send. These classes are also the form of the ``[lamps]`` table of a layout file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec

from popout.board.frame import Colour, Frame

Kind = Literal["cells", "columns", "turns"]
Corner = Literal["bottom left", "bottom right", "top left", "top right"]
Order = Literal["rgb", "grb", "rgbw", "grbw"]
Route = Literal["auto", "spi", "pwm", "pio"]


class CellPlace(NamedTuple):
    """The lamp behind one cell; column and row count from 1, row 1 is the bottom."""

    column: int
    row: int


class ColumnPlace(NamedTuple):
    """The lamp at the button of one column, from 1."""

    column: int


class TurnPlace(NamedTuple):
    """The turn lamp of one side."""

    side: Literal["red", "yellow"]


Place = CellPlace | ColumnPlace | TurnPlace


class CellLamps(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="cells"):
    """A lamp behind every cell.

    :ivar start: the corner of the first lamp.
    :ivar along: whether the wire runs along a column or along a row before it goes on to the next.
    :ivar serpentine: True if every second run goes back the other way; False if each starts at the same edge.
    """

    start: Corner
    along: Literal["column", "row"]
    serpentine: bool

    def places(self, columns: int, rows: int) -> Iterator[Place]:
        """The cells in the order of the wire."""
        across = _one_way(columns, backwards=self.start.endswith("right"))
        upward = _one_way(rows, backwards=self.start.startswith("top"))
        outer, inner = (across, upward) if self.along == "column" else (upward, across)
        for number, run in enumerate(outer):
            turned = self.serpentine and number % 2 == 1
            for step in reversed(inner) if turned else inner:
                yield CellPlace(run, step) if self.along == "column" else CellPlace(step, run)


class ColumnLamps(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="columns"
):
    """A lamp at the button of every column; `start` is the side of the first one."""

    start: Literal["left", "right"]

    def places(self, columns: int, rows: int) -> Iterator[Place]:  # noqa: ARG002 - as the other parts
        """The columns in the order of the wire."""
        return (ColumnPlace(column) for column in _one_way(columns, backwards=self.start == "right"))


class TurnLamps(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="turns"):
    """The two turn lamps; `start` is the side whose lamp comes first."""

    start: Literal["red", "yellow"]

    def places(self, columns: int, rows: int) -> Iterator[Place]:  # noqa: ARG002 - as the other parts
        """The two sides in the order of the wire."""
        return iter((TurnPlace("red"), TurnPlace("yellow"))[:: 1 if self.start == "red" else -1])


class Chain(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The lamps of a board on their data line.

    :ivar pin: the pin of the data line, empty for a simulated board.
    :ivar order: the order in which a lamp takes its colours: ``grb`` for a WS2812, ``grbw`` for one with white too.
    :ivar parts: the kinds of lamps in the order of the wire, each at most once.
    :ivar route: how a Raspberry Pi sends the data: by its SPI, by PWM, by the PIO of a Pi 5, or as suits it.
    """

    pin: str
    order: Order
    parts: tuple[CellLamps | ColumnLamps | TurnLamps, ...]
    route: Route = "auto"

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of lamps, in the order of the wire."""
        names: dict[type, Kind] = {CellLamps: "cells", ColumnLamps: "columns", TurnLamps: "turns"}
        return tuple(names[type(part)] for part in self.parts)

    def places(self, columns: int, rows: int) -> tuple[Place, ...]:
        """Where each lamp of the chain is, on a board of this size; the first is the one next to the pin."""
        return tuple(place for part in self.parts for place in part.places(columns, rows))


def light(frame: Frame, place: Place) -> Colour:
    """What the lamp at `place` shows in `frame`."""
    match place:
        case CellPlace(column, row):
            return frame.cells[column - 1][row - 1]
        case ColumnPlace(column):
            return frame.columns[column - 1]
        case TurnPlace(side):
            return frame.turns[0 if side == "red" else 1]


def _one_way(count: int, *, backwards: bool) -> range:
    return range(count, 0, -1) if backwards else range(1, count + 1)
