"""What a move leads to, and which moves are worth looking at first.

A move is a number: the column from 0, and `POP` more for a pop.
"""

from __future__ import annotations

from popout.opponent.kernel.bits import count, has_line, line_cells
from popout.opponent.kernel.compiling import Words, compiled
from popout.opponent.kernel.shape import Shape

POP = 32
MOVES = 64
"""More than any position has moves."""

LOST, DRAWN, WON, OPEN = -1, 0, 1, 2
"""What a move leads to, for the one who made it; `OPEN`: the game goes on."""


@compiled
def landing(shape: Shape, discs: int) -> int:
    """The cells in which a dropped disc can come to rest."""
    return discs + shape.ground & shape.cells & ~shape.flanks


@compiled
def of_pop(shape: Shape, own: int, other: int) -> int:
    """What a pop has led to, after which these are the discs of the one who popped and of the other."""
    if has_line(shape, own):
        if shape.both == WON or not has_line(shape, other):
            return WON
        return shape.both
    if has_line(shape, other):
        return LOST
    discs = own | other
    if (shape.empty_ends and discs == shape.flanks) or (shape.full_ends and discs == shape.cells):
        return DRAWN
    return OPEN


@compiled
def wins_at_once(shape: Shape, own: int, other: int) -> bool:
    """Whether the side to move has a move that wins."""
    if line_cells(shape, own) & landing(shape, own | other):
        return True
    if shape.pops:
        bottoms = own & shape.ground
        while bottoms:
            bottom = bottoms & -bottoms
            bottoms ^= bottom
            if of_pop_at(shape, own, other, bottom) == WON:
                return True
    return False


@compiled
def fallen(shape: Shape, discs: int, bottom: int) -> int:
    """`discs` after the cell `bottom` was emptied and its column fell."""
    cells = (bottom << shape.height - 1) - bottom
    return discs & ~cells | (discs & cells) >> 1 & cells


@compiled
def of_pop_at(shape: Shape, own: int, other: int, bottom: int) -> int:
    """What the pop of the cell `bottom` would lead to."""
    return of_pop(shape, fallen(shape, own, bottom), fallen(shape, other, bottom))


@compiled
def played(shape: Shape, own: int, other: int, move: int) -> tuple[int, int, int]:
    """The discs of the one who makes a move and of the other after it, and what it leads to; a line by a drop apart.

    Whoever asks has seen before that no move wins at once.
    """
    column = move & POP - 1
    if move < POP:
        own |= landing(shape, own | other) & (1 << shape.height) - 1 << column * shape.height
        return own, other, DRAWN if shape.full_ends and own | other == shape.cells else OPEN
    bottom = 1 << column * shape.height
    own, other = fallen(shape, own, bottom), fallen(shape, other, bottom)
    return own, other, of_pop(shape, own, other)


@compiled
def ordered(
    shape: Shape, own: int, other: int, first: int, history: Words, side: int, moves: Words, scores: Words, start: int
) -> int:
    """Write the moves of the side to move into `moves` from `start` on, the most promising first; how many.

    `first` is a move to begin with, or -1. A drop is left out where the other side would win at once by a drop
    elsewhere; `wins_at_once` must be false.
    """
    discs = own | other
    places = landing(shape, discs)
    theirs = line_cells(shape, other)
    blocked = theirs & places
    drops = places
    if blocked:
        drops = blocked if blocked & blocked - 1 == 0 else 0
    found = start
    while drops:
        place = drops & -drops
        drops ^= place
        column = _column(shape, place)
        worth = history[side * MOVES + column] + 65536 * count(line_cells(shape, own | place) & ~discs)
        if theirs & place << 1:
            worth -= 1 << 26
        found = _insert(moves, scores, start, found, column, worth, first)
    if shape.pops:
        bottoms = own & shape.ground
        while bottoms:
            bottom = bottoms & -bottoms
            bottoms ^= bottom
            column = _column(shape, bottom)
            after = fallen(shape, own, bottom)
            after_discs = fallen(shape, discs, bottom)
            worth = (
                history[side * MOVES + POP + column] + 65536 * count(line_cells(shape, after) & ~after_discs) - 32768
            )
            found = _insert(moves, scores, start, found, column + POP, worth, first)
    return found - start


@compiled
def _column(shape: Shape, cell: int) -> int:
    return count(cell - 1) // shape.height


@compiled
def _insert(moves: Words, scores: Words, start: int, at: int, move: int, worth: int, first: int) -> int:
    if move == first:
        worth = 1 << 60
    end = at + 1
    while at > start and scores[at - 1] < worth:
        moves[at] = moves[at - 1]
        scores[at] = scores[at - 1]
        at -= 1
    moves[at] = move
    scores[at] = worth
    return end
