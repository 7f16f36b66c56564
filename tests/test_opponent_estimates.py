"""The look ahead as the analysis and the levels use it, by the kernel and by the rules core."""

from __future__ import annotations

import random

import pytest

from popout.opponent import estimates
from popout.opponent.estimates import ALL_MOVES, Estimates, estimates_of
from popout.opponent.general import standing
from popout.opponent.general.exact import Graph
from popout.opponent.kernel import estimate as kernel_estimate
from popout.opponent.kernel.shape import shape_of
from popout.opponent.verdicts import Verdict, Worth, before, lost_in, won_in
from popout.rules import Drop, Move, Pop, Position, RuleSet, parse_position

MEMORY = 1 << 20


def never() -> bool:
    return False


def by_the_rules_core(rules: RuleSet, monkeypatch: pytest.MonkeyPatch) -> Estimates:
    with monkeypatch.context() as patch:
        patch.setattr(estimates, "shape_of", lambda _rules: None)
        return estimates_of(rules, MEMORY)


def looked(position: Position, plies: int) -> dict[Move, Verdict]:
    found = estimates_of(position.rules, MEMORY).of_moves(position, plies, never)
    assert found is not None
    return found


def some_positions(rules: str, count: int) -> list[Position]:
    chance = random.Random(rules)
    found: list[Position] = []
    while len(found) < count:
        position = Position.start(RuleSet.parse(rules))
        for _ in range(chance.randrange(2, 16)):
            if position.ended is None:
                position = position.play(chance.choice(position.legal_moves))
        if position.ended is None:
            found.append(position)
    return found


@pytest.mark.parametrize(
    "rules", ["popout 5x4", "standard 5x4", "five+pop 4x4 connect=4", "popout 6x4 both-lines=draw"]
)
def test_the_kernel_and_the_rules_core_prove_the_same(rules: str, monkeypatch: pytest.MonkeyPatch):
    positions = some_positions(rules, 25)
    one = estimates_of(positions[0].rules, MEMORY)
    other = by_the_rules_core(positions[0].rules, monkeypatch)
    for position in positions:
        by_kernel, by_core = one.of_moves(position, 2, never), other.of_moves(position, 4, never)
        assert by_kernel is not None
        assert by_core is not None
        for move, verdict in by_kernel.items():
            if (by_core[move].plies or 0) <= 4:  # one turn further the rules core sees drops only
                assert (verdict.worth, verdict.plies) == (by_core[move].worth, by_core[move].plies), (position, move)


@pytest.mark.parametrize("rules", ["popout 7x6", "five 6x5", "popout 6x5 connect=3", "standard 7x7 connect=6"])
def test_the_kernel_and_the_rules_core_count_the_same_places_for_lines(rules: str):
    for position in some_positions(rules, 50):
        shape = shape_of(position.rules)
        assert shape is not None
        by_kernel = kernel_estimate.places_worth(shape, position.own, position.other)
        assert by_kernel == standing.places_worth(position.rules, position.own, position.other)


@pytest.mark.parametrize("rules", ["popout 3x3 connect=3", "popout 4x3 connect=3", "five+pop 2x3 connect=3"])
def test_what_it_says_of_a_move_is_so(rules: str):
    positions = some_positions(rules, 40)
    graph = Graph(Position.start(positions[0].rules), 200_000)
    # One table for all: what it knows from one position must be true of the next.
    estimates = estimates_of(positions[0].rules, MEMORY)
    for position in positions:
        for plies in (1, 2, 4, 7):
            found = estimates.of_moves(position, plies, never)
            assert found is not None
            assert found.keys() == set(position.legal_moves)
            for move, verdict in found.items():
                after = position.play(move)
                after_it = graph.verdict(after)
                assert after_it is not None
                truth = before(after_it, same_side=False)
                if verdict.worth is Worth.UNKNOWN:
                    assert verdict.searched >= plies
                    assert truth.plies is None or truth.plies > verdict.searched
                else:
                    assert (verdict.worth, verdict.plies) == (truth.worth, truth.plies)


def test_the_original_is_a_draw_once_the_look_reaches_the_last_cell():
    position = parse_position("XOX/OXO/XOX/OX O", RuleSet.parse("standard 4x3 connect=4"))

    assert looked(position, 1) == {Drop(4): Verdict(Worth.DRAW)}


def test_where_the_end_is_not_seen_it_is_a_guess_that_says_so():
    found = looked(Position.start(RuleSet.parse("popout 7x6")), 2)

    assert {verdict.worth for verdict in found.values()} == {Worth.UNKNOWN}
    assert all(-1 < verdict.estimate < 1 and verdict.searched == 4 for verdict in found.values())
    assert max(found, key=lambda move: found[move].estimate) == Drop(4)


def test_with_a_margin_bad_moves_are_just_known_to_be_bad():
    position = parse_position("X/XX/O/O/O/XO/ X", RuleSet.parse("popout 7x6"))
    with_all = estimates_of(position.rules, MEMORY).of_moves(position, 4, never, ALL_MOVES)
    with_margin = estimates_of(position.rules, MEMORY).of_moves(position, 4, never, 0.05)
    assert with_all is not None
    assert with_margin is not None
    best = max(with_all.values(), key=lambda verdict: verdict.estimate)

    assert max(with_margin.values(), key=lambda verdict: verdict.estimate).estimate == best.estimate
    for move, verdict in with_margin.items():
        assert verdict == with_all[move] or verdict.estimate <= best.estimate - 0.05 or verdict.worth is Worth.LOSS
        assert verdict.worth is not Worth.UNKNOWN or verdict.searched in (0, with_all[move].searched)


def test_an_own_pop_that_makes_a_line_for_the_other_is_a_loss_at_once():
    position = parse_position(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X . . O X . .
        O O O X X . .
        X to move
        """,
        RuleSet.parse("popout 7x6"),
    )
    found = looked(position, 1)

    assert found[Pop(4)] == lost_in(1)
    # Whatever else it does: yellow's fourth disc in the bottom row comes by no other way than a pop of red's.
    assert found[Drop(4)].worth is Worth.UNKNOWN


def test_a_win_at_once_is_one_turn():
    position = parse_position("X/X/X//O/O/O X", RuleSet.parse("popout 7x6"))

    assert looked(position, 1)[Drop(4)] == won_in(1)


@pytest.mark.parametrize("rules", ["popout 7x6", "power 7x6"])
def test_it_is_told_to_stop_and_has_no_answer_then(rules: str):
    position = Position.start(RuleSet.parse(rules))
    estimates = estimates_of(position.rules, MEMORY)

    assert estimates.of_moves(position, 40, lambda: estimates.positions > 500) is None
    # It can be asked again.
    assert estimates.of_moves(position, 1, never) is not None


def test_the_steps_of_a_turn_are_one_turn():
    position = parse_position("X/X///O O".replace(" O", " X"), RuleSet.parse("power 5x4"))
    found = estimates_of(position.rules, MEMORY).of_moves(position, 1, never)
    assert found is not None
    doubled = next(move for move in found if str(move) == "x3")

    assert found[doubled] == won_in(1)
    assert found[Drop(3)].worth is Worth.UNKNOWN
