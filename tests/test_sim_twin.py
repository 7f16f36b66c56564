"""The twin: discs that fall, a bar, fingers, and the difference between what is there and what is believed."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.board.driver import HandError
from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.board.switches import drop_sensor, pop_sensor
from popout_sim.twin import FALLEN_SHOWN, SizeMismatch, Twin


@pytest.fixture
def twin() -> Twin:
    """A board of 3 by 2 whose careful hand rests, so that only acts move discs."""
    twin = Twin(Layout.plain(3, 2))
    twin.careful = False
    return twin


def drop(twin: Twin, *steps: str) -> None:
    """``2X`` drops a red disc in column 2."""
    for step in steps:
        twin.act({"do": "drop", "column": int(step[0]), "disc": step[1]})


def refusal(twin: Twin, action: Any) -> str:
    """The sentence with which an act is refused, which must have changed nothing."""
    before = twin.snapshot()
    with pytest.raises(HandError) as caught:
        twin.act(action)
    assert twin.snapshot() == before
    return str(caught.value)


def test_discs_of_any_colour_pile_up_in_their_column(twin: Twin):
    drop(twin, "2X", "2X", "3O")
    assert twin.grid == ("", "XX", "O")


def test_a_full_column_takes_no_other_disc(twin: Twin):
    drop(twin, "2X", "2O")
    sentence = refusal(twin, {"do": "drop", "column": 2, "disc": "X"})
    assert sentence == "Column 2 is full: no other disc goes in."


def test_with_the_bar_open_the_bottom_disc_falls_and_the_rest_comes_down(twin: Twin):
    drop(twin, "1X", "1O")
    twin.act({"do": "bar", "to": "open"})
    twin.act({"do": "pop", "column": 1})
    assert twin.grid == ("O", "", "")
    assert twin.fallen == ["X"]


def test_the_newest_fallen_disc_is_the_last(twin: Twin):
    drop(twin, "1X", "2O")
    twin.act({"do": "bar", "to": "open"})
    twin.act({"do": "pop", "column": 2})
    twin.act({"do": "pop", "column": 1})
    assert twin.snapshot()["fallen"] == ["O", "X"]


def test_a_snapshot_shows_only_the_newest_fallen_discs(twin: Twin):
    twin.act({"do": "bar", "to": "open"})
    for disc in "X" + "O" * FALLEN_SHOWN:
        drop(twin, f"1{disc}")
        twin.act({"do": "pop", "column": 1})
    assert twin.snapshot()["fallen"] == ["O"] * FALLEN_SHOWN


def test_nothing_falls_through_a_closed_bar(twin: Twin):
    drop(twin, "1X")
    sentence = refusal(twin, {"do": "pop", "column": 1})
    assert sentence == "The bar is closed, and no disc can fall out. Slide it open first."


def test_nothing_falls_through_a_half_open_bar(twin: Twin):
    drop(twin, "1X")
    twin.act({"do": "bar", "to": "half"})
    sentence = refusal(twin, {"do": "pop", "column": 1})
    assert sentence == "The bar is only half open, and no disc fits through. Slide it all the way open."


def test_nothing_falls_out_of_an_empty_column(twin: Twin):
    twin.act({"do": "bar", "to": "open"})
    sentence = refusal(twin, {"do": "pop", "column": 3})
    assert sentence == "Column 3 is empty: there is no disc to let out."


def test_the_top_disc_can_be_taken_out_by_hand(twin: Twin):
    drop(twin, "1X", "1O")
    twin.act({"do": "take", "column": 1})
    assert twin.grid == ("X", "", "")
    assert twin.fallen == []


def test_there_is_nothing_to_take_from_an_empty_column(twin: Twin):
    sentence = refusal(twin, {"do": "take", "column": 1})
    assert sentence == "Column 1 is empty: there is no disc to take."


def test_emptying_puts_every_disc_back_in_the_box(twin: Twin):
    drop(twin, "1X", "1O", "3X")
    twin.act({"do": "bar", "to": "open"})
    twin.act({"do": "pop", "column": 1})
    twin.act({"do": "empty"})
    assert twin.grid == ("", "", "")
    assert twin.fallen == []


def test_what_is_there_and_what_is_believed_are_told_apart_cell_by_cell(twin: Twin):
    drop(twin, "1X", "2O", "2O")
    twin.believe(("XO", "X", ""))
    assert twin.snapshot()["grid"] == ["X", "OO", ""]
    assert twin.snapshot()["believed"] == ["XO", "X", ""]
    assert twin.snapshot()["differences"] == [
        {"column": 1, "row": 2, "seen": None, "believed": "O"},
        {"column": 2, "row": 1, "seen": "O", "believed": "X"},
        {"column": 2, "row": 2, "seen": "O", "believed": None},
    ]


def test_a_hand_tidies_up_on_demand(twin: Twin):
    drop(twin, "1X", "2O")
    twin.believe(("XO", "", "X"))
    twin.act({"do": "tidy"})
    assert twin.grid == ("XO", "", "X")
    assert twin.differences() == []


def test_the_careful_hand_follows_what_is_believed_at_once():
    twin = Twin(Layout.plain(3, 2))
    twin.believe(("X", "O", ""))
    assert twin.grid == ("X", "O", "")


def test_the_careful_hand_catches_up_when_it_is_called_back(twin: Twin):
    twin.believe(("X", "", ""))
    assert twin.grid == ("", "", "")
    twin.act({"do": "careful", "on": True})
    assert twin.grid == ("X", "", "")


def test_a_resting_careful_hand_moves_nothing():
    twin = Twin(Layout.plain(3, 2))
    twin.act({"do": "careful", "on": False})
    twin.believe(("X", "", ""))
    assert twin.grid == ("", "", "")
    assert twin.snapshot()["careful"] is False


def test_a_pop_that_the_careful_hand_follows_leaves_the_disc_in_the_tray():
    twin = Twin(Layout.plain(3, 2))
    twin.believe(("XX", "O", ""))
    twin.act({"do": "bar", "to": "open"})
    twin.believe(("X", "O", ""))
    assert twin.fallen == ["X"]


def test_a_drop_taken_back_leaves_nothing_in_the_tray():
    twin = Twin(Layout.plain(3, 2))
    twin.believe(("XX", "", ""))
    twin.believe(("X", "", ""))
    assert twin.fallen == []


def test_a_new_game_finds_the_tray_empty_too():
    twin = Twin(Layout.plain(3, 2))
    twin.believe(("XO", "", ""))
    twin.act({"do": "bar", "to": "open"})
    twin.believe(("O", "", ""))
    assert twin.fallen == ["X"]
    twin.believe(("", "", ""))
    assert (twin.grid, twin.fallen) == (("", "", ""), [])


def test_a_pop_taken_back_brings_the_disc_back_from_the_tray():
    twin = Twin(Layout.plain(3, 2))
    twin.believe(("XO", "O", ""))
    twin.act({"do": "bar", "to": "open"})
    twin.believe(("O", "O", ""))
    twin.believe(("XO", "O", ""))
    assert twin.grid == ("XO", "O", "")
    assert twin.fallen == []


def test_the_careful_hand_trips_the_beams_and_no_lever():
    tripped: list[tuple[str, int]] = []
    twin = Twin(with_sensors(), tripped=lambda switch, discs: tripped.append((switch, discs)))
    twin.believe(("", "", ""))
    twin.believe(("X", "", ""))
    assert tripped == [("drop sensor 1", 1)]
    twin.act({"do": "bar", "to": "open"})
    twin.believe(("", "", ""))
    assert tripped[1:] == [("pop sensor 1", 1)]


def test_what_the_careful_hand_sets_up_takes_out_at_the_top_or_puts_under_others_passes_no_beam():
    tripped: list[str] = []
    twin = Twin(with_sensors(), tripped=lambda switch, _discs: tripped.append(switch))
    twin.believe(("O", "XO", ""))
    twin.believe(("XO", "X", ""))
    twin.act({"do": "careful", "on": False})
    twin.believe(("", "", ""))
    twin.act({"do": "tidy"})
    assert tripped == []


@pytest.mark.parametrize(
    "grid", [("X", ""), ("X", "", "", ""), ("XOX", "", ""), ("Z", "", "")], ids=["narrow", "wide", "high", "Z"]
)
def test_a_belief_that_the_board_cannot_hold_is_refused(twin: Twin, grid: tuple[str, ...]):
    with pytest.raises(SizeMismatch) as caught:
        twin.believe(grid)
    assert str(caught.value) == "The board of 3 by 2 cannot hold the discs that it is said to hold."
    assert twin.believed == ("", "", "")


def test_fingers_lie_on_switches_until_they_are_lifted():
    changes: list[tuple[str, bool]] = []
    twin = Twin(Layout.plain(3, 2), changed=lambda switch, closed: changes.append((switch, closed)))
    twin.act({"do": "press", "switch": "column 2"})
    twin.act({"do": "press", "switch": "menu"})
    twin.act({"do": "press", "switch": "column 2"})  # is down already
    assert twin.snapshot()["pressed"] == ["column 2", "menu"]
    twin.act({"do": "release", "switch": "column 2"})
    twin.act({"do": "release", "switch": "column 2"})  # is up already
    assert twin.pressed == ("menu",)
    assert changes == [("column 2", True), ("menu", True), ("column 2", False)]


def test_the_contact_of_the_bar_stays_as_it_was_on_the_way():
    changes: list[tuple[str, bool]] = []
    twin = Twin(Layout.plain(3, 2), changed=lambda switch, closed: changes.append((switch, closed)))
    for to in ("half", "closed", "open", "half", "open", "open", "half", "closed"):
        twin.act({"do": "bar", "to": to})
    assert changes == [("bar", True), ("bar", False)]


def test_a_bar_without_a_switch_moves_and_says_nothing():
    changes: list[str] = []
    silent = replace(Layout.plain(3, 2), switches={"column 1": "", "column 2": "", "column 3": ""})
    twin = Twin(silent, changed=lambda switch, _closed: changes.append(switch))
    twin.act({"do": "bar", "to": "open"})
    assert twin.bar == "open"
    assert changes == []


def test_discs_trip_the_levers_and_beams_that_they_pass():
    tripped: list[tuple[str, int]] = []
    twin = Twin(with_sensors(), tripped=lambda switch, discs: tripped.append((switch, discs)))
    drop(twin, "2X", "2O")
    twin.act({"do": "bar", "to": "open"})
    twin.act({"do": "pop", "column": 2})
    drop(twin, "2X")
    twin.act({"do": "empty"})
    passing_in = [("drop sensor 2", 1), ("column 2", 1)]
    assert tripped == [*passing_in, *passing_in, ("pop sensor 2", 1), *passing_in, ("pop sensor 2", 2)]


def test_on_a_board_with_buttons_a_falling_disc_trips_nothing():
    tripped: list[str] = []
    twin = Twin(Layout.plain(3, 2), tripped=lambda switch, _discs: tripped.append(switch))
    drop(twin, "2X")
    assert tripped == []


def test_the_last_frame_is_seen_as_colours():
    twin = Twin(Layout.plain(2, 1))
    twin.see(Frame(cells=((0xFF0000,), (0,)), columns=(0x0000AB, 0), turns=(0xFFFFFF, 1)))
    assert twin.snapshot()["lamps"] == {
        "cells": [["#ff0000"], ["#000000"]],
        "columns": ["#0000ab", "#000000"],
        "turns": ["#ffffff", "#000001"],
    }


def test_a_frame_of_another_size_is_refused(twin: Twin):
    with pytest.raises(SizeMismatch) as caught:
        twin.see(Frame.dark(3, 3))
    assert str(caught.value) == "The picture for the lamps is not 3 by 2."


def test_another_size_is_another_board(twin: Twin):
    drop(twin, "1X")
    twin.act({"do": "bar", "to": "open"})
    twin.act({"do": "press", "switch": "column 3"})
    twin.reshape(Layout.plain(2, 1))
    assert twin.snapshot() == Twin(Layout.plain(2, 1)).snapshot() | {"careful": False}
    drop(twin, "2X")
    assert refusal(twin, {"do": "drop", "column": 2, "disc": "X"}) == "Column 2 is full: no other disc goes in."
    assert refusal(twin, {"do": "take", "column": 3}) == "There is no such column: the columns are 1 to 2."


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (None, 'An act of a hand names what it does, such as {"do": "press", "switch": "column 4"}.'),
        (["drop"], 'An act of a hand names what it does, such as {"do": "press", "switch": "column 4"}.'),
        ({"do": ["drop"]}, 'An act of a hand names what it does, such as {"do": "press", "switch": "column 4"}.'),
        ({"do": "juggle"}, "A hand does not know how to “juggle”."),
        ({"do": "\x1b[2J" + "x" * 99}, "A hand does not know how to “?[2J" + "x" * 36 + "…”."),
        ({"do": "drop", "column": 0, "disc": "X"}, "There is no such column: the columns are 1 to 3."),
        ({"do": "drop", "column": 4, "disc": "X"}, "There is no such column: the columns are 1 to 3."),
        ({"do": "drop", "column": True, "disc": "X"}, "There is no such column: the columns are 1 to 3."),
        ({"do": "drop", "column": 1.0, "disc": "X"}, "There is no such column: the columns are 1 to 3."),
        ({"do": "drop", "column": 10**5000, "disc": "X"}, "There is no such column: the columns are 1 to 3."),
        ({"do": "drop", "column": 1}, "A disc is X (red) or O (yellow)."),
        ({"do": "drop", "column": 1, "disc": "XO"}, "A disc is X (red) or O (yellow)."),
        ({"do": "drop", "column": 1, "disc": {}}, "A disc is X (red) or O (yellow)."),
        ({"do": "bar", "to": "ajar"}, "The bar can be slid to open, half or closed, and nowhere else."),
        ({"do": "bar", "to": []}, "The bar can be slid to open, half or closed, and nowhere else."),
        ({"do": "press"}, "A switch has a name, such as “column 1”."),
        ({"do": "press", "switch": "bar"}, "The bar is not pressed but slid: open, half or closed."),
        ({"do": "press", "switch": "column 4"}, "This board has no switch “column 4”."),
        ({"do": "release", "switch": "{columns}"}, "This board has no switch “{columns}”."),
        ({"do": "careful"}, "The careful hand is on (true) or off (false)."),
        ({"do": "careful", "on": 1}, "The careful hand is on (true) or off (false)."),
    ],
)
def test_an_impossible_act_is_refused_with_a_sentence(twin: Twin, action: Any, sentence: str):
    assert refusal(twin, action) == sentence


def with_sensors() -> Layout:
    plain = Layout.plain(3, 2)
    beams = [sensor(column) for sensor in (drop_sensor, pop_sensor) for column in (1, 2, 3)]
    return replace(plain, actuation="disc", switches={**plain.switches, **dict.fromkeys(beams, "")})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
DOINGS = st.sampled_from(["press", "release", "bar", "drop", "pop", "take", "tidy", "empty", "careful"])
NONSENSE = JSON | st.fixed_dictionaries(
    {"do": DOINGS | JSON}, optional={"column": JSON, "disc": JSON, "switch": JSON, "to": JSON, "on": JSON}
)


@given(NONSENSE)
def test_whatever_json_comes_is_done_or_refused_politely(action: Any):
    twin = Twin(Layout.plain(3, 2))
    drop(twin, "1X")
    before = twin.snapshot()
    try:
        twin.act(action)
    except HandError as error:
        refused = error
    else:
        return
    assert str(refused)
    assert twin.snapshot() == before


COLUMNS = st.integers(1, 3)
ACTS = st.one_of(
    st.builds(lambda column, disc: {"do": "drop", "column": column, "disc": disc}, COLUMNS, st.sampled_from("XO")),
    st.builds(lambda do, column: {"do": do, "column": column}, st.sampled_from(["pop", "take"]), COLUMNS),
    st.builds(lambda to: {"do": "bar", "to": to}, st.sampled_from(["open", "half", "closed"])),
    st.just({"do": "empty"}),
)


@given(st.lists(ACTS, max_size=60))
def test_whatever_hands_do_no_disc_is_made_or_lost(actions: list[dict[str, Any]]):
    twin = Twin(Layout.plain(3, 2))
    twin.careful = False
    hands: Counter[str] = Counter(X=100, O=100)
    for action in actions:
        before = discs(twin)
        top = twin.grid[action["column"] - 1][-1:] if action["do"] == "take" else ""
        try:
            twin.act(action)
        except HandError:
            continue
        match action["do"]:
            case "drop":
                hands[action["disc"]] -= 1
            case "take":
                hands[top] += 1
            case "empty":
                hands += before
        assert hands + discs(twin) == Counter(X=100, O=100)
        assert all(len(column) <= 2 for column in twin.grid)


@given(st.lists(ACTS, max_size=30), st.tuples(*[st.text("XO", max_size=2)] * 3))
def test_a_snapshot_is_plain_json_and_its_differences_lead_from_one_grid_to_the_other(
    actions: list[dict[str, Any]], believed: tuple[str, ...]
):
    twin = Twin(Layout.plain(3, 2))
    twin.careful = False
    for action in actions:
        try:
            twin.act(action)
        except HandError:
            continue
    twin.believe(believed)
    seen = twin.snapshot()
    assert json.loads(json.dumps(seen)) == seen
    cells = {(c, r): disc for c, discs in enumerate(seen["grid"], 1) for r, disc in enumerate(discs, 1)}
    for cell in seen["differences"]:
        assert cells.pop((cell["column"], cell["row"]), None) == cell["seen"] != cell["believed"]
        if cell["believed"]:
            cells[cell["column"], cell["row"]] = cell["believed"]
    assert cells == {(c, r): disc for c, discs in enumerate(believed, 1) for r, disc in enumerate(discs, 1)}


def discs(twin: Twin) -> Counter[str]:
    return Counter("".join(twin.grid)) + Counter(twin.fallen)
