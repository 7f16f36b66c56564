"""What a position is made of, and what can be seen of it without asking a rule."""

from __future__ import annotations

from typing import NamedTuple

from popout.rules.errors import NoSuchCell
from popout.rules.grid import Line
from popout.rules.judge import Ended
from popout.rules.messages import Message, excerpt
from popout.rules.outcome import Outcome
from popout.rules.phases import Extra, Phase
from popout.rules.ruleset import RuleSet
from popout.rules.side import RED, YELLOW, Side


class State(NamedTuple):
    """The fields of a `Position`, and what they show.

    A tuple, since it cannot be changed and is the cheapest object that Python makes.

    :ivar rules: the rule set.
    :ivar own: the discs of the side to move, :ivar other: those of the other side, as bits (see `popout.rules.grid`).
    :ivar turn: the side to move. It is stored, never counted from the discs. After the end: whose turn it would be.
    :ivar ended: why the game is over, None while it is not; `outcome` says it with the lines.
    :ivar hands: the discs that the side to move and the other still have in hand; None where they are not counted.
    :ivar extra: what a game with phases keeps beside that; None in the others.
    """

    rules: RuleSet
    own: int
    other: int
    turn: Side
    ended: Ended | None
    hands: tuple[int, int] | None
    extra: Extra | None

    @property
    def red(self) -> int:
        """Red's discs as bits."""
        return self.own if self.turn is RED else self.other

    @property
    def yellow(self) -> int:
        """Yellow's discs as bits."""
        return self.own if self.turn is YELLOW else self.other

    @property
    def grid(self) -> tuple[str, ...]:
        """The discs: one text a column from the left, each from the bottom up, ``X`` red and ``O`` yellow."""
        red, occupied = self.red, self.own | self.other
        columns = []
        for bottom, cells in self.rules.grid.every_slot.values():
            height = (occupied & cells).bit_count()
            columns.append("".join("X" if red & bottom << row else "O" for row in range(height)))
        return tuple(columns)

    @property
    def playable_grid(self) -> tuple[str, ...]:
        """As `grid`, without filled outer columns: what lies in the columns of a board."""
        outer = self.rules.first_column - 1
        return self.grid[outer : outer + self.rules.columns]

    def disc(self, column: int, row: int) -> Side | None:
        """Whose disc is in a cell, None for an empty one.

        :raises NoSuchCell: the grid has no such cell.
        """
        rules = self.rules
        if not (1 <= column <= rules.width and 1 <= row <= rules.rows):
            raise NoSuchCell(
                Message(
                    "There is no cell in column {column}, row {row}: the grid is {columns}x{rows} (columns x rows).",
                    column=excerpt(column),
                    row=excerpt(row),
                    columns=rules.width,
                    rows=rules.rows,
                )
            )
        bit = self.rules.grid.bit(column, row)
        return RED if self.red & bit else YELLOW if self.yellow & bit else None

    def in_hand(self, side: Side) -> int | None:
        """How many discs `side` has still to drop; None where they are not counted."""
        return None if self.hands is None else self.hands[0 if side is self.turn else 1]

    def lines(self, side: Side) -> tuple[Line, ...]:
        """Every line of `side` on the grid; see `Grid.lines`."""
        return self.rules.grid.lines(self.red if side is RED else self.yellow)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on.

        Draws by repetition and by agreement are the game's, not the position's: see `popout.rules.game`.
        """
        ended = self.ended
        if ended is None:
            return None
        return Outcome(*ended, red_lines=self.lines(RED), yellow_lines=self.lines(YELLOW))

    @property
    def is_full(self) -> bool:
        """Whether no cell is free."""
        return self.own | self.other == self.rules.grid.full

    @property
    def phase(self) -> Phase:
        """Which step is waited for."""
        return Phase.PLAY if self.extra is None else self.extra.phase
