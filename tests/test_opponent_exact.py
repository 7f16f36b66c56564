"""The graph of all positions: any game, from the end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from popout.opponent.general.exact import Graph, is_mid_turn
from popout.opponent.verdicts import DRAWN, lost_in, won_in
from popout.rules import Drop, Position, Power, PowerDisc, RuleSet
from test_rules_solved import named, start_of

ENTRIES: list[dict[str, Any]] = [
    entry
    for entry in json.loads((Path(__file__).parent / "data" / "vectors" / "solved.json").read_text("utf-8"))
    if entry.get("positions", 10**9) <= 33_000
]


@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_a_small_board_is_worth_what_the_data_says(entry: dict[str, Any]):
    start = start_of(entry)

    found = Graph(start, 100_000).verdict(start)

    plies = entry["plies"] or 0
    assert found == {0: DRAWN, 1: won_in(plies), 2: lost_in(plies)}[entry["winner"]]


def test_every_position_on_the_way_is_known_and_no_other():
    start = Position.start(RuleSet.parse("standard 3x3 connect=3"))
    after = start.play(Drop(1))
    graph = Graph(after, 100_000)

    assert graph.verdict(after.play(Drop(3))) is not None
    assert graph.verdict(start) is None


def test_a_turn_that_was_begun_counts_until_it_is_finished():
    start = Position.start(RuleSet.parse("power 3x2 connect=2 powers=x"))
    begun = start.play(Power(PowerDisc("x"), 2))

    assert is_mid_turn(begun)
    assert Graph(start, 100_000).verdict(begun) == Graph(start, 100_000).verdict(start) == won_in(1)


def test_who_is_passed_over_loses_no_turn():
    """Both have two discs: after four drops only pops are left, and who has none waits."""
    rules = RuleSet.parse("popout 2x2 connect=2 supply=2 both-lines=draw")
    start = Position.start(rules)
    graph = Graph(start, 100_000)

    for position in graph:
        if position.ended is None:
            after = [(each, graph.verdict(each)) for each in map(position.play, position.legal_moves)]
            seen = [found.estimate if each.turn is position.turn else -found.estimate for each, found in after if found]
            verdict = graph.verdict(position)
            assert verdict is not None
            assert verdict.estimate == max(seen)


def test_more_positions_than_allowed_are_not_known():
    start = Position.start(RuleSet.parse("pop10 7x6"))

    graph = Graph(start, 500)

    assert not graph.is_complete
    assert graph.verdict(start) is None
    assert graph.positions < 600


def test_it_is_stopped():
    start = Position.start(RuleSet.parse("pop10 7x6"))
    told: list[int] = []

    graph = Graph(start, 10**6, lambda positions: told.append(positions) or len(told) == 3)

    assert not graph.is_complete
    assert told == sorted(told)
    assert len(told) == 3
