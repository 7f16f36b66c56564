"""What is said about recorded games."""

from __future__ import annotations

import pytest

from popout.record.archive import Summary
from popout.record.journal import Entry, Levels
from popout.rules import RED, YELLOW, Game, RuleSet, Termination
from popout.views.archive_words import entry_words, game_title, kind_title, length, result, when


def summary(outcome: str | None, *, current: bool = False) -> Summary:
    return Summary(1, 0.0, None, None, "popout 7x6", 3, outcome, current=current)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, "-"), (0.4, "0:00"), (59.6, "1:00"), (312.0, "5:12"), (3731.0, "1:02:11"), (90_000.0, "25:00:00")],
)
def test_how_long_something_took(seconds: float | None, text: str):
    assert length(seconds) == text


@pytest.mark.parametrize("seconds", [-1.0, 1e300, float("inf")])
def test_what_cannot_be_a_time_is_a_dash(seconds: float):
    assert when(seconds) == "-"


def test_a_game_that_goes_on_at_the_board_is_told_from_one_that_was_left():
    assert str(result(summary(None, current=True))) == "goes on"
    assert str(result(summary(None))) == "unfinished"


@pytest.mark.parametrize("termination", Termination)
def test_every_end_has_words(termination: Termination):
    words = str(result(summary(f"red {termination.value}")))
    assert words.startswith("Red: ")
    assert "-" not in words


@pytest.mark.parametrize("outcome", ["green line", "red", "red magic"])
def test_an_end_that_this_program_does_not_know_is_shown_as_it_is(outcome: str):
    assert str(result(summary(outcome))) == f"unknown: {outcome}"


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ({}, "People play both sides."),
        ({RED: 3}, "An opponent of level 3 plays red."),
        ({RED: 3, YELLOW: 10}, "Opponents play both sides: red at level 3, yellow at level 10."),
    ],
)
def test_an_entry_about_who_plays_says_it(levels: Levels, words: str):
    game = Game.start(RuleSet.parse("popout 7x6"))
    assert str(entry_words(Entry.opponent(levels), game, game)) == words


def test_games_are_named_for_people():
    assert str(game_title("five+pop 9x7")) == "5-in-a-Row with Pop Out 9x7"
    assert str(game_title("chess 8x8")) == "unknown: chess 8x8"
    assert str(kind_title("popout")) == "Pop Out"
    assert str(kind_title("")) == "unknown"
