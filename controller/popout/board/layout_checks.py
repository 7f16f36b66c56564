"""What a layout file must fulfil beyond its form: a possible size, pins that are there and used once, enough current.

Each check raises one sentence that says what is wrong, where, and the way out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from popout.board.chain import Chain
from popout.board.contacts import (
    I2C_PINS,
    PINS,
    PWM_PINS,
    SPI_PINS,
    Crossing,
    ExpanderPin,
    Matrix,
    crossing,
    expander_pin,
)
from popout.board.layout_errors import LayoutInvalid, LayoutPinConflict, LayoutSizeError
from popout.rules.messages import Message

if TYPE_CHECKING:
    from popout.board.layout_file import LayoutFile, Supply, Switches

SIZES = range(1, 33)

# A switched-mode supply for lamps of 5 V gives 60 A at the most.
_MOST_SUPPLY_MILLIAMPS = 60_000
_MOST_CHANNEL_MILLIAMPS = 100
_MOST_IDLE_MILLIAMPS = 20


def check(file: str, layout: LayoutFile) -> None:
    """Refuse a layout that cannot be.

    :param file: its name, for the sentence.
    :raises LayoutError: what is wrong, where, and the way out.
    """
    _check_head(file, layout)
    _check_switches(file, layout)
    _check_inverted(file, layout.switches)
    _check_wiring(file, layout)
    _check_pins(file, layout)
    if layout.supply is not None:
        _check_supply(file, layout.supply)
    if layout.lamps is not None:
        _check_route(file, layout, layout.lamps)
        _check_lamps(file, layout, layout.lamps)


def _check_head(file: str, layout: LayoutFile) -> None:
    if not layout.title.strip():
        raise LayoutInvalid(
            Message("{file}, key title: it is empty. Give the board a title that tells it from others.", file=file)
        )
    if layout.driver not in ("", *PINS):
        raise LayoutInvalid(
            Message(
                "{file}, key driver: there is no driver “{driver}” whose pins are known. Write “gpio” for the pins of "
                "a Raspberry Pi or “serial” for those of a Pico, or leave the key out if the board has another driver.",
                file=file,
                driver=layout.driver,
            )
        )
    if layout.columns not in SIZES:
        raise LayoutSizeError(Message("{file}, key columns: a board has 1 to 32 columns.", file=file))
    if layout.rows not in SIZES:
        raise LayoutSizeError(Message("{file}, key rows: a board has 1 to 32 rows.", file=file))


def _check_switches(file: str, layout: LayoutFile) -> None:
    for key, pins, _ in layout.switches.lists():
        if len(pins) != layout.columns and (pins or key == "columns"):
            raise LayoutInvalid(
                Message(
                    "{file}, key switches.{key}: it must list one pin for each column. The board has "
                    "columns = {columns}, but the number of pins is {count}.",
                    file=file,
                    key=key,
                    columns=layout.columns,
                    count=len(pins),
                )
            )


def _check_inverted(file: str, switches: Switches) -> None:
    known = switches.by_key()
    for key in switches.inverted:
        if not known.get(key):
            raise LayoutInvalid(
                Message(
                    "{file}, key switches.inverted: there are no switches “{key}” on this board. Write keys of the "
                    "table [switches], such as “bar”.",
                    file=file,
                    key=key,
                )
            )


def _check_pins(file: str, layout: LayoutFile) -> None:
    taken: dict[str, str] = {}
    for use, pin in _uses(layout):
        if not pin.strip():
            raise LayoutInvalid(
                Message("{file}, pin of “{use}”: it is empty. Write the name of the pin.", file=file, use=use)
            )
        _check_pin(file, layout, use, pin)
        if pin in taken:
            raise LayoutPinConflict(
                Message(
                    "{file}: the pin {pin} is used twice, for “{first}” and for “{second}”. Give one of them another "
                    "pin.",
                    file=file,
                    pin=pin,
                    first=taken[pin],
                    second=use,
                )
            )
        taken[pin] = use


def _uses(layout: LayoutFile) -> Iterator[tuple[str, str]]:
    """Everything that needs a pin, as it is called, with its pin."""
    yield from layout.switches.uses()
    if layout.matrix is not None:
        for name, pins in (("row", layout.matrix.rows), ("column", layout.matrix.columns)):
            for number, pin in enumerate(pins, start=1):
                yield f"matrix {name} {number}", pin
    for number, expander in enumerate(layout.expanders, start=1):
        yield f"expander {number}", expander.interrupt
    if layout.leds is not None:
        yield "red LED", layout.leds.red
        yield "yellow LED", layout.leds.yellow
    if layout.lamps is not None:
        yield "lamps", layout.lamps.pin
    if layout.driver == "gpio":
        if layout.expanders:
            yield from (("I2C", pin) for pin in I2C_PINS)
        if layout.lamps is not None and layout.lamps.pin in SPI_PINS and layout.lamps.route in ("auto", "spi"):
            yield from (("SPI", pin) for pin in SPI_PINS if pin != layout.lamps.pin)


def _check_pin(file: str, layout: LayoutFile, use: str, pin: str) -> None:
    """Whether the board's driver has such a pin for this."""
    if use in layout.switches.pins() and layout.driver != "serial":
        if (place := crossing(pin)) is not None and (layout.driver == "gpio" or layout.matrix is not None):
            _check_crossing(file, layout.matrix, use, pin, place)
            return
        if (found := expander_pin(pin)) is not None and (layout.driver == "gpio" or layout.expanders):
            _check_expander_pin(file, layout, use, pin, found)
            return
    if layout.driver == "gpio" and pin not in PINS["gpio"]:
        raise LayoutInvalid(
            Message(
                "{file}, pin of “{use}”: a Raspberry Pi has no pin “{pin}” for it. Write GPIO2 to GPIO27, the "
                "GPIO's own number and not its place on the header.",
                file=file,
                use=use,
                pin=pin,
            )
        )
    if layout.driver == "gpio" and pin in I2C_PINS and use in layout.switches.pins() and layout.switches.pull != "up":
        raise LayoutInvalid(
            Message(
                "{file}, pin of “{use}”: {pin} has a resistor to 3.3 V on the Pi itself, so switches.pull must be "
                "“up”. Use another pin.",
                file=file,
                use=use,
                pin=pin,
            )
        )
    if layout.driver == "serial" and pin not in PINS["serial"]:
        raise LayoutInvalid(
            Message(
                "{file}, pin of “{use}”: a Pico has no pin “{pin}” for it. Write GP0 to GP22 or GP26 to GP28, the "
                "GP's own number and not its place on the edge.",
                file=file,
                use=use,
                pin=pin,
            )
        )


