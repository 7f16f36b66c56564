"""The pictures of the lamps: how the chain is fed and driven, and how its wire runs over the board.

This module is imported only where a picture is drawn, see `popout.wiring.sheet`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot

from popout.board.chain import CellPlace, ColumnPlace, Place, TurnPlace
from popout.wiring.sheet import BLUE, GREY, SMALL, TITLE, Sheet, text_width

_TINY = 6.0
_WIRE = "#9cc4e8"


@dataclass(frozen=True)
class ChainCircuit:
    """The supply, the capacitor, the level shifter, the resistor, and the first and last lamps of the chain.

    :ivar supply: two lines about what feeds the lamps. :ivar flag: the net of the data at the computer.
    :ivar ground: what else must be joined to this ground.
    """

    title: str
    subtitle: str
    lamps: int
    supply: tuple[str, str]
    flag: str
    ground: str

    width: float = 25.0
    height: float = 8.0

    def draw(self, sheet: Sheet, x: float, y: float) -> None:
        """Draw it with its upper left corner there."""
        sheet.text((x, y - 0.25), self.title, size=TITLE)
        sheet.text((x, y - 0.8), self.subtitle, colour=GREY)
        plus, minus, data = y - 1.8, y - 6.4, y - 4.1
        last = self._lamps(sheet, x + 15.6, plus, minus, data)
        sheet.line((x + 2.0, plus), (last, plus), width=1.8)
        sheet.line((x + 2.0, minus), (last, minus), width=1.8)
        self._supply(sheet, x, plus, minus)
        sheet.capacitor((x + 5.2, plus), (x + 5.2, minus))
        sheet.dot((x + 5.2, plus))
        sheet.dot((x + 5.2, minus))
        sheet.text((x + 5.75, data), "1000 µF", size=SMALL)
        self._shifter(sheet, x + 9.4, plus, minus, data)
        sheet.resistor((x + 12.2, data), (x + 15.6, data))
        sheet.text((x + 13.9, data + 0.5), "330–470 Ω", align="center", size=SMALL)

    def _supply(self, sheet: Sheet, x: float, plus: float, minus: float) -> None:
        middle = (plus + minus) / 2
        sheet.box((x + 0.1, middle + 0.75), (x + 3.9, middle - 0.75), fill="#f4f4f0")
        for number, line in enumerate(self.supply):
            sheet.text((x + 2.0, middle + 0.25 - 0.5 * number), line, align="center", size=SMALL)
        sheet.line((x + 2.0, middle + 0.75), (x + 2.0, plus))
        sheet.text((x + 2.2, middle + 1.0), "+", size=SMALL)
        sheet.line((x + 2.0, middle - 0.75), (x + 2.0, minus))
        sheet.text((x + 2.2, middle - 1.0), "–", size=SMALL)
        sheet.text((x + 2.2, plus + 0.25), "5 V", size=SMALL)
        sheet.ground((x + 3.0, minus))
        sheet.dot((x + 3.0, minus))
        sheet.text((x + 3.6, minus - 0.7), self.ground, size=SMALL)

    def _shifter(self, sheet: Sheet, x: float, plus: float, minus: float, data: float) -> None:
        """The level shifter, whose numbers of legs are those of its case with 14."""
        sheet.box((x, data + 0.9), (x + 2.8, data - 0.9), fill="#f4f4f0", width=1.8)
        sheet.text((x + 1.4, data + 0.5), "74AHCT125", align="center", size=SMALL)
        sheet.text((x + 0.12, data), "2 (1A)", size=SMALL)
        sheet.text((x + 2.68, data), "3 (1Y)", align="right", size=SMALL)
        width = text_width(self.flag, SMALL) + 0.5
        sheet.flag((x - 0.4 - width, data), self.flag, to_the_left=False)
        sheet.line((x - 0.4, data), (x, data))
        for at, leg, rail, edge in (
            (1.4, "14 (VCC)", plus, 0.9),
            (0.7, "1 (1OE)", minus, -0.9),
            (2.1, "7 (GND)", minus, -0.9),
        ):
            sheet.line((x + at, data + edge), (x + at, rail))
            sheet.dot((x + at, rail))
            beside = -1 if at == 0.7 else 1
            sheet.text(
                (x + at + beside * 0.12, data + edge * 1.4), leg, align="right" if beside < 0 else "left", size=SMALL
            )

    def _lamps(self, sheet: Sheet, x: float, plus: float, minus: float, data: float) -> float:
        """The lamps from `x` on; returns where the last one is fed."""
        shown = [1, 2, self.lamps] if self.lamps > 2 else list(range(1, self.lamps + 1))
        fed = x
        for place, number in enumerate(shown):
            left = x + 3.0 * place
            fed = left + 1.1
            sheet.box((left, data + 0.9), (left + 2.2, data - 0.9), fill="#fffbe6", width=1.8)
            sheet.text((fed, data + 0.5), str(number), align="center")
            sheet.text((left + 0.1, data), "DIN", size=_TINY)
            sheet.line((fed, data + 0.9), (fed, plus))
            sheet.line((fed, data - 0.9), (fed, minus))
            sheet.dot((fed, plus))
            sheet.dot((fed, minus))
            if number == self.lamps:
                break
            sheet.text((left + 2.1, data), "DOUT", align="right", size=_TINY)
            if shown[place + 1] == number + 1:
                sheet.line((left + 2.2, data), (left + 3.0, data))
            else:
                sheet.text((left + 2.6, data), "…", align="center")
        return fed


@dataclass(frozen=True)
class ChainMap:
    """The lamps where they are on the board, from the front, with their numbers along the wire."""

    title: str
    subtitle: str
    places: Sequence[Place]
    columns: int
    rows: int
    turns: tuple[str, str]

    _PITCH = 0.9
    _HALF = 0.31
    _HEAD = 1.4
    _FAR = 2.1

    @property
    def width(self) -> float:
        """In units."""
        return max(self.columns * self._PITCH, text_width(self.title, TITLE), text_width(self.subtitle), 8.0)

    @property
    def height(self) -> float:
        """In units."""
        return self._HEAD + self._lines * self._PITCH

    @property
    def _cells(self) -> bool:
        return any(isinstance(place, CellPlace) for place in self.places)

    @property
    def _lines(self) -> float:
        """How many rows of lamps there are, with the gaps before the buttons and the turn lamps."""
        return (self.rows if self._cells else 0) + 1.4 + 1.8

    def draw(self, sheet: Sheet, x: float, y: float) -> None:
        """Draw it with its upper left corner there."""
        sheet.text((x, y - 0.25), self.title, size=TITLE)
        sheet.text((x, y - 0.8), self.subtitle, colour=GREY)
        points = [(x + across, y - self._HEAD - down) for across, down in map(self._where, self.places)]
        for one, other in pairwise(points):
            if hypot(other[0] - one[0], other[1] - one[1]) > self._FAR * self._PITCH:
                sheet.line(one, other, colour=_WIRE, width=1.0, dashed=True)  # mostly behind other lamps
            else:
                sheet.line(one, other, colour=_WIRE, width=3.0)
        for number, ((at_x, at_y), place) in enumerate(zip(points, self.places, strict=True), start=1):
            first = number == 1
            sheet.box(
                (at_x - self._HALF, at_y + self._HALF),
                (at_x + self._HALF, at_y - self._HALF),
                fill="#d7e9f7" if first else "white",
                colour=BLUE if first else GREY,
                width=1.8 if first else 0.8,
            )
            sheet.text((at_x, at_y), str(number), align="center", size=_TINY if number > 99 else SMALL)
            if isinstance(place, TurnPlace):
                label = self.turns[0 if place.side == "red" else 1]
                sheet.text((at_x, at_y - 0.55), label, align="center", size=SMALL)

    def _where(self, place: Place) -> tuple[float, float]:
        """The place of a lamp, to the right and down from the upper left corner of the map."""
        middle = self._PITCH / 2
        match place:
            case CellPlace(column, row):
                return (column - 0.5) * self._PITCH, (self.rows - row) * self._PITCH + middle
            case ColumnPlace(column):
                return (column - 0.5) * self._PITCH, (self._lines - 2.8) * self._PITCH + middle
            case TurnPlace(side):
                across = 0 if side == "red" else max(2, self.columns - 1)
                return middle + across * self._PITCH, (self._lines - 1.4) * self._PITCH + middle
