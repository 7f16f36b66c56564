"""Choosing the pins of a board: one pin a switch while there are enough, else a matrix, expanders, or both.

On a Raspberry Pi the columns follow the header, the pins of the serial port and of I2C are used last, and those of the
SPI bus that lights the lamps never. On a Pico the switches go down the left edge and up the right one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from popout.board.contacts import I2C_PINS, PINS, SPI_PINS, Expander, Leds, Matrix, crossing, expander_pin
from popout.board.switches import BAR, MENU, TAKE_BACK
from popout.rules.messages import Message, PopoutError
from popout.wiring.wishes import EXTRAS, Wishes

_Kind = Literal["pins", "matrix", "expanders"]

# Along the header: 29 to 37 on one side, 40 and 38 opposite, then upwards.
_PI_PINS = tuple(f"GPIO{number}" for number in (5, 6, 13, 19, 26, 21, 20, 12, 23, 18, 22, 27, 17, 4))
_PI_SINGLES = {BAR: "GPIO16", MENU: "GPIO25", TAKE_BACK: "GPIO24"}
_PI_SERIAL_PORT = ("GPIO15", "GPIO14")
# As switches get them: along the header, then those that are missed elsewhere.
_PI_GOOD_PINS = (*_PI_PINS, *_PI_SINGLES.values())
_PI_ORDER = (*_PI_GOOD_PINS, *_PI_SERIAL_PORT, *SPI_PINS, *reversed(I2C_PINS))
_PI_LEDS = ("GPIO17", "GPIO27")
_PI_LAMPS = "GPIO10"
_PI_INTERRUPTS = tuple(f"GPIO{number}" for number in (17, 27, 22, 4, 23, 18, 12, 20))

_PICO_LAMPS = "GP16"
_PICO_LEDS = ("GP16", "GP17")
_PICO_PINS = tuple(f"GP{number}" for number in (*range(2, 23), 26, 27, 28, 0, 1))
# Where they are on the shipped boards, so that a small board can grow.
_PICO_SINGLES = {BAR: "GP9", MENU: "GP10", TAKE_BACK: "GP11"}
_PICO_COLUMNS_BESIDE_SINGLES = 7

_FIRST_ADDRESS = 0x20
_MOST_EXPANDERS = 8
# Bit 7 of each port can only be an output.
_EXPANDER_PINS = tuple(f"{port}{bit}" for port in "AB" for bit in range(7))


class PlanImpossible(PopoutError, ValueError):
    """A board that cannot be wired as it is wanted. The message says what to give up."""

    code = "plan-impossible"


@dataclass(frozen=True, slots=True)
class Plan:
    """The pins of a board.

    :ivar switches: the pin of each switch, by the switch's name. :ivar lamps: the pin of the lamps' data, or None.
    :ivar free: the computer's pins that are not used.
    """

    wishes: Wishes
    switches: dict[str, str]
    matrix: Matrix | None
    expanders: tuple[Expander, ...]
    leds: Leds | None
    lamps: str | None
    free: tuple[str, ...]

    def told(self) -> Message:
        """How the switches are wired, and why so."""
        count = len(self.switches)
        if self.matrix is not None and self.expanders and not self._all_beams_on_expanders():
            return Message(
                "Of the {switches} switches the buttons go between the {rows} rows and {columns} columns of a matrix, "
                "each with a diode, and the beams to the Pi's pins and to {count} MCP23017 expander on I2C.",
                plural="Of the {switches} switches the buttons go between the {rows} rows and {columns} columns of a "
                "matrix, each with a diode, and the beams to the Pi's pins and to {count} MCP23017 expanders on I2C.",
                count=len(self.expanders),
                switches=count,
                rows=len(self.matrix.rows),
                columns=len(self.matrix.columns),
            )
        if self.matrix is not None and self.expanders:
            return Message(
                "Of the {switches} switches the buttons go between the {rows} rows and {columns} columns of a matrix, "
                "each with a diode, and the beams to {count} MCP23017 expander on I2C.",
                plural="Of the {switches} switches the buttons go between the {rows} rows and {columns} columns of a "
                "matrix, each with a diode, and the beams to {count} MCP23017 expanders on I2C.",
                count=len(self.expanders),
                switches=count,
                rows=len(self.matrix.rows),
                columns=len(self.matrix.columns),
            )
        if self.matrix is not None:
            return Message(
                "The {count} switches are wired as a matrix: the buttons go between its {rows} rows and {columns} "
                "columns, each with a diode.",
                count=sum(crossing(pin) is not None for pin in self.switches.values()),
                rows=len(self.matrix.rows),
                columns=len(self.matrix.columns),
            )
        if self.expanders:
            return Message(
                "The {switches} switches are wired to the Pi's pins and to {count} MCP23017 expander on I2C.",
                plural="The {switches} switches are wired to the Pi's pins and to {count} MCP23017 expanders on I2C.",
                count=len(self.expanders),
                switches=count,
            )
        return Message(
            "Each of the {switches} switches has a pin of its own; {count} pin is left.",
            plural="Each of the {switches} switches has a pin of its own; {count} pins are left.",
            count=len(self.free),
            switches=count,
        )

    def _all_beams_on_expanders(self) -> bool:
        return all(expander_pin(self.switches[beam]) is not None for beam in self.wishes.beams())


def plan(wishes: Wishes) -> Plan:
    """The pins for the board that is wanted.

    :raises PlanImpossible: there are not enough, or the computer cannot read the wiring that is chosen.
    """
    if wishes.computer == "pico" and wishes.wiring in ("matrix", "expanders"):
        raise PlanImpossible(
            Message(
                "A Pico reads one pin a switch, no matrix and no expanders. Choose another wiring, or a Raspberry Pi."
            )
        )
    found = _fitting(wishes)
    if found is None:
        raise PlanImpossible(_what_to_give_up(wishes))
    return found


def ways(wishes: Wishes) -> tuple[Plan, ...]:
    """The plans among which somebody can choose whose board has more switches than pins: a matrix, expanders."""
    if wishes.wiring != "auto" or (first := _fitting(wishes)) is None or first.matrix is None:
        return ()
    other = _fitting(replace(wishes, wiring="expanders"))
    return (first,) if other is None else (first, other)


def _fitting(wishes: Wishes) -> Plan | None:
    """The first way to wire the board for which there are enough pins."""
    if wishes.computer == "pico":
        return _on_a_pico(wishes)
    ways: dict[str, tuple[tuple[_Kind, _Kind], ...]] = {
        "pins": (("pins", "pins"),),
        "matrix": (("matrix", "pins"), ("matrix", "expanders")),
        "expanders": (("expanders", "expanders"),),
    }
    tried = ways.get(wishes.wiring) or (way for each in ways.values() for way in each)
    return next((found for way in tried if (found := _on_a_pi(wishes, *way)) is not None), None)


def _on_a_pico(wishes: Wishes) -> Plan | None:
    used = [_PICO_LAMPS] if wishes.chained else list(_PICO_LEDS) if wishes.lamps == "turns" else []
    switches = {}
    if wishes.columns <= _PICO_COLUMNS_BESIDE_SINGLES:
        switches = {switch: _PICO_SINGLES[switch] for switch in wishes.single_switches() if switch in _PICO_SINGLES}
    pool = iter([pin for pin in _PICO_PINS if pin not in (*used, *switches.values())])
    lists, beams = list(wishes.rows_of_buttons()), list(wishes.beams())
    columns, others = lists[: wishes.columns], lists[wishes.columns :]
    for switch in (*columns, *wishes.single_switches(), *others, *beams):
        if switch not in switches:
            pin = next(pool, None)
            if pin is None:
                return None
            switches[switch] = pin
    return Plan(
        wishes=wishes,
        switches=_in_order(wishes, switches),
        matrix=None,
        expanders=(),
        leds=Leds(red=_PICO_LEDS[0], yellow=_PICO_LEDS[1]) if wishes.lamps == "turns" else None,
        lamps=_PICO_LAMPS if wishes.chained else None,
        free=_free("serial", (*used, *switches.values())),
    )


def _on_a_pi(wishes: Wishes, buttons_on: _Kind, beams_on: _Kind) -> Plan | None:
    """A plan with the buttons and the beams wired so; None if there are not enough pins.

    It has as few expanders as can be: before one is added, what is left over goes to pins that are missed nowhere else.
    """
    expanded = [
        *(wishes.rows_of_buttons() if buttons_on == "expanders" else ()),
        *(wishes.beams() if beams_on == "expanders" else ()),
    ]
    most = min(_MOST_EXPANDERS, -(-len(expanded) // len(_EXPANDER_PINS)))
    orders = {count: _PI_GOOD_PINS if count < most else _PI_ORDER for count in range(min(1, most), most + 1)}
    plans = (_with_expanders(wishes, buttons_on, expanded, count, order) for count, order in orders.items())
    return next((found for found in plans if found is not None), None)


def _with_expanders(
    wishes: Wishes, buttons_on: _Kind, expanded: Iterable[str], count: int, order: Iterable[str]
) -> Plan | None:
    """A plan with so many expanders for as many of the switches `expanded` as have room, and the others on pins.

    :param order: the pins of the Pi that may be used, the best first.
    """
    leds = _PI_LEDS if wishes.lamps == "turns" else ()
    used = [*leds, *(SPI_PINS if wishes.chained else ())]
    buttons, beams = wishes.buttons(), tuple(wishes.beams())
    # The bar stays as it is put: in a matrix it would keep its line busy for as long as it is open.
    alone = {BAR} if buttons_on == "matrix" else set(buttons)
    singles = {switch: pin for switch, pin in _PI_SINGLES.items() if switch in alone}
    expanders = _expanders(count, used)
    if expanders is None:
        return None
    if expanders:
        used += [*I2C_PINS, *(expander.interrupt for expander in expanders)]
    used += singles.values()
    pool = _Pool(pin for pin in order if pin not in used)
    matrix = pool.matrix(len(buttons) - len(singles)) if buttons_on == "matrix" else None
    switches = dict(zip(expanded, _expander_pins(expanders), strict=False)) | singles
    if matrix is not None:
        crossings = [f"R{row}C{column}" for row in _numbers(matrix.rows) for column in _numbers(matrix.columns)]
        switches |= dict(zip([switch for switch in buttons if switch not in singles], crossings, strict=False))
    elif buttons_on == "matrix":
        return None
    rest = [switch for switch in (*buttons, *beams) if switch not in switches]
    pins = pool.take(len(rest))
    if pins is None:
        return None
    switches |= dict(zip(rest, pins, strict=True))
    lines = () if matrix is None else (*matrix.rows, *matrix.columns)
    return Plan(
        wishes=wishes,
        switches=_in_order(wishes, switches),
        matrix=matrix,
        expanders=expanders,
        leds=Leds(red=leds[0], yellow=leds[1]) if leds else None,
        lamps=_PI_LAMPS if wishes.chained else None,
        free=_free("gpio", (*used, *switches.values(), *lines)),
    )


class _Pool:
    """The pins that are still to be given, the best first."""

    def __init__(self, pins: Iterable[str]) -> None:
        self.pins = list(pins)

    def take(self, count: int) -> tuple[str, ...] | None:
        """The best pins; None if there are not so many."""
        if count > len(self.pins):
            return None
        taken, self.pins = self.pins[:count], self.pins[count:]
        return tuple(taken)

    def matrix(self, switches: int) -> Matrix | None:
        """The matrix with the fewest pins in which so many switches have room, as square as can be."""
        rows = next(rows for rows in range(1, switches + 1) if rows * rows >= switches)
        columns = rows
        if (rows - 1) * columns >= switches:
            rows -= 1
        read, driven = self.take(columns), self.take(rows)
        return None if read is None or driven is None else Matrix(rows=driven, columns=read, diodes=True)


def _expanders(count: int, used: Iterable[str]) -> tuple[Expander, ...] | None:
    """So many; None if there are not enough pins for their interrupts."""
    interrupts = [pin for pin in _PI_INTERRUPTS if pin not in used]
    if count > len(interrupts):
        return None
    return tuple(Expander(address=_FIRST_ADDRESS + each, interrupt=interrupts[each]) for each in range(count))


def _expander_pins(expanders: tuple[Expander, ...]) -> Iterator[str]:
    return (f"X{number}.{pin}" for number in _numbers(expanders) for pin in _EXPANDER_PINS)


def _numbers(things: tuple[object, ...]) -> range:
    return range(1, len(things) + 1)


def _in_order(wishes: Wishes, switches: dict[str, str]) -> dict[str, str]:
    return {switch: switches[switch] for switch in (*wishes.buttons(), *wishes.beams())}


def _free(driver: str, used: Iterable[str]) -> tuple[str, ...]:
    taken = set(used)
    return tuple(pin for pin in PINS[driver] if pin not in taken)


def _what_to_give_up(wishes: Wishes) -> Message:
    switches = len(wishes.buttons()) + len(tuple(wishes.beams()))
    alone = [extra for extra in EXTRAS if extra in wishes.extras() and _fitting(wishes.without(extra)) is not None]
    if alone:
        return Message(
            "There are not enough pins for the {count} switches of this board. It can be wired if one of these is "
            "given up: {extras}.",
            count=switches,
            extras=", ".join(extra.replace("_", "-") for extra in alone),
        )
    if wishes.computer == "pico" and _fitting(replace(wishes, computer="pi", wiring="auto")) is not None:
        return Message(
            "A Pico has not enough pins for the {count} switches of this board. A Raspberry Pi can read them.",
            count=switches,
        )
    most = max(
        columns for columns in range(1, wishes.columns) if _fitting(replace(wishes, columns=columns)) is not None
    )
    return Message(
        "There are not enough pins for the {switches} switches of this board. With all that is wanted it can have "
        "{count} column at the most.",
        plural="There are not enough pins for the {switches} switches of this board. With all that is wanted it can "
        "have {count} columns at the most.",
        count=most,
        switches=switches,
    )
