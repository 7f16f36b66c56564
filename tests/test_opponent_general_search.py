"""The look ahead on the rules core: what it proves is so, in every game, whatever it has seen before."""

from __future__ import annotations

import random

import pytest

from popout.opponent.general.exact import Graph
from popout.opponent.general.search import PROVED, WIN, Halted, Search
from popout.opponent.general.standing import can_drop_a_line, line_cells, standing
from popout.opponent.verdicts import Worth
from popout.rules import RED, Drop, Position, Power, PowerDisc, RuleSet, parse_position

MEMORY = 1 << 20


def never() -> bool:
    return False


def on(rules: str, text: str) -> Position:
    return parse_position(text, RuleSet.parse(rules))


def wins_seen(search: Search, position: Position, turns: int) -> tuple[Worth, int | None]:
    """What a look of so many turns proves."""
    worth = search.look(position, turns, -WIN, WIN, never)
    if worth > PROVED:
        return Worth.WIN, WIN - worth
    return (Worth.LOSS, WIN + worth) if worth < -PROVED else (Worth.UNKNOWN, None)


def positions_of(rules: str, count: int) -> list[Position]:
    """Positions of random games that are not over, each once."""
    chance = random.Random(rules)
    start = Position.start(RuleSet.parse(rules))
    found = {start: None}
    for _ in range(100 * count):
        position = start
        for _ in range(chance.randrange(1, 14)):
            position = position.play(chance.choice(position.legal_moves))
            if position.ended is not None:
                break
        else:
            found[position] = None
        if len(found) >= count:
            break
    return list(found)


@pytest.mark.parametrize(
    "rules",
    [
        "popout 3x3 connect=3",
        "popout 3x2 connect=3 full-grid=claim",
        "popout 3x2 connect=3 full-grid=continue empty-grid=continue",
        "popout 3x3 connect=3 supply=4",
        "standard 4x3 connect=3",
        "five+pop 2x3 connect=3",
        "pop10 4x3 connect=3 target=2",
        "power 3x2 connect=3 powers=ax",
        "power+pop 3x2 connect=3 powers=bw",
    ],
)
def test_it_proves_just_the_wins_that_are_near_enough(rules: str):
    positions = positions_of(rules, 40)
    graph = Graph(positions[0], 200_000)
    # One search for all: what it remembers from one position must be true of the next.
    search = Search(positions[0].rules, MEMORY)
    for position in positions:
        verdict = graph.verdict(position)
        assert verdict is not None
        for turns in (1, 2, 3, 5):
            seen, plies = wins_seen(search, position, turns)
            if verdict.plies is not None and verdict.plies <= turns:
                assert (seen, plies) == (verdict.worth, verdict.plies), position
            elif seen is not Worth.UNKNOWN:
                # What it remembers, and a drop that wins, are seen further off; a shorter way is then not ruled out.
                assert seen is verdict.worth, position
                assert plies is not None
                assert plies > turns


def test_a_memory_that_is_full_forgets_and_is_still_right():
    rules = RuleSet.parse("popout 4x3 connect=3")
    position = Position.start(rules)
    verdict = Graph(position, 200_000).verdict(position)
    assert verdict is not None
    assert verdict.plies is not None

    seen = wins_seen(Search(rules, memory=0), position, verdict.plies)

    assert seen == (verdict.worth, verdict.plies)


def test_a_second_disc_of_the_same_turn_is_no_turn_more():
    position = on(
        "power 5x4 connect=4",
        """
        . . . . .
        . . . . .
        . . . . .
        X X . . O
        X to move
        """,
    )
    search = Search(position.rules, MEMORY)

    assert wins_seen(search, position, 1) == (Worth.WIN, 1)  # x2 in column 3, the other disc in column 4
    doubled = position.play(Power(PowerDisc.DOUBLE, 3))
    assert doubled.turn is RED
    assert wins_seen(search, doubled, 0) == (Worth.WIN, 1)


def test_it_is_told_to_stop():
    position = Position.start(RuleSet.parse("popout 9x9"))
    search = Search(position.rules, MEMORY)
    with pytest.raises(Halted):
        search.look(position, 20, -WIN, WIN, lambda: search.positions > 1000)
    assert search.positions < 1200


def test_going_in_circles_is_worth_a_draw_and_is_not_remembered_elsewhere():
    rules = "popout 2x2 connect=2 full-grid=continue empty-grid=continue"
    positions = positions_of(rules, 30)
    graph = Graph(positions[0], 10_000)
    for position in positions:
        verdict = graph.verdict(position)
        search = Search(position.rules, MEMORY)
        assert verdict is not None
        if verdict.worth is Worth.DRAW:
            assert abs(search.look(position, 30, -WIN, WIN, never)) < PROVED


# What a position seems to be worth


def test_cells_that_complete_a_line_are_found_in_all_directions():
    position = on(
        "popout 7x6",
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        X . X . . . .
        X X O . . . .
        X O O X X . X
        O to move
        """,
    )
    cells = set(position.rules.grid.cells(line_cells(position.rules, position.red)))

    # Above three of a column, at the end of three of a diagonal, in the gap of a row.
    assert cells == {(1, 4), (4, 4), (6, 1)}


def test_a_win_by_a_drop_is_seen_but_not_by_a_wall():
    position = on(
        "power 5x4 connect=3",
        """
        . . . . .
        . . . . .
        O . . . .
        X X . O .
        X to move
        """,
    )
    assert can_drop_a_line(position)
    walled = position.play(Power(PowerDisc.WALL, 5))
    assert not can_drop_a_line(walled)


def test_what_is_good_for_one_is_as_bad_for_the_other():
    position = on("standard 7x6", "O///XX///O X")
    assert standing(position) > 0 > standing(position.turned())


def test_discs_kept_are_what_counts_in_pop_10():
    start = Position.start(RuleSet.parse("pop10 4x3 connect=3 target=2"))
    position = start
    for column in (1, 2, 3, 4) * 3:
        position = position.play(Drop(column))
    ahead = position._replace(extra=position.extra._replace(kept=1))  # type: ignore[union-attr,attr-defined]
    assert standing(ahead) > standing(position) + 200