def _check_crossing(file: str, matrix: Matrix | None, use: str, pin: str, place: Crossing) -> None:
    rows, columns = (0, 0) if matrix is None else (len(matrix.rows), len(matrix.columns))
    if place.row > rows or place.column > columns:
        raise LayoutInvalid(
            Message(
                "{file}, pin of “{use}”: the matrix has no crossing “{pin}”. It has {rows} rows and {columns} columns; "
                "describe them in the table [matrix].",
                file=file,
                use=use,
                pin=pin,
                rows=rows,
                columns=columns,
            )
        )


def _check_expander_pin(file: str, layout: LayoutFile, use: str, pin: str, found: ExpanderPin) -> None:
    if found.expander > len(layout.expanders):
        raise LayoutInvalid(
            Message(
                "{file}, pin of “{use}”: there is no expander for “{pin}”. Describe each in a table [[expanders]]; X1 "
                "is the first of them.",
                file=file,
                use=use,
                pin=pin,
            )
        )
    if found.bit == 7:
        # Microchip's data sheet DS20001952 says so since its revision D: read as inputs, they can upset the bus.
        raise LayoutInvalid(
            Message(
                "{file}, pin of “{use}”: “{pin}” can only be an output on an MCP23017. Use bits 0 to 6.",
                file=file,
                use=use,
                pin=pin,
            )
        )


