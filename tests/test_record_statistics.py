"""What became of many games."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from popout.record.statistics import OTHER_GAME, Results, Spread, statistics_of

POPOUT, YELLOW_FIRST, FIVE = "popout 7x6", "popout 7x6 first=yellow", "five 7x6"


def at(day: int, hour: int = 12) -> float:
    return datetime(2026, 11, day, hour).timestamp()


def test_without_a_game_there_is_nothing_to_tell():
    found = statistics_of([])
    assert found.total == Results(0, 0, 0, 0, 0, 0, 0)
    assert (found.kinds, found.seconds, found.moves, found.days, found.weeks) == ((), None, None, (), ())


def test_who_won_how_often_is_told_of_each_game_and_of_all():
    found = statistics_of(
        [
            (POPOUT, at(1), 9, 60.0, "red line"),
            (POPOUT, at(1), 9, 60.0, "yellow both-lines"),
            (YELLOW_FIRST, at(1), 9, 60.0, "yellow line"),
            (POPOUT, at(1), 9, 60.0, "draw full"),
            (FIVE, at(1), 9, 60.0, "red resigned"),
            (FIVE, at(1), 3, None, None),
        ]
    )
    assert found.kinds == (
        ("popout", Results(games=4, red=1, yellow=2, drawn=1, unfinished=0, starter=2, follower=1)),
        ("five", Results(games=2, red=1, yellow=0, drawn=0, unfinished=1, starter=1, follower=0)),
    )
    assert found.total == Results(games=6, red=2, yellow=2, drawn=1, unfinished=1, starter=3, follower=1)


def test_the_time_and_the_moves_of_games_that_ended_are_told():
    found = statistics_of(
        [
            (POPOUT, at(1), 10, 60.0, "red line"),
            (POPOUT, at(1), 30, 100.0, "red line"),
            (POPOUT, at(1), 21, None, "draw agreed"),
            (POPOUT, at(1), 99, None, None),
        ]
    )
    assert found.seconds == Spread(2, 60.0, 80.0, 100.0)
    assert found.moves == Spread(3, 10, 21, 30)


def test_days_and_weeks_are_local_ones_and_a_week_without_a_game_is_drawn_too():
    found = statistics_of([(POPOUT, began, 1, None, None) for began in (at(1, 23), at(1, 0), at(2), at(17))])
    assert found.days == ((date(2026, 11, 1), 2), (date(2026, 11, 2), 1), (date(2026, 11, 17), 1))
    assert found.weeks == (
        (date(2026, 10, 26), 2),
        (date(2026, 11, 2), 1),
        (date(2026, 11, 9), 0),
        (date(2026, 11, 16), 1),
    )


@pytest.mark.parametrize("began", [-1.0, 1e300])
def test_a_time_that_cannot_be_is_on_no_day(began: float):
    found = statistics_of([(POPOUT, began, 1, None, None)])
    assert (found.total.games, found.days) == (1, ())


def test_rules_that_no_longer_exist_are_a_game_of_their_own():
    found = statistics_of([("chess 8x8", at(1), 9, 60.0, "red line")])
    assert found.kinds == ((OTHER_GAME, Results(1, 1, 0, 0, 0, 0, 0)),)
