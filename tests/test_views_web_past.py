"""How a game is told to a page: its rules, its moves, and where each of them left its mark."""

from __future__ import annotations

import pytest

from popout.rules import RuleSet
from popout.views.web.past import NoSuchMove, last_move, look, moves_of, outcome_of, rules_of
from stories import game_of


def test_the_columns_that_can_be_played_lie_between_filled_ones():
    told = rules_of(RuleSet.parse("five 7x6"), str)

    assert (told["width"], told["columns"], told["firstColumn"], told["target"]) == (9, 7, 2, None)
    assert rules_of(RuleSet.parse("pop10 7x6"), str)["target"] == 10


def test_a_move_is_told_with_its_side_and_in_words():
    assert moves_of(game_of("popout 7x6", "d4 d3"), str) == [
        {"text": "d4", "side": "red", "said": "Red drops a disc in column 4."},
        {"text": "d3", "side": "yellow", "said": "Yellow drops a disc in column 3."},
    ]


@pytest.mark.parametrize(
    ("moves", "column", "row", "kind"),
    [("d4 d4", 4, 2, "drop"), ("d4 d4 p4", 4, 1, "pop")],
)
def test_the_last_move_is_marked_where_its_disc_lies_or_where_it_left(moves, column, row, kind):
    game = game_of("popout 7x6", moves)

    told = last_move(game, len(game.moves))

    assert told is not None
    assert (told["column"], told["row"], told["kind"]) == (column, row, kind)


def test_before_the_first_move_nothing_is_marked():
    assert last_move(game_of("popout 7x6", "d4"), 0) is None


def test_a_game_is_told_as_it_was_after_each_of_its_moves():
    game = game_of("popout 7x6", "d1 d2 d1 d2 d1 d2 d1")

    assert look(game, 0, str)["text"] == "The beginning of the game."
    assert look(game, 6, str)["outcome"] is None
    assert look(game, 7, str)["text"] == "Move 7 of 7: Red drops a disc in column 1."
    assert look(game, 7, str)["outcome"] == outcome_of(game, game.outcome, str)
    assert look(game, 7, str)["outcome"]["lines"]["red"] == [[[1, 1], [1, 2], [1, 3], [1, 4]]]


@pytest.mark.parametrize("ply", [-1, 3])
def test_a_move_that_was_not_made_cannot_be_looked_at(ply):
    with pytest.raises(NoSuchMove) as refused:
        look(game_of("popout 7x6", "d4 d3"), ply, str)

    assert str(refused.value) == f"There is no move {ply}; the game has 2."
