"""A look some turns ahead: wins and losses by their distance, and what seems good where nothing is decided.

A value is a number as the side to move sees it. Wins and losses hold whatever came before and whatever the look leaves
out; so the positions of the line that is being looked at need no care, as in `popout.opponent.kernel.wins`.
"""

from __future__ import annotations

from popout.opponent.kernel.bits import count, line_cells
from popout.opponent.kernel.compiling import Words, compiled
from popout.opponent.kernel.moves import (
    LOST,
    MOVES,
    OPEN,
    ordered,
    played,
    wins_at_once,
)
from popout.opponent.kernel.shape import Shape
from popout.opponent.kernel.table import key, mixed
from popout.opponent.kernel.wins import NODES, STOP, escapes

WIN = 30000
"""What it is worth to have won; less one for each turn until then."""
PROVED = 20000
"""All beyond it, on either side, are wins and losses."""
MOST_DEEP = 60
LEAF_PLIES = 2
"""The turns beyond its depth within which a look finds every forced win."""

ONE_LACKS, TWO_LACK, THREE_LACK = 60, 10, 1
"""What a place for a line is worth in which so many discs are lacking and none is the other's."""
IN_PARITY = 40
"""What a place to win is worth, where nothing is popped, that the other side will have to open."""
BOTTOM = 8
"""What an own disc to be popped is worth."""

EXACT, AT_LEAST, AT_MOST = 0, 1, 2
_NO_MOVE = 63


@compiled
def standing(shape: Shape, own: int, other: int) -> int:
    """What a position seems to be worth, without a look ahead: from -9999 to 9999."""
    worth = places_worth(shape, own, other) - places_worth(shape, other, own)
    if shape.pops:
        worth += BOTTOM * (count(own & shape.ground) - count(other & shape.ground))
    elif shape.height & 1:
        worth += _parity(shape, own, other)
    return max(-9999, min(9999, worth))


@compiled
def places_worth(shape: Shape, own: int, other: int) -> int:
    """What all places for a line are worth in which there is no disc of `other`."""
    free = shape.cells & ~other
    connect = shape.connect
    worth = 0
    for way in (1, shape.height, shape.height - 1, shape.height + 1):
        places = free
        for step in range(1, connect):
            places &= free >> step * way
        if not places:
            continue
        # How many own discs each place has, as three bits: a place is at the bit of its first cell.
        ones = 0
        twos = 0
        fours = 0
        for step in range(connect):
            more = own >> step * way & places
            carry = ones & more
            ones ^= more
            fours |= twos & carry
            twos ^= carry
        for lacking in range(1, min(4, connect)):
            has = connect - lacking
            some = places
            some &= ones if has & 1 else ~ones
            some &= twos if has & 2 else ~twos
            some &= fours if has & 4 else ~fours
            worth += count(some) * (ONE_LACKS if lacking == 1 else TWO_LACK if lacking == 2 else THREE_LACK)
    return worth


@compiled
def _parity(shape: Shape, own: int, other: int) -> int:
    """What it is worth that the other side must open a place to win, once only such columns are left.

    On an even number of rows who began will drop into the odd ones, the other into the even ones.
    """
    discs = own | other
    empty = shape.cells & ~discs
    odd = 0
    row = shape.bottoms
    for _ in range(0, shape.height - 1, 2):
        odd |= row
        row <<= 2
    mine = line_cells(shape, own) & empty
    theirs = line_cells(shape, other) & empty
    # Nothing can be won above a place where somebody wins.
    mine &= ~(theirs << 1)
    theirs &= ~(mine << 1)
    if count(empty) & 1:
        odd = shape.cells & ~odd
    return IN_PARITY * (count(mine & odd) - count(theirs & ~odd))


@compiled
def look(
    shape: Shape,
    own: int,
    other: int,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    table: Words,
    bits: int,
    history: Words,
    moves: Words,
    scores: Words,
    counters: Words,
) -> int:
    """What a position in which the game goes on is worth after `depth` turns, if that is between `alpha` and `beta`.

    Beyond them it is a bound. Wins count from `ply` 0. When it is told to stop the answer means nothing.
    """
    counters[NODES] += 1
    if wins_at_once(shape, own, other):
        return WIN - ply - 1
    if depth <= 0 or ply >= MOST_DEEP:
        if escapes(shape, own, other, counters):
            return standing(shape, own, other)
        return ply + 2 - WIN
    if counters[STOP]:
        return 0
    # No win can come sooner than in three turns, no loss sooner than in two.
    alpha = max(alpha, ply + 2 - WIN)
    beta = min(beta, WIN - ply - 3)
    if alpha >= beta:
        return alpha
    number = mixed(key(shape, own, other))
    place = (number & (1 << bits - 1) - 1) << 1
    first = -1
    if table[place] == number:
        entry = table[place + 1]
        first = entry & 63
        if entry >> 8 & 255 >= depth:
            known = (entry >> 16) - 32768
            if known > PROVED:
                known -= ply
            elif known < -PROVED:
                known += ply
            kind = entry >> 6 & 3
            if kind == EXACT or (kind == AT_LEAST and known >= beta) or (kind == AT_MOST and known <= alpha):
                return known
    start = ply * MOVES
    found = ordered(shape, own, other, first, history, ply & 1, moves, scores, start)
    # What is left out loses in two turns, and a disc can always be dropped.
    best = ply + 2 - WIN
    best_move = _NO_MOVE
    floor = alpha
    for at in range(start, start + found):
        move = moves[at]
        own_after, other_after, ends = played(shape, own, other, move)
        if ends == OPEN:
            worth = alpha + 1
            if best_move != _NO_MOVE:
                # Is it better at all?
                worth = -look(
                    shape, other_after, own_after, depth - 1, -alpha - 1, -alpha, ply + 1,
                    table, bits, history, moves, scores, counters,
                )  # fmt: skip
            if best_move == _NO_MOVE or alpha < worth < beta:
                worth = -look(
                    shape, other_after, own_after, depth - 1, -beta, -alpha, ply + 1,
                    table, bits, history, moves, scores, counters,
                )  # fmt: skip
        elif ends == LOST:
            worth = ply + 1 - WIN
        else:
            worth = 0
        if worth > best or best_move == _NO_MOVE:
            best = max(best, worth)
            best_move = move
        alpha = max(alpha, worth)
        if alpha >= beta:
            history[(ply & 1) * MOVES + move] += depth * depth
            break
    if counters[STOP]:
        return 0
    kept = best
    if kept > PROVED:
        kept += ply
    elif kept < -PROVED:
        kept -= ply
    kind = AT_LEAST if best >= beta else AT_MOST if best <= floor else EXACT
    table[place] = number
    table[place + 1] = kept + 32768 << 16 | depth << 8 | kind << 6 | best_move
    return best
