import pytest

from popout.board.switches import SwitchEvent
from popout.play.hands import (
    BarMoved,
    Button,
    MenuPressed,
    Press,
    Release,
    TakeBackPressed,
    Tick,
    event_of,
    tick,
)
from popout.rules.side import RED, YELLOW


@pytest.mark.parametrize(
    ("switch", "closed", "event"),
    [
        ("column 3", True, Press(Button(3), 12.5)),
        ("column 3", False, Release(Button(3), 12.5)),
        ("bar", True, BarMoved(True, 12.5)),
        ("bar", False, BarMoved(False, 12.5)),
        ("menu", True, MenuPressed(12.5)),
        ("menu", False, None),
        ("take back", True, TakeBackPressed(12.5)),
        ("take back", False, None),
        ("drop sensor 3", True, None),
        ("pop sensor 3", True, None),
        ("hint", True, None),
    ],
)
def test_each_switch_means_one_thing_to_the_gestures(switch, closed, event):
    assert event_of(SwitchEvent(switch, closed, 12.5), two_rows=False) == event


def test_with_two_rows_of_buttons_each_row_belongs_to_a_side():
    assert event_of(SwitchEvent("column 3", True, 1), two_rows=True) == Press(Button(3, RED), 1)
    assert event_of(SwitchEvent("yellow column 3", False, 2), two_rows=True) == Release(Button(3, YELLOW), 2)


@pytest.mark.parametrize("switch", ["column 3", "yellow column 12"])
def test_a_button_knows_the_name_of_its_switch(switch):
    press = event_of(SwitchEvent(switch, True, 1), two_rows=True)
    assert press.button.switch == switch


def test_a_tick_carries_the_switches_that_are_closed():
    assert tick(5, {"column 1": True, "column 2": False, "bar": True}) == Tick(5, frozenset({"column 1", "bar"}))
