"""What a page draws of the step at hand, from games played move by move."""

from __future__ import annotations

import pytest

from popout.rules import parse_move
from popout.views.web import commands as do
from popout.views.web import steps
from stories import game_of
from test_views_web_state import Sitting, at_a_table

FILLED = "d1 d2 d3 d4 d2 d3 d1 d4 d2 d1 d3 d4 d4 d3 d1 d2"
"""A grid of 4x4 as the records fill it; red's disc at the bottom of column 1 is part of a line of four."""


def test_kept_discs_are_counted_in_pop_10_only():
    assert steps.kept(game_of("pop10 4x4 target=2", FILLED)) == {"red": 0, "yellow": 0}
    assert steps.kept(game_of("pop10 4x4 target=2", f"{FILLED} p1")) == {"red": 1, "yellow": 0}
    assert steps.kept(game_of("popout", "d4")) is None


def test_a_disc_to_be_put_back_floats_over_the_column_that_it_came_from():
    before = game_of("pop10 4x4 target=2", FILLED)
    out = before.play(parse_move("p3"))

    assert steps.floating(before) is None
    assert steps.floating(out) == {"side": "red", "column": 3}
    assert steps.floating(out.play(parse_move("d3"))) is None
    assert steps.floating(game_of("popout", "d4 d4 p4")) is None


def test_only_where_there_is_another_the_column_of_a_popped_disc_is_closed_to_it():
    assert steps.barred(game_of("pop10 4x4 target=2", f"{FILLED} p3")) == []
    assert steps.barred(game_of("pop10 4x4 target=2", f"{FILLED} p1 p3")) == [3]
    assert steps.barred(game_of("pop10 4x4 target=2", "d1")) == []


def test_the_columns_in_which_a_second_disc_would_make_a_line_are_closed_to_it():
    assert steps.barred(game_of("power", "d4 d1 d5 d1 d6 d2 w4")) == [3, 7]
    assert steps.barred(game_of("power", "d4 d1 d5 d1 d6 d2 x4")) == []
    assert steps.barred(game_of("five+power 7x6 connect=4", "d5 d2 d6 d2 d7 d3 w5")) == [4, 8]


@pytest.mark.parametrize(
    ("rules", "moves", "signs"),
    [
        ("power", "", []),
        ("power", "d4 w4 d3", [[4, 2, "w"]]),
        ("power", "d4 d4 d3 a4", [[4, 1, "a"]]),
        ("power", "w4 d4 a4", [[4, 1, "a"]]),
        ("power", "d4 b3 p4", [[3, 1, "b"]]),
        ("power", "x4 d1 b4 p4", [[4, 1, "b"]]),
        ("power+pop", "d4 d3 x4 d3 d1 p4", [[4, 1, "x"]]),
        ("power+pop", "x4 d3 d1 p4", []),
        ("five+power", "d2 x2 d8", [[2, 2, "x"]]),
    ],
)
def test_power_discs_are_known_again_where_they_have_come_to_lie(rules, moves, signs):
    game = game_of(rules, moves)

    assert steps.signs(game, len(game.moves)) == signs


def test_power_discs_of_the_past_are_where_they_were():
    game = game_of("power", "w4 d4 a4")

    assert [steps.signs(game, ply) for ply in range(4)] == [[], [[4, 1, "w"]], [[4, 1, "w"]], [[4, 1, "a"]]]


def test_a_chosen_power_disc_changes_what_a_press_does_and_is_gone_once_game_of():
    async def story(page: Sitting) -> None:
        powers = page.state["powers"]
        assert [each["disc"] for each in powers["discs"]] == ["a", "b", "w", "x"]
        assert powers["discs"][3]["text"] == "x2: drop a second disc in the same turn."
        assert powers["left"] == {"red": ["a", "b", "w", "x"], "yellow": ["a", "b", "w", "x"]}
        assert powers["playable"] == ["a", "w", "x"], "a bomb has nothing to take yet"

        await page.view.command(do.ChoosePower("x"))
        assert page.state["powers"]["chosen"] == "x"
        await page.tap(4)
        state = await page.see(lambda state: state["moves"])
        assert (state["phase"], state["powers"]["chosen"], state["powers"]["atWork"]) == ("x2", None, "x")
        assert state["powers"]["left"]["red"] == ["a", "b", "w"]
        assert state["last"]["power"] == "x"
        assert state["signs"] == [[4, 1, "x"]]
        await page.tap(5)
        state = await page.see(lambda state: len(state["moves"]) == 2)
        assert (state["phase"], state["turn"]) == ("play", "yellow")

    at_a_table(story, "power")


def test_a_power_disc_that_was_played_is_refused():
    async def story(page: Sitting) -> None:
        await page.view.command(do.ChoosePower("w"))
        await page.tap(4)
        await page.see(lambda state: state["moves"])
        await page.tap(5)
        await page.see(lambda state: len(state["moves"]) == 2)
        await page.tap(6)
        await page.see(lambda state: len(state["moves"]) == 3)

        with pytest.raises(ValueError, match="You have played your wall already: each power disc is played once"):
            await page.view.command(do.ChoosePower("w"))
        assert page.state["powers"]["chosen"] is None

    at_a_table(story, "power")


def test_columns_are_those_of_the_grid_where_outer_ones_are_filled():
    async def story(page: Sitting) -> None:
        assert (page.state["rules"]["width"], page.state["rules"]["firstColumn"]) == (9, 2)
        assert page.state["legal"]["drop"] == [2, 3, 4, 5, 6, 7, 8]

        await page.tap(1)  # the first button is that of column 2
        state = await page.see(lambda state: state["moves"])
        assert state["last"]["text"] == "d2"
        assert state["grid"] == ["XOXOXO", "X", "", "", "", "", "", "", "XOXOXO"]
        assert state["twin"]["grid"] == ["X", "", "", "", "", "", ""]

        await page.view.command(do.Menu())
        state = await page.see(lambda state: state["menu"])
        assert state["menu"]["entries"][0] == {"column": 2, "code": "continue", "text": "Continue"}

    at_a_table(story, "five")


def test_nothing_is_closed_or_floats_after_the_end():
    game = game_of("pop10 4x4 target=2", f"{FILLED} p1 p1")

    assert game.outcome
    assert (steps.floating(game), steps.barred(game)) == (None, [])


def test_a_game_without_power_discs_has_no_rack():
    async def story(page: Sitting) -> None:
        assert page.state["powers"] is None

    at_a_table(story)
