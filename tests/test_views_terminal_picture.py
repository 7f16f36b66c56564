"""The board as a terminal draws it: sizes, shapes, marks, numbers."""

from __future__ import annotations

import pytest

from popout.rules import YELLOW
from popout.views.drawing import LAST, LOSING, WINNING
from popout.views.terminal.picture import LARGE, MEDIUM, SMALL, Picture, Size, best_size, column_at, draw, room


def drawn(picture: Picture, size: Size) -> str:
    return "\n".join(["", *(line.plain.rstrip() for line in draw(picture, size)), ""])


PICTURE = Picture(
    grid=("XO", "", "O"),
    rows=2,
    buttons=(1, 3),
    marks={(1, 1): WINNING, (1, 2): LAST, (3, 1): LOSING},
    legal=frozenset({2}),
    barred=frozenset({3}),
    popped=1,
)


def test_a_large_board():
    assert (
        drawn(PICTURE, LARGE)
        == """
 2 ▕>▟▀▀▙ ▘  ▝ ▘  ▝ ▏
   ▕>▜▄▄▛ ▖  ▗ ▖  ▗ ▏
 1 ▕*▟██▙ ▘  ▝+▟▀▀▙ ▏
   ▕*▜██▛ ▖  ▗+▜▄▄▛ ▏
   ▘▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
    > 1    2    3
           ▲▲   ×
"""
    )


def test_a_middling_board_with_an_open_bar():
    open_bar = Picture(grid=("XO", "", "O"), rows=2, buttons=(1, 3), bar_open=True)
    assert (
        drawn(open_bar, MEDIUM)
        == """
 2 ▕ ○  ·  ·  ▏
 1 ▕ ●  ·  ○  ▏
    ╴╴╴╴╴╴╴╴╴╴
     1  2  3

"""
    )


def test_a_small_board_with_columns_of_two_digits():
    wide = Picture(grid=("X", *[""] * 10), rows=1, buttons=(2, 10), legal=frozenset({10}))
    assert (
        drawn(wide, SMALL)
        == """
 1 ▕ ● · · · · · · · · · · ▏
   ▘▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
                       1
     ▪ 2 3 4 5 6 7 8 9 0 ▪
                       ▲
"""
    )


def test_power_discs_show_their_letters_in_the_shape_of_their_side():
    powers = Picture(grid=("X", "O"), rows=1, buttons=(1, 2), signs={(1, 1): "a", (2, 1): "b"})

    assert "▟A█▙ ▟B▀▙" in drawn(powers, LARGE)
    assert " A  b" in drawn(powers, MEDIUM)


def test_a_disc_that_is_about_to_come_is_drawn_where_it_will_land():
    coming = Picture(grid=("X", ""), rows=2, buttons=(1, 2), coming=((1, 2), YELLOW))

    assert drawn(coming, MEDIUM).splitlines()[1] == " 2 ▕ ○  ·  ▏"


def test_a_disc_that_only_a_beam_has_seen_has_no_colour():
    assert drawn(Picture(grid=("?",), rows=1, buttons=(1, 1)), MEDIUM).splitlines()[1] == " 1 ▕ ·  ▏"


@pytest.mark.parametrize("size", [LARGE, MEDIUM, SMALL])
@pytest.mark.parametrize("columns", [1, 9, 10, 32])
def test_a_board_takes_the_room_that_is_said(size: Size, columns: int):
    lines = draw(Picture(grid=("",) * columns, rows=3, buttons=(1, columns)), size)

    assert (max(line.cell_len for line in lines), len(lines)) == room(columns, 3, size)


def test_the_largest_size_that_fits_is_taken():
    assert best_size(7, 6, 60, 20) is LARGE
    assert best_size(7, 6, 60, 14) is MEDIUM
    assert best_size(32, 6, 70, 20) is SMALL
    assert best_size(32, 6, 69, 20) is None


def test_the_column_under_the_pointer():
    assert [column_at(x, 2, LARGE) for x in (3, 4, 8, 9, 13, 14)] == [None, 1, 1, 2, 2, None]


def test_the_colours_of_the_sides_differ_too():
    (line, *_) = draw(Picture(grid=("X", "O"), rows=1, buttons=(1, 2)), MEDIUM)
    styles = {line.plain[span.start : span.end]: span.style for span in line.spans}

    assert styles["●"].color != styles["○"].color
