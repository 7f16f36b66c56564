from __future__ import annotations

import pytest

from popout.board.switches import Fault, SwitchEvent, SwitchFault
from popout.doctor.asking import Flutter, Move, Paces, Rest, Rested, Silence, Tap, Touched, Wanted, Word
from popout.doctor.ear import Ear
from popout.doctor.switch_steps import floats
from popout_sim import faults

OPEN = {"column 1": False, "column 2": False, "bar": False}
TAP = Tap(OPEN, frozenset())


def ear(wants: Wanted, levels: dict[str, bool] | None = None) -> Ear:
    return Ear(wants, OPEN if levels is None else levels, 1000, Paces())


def after(listening: Ear, *edges: SwitchEvent) -> Ear:
    for edge in edges:
        listening.edge(edge)
    return listening


def test_a_press_is_heard_once_it_is_over_and_quiet():
    listening = after(ear(TAP), *faults.pulse("column 2", 1500, 120))

    assert listening.heard(1679) is None
    assert listening.due() == 1680
    assert listening.heard(1680) == Touched(("column 2",), frozenset(), {"column 2": 0.0}, frozenset())


def test_while_the_finger_stays_nothing_is_decided():
    listening = after(ear(TAP), SwitchEvent("column 2", True, 1500))

    assert listening.heard(9000) is None
    assert listening.due() == 11_500


def test_a_switch_that_never_comes_up_is_told_in_the_end():
    listening = after(ear(TAP), SwitchEvent("column 2", True, 1500))

    heard = listening.heard(11_500)

    assert isinstance(heard, Touched)
    assert heard.away == {"column 2"}


def test_the_longest_bounce_is_measured():
    listening = after(
        ear(TAP),
        *(SwitchEvent("column 1", number % 2 == 0, 1500 + 10 * number) for number in range(5)),
        SwitchEvent("column 1", False, 1700),
    )

    heard = listening.heard(1760)

    assert isinstance(heard, Touched)
    assert heard.bounce_ms == {"column 1": 40}


def test_a_quick_tap_is_no_bounce():
    heard = after(ear(TAP), *faults.pulse("column 1", 1500, 12)).heard(1600)

    assert isinstance(heard, Touched)
    assert heard.bounce_ms == {"column 1": 0}


def test_a_pulse_below_the_glitch_limit_is_no_press():
    """Field bug G3: noise makes presses."""
    listening = after(ear(TAP), *faults.pulse("column 1", 1500, 1.5))

    assert listening.heard(2000) is None
    assert after(listening, *faults.pulse("column 2", 2500, 100)).heard(2700) == Touched(
        ("column 2",), frozenset(), {"column 2": 0.0}, frozenset()
    )


def test_two_switches_at_once_come_in_the_order_in_which_they_closed():
    edges = sorted(
        [*faults.pulse("column 2", 1500, 120), *faults.pulse("column 1", 1501, 119)], key=lambda edge: edge.time
    )

    heard = after(ear(TAP), *edges).heard(1700)

    assert isinstance(heard, Touched)
    assert heard.switches == ("column 2", "column 1")


def test_a_chattering_switch_is_named():
    listening = after(ear(TAP), *faults.chattering("column 1", 1500))

    heard = listening.heard(4000)

    assert isinstance(heard, Touched)
    assert heard.chattering == {"column 1"}


def test_letting_go_of_what_was_held_before_the_question_is_no_press():
    """Field bug G13: a button reads pressed at the start."""
    listening = after(ear(TAP, {**OPEN, "column 1": True}), SwitchEvent("column 1", False, 1500))

    assert listening.heard(1600) is None
    assert after(listening, *faults.pulse("column 1", 2000, 100)).heard(2300) == Touched(
        ("column 1",), frozenset(), {"column 1": 0.0}, frozenset()
    )


def test_a_switch_that_flutters_is_not_listened_to():
    listening = after(ear(Tap(OPEN, frozenset({"column 1"}))), *faults.pulse("column 1", 1500, 100))

    assert listening.heard(2000) is None


def test_a_lost_edge_is_found_when_the_level_is_read():
    """Field bug G2: edges go missing."""
    listening = after(ear(TAP), SwitchEvent("column 1", True, 1500))

    listening.read(OPEN, 1540)
    assert listening.heard(1590) is None, "the report may still come"
    listening.read(OPEN, 1600)

    assert isinstance(listening.heard(1660), Touched)


def test_an_edge_that_was_read_before_it_was_reported_counts_once():
    listening = ear(TAP)

    listening.read({**OPEN, "column 1": True}, 1500)
    after(listening, SwitchEvent("column 1", True, 1499), SwitchEvent("column 1", False, 1600))

    heard = listening.heard(1660)
    assert isinstance(heard, Touched)
    assert heard.switches == ("column 1",)


def test_a_press_that_does_not_come_is_silence_after_a_minute():
    listening = ear(TAP)

    assert listening.due() == 61_000
    assert listening.heard(60_999) is None
    assert listening.heard(61_000) == Silence()


