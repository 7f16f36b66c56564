"""The table of a small grid says of every position what trying everything on the rules core says."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product

import pytest

from kernel_positions import game_positions
from popout.opponent.general.exact import Graph
from popout.opponent.kernel import retrograde
from popout.opponent.kernel.compiling import Bytes, octets, words
from popout.opponent.kernel.shape import Shape, shape_of
from popout.opponent.verdicts import DRAWN, Verdict, lost_in, won_in
from popout.rules import Position, RuleSet
from popout.rules.position import flank_discs

OPTIONS = [
    f"popout {size} full-grid={full} empty-grid={empty} both-lines={both}"
    for size in ("3x2 connect=3", "2x3 connect=3")
    for full, empty, both in product(("draw", "claim", "continue"), ("draw", "continue"), ("mover", "draw", "other"))
]
SMALL = [
    *OPTIONS,
    "popout 3x3 connect=3 full-grid=continue",
    "popout 5x1 connect=3 both-lines=other",
    "popout 1x5 connect=3 full-grid=continue",
    "popout 4x2 connect=2",
    "standard 3x3 connect=3",
    "standard 4x2 connect=3 first=yellow",
    "five 2x3 connect=3",
    "five 2x2 connect=3 flanks=RY",
    "five+pop 2x3 connect=3 flanks=YY",
    "five+pop 2x3 connect=3 flanks=RY both-lines=draw",
    "five+pop 2x3 connect=4 flanks=YR full-grid=continue",
    "five+pop 3x2 connect=3 full-grid=claim empty-grid=continue first=yellow",
]


class Table:
    """The whole table of one game, made by one thread."""

    def __init__(self, rules: str, pieces: int = 1) -> None:
        self.rules = RuleSet.parse(rules)
        shape = shape_of(self.rules, full_may_go_on=True)
        assert shape is not None
        self.shape: Shape = shape
        self.red_flanks = flank_discs(self.rules)[0]
        self.table: Bytes = octets(retrograde.size(shape))
        scratch = words(retrograde.SCRATCH)
        blocks = int(retrograde.blocks(shape))
        cuts = [blocks * piece // pieces for piece in range(pieces + 1)]
        for begin, end in pairwise(cuts):
            retrograde.find_ends(shape, self.red_flanks, self.table, begin, end)
        layer = 0
        while sum(retrograde.add_layer(shape, self.table, layer, begin, end, scratch) for begin, end in pairwise(cuts)):
            layer += 1

    def place(self, position: Position) -> int:
        return int(retrograde.place_of(self.shape, self.red_flanks, position.own, position.other))

    def verdict(self, position: Position) -> Verdict:
        code = int(self.table[self.place(position)])
        if retrograde.is_won(code):
            return won_in(retrograde.turns(code))
        return lost_in(retrograde.turns(code)) if retrograde.is_lost(code) else DRAWN


@pytest.mark.parametrize("rules", SMALL)
def test_every_position_that_can_be_reached_is_worth_what_it_is(rules: str):
    table = Table(rules)
    start = Position.start(table.rules)
    graph = Graph(start, 10**6)
    for position in graph:
        if position != start or not table.shape.empty_ends:
            assert table.verdict(position) == graph.verdict(position)


def test_the_work_can_be_shared_out():
    whole, parts = Table("popout 3x3 connect=3"), Table("popout 3x3 connect=3", pieces=7)

    assert list(whole.table) == list(parts.table)


@pytest.mark.parametrize("rules", ["popout 4x2 connect=3", "five+pop 2x2 connect=3 flanks=RY"])
def test_each_position_has_a_place_of_its_own(rules: str):
    table = Table(rules)
    places = {position: table.place(position) for position in Graph(Position.start(table.rules), 10**6)}
    seen = Counter(places.values())

    assert all(0 <= place < retrograde.size(table.shape) for place in seen)
    # The same discs with the same side to move, after the end or before it, are one place.
    discs = {(position.own, position.other, position.turn if table.shape.flanks else None) for position in places}
    assert len(seen) == len(discs)


def test_a_table_says_how_large_it_is():
    sizes = {
        rules: retrograde.size(shape)
        for rules in ("popout 4x5", "popout 5x4", "five+pop 3x3", "popout 9x6")
        if (shape := shape_of(RuleSet.parse(rules)))
    }

    assert sizes == {"popout 4x5": 63**4, "popout 5x4": 31**5, "five+pop 3x3": 2 * 15**3, "popout 9x6": 127**9}


def test_a_code_is_read_as_it_was_written():
    for turns in range(retrograde.MOST_TURNS + 1):
        lost = 1 + 2 * turns
        assert retrograde.is_lost(lost)
        assert not retrograde.is_won(lost)
        assert retrograde.is_won(lost + 1)
        assert not retrograde.is_lost(lost + 1)
        assert retrograde.turns(lost) == retrograde.turns(lost + 1) == turns
    for code in (retrograde.UNDECIDED, retrograde.DRAWN_END):
        assert not retrograde.is_lost(code)
        assert not retrograde.is_won(code)


def test_random_positions_of_a_larger_grid_are_as_their_moves_say():
    table = Table("popout 4x3 connect=3 full-grid=continue")
    for position in game_positions("popout 4x3 connect=3 full-grid=continue", games=20):
        if position.ended is not None or not position.own | position.other:
            continue
        after = [(each, table.verdict(each)) for each in map(position.play, position.legal_moves)]
        seen = [verdict.estimate if each.turn is position.turn else -verdict.estimate for each, verdict in after]
        assert table.verdict(position).estimate == max(seen)
