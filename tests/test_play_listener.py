"""From raw edges to what hands and beams mean."""

from __future__ import annotations

from popout.board.layout import Layout
from popout.board.switches import Fault, SwitchEvent, SwitchFault
from popout.play.gestures import Cancelled, CountingDown, HoldStarted, Idle, Spent, TakeBack, Tap, Tentative
from popout.play.listener import DiscSeen, Heard, Listener
from popout.play.settings import Settings
from popout.rules import RED, YELLOW, Drop, Pop
from popout_sim import faults
from tabletop import with_beams, with_levers, with_two_rows

PLAIN = Layout.plain(7, 6)


class Wires:
    """A listener whose wires a test moves; the time is the wires'."""

    def __init__(self, layout: Layout = PLAIN, *, closed: tuple[str, ...] = ()) -> None:
        self.levels = dict.fromkeys(layout.switches, False) | dict.fromkeys(closed, True)
        self.listener = Listener(layout, Settings(), self.levels, 0)
        self.heard: list[Heard] = []

    def edge(self, switch: str, closed: bool, time: float) -> Wires:
        self.until(time)
        self.levels[switch] = closed
        self.heard += self.listener.edge(SwitchEvent(switch, closed, time))
        return self

    def edges(self, edges: list[SwitchEvent]) -> Wires:
        for edge in edges:
            self.edge(edge.switch, edge.closed, edge.time)
        return self

    def until(self, time: float) -> Wires:
        while (due := self.listener.due()) is not None and due < time:
            self.heard += self.listener.tick(due, self.levels)
            after = self.listener.due()
            assert after is None or after > due
        return self


def test_a_bouncing_tap_is_one_tap_g1():
    wires = Wires().edges(faults.bounce_on_press("column 4", 100)).edges(faults.bounce_on_release("column 4", 1000))
    wires.until(5000)
    assert [type(made) for made in wires.heard] == [Tentative, Tap, Tentative, Tap]
    assert 100 <= wires.heard[1].time <= 115
    assert wires.heard[3].time == 1000


def test_a_tap_bears_the_time_of_its_press_however_late_it_is_handed_over_g12():
    listener = Listener(PLAIN, Settings(), {}, 0)
    heard = [made for edge in faults.pulse("column 4", 100, 80) for made in listener.edge(edge)]
    heard += listener.tick(60_000, {})
    assert heard == [Tentative(4, False, None, 100), Tap(4, False, None, 100)]


def test_a_bar_slid_and_a_button_tapped_while_the_program_slept_are_a_pop_e3():
    listener = Listener(PLAIN, Settings(), {}, 0)
    edges = [SwitchEvent("bar", True, 100), *faults.pulse("column 4", 150, 80), SwitchEvent("bar", False, 400)]
    heard = [made for edge in edges for made in listener.edge(edge)]
    assert heard == [Tentative(4, True, None, 150), Tap(4, True, None, 150)]


def test_a_hold_counts_only_while_the_button_is_still_read_as_down_g9():
    wires = Wires().edge("column 4", True, 100).until(800)
    assert isinstance(wires.listener.state, CountingDown)
    assert wires.listener.tick(1600, {**wires.levels, "column 4": False}) == []
    assert HoldStarted(4, 100) in wires.heard
    assert not any(isinstance(made, TakeBack) for made in wires.heard)


def test_a_hold_is_a_take_back_once_and_never_again_g9():
    wires = Wires().edge("column 4", True, 100).until(9000).edge("column 4", False, 9000).until(20_000)
    assert [made for made in wires.heard if isinstance(made, TakeBack)] == [TakeBack(1600)]


def test_two_rows_of_buttons_tell_the_sides_apart():
    wires = Wires(with_two_rows())
    wires.edges(faults.pulse("column 3", 100, 80)).edges(faults.pulse("yellow column 3", 500, 80)).until(5000)
    assert [made for made in wires.heard if isinstance(made, Tap)] == [
        Tap(3, False, RED, 100),
        Tap(3, False, YELLOW, 500),
    ]


def test_with_one_row_of_buttons_nobody_s_side_is_known():
    assert Wires().edges(faults.pulse("column 3", 100, 80)).until(500).heard[-1] == Tap(3, False, None, 100)


def test_a_lever_taps_at_once_and_once_a_disc_g14():
    wires = Wires(with_levers()).edges(faults.double_edge(4, 100)).until(5000)
    assert wires.heard == [Tap(4, False, None, 100)]


def test_a_beam_sees_a_disc_once_and_nothing_when_it_is_through():
    wires = Wires(with_beams()).edges(faults.pulse("drop sensor 4", 100, 80)).until(5000)
    assert wires.heard == [DiscSeen(Drop(4), False, False, 100)]


