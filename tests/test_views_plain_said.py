"""Positions as somebody writes them: row by row, or on one line."""

from __future__ import annotations

from typing import Any

import pytest

from popout.views.plain_said import BadPosition, Rows, position_of

PLAIN = {"rules": {"rows": 3, "firstColumn": 1, "columns": 4, "width": 4}}
FILLED = {"rules": {"rows": 3, "firstColumn": 2, "columns": 2, "width": 4}}
"""A board whose outer columns are filled."""


def grid(state: dict[str, Any], *lines: str) -> tuple[list[str], bool]:
    """What the rows come to, and whether the last of them was said to be the last."""
    rows = Rows(state)
    for line in lines:
        ended = rows.add(line)
    return rows.grid(), ended


def test_rows_are_written_from_the_top_in_any_of_the_usual_letters():
    assert grid(PLAIN, ". . - _", "| y . . . |", "X O r .") == (["XO", "O", "X", ""], True)


def test_an_empty_line_ends_the_rows_and_those_above_are_empty():
    assert grid(PLAIN, "XO..", "") == (["X", "O", "", ""], True)
    assert grid(PLAIN, "XO..") == (["X", "O", "", ""], False)


def test_filled_outer_columns_may_be_written_or_left_out():
    assert grid(FILLED, "OXOX", "")[0] == ["X", "O"]
    assert grid(FILLED, "XO", "")[0] == ["X", "O"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("XOX", "“XOX” is no row of this board: write one letter of X, O or a point for each of 4 columns."),
        ("XO?.", "“XO?.” is no row of this board: write one letter of X, O or a point for each of 4 columns."),
    ],
)
def test_what_is_no_row_is_refused_with_what_to_write(line: str, why: str):
    with pytest.raises(BadPosition) as refused:
        Rows(PLAIN).add(line)
    assert str(refused.value) == f"{why} Begin again with “correct”."


def test_a_floating_disc_is_named_where_it_is():
    with pytest.raises(BadPosition) as refused:
        grid(FILLED, ".X..", "....", "")
    assert str(refused.value) == ("Column 2 has a disc with nothing under it (row 2). Begin again with “correct”.")


def test_a_position_on_one_line_is_read_with_what_is_beside_it():
    assert position_of("xo/y// RED phase=put kept=2,3 hands=19,20 powers=abwx,ab source=4", PLAIN) == {
        "grid": ["XO", "O", "", ""],
        "turn": "red",
        "phase": "put",
        "kept": [2, 3],
        "hands": [19, 20],
        "powers": ["abwx", "ab"],
        "source": 4,
    }


@pytest.mark.parametrize(
    "word",
    [
        "green",
        "phase=",
        "kept=2",
        "kept=2,",
        "kept=1,2,3",
        "hands=-1,2",
        "source=x",
        "source=²",
        "powers=ab",
        "turn=red",
    ],
)
def test_a_word_that_says_nothing_of_a_position_is_named(word: str):
    with pytest.raises(BadPosition) as refused:
        position_of(f"X/// yellow {word}", PLAIN)
    assert str(refused.value).startswith(f"“{word}” is nothing that a position has.")


@pytest.mark.parametrize("word", ["source={}", "kept={},1", "hands=1,{}"])
def test_a_number_that_python_itself_refuses_to_read_is_refused_like_any_other_word(word: str):
    with pytest.raises(BadPosition, match="is nothing that a position has"):
        position_of(f"X/// yellow {word.format('1' * 5000)}", PLAIN)


def test_the_wrong_number_of_columns_is_counted():
    assert position_of("/X/O/", FILLED)["grid"] == ["X", "O"]
    with pytest.raises(BadPosition) as refused:
        position_of("X/O/X", FILLED)
    assert str(refused.value) == (
        "This names 3 columns, and the board has 2. Write them from the left with “/” between."
    )
