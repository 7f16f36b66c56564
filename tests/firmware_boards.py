"""Boards for the tests of the firmware: a shipped one, and small ones that are put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from firmware_on_unix import Firmware
from popout.board.layout import Layout
from popout.board.serial.description import description

TOLD = description(Layout.load("7x6-pico"))
LAMPS = TOLD["picture"]
PINS = [switch["pin"] for switch in TOLD["switches"]]
BAR = next(place for place, switch in enumerate(TOLD["switches"]) if switch["rests"])
OPEN = (1 << 30) - 1
"""The levels of all pins while every switch is open."""
DARK = bytes(3 * LAMPS)

Start = Callable[..., Firmware]


def closed(*switches: int) -> int:
    """The levels of the pins while these switches are closed."""
    return OPEN & ~sum(1 << PINS[switch] for switch in switches)


def grb(*colours: int) -> bytes:
    """Colours as they go over the wire."""
    return b"".join(bytes((colour >> 8 & 255, colour >> 16, colour & 255)) for colour in colours)


def board_of(**changed: Any) -> dict[str, Any]:
    """A small board: a button on pin 2, and what is asked for."""
    button = {"name": "column 1", "pin": 2, "closed": 0, "rests": False, "disc": False}
    small = {"name": "small", "title": "Small", "pull": "up", "switches": [button], "lamps": None, "leds": None}
    return {"digest": "01234567", "picture": 0, **small, **changed}


def chain(**changed: Any) -> dict[str, Any]:
    told = {"pin": 16, "count": 2, "order": "grb", "brightness": 1, "milliamps": 400}
    return {**told, "channel_milliamps": 20, "idle_milliamps": 1, **changed}
