"""Wiring drawn in letters: the header with what goes where, the way of the lamps' wire, and the lamps' numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

from popout.board.chain import CellLamps, CellPlace, ColumnPlace, Place, TurnPlace
from popout.board.contacts import I2C_PINS
from popout.board.layout import Layout
from popout.rules.messages import Message
from popout.wiring.connections import connections
from popout.wiring.pinout import EXPANDER, PINOUTS, Pin, Pinout
from popout.wiring.supplies import feeds, fixed_legs

Say = Callable[[Message], str]
"""A message as text in the reader's language."""

_LARGEST_SKETCH = 12


def computer(layout: Layout, say: Say) -> list[str]:
    """The pins of the Pi or the Pico from above, with what is wired to each; empty if they are not known."""
    pinout = PINOUTS.get(layout.driver)
    return [] if pinout is None else _from_above(pinout, _labels(layout, 0, say))


def expander(layout: Layout, number: int, say: Say) -> list[str]:
    """An expander from above, a line a pair of legs, with the switch at each."""
    return _from_above(EXPANDER, _labels(layout, number, say))


def drawn_size(columns: int, rows: int) -> tuple[int, int]:
    """How many columns and rows `wire_way` draws: odd or even as those of the board, so that it ends where they do."""
    return _at_most(columns), _at_most(rows)


def wire_way(cells: CellLamps, columns: int, rows: int, *, symbols: bool) -> list[str]:
    """The way of the wire behind the cells, seen from the front: S the first lamp, E the last, o each between.

    A board that is too wide or high for a small drawing is drawn smaller, see `drawn_size`.
    """
    columns, rows = drawn_size(columns, rows)
    across, upright = "─│" if symbols else "-|"
    canvas = [[" "] * (4 * columns - 3) for _ in range(2 * rows - 1)]
    places = [
        (4 * (place.column - 1), 2 * (rows - place.row))
        for place in cells.places(columns, rows)
        if isinstance(place, CellPlace)
    ]
    for x, y in places:
        canvas[y][x] = "o"
    for (x, y), (then_x, then_y) in pairwise(places):
        if abs(then_x - x) == 4 and then_y == y:
            canvas[y][min(x, then_x) + 1 : max(x, then_x)] = across * 3
        elif abs(then_y - y) == 2 and then_x == x:
            canvas[(y + then_y) // 2][x] = upright
    (first_x, first_y), (last_x, last_y) = places[0], places[-1]
    canvas[last_y][last_x] = "E"
    canvas[first_y][first_x] = "S"
    return ["".join(line).rstrip() for line in canvas]


def chain_numbers(layout: Layout, say: Say) -> list[str]:
    """The lamps by their numbers on the wire, as they are seen from the front; empty without a chain."""
    numbers: Mapping[Place, int] = {place: number for number, place in enumerate(layout.places, start=1)}
    if not numbers:
        return []
    width = len(str(len(numbers)))
    columns = range(1, layout.columns + 1)
    lines = []
    if CellPlace(1, 1) in numbers:
        for row in range(layout.rows, 0, -1):
            lines.append(" ".join(f"{numbers[CellPlace(column, row)]:>{width}}" for column in columns))
    if ColumnPlace(1) in numbers:
        lines += [""] if lines else []
        lines.append(" ".join(f"{numbers[ColumnPlace(column)]:>{width}}" for column in columns))
    if TurnPlace("red") in numbers:
        lines += [""] if lines else []
        lines.append(
            say(
                Message(
                    "Turn lamps: red {red}, yellow {yellow}",
                    red=numbers[TurnPlace("red")],
                    yellow=numbers[TurnPlace("yellow")],
                )
            )
        )
    return lines


def _at_most(count: int) -> int:
    return count if count <= _LARGEST_SKETCH else _LARGEST_SKETCH - (_LARGEST_SKETCH - count) % 2


def _labels(layout: Layout, chip: int, say: Say) -> dict[int, str]:
    """What is wired to each pin of the computer or of an expander, by the pin's number."""
    found = {
        wire.place.number: say(wire.told())
        for wire in connections(layout)
        if wire.chip == chip and wire.place is not None
    }
    if not chip:
        return {number: say(fed) for number, fed in feeds(layout).items()} | found
    expander = layout.expanders[chip - 1]
    data, clock = I2C_PINS
    legs = {**fixed_legs(expander.address), "SDA": data, "SCL": clock, "INTA": expander.interrupt}
    return found | {pin.number: legs[pin.name] for pin in EXPANDER.pins if pin.name in legs}


def _from_above(pinout: Pinout, labels: Mapping[int, str]) -> list[str]:
    left = [_beside(pin, labels, at_left=True) for pin in pinout.left]
    right = [_beside(pin, labels, at_left=False) for pin in pinout.right]
    width = max(map(len, left))
    return [
        f"{text:>{width}}  ({pin.number:>2}) ({other.number:>2})  {beside}".rstrip()
        for text, pin, other, beside in zip(left, pinout.left, pinout.right, right, strict=True)
    ]


def _beside(pin: Pin, labels: Mapping[int, str], *, at_left: bool) -> str:
    label = labels.get(pin.number)
    if label is None:
        return pin.name
    return f"{label}  {pin.name}" if at_left else f"{pin.name}  {label}"
