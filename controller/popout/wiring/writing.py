"""Writing the layout file of a planned board, every key with a comment in it."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence

from popout.board.switches import BAR, MENU, POWERS, TAKE_BACK, numbered
from popout.wiring.pinout import PI, PICO, Pinout
from popout.wiring.plan import Plan

_WIDTH = 120
_COMMENTS_FROM = 25
_SINGLES = {BAR: "bar", MENU: "menu", TAKE_BACK: "take_back", **{power: power for power in POWERS}}
_LISTS = {
    "column": ("columns", ""),
    "yellow column": (
        "yellow_columns",
        "The second row of buttons, for yellow, in the same order as columns also where yellow sits on the other side.",
    ),
    "drop sensor": (
        "drop_sensors",
        "The beams under the slots, in the same order: the receiver closes its pin while a disc is in it.",
    ),
    "pop sensor": ("pop_sensors", "The beams under the bar, in the same order."),
}


def layout_text(plan: Plan) -> str:
    """The layout file as text: TOML, with the keys explained."""
    return "\n".join(_lines(plan)) + "\n"


def _lines(plan: Plan) -> Iterator[str]:
    wishes = plan.wishes
    pi = wishes.computer == "pi"
    yield from _comment(_introduction(plan))
    yield ""
    yield f"title = {json.dumps(wishes.title, ensure_ascii=False)}"
    driver = "gpio" if pi else "serial"
    yield _explained(f'driver = "{driver}"', 'whose pins these are: "gpio" a Raspberry Pi, "serial" a Pico')
    yield _explained(
        f"columns = {wishes.columns}", "the playable grid, 1 to 32; flanks that are never played do not count"
    )
    yield f"rows = {wishes.rows}"
    yield _explained(
        f'actuation = "{wishes.actuation}"',
        '"button": pressed after the disc was dropped; "disc": a lever that the disc itself trips',
    )
    yield ""
    yield from _switches(plan, PI if pi else PICO)
    if plan.matrix is not None:
        yield from _matrix(plan)
    for number, expander in enumerate(plan.expanders, start=1):
        yield ""
        yield from _comment(f"MCP23017 number {number}, whose pins are X{number}.A0 to A6 and B0 to B6.")
        yield "[[expanders]]"
        yield _explained(f"address = 0x{expander.address:02x}", f"its legs A2, A1, A0 at {_levels(expander.address)}")
        yield _explained(f'interrupt = "{expander.interrupt}"', "the Pi's pin at its INTA or INTB, which it mirrors")
    if plan.leds is not None:
        yield ""
        yield from _comment("Two plain LEDs as turn lamps, each with a resistor of its own.")
        yield "[leds]"
        yield f'red = "{plan.leds.red}"'
        yield f'yellow = "{plan.leds.yellow}"'
        yield _explained(f'lit = "{plan.leds.lit}"', "the level at which they light")
    if plan.lamps is not None:
        yield from _lamps(plan, plan.lamps)
        yield from _supply(plan)


def _introduction(plan: Plan) -> str:
    wishes = plan.wishes
    size = f"{wishes.columns}x{wishes.rows}"
    text = (
        f"A {size} board on the 40-pin header of a Raspberry Pi. "
        if wishes.computer == "pi"
        else f"A {size} board on a Raspberry Pi Pico or Pico 2, on a USB cable. "
    )
    if plan.matrix is not None:
        text += "The buttons lie between the rows and the columns of a matrix, each with a diode. "
        text += (
            "The bar and the beams have pins of their own, which they connect to ground. "
            if any(wishes.beams())
            else "The bar, which can stand open, has a pin of its own, which it connects to ground. "
        )
    if plan.expanders:
        text += "The pins X1.A0 and so on are those of expanders (MCP23017) on the I2C bus. "
    if plan.matrix is None:
        text += "A switch connects its pin to ground; the pull-up is the computer's own. "
    if plan.lamps is not None and wishes.computer == "pi":
        text += (
            "The lamps' data leaves at pin 19 (MOSI of SPI0), so that the program needs no rights of root and sound "
            "stays usable; the other pins of SPI0 belong to it. "
        )
    if plan.free:
        text += f"Left free: {', '.join(plan.free)}."
    return text.strip()


def _switches(plan: Plan, pinout: Pinout) -> Iterator[str]:
    yield "[switches]"
    yield from _comment("From the left, as the player with the buttons sees the columns.")
    lists: dict[str, list[str]] = {}
    for switch, pin in plan.switches.items():
        if (found := numbered(switch)) is not None:
            lists.setdefault(found[0], []).append(pin)
    for kind, pins in lists.items():
        key, what = _LISTS[kind]
        yield from _comment(" ".join(text for text in (what, _places(pins, pinout)) if text))
        yield from _list(key, pins)
    for switch, key in _SINGLES.items():
        if switch in plan.switches:
            pin = plan.switches[switch]
            found_pin = pinout.pin(pin)
            texts = ["closed while the bar is open"] if switch == BAR else []
            texts += [f"pin {found_pin.number}"] if found_pin is not None else []
            yield _explained(f'{key} = "{pin}"', ", ".join(texts))
    others = [key for kind, (key, _) in _LISTS.items() if kind not in lists]
    others += [key for switch, key in _SINGLES.items() if switch not in plan.switches]
    if others:
        yield from _comment(f"Can be added: {', '.join(others)}.")


def _places(pins: Sequence[str], pinout: Pinout) -> str:
    """Where these pins are on the header or the edge; empty if one of them is elsewhere."""
    found = [pinout.pin(pin) for pin in pins]
    numbers = [str(pin.number) for pin in found if pin is not None]
    if len(numbers) < len(pins):
        return ""
    return f"Pin {numbers[0]}." if len(numbers) == 1 else f"Pins {', '.join(numbers)}."


def _matrix(plan: Plan) -> Iterator[str]:
    assert plan.matrix is not None
    yield ""
    yield from _comment("R1C2 is the crossing of row 1 and column 2 of this matrix; they are no rows of the board.")
    yield "[matrix]"
    yield from _comment("Driven one after the other. " + _places(plan.matrix.rows, PI))
    yield from _list("rows", plan.matrix.rows)
    yield from _comment("Read, with the Pi's pull-up. " + _places(plan.matrix.columns, PI))
    yield from _list("columns", plan.matrix.columns)
    yield _explained("diodes = true", "at each switch, its ring towards the row; without, three pressed look like four")


def _lamps(plan: Plan, pin: str) -> Iterator[str]:
    wishes = plan.wishes
    chain = wishes.chain(pin)
    assert chain is not None
    yield ""
    yield "[lamps]"
    yield f'pin = "{pin}"'
    yield _explained(
        f'order = "{chain.order}"',
        'the order in which a lamp takes its colours; "rgb" if red and green come out exchanged',
    )
    yield ""
    yield from _comment("The lamps in the order of the wire.")
    for number, kind in enumerate(chain.kinds):
        if number:
            yield ""
        yield "[[lamps.parts]]"
        yield f'kind = "{kind}"'
        match kind:
            case "cells":
                yield _explained(f'start = "{wishes.start}"', "the corner of the first lamp")
                yield _explained(f'along = "{wishes.along}"', "where the wire runs before it goes on to the next one")
                yield _explained(
                    f"serpentine = {str(wishes.serpentine).lower()}",
                    "true: every second run goes back; false: each starts at the same edge",
                )
            case "columns" | "turns":
                yield f'start = "{chain.parts[number].start}"'


def _supply(plan: Plan) -> Iterator[str]:
    wishes = plan.wishes
    amperes = wishes.suitable_amperes() if wishes.amperes is None else wishes.amperes
    yield ""
    yield "[supply]"
    yield _explained(
        f"milliamps = {round(amperes * 1000)}", "what the supply can give to the lamps, besides the computer"
    )
    yield _explained("channel_milliamps = 20", "one colour of one lamp at full light")
    yield _explained("idle_milliamps = 1", "one lamp when it is dark")
    yield _explained("brightness = 0.5", "the cap of all light, 0 to 1")


def _levels(address: int) -> str:
    return ", ".join("3.3 V" if address >> bit & 1 else "ground" for bit in (2, 1, 0))


def _list(key: str, pins: Sequence[str]) -> Iterator[str]:
    texts = [json.dumps(pin) for pin in pins]
    line = f"{key} = [{', '.join(texts)}]"
    if len(line) <= _WIDTH:
        yield line
        return
    yield f"{key} = ["
    for text in textwrap.wrap(", ".join(texts), _WIDTH - 5):
        yield f"    {text.rstrip(',')},"
    yield "]"


def _explained(line: str, comment: str) -> str:
    return f"{line:<{_COMMENTS_FROM}}# {comment}" if comment else line


def _comment(text: str) -> Iterator[str]:
    yield from textwrap.wrap(text, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_long_words=False)