def test_a_disc_that_leaves_is_seen_with_the_bar_as_it_was_then():
    wires = Wires(with_beams()).edges(faults.pulse("pop sensor 4", 100, 80)).edge("bar", True, 1000)
    wires.edges(faults.pulse("pop sensor 5", 1500, 80)).until(5000)
    assert wires.heard == [DiscSeen(Pop(4), False, False, 100), DiscSeen(Pop(5), True, False, 1500)]


def test_a_second_disc_that_leaves_before_the_bar_is_moved_again_is_known_as_one():
    wires = Wires(with_beams()).edge("bar", True, 100)
    wires.edges(faults.pulse("pop sensor 4", 1000, 80)).edges(faults.pulse("pop sensor 5", 2000, 80))
    wires.edge("bar", False, 3000).edge("bar", True, 4000).edges(faults.pulse("pop sensor 5", 5000, 80)).until(9000)
    assert [made.again for made in wires.heard if isinstance(made, DiscSeen)] == [False, True, False]


def test_a_button_that_nobody_holds_for_so_long_is_stuck_and_the_others_play_on():
    wires = Wires().edges(faults.stuck("column 2", 100)).edges(faults.pulse("column 5", 12_000, 80)).until(20_000)
    assert SwitchFault("column 2", Fault.STUCK, 10_100) in wires.heard
    assert wires.heard[-1] == Tap(5, False, None, 12_000)


def test_a_button_of_which_edges_are_on_their_way_is_not_called_stuck_before_they_are_heard():
    wires = Wires().edge("column 2", True, 100).until(5000)
    unknown = {switch: level for switch, level in wires.levels.items() if switch != "column 2"}
    late = 200 + Settings().stuck_after_ms

    assert wires.listener.tick(late, unknown) == []
    assert SwitchFault("column 2", Fault.STUCK, late + 1) in wires.listener.tick(late + 1, wires.levels)


def test_a_button_that_came_up_while_the_program_slept_is_not_stuck():
    listener = Listener(PLAIN, Settings(), {}, 0)
    listener.edge(SwitchEvent("column 2", True, 100))
    heard = listener.tick(30_000, {"column 2": False})
    assert not any(isinstance(made, SwitchFault) for made in heard)
    due = listener.due()
    assert due is None or due > 30_000


def test_a_button_that_begins_to_chatter_cancels_what_it_had_begun():
    held_with_a_loose_wire = [
        SwitchEvent("column 4", closed, 100 + 16 * number + (0 if closed else 15))
        for number in range(40)
        for closed in (True, False)
    ]
    wires = Wires().edges(held_with_a_loose_wire).until(20_000)
    assert [type(made) for made in wires.heard] == [Tentative, SwitchFault, Cancelled, SwitchFault]
    assert wires.listener.state == Idle(False)


def test_what_is_let_go_of_means_nothing():
    wires = Wires().edge("column 4", True, 100).until(200)
    wires.listener.let_go()
    wires.edge("column 4", False, 300).until(5000)
    assert wires.heard == [Tentative(4, False, None, 100)]
    assert wires.listener.state == Idle(False)


def test_only_what_began_then_is_let_go_of():
    wires = Wires().edge("column 4", True, 100).until(200)
    wires.listener.let_go(99)
    assert not isinstance(wires.listener.state, Spent)
    wires.listener.let_go(100)
    assert isinstance(wires.listener.state, Spent)


def test_after_a_restart_a_button_that_is_down_makes_no_move():
    wires = Wires().edge("column 4", True, 100).until(200)
    wires.listener.restart(wires.levels, 5000)
    wires.heard.clear()
    wires.until(5500).edge("column 4", False, 5500).until(9000)
    assert wires.heard == [SwitchFault("column 4", Fault.STUCK, 5000), SwitchFault("column 4", Fault.HEALED, 5500)]


def test_after_a_restart_the_bar_is_where_it_stands():
    wires = Wires()
    wires.levels["bar"] = True
    wires.listener.restart(wires.levels, 5000)
    wires.until(5100)
    assert wires.listener.state == Idle(True)


def test_a_switch_that_means_nothing_here_says_nothing():
    assert Wires().edge("hint", True, 100).edge("column 12", True, 200).until(5000).heard == []


def test_a_button_that_the_board_calls_faulty_cancels_what_it_had_begun():
    wires = Wires().edge("column 4", True, 100).until(300)
    found = SwitchFault("column 4", Fault.FAULTY, 400)
    wires.heard += wires.listener.edge(found)
    wires.edge("column 4", False, 5400).until(9000)
    assert [type(made) for made in wires.heard] == [Tentative, SwitchFault, Cancelled]
    assert wires.heard[1] == found
    assert wires.listener.state == Idle(False)


def test_a_button_that_the_board_calls_healed_or_stuck_is_only_told():
    found = [SwitchFault("column 4", Fault.HEALED, 400), SwitchFault("column 4", Fault.STUCK, 400)]
    wires = Wires()
    for fault in found:
        wires.heard += wires.listener.edge(fault)
    assert wires.heard == found
