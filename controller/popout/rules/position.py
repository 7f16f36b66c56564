"""A position: the discs on the grid, the side to move, and what the rules need beside them."""

from __future__ import annotations

from popout.rules import judge, pop10, power
from popout.rules.errors import (
    ColumnFull,
    FlankColumn,
    GameOver,
    IllegalMove,
    NoDiscsLeft,
    NoSuchColumn,
    NothingToClaim,
    NothingToPop,
    NotYourDisc,
    PopsNotInThisGame,
    PowerDiscsNotInThisGame,
)
from popout.rules.judge import Ended
from popout.rules.messages import N_, Message, excerpt
from popout.rules.moves import Claim, Drop, Move, Pop, Power, PowerDisc
from popout.rules.phases import Extra
from popout.rules.ruleset import RuleSet
from popout.rules.side import RED, YELLOW, Side
from popout.rules.state import State

# A position is made in every move, and a name is found faster than an attribute.
_new = tuple.__new__


class Position(State):
    """A value: immutable, hashable, equal to any other position in which the same can happen.

    Its fields and what can be seen of it are those of `State`.
    """

    __slots__ = ()

    @classmethod
    def start(cls, rules: RuleSet) -> Position:
        """The position before the first move."""
        hands = (rules.supply, rules.supply) if rules.supply else None
        red, yellow = flank_discs(rules)
        own, other = (red, yellow) if rules.starter is RED else (yellow, red)
        return cls(rules, own, other, rules.starter, None, hands, pop10.start_of(rules) or power.start_of(rules))

    # What the games with phases show

    def kept(self, side: Side) -> int:
        """Pop 10: how many discs `side` has kept; 0 in other games."""
        if not isinstance(self.extra, pop10.Pop10):
            return 0
        return self.extra.kept if side is self.turn else self.extra.kept_other

    def powers_left(self, side: Side) -> frozenset[PowerDisc]:
        """Power Up: the power discs that `side` still has; none in other games."""
        if not isinstance(self.extra, power.PowerUp):
            return frozenset()
        return self.extra.left if side is self.turn else self.extra.left_other

    # What can be done

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move: the drops from the left, then the pops, the power discs, the claim. Empty after the end."""
        if self.ended is not None:
            return ()
        if self.extra is not None:
            return self.extra.legal_moves(self)
        return self.ordinary_moves

    @property
    def ordinary_moves(self) -> tuple[Move, ...]:
        """The moves of the original and of Pop Out, whatever is waited for."""
        rules, own, other, _, _, hands, _ = self
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
        if kind is Power:
            return self.power(move)  # type: ignore[arg-type]
        if kind is Claim:
            return self.claim()
        raise TypeError(f"a move is a Drop, a Pop, a Power or a Claim, not {move!r}")

    def drop(self, column: int) -> Position:
        """The position after the side to move drops a disc into `column`.

        A line of its own wins, also by the last disc; lines are judged before the full grid.

        :raises GameOver: the game has ended.
        :raises NoSuchColumn: the grid has no such column.
        :raises ColumnFull: there is no room.
        :raises NoDiscsLeft: discs are counted and the side to move has none.

        Source: the rule text, "The original".
        """
        rules, own, other, turn, ended, hands, extra = self
        if extra is not None:
            return extra.drop(self, column)
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
            raise _column_full(column)
        if hands is not None:
            if not hands[0]:
                raise NoDiscsLeft(self.no_discs_left)
            hands = (hands[1], hands[0] - 1)
        own |= disc
        # As `judge.after_drop` does; written out, since this is what a search does most.
        if grid.has_line(own):
            ended = judge.LINE[turn]
        elif occupied | disc == grid.full and rules.full_grid == "draw":
            ended = judge.FULL
        after = _new(Position, (rules, other, own, YELLOW if turn is RED else RED, ended, hands, None))
        if rules.turn_may_pass:
            return after.with_a_move()
        return after

    def pop(self, column: int) -> Position:
        """The position after the side to move pops its own disc from the bottom of `column`.

        Everything above comes down one row; the popped disc leaves the game. Lines for both sides win for the one that
        popped (option ``both-lines``), a line only for the other side wins for that side, an emptied grid is a draw
        (option ``empty-grid``). What a pop is in Pop 10, `popout.rules.pop10` says.

        :raises GameOver: the game has ended.
        :raises PopsNotInThisGame: the game has no pops.
        :raises NoSuchColumn: the grid has no such column.
        :raises FlankColumn: the column is a filled flank of 5-in-a-Row.
        :raises NothingToPop: the column is empty.
        :raises NotYourDisc: the bottom disc is the opponent's.

        Source: the rule text, "Pop Out".
        """
        rules, own, other, turn, ended, hands, extra = self
        if extra is not None:
            return extra.pop(self, column)
        self.check_pops()
        _, cells = self.playable(column)
        self.check_own_disc(column)
        own ^= pop10.fallen(own, cells)
        other ^= pop10.fallen(other, cells)
        ended = judge.after_removal(rules, own, other, turn)
        if hands is not None:
            hands = (hands[1], hands[0])
        after = _new(Position, (rules, other, own, YELLOW if turn is RED else RED, ended, hands, None))
        if rules.turn_may_pass:
            return after.with_a_move()
        return after

    def power(self, move: Power) -> Position:
        """The position after the side to move drops a power disc.

        The turn may go on: then `phase` says what with, and the same side is to move.

        :raises GameOver: the game has ended.
        :raises PowerDiscsNotInThisGame: the game has none, or not this one.
        :raises IllegalMove: it cannot be played here; see `popout.rules.power`.

        Source: the rule text, "Power Up".
        """
        if self.ended is not None:
            raise self._no_move_there(None)
        if not isinstance(self.extra, power.PowerUp):
            raise PowerDiscsNotInThisGame(
                Message("There are no power discs in this game. Drop a disc, or start a game of Power Up.")
            )
        return self.extra.power(self, move)

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
        if self.phase.follows:
            raise NothingToClaim(Message("A draw cannot be claimed in the middle of a turn. Finish your turn first."))
        return self.turned()._replace(ended=judge.CLAIM)

    def turned(self) -> Position:
        """The same discs with the other side to move. No rule is asked: this is no move."""
        rules, own, other, turn, ended, hands, extra = self
        return Position(rules, other, own, turn.other, ended, hands and hands[::-1], extra and extra.turned())

    # Parts of moves, for the games with phases

    def turn_over(
        self, own: int, other: int, ended: Ended | None, hands: tuple[int, int] | None, extra: Extra | None
    ) -> Position:
        """The position after a turn of the side to move; what is given is still as that side sees it."""
        rules, turn = self.rules, self.turn
        after = _new(
            Position,
            (
                rules,
                other,
                own,
                YELLOW if turn is RED else RED,
                ended,
                hands and (hands[1], hands[0]),
                extra and extra.turned(),
            ),
        )
        return after.with_a_move() if rules.turn_may_pass else after

    def turn_goes_on(self, own: int, other: int, extra: Extra) -> Position:
        """The position after a step that another one of the same side follows."""
        rules, _, _, turn, _, hands, _ = self
        return _new(Position, (rules, own, other, turn, None, hands, extra))

    def playable(self, column: int) -> tuple[int, int]:
        """The bottom bit and the mask of the cells of a column in which something may be done now.

        :raises GameOver, FlankColumn, NoSuchColumn: nothing may.
        """
        slot = self.rules.grid.slots.get(column)
        if slot is None or self.ended is not None:
            raise self._no_move_there(column)
        return slot

    def landing(self, column: int) -> int:
        """The bit of the cell in which a disc would land.

        :raises ColumnFull: there is none. :raises GameOver, FlankColumn, NoSuchColumn: see `playable`.
        """
        bottom, cells = self.playable(column)
        disc = (self.own | self.other) + bottom & cells
        if not disc:
            raise _column_full(column)
        return disc

    def check_pops(self) -> None:
        """Refuse a pop after the end and where the game has none.

        :raises GameOver, PopsNotInThisGame: see there.
        """
        if self.ended is not None:
            raise self._no_move_there(None)
        if not self.rules.pops:
            raise PopsNotInThisGame(
                Message("There are no pops in this game. Close the bar and drop a disc, or start a game of Pop Out.")
            )

    def check_own_disc(self, column: int) -> None:
        """Refuse a pop of anything but an own disc.

        :raises NothingToPop: the column is empty. :raises NotYourDisc: its bottom disc is the opponent's.
        """
        bottom = self.rules.grid.slots[column][0]
        if self.own & bottom:
            return
        if self.other & bottom:
            raise NotYourDisc(Message(_NOT_YOUR_DISC[self.turn], column=column))
        raise NothingToPop(Message("Column {column} is empty: there is nothing to pop.", column=column))

    @property
    def may_drop(self) -> bool:
        """Whether the side to move has an ordinary disc in hand."""
        return self.hands is None or self.hands[0] > 0

    @property
    def no_discs_left(self) -> Message:
        """That the side to move has none."""
        return (_NO_DISCS_LEFT if self.rules.pops else _ONLY_POWER_DISCS_LEFT)[self.turn]

    def with_a_move(self) -> Position:
        """This position, or with the turn passed on if the side to move cannot move; a draw if nobody can."""
        if self.ended is not None or self.legal_moves:
            return self
        passed = self.turned()
        return passed if passed.legal_moves else self._replace(ended=judge.STUCK)

    def _no_move_there(self, column: int | None) -> IllegalMove:
        if self.ended is not None:
            return GameOver(Message("The game is over. Start a new game to play on."))
        rules = self.rules
        if rules.first_column > 1 and column in (1, rules.width):
            return FlankColumn(
                Message(
                    "Column {column} is a filled outer column: its discs stay. Choose a column from 2 to {last}.",
                    column=str(column),
                    last=rules.width - 1,
                )
            )
        last = rules.first_column + rules.columns - 1
        return NoSuchColumn(
            Message(
                "There is no column {column}. Choose a column from {first} to {last}.",
                column=excerpt(column),
                first=rules.first_column,
                last=last,
            )
            if rules.columns > 1
            else Message(
                "There is no column {column}. The grid has only column {first}.",
                column=excerpt(column),
                first=rules.first_column,
            )
        )


def flank_discs(rules: RuleSet) -> tuple[int, int]:
    """Red's and yellow's discs in the filled outer columns: alternating, the option ``flanks`` naming the lowest ones.

    Source: the rule text, "5-in-a-Row".
    """
    red = 0
    if rules.first_column > 1:
        for column, lowest in ((1, rules.flanks[0]), (rules.width, rules.flanks[1])):
            for row in range(1 if lowest == "R" else 2, rules.rows + 1, 2):
                red |= rules.grid.bit(column, row)
    return red, rules.grid.flanks ^ red


def _column_full(column: int) -> ColumnFull:
    return ColumnFull(Message("Column {column} is full. Choose another column.", column=column))


_NO_DISCS_LEFT = {
    RED: Message("Red has no discs left to drop. Pop one of your own."),
    YELLOW: Message("Yellow has no discs left to drop. Pop one of your own."),
}
_ONLY_POWER_DISCS_LEFT = {
    RED: Message("Red has no ordinary discs left to drop. Play a power disc."),
    YELLOW: Message("Yellow has no ordinary discs left to drop. Play a power disc."),
}
_NOT_YOUR_DISC = N_(
    {
        RED: "Column {column}: the bottom disc is yellow's. You may pop only your own.",
        YELLOW: "Column {column}: the bottom disc is red's. You may pop only your own.",
    }
)
