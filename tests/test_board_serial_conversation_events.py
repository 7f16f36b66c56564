"""The host's end of the link: every report of a switch once, in its order and with its time, whatever was lost."""

from __future__ import annotations

from popout.link.debounce import FAULTY, HEALED, PRESSED, RELEASED, STUCK
from serial_talks import Line, Talk


def test_an_event_is_reported_and_acknowledged():
    talk = Talk().greeted()
    assert talk.event(0, 2, PRESSED, 0b100) == [("a", 0, "")]
    assert talk.reports() == [(2, PRESSED)]
    assert talk.reports() == []
    assert talk.host.levels.closed == 0b100


def test_an_event_that_is_said_again_is_acknowledged_again_and_reported_once():
    talk = Talk().greeted()
    talk.event(0, 2, PRESSED, 0b100)
    assert talk.event(0, 2, PRESSED, 0b100) == [("a", 0, "")]
    assert talk.reports() == [(2, PRESSED)]
    talk.event(1, 2, RELEASED, 0)
    assert talk.event(0, 2, PRESSED, 0b100) == [("a", 0, "")]
    assert talk.event(1, 2, RELEASED, 0) == [("a", 1, "")]
    assert talk.reports() == [(2, RELEASED)]
    assert talk.host.problem is None


def test_an_event_that_is_ahead_is_left_until_its_turn():
    talk = Talk().greeted()
    assert talk.event(1, 2, RELEASED, 0) == []
    assert talk.event(127, 2, RELEASED, 0) == []
    assert talk.reports() == []
    talk.event(0, 2, PRESSED, 0b100)
    talk.event(1, 2, RELEASED, 0)
    assert talk.reports() == [(2, PRESSED), (2, RELEASED)]


def test_events_are_counted_on_from_what_the_state_says_and_around():
    talk = Talk().greeted(state="0:FF:0:0:0")
    assert talk.event(254, 0, PRESSED, 1) == [("a", 254, "")]
    assert talk.reports() == []
    talk.event(255, 0, PRESSED, 1)
    talk.event(0, 0, RELEASED, 0)
    assert talk.reports() == [(0, PRESSED), (0, RELEASED)]


def test_events_before_the_state_are_told_by_the_state():
    talk = Talk().greeted("d")
    assert talk.event(0, 0, PRESSED, 1) == []
    talk.tell("S", 3, "0:1:1:0:0")
    assert talk.reports() == []
    assert talk.host.closed_at_first == 1
    assert talk.event(0, 0, PRESSED, 1) == [("a", 0, "")]
    talk.event(1, 0, RELEASED, 0)
    assert talk.reports() == [(0, RELEASED)]


def test_acknowledgements_that_are_lost_past_a_release_make_no_second_tap():
    line = Line().ready()
    line.lost = lambda frame: frame[0] == "a"
    line.move(1, True)
    line.wait(60)
    line.move(1, False)
    line.wait(340)
    said = [number for _, (kind, number, _) in line.carried if kind == "E"]
    assert said.count(0) == 4
    line.lost = lambda _: False
    line.wait(1000)
    assert line.told() == [(1, PRESSED), (1, RELEASED)]
    line.carried.clear()
    line.wait(1000)
    assert "E" not in [kind for _, (kind, _, _) in line.carried]
    assert line.host.problem is None


def test_an_event_that_is_lost_comes_later_with_its_own_time_and_before_the_next_one():
    """Field bug G12."""
    line = Line().ready()
    begun = line.now
    line.lost = lambda frame: frame[0] == "E"
    line.move(1, True)
    line.wait(50)
    line.move(2, True)
    line.wait(150)
    line.lost = lambda _: False
    line.wait(200)
    assert line.told() == [(1, PRESSED), (2, PRESSED)]
    first, second = (report.time for report in line.reports)
    assert begun <= first <= begun + 4
    assert 49 <= second - first <= 51