def test_where_a_person_looks_for_lamps_nobody_hurries():
    listening = ear(Tap(OPEN, frozenset(), patient=True))

    assert listening.due() is None
    assert listening.heard(10_000_000) is None


def test_a_bar_is_heard_when_it_has_come_to_rest():
    listening = after(ear(Move(OPEN, frozenset())), *faults.half_open_bar(1500, opened=True))

    settled = listening.due()

    assert settled is not None
    assert settled > 2300
    heard = listening.heard(settled)
    assert isinstance(heard, Touched)
    assert heard.away == {"bar"}


def test_closing_the_bar_is_heard_as_the_end_of_its_being_open():
    listening = after(ear(Move(OPEN, frozenset(), back=True), {**OPEN, "bar": True}), SwitchEvent("bar", False, 1500))

    heard = listening.heard(1900)

    assert isinstance(heard, Touched)
    assert heard.switches == ("bar",)
    assert not heard.away


def test_at_rest_the_level_is_that_of_most_of_the_time():
    listening = ear(Rest(), {**OPEN, "column 2": True})
    after(listening, *faults.pulse("column 1", 2000, 15))

    assert listening.heard(3999) is None
    assert listening.heard(4000) == Rested({**OPEN, "column 2": True}, {"column 1": Flutter(2, 15)})


def test_a_question_for_a_word_hears_no_switch():
    listening = after(ear(Word()), *faults.pulse("column 1", 1500, 100))

    assert listening.heard(5000) is None
    assert listening.due() is None
    assert not listening.levels["column 1"]


# A board that debounces its own switches


def told(switch: str, fault: Fault, time: float) -> SwitchFault:
    return SwitchFault(switch, fault, time)


def test_a_switch_that_the_board_mutes_chatters_and_is_waited_for_until_it_is_heard_again():
    listening = after(ear(TAP), SwitchEvent("column 1", True, 1500), SwitchEvent("column 1", False, 1501))
    listening.edge(SwitchEvent("column 1", True, 1502))
    listening.fault(told("column 1", Fault.FAULTY, 1510))

    assert listening.heard(5000) is None
    listening.fault(told("column 1", Fault.HEALED, 6510))
    listening.edge(SwitchEvent("column 1", False, 6510))
    assert listening.heard(6600) == Touched(
        ("column 1",), frozenset(), {"column 1": 2.0}, chattering=frozenset({"column 1"})
    )


def test_of_a_switch_that_stays_muted_nobody_says_that_it_jams():
    listening = after(ear(TAP), SwitchEvent("column 1", True, 1500))
    listening.fault(told("column 1", Fault.FAULTY, 1510))

    heard = listening.heard(11_510)

    assert isinstance(heard, Touched)
    assert (heard.away, heard.chattering) == (frozenset(), {"column 1"})


def test_a_switch_that_is_closed_when_it_is_heard_again_is_away_until_it_opens():
    listening = after(ear(TAP), *faults.pulse("column 1", 1500, 5))
    listening.fault(told("column 1", Fault.FAULTY, 1510))
    listening.fault(told("column 1", Fault.HEALED, 6510))
    listening.fault(told("column 1", Fault.STUCK, 6510))
    listening.read(OPEN, 6600)  # it was closed by no event, so that the board's levels do not have it

    assert listening.levels["column 1"]
    assert listening.heard(6600) is None
    listening.fault(told("column 1", Fault.HEALED, 7000))
    heard = listening.heard(7060)
    assert isinstance(heard, Touched)
    assert (heard.away, heard.chattering) == (frozenset(), {"column 1"})


def test_a_switch_that_was_stuck_and_opens_by_an_event_is_read_again():
    listening = ear(TAP, {**OPEN, "column 1": True})
    listening.fault(told("column 1", Fault.STUCK, 1000))
    listening.edge(SwitchEvent("column 1", False, 1500))

    assert (listening.faults, listening.levels["column 1"]) == ({}, False)


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_a_switch_that_is_muted_while_nobody_touches_it_floats(when: str):
    listening = Ear(Rest(), OPEN, 1000, Paces(), {"column 1": Fault.FAULTY} if when == "before" else {})
    if when == "meanwhile":
        listening.edge(SwitchEvent("column 1", True, 1500))
        listening.edge(SwitchEvent("column 1", False, 1501))
        listening.fault(told("column 1", Fault.FAULTY, 1502))

    heard = listening.heard(4000)

    assert isinstance(heard, Rested)
    assert floats(heard.fluttering["column 1"])


def test_what_is_ignored_may_be_muted_too():
    listening = after(ear(Tap(OPEN, frozenset({"column 1"}))), *faults.pulse("column 2", 1500, 100))
    listening.fault(told("column 1", Fault.FAULTY, 1650))

    assert listening.heard(1660) == Touched(("column 2",), frozenset(), {"column 2": 0.0}, frozenset())
