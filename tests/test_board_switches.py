"""The names of the switches."""

import pytest

from popout.board.switches import (
    BAR,
    MENU,
    TAKE_BACK,
    SwitchEvent,
    column_switch,
    drop_sensor,
    numbered,
    pop_sensor,
    second_row_switch,
)


def test_the_switches_have_the_names_that_files_and_sentences_use():
    assert column_switch(3) == "column 3"
    assert second_row_switch(12) == "yellow column 12"
    assert drop_sensor(1) == "drop sensor 1"
    assert pop_sensor(32) == "pop sensor 32"
    assert (BAR, MENU, TAKE_BACK) == ("bar", "menu", "take back")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (column_switch, "column"),
        (second_row_switch, "yellow column"),
        (drop_sensor, "drop sensor"),
        (pop_sensor, "pop sensor"),
    ],
)
def test_the_name_of_a_columns_switch_is_taken_apart_again(name, kind):
    for column in (1, 9, 10, 32):
        assert numbered(name(column)) == (kind, column)


@pytest.mark.parametrize(
    "name",
    [BAR, MENU, TAKE_BACK, "", "column", "column ", "column x", "column -1", "column 1.5", "lamp 3", "column² 3"],
)
def test_what_is_no_columns_switch_has_no_number(name):
    assert numbered(name) is None


def test_switch_events_are_values():
    event = SwitchEvent("column 3", True, 12.5)
    assert event == SwitchEvent("column 3", True, 12.5)
    assert event != SwitchEvent("column 3", False, 12.5)
    with pytest.raises(AttributeError):
        event.closed = False  # type: ignore[misc]
