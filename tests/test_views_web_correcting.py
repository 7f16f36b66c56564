"""What a page may say to be on the board, and what it is told of it."""

from __future__ import annotations

from typing import Any

import pytest

from popout.record.journal import Kind
from popout.rules import RED, YELLOW
from popout.rules.errors import SetupError
from popout.views.web import commands as do
from popout.views.web import correcting
from popout.views.web.commands import BadMessage, read_command
from tabletop import TableTop


def considered(table: TableTop, grid: list[str], turn: str, **more: Any) -> dict[str, Any]:
    return dict(correcting.considered(table.controller, do.Consider(grid=grid, turn=turn, **more), str))


def set_up(table: TableTop, grid: list[str], turn: str, **more: Any) -> None:
    asked = do.SetUp(grid=grid, turn=turn, **more)
    from popout.rules import Side

    table.controller.set_up(tuple(grid), Side(turn), correcting.said_of(asked))
    table._settle()


def test_a_position_is_considered_without_changing_anything():
    table = TableTop()
    table.play("d4 d4")
    before = table.game
    answer = considered(table, ["", "", "", "X", "O", "", ""], "red")
    assert answer == {
        "type": "considered",
        "text": "Red to move.",
        "cells": [[4, 2], [5, 1]],
        "difference": "2 cells are not as the board believes.",
    }
    assert considered(table, ["", "", "", "XO", "", "", ""], "red")["difference"] == (
        "Every cell is as the board believes."
    )
    assert table.game == before


@pytest.mark.parametrize(
    ("grid", "sentence"),
    [
        (["", "", "", ".X", "", "", ""], "floats"),
        (["XXXX", "O", "O", "O", "", "", ""], "4 in a row"),
        (["X", "X", "X", "", "", "", ""], "red"),
        (["X"] * 6, "7"),
        (["XZ", "", "", "", "", "", ""], "Z"),
    ],
)
def test_an_impossible_position_is_refused_with_what_is_impossible_in_it(grid: list[str], sentence: str):
    table = TableTop()
    with pytest.raises(SetupError) as caught:
        considered(table, grid, "red")
    assert sentence in str(caught.value)


def test_a_position_is_set_up_with_its_turn_and_recorded_with_both_pictures_e7():
    table = TableTop()
    table.play("d4 d4")
    set_up(table, ["", "", "", "XX", "O", "", ""], "yellow")
    assert table.game.turn is YELLOW
    assert table.saved[-1].kind is Kind.CORRECTION
    assert table.saved[-1].text == "///XO/// X -> ///XX/O// O"


def test_of_pop_10_the_step_and_the_kept_discs_are_said():
    table = TableTop("pop10 4x2 connect=3 target=2")
    grid = ["XO", "OX", "XO", "O"]
    asked = considered(table, grid, "red", phase="pop", kept=[1, 0])
    assert asked["text"] == "Red to pop one of red's discs out of the bottom row."
    set_up(table, grid, "red", phase="pop", kept=(1, 0))
    assert (table.game.position.kept(RED), table.game.position.kept(YELLOW)) == (1, 0)
    assert table.game.position.phase.value == "pop"
    assert correcting.beside(table.controller, str) == {
        "phases": [
            {"value": "fill", "text": "Filling the grid, row by row"},
            {"value": "pop", "text": "Popping a disc"},
            {"value": "put", "text": "Putting the popped disc back"},
        ],
        "phase": "pop",
        "kept": [1, 0],
        "source": None,
        "powers": None,
        "hands": None,
    }
    set_up(table, grid, "yellow", phase="put", kept=(0, 0), source=4)
    assert table.game.position.phase.value == "put"
    assert correcting.beside(table.controller, str)["source"] == 4


def test_what_is_not_said_of_pop_10_stays_as_it_is():
    table = TableTop("pop10 4x2 connect=3 target=2")
    set_up(table, ["XO", "OX", "XO", "O"], "red", phase="pop", kept=(1, 0))
    set_up(table, ["XO", "OX", "X", "OO"], "yellow")
    assert table.game.turn is YELLOW
    assert table.game.position.kept(RED) == 1


