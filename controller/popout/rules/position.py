"""A position: the discs on the grid, the side to move, and what the rules need beside them."""

from __future__ import annotations

from typing import NamedTuple

from popout.rules.errors import (
    ColumnFull,
    GameOver,
    IllegalMove,
    NoDiscsLeft,
    NoSuchCell,
    NoSuchColumn,
    NothingToClaim,
    NothingToPop,
    NotYourDisc,
    PopsNotInThisGame,
)
from popout.rules.grid import Line
from popout.rules.messages import Message, excerpt
from popout.rules.moves import Claim, Drop, Move, Pop
from popout.rules.outcome import Outcome, Termination
from popout.rules.ruleset import RuleSet
from popout.rules.side import RED, YELLOW, Side

# A position is made in every move, and a name is found faster than an attribute.
_new = tuple.__new__


class _Ended(NamedTuple):
    termination: Termination
    winner: Side | None


class _State(NamedTuple):
    rules: RuleSet
    own: int
    other: int
    turn: Side
    ended: _Ended | None
    hands: tuple[int, int] | None


class Position(_State):
    """A value: immutable, hashable, equal to any other position in which the same can happen.

    :ivar rules: the rule set.
    :ivar own: the discs of the side to move, :ivar other: those of the other side, as bits (see `popout.rules.grid`).
    :ivar turn: the side to move. It is stored, never counted from the discs. After the end: whose turn it would be.
    :ivar ended: why the game is over, None while it is not; `outcome` says it with the lines.
    :ivar hands: the discs that the side to move and the other still have in hand; None where they are not counted.
    """

    # A tuple inside: it cannot be changed, and is the cheapest object that Python makes.
    __slots__ = ()

    @classmethod
    def start(cls, rules: RuleSet) -> Position:
        """The position before the first move."""
        hands = (rules.supply, rules.supply) if rules.supply else None
        return cls(rules, 0, 0, rules.starter, None, hands)

    # What can be seen

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
        for bottom, cells in self.rules.grid.slots.values():
            height = (occupied & cells).bit_count()
            columns.append("".join("X" if red & bottom << row else "O" for row in range(height)))
        return tuple(columns)

    def disc(self, column: int, row: int) -> Side | None:
        """Whose disc is in a cell, None for an empty one.

        :raises NoSuchCell: the grid has no such cell.
        """
        rules = self.rules
        if not (1 <= column <= rules.columns and 1 <= row <= rules.rows):
            raise NoSuchCell(
                Message(
                    "There is no cell in column {column}, row {row}: the grid is {columns}x{rows} (columns x rows).",
                    column=excerpt(column),
                    row=excerpt(row),
                    columns=rules.columns,
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

    # What can be done

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move: the drops from the left, then the pops, then the claim. Empty after the end."""
        rules, own, other, _, ended, hands = self
        if ended is not None:
            return ()
        grid = rules.grid
        moves: tuple[Move, ...] = ()
        if hands is None or hands[0]:
            moves = grid.drops((own | other) & grid.tops)
        if rules.pops:
            moves += grid.pops(own & grid.bottoms)
            if rules.full_grid == "claim" and self.is_full:
                moves += (Claim(),)
        return moves

    def play(self, move: Move) -> Position:
        """The position after `move` of the side to move.

        :raises IllegalMove: the move is not allowed here; which rule, the error says. Nothing has changed.
        """
        kind = type(move)
        if kind is Drop:
            return self.drop(move.column)  # type: ignore[union-attr]
        if kind is Pop:
            return self.pop(move.column)  # type: ignore[union-attr]
        if kind is Claim:
            return self.claim()
        raise TypeError(f"a move is a Drop, a Pop or a Claim, not {move!r}")

    def drop(self, column: int) -> Position:
        """The position after the side to move drops a disc into `column`.

        A line of its own wins, also by the last disc; lines are judged before the full grid.

        :raises GameOver: the game has ended.
        :raises NoSuchColumn: the grid has no such column.
        :raises ColumnFull: there is no room.
        :raises NoDiscsLeft: discs are counted and the side to move has none.

        Source: the rule text, "The original".
        """
        rules, own, other, turn, ended, hands = self
        grid = rules.grid
        try:
            bottom, cells = grid.slots[column]
        except KeyError:
            raise self._no_move_there(column) from None
        if ended is not None:
            raise self._no_move_there(column)
        occupied = own | other
        # Adding the bottom bit carries through the pile to the first free cell.
        disc = occupied + bottom & cells
        if not disc:
            raise ColumnFull(Message("Column {column} is full. Choose another column.", column=column))
        if hands is not None:
            if not hands[0]:
                raise NoDiscsLeft(_NO_DISCS_LEFT[turn])
            hands = (hands[1], hands[0] - 1)
        own |= disc
        if grid.has_line(own):
            ended = _LINE[turn]
        elif occupied | disc == grid.full and rules.full_grid == "draw":
            ended = _FULL
        after = _new(Position, (rules, other, own, YELLOW if turn is RED else RED, ended, hands))
        if rules.turn_may_pass:
            return after._with_a_move()
        return after

    def pop(self, column: int) -> Position:
        """The position after the side to move pops its own disc from the bottom of `column`.

        Everything above comes down one row; the popped disc leaves the game. Lines for both sides win for the one that
        popped (option ``both-lines``), a line only for the other side wins for that side, an emptied grid is a draw
        (option ``empty-grid``).

        :raises GameOver: the game has ended.
        :raises PopsNotInThisGame: the game has no pops.
        :raises NoSuchColumn: the grid has no such column.
        :raises NothingToPop: the column is empty.
        :raises NotYourDisc: the bottom disc is the opponent's.

        Source: the rule text, "Pop Out".
        """
        rules, own, other, turn, ended, hands = self
        grid = rules.grid
        slot = grid.slots.get(column)
        if ended is not None or slot is None or not rules.pops:
            raise self._no_move_there(column, pop=True)
        bottom, cells = slot
        if not own & bottom:
            if other & bottom:
                raise NotYourDisc(_NOT_YOUR_DISC[turn](column))
            raise NothingToPop(Message("Column {column} is empty: there is nothing to pop.", column=column))
        own ^= own & cells ^ (own & cells) >> 1 & cells
        other ^= other & cells ^ (other & cells) >> 1 & cells
        if grid.has_line(own):
            ended = _BOTH_LINES[rules.both_lines][turn] if grid.has_line(other) else _LINE[turn]
        elif grid.has_line(other):
            ended = _OPPONENT_LINE[turn]
        elif not own | other and rules.empty_grid == "draw":
            ended = _EMPTY
        if hands is not None:
            hands = (hands[1], hands[0])
        after = _new(Position, (rules, other, own, YELLOW if turn is RED else RED, ended, hands))
        if rules.turn_may_pass:
            return after._with_a_move()
        return after

    def claim(self) -> Position:
        """The position after the side to move claims the draw on a full grid.

        :raises GameOver: the game has ended.
        :raises NothingToClaim: the grid is not full, or the rules know no claim.

        Source: the option ``full-grid``.
        """
        if self.ended is not None:
            raise self._no_move_there(None)
        if self.rules.full_grid != "claim":
            raise NothingToClaim(
                Message('A draw cannot be claimed by these rules. The option "full-grid=claim" would allow it.')
            )
        if not self.is_full:
            raise NothingToClaim(Message("A draw can be claimed only when the grid is full."))
        return self.turned()._replace(ended=_CLAIM)

    def turned(self) -> Position:
        """The same discs with the other side to move. No rule is asked: this is no move."""
        rules, own, other, turn, ended, hands = self
        return Position(rules, other, own, turn.other, ended, hands and hands[::-1])

    # Private helpers

    def _with_a_move(self) -> Position:
        """This position, or with the turn passed on if the side to move cannot move; a draw if nobody can."""
        if self.ended is not None or self.legal_moves:
            return self
        passed = self.turned()
        return passed if passed.legal_moves else self._replace(ended=_STUCK)

    def _no_move_there(self, column: int | None, *, pop: bool = False) -> IllegalMove:
        if self.ended is not None:
            return GameOver(Message("The game is over. Start a new game to play on."))
        if pop and not self.rules.pops:
            return PopsNotInThisGame(
                Message("There are no pops in this game. Drop a disc instead, or start a game of Pop Out.")
            )
        return NoSuchColumn(
            Message(
                "There is no column {column}. Choose a column from 1 to {last}.",
                column=excerpt(column),
                last=self.rules.columns,
            )
            if self.rules.columns > 1
            else Message("There is no column {column}. The grid has only column 1.", column=excerpt(column))
        )


_LINE = {side: _Ended(Termination.LINE, side) for side in Side}
_OPPONENT_LINE = {side: _Ended(Termination.OPPONENT_LINE, side.other) for side in Side}
_BOTH_LINES = {
    "mover": {side: _Ended(Termination.BOTH_LINES, side) for side in Side},
    "draw": {side: _Ended(Termination.BOTH_LINES, None) for side in Side},
    "other": {side: _Ended(Termination.BOTH_LINES, side.other) for side in Side},
}
_FULL = _Ended(Termination.FULL, None)
_EMPTY = _Ended(Termination.EMPTY, None)
_STUCK = _Ended(Termination.STUCK, None)
_CLAIM = _Ended(Termination.CLAIM, None)

_NO_DISCS_LEFT = {
    RED: Message("Red has no discs left to drop. Pop one of your own."),
    YELLOW: Message("Yellow has no discs left to drop. Pop one of your own."),
}
_NOT_YOUR_DISC = {
    RED: lambda column: Message(
        "Column {column}: the bottom disc is yellow's. You may pop only your own.", column=column
    ),
    YELLOW: lambda column: Message(
        "Column {column}: the bottom disc is red's. You may pop only your own.", column=column
    ),
}
