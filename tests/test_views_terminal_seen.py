"""What the messages of a board mean: buttons, legal columns, marks, the bar."""

from __future__ import annotations

from typing import Any

import pytest

from popout.views.drawing import LAST, LOSING, WINNING
from popout.views.terminal import seen


def state(**changes: Any) -> dict[str, Any]:
    return {
        "rules": {"firstColumn": 2, "columns": 3, "pops": True},
        "board": {"twoRows": False},
        "turn": "red",
        "bar": "closed",
        "phase": "play",
        "legal": {"drop": [2, 3], "pop": [4]},
        "menu": None,
        "differs": None,
        "telling": None,
        "outcome": None,
        "last": None,
        **changes,
    }


def test_columns_of_the_grid_have_the_buttons_of_the_board():
    assert [seen.switch_of(state(), column) for column in (1, 2, 4, 5)] == [None, "column 1", "column 3", None]


def test_where_each_side_has_its_buttons_that_of_the_side_to_move_is_pressed():
    two = {"board": {"twoRows": True}}

    assert seen.switch_of(state(**two), 2) == "column 1"
    assert seen.switch_of(state(**two, turn="yellow"), 2) == "yellow column 1"
    assert seen.switch_of(state(**two, turn=None), 2) == "column 1"


@pytest.mark.parametrize(
    ("changes", "columns"),
    [
        ({}, {2, 3}),
        ({"bar": "open"}, {4}),
        ({"menu": {"entries": [{"column": 4}]}}, {4}),
        ({"differs": {"column": 3}}, {3}),
        ({"telling": {"disc": "red"}}, {2, 3, 4}),
    ],
)
def test_the_columns_that_do_something(changes: dict[str, Any], columns: set[int]):
    assert seen.legal_columns(state(**changes)) == columns


def test_the_last_disc_is_marked_and_a_pop_at_its_column():
    dropped = state(last={"kind": "drop", "column": 2, "row": 1})
    popped = state(last={"kind": "pop", "column": 3, "row": 1})

    assert (seen.marks(dropped), seen.popped(dropped)) == ({(2, 1): LAST}, None)
    assert (seen.marks(popped), seen.popped(popped)) == ({}, 3)
    assert seen.marks(state()) == {}


def test_the_lines_of_the_winner_are_marked_over_those_of_the_other_side():
    lines = {"red": [[[1, 1], [2, 1]]], "yellow": [[[2, 1], [2, 2]]]}
    won = state(outcome={"winner": "red", "lines": lines}, last={"kind": "drop", "column": 2, "row": 2})

    assert seen.marks(won) == {(1, 1): WINNING, (2, 1): WINNING, (2, 2): LOSING}
    assert set(seen.marks(state(outcome={"winner": None, "lines": lines})).values()) == {WINNING}


@pytest.mark.parametrize(
    ("changes", "bar"),
    [
        ({}, None),
        ({"rules": {"firstColumn": 1, "columns": 3, "pops": False}}, "closed"),
        ({"phase": "pop", "legal": {"drop": [], "pop": [1]}}, "open"),
        ({"phase": "put", "legal": {"drop": [1], "pop": []}}, "closed"),
        ({"phase": "put", "legal": {"drop": [1], "pop": [1]}}, None),
        ({"phase": "pop", "legal": {"drop": [], "pop": [1]}, "menu": {"entries": []}}, None),
        ({"phase": "pop", "legal": {"drop": [], "pop": [1]}, "outcome": {"winner": None}}, None),
    ],
)
def test_how_the_bar_must_stand(changes: dict[str, Any], bar: str | None):
    assert seen.only_bar(state(**changes)) == bar
