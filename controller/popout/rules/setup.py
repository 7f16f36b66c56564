"""Positions that somebody sets up: reading them, and naming what is impossible in them."""

from __future__ import annotations

import re

from popout.rules.beside import Beside, extra_of, read_beside, write_beside
from popout.rules.errors import NotationError, NotThisGrid
from popout.rules.messages import Message, excerpt
from popout.rules.position import Position
from popout.rules.ruleset import RuleSet
from popout.rules.setup_checks import (
    EMPTY_CELL,
    MARKS,
    check_can_move,
    check_counts,
    check_flanks,
    check_not_decided,
    discs_of,
    hands_of,
)
from popout.rules.setup_pop10 import check_pop10
from popout.rules.side import RED, YELLOW, Side

_SIDES = {"x": RED, "red": RED, "o": YELLOW, "yellow": YELLOW}
LINE_END = re.compile(r"\r\n|\r|\n")
"""As editors count lines, so that the line that an error names is found."""


def set_up(rules: RuleSet, grid: tuple[str, ...], turn: Side, beside: Beside = Beside()) -> Position:  # noqa: B008
    """The position with these discs and this side to move.

    `grid` is one text a column from the left, filled outer columns included, each from the bottom up, ``X`` red,
    ``O`` yellow, ``.`` an empty cell. `beside` says what else there is, such as the discs in hand.

    :raises SetupError: the position is impossible; the sentence names what and where.
    """
    discs = discs_of(rules, grid)
    check_flanks(rules, discs)
    own, other = discs[turn], discs[turn.other]
    extra = extra_of(rules, beside, turn, full=own | other == rules.grid.full)
    position = Position(rules, own, other, turn, None, None, extra)
    hands = hands_of(position, beside.hands)
    position = position._replace(hands=hands if hands is None or turn is RED else hands[::-1])
    if rules.keeps:
        check_pop10(position)
    else:
        check_not_decided(position)
        if not rules.power_discs:
            check_counts(position)
    check_can_move(position)
    return position


def checked_grid(rules: RuleSet, grid: tuple[str, ...]) -> tuple[str, ...]:
    """The grid as written, in capitals and without empty cells, if discs can lie like that on a board of this size.

    :raises SetupError: it has another size, a disc floats, or something in it is no disc.
    """
    discs_of(rules, grid)
    return tuple(column.rstrip(EMPTY_CELL).upper() for column in grid)


def parse_position(text: str, rules: RuleSet) -> Position:
    """Read a position: a line of columns, or a drawing, and the side to move.

    The line has the columns from the left, each from the bottom up, between slashes, then the side: ``XO/X///// O``.
    The drawing has a row a line, the top row first, with spaces as you like, and the side on a line of its own::

        . . . .
        . O . .
        X X . O
        O to move

    The side is ``X``, ``O``, ``red`` or ``yellow``. It must be there: it is never guessed from the discs. What
    else there is may follow, see `popout.rules.beside`, such as the discs in hand: ``hands=19,20``.

    :raises NotationError: it cannot be read; names line and column.
    :raises SetupError: it is impossible.
    """
    lines = [(number, line) for number, line in enumerate(LINE_END.split(text), 1) if line.strip()]
    if not lines:
        raise NotationError(Message("The position is missing. Write for example {example}.", example="X/O///// X"))
    number, line = lines[-1]
    if len(lines) > 1:
        turn, beside = _side(line, 0, number)
        return set_up(rules, _drawing(lines[:-1], rules), turn, beside)
    end = len(line) - len(line.lstrip()) + len(line.split()[0])
    turn, beside = _side(line, end, number)
    return set_up(rules, _columns(line[:end], number), turn, beside)


def position_text(position: Position) -> str:
    """The position as one line that `parse_position` reads."""
    # A lone empty column would be no word at all.
    return " ".join(["/".join(position.grid) or EMPTY_CELL, position.turn.letter, *write_beside(position)])


