"""The ten levels and what they are called."""

from __future__ import annotations

import itertools

import pytest

from popout.opponent.levels import LEVELS, UnknownLevel, level_called
from popout.opponent.sight import Sight


def test_there_are_ten_levels_in_order():
    assert [level.number for level in LEVELS] == list(range(1, 11))
    assert [str(level.name) for level in LEVELS] == [
        *("Beginner", "Learner", "Casual player", "Careful player", "Thinker"),
        *("Club player", "Expert", "Master", "Champion", "Perfect"),
    ]


@pytest.mark.parametrize("text", ["1", " 1 ", "beginner", "BEGINNER", "Beginner"])
def test_a_level_is_found_by_its_number_and_its_name(text: str):
    assert level_called(text) is LEVELS[0]


def test_a_name_of_two_words_may_be_written_as_one_likes():
    assert level_called("club   PLAYER") is LEVELS[5]


@pytest.mark.parametrize("text", ["11", "0", "01", "", "expertt", "1.0", "club", "½"])
def test_another_level_is_refused_with_those_that_there_are(text: str):
    with pytest.raises(UnknownLevel) as raised:
        level_called(text)

    assert str(raised.value) == (
        f'There is no level "{text}". Choose a number from 1 to 10, or a name: Beginner, Learner, Casual player, '
        "Careful player, Thinker, Club player, Expert, Master, Champion, Perfect."
    )
    assert raised.value.code == "unknown-level"


def test_no_level_looks_less_far_or_is_less_sure_than_the_one_below():
    for lower, higher in itertools.pairwise(LEVELS):
        assert lower.plies <= higher.plies
        assert lower.wobble >= higher.wobble
        assert lower.seconds <= higher.seconds
        for kind in Sight:
            assert lower.overlooks.get(kind, 0) >= higher.overlooks.get(kind, 0)
        assert lower != higher


def test_a_column_is_overlooked_least_and_a_diagonal_most():
    for level in LEVELS:
        seen = level.overlooks
        if seen:
            assert seen[Sight.VERTICAL] <= seen[Sight.HORIZONTAL] <= seen[Sight.DIAGONAL]


def test_only_the_highest_level_is_meant_to_be_perfect():
    assert [level.number for level in LEVELS if level.proves] == [10]
    assert LEVELS[9].wobble == 0
    assert not LEVELS[9].overlooks


def test_nobody_waits_long_for_a_level():
    assert all(level.seconds <= 1 for level in LEVELS)
    assert all(level.seconds <= 0.3 for level in LEVELS[:6])
