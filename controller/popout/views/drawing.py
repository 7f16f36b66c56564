"""A board drawn in letters, for a terminal or a pipe.

Red and yellow are told apart by their shape; colour only helps. Each cell takes two letters: a mark and a disc. The
mark is ``>`` for the last move (before a column's number if it was a pop), ``*`` for a line of the winner and ``+`` for
a line of the other side::

    3 | . . . . . . . |
    2 | . . . . . . . |
    1 | . . .>X . . . |
      +---------------+
        1 2 3 4 5 6 7
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from popout.rules import RED, YELLOW, Cell, Drop, Game, Pop, Power, Side

_PLAIN = {RED: "X", YELLOW: "O", None: "."}
_ROUND = {RED: "●", YELLOW: "○", None: "·"}
_COLOURS = {RED: "\x1b[91m", YELLOW: "\x1b[93m"}
_STRONG, _RESET = "\x1b[1m", "\x1b[0m"

LAST, WINNING, LOSING = ">", "*", "+"


@dataclass(frozen=True, slots=True)
class Style:
    """What the reader's screen can show.

    :ivar symbols: round discs and drawn edges; otherwise plain ASCII. :ivar colour: ANSI colours.
    :ivar width: how many letters a line holds; None for a pipe or a file, where lines are as long as they are.
    """

    symbols: bool = True
    colour: bool = False
    width: int | None = None

    def disc(self, side: Side | None) -> str:
        """The sign for a disc of `side`, or for an empty cell."""
        return (_ROUND if self.symbols else _PLAIN)[side]

    def characters(self) -> str:
        """Every letter that a drawing may need."""
        return "".join(_ROUND.values()) + "│─└┘" if self.symbols else ""


def wrap(text: str, style: Style) -> list[str]:
    """A sentence in lines that fit, broken between words."""
    if style.width is None or len(text) <= style.width:
        return [text]
    return textwrap.wrap(text, style.width, break_long_words=False, break_on_hyphens=False)


def draw_game(game: Game, style: Style) -> tuple[str, ...]:
    """The board of `game` as it stands, a text a line, the top row first, the columns' numbers under it."""
    popped = game.moves[-1].column if game.moves and isinstance(game.moves[-1], Pop) else None
    return draw_grid(game.position.grid, game.rules.rows, _marks(game), popped, style)


def draw_grid(
    grid: Sequence[str], rows: int, marks: Mapping[Cell, str], popped: int | None, style: Style
) -> tuple[str, ...]:
    """A board as `draw_game` draws it, from what lies on it.

    :param grid: one text a column from the left, each from the bottom up. :param marks: the mark of each marked cell.
    :param popped: the column whose number is marked, if the last move was a pop.
    """
    wall, floor, left, right = ("│", "─", "└", "┘") if style.symbols else ("|", "-", "+", "+")
    lines = []
    for row in range(rows, 0, -1):
        cells = "".join(
            _cell(_disc(discs, row), marks.get((column, row), " "), style) for column, discs in enumerate(grid, 1)
        )
        lines.append(f"{row:>2} {wall}{cells} {wall}")
    lines.append(f"   {left}{floor * (2 * len(grid) + 1)}{right}")
    numbers = [str(column) for column in range(1, len(grid) + 1)]
    if len(grid) > 9:
        # Two digits do not fit in a cell beside its mark: the tens stand above the units.
        lines.append("    " + "".join(f" {number[:-1] or ' '}" for number in numbers))
    lines.append(
        "    " + "".join(f"{LAST if column == popped else ' '}{number[-1]}" for column, number in enumerate(numbers, 1))
    )
    return tuple(lines)


def _disc(discs: str, row: int) -> Side | None:
    return Side.of_letter(discs[row - 1]) if row <= len(discs) else None


def _marks(game: Game) -> dict[Cell, str]:
    outcome = game.outcome
    if outcome and (outcome.red_lines or outcome.yellow_lines):
        winner = outcome.winner
        return {
            cell: WINNING if side is winner or winner is None else LOSING
            # The winner last: a shared mark would be the stronger one.
            for side in sorted(Side, key=lambda each: each is winner)
            for line in outcome.lines(side)
            for cell in line
        }
    if game.moves and isinstance(game.moves[-1], Drop | Power):
        column = game.moves[-1].column
        return {(column, len(game.position.grid[column - 1])): LAST}
    return {}


def _cell(disc: Side | None, mark: str, style: Style) -> str:
    sign = style.disc(disc)
    if not style.colour or disc is None:
        return mark + sign
    return f"{_STRONG if mark != ' ' else ''}{_COLOURS[disc]}{mark}{sign}{_RESET}"
