"""Every position of a small grid, from the end: what each is worth, and in how many turns, in a byte.

A table has a byte for each way to fill the playable columns, as the side to move sees it, whether a game can lead there
or not. A column is a number: its discs from the bottom up as bits, 1 for an own one, below a bit that marks its height.
Less one, it is a digit of the position's place in the table, the first column's the lowest. Where outer columns are
filled they look different to red and to yellow, and the table has two halves: red to move, yellow to move.

A layer is the positions that are decided in so many turns. The winner hurries, so what leads to a lost position of a
layer is won in the next; the loser delays, so a position is lost in the next if all that it leads to is won in this one
or before. What is in no layer is a draw.
"""

from __future__ import annotations

from popout.opponent.kernel.bits import has_line
from popout.opponent.kernel.compiling import Bytes, Words, compiled
from popout.opponent.kernel.shape import DRAW, MOVER, Shape

UNDECIDED, DRAWN_END = 0, 255
"""Codes of a position: the game goes on there, and it is a draw once all layers are done; the game ended there without
a winner. All others are ``1 + 2 * turns`` and one more if the side to move wins: see `turns`, `is_won`."""
MOST_TURNS = 126

SCRATCH = 256
"""Words that `add_layer` needs for itself. In the first of them: the place of the position that is looked at, that of
the same discs with the other side to move, and what of the latter is the same in its whole block. Then four words for
each playable column: its number as the side to move sees it, and as the other does, its mark, and what one digit is
worth."""
_PLACE, _SWAPPED, _REST, _KEYS = 0, 1, 2, 3


@compiled
def is_won(code: int) -> bool:
    """Whether the side to move wins."""
    return code != UNDECIDED and code & 1 == 0


@compiled
def is_lost(code: int) -> bool:
    """Whether the side to move loses."""
    return code & 1 == 1 and code != DRAWN_END


@compiled
def turns(code: int) -> int:
    """The turns until the end, of a position that is won or lost."""
    return (code - 1) >> 1


def size(shape: Shape) -> int:
    """How many bytes a table has: a number of Python's own, since it may be too large for the kernel."""
    halves = 2 if shape.flanks else 1
    return int(halves * states(shape) ** _playable(shape))


@compiled
def blocks(shape: Shape) -> int:
    """The table's parts in which only the lowest column differs."""
    playable = _playable(shape)
    found = 2 if shape.flanks else 1
    for _ in range(playable - 1):
        found *= states(shape)
    return found


@compiled
def states(shape: Shape) -> int:
    """How many ways there are to fill a column."""
    return (1 << shape.height) - 1


@compiled
def _playable(shape: Shape) -> int:
    return shape.columns - 2 if shape.flanks else shape.columns


@compiled
def place_of(shape: Shape, red_flanks: int, own: int, other: int) -> int:
    """Where a position stands in the table. `red_flanks`: red's discs in the filled outer columns."""
    playable = _playable(shape)
    first = 1 if shape.flanks else 0
    column_bits = (1 << shape.height) - 1
    place = 1 if shape.flanks and own & shape.flanks != red_flanks else 0
    for column in range(playable - 1, -1, -1):
        start = (column + first) * shape.height
        discs = (own | other) >> start & column_bits
        place = place * states(shape) + discs + (own >> start & column_bits)
    return place


@compiled
def find_ends(shape: Shape, red_flanks: int, table: Bytes, begin: int, end: int) -> int:
    """Write the codes of the positions where the game has ended into the blocks from `begin` to `end`; how many."""
    first = 1 if shape.flanks else 0
    playable = _playable(shape)
    half = blocks(shape) >> 1
    count = 0
    for block in range(begin, end):
        own_rest = 0
        other_rest = 0
        digits = block
        if shape.flanks:
            own_rest = red_flanks if block < half else shape.flanks & ~red_flanks
            other_rest = shape.flanks & ~own_rest
            digits = block if block < half else block - half
        for column in range(1, playable):
            key = digits % states(shape) + 1
            digits //= states(shape)
            mark = 1
            while mark * 2 <= key:
                mark *= 2
            start = (column + first) * shape.height
            own_rest |= key - mark << start
            other_rest |= 2 * mark - 1 - key << start
        mark = 1
        place = block * states(shape)
        for key in range(1, states(shape) + 1):
            if key == 2 * mark:
                mark = key
            own = own_rest | key - mark << first * shape.height
            other = other_rest | 2 * mark - 1 - key << first * shape.height
            code = _of_end(shape, own, other)
            if code != UNDECIDED:
                table[place] = code
                count += 1
            place += 1
    return count


@compiled
def _of_end(shape: Shape, own: int, other: int) -> int:
    """The code of a position that the other side's move has led to, if the game has ended there."""
    if has_line(shape, other):
        if shape.both == MOVER or not has_line(shape, own):
            return 1
        return DRAWN_END if shape.both == DRAW else 2
    if has_line(shape, own):
        return 2
    discs = own | other
    if (shape.full_ends and discs == shape.cells) or (shape.empty_ends and discs == shape.flanks):
        return DRAWN_END
    return UNDECIDED


