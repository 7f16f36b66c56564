"""The board as a terminal draws it, in one of three sizes. Pure: a picture goes in, lines of styled text come out.

Red discs are solid and yellow ones hollow, so that they are told apart where a screen has no colours; so are the marks,
which are those of `popout.views.drawing`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from rich.style import Style
from rich.text import Text

from popout.rules import RED, YELLOW, Cell, Side
from popout.views.drawing import LAST, LOSING, WINNING

WRONG = "!"
"""The mark of a cell that is not as it should be."""
BARRED = "×"
_LEGAL = "▲"


@dataclass(frozen=True, slots=True)
class Size:
    """How many letters a column is wide and how many lines a row is high; the first letter is for a mark."""

    wide: int
    high: int


LARGE: Final = Size(5, 2)
MEDIUM: Final = Size(3, 1)
SMALL: Final = Size(2, 1)
SIZES: Final = (LARGE, MEDIUM, SMALL)

MARGIN: Final = 4
"""The letters to the left of the first column: the row's number and the wall."""
_RIGHT: Final = 2


@dataclass(frozen=True, slots=True)
class Picture:
    """What is to be drawn. Cells are (column, row) of the grid, from 1 at the bottom left.

    :ivar grid: one text a column from the left, each from the bottom up. :ivar rows: how high the grid is.
    :ivar marks: the mark of each marked cell. :ivar signs: the letters of power discs.
    :ivar popped: the column of the last move, if it was a pop.
    :ivar coming: a disc that is about to be there, and whose.
    :ivar legal: the columns whose buttons do something. :ivar barred: those that are closed for this step.
    :ivar buttons: the first and the last column that have a button. :ivar cursor: the chosen column.
    """

    grid: tuple[str, ...]
    rows: int
    buttons: tuple[int, int]
    marks: Mapping[Cell, str] = field(default_factory=dict)
    signs: Mapping[Cell, str] = field(default_factory=dict)
    popped: int | None = None
    coming: tuple[Cell, Side] | None = None
    legal: frozenset[int] = frozenset()
    barred: frozenset[int] = frozenset()
    bar_open: bool = False
    cursor: int | None = None


def room(columns: int, rows: int, size: Size) -> tuple[int, int]:
    """The letters and the lines that a board takes."""
    under = 3 + _has_tens(columns, size)  # the bar, the numbers, and what may be pressed
    return MARGIN + columns * size.wide + _RIGHT, rows * size.high + under


def best_size(columns: int, rows: int, width: int, height: int) -> Size | None:
    """The largest size in which a board has room; None if there is none."""
    for size in SIZES:
        wide, high = room(columns, rows, size)
        if wide <= width and high <= height:
            return size
    return None


def column_at(x: int, columns: int, size: Size) -> int | None:
    """The column that is drawn at letter `x` of a line; None if none is."""
    column = (x - MARGIN) // size.wide + 1
    return column if x >= MARGIN and column <= columns else None


def draw(picture: Picture, size: Size) -> list[Text]:
    """The board, a text a line, the top row first."""
    lines = [
        line
        for row in range(picture.rows, 0, -1)
        for line in (_large(picture, row) if size is LARGE else [_small(picture, row, size)])
    ]
    return [*lines, _bar(picture, size), *_numbers(picture, size), _buttons(picture, size)]


# Discs

_BLUE = "#1e4fae"
_WALL: Final = Style(color="#4d83e6", bgcolor=_BLUE)
_EMPTY: Final = Style(color="#0e2a61", bgcolor=_BLUE)
_HOLE: Final = Style(color=_BLUE, bgcolor="#0e2a61")
_DISC: Final = {
    RED: Style(color="#ff5c5c", bgcolor=_BLUE),
    YELLOW: Style(color="#ffd23f", bgcolor=_BLUE),
}
_INSIDE: Final = Style(bgcolor="#7d6210")
_MARK: Final = {
    LAST: Style(color="#ffffff", bgcolor=_BLUE, bold=True),
    WINNING: Style(color="#ffffff", bgcolor=_BLUE, bold=True),
    LOSING: Style(color="#b9c8ea", bgcolor=_BLUE),
    WRONG: Style(color="#ff9df5", bgcolor=_BLUE, bold=True),
}
_FIELD: Final = Style(bgcolor=_BLUE)
_DIM: Final = Style(dim=True)
_STRONG: Final = Style(bold=True)

# An empty cell is drawn by the board around it, so that it is round where there are colours and empty where not.
_BIG_DISC: Final = {RED: ("▟██▙", "▜██▛"), YELLOW: ("▟▀▀▙", "▜▄▄▛"), None: ("▘  ▝", "▖  ▗")}
_BIG_SIGN: Final = {RED: ("▟{}█▙", "▜██▛"), YELLOW: ("▟{}▀▙", "▜▄▄▛")}
_ONE_DISC: Final = {RED: "●", YELLOW: "○", None: "·"}


