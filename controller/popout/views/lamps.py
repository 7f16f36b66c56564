"""The lamps of a board in letters, for whoever has a simulated board and no picture of it."""

from __future__ import annotations

import colorsys
from typing import Final

from popout.board.frame import DARK, Colour, Frame
from popout.board.layout import Layout
from popout.rules.messages import Message

_DARK: Final = "."
_WHITE: Final = "W"
_HUES: Final = ((15, "R"), (75, "Y"), (165, "G"), (195, "C"), (265, "B"), (340, "M"), (360, "R"))
"""Up to which hue, in degrees, a light is called what."""
_PALE: Final = 0.35
_DIM: Final = 1 / 3

LETTERS: Final = Message(
    "R red, Y yellow, G green, C cyan, B blue, M magenta, W white; small where it is dim, a point where it is dark."
)


def draw_lamps(frame: Frame, layout: Layout) -> tuple[tuple[str, ...], tuple[Message, ...]]:
    """The lamps that the board has: the rows from the top with the columns' numbers and lamps, and what else to say."""
    lamps = [*(lamp for column in frame.cells for lamp in column), *frame.columns, *frame.turns]
    brightest = max(map(_level, lamps))
    width = len(str(layout.columns)) + 1
    margin = len(str(layout.rows)) + 1

    def row(name: str, lamps: tuple[str, ...]) -> str:
        return f"{name:<{margin}}" + "".join(f"{lamp:>{width}}" for lamp in lamps)

    lines = []
    if layout.has_lamps("cells"):
        for number in range(layout.rows, 0, -1):
            lines.append(row(str(number), tuple(letter(cells[number - 1], brightest) for cells in frame.cells)))
    if layout.has_lamps("cells") or layout.has_lamps("columns"):
        lines.append(row("", tuple(str(column) for column in range(1, layout.columns + 1))))
    if layout.has_lamps("columns"):
        lines.append(row("", tuple(letter(lamp, brightest) for lamp in frame.columns)))
    said: tuple[Message, ...] = ()
    if layout.has_lamps("turns"):
        red, yellow = (letter(lamp, brightest) for lamp in frame.turns)
        said = (Message("Turn lamp of red: {red}   of yellow: {yellow}", red=red, yellow=yellow),)
    return tuple(lines), said


def letter(lamp: Colour, brightest: int = 255) -> str:
    """What a light is called, beside one of which the strongest colour is as strong as `brightest`."""
    if lamp == DARK:
        return _DARK
    hue, saturation, _ = colorsys.rgb_to_hsv(lamp >> 16, lamp >> 8 & 0xFF, lamp & 0xFF)
    found = _WHITE if saturation < _PALE else next(name for end, name in _HUES if hue * 360 <= end)
    return found.lower() if _level(lamp) < _DIM * brightest else found


def _level(lamp: Colour) -> int:
    return max(lamp >> 16, lamp >> 8 & 0xFF, lamp & 0xFF)
