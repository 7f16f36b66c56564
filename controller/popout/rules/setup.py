"""Positions that somebody sets up: reading them, and naming what is impossible in them."""

from __future__ import annotations

import re

from popout.rules.errors import (
    AlreadyDecided,
    CannotMove,
    DiscsInHand,
    FloatingDisc,
    NotationError,
    NotThisGrid,
    SetupError,
    TooManyDiscs,
    WrongSideToMove,
)
from popout.rules.messages import Message, excerpt
from popout.rules.position import Position
from popout.rules.ruleset import RuleSet
from popout.rules.side import RED, YELLOW, Side

EMPTY_CELL = "."
_MARKS = {"X": RED, "x": RED, "O": YELLOW, "o": YELLOW}
_SIDES = {"x": RED, "red": RED, "o": YELLOW, "yellow": YELLOW}
LINE_END = re.compile(r"\r\n|\r|\n")
"""As editors count lines, so that the line that an error names is found."""

_HANDS = re.compile(r"hands=([0-9]{1,9}),([0-9]{1,9})")


def set_up(rules: RuleSet, grid: tuple[str, ...], turn: Side, hands: tuple[int, int] | None = None) -> Position:
    """The position with these discs and this side to move.

    `grid` is one text a column from the left, each from the bottom up, ``X`` red, ``O`` yellow, ``.`` an empty cell.
    `hands` are the discs that red and yellow have still to drop, where the rules count them; unless given, all that
    are not on the grid.

    :raises SetupError: the position is impossible; the sentence names what and where.
    """
    discs = _discs(rules, grid)
    own, other = discs[turn], discs[turn.other]
    in_hand = _hands(rules, discs, hands)
    position = Position(rules, own, other, turn, None, in_hand if in_hand is None or turn is RED else in_hand[::-1])
    _check_not_decided(position)
    _check_counts(position)
    _check_can_move(position)
    return position


def checked_grid(rules: RuleSet, grid: tuple[str, ...]) -> tuple[str, ...]:
    """The grid as written, in capitals and without empty cells, if discs can lie like that on a board of this size.

    :raises SetupError: it has another size, a disc floats, or something in it is no disc.
    """
    _discs(rules, grid)
    return tuple(column.rstrip(EMPTY_CELL).upper() for column in grid)


def parse_position(text: str, rules: RuleSet) -> Position:
    """Read a position: a line of columns, or a drawing, and the side to move.

    The line has the columns from the left, each from the bottom up, between slashes, then the side: ``XO/X///// O``.
    The drawing has a row a line, the top row first, with spaces as you like, and the side on a line of its own::

        . . . .
        . O . .
        X X . O
        O to move

    The side is ``X``, ``O``, ``red`` or ``yellow``. It must be there: it is never guessed from the discs. Where discs
    in hand are counted, ``hands=19,20`` may follow: those of red and of yellow.

    :raises NotationError: it cannot be read; names line and column.
    :raises SetupError: it is impossible.
    """
    lines = [(number, line) for number, line in enumerate(LINE_END.split(text), 1) if line.strip()]
    if not lines:
        raise NotationError(Message("The position is missing. Write for example {example}.", example="X/O///// X"))
    number, line = lines[-1]
    if len(lines) > 1:
        turn, hands = _side(line, 0, number)
        return set_up(rules, _drawing(lines[:-1], rules), turn, hands)
    end = len(line) - len(line.lstrip()) + len(line.split()[0])
    turn, hands = _side(line, end, number)
    return set_up(rules, _columns(line[:end], number), turn, hands)


def position_text(position: Position) -> str:
    """The position as one line that `parse_position` reads."""
    # A lone empty column would be no word at all.
    words = ["/".join(position.grid) or EMPTY_CELL, position.turn.letter]
    if position.hands is not None:
        words.append(f"hands={position.in_hand(RED)},{position.in_hand(YELLOW)}")
    return " ".join(words)


def draw(position: Position) -> str:
    """The position as a drawing, the top row first, with ``.`` for an empty cell; without the side to move."""
    grid = [column.ljust(position.rules.rows, EMPTY_CELL) for column in position.grid]
    return "\n".join(" ".join(column[row] for column in grid) for row in reversed(range(position.rules.rows)))


# Reading


