"""The question with two answers: does one side win within so many plies, whatever the other does?

A win within a number of plies does not depend on how a position came about, so endless play needs no care: who has
not won by then has not won.
"""

from __future__ import annotations

from popout.opponent.kernel.bits import line_cells
from popout.opponent.kernel.compiling import Words, compiled
from popout.opponent.kernel.moves import DRAWN, LOST, OPEN, POP, fallen, landing, of_pop, ordered, played, wins_at_once
from popout.opponent.kernel.shape import Shape
from popout.opponent.kernel.table import DATA_BITS, best_move, key, mixed, says_no, says_yes, with_answer

NODES, STOP = 0, 1


@compiled
def escapes(shape: Shape, own: int, other: int, counters: Words) -> bool:
    """Whether the side to move, who cannot win at once, has a move after which the other cannot either."""
    discs = own | other
    places = landing(shape, discs)
    theirs = line_cells(shape, other)
    drops = places & ~(theirs >> 1)
    blocked = theirs & places
    if blocked:
        drops = drops & blocked if blocked & blocked - 1 == 0 else 0
    while drops:
        place = drops & -drops
        drops ^= place
        if not shape.pops or (shape.full_ends and discs | place == shape.cells):
            return True
        counters[NODES] += 1
        if not wins_at_once(shape, other, own | place):
            return True
    if shape.pops:
        bottoms = own & shape.ground
        while bottoms:
            bottom = bottoms & -bottoms
            bottoms ^= bottom
            own_after = fallen(shape, own, bottom)
            other_after = fallen(shape, other, bottom)
            ends = of_pop(shape, own_after, other_after)
            counters[NODES] += 1
            if ends == DRAWN or (ends == OPEN and not wins_at_once(shape, other_after, own_after)):
                return True
    return False


@compiled
def wins(
    shape: Shape,
    own: int,
    other: int,
    plies: int,
    attacking: int,
    quiet: int,
    table: Words,
    bits: int,
    history: Words,
    moves: Words,
    scores: Words,
    counters: Words,
) -> bool:
    """Whether the attacker, who is the side to move if `attacking` is 1, wins within `plies`.

    With `quiet` the attacker makes no pop that does not win at once: a win that is found is one, but where none is
    found there may be one.
    """
    counters[NODES] += 1
    if wins_at_once(shape, own, other):
        return attacking == 1
    if plies <= 1 or counters[STOP]:
        return False
    if plies == 2 and not attacking:
        return not escapes(shape, own, other, counters)
    first = -1
    place = 0
    tag = 0
    if plies > 2:
        number = mixed(key(shape, own, other))
        place = (number & (1 << bits - 1) - 1) << 1 | attacking
        tag = number >> bits - 1
        entry = table[place]
        if entry >> DATA_BITS == tag:
            if says_no(entry, plies):
                return False
            if says_yes(entry, plies):
                return True
            first = best_move(entry)
    start = plies * 64
    count = ordered(shape, own, other, first, history, attacking, moves, scores, start)
    found = 1 - attacking
    best = -1
    for at in range(start, start + count):
        move = moves[at]
        if attacking and quiet and move >= POP:
            continue
        own_after, other_after, ends = played(shape, own, other, move)
        if ends == OPEN:
            won = wins(
                shape,
                other_after,
                own_after,
                plies - 1,
                1 - attacking,
                quiet,
                table,
                bits,
                history,
                moves,
                scores,
                counters,
            )
        else:
            # The side to move has no move that wins.
            won = ends == LOST and not attacking
        if won == (attacking == 1):
            found = attacking
            best = move
            history[attacking * 64 + move] += plies * plies
            break
    if counters[STOP]:
        return False
    result = found == 1
    if plies > 2:
        entry = table[place]
        if entry >> DATA_BITS != tag:
            entry = 0
        table[place] = tag << DATA_BITS | with_answer(entry, plies, result, best)
    return result
