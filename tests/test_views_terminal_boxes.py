"""What stands beside the board and under it: what asks for attention, and the keys."""

from __future__ import annotations

from typing import Any

import pytest

from popout.views.terminal.boxes import box, key_list, keys_line, keys_of
from popout.views.terminal.words import Words

WORDS = Words(str)


def state(**changes: Any) -> dict[str, Any]:
    return {
        "rules": {"firstColumn": 1, "columns": 7, "width": 7},
        "menu": None,
        "differs": None,
        "telling": None,
        "powers": None,
        **changes,
    }


def beside(looked: dict[str, Any] | None = None, **changes: Any) -> list[str]:
    return [line.rstrip() for line in box(state(**changes), looked, WORDS).plain.splitlines()]


def test_nothing_stands_there_while_nothing_asks():
    assert beside() == []


def test_the_menu_stands_there_with_the_keys_of_its_entries():
    entries = [{"column": 1, "text": "Go on"}, {"column": 10, "text": "New game"}]
    assert beside(menu={"title": "Menu", "level": "main", "entries": entries}) == [
        "▌Menu",
        "  1  Go on",
        " 10  New game",
    ]


def test_who_looks_back_is_told_the_way_to_now_before_anything_else():
    menu = {"title": "Menu", "level": "main", "entries": [{"column": 1, "text": "Go on"}]}
    assert beside({"ply": 2}, menu=menu) == [" Esc  Back to now"]


@pytest.mark.parametrize(
    ("can_adopt", "choices", "keys"),
    [
        (False, [], [" F  Everything is in its place now"]),
        (True, [], [" F  Everything is in its place now"]),
        (True, ["red"], [" F  Everything is in its place now", " S  Play on from what is on the board"]),
    ],
)
def test_a_correction_can_be_ended_and_the_board_taken_over_only_where_that_can_be(
    can_adopt: bool, choices: list[str], keys: list[str]
):
    differs = {"text": "One cell is wrong.", "canAdopt": can_adopt, "choices": choices}
    assert beside(differs=differs) == ["▌One cell is wrong.", *keys]


def test_while_hands_say_what_is_there_the_colour_of_the_next_disc_is_told():
    assert beside(telling={"disc": "yellow"})[-1] == "The next disc that they name is yellow (○)."


@pytest.mark.parametrize("width", [30, 40, 60, 78, 200])
def test_the_line_of_keys_is_never_more_than_two_lines_of_the_width(width: int):
    lines = keys_line(state(), WORDS, width).plain.split("\n")
    assert len(lines) <= 2
    assert all(len(line.rstrip()) <= width for line in lines)
    assert "Press" in lines[0]


@pytest.mark.parametrize(
    ("first", "columns", "width", "key"), [(1, 7, 7, "1–7"), (2, 8, 10, "2–9"), (1, 10, 10, "1–0"), (1, 12, 12, "←→")]
)
def test_the_columns_are_named_by_the_digits_that_press_them(first: int, columns: int, width: int, key: str):
    rules = {"firstColumn": first, "columns": columns, "width": width}
    assert keys_line(state(rules=rules), WORDS, 78).plain.startswith(f" {key} ")


def test_power_discs_have_their_keys_only_in_a_game_that_has_them():
    discs = {"discs": [{"disc": "a"}, {"disc": "x"}]}
    assert "A X" in dict(keys_of(state(powers=discs), WORDS))
    assert len(keys_of(state(), WORDS)) == len(keys_of(state(powers=discs), WORDS)) - 1


def test_keys_stand_below_each_other_at_their_right_edge():
    assert key_list([("M", "Menu"), ("Enter", "Press")]).plain == "     M  Menu\n Enter  Press"