def _columns(text: str, number: int) -> tuple[str, ...]:
    for place, letter in enumerate(text, 1):
        if letter not in _MARKS and letter not in "/" + EMPTY_CELL and not letter.isspace():
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
            if letter not in _MARKS and letter != EMPTY_CELL:
                raise NotationError(
                    Message('"{letter}" is no cell. Write X (red), O (yellow) or . (empty).', letter=excerpt(letter)),
                    line=number,
                    column=place,
                )
            cells += letter
        if len(cells) != rules.columns:
            raise NotationError(
                Message(
                    "This row has one cell, but the grid is {columns}x{rows} (columns x rows).",
                    plural="This row has {count} cells, but the grid is {columns}x{rows} (columns x rows).",
                    count=len(cells),
                    columns=rules.columns,
                    rows=rules.rows,
                ),
                line=number,
                reason=NotThisGrid.code,
            )
        rows.append(cells)
    if len(rows) != rules.rows:
        raise NotationError(
            Message(
                "The drawing has one row, but the grid is {columns}x{rows} (columns x rows). Draw every row.",
                plural="The drawing has {count} rows, but the grid is {columns}x{rows} (columns x rows). "
                "Draw every row, and no more.",
                count=len(rows),
                columns=rules.columns,
                rows=rules.rows,
            ),
            line=lines[0][0],
            reason=NotThisGrid.code,
        )
    return tuple("".join(row[column] for row in reversed(rows)) for column in range(rules.columns))


def _side(line: str, begin: int, number: int) -> tuple[Side, tuple[int, int] | None]:
    """The side to move, and the discs in hand if they are given, from `line` after its first `begin` letters."""
    words = line[begin:].split()
    if not words or words[0].lower() not in _SIDES or _is_a_row(words):
        raise NotationError(
            Message("The side to move is missing. Write X (red) or O (yellow) after the position."),
            line=number,
            column=line.index(words[0], begin) + 1 if words else len(line) + 1,
        )
    rest = words[3:] if [word.lower() for word in words[1:3]] == ["to", "move"] else words[1:]
    hands = _HANDS.fullmatch(rest[0].lower()) if len(rest) == 1 else None
    if rest and not hands:
        raise NotationError(
            Message(
                '"{words}" after the side to move cannot be read. Leave it out. '
                "Only the discs in hand may follow there, for example hands=19,20 (red's, then yellow's).",
                words=excerpt(" ".join(rest)),
            ),
            line=number,
            column=line.index(rest[0], line.index(words[0], begin) + len(words[0])) + 1,
        )
    return _SIDES[words[0].lower()], (int(hands[1]), int(hands[2])) if hands else None


def _is_a_row(words: list[str]) -> bool:
    """Whether a line that should say the side to move is one more row of a drawing."""
    return len(words) > 1 and all(word in _MARKS or word == EMPTY_CELL for word in words)


# Judging


def _discs(rules: RuleSet, grid: tuple[str, ...]) -> dict[Side, int]:
    if len(grid) != rules.columns:
        raise NotThisGrid(
            Message(
                "The position has one column, but the grid is {columns}x{rows} (columns x rows). "
                "Write every column, empty ones too.",
                plural="The position has {count} columns, but the grid is {columns}x{rows} (columns x rows). "
                "Write every column, empty ones too.",
                count=len(grid),
                columns=rules.columns,
                rows=rules.rows,
            )
        )
    discs = {RED: 0, YELLOW: 0}
    for column, text in enumerate(grid, 1):
        cells = text.rstrip(EMPTY_CELL)
        if len(cells) > rules.rows:
            raise NotThisGrid(
                Message(
                    "Column {column} has {found} discs, but there is room for {rows}. Take the discs on top out.",
                    column=column,
                    found=len(cells),
                    rows=rules.rows,
                )
            )
        for row, mark in enumerate(cells, 1):
            if mark == EMPTY_CELL:
                raise FloatingDisc(
                    Message(
                        "A disc floats in column {column}: row {row} under it is empty. "
                        "Let the disc fall, or fill the empty cell.",
                        column=column,
                        row=row,
                    )
                )
            if mark not in _MARKS:
                raise SetupError(
                    Message(
                        'Column {column}, row {row}: "{disc}" is no disc. Write X (red), O (yellow) or . (empty).',
                        column=column,
                        row=row,
                        disc=excerpt(mark),
                    )
                )
            discs[_MARKS[mark]] |= rules.grid.bit(column, row)
    return discs