def test_a_button_that_is_down_at_the_greeting_is_no_press():
    """Field bug G13."""
    line = Line(closed=(3,)).ready()
    assert line.host.closed_at_first == 0b1000
    line.wait(1000)
    assert line.told() == []
    line.move(3, False)
    line.wait(50)
    assert line.told() == [(3, HEALED)]


# Muted switches, and other times


def test_a_switch_that_was_muted_before_the_greeting_is_reported():
    line = Line()
    line.chatter(1)
    line = line.ready()
    line.wait(10)
    assert line.told() == [(1, FAULTY)]
    line.wait(6000)
    assert line.told() == [(1, FAULTY), (1, HEALED)]


def test_a_switch_that_was_muted_is_in_use_again_after_a_change_of_times():
    line = Line().ready()
    line.chatter(1)
    line.host.debounce((3, 30, 200))
    line.wait(50)
    assert line.told()[-2:] == [(1, FAULTY), (1, HEALED)]
    line.move(1, True)
    line.wait(50)
    assert line.told()[-1] == (1, PRESSED)


def test_a_button_that_is_held_while_the_times_change_is_released_when_it_opens():
    line = Line().ready()
    line.move(1, True)
    line.wait(50)
    line.host.debounce((3, 30, 200))
    line.wait(50)
    assert line.host.levels.stuck == 0b10  # as the board sees it
    line.move(1, False)
    line.wait(50)
    assert line.told() == [(1, PRESSED), (1, RELEASED)]
    line.move(1, True)
    line.wait(50)
    assert line.told()[2:] == [(1, PRESSED)]
    assert line.host.problem is None


def test_a_press_that_chatter_cut_short_is_not_released_by_the_switch_that_heals():
    talk = Talk().greeted()
    talk.event(0, 1, PRESSED, 0b10)
    talk.event(1, 1, FAULTY, 0b10)
    talk.event(2, 1, HEALED, 0b10)
    assert talk.reports() == [(1, PRESSED), (1, FAULTY), (1, HEALED)]


def test_what_the_switches_did_while_the_times_were_changed_is_caught_up_with():
    talk = Talk().greeted()
    talk.event(0, 0, PRESSED, 0b01)
    assert talk.reports() == [(0, PRESSED)]
    talk.host.debounce((3, 30, 200))
    ((_, number, payload),) = talk.heard()
    assert payload == "3:1E:C8"
    ((kind, number, _),) = talk.tell("A", number)
    assert (kind, talk.host.ready) == ("s", False)
    assert talk.event(1, 0, HEALED, 0) == []
    talk.tell("S", number, "0:3:2:2:0")
    # Nobody can say that the second one was pressed.
    assert talk.reports() == [(0, RELEASED), (1, STUCK)]
    talk.event(3, 1, HEALED, 0)
    assert talk.reports() == [(1, HEALED)]


def test_a_button_that_was_let_go_while_the_times_were_changed_is_not_released_a_second_time():
    line = Line().ready()
    line.move(1, True)
    line.wait(50)
    line.lost = lambda frame: frame[0] == "d"
    line.host.debounce((3, 30, 200))
    line.move(1, False)
    line.wait(150)
    line.lost = lambda _: False
    line.wait(300)
    assert line.told() == [(1, PRESSED), (1, RELEASED)]


def test_the_same_times_are_not_said_again():
    talk = Talk().greeted()
    talk.host.debounce((2, 30, 200))
    assert talk.heard() == []
    assert talk.host.ready


def test_of_times_that_change_while_they_are_changed_the_last_count():
    line = Line()
    dropped: list[str] = []

    def is_lost(frame: tuple[str, int, str]) -> bool:
        if frame[0] == "d" and frame[2].startswith("7:") and not dropped:
            dropped.append(frame[2])
            return True
        return False

    line.lost = is_lost
    while not [frame for _, frame in line.carried if frame[0] == "d"]:
        line.wait(1)
    line.host.debounce((7, 70, 700))  # the answer to the first ones is under way
    line.wait(600)
    assert dropped
    assert line.host.ready
    assert line.ends.end._times == (7, 70, 700)
