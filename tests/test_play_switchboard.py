"""All switches of a board, debounced together."""

from __future__ import annotations

import pytest

from popout.board.layout import Layout
from popout.board.switches import Fault, Report, SwitchEvent, SwitchFault
from popout.play.settings import Settings
from popout.play.switchboard import Switchboard
from popout_sim import faults
from tabletop import with_beams, with_levers

SETTINGS = Settings()
PLAIN = Layout.plain(7, 6)


def live(board: Switchboard, edges: list[SwitchEvent], until: float = 20_000) -> list[Report]:
    """Hand over the edges as they come, and poll whenever the switchboard asks to be polled."""
    heard: list[Report] = []
    levels: dict[str, bool] = {}
    for edge in [*edges, None]:
        end = until if edge is None else edge.time
        while (due := board.due()) is not None and due < end:
            heard += board.poll(due, levels)
            after = board.due()
            assert after is None or after > due
        if edge is not None:
            levels[edge.switch] = edge.closed
            heard += board.edge(edge)
    return heard


def board(layout: Layout = PLAIN, **closed: bool) -> Switchboard:
    return Switchboard(layout, SETTINGS, {name.replace("_", " "): level for name, level in closed.items()}, 0)


def test_a_tap_is_a_press_and_a_release():
    heard = live(board(), faults.pulse("column 4", 100, 80))
    assert heard == [SwitchEvent("column 4", True, 100), SwitchEvent("column 4", False, 180)]


def test_a_switch_that_the_layout_does_not_have_means_nothing():
    assert live(board(), faults.pulse("column 8", 100, 80)) == []


def test_every_switch_has_its_own_lock_out():
    heard = live(board(), faults.two_columns(3, 4, 100))
    assert [(report.switch, report.time) for report in heard] == [
        ("column 3", 100),
        ("column 4", 120),
        ("column 3", 220),
        ("column 4", 240),
    ]


@pytest.mark.parametrize(
    ("layout", "switch", "presses"),
    [
        (PLAIN, "column 4", 2),
        (with_levers(), "column 4", 1),
        (with_levers(), "menu", 2),
        (with_beams(), "drop sensor 4", 1),
        (with_beams(), "pop sensor 4", 1),
        (with_beams(), "column 4", 2),
    ],
)
def test_what_a_disc_moves_is_locked_out_for_longer_g14(layout: Layout, switch: str, presses: int):
    twice = [*faults.pulse(switch, 100, 40), *faults.pulse(switch, 190, 40)]
    assert sum(report.closed for report in live(board(layout), twice)) == presses


def test_a_bar_slid_before_a_press_counts_before_it_however_late_both_are_handed_over_e3():
    slow = board()
    heard = []
    for edge in [SwitchEvent("bar", True, 100), *faults.pulse("column 4", 150, 100)]:
        heard += slow.edge(edge)
    heard += slow.poll(400, {"bar": True, "column 4": False})
    assert [report.switch for report in heard] == ["bar", "column 4", "column 4"]


def test_an_edge_that_was_lost_is_found_by_the_level_after_the_lock_out_g2():
    quick = board()
    quick.edge(SwitchEvent("column 4", True, 100))
    assert quick.poll(102, {"column 4": True}) == [SwitchEvent("column 4", True, 100)]
    (lock_out_ends,) = [quick.due()]
    assert lock_out_ends == 132
    assert quick.poll(132, {"column 4": False}) == []
    assert quick.poll(134, {"column 4": False}) == [SwitchEvent("column 4", False, 132)]


def test_a_button_that_is_down_at_the_start_is_stuck_until_it_comes_up_g13():
    heard = live(board(column_4=True), [*faults.held_across_start("column 4", 500), *faults.pulse("column 4", 900, 80)])
    assert heard == [
        SwitchFault("column 4", Fault.STUCK, 0),
        SwitchFault("column 4", Fault.HEALED, 500),
        SwitchEvent("column 4", True, 900),
        SwitchEvent("column 4", False, 980),
    ]


def test_a_bar_that_is_open_at_the_start_is_open_and_not_stuck():
    heard = live(board(bar=True), [SwitchEvent("bar", False, 500)])
    assert heard == [SwitchEvent("bar", True, 0), SwitchEvent("bar", False, 500)]


def test_a_chattering_button_is_muted_and_the_others_are_heard():
    chatter = faults.chattering("column 2", 100)
    edges = sorted([*chatter, *faults.pulse("column 5", 1500, 80)], key=lambda edge: edge.time)
    heard = live(board(), edges)
    faulty = [report for report in heard if isinstance(report, SwitchFault)]
    assert [report.fault for report in faulty] == [Fault.FAULTY, Fault.HEALED]
    assert faulty[1].time == chatter[-1].time + 5000
    assert [report for report in heard if report.switch == "column 5"] == faults_free("column 5", 1500, 1580)


def faults_free(switch: str, *times: float) -> list[SwitchEvent]:
    return [SwitchEvent(switch, number % 2 == 0, time) for number, time in enumerate(times)]


@pytest.mark.parametrize("opened", [True, False])
def test_a_bar_that_flickered_stands_where_it_stands_when_it_is_quiet(opened: bool):
    flicker = faults.chattering("bar", 100)
    if opened:
        flicker.append(SwitchEvent("bar", True, 2100))
    heard = live(board(), [*flicker, SwitchEvent("bar", not opened, 9000), SwitchEvent("bar", opened, 9500)])
    assert not any(isinstance(report, SwitchFault) and report.fault is Fault.STUCK for report in heard)
    standing = [report for report in heard if isinstance(report, SwitchEvent)]
    assert standing[-2:] == [SwitchEvent("bar", not opened, 9000), SwitchEvent("bar", opened, 9500)]
    assert [report.closed for report in standing if 5000 < report.time < 8000] == ([True] if opened else [])


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (Fault.STUCK, 'The switch "column 4" is stuck: let go of it or free it.'),
        (
            Fault.FAULTY,
            'The switch "column 4" flickers and is ignored until it is quiet. Check its wire, and take back the moves '
            "that nobody made.",
        ),
        (Fault.HEALED, 'The switch "column 4" works again.'),
    ],
)
def test_every_fault_has_a_sentence(fault: Fault, sentence: str):
    assert str(SwitchFault("column 4", fault, 0).message) == sentence


def test_a_switch_of_which_edges_are_on_their_way_is_left_alone_until_they_are_heard_g3():
    slow = Switchboard(PLAIN, SETTINGS, dict.fromkeys(PLAIN.switches, False), 0)
    known = {switch: False for switch in PLAIN.switches if switch != "column 4"}

    heard = slow.edge(SwitchEvent("column 4", True, 100))
    heard += slow.poll(400, known)
    assert heard == [], "the end of the pulse may be on its way"
    heard += slow.edge(SwitchEvent("column 4", False, 101))
    heard += slow.poll(500, {**known, "column 4": False})
    assert heard == []

    heard += slow.edge(SwitchEvent("column 4", True, 600))
    heard += slow.poll(700, known)
    heard += slow.poll(750, {**known, "column 4": True})
    assert heard == [SwitchEvent("column 4", True, 600)]


def test_a_fault_that_the_board_found_is_handed_on_after_what_was_certain_before_it():
    listening = board()
    found = SwitchFault("column 2", Fault.FAULTY, 150)
    assert listening.edge(SwitchEvent("column 4", True, 100)) == []
    assert listening.edge(found) == [SwitchEvent("column 4", True, 100), found]
    assert listening.edge(SwitchFault("column 99", Fault.FAULTY, 160)) == []