def _hands(rules: RuleSet, discs: dict[Side, int], hands: tuple[int, int] | None) -> tuple[int, int] | None:
    if not rules.supply:
        if hands is not None:
            raise DiscsInHand(
                Message('These rules do not count the discs in hand. Leave "hands" out, or add the option "supply=21".')
            )
        return None
    on_grid = tuple(discs[side].bit_count() for side in (RED, YELLOW))
    for side, number in zip((RED, YELLOW), on_grid, strict=True):
        if number > rules.supply:
            raise TooManyDiscs(Message(_TOO_MANY_ON_THE_GRID[side], discs=number, supply=rules.supply))
    if hands is None:
        return rules.supply - on_grid[0], rules.supply - on_grid[1]
    for side, number, hand in zip((RED, YELLOW), on_grid, hands, strict=True):
        left = rules.supply - number
        if not (0 <= hand <= left if rules.pops else hand == left):
            raise DiscsInHand(Message(_WRONG_HAND[side], hand=excerpt(hand), discs=number, supply=rules.supply))
    return hands


def _check_not_decided(position: Position) -> None:
    for side in (RED, YELLOW):
        if lines := position.lines(side):
            (first_column, first_row), (last_column, last_row) = lines[0][0], lines[0][-1]
            raise AlreadyDecided(
                Message(
                    _HAS_A_LINE[side],
                    length=len(lines[0]),
                    first_column=first_column,
                    first_row=first_row,
                    last_column=last_column,
                    last_row=last_row,
                )
            )
    if position.is_full and position.rules.full_grid == "draw":
        raise AlreadyDecided(
            Message("The grid is full, so this game is over. Take a disc out of the position, or begin a new game.")
        )


def _check_counts(position: Position) -> None:
    rules = position.rules
    red, yellow = position.red.bit_count(), position.yellow.bit_count()
    if not rules.pops:
        first, second = (red, yellow) if rules.starter is RED else (yellow, red)
        if not 0 <= first - second <= 1:
            raise TooManyDiscs(Message(_DOES_NOT_ALTERNATE[rules.starter], red=red, yellow=yellow))
    elif rules.turn_may_pass:
        return  # a side that was passed over made fewer moves: the counts say nothing
    # Every move puts one disc in or takes one out, so an even number of discs means an even number of moves.
    expected = rules.starter if (red + yellow) % 2 == 0 else rules.starter.other
    if position.turn is not expected:
        text, plural = _WRONG_SIDE[expected]
        raise WrongSideToMove(Message(text, plural=plural, count=red + yellow))


def _check_can_move(position: Position) -> None:
    if position.legal_moves:
        return
    if not position.turned().legal_moves:
        raise AlreadyDecided(Message("Neither side can move, so this game is over. Set up another position."))
    raise CannotMove(Message(_CANNOT_MOVE[position.turn]))


_HAS_A_LINE = {
    RED: "Red has {length} in a row already, from column {first_column}, row {first_row} "
    "to column {last_column}, row {last_row}, so this game is over. Take one of these discs out of the position.",
    YELLOW: "Yellow has {length} in a row already, from column {first_column}, row {first_row} "
    "to column {last_column}, row {last_row}, so this game is over. Take one of these discs out of the position.",
}
_TOO_MANY_ON_THE_GRID = {
    RED: "Red has {discs} discs on the grid, but only {supply} in all (rule supply={supply}). Take some out.",
    YELLOW: "Yellow has {discs} discs on the grid, but only {supply} in all (rule supply={supply}). Take some out.",
}
_WRONG_HAND = {
    RED: "Red cannot have {hand} in hand and {discs} on the grid: there are {supply} in all (rule supply={supply}).",
    YELLOW: "Yellow cannot have {hand} in hand and {discs} on the grid: there are {supply} in all "
    "(rule supply={supply}).",
}
_DOES_NOT_ALTERNATE = {
    RED: "Discs on the grid: red {red}, yellow {yellow}. Red began and discs never leave this game, "
    "so red must have as many as yellow, or one more.",
    YELLOW: "Discs on the grid: red {red}, yellow {yellow}. Yellow began and discs never leave this game, "
    "so yellow must have as many as red, or one more.",
}
_WRONG_SIDE = {
    RED: (
        "With one disc on the grid it is red's turn, not yellow's. Let red move, or correct the discs.",
        "With {count} discs on the grid it is red's turn, not yellow's. Let red move, or correct the discs.",
    ),
    YELLOW: (
        "With one disc on the grid it is yellow's turn, not red's. Let yellow move, or correct the discs.",
        "With {count} discs on the grid it is yellow's turn, not red's. Let yellow move, or correct the discs.",
    ),
}
_CANNOT_MOVE = {
    RED: "Red cannot move in this position. Give the turn to yellow.",
    YELLOW: "Yellow cannot move in this position. Give the turn to red.",
}
