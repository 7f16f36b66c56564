"""How switches and plain LEDs are wired: the pins that a layout may name, and what lies between them and a contact.

A switch hangs on a pin of its own (``GPIO5``, ``GP5``), at a crossing of a matrix (``R1C2``), or on an expander
(``X1.A0``: the first one, port A, bit 0). The classes are also the form of the tables of a layout file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

import msgspec

PINS: Mapping[str, tuple[str, ...]] = {
    # GPIO0 and GPIO1 belong to the chip that identifies a HAT.
    "gpio": tuple(f"GPIO{number}" for number in range(2, 28)),
    # A Pico uses GP23 to GP25 itself and does not bring them out.
    "serial": tuple(f"GP{number}" for number in range(29) if number not in (23, 24, 25)),
}
"""The pins of its own that a layout for this driver may use."""

I2C_PINS: Final = ("GPIO2", "GPIO3")
"""Data and clock of the bus on which expanders hang."""

SPI_PINS: Final = ("GPIO7", "GPIO8", "GPIO9", "GPIO10", "GPIO11")
"""The bus that lights lamps on GPIO10: the kernel has all of these pins while it is on."""

PWM_PINS: Final = ("GPIO12", "GPIO13", "GPIO18", "GPIO19")
"""The pins at which a Pi can make pulses by itself."""

Level = Literal["low", "high"]
Pull = Literal["up", "down", "none"]


class Matrix(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Switches between lines, where there are more of them than pins.

    :ivar rows: the pins that are driven one after the other.
    :ivar columns: the pins that are read.
    :ivar diodes: whether each switch has one, from its column to its row; without them, three closed switches can look
        like four.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    diodes: bool = True


class Expander(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An MCP23017 on the I2C bus, which gives 16 more pins.

    :ivar address: its address on the bus, 0x20 to 0x27.
    :ivar interrupt: the pin of the Pi to which it tells that something changed.
    """

    address: int
    interrupt: str


class Leds(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The two turn lamps as plain LEDs, each on a pin of its own.

    :ivar lit: the level at which they light.
    """

    red: str
    yellow: str
    lit: Level = "high"


class Crossing(NamedTuple):
    """A place in the matrix; rows and columns of it count from 1."""

    row: int
    column: int


class ExpanderPin(NamedTuple):
    """A pin of an expander; expanders count from 1, bits from 0 to 7."""

    expander: int
    port: Literal["A", "B"]
    bit: int


def pin_number(pin: str) -> int:
    """The number in the name of a pin of the Pi or the Pico itself: 5 for ``GPIO5``.

    :raises ValueError: it is no such pin.
    """
    found = re.fullmatch(r"GP(?:IO)?(\d{1,2})", pin)
    if found is None:
        raise ValueError(f"{pin} is no pin of a Raspberry Pi or a Pico itself")
    return int(found[1])


def crossing(pin: str) -> Crossing | None:
    """The crossing that is meant by ``R1C2``; None if another kind of pin is."""
    found = re.fullmatch(r"R([1-9]\d?)C([1-9]\d?)", pin)
    return Crossing(int(found[1]), int(found[2])) if found else None


def expander_pin(pin: str) -> ExpanderPin | None:
    """The expander's pin that is meant by ``X1.A0``; None if another kind of pin is."""
    found = re.fullmatch(r"X([1-9])\.([AB])([0-7])", pin)
    return ExpanderPin(int(found[1]), "A" if found[2] == "A" else "B", int(found[3])) if found else None


def other(level: Level) -> Level:
    """The other level."""
    return "high" if level == "low" else "low"
