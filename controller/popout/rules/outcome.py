"""How a game ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from popout.rules.grid import Line
from popout.rules.side import RED, Side


class Termination(Enum):
    """Why a game ended. The values are stable codes.

    Source: the rule text; `REPETITION`, `MOVE_CAP`, `CLAIM` and `STUCK` occur with options only.
    """

    LINE = "line"
    """The side that moved has a line, and only it."""
    BOTH_LINES = "both-lines"
    """A pop, an anvil or a bomb made lines for both sides."""
    OPPONENT_LINE = "opponent-line"
    """A pop, an anvil or a bomb made a line for the other side only, which wins."""
    FULL = "full"
    """The grid is full without a line."""
    EMPTY = "empty"
    """A pop emptied the grid."""
    TEN = "ten"
    """A side has kept as many discs as it takes to win Pop 10."""
    STUCK = "stuck"
    """Nobody can move."""
    CLAIM = "claim"
    """A draw was claimed on a full grid."""
    REPETITION = "repetition"
    """The position stood as often as the rules allow."""
    MOVE_CAP = "move-cap"
    """The game was as long as the rules allow."""
    AGREED = "agreed"
    """The players agreed on a draw."""
    RESIGNED = "resigned"
    """A player gave up."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: why, who won (None: a draw), and every line on the grid.

    The lines do not count when outcomes are compared.
    """

    termination: Termination
    winner: Side | None = None
    red_lines: tuple[Line, ...] = field(default=(), compare=False)
    yellow_lines: tuple[Line, ...] = field(default=(), compare=False)

    def lines(self, side: Side) -> tuple[Line, ...]:
        """The lines of `side`, each a tuple of cells ``(column, row)``; see `Grid.lines`."""
        return self.red_lines if side is RED else self.yellow_lines