def _large(picture: Picture, row: int) -> list[Text]:
    lines = [_left(f"{row:>2} "), _left("   ")]
    for column in range(1, len(picture.grid) + 1):
        side, style, mark = _cell(picture, (column, row))
        sign = picture.signs.get((column, row))
        top, bottom = _BIG_DISC[side]
        if sign and side:
            top = _BIG_SIGN[side][0].format(sign.upper())
        marked = _MARK[mark] if mark else _FIELD
        for line, drawn in zip(lines, (top, bottom), strict=True):
            line.append(mark or " ", marked)
            line.append(drawn, style if side else _HOLE)
            if side is YELLOW:
                line.stylize(_INSIDE, len(line) - 3, len(line) - 1)
        if sign and side:
            lines[0].stylize(Style(reverse=True), len(lines[0]) - 3, len(lines[0]) - 2)
    for line in lines:
        line.append(" ", _FIELD)
        line.append("▏", _WALL)
    return lines


def _small(picture: Picture, row: int, size: Size) -> Text:
    line = _left(f"{row:>2} ")
    for column in range(1, len(picture.grid) + 1):
        side, style, mark = _cell(picture, (column, row))
        line.append(mark or " ", _MARK[mark] if mark else _FIELD)
        sign = picture.signs.get((column, row))
        if sign and side:
            sign = sign.upper() if side is RED else sign
        line.append(sign or _ONE_DISC[side], style)
        line.append(" " * (size.wide - 2), _FIELD)
    line.append(" ", _FIELD)
    line.append("▏", _WALL)
    return line


def _left(number: str) -> Text:
    line = Text()
    line.append(number, _DIM)
    line.append("▕", _WALL)
    return line


def _cell(picture: Picture, cell: Cell) -> tuple[Side | None, Style, str | None]:
    """Whose disc a cell shows, in what style, and its mark."""
    column, row = cell
    discs = picture.grid[column - 1]
    mark = picture.marks.get(cell)
    if row <= len(discs):
        side = Side.of_letter(discs[row - 1]) if discs[row - 1] in "XO" else None
        return side, (_DISC[side] + _STRONG if mark else _DISC[side]) if side else _EMPTY, mark
    if picture.coming and picture.coming[0] == cell:
        side = picture.coming[1]
        return side, _DISC[side] + Style(blink=True, dim=True), mark
    return None, _EMPTY, mark


# What is under the discs


def _bar(picture: Picture, size: Size) -> Text:
    """The pop-release bar: a solid floor, or an open one through which discs may fall."""
    width = len(picture.grid) * size.wide + 1
    line = Text("   ")
    floor = ("╴" * width) if picture.bar_open else "▀" * width
    line.append(f"{'▘' if not picture.bar_open else ' '}", Style(color=_BLUE))
    line.append(floor, Style(color="#ffffff" if picture.bar_open else _BLUE, bold=picture.bar_open))
    return line


def _numbers(picture: Picture, size: Size) -> list[Text]:
    """The numbers of the columns; where they do not fit beside each other, the tens stand above the units."""
    first, last = picture.buttons
    tens, units = Text(" " * MARGIN), Text(" " * MARGIN)
    has_tens = _has_tens(len(picture.grid), size)
    for column in range(1, len(picture.grid) + 1):
        style = Style(reverse=column == picture.cursor, bold=column in picture.legal, dim=column not in picture.legal)
        number = str(column) if first <= column <= last else "▪"
        units.append(LAST if column == picture.popped else " ")
        units.append(_placed(number[-1] if has_tens else number, size), style)
        tens.append(" " + _placed(number[:-1], size), style if number[:-1] else "")
    return [tens, units] if has_tens else [units]


def _has_tens(columns: int, size: Size) -> bool:
    return size is SMALL and columns > 9


def _placed(text: str, size: Size) -> str:
    """A short text under the discs of a column."""
    wide = size.wide - 1
    return f"{text:^{wide}}" if size is LARGE else f"{text:<{wide}}"


def _buttons(picture: Picture, size: Size) -> Text:
    """Under each column whether its button does something, or that it is closed for this step."""
    line = Text(" " * MARGIN)
    for column in range(1, len(picture.grid) + 1):
        legal = column in picture.legal
        sign = _LEGAL if legal else BARRED if column in picture.barred else ""
        line.append(" " + _placed(sign * 2 if legal and size is LARGE else sign, size), _STRONG if legal else _DIM)
    return line
