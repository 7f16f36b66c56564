"""What is connected to which pin: every wire of a board from its layout, in the order in which people wire it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from popout.board.contacts import I2C_PINS, Level, Pull, crossing, expander_pin
from popout.board.layout import Layout
from popout.board.switches import numbered
from popout.rules.messages import N_, Message
from popout.wiring.pinout import EXPANDER, PINOUTS, Pin

Kind = Literal["switch", "row", "column", "interrupt", "data", "clock", "lamps", "led"]


@dataclass(frozen=True, slots=True)
class Connection:
    """One wire.

    :ivar name: what hangs on it: the name of a switch, else as a layout's messages call it (``matrix row 1``).
    :ivar kind: what that is. :ivar number: which of its kind, from 1; 0 if there is one only, or for a switch.
    :ivar pin: the pin as the layout writes it: ``GPIO5``, ``R1C2``, ``X1.A0``.
    :ivar chip: 0 for the computer, else the number of the expander.
    :ivar place: the pin on the header, edge or case; None for a crossing and where the driver's pins are not known.
    :ivar pull: the resistor that holds an open contact at its level, the controller's own.
    :ivar closed: the level at which the switch counts as closed, or the LED is lit; None for other wires.
    """

    name: str
    kind: Kind
    number: int
    pin: str
    chip: int = 0
    place: Pin | None = None
    pull: Pull = "none"
    closed: Level | None = None

    def told(self) -> Message:
        """What hangs on the wire, for people."""
        if self.kind in ("switch", "led"):
            name, column = numbered(self.name) or (self.name, 0)
            return Message(_ENDS[name], column=column)
        return Message(_LINES[self.kind], number=self.number)


_LINES = N_(
    {
        "row": "matrix row {number}",
        "column": "matrix column {number}",
        "interrupt": "interrupt of expander {number}",
        "data": "I2C data",
        "clock": "I2C clock",
        "lamps": "lamps' data",
    }
)
_ENDS = N_(
    {
        "column": "column {column}",
        "yellow column": "yellow column {column}",
        "drop sensor": "drop sensor {column}",
        "pop sensor": "pop sensor {column}",
        "bar": "bar",
        "menu": "menu",
        "take back": "take back",
        "anvil": "anvil",
        "bomb": "bomb",
        "wall": "wall",
        "x2": "x2",
        "red LED": "red LED",
        "yellow LED": "yellow LED",
    }
)


def connections(layout: Layout) -> tuple[Connection, ...]:
    """Every wire of the board: along the header or edge, then the crossings of the matrix, then each expander."""
    return tuple(sorted(_all(layout), key=_where))


def _all(layout: Layout) -> Iterator[Connection]:
    for switch, pin in layout.switches.items():
        yield _switch(layout, switch, pin)
    if layout.matrix is not None:
        for number, pin in enumerate(layout.matrix.rows, start=1):
            yield Connection(f"matrix row {number}", "row", number, pin, place=_place(layout, pin))
        for number, pin in enumerate(layout.matrix.columns, start=1):
            yield Connection(f"matrix column {number}", "column", number, pin, place=_place(layout, pin), pull="up")
    for number, expander in enumerate(layout.expanders, start=1):
        pin = expander.interrupt
        yield Connection(f"expander {number}", "interrupt", number, pin, place=_place(layout, pin))
    if layout.expanders and layout.driver == "gpio":
        data, clock = I2C_PINS
        yield Connection("I2C data", "data", 0, data, place=_place(layout, data), pull="up")
        yield Connection("I2C clock", "clock", 0, clock, place=_place(layout, clock), pull="up")
    if layout.chain is not None and layout.chain.pin:
        yield Connection("lamps", "lamps", 0, layout.chain.pin, place=_place(layout, layout.chain.pin))
    if layout.leds is not None:
        for name, pin in (("red LED", layout.leds.red), ("yellow LED", layout.leds.yellow)):
            yield Connection(name, "led", 0, pin, place=_place(layout, pin), closed=layout.leds.lit)


def _switch(layout: Layout, switch: str, pin: str) -> Connection:
    found = expander_pin(pin)
    if found is not None and layout.expanders:
        place = EXPANDER.pin(f"{found.port}{found.bit}")
        return Connection(switch, "switch", 0, pin, found.expander, place, layout.pull, layout.closed_level(switch))
    if crossing(pin) is not None and layout.matrix is not None:
        # A closed switch ties its column to the row that is driven low.
        closed: Level = "high" if switch in layout.inverted else "low"
        return Connection(switch, "switch", 0, pin, pull="none", closed=closed)
    closed = layout.closed_level(switch)
    return Connection(switch, "switch", 0, pin, place=_place(layout, pin), pull=layout.pull, closed=closed)


def _place(layout: Layout, pin: str) -> Pin | None:
    pinout = PINOUTS.get(layout.driver)
    return None if pinout is None else pinout.pin(pin)


def _where(connection: Connection) -> tuple[int, int, tuple[int, int], int]:
    """Pins of the computer by their places, then crossings, then the expanders by the places on their cases."""
    found = crossing(connection.pin) if connection.place is None else None
    group = connection.chip + 1 if connection.chip else int(found is not None)
    return group, connection.place.number if connection.place else 0, found or (0, 0), connection.number
