"""The picture of a header or a case: its pins in two rows, and what hangs on each drawn beside it.

This module is imported only where a picture is drawn, see `popout.wiring.sheet`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from popout.wiring.pinout import GROUND, SUPPLY_3V3, Pin, Pinout
from popout.wiring.sheet import BLACK, GREY, LABEL, SMALL, TITLE, Sheet, text_width

_PITCH = 0.75
_BODY = 4.6
_TO_SYMBOL, _TO_BUS, _TO_LABEL = 0.5, 2.7, 2.95
_HEAD = 1.6
_FOOT = 1.3
_TO_END = 0.4

Symbol = Literal["button", "lever", "beam"]


@dataclass(frozen=True, slots=True)
class Contact:
    """A switch between the pin and the bus of its side; `closed` if it is that at rest."""

    label: str
    symbol: Symbol
    closed: bool


@dataclass(frozen=True, slots=True)
class Led:
    """An LED with its resistor between the pin and `end`; the current flows out of the pin, or into it."""

    label: str
    end: str
    outwards: bool


@dataclass(frozen=True, slots=True)
class Net:
    """A wire to elsewhere on the sheet, or to a supply. `label` says what it is; `flag` is its name on the sheet."""

    label: str
    flag: str


Ending = Contact | Led | Net


@dataclass(frozen=True)
class ChipPicture:
    """A chip with what hangs on its pins.

    :ivar endings: by the number of the pin. :ivar bus: what the contacts close to, ``GND`` or ``3V3``.
    :ivar mark: what tells its upper end: a socket, a notch, or nothing.
    """

    title: str
    subtitle: str
    pinout: Pinout
    endings: Mapping[int, Ending]
    bus: str
    mark: Literal["socket", "notch", ""] = ""

    @property
    def width(self) -> float:
        """From the longest label at the left to the longest at the right, in units."""
        sides = self._label_width(self.pinout.left) + self._label_width(self.pinout.right) + 2 * _TO_LABEL + _BODY
        return max(sides, text_width(self.title, TITLE), text_width(self.subtitle))

    @property
    def height(self) -> float:
        """With the title and the ground below, in units."""
        return _HEAD + len(self.pinout.left) * _PITCH + _FOOT

    def draw(self, sheet: Sheet, x: float, y: float) -> None:
        """Draw it with its upper left corner there."""
        edge = x + self._label_width(self.pinout.left) + _TO_LABEL
        sheet.text((x, y - 0.25), self.title, size=TITLE)
        sheet.text((x, y - 0.8), self.subtitle, colour=GREY)
        top = y - _HEAD
        sheet.box((edge, top), (edge + _BODY, top - len(self.pinout.left) * _PITCH), fill="#f4f4f0", width=1.8)
        middle = edge + _BODY / 2
        if self.mark == "socket":
            sheet.box((middle - 0.6, top + 0.3), (middle + 0.6, top - 0.35), fill="#cccccc")
            sheet.text((middle, top), "USB", align="center", size=SMALL)
        elif self.mark == "notch":
            sheet.polygon(((middle - 0.3, top), (middle, top - 0.3), (middle + 0.3, top)), fill="#cccccc")
        self._side(sheet, self.pinout.left, edge, -1, top)
        self._side(sheet, self.pinout.right, edge + _BODY, 1, top)

    def _side(self, sheet: Sheet, pins: Sequence[Pin], edge: float, side: Literal[-1, 1], top: float) -> None:
        bus = edge + side * _TO_BUS
        heights = {pin.number: top - (row + 0.5) * _PITCH for row, pin in enumerate(pins)}
        on_bus = [pin for pin in pins if self._on_the_bus(pin)]
        joined = self._rails(pins, on_bus)
        for pin in pins:
            at = heights[pin.number]
            self._name(sheet, pin, edge, side, at, used=pin.number in self.endings or pin in joined)
            if pin in joined:
                sheet.line((edge, at), (bus, at))
                sheet.dot((bus, at))
            elif (ending := self.endings.get(pin.number)) is not None:
                self._ending(sheet, ending, edge, side, at)
                if pin in on_bus:
                    sheet.dot((bus, at))
        if on_bus:
            ends = [heights[pin.number] for pin in (*on_bus, *joined)]
            bottom = self._free_end(pins, heights, min(ends)) - _TO_END
            sheet.line((bus, max(ends)), (bus, bottom), width=1.8)
            if self.bus == GROUND:
                sheet.ground((bus, bottom))
            else:
                sheet.text((bus, bottom - 0.3), "3.3 V", align="center", size=SMALL)

    def _free_end(self, pins: Sequence[Pin], heights: Mapping[int, float], lowest: float) -> float:
        """The height below `lowest` from which the sign of the bus reaches no label of a pin further down."""
        for pin in pins:
            ending = self.endings.get(pin.number)
            if ending is not None and ending.label and 0 < lowest - heights[pin.number] < 2 * _PITCH:
                lowest = heights[pin.number]
        return lowest

    def _on_the_bus(self, pin: Pin) -> bool:
        ending = self.endings.get(pin.number)
        return isinstance(ending, Contact) or (isinstance(ending, Led) and ending.end == self.bus)

    def _rails(self, pins: Sequence[Pin], on_bus: Sequence[Pin]) -> list[Pin]:
        """The pins of the bus' own level that it passes, or the nearest one."""
        rails = [pin for pin in pins if pin.name == self.bus and pin.number not in self.endings]
        if not on_bus or not rails:
            return []
        rows = [pins.index(pin) for pin in on_bus]
        passed = [pin for pin in rails if min(rows) <= pins.index(pin) <= max(rows)]
        nearest = min(rails, key=lambda pin: min(abs(pins.index(pin) - row) for row in rows))
        return passed or [nearest]

    def _name(self, sheet: Sheet, pin: Pin, edge: float, side: Literal[-1, 1], at: float, *, used: bool) -> None:
        """The pin's number and name inside the body; those that are used stand out."""
        inside = -side
        colour = BLACK if used else GREY
        align: Literal["left", "right"] = "left" if side < 0 else "right"
        sheet.text((edge + inside * 0.12, at), str(pin.number), align=align, size=SMALL, colour=GREY)
        sheet.text((edge + inside * 0.62, at), pin.name, align=align, size=LABEL, colour=colour)

    def _ending(self, sheet: Sheet, ending: Ending, edge: float, side: Literal[-1, 1], at: float) -> None:
        start, bus = edge + side * _TO_SYMBOL, edge + side * _TO_BUS
        match ending:
            case Contact(symbol=symbol, closed=closed):
                inner, outer = start, bus - side * 0.5
                left, right = sorted((inner, outer))
                sheet.line((edge, at), (inner, at))
                sheet.line((outer, at), (bus, at))
                if symbol == "beam":
                    sheet.box((left, at + 0.22), (right, at - 0.22))
                    sheet.text(((left + right) / 2, at), "IR", align="center", size=SMALL)
                else:
                    (sheet.button if symbol == "button" else sheet.lever)((left, at), (right, at), closed=closed)
            case Led(end=end, outwards=outwards):
                middle, outer = edge + side * 1.35, edge + side * 2.25
                sheet.resistor((edge, at), (middle, at))
                ends = ((middle, at), (outer, at))
                sheet.led(*(ends if outwards else ends[::-1]))
                if end == self.bus:
                    sheet.line((outer, at), (bus, at))
                else:
                    name = "3.3 V" if end == SUPPLY_3V3 else end
                    sheet.text((outer + side * 0.1, at), name, align="right" if side < 0 else "left", size=SMALL)
            case Net(flag=flag):
                sheet.line((edge, at), (start, at))
                sheet.flag((start, at), flag, to_the_left=side < 0)
        align: Literal["left", "right"] = "right" if side < 0 else "left"
        sheet.text((edge + side * _TO_LABEL, at), ending.label, align=align)

    def _label_width(self, pins: Sequence[Pin]) -> float:
        endings = [self.endings[pin.number] for pin in pins if pin.number in self.endings]
        return max((text_width(ending.label) for ending in endings), default=0.0)
