"""Faults of switches: each is made as it is described, so that the scenarios test what they say."""

from __future__ import annotations

import pytest

from popout.board.switches import SwitchEvent
from popout_sim import faults


def levels(edges: list[SwitchEvent]) -> list[bool]:
    return [edge.closed for edge in edges]


def test_bounce_on_press_bounces_only_there():
    edges = faults.bounce_on_press("column 4", 1000, length=120)
    assert sum(edge.closed for edge in edges if edge.time < 1016) == 7
    assert edges[-1] == SwitchEvent("column 4", False, 1120)
    assert all(edge.time < 1016 for edge in edges[:-1])


def test_bounce_on_release_bounces_only_there():
    edges = faults.bounce_on_release("column 4", 1000, length=120)
    assert edges[0] == SwitchEvent("column 4", True, 1000)
    assert all(1120 <= edge.time <= 1135 for edge in edges[1:])
    assert len(edges) == 14


@pytest.mark.parametrize("length", [1, 5, 15, 50])
def test_a_pulse_is_as_long_as_it_says(length: float):
    assert faults.pulse("column 4", 100, length) == [
        SwitchEvent("column 4", True, 100),
        SwitchEvent("column 4", False, 100 + length),
    ]


def test_two_columns_within_30_ms_are_both_down_for_a_while():
    assert faults.two_columns(3, 4, 100, apart=20, length=120) == [
        SwitchEvent("column 3", True, 100),
        SwitchEvent("column 4", True, 120),
        SwitchEvent("column 3", False, 220),
        SwitchEvent("column 4", False, 240),
    ]


def test_a_wobbling_disc_trips_its_lever_twice_within_the_lockout_of_a_lever():
    edges = faults.double_edge(4, 100)
    assert levels(edges) == [True, False, True, False]
    assert edges[2].time - edges[0].time < 200


def test_a_disc_pulled_back_holds_the_lever_down_and_lets_it_go():
    assert faults.half_inserted(4, 100, length=400) == faults.pulse("column 4", 100, 400)


def test_of_a_button_held_across_start_up_only_the_opening_is_seen():
    assert faults.held_across_start("column 4", 700) == [SwitchEvent("column 4", False, 700)]


def test_a_stuck_button_never_opens():
    assert faults.stuck("column 4", 100) == [SwitchEvent("column 4", True, 100)]


def test_a_chattering_contact_has_more_than_fifty_edges_in_each_second():
    edges = faults.chattering("column 4", 1000, span=2000)
    assert levels(edges) == [True, False] * 120
    assert [edge.time for edge in edges] == sorted(edge.time for edge in edges)
    for second in (1000, 2000):
        assert sum(second <= edge.time < second + 1000 for edge in edges) > 50


@pytest.mark.parametrize("opened", [True, False])
def test_a_half_open_bar_flutters_and_settles(opened: bool):
    edges = faults.half_open_bar(1000, opened=opened)
    assert {edge.switch for edge in edges} == {"bar"}
    assert len(edges) > 8
    assert edges[-1].closed is opened
    assert [edge.time for edge in edges] == sorted(edge.time for edge in edges)


def test_a_lost_edge_is_the_one_that_is_missing():
    press = faults.pulse("column 4", 100, 80)
    assert faults.lost_edge(press, 1) == press[:1]
    assert faults.lost_edge(press, 0) == press[1:]