def draw(position: Position) -> str:
    """The position as a drawing, the top row first, with ``.`` for an empty cell; without the side to move."""
    grid = [column.ljust(position.rules.rows, EMPTY_CELL) for column in position.grid]
    return "\n".join(" ".join(column[row] for column in grid) for row in reversed(range(position.rules.rows)))


def _columns(text: str, number: int) -> tuple[str, ...]:
    for place, letter in enumerate(text, 1):
        if letter not in MARKS and letter not in "/" + EMPTY_CELL and not letter.isspace():
            raise NotationError(
                Message(
                    '"{letter}" is no disc. Write X (red), O (yellow) and / between columns.',
                    letter=excerpt(letter),
                ),
                line=number,
                column=place,
            )
    return tuple(text.strip().split("/"))


def _drawing(lines: list[tuple[int, str]], rules: RuleSet) -> tuple[str, ...]:
    rows: list[str] = []
    for number, line in lines:
        cells = ""
        for place, letter in enumerate(line, 1):
            if letter.isspace():
                continue
            if letter not in MARKS and letter != EMPTY_CELL:
                raise NotationError(
                    Message('"{letter}" is no cell. Write X (red), O (yellow) or . (empty).', letter=excerpt(letter)),
                    line=number,
                    column=place,
                )
            cells += letter
        if len(cells) != rules.width:
            raise NotationError(_row_too_long_or_short(rules, len(cells)), line=number, reason=NotThisGrid.code)
        rows.append(cells)
    if len(rows) != rules.rows:
        raise NotationError(
            Message(
                "The drawing has one row, but the grid is {columns}x{rows} (columns x rows). Draw every row.",
                plural="The drawing has {count} rows, but the grid is {columns}x{rows} (columns x rows). "
                "Draw every row, and no more.",
                count=len(rows),
                columns=rules.width,
                rows=rules.rows,
            ),
            line=lines[0][0],
            reason=NotThisGrid.code,
        )
    return tuple("".join(row[column] for row in reversed(rows)) for column in range(rules.width))


def _row_too_long_or_short(rules: RuleSet, cells: int) -> Message:
    if rules.first_column > 1:
        return Message(
            "This row has one cell, but with its filled outer columns the grid is {columns}x{rows} (columns x rows).",
            plural="This row has {count} cells, but with its filled outer columns the grid is {columns}x{rows} "
            "(columns x rows).",
            count=cells,
            columns=rules.width,
            rows=rules.rows,
        )
    return Message(
        "This row has one cell, but the grid is {columns}x{rows} (columns x rows).",
        plural="This row has {count} cells, but the grid is {columns}x{rows} (columns x rows).",
        count=cells,
        columns=rules.columns,
        rows=rules.rows,
    )


def _side(line: str, begin: int, number: int) -> tuple[Side, Beside]:
    """The side to move, and what is said after it, from `line` after its first `begin` letters."""
    words = line[begin:].split()
    if not words or words[0].lower() not in _SIDES or _is_a_row(words):
        raise NotationError(
            Message("The side to move is missing. Write X (red) or O (yellow) after the position."),
            line=number,
            column=line.index(words[0], begin) + 1 if words else len(line) + 1,
        )
    rest = words[3:] if [word.lower() for word in words[1:3]] == ["to", "move"] else words[1:]
    beside = read_beside(rest)
    if isinstance(beside, str):
        raise NotationError(
            Message(
                '"{word}" after the side to move cannot be read. Leave it out. '
                "What may follow there is for example hands=19,20 (red's, then yellow's).",
                word=excerpt(beside),
            ),
            line=number,
            column=line.index(beside, line.index(words[0], begin) + len(words[0])) + 1,
        )
    return _SIDES[words[0].lower()], beside


def _is_a_row(words: list[str]) -> bool:
    """Whether a line that should say the side to move is one more row of a drawing."""
    return len(words) > 1 and all(word in MARKS or word == EMPTY_CELL for word in words)
