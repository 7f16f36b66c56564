"""What the firmware must know of a board: its pins and its lamps, made from the layout.

The firmware knows no rules and no places, so neither are in it: it numbers the switches and the lamps, and the host
knows what each of them is. Switches are numbered in the order of the layout, lamps in the order of their wire.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

from popout.board.contacts import Level, pin_number
from popout.board.driver import BoardError
from popout.board.layout import Layout
from popout.board.serial import DRIVER
from popout.board.switches import moved_by_a_disc, rests
from popout.rules.messages import Message

_DIGEST_DIGITS: Final = 8


class LayoutNotForPico(BoardError, ValueError):
    """The layout does not say which pins of a Pico the board is on."""

    code = "layout-not-for-pico"


def description(layout: Layout) -> dict[str, Any]:
    """What the firmware gets, of values that JSON has.

    ``digest``
        the fingerprint of what is wired, see `digest`.
    ``name``, ``title``
        of the layout.
    ``pull``
        the resistor of the Pico at every switch: ``up``, ``down`` or ``none``.
    ``switches``
        a list of objects: ``name``; ``pin``, a number; ``closed``, the level of the pin while the switch is closed, 0
        or 1; ``rests``, whether it stays as it is put, as the bar does; ``disc``, whether a disc moves it, and no hand.
    ``lamps``
        the chain, or null: ``pin``; ``count``; ``order``, such as ``grb``; ``brightness``, the cap, 0 to 1;
        ``milliamps``, what the supply gives; ``channel_milliamps`` for a colour at full light, ``idle_milliamps`` for a
        dark lamp.
    ``leds``
        the turn lamps as plain LEDs, or null: the pins ``red`` and ``yellow``, and ``lit``, the level that lights them.
    ``picture``
        how many lamps a picture on the link has: those of the chain, then, if there are plain LEDs, the red and the
        yellow one.

    :raises LayoutNotForPico: its pins are not those of a Pico, or it has none.
    """
    told = _described(layout)
    return {"digest": _digest(told), **told}


def digest(layout: Layout) -> str:
    """The fingerprint of a board's description, 8 hexadecimal digits: equal ones have the same pins and lamps.

    :raises LayoutNotForPico: as `description` does.
    """
    return _digest(_described(layout))


def canonical(told: dict[str, Any]) -> bytes:
    """A description as the JSON that is written into the firmware: equal descriptions are equal bytes."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def _digest(told: dict[str, Any]) -> str:
    # A board that is called something else is wired as before.
    wired = {key: value for key, value in told.items() if key not in ("name", "title")}
    return hashlib.sha256(canonical(wired)).hexdigest()[:_DIGEST_DIGITS]


def _described(layout: Layout) -> dict[str, Any]:
    _check(layout)
    chain, leds = layout.chain, layout.leds
    lamps = None
    if chain is not None:
        lamps = {
            "pin": pin_number(chain.pin),
            "count": len(layout.places),
            "order": chain.order,
            "brightness": _plain(layout.brightness),
            "milliamps": _plain(layout.milliamps),
            "channel_milliamps": _plain(layout.channel_milliamps),
            "idle_milliamps": _plain(layout.idle_milliamps),
        }
    return {
        "name": layout.name,
        "title": layout.title,
        "pull": layout.pull,
        "switches": [
            {
                "name": switch,
                "pin": pin_number(pin),
                "closed": _bit(layout.closed_level(switch)),
                "rests": rests(switch),
                "disc": moved_by_a_disc(switch, layout.actuation),
            }
            for switch, pin in layout.switches.items()
        ],
        "lamps": lamps,
        "leds": leds and {"red": pin_number(leds.red), "yellow": pin_number(leds.yellow), "lit": _bit(leds.lit)},
        "picture": len(layout.places) + (2 if leds else 0),
    }


def _check(layout: Layout) -> None:
    if layout.driver == DRIVER:
        return  # a layout file that says so was refused if a pin is not there
    if layout.driver:
        raise LayoutNotForPico(
            Message(
                "The layout “{layout}” is for the driver “{driver}”, whose pins a Pico does not have. Choose a layout "
                "for the driver “serial”, such as 7x6-pico.",
                layout=layout.name,
                driver=layout.driver,
            )
        )
    raise LayoutNotForPico(
        Message(
            "The layout “{layout}” does not say which pins of a Pico its switches and lamps are on. Choose a layout "
            "for the driver “serial”, such as 7x6-pico.",
            layout=layout.name,
        )
    )


def _bit(level: Level) -> int:
    return int(level == "high")


def _plain(value: float) -> float:
    """Whole numbers as such: 400 mA are the same whether a file says 400 or 400.0."""
    return int(value) if value == int(value) else value