@compiled
def add_layer(shape: Shape, table: Bytes, layer: int, begin: int, end: int, scratch: Words) -> int:
    """Decide what leads to the positions of a layer that are in the blocks from `begin` to `end`; how many there are.

    The blocks may be shared out among threads; the next layer begins when all are done.
    """
    lost = 1 + 2 * layer
    count = 0
    place = begin * states(shape)
    for block in range(begin, end):
        unfolded = False
        mark = 1
        for key in range(1, states(shape) + 1):
            if key == 2 * mark:
                mark = key
            code = table[place]
            if code == lost or code == lost + 1:
                if not unfolded:
                    _unfold(shape, block, scratch)
                    unfolded = True
                turned = 3 * mark - 1 - key
                scratch[_PLACE] = place
                scratch[_SWAPPED] = scratch[_REST] + turned - 1
                scratch[_KEYS] = key
                scratch[_KEYS + 1] = turned
                scratch[_KEYS + 2] = mark
                _decide_before(shape, table, layer, code == lost, scratch)
                count += 1
            place += 1
    return count


@compiled
def _unfold(shape: Shape, block: int, scratch: Words) -> None:
    """Write into `scratch` what is the same for all positions of a block: all of it but the first column's numbers."""
    half = blocks(shape) >> 1
    digits = block
    swapped = 0
    if shape.flanks:
        if block < half:
            swapped = half * states(shape)
        else:
            digits -= half
    power = 1
    scratch[_KEYS + 3] = power
    for at in range(_KEYS + 4, _KEYS + 4 * _playable(shape), 4):
        power *= states(shape)
        key = digits % states(shape) + 1
        digits //= states(shape)
        mark = 1
        while mark * 2 <= key:
            mark *= 2
        turned = 3 * mark - 1 - key
        swapped += (turned - 1) * power
        scratch[at] = key
        scratch[at + 1] = turned
        scratch[at + 2] = mark
        scratch[at + 3] = power
    scratch[_REST] = swapped


@compiled
def _decide_before(shape: Shape, table: Bytes, layer: int, lost: bool, scratch: Words) -> None:
    """Decide the positions from which the other side has moved to the unfolded one, which this layer has decided."""
    for at in range(_KEYS, _KEYS + 4 * _playable(shape), 4):
        turned = scratch[at + 1]
        mark = scratch[at + 2]
        if turned & mark >> 1:
            _decide(shape, table, layer, lost, scratch, at, turned - mark, mark >> 1)
        if shape.pops and mark < 1 << shape.height - 1:
            _decide(shape, table, layer, lost, scratch, at, 2 * turned + 1, mark << 1)


@compiled
def _decide(
    shape: Shape, table: Bytes, layer: int, lost: bool, scratch: Words, at: int, column: int, column_mark: int
) -> None:
    """Decide the position before, in which the column at `at` was the number `column`, seen by the side that moved."""
    power = scratch[at + 3]
    before = scratch[_SWAPPED] + (column - scratch[at + 1]) * power
    if table[before] != UNDECIDED:
        return
    key = scratch[at]
    mark = scratch[at + 2]
    scratch[at] = 3 * column_mark - 1 - column
    scratch[at + 2] = column_mark
    # The same with the other side to move; a move of the side whose turn it was changes one column of it.
    origin = scratch[_PLACE] + (scratch[at] - key) * power
    if lost or _all_won(shape, table, layer, scratch, origin):
        code = 2 * layer + 3 + lost
        table[before] = code
        if not shape.full_ends and _passes(shape, scratch):
            table[origin] = code - 1 if lost else code + 1
    scratch[at] = key
    scratch[at + 2] = mark


@compiled
def _all_won(shape: Shape, table: Bytes, layer: int, scratch: Words, origin: int) -> bool:
    """Whether all that a side can do leads to what the other wins in this layer or before it.

    `origin` and `scratch`: the position, seen by the other.
    """
    most = 2 * layer + 2
    top = 1 << shape.height - 1
    full = True
    for at in range(_KEYS, _KEYS + 4 * _playable(shape), 4):
        key = scratch[at]
        mark = scratch[at + 2]
        power = scratch[at + 3]
        if mark < top:
            full = False
            code = table[origin + mark * power]
            if code & 1 or code == UNDECIDED or code > most:
                return False
        if shape.pops and mark > 1 and key & 1 == 0:
            code = table[origin + ((key >> 1) - key) * power]
            if code & 1 or code == UNDECIDED or code > most:
                return False
    return not (full and shape.claims)


@compiled
def _passes(shape: Shape, scratch: Words) -> bool:
    """Whether the side whose discs the numbers of the columns show could not move, if it were its turn."""
    top = 1 << shape.height - 1
    moves = 0
    for at in range(_KEYS, _KEYS + 4 * _playable(shape), 4):
        if scratch[at + 2] < top or scratch[at] & 1:
            moves += 1
    return moves == 0
