"""Pop 10: the grid is filled row by row, then discs are popped: one that was part of a line is kept, others go back.

Source: the rule text, "Pop 10".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from popout.rules import judge
from popout.rules.errors import (
    DropFirst,
    FillFirst,
    PopFirst,
    PutBackSameColumn,
    RowNotFull,
)
from popout.rules.messages import Message
from popout.rules.moves import Move
from popout.rules.phases import Phase
from popout.rules.ruleset import RuleSet
from popout.rules.side import RED, YELLOW, Side

if TYPE_CHECKING:
    from popout.rules.position import Position


class Pop10(NamedTuple):
    """What Pop 10 keeps beside the discs on the grid.

    :ivar kept: discs kept by the side to move, :ivar kept_other: by the other.
    :ivar source: the column from which the disc to be put back was popped; 0 if there is none.
    """

    phase: Phase = Phase.FILL
    kept: int = 0
    kept_other: int = 0
    source: int = 0

    def turned(self) -> Pop10:
        """The same with the other side to move."""
        return Pop10(self.phase, self.kept_other, self.kept, self.source)

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """The drops into the row at hand, the pops of own discs, or the drops that put a disc back."""
        grid, occupied = position.rules.grid, position.own | position.other
        if self.phase is Phase.POP:
            return grid.pops(position.own & grid.bottoms)
        if self.phase is Phase.PUT:
            # Never into the column that it came from, unless there is no other.
            source_top = 0 if self.only_source_is_free(position) else grid.slots[self.source][0] << grid.rows - 1
            return grid.drops(occupied & grid.tops | source_top)
        row = row_to_fill(position)
        return grid.drops((occupied & grid.bottoms << row - 1) << grid.rows - row)

    def only_source_is_free(self, position: Position) -> bool:
        """Whether a disc to be put back finds room only in the column that it came from."""
        grid = position.rules.grid
        free_tops = ~(position.own | position.other) & grid.tops
        return free_tops == grid.slots[self.source][0] << grid.rows - 1

    def drop(self, position: Position, column: int) -> Position:
        """Fill the row at hand, or put the popped disc back.

        :raises PopFirst: a pop is to be made. :raises RowNotFull: the row at hand has other cells free.
        :raises PutBackSameColumn: it may not go back there.
        """
        rules, own, other = position.rules, position.own, position.other
        position.playable(column)
        if self.phase is Phase.POP:
            raise PopFirst(_POP_ONE[position.turn])
        disc = position.landing(column)
        if self.phase is Phase.PUT:
            if column == self.source and not self.only_source_is_free(position):
                raise PutBackSameColumn(
                    Message("The disc came out of column {column}. Put it back into another one.", column=column)
                )
            return position.turn_over(own | disc, other, None, None, Pop10(Phase.POP, self.kept, self.kept_other))
        row = row_to_fill(position)
        if disc != rules.grid.bit(column, row):
            raise RowNotFull(
                Message(
                    "Row {row} is being filled, and its cell in column {column} has a disc. Choose another column.",
                    row=row,
                    column=column,
                )
            )
        own |= disc
        if own | other != rules.grid.full:
            return position.turn_over(own, other, None, None, self)
        after = position.turn_goes_on(own, other, Pop10(Phase.POP))
        return (after if first_popper(rules, position.turn) is position.turn else after.turned()).with_a_move()

    def pop(self, position: Position, column: int) -> Position:
        """Pop an own disc; keep it if it was part of a line when it was taken out.

        :raises FillFirst: the grid is not full yet. :raises DropFirst: a disc is to be put back.
        :raises NothingToPop, NotYourDisc, FlankColumn, NoSuchColumn: see `Position.pop`.
        """
        rules, own, other = position.rules, position.own, position.other
        bottom, cells = position.playable(column)
        if self.phase is Phase.FILL:
            raise FillFirst(Message("The grid must be full before a disc is popped. Drop a disc."))
        if self.phase is Phase.PUT:
            raise DropFirst(Message("Put the popped disc back first: drop it into a column."))
        position.check_own_disc(column)
        scores = rules.grid.in_line(own, bottom)
        own ^= fallen(own, cells)
        other ^= fallen(other, cells)
        to_put_back = Pop10(Phase.PUT, self.kept, self.kept_other, column)
        if not scores:
            return position.turn_goes_on(own, other, to_put_back)
        kept = Pop10(Phase.POP, self.kept + 1, self.kept_other)
        if kept.kept >= rules.target:
            return position.turn_over(own, other, judge.TEN[position.turn], None, kept)
        if own & rules.grid.bottoms:
            return position.turn_goes_on(own, other, kept)
        if rules.pop10_stuck == "put-back":
            return position.turn_goes_on(own, other, to_put_back)
        return position.turn_over(own, other, None, None, kept)


def fallen(discs: int, cells: int) -> int:
    """What changes in `discs` when the bottom disc of the column with these `cells` leaves."""
    there = discs & cells
    return there ^ there >> 1 & cells


def row_to_fill(position: Position) -> int:
    """While the grid is filled: the lowest row that has a free cell; one above the top if there is none."""
    discs = (position.own | position.other) & ~position.rules.grid.flanks
    return discs.bit_count() // position.rules.columns + 1


def first_popper(rules: RuleSet, filler: Side) -> Side:
    """Who pops first, after `filler` has dropped the last disc that fills the grid. Source: the option."""
    sides = {"red": RED, "yellow": YELLOW, "next": filler.other}
    return sides[rules.first_popper]


def start_of(rules: RuleSet) -> Pop10 | None:
    """What Pop 10 begins with; None in another game."""
    return Pop10() if rules.keeps else None


_POP_ONE = {
    RED: Message("Red must pop a disc: open the bar and press one of red's own out of the bottom row."),
    YELLOW: Message("Yellow must pop a disc: open the bar and press one of yellow's own out of the bottom row."),
}
