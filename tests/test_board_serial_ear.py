"""Reports of a board's own debouncer, as they are handed on."""

from __future__ import annotations

from popout.board.serial.ear import Ear, Heard
from popout.board.switches import Fault, SwitchEvent, SwitchFault
from popout.link.debounce import FAULTY, HEALED, PRESSED, RELEASED, STUCK

SWITCHES = ("column 1", "column 2", "bar")


def told(ear: Ear, *reports: tuple[str, int]) -> list[SwitchEvent | SwitchFault]:
    return [ear.understood(Heard(switch, kind, time)) for time, (switch, kind) in enumerate(reports)]


def test_presses_and_releases_are_changes():
    ear = Ear(SWITCHES, 0)
    assert told(ear, ("column 1", PRESSED), ("bar", PRESSED), ("column 1", RELEASED)) == [
        SwitchEvent("column 1", True, 0),
        SwitchEvent("bar", True, 1),
        SwitchEvent("column 1", False, 2),
    ]
    assert ear.levels == {"column 1": False, "column 2": False, "bar": True}


def test_a_button_that_was_down_before_we_came_is_closed_until_it_heals():
    ear = Ear(SWITCHES, 0b010)
    assert ear.levels["column 2"]
    assert told(ear, ("column 2", HEALED)) == [SwitchEvent("column 2", False, 0)]
    assert not ear.levels["column 2"]


def test_a_button_that_was_pressed_before_we_came_is_released():
    ear = Ear(SWITCHES, 0b010)
    assert told(ear, ("column 2", RELEASED), ("column 2", FAULTY), ("column 2", HEALED)) == [
        SwitchEvent("column 2", False, 0),
        SwitchFault("column 2", Fault.FAULTY, 1),
        SwitchFault("column 2", Fault.HEALED, 2),
    ]


def test_faults_do_not_change_levels():
    ear = Ear(SWITCHES, 0)
    assert told(ear, ("column 1", FAULTY), ("column 1", HEALED), ("column 1", STUCK), ("column 1", HEALED)) == [
        SwitchFault("column 1", Fault.FAULTY, 0),
        SwitchFault("column 1", Fault.HEALED, 1),
        SwitchFault("column 1", Fault.STUCK, 2),
        SwitchFault("column 1", Fault.HEALED, 3),
    ]
    assert not ear.levels["column 1"]


def test_a_bar_is_never_stuck():
    assert told(Ear(SWITCHES, 0), ("bar", STUCK)) == [SwitchEvent("bar", True, 0)]
    assert told(Ear(SWITCHES, 0b100), ("bar", RELEASED)) == [SwitchEvent("bar", False, 0)]
