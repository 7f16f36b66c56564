"""What became of many games: the lines of the list, the numbers, and bars that are never too many."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from popout.record.archive import Summary
from popout.views.web.figures import MOST_LENGTHS, MOST_MONTHS, figures, listed

MONDAY = datetime(2026, 3, 2, 12)


def played(outcome: str | None = "red line", *, day: datetime = MONDAY, moves: int = 9, **more: Any) -> Summary:
    """A game that was played on that day."""
    began = day.timestamp()
    given = {"number": 1, "rules": "popout 7x6", "started": began, "ended": began + 60 if outcome else None, **more}
    return Summary(began=began, moves=moves, outcome=outcome, **given)


def bars(*games: Summary) -> tuple[str, list[tuple[str, int]]]:
    """The unit of the bars, and of each its beginning and how many games it stands for."""
    told = figures(games, str)["periods"]
    return told["unit"], [(bar["from"], sum(bar["parts"])) for bar in told["bars"]]


def test_a_game_is_listed_with_its_players_its_length_and_its_end():
    game = played("yellow both-lines", number=7, names={"red": "Ada", "place": "Rome"}, imported=True)

    assert listed(game, str) == {
        "number": 7,
        "began": MONDAY.timestamp(),
        "seconds": 60,
        "title": "Pop Out",
        "size": [7, 6],
        "moves": 9,
        "result": "yellow",
        "names": {"red": "Ada"},
        "imported": True,
        "current": False,
    }


def test_a_game_by_rules_of_another_program_is_listed_all_the_same():
    told = listed(played(None, rules="chess 8x8"), str)

    assert (told["title"], told["size"], told["result"]) == ("Another game", None, "unfinished")


@pytest.mark.parametrize("began", [-1.0, 1e18])
def test_a_time_that_no_calendar_has_is_none(began):
    game = Summary(1, began, None, None, "popout 7x6", 3, None)

    assert listed(game, str)["began"] is None
    assert figures([game], str)["periods"] == {"unit": "day", "bars": []}


def test_results_are_counted_in_all_and_by_game():
    told = figures(
        [played("red line"), played("draw full"), played(None), played("yellow line", rules="standard 7x6")], str
    )

    assert {name: told["total"][name] for name in ("games", "red", "yellow", "draw", "unfinished")} == {
        "games": 4,
        "red": 1,
        "yellow": 1,
        "draw": 1,
        "unfinished": 1,
    }
    assert [(kind["title"], kind["games"]) for kind in told["kinds"]] == [("Pop Out", 3), ("The original", 1)]
    assert told["periods"]["bars"] == [{"from": "2026-03-02", "parts": [1, 1, 1, 1]}]


def test_what_was_begun_and_never_played_is_left_out():
    told = figures([played(None, moves=0)], str)

    assert told["total"]["games"] == 0
    assert told["seconds"] is told["moves"] is None
    assert told["lengths"] == []


def test_a_few_days_are_shown_by_the_day_with_those_between_without_a_game():
    assert bars(played(), played(day=MONDAY + timedelta(days=2))) == (
        "day",
        [("2026-03-02", 1), ("2026-03-03", 0), ("2026-03-04", 1)],
    )


def test_a_few_months_are_shown_by_the_week_from_its_monday():
    unit, shown = bars(played(day=MONDAY + timedelta(days=3)), played(day=MONDAY + timedelta(days=60)))

    assert unit == "week"
    assert shown[0] == ("2026-03-02", 1)
    assert shown[-1] == ("2026-04-27", 1)
    assert len(shown) == 9


def test_of_many_years_the_newest_months_are_shown():
    unit, shown = bars(played(day=datetime(1970, 1, 2)), played(day=datetime(2026, 1, 31)), played())

    assert unit == "month"
    assert len(shown) == MOST_MONTHS
    assert shown[-3:] == [("2026-01-01", 1), ("2026-02-01", 0), ("2026-03-01", 1)]


def test_lengths_are_bars_of_one_width_and_unfinished_games_have_none():
    told = figures([played(moves=7), played(moves=7), played(moves=9), played(None, moves=30)], str)

    assert told["lengths"] == [
        {"least": 7, "most": 7, "count": 2},
        {"least": 8, "most": 8, "count": 0},
        {"least": 9, "most": 9, "count": 1},
    ]


@pytest.mark.parametrize("longest", [15, 16, 17, 42, 99, 100, 1000, 123_456])
def test_bars_of_lengths_are_never_too_many_and_hold_every_game(longest):
    told = figures([played(moves=moves) for moves in (1, 2, longest)], str)["lengths"]

    assert len(told) <= MOST_LENGTHS
    assert sum(bar["count"] for bar in told) == 3
    assert told[-1]["least"] <= longest <= told[-1]["most"]