def test_of_power_up_the_power_discs_left_and_the_step_are_said():
    table = TableTop("power 7x6")
    set_up(table, ["X", "", "", "", "O", "", ""], "red", powers=("a", "bw"))
    assert correcting.beside(table.controller, str)["powers"] == ["a", "bw"]
    set_up(table, ["XX", "", "", "", "O", "", ""], "red", phase="x2")
    assert table.game.position.phase.value == "x2"
    assert correcting.beside(table.controller, str)["powers"] == ["a", "bw"]
    with pytest.raises(SetupError) as caught:
        correcting.said_of(do.SetUp(grid=[""], turn="red", powers=("q", "")))
    assert str(caught.value) == "The power discs are a (anvil), b (bomb), w (wall) and x (x2)."


def test_of_a_game_with_a_supply_the_discs_in_hand_are_said():
    table = TableTop("popout 7x6 supply=21")
    set_up(table, ["X", "", "", "", "O", "", ""], "red", hands=(10, 11))
    assert correcting.beside(table.controller, str)["hands"] == [10, 11]


def test_what_a_game_does_not_have_is_refused():
    with pytest.raises(SetupError):
        considered(TableTop(), [""] * 7, "red", kept=(1, 1))
    with pytest.raises(SetupError):
        considered(TableTop(), [""] * 7, "red", phase="pop")


def test_a_page_hears_what_differs_which_step_is_next_and_how_it_could_go_on():
    table = TableTop()
    table.play("d4 d4")
    assert correcting.differs(table.controller, str) is None
    table.controller.correct(("", "", "", "X", "O", "", ""), table.time)
    assert correcting.differs(table.controller, str) == {
        "text": "2 cells are not as they should be. Put a yellow disc into column 4 (row 2), then press its button.",
        "step": "Put a yellow disc into column 4 (row 2), then press its button.",
        "column": 4,
        "cells": [[4, 2], [5, 1]],
        "canAdopt": True,
        "seen": ["", "", "", "X", "O", "", ""],
        "choices": [{"turn": "red", "text": "Red to move."}],
    }


def test_a_side_that_cannot_be_to_move_is_not_offered():
    table = TableTop("standard 7x6")
    table.play("d4 d4")
    table.controller.correct(("", "", "", "X", "", "", ""), table.time)
    offered = correcting.differs(table.controller, str)
    assert offered is not None
    assert [choice["turn"] for choice in offered["choices"]] == ["yellow"]


def test_somebody_says_that_everything_is_right_again():
    table = TableTop()
    table.play("d4 d4")
    table.controller.correct(("", "", "", "X", "O", "", ""), table.time)
    table.controller.repaired(table.time)
    assert table.controller.correction is None
    assert table.said[-1] == "The board is right."


def test_what_hands_at_the_board_tell_is_shown_on_the_page():
    table = TableTop("popout 10x6")
    table.play("d4")
    assert correcting.telling(table.controller) is None
    table.tap("menu", 10, 1, 2)
    assert correcting.telling(table.controller) == {
        "grid": ["", "O", "", "X", "", "", "", "", "", ""],
        "disc": "yellow",
        "cells": [[2, 1]],
    }


@pytest.mark.parametrize(
    "text",
    [
        '{"do":"set-up","grid":["X"],"turn":"green"}',
        '{"do":"set-up","grid":["X"]}',
        '{"do":"set-up","grid":["X"],"turn":"red","kept":[1]}',
        '{"do":"set-up","grid":["X"],"turn":"red","kept":[-1,2]}',
        '{"do":"consider","grid":["X"],"turn":"red","phase":"nap"}',
        '{"do":"consider","grid":[],"turn":"red"}',
        '{"do":"consider","grid":["X"],"turn":"red","hands":[1,true]}',
        '{"do":"repaired","grid":["X"]}',
    ],
)
def test_what_cannot_be_read_is_refused(text: str):
    with pytest.raises(BadMessage):
        read_command(text)
