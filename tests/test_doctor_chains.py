from __future__ import annotations

import pytest

from popout.board.chain import CellLamps, CellPlace, Chain, ColumnLamps, ColumnPlace, TurnLamps, TurnPlace
from popout.board.layout import Layout
from popout.doctor.chains import Ways, all_ways, best_lamp, that_explain
from popout.doctor.observations import LampSeen

PI = Layout.load("7x6-pi")
CHAIN = PI.chain
assert CHAIN is not None


def test_every_order_corner_direction_and_start_is_a_way():
    assert len(all_ways(CHAIN, 7, 6)) == 6 * 16 * 2 * 2


def test_each_way_is_another_course_and_the_layouts_own_is_one_of_them():
    ways = all_ways(CHAIN, 7, 6)

    assert len(set(ways.values())) == len(ways)
    assert ways[CHAIN] == PI.places


@pytest.mark.parametrize("serpentine", [True, False])
def test_of_several_descriptions_of_one_course_the_layouts_own_is_kept(serpentine: bool):
    told = Chain(pin="GPIO10", order="grb", parts=(CellLamps(start="bottom left", along="row", serpentine=serpentine),))

    ways = all_ways(told, 7, 1)

    assert len(ways) == 2
    assert told in ways


def questions(ways: Ways, real: Chain) -> int:
    """How many lamps have to be looked at until only the real way is left."""
    places, asked = ways[real], 0
    while (index := best_lamp(ways, frozenset(), len(places))) is not None:
        asked += 1
        ways = that_explain(ways, [LampSeen(index, places[index])], frozenset())
    assert list(ways) == [real]
    return asked


def test_any_way_of_a_7x6_board_is_found_with_four_lamps_at_most():
    ways = all_ways(CHAIN, 7, 6)

    assert max(questions(ways, real) for real in ways) <= 4


def test_any_way_of_a_board_with_column_and_turn_lamps_is_found_with_three():
    told = Layout.load("5x4").chain
    assert told is not None
    ways = all_ways(told, 5, 4)

    assert max(questions(ways, real) for real in ways) <= 3


def test_a_dark_lamp_explains_that_no_light_was_seen():
    ways = all_ways(CHAIN, 7, 6)
    dark = frozenset({CellPlace(1, 1)})

    assert CHAIN in that_explain(ways, [LampSeen(0, None)], dark)
    assert CHAIN not in that_explain(ways, [LampSeen(0, None)], frozenset())


def test_answers_that_fit_to_no_way_leave_none():
    ways = all_ways(CHAIN, 7, 6)
    answers = [LampSeen(0, CellPlace(1, 1)), LampSeen(1, TurnPlace("red"))]

    assert that_explain(ways, answers, frozenset()) == {}


def test_lamps_behind_a_break_are_not_asked_for():
    told = Chain(pin="GPIO10", order="grb", parts=(ColumnLamps(start="left"), TurnLamps(start="red")))
    ways = all_ways(told, 5, 4)

    left = that_explain(ways, [LampSeen(0, ColumnPlace(1))], frozenset())

    assert best_lamp(left, frozenset(), 5) is None
    assert best_lamp(left, frozenset(), 6) == 5
