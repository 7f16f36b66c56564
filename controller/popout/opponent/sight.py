"""What somebody who looks just one move ahead can see: own wins, and what the other side could win by."""

from __future__ import annotations

from enum import Enum

from popout.rules import Drop, Move, Position


class Sight(Enum):
    """What there can be to see; people see some of it sooner than other."""

    OWN_WIN = "own win"
    """A move that wins at once."""
    VERTICAL = "vertical"
    """A drop of the other side that would win in a column."""
    HORIZONTAL = "horizontal"
    """The same in a row."""
    DIAGONAL = "diagonal"
    """The same on a diagonal."""
    POP = "pop"
    """A pop of the other side that would win, or something rarer."""
    OWN_POP = "own pop"
    """An own pop that makes a line for the other side."""


def winning_moves(position: Position) -> dict[Move, Sight]:
    """The moves that win at once, and what kind of win it would be to the other side."""
    found = {}
    for move in position.legal_moves:
        after = position.play(move)
        if after.ended is not None and after.ended.winner is position.turn:
            found[move] = _kind(position, move, after)
    return found


def dangers(position: Position, move: Move) -> frozenset[Sight]:
    """What is to be seen against a move: each kind of win by which the other side could answer it at once."""
    after = position.play(move)
    if after.ended is not None:
        loses = after.ended.winner is position.turn.other
        return frozenset({Sight.OWN_POP}) if loses else frozenset()
    if after.turn is position.turn:
        return frozenset()
    return frozenset(winning_moves(after).values())


def _kind(position: Position, move: Move, after: Position) -> Sight:
    if not isinstance(move, Drop):
        return Sight.POP
    landed = (move.column, len(position.grid[move.column - 1]) + 1)
    ways = {
        (line[1][0] - line[0][0], line[1][1] - line[0][1])
        for line in after.lines(position.turn)
        if landed in line and len(line) > 1
    }
    if (0, 1) in ways:
        return Sight.VERTICAL
    return Sight.HORIZONTAL if (1, 0) in ways else Sight.DIAGONAL
