"""Tables whose columns stay straight, whatever letters stand in them."""

from __future__ import annotations

import pytest

from popout.views.tables import table, text_width


def test_numbers_stand_at_the_right_and_words_at_the_left():
    assert table([["No.", "Game"], ["7", "Pop Out"], ["12", "Pop 10"]], (True, False)) == [
        "No.  Game",
        "  7  Pop Out",
        " 12  Pop 10",
    ]


def test_letters_of_double_width_and_without_any_keep_the_columns_straight():
    assert table([["鳩", "1"], ["e\u0301", "22"], ["abcd", "3"]], (False, True)) == [
        "鳩     1",
        "e\u0301     22",
        "abcd   3",
    ]


@pytest.mark.parametrize(("text", "width"), [("", 0), ("abc", 3), ("鳩", 2), ("é", 1), ("e\u0301", 1), ("ＡＢ", 4)])
def test_the_width_of_a_text_is_that_on_the_screen(text: str, width: int):
    assert text_width(text) == width


@pytest.mark.parametrize(
    ("name", "shown"), [("Anna", "Anna"), ("Maximilian", "Maximi…"), ("鳩鳩鳩鳩", "鳩鳩鳩…"), ("a鳩鳩鳩", "a鳩鳩鳩")]
)
def test_one_column_gives_way_where_a_line_would_be_too_long(name: str, shown: str):
    assert table([["12", name]], (True, False), width=11, give=1) == [f"12  {shown}"]


def test_nothing_is_cut_where_there_is_no_width_to_heed():
    assert table([["x" * 300, "1"]], (False, True)) == ["x" * 300 + "  1"]
