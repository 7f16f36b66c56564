"""The transposition table: what is known of positions that were looked at."""

from __future__ import annotations

from popout.opponent.kernel.bits import mirrored
from popout.opponent.kernel.compiling import compiled
from popout.opponent.kernel.shape import Shape

FEWEST_BITS = 20
DATA_BITS = 18
"""Of an entry, below what is left of the position's number. From the lowest up: six for the most turns within which the
answer is no, six for how far below 64 the fewest are within which it is yes, six for the best move and one. So zero
says nothing, as in a new table, where each place seems to be that of the position whose number is zero."""
_HIGH, _LOW = (1 << 31) - 1, (1 << 32) - 1
_ODD_31, _ODD_32 = 0x6C8E9CF5, 0x9E3779B1


@compiled
def key(shape: Shape, own: int, other: int) -> int:
    """A position, and its mirror image, as a number that no other has."""
    discs = own | other
    seen = discs + shape.bottoms + own
    if shape.symmetric:
        seen = min(seen, mirrored(shape, discs) + shape.bottoms + mirrored(shape, own))
    return seen


@compiled
def mixed(number: int) -> int:
    """Another number of 63 bits for each one, whose bits depend on all of them.

    Its two parts change each other by turns, which could be undone, so no two numbers become the same. No product has
    more than 63 bits: compiled code takes it for granted that none does.
    """
    high = number >> 32
    low = number & _LOW
    high ^= low * _ODD_31 >> 32 & _HIGH
    low ^= high * _ODD_32 >> 24 & _LOW
    high ^= low * _ODD_31 >> 32 & _HIGH
    low ^= high * _ODD_32 >> 24 & _LOW
    return high << 32 | low


@compiled
def says_no(entry: int, plies: int) -> bool:
    """Whether it is known that nobody wins within so many turns."""
    return plies <= entry & 63


@compiled
def says_yes(entry: int, plies: int) -> bool:
    """Whether it is known that somebody does."""
    return plies + (entry >> 6 & 63) > 63


@compiled
def best_move(entry: int) -> int:
    """The move that was best; -1 if there was none."""
    return (entry >> 12 & 63) - 1


@compiled
def with_answer(entry: int, plies: int, yes: bool, best: int) -> int:
    """What an entry knows (zero: nothing) and one answer more, without the position's number."""
    most_no = entry & 63
    fewest_yes = entry >> 6 & 63
    if yes:
        fewest_yes = max(fewest_yes, 64 - plies)
    else:
        most_no = max(most_no, plies)
    return best + 1 << 12 | fewest_yes << 6 | most_no
