"""The game and the grid as numbers, for the kernel."""

from __future__ import annotations

from typing import NamedTuple

from popout.rules import RuleSet

MOST_BITS = 63
"""A grid has a bit for each cell and one above each column; they must fit into a number of the kernel. No number is
shifted by more: a compiled one would be shifted by the rest of a division by 64."""
MOST_PLIES = 63
"""The furthest that the search with two answers looks."""
LONGEST = 8
"""The longest line that the kernel looks for."""

MOVER, DRAW, OTHER = 1, 0, -1
"""What a pop that makes lines for both is worth to the one who popped."""


class Shape(NamedTuple):
    """A grid and the rules on it.

    Cells are the bits of `popout.rules.grid`: ``(column - 1) * height + (row - 1)``.

    :ivar columns: with the filled outer ones. :ivar height: bits a column: one more than its rows.
    :ivar cells: all cells. :ivar bottoms: the bottom cell of each column. :ivar ground: of each playable one.
    :ivar flanks: the cells of the outer columns that are filled.
    :ivar connect: how many make a line. :ivar second, third: by how many cells a run is shifted over itself after the
        shift by one, to find lines of `connect`.
    :ivar pops: 1 where pops are allowed. :ivar both: what lines for both are worth to the mover: 1, 0 or -1.
    :ivar full_ends, empty_ends: 1 where a full grid, a grid that pops have emptied is a draw.
    :ivar claims: 1 where the side to move on a full grid may claim a draw.
    :ivar symmetric: 1 where the mirrored grid is worth the same.
    """

    columns: int
    height: int
    cells: int
    bottoms: int
    ground: int
    flanks: int
    connect: int
    second: int
    third: int
    pops: int
    both: int
    full_ends: int
    empty_ends: int
    claims: int
    symmetric: int


def shape_of(rules: RuleSet, *, full_may_go_on: bool = False) -> Shape | None:
    """The shape of a rule set; None where the kernel does not know its rules, or where its numbers are too small.

    :param full_may_go_on: also for rules by which a full grid is not the end, which only `retrograde` knows.
    """
    grid = rules.grid
    height = rules.rows + 1
    if grid.columns * height > MOST_BITS or not 2 <= rules.connect <= LONGEST:
        return None
    if (rules.connect - 1) * (height + 1) > MOST_BITS:
        return None
    if rules.keeps or rules.power_discs or rules.supply:
        return None
    if rules.full_grid != "draw" and not full_may_go_on:
        return None
    bottoms = sum(bottom for bottom, _ in grid.every_slot.values())
    second = min(2, rules.connect - 2)
    return Shape(
        columns=grid.columns,
        height=height,
        cells=grid.full,
        bottoms=bottoms,
        ground=grid.bottoms,
        flanks=grid.flanks,
        connect=rules.connect,
        second=second,
        third=rules.connect - 2 - second,
        pops=int(rules.pops),
        both={"mover": MOVER, "draw": DRAW, "other": OTHER}[rules.both_lines],
        full_ends=int(rules.full_grid == "draw"),
        empty_ends=int(rules.pops and rules.empty_grid == "draw"),
        claims=int(rules.full_grid == "claim"),
        symmetric=int(rules.width == rules.columns or rules.flanks[0] == rules.flanks[1]),
    )