def _check_wiring(file: str, layout: LayoutFile) -> None:
    """What only some boards can have, and how much of it."""
    if layout.driver == "serial":
        for key, there in (("matrix", layout.matrix is not None), ("expanders", bool(layout.expanders))):
            if there:
                raise LayoutInvalid(
                    Message(
                        "{file}, key {key}: a Pico does not read these. Give each switch a pin of its own.",
                        file=file,
                        key=key,
                    )
                )
    if layout.matrix is not None and not (layout.matrix.rows and layout.matrix.columns):
        raise LayoutInvalid(
            Message("{file}, key matrix: it needs at least one pin in rows and one in columns.", file=file)
        )
    if layout.expanders and layout.switches.pull == "down":
        raise LayoutInvalid(
            Message(
                "{file}, key switches.pull: an MCP23017 has no resistors to ground. Write “up”, or “none” with "
                "resistors of your own.",
                file=file,
            )
        )
    addresses = [expander.address for expander in layout.expanders]
    for address in addresses:
        if not 0x20 <= address <= 0x27:
            raise LayoutInvalid(
                Message(
                    "{file}, key expanders.address: an MCP23017 has no address {address}. Write 0x20 to 0x27, as its "
                    "pins A0 to A2 set it.",
                    file=file,
                    address=hex(address),
                )
            )
        if addresses.count(address) > 1:
            raise LayoutPinConflict(
                Message(
                    "{file}, key expanders.address: {address} is there twice. Wire the pins A0 to A2 of one of them "
                    "otherwise.",
                    file=file,
                    address=hex(address),
                )
            )
    if layout.leds is not None and layout.lamps is not None and "turns" in layout.lamps.kinds:
        raise LayoutInvalid(
            Message(
                "{file}: the turn lamps are there twice, in [leds] and in [[lamps.parts]]. Leave out one of them.",
                file=file,
            )
        )


def _check_route(file: str, layout: LayoutFile, lamps: Chain) -> None:
    if layout.driver == "serial" and lamps.route != "auto":
        raise LayoutInvalid(
            Message("{file}, key lamps.route: a Pico has one way only to light lamps. Leave the key out.", file=file)
        )
    pins = {"spi": ("GPIO10",), "pwm": PWM_PINS}.get(lamps.route)
    if layout.driver == "gpio" and pins is not None and lamps.pin not in pins:
        raise LayoutInvalid(
            Message(
                "{file}, key lamps.pin: the route “{route}” cannot light lamps on {pin}. Wire their data to {pins}, or "
                "choose another route.",
                file=file,
                route=lamps.route,
                pin=lamps.pin,
                pins=", ".join(pins),
            )
        )


def _check_supply(file: str, supply: Supply) -> None:
    for key, value, least, most in (
        ("milliamps", supply.milliamps, 1, _MOST_SUPPLY_MILLIAMPS),
        ("channel_milliamps", supply.channel_milliamps, 1, _MOST_CHANNEL_MILLIAMPS),
        ("idle_milliamps", supply.idle_milliamps, 0, _MOST_IDLE_MILLIAMPS),
    ):
        if not least <= value <= most:
            raise LayoutInvalid(
                Message(
                    "{file}, key supply.{key}: {value} mA is not possible. It must be from {least} to {most} mA.",
                    file=file,
                    key=key,
                    value=f"{value:g}",
                    least=least,
                    most=most,
                )
            )
    if not 0 <= supply.brightness <= 1:
        raise LayoutInvalid(
            Message(
                "{file}, key supply.brightness: {value} is not possible. It must be from 0 (dark) to 1 (full light).",
                file=file,
                value=f"{supply.brightness:g}",
            )
        )


def _check_lamps(file: str, layout: LayoutFile, lamps: Chain) -> None:
    if not lamps.parts:
        raise LayoutInvalid(
            Message(
                "{file}, key lamps.parts: it is empty. Describe the lamps, or leave out [lamps] on a board without.",
                file=file,
            )
        )
    for number, kind in enumerate(lamps.kinds):
        if kind in lamps.kinds[:number]:
            raise LayoutInvalid(
                Message(
                    "{file}, key lamps.parts: the kind “{kind}” is there twice. Each can be in the chain once.",
                    file=file,
                    kind=kind,
                )
            )
    if layout.supply is None:
        raise LayoutInvalid(
            Message(
                "{file}: the table [supply] is missing. Say in it how many milliamps the lamps may take together.",
                file=file,
            )
        )
    count = len(lamps.places(layout.columns, layout.rows))
    idle = count * layout.supply.idle_milliamps
    if idle >= layout.supply.milliamps:
        raise LayoutInvalid(
            Message(
                "{file}, key supply.milliamps: {limit} mA leave nothing for light, since the dark lamps alone "
                "({count}) take {idle} mA. Use a stronger supply or fewer lamps.",
                file=file,
                limit=f"{layout.supply.milliamps:g}",
                count=count,
                idle=f"{idle:g}",
            )
        )
