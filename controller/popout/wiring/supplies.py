"""What carries a level and no signal: what contacts close to, the fixed legs of an expander, and what feeds what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from popout.board.contacts import Level
from popout.board.layout import Layout
from popout.rules.messages import Message
from popout.wiring.pinout import GROUND, PINOUTS, SUPPLY_3V3, SUPPLY_5V

FROM_THE_COMPUTER: Final = 500
"""Milliamps that the 5 V pins of the computer can give besides the computer itself."""

HIGH: Final = "3.3 V"
"""As people read it; on a header the pins are called `SUPPLY_3V3`."""


def rail(layout: Layout) -> str:
    """The pin to which a contact connects its own: ``GND`` or ``3V3``. Crossings of a matrix aside."""
    conducting: Level = {"up": "low", "down": "high", "none": layout.closed}[layout.pull]  # type: ignore[assignment]
    return GROUND if conducting == "low" else SUPPLY_3V3


def fed_by_the_computer(layout: Layout) -> bool:
    """Whether the lamps need so little that the computer's own 5 V feed them."""
    return layout.chain is not None and layout.milliamps <= FROM_THE_COMPUTER


def feeds(layout: Layout) -> Mapping[int, Message]:
    """The pins of the computer that feed something, by their numbers, with what that is."""
    pinout = PINOUTS.get(layout.driver)
    if pinout is None:
        return {}
    found = {}
    if layout.expanders and (pin := pinout.pin(SUPPLY_3V3)) is not None:
        found[pin.number] = Message("the expanders' supply")
    if fed_by_the_computer(layout) and (pin := pinout.pin(*SUPPLY_5V)) is not None:
        found[pin.number] = Message("the lamps' supply")
    return found


def fixed_legs(address: int) -> Mapping[str, str]:
    """The legs of an expander that are tied to its supply, by their names, each with ``3.3 V`` or ``GND``."""
    bits = {f"ADDR{bit}": HIGH if address >> bit & 1 else GROUND for bit in range(3)}
    return {"VDD": HIGH, "VSS": GROUND, "RESET": HIGH, **bits}
