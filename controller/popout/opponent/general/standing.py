"""What a position of any game seems to be worth, without a look ahead."""

from __future__ import annotations

from popout.rules import Phase, Position, RuleSet
from popout.rules.pop10 import Pop10
from popout.rules.power import PowerUp

ONE_LACKS, TWO_LACK, THREE_LACK = 60, 10, 1
"""What a place for a line is worth in which so many discs are lacking and none is the other's."""
BOTTOM = 8
"""What an own disc to be popped is worth."""
POWER_DISC = 25
NEXT_THREAT, DOUBLE_THREAT = 40, 2000
"""What it is worth that the next own drop would win, and that it would in two places."""
KEPT, TO_BE_KEPT, IN_LINE = 300, 120, 25
"""Pop 10: a disc that is kept, one in the bottom row that is part of a line, and one elsewhere that is."""
HIGHEST = 9999


def standing(position: Position) -> int:
    """What a position seems to be worth to the side to move, from -9999 to 9999; the game is not over."""
    rules, own, other = position.rules, position.own, position.other
    worth = places_worth(rules, own, other) - places_worth(rules, other, own)
    extra = position.extra
    if isinstance(extra, Pop10):
        worth //= 4
        worth += KEPT * (extra.kept - extra.kept_other)
        worth += _in_lines(rules, own) - _in_lines(rules, other)
    else:
        if rules.pops:
            bottoms = rules.grid.bottoms
            worth += BOTTOM * ((own & bottoms).bit_count() - (other & bottoms).bit_count())
        if isinstance(extra, PowerUp):
            worth += POWER_DISC * (len(extra.left) - len(extra.left_other))
        worth -= _threats(rules, other, own)
    return max(-HIGHEST, min(HIGHEST, worth))


def can_drop_a_line(position: Position) -> bool:
    """Whether an ordinary drop wins at once."""
    rules = position.rules
    if rules.keeps or position.phase is Phase.WALL or position.phase is Phase.BOMB or not position.may_drop:
        return False
    return bool(line_cells(rules, position.own) & _landing(rules, position.own | position.other))


def line_cells(rules: RuleSet, discs: int) -> int:
    """The cells, occupied or not, on which one more of `discs` makes a line."""
    full, connect = rules.grid.full, rules.connect
    found = 0
    for way in ways(rules):
        if connect == 4:
            before, after = discs << way, discs >> way
            two_before, two_after = before & discs << 2 * way, after & discs >> 2 * way
            found |= two_before & (discs << 3 * way | after) | two_after & (discs >> 3 * way | before)
            continue
        # Runs of the discs that end just before a cell, and that begin just after it, by their lengths.
        starts, ends = [full], [full]
        for step in range(1, connect):
            starts.append(starts[-1] & discs << step * way)
            ends.append(ends[-1] & discs >> step * way)
        for length in range(connect):
            found |= starts[length] & ends[connect - 1 - length]
    return found & full


def ways(rules: RuleSet) -> tuple[int, int, int, int]:
    """How far apart neighbouring bits are: in a column, in a row, on both diagonals."""
    height = rules.rows + 1
    return 1, height, height + 1, height - 1


def _landing(rules: RuleSet, discs: int) -> int:
    grid = rules.grid
    return discs + grid.bottoms & grid.full & ~grid.flanks


def _threats(rules: RuleSet, own: int, other: int) -> int:
    """What the drops are worth that would win for a side that is not to move."""
    threats = (line_cells(rules, own) & _landing(rules, own | other)).bit_count()
    return DOUBLE_THREAT if threats > 1 else NEXT_THREAT * threats


def places_worth(rules: RuleSet, own: int, other: int) -> int:
    """What all places for a line are worth in which there is no disc of `other`."""
    free = rules.grid.full & ~other
    connect = rules.connect
    worth = 0
    for way in ways(rules):
        places = free
        for step in range(1, connect):
            places &= free >> step * way
        if not places:
            continue
        # The places, each at the bit of its first cell, in which one disc is lacking, two and three.
        if connect == 4:
            second, third, fourth = own >> way, own >> 2 * way, own >> 3 * way
            both, either, none = own & second, own ^ second, ~(own | second)
            both_more, either_more, none_more = third & fourth, third ^ fourth, ~(third | fourth)
            one = (both & either_more | either & both_more) & places
            two = (both & none_more | either & either_more | none & both_more) & places
            three = (either & none_more | none & either_more) & places
        else:
            complete, one, two, three = places, 0, 0, 0
            for step in range(connect):
                there = own >> step * way
                three = three & there | two & ~there
                two = two & there | one & ~there
                one = one & there | complete & ~there
                complete &= there
        worth += ONE_LACKS * one.bit_count() + TWO_LACK * two.bit_count()
        if connect > 3:
            worth += THREE_LACK * three.bit_count()
    return worth


def _in_lines(rules: RuleSet, discs: int) -> int:
    """Pop 10: what discs that are part of a line are worth; those at the bottom can be kept in the next turn."""
    found = 0
    for way in ways(rules):
        starts = discs
        for step in range(1, rules.connect):
            starts &= discs >> step * way
        for step in range(rules.connect):
            found |= starts << step * way
    ready = found & rules.grid.bottoms
    return TO_BE_KEPT * ready.bit_count() + IN_LINE * (found & ~ready & ~rules.grid.flanks).bit_count()
