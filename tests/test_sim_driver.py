"""The simulator as a board: hands in, switch events out; frames in, light out."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.board.driver import BoardDriver
from popout.board.frame import Frame
from popout.board.layout import Layout, LayoutError
from popout.board.switches import SwitchEvent, pop_sensor
from popout_sim import faults
from popout_sim.contacts import LIGHT, WORN, Contact
from popout_sim.driver import SimulatedBoard
from popout_sim.twin import SizeMismatch


class Clock:
    """A clock that a test sets, in milliseconds."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def board(clock: Clock) -> SimulatedBoard:
    return SimulatedBoard(Layout.plain(7, 6), clock=clock)


def press(board: SimulatedBoard, switch: str) -> None:
    board.twin.act({"do": "press", "switch": switch})


def release(board: SimulatedBoard, switch: str) -> None:
    board.twin.act({"do": "release", "switch": switch})


def test_it_is_found_by_the_name_sim_and_is_never_attached():
    found = EntryPoint("sim", "popout_sim.driver:SimulatedBoard", "popout.boards").load()
    assert issubclass(found, BoardDriver)
    assert found.name == "sim"
    assert found.attached(Layout.plain(7, 6)) is False


def test_it_says_that_it_is_the_simulator(board: SimulatedBoard):
    assert str(board.description) == "the simulator"


def test_a_press_comes_out_as_an_edge_with_its_time(board: SimulatedBoard, clock: Clock):
    press(board, "column 4")
    clock.time = 1120
    release(board, "column 4")
    clock.time = 5000
    assert board.drain() == [SwitchEvent("column 4", True, 1000), SwitchEvent("column 4", False, 1120)]
    assert board.drain() == []


def test_an_open_bar_is_a_closed_switch(board: SimulatedBoard):
    board.twin.act({"do": "bar", "to": "open"})
    assert board.drain() == [SwitchEvent("bar", True, 1000)]
    assert board.levels()["bar"] is True


def test_bounces_come_when_they_are_due_and_not_before(clock: Clock):
    contact = Contact(press_bounces=1, press_span_ms=10)
    board = SimulatedBoard(Layout.plain(7, 6), clock=clock, contact=contact)
    press(board, "column 4")
    assert [edge.closed for edge in board.drain()] == [True]
    clock.time = 1010
    late = board.drain()
    assert [edge.closed for edge in late] == [False, True]
    assert 1000 < late[0].time < 1005 < late[1].time < 1010


def test_a_release_during_the_bounces_of_the_press_ends_them(clock: Clock):
    board = SimulatedBoard(Layout.plain(7, 6), clock=clock, contact=WORN)
    press(board, "column 4")
    clock.time = 1002
    release(board, "column 4")
    clock.time = 2000
    edges = board.drain()
    assert edges[-1].closed is False
    assert edges[-1].time <= 1002 + WORN.release_span_ms
    assert board.levels()["column 4"] is False


def test_levels_name_every_switch_and_follow_edges_that_nobody_has_read(board: SimulatedBoard):
    assert dict(board.levels()) == dict.fromkeys(Layout.plain(7, 6).switches, False)
    press(board, "menu")
    assert [switch for switch, closed in board.levels().items() if closed] == ["menu"]


def test_with_the_clock_of_a_test_contacts_are_perfect(board: SimulatedBoard, clock: Clock):
    press(board, "column 4")
    clock.time += 100
    assert len(board.drain()) == 1


def test_for_people_contacts_bounce_lightly():
    board = SimulatedBoard(Layout.plain(7, 6))
    press(board, "column 4")
    board.inject(faults.stuck("menu", board.now() + LIGHT.press_span_ms))
    *edges, _ = asyncio.run(until(board, lambda edge: edge.switch == "menu"))
    assert [edge.closed for edge in edges] == [*[True, False] * LIGHT.press_bounces, True]


async def until(board: SimulatedBoard, last: Callable[[SwitchEvent], bool]) -> list[SwitchEvent]:
    """The events up to the first for which `last` is true."""
    seen = []
    async with asyncio.timeout(20):
        async for event in board.events():
            seen.append(event)
            if last(event):
                break
    return seen


def test_a_disc_trips_its_lever_for_a_moment_on_a_board_of_levers(clock: Clock):
    layout = replace(Layout.plain(7, 6), actuation="disc")
    board = SimulatedBoard(layout, clock=clock)
    board.twin.act({"do": "drop", "column": 4, "disc": "X"})
    assert board.levels()["column 4"] is True
    clock.time = 2000
    assert board.drain() == [SwitchEvent("column 4", True, 1000), SwitchEvent("column 4", False, 1080)]


def test_two_discs_close_behind_each_other_are_one_longer_pulse(clock: Clock):
    board = SimulatedBoard(replace(Layout.plain(7, 6), actuation="disc"), clock=clock)
    board.twin.act({"do": "drop", "column": 4, "disc": "X"})
    clock.time = 1050
    board.twin.act({"do": "drop", "column": 4, "disc": "O"})
    clock.time = 2000
    assert board.drain() == [SwitchEvent("column 4", True, 1000), SwitchEvent("column 4", False, 1130)]


def test_a_disc_that_passes_a_lever_held_down_is_not_felt(clock: Clock):
    board = SimulatedBoard(replace(Layout.plain(7, 6), actuation="disc"), clock=clock)
    press(board, "column 4")
    board.twin.act({"do": "drop", "column": 4, "disc": "X"})
    clock.time = 2000
    assert board.drain() == [SwitchEvent("column 4", True, 1000)]


def test_each_disc_that_falls_out_interrupts_the_beam_once(clock: Clock):
    plain = Layout.plain(7, 6)
    board = SimulatedBoard(replace(plain, switches={**plain.switches, pop_sensor(4): ""}), clock=clock)
    for disc in "XOX":
        board.twin.act({"do": "drop", "column": 4, "disc": disc})
    board.twin.act({"do": "empty"})
    clock.time = 3000
    beam = board.drain()
    assert [(edge.closed, edge.time) for edge in beam] == [
        (True, 1000), (False, 1080), (True, 1120), (False, 1200), (True, 1240), (False, 1320),
    ]  # fmt: skip


def test_faults_come_in_on_the_wires(board: SimulatedBoard, clock: Clock):
    board.inject(faults.two_columns(3, 4, clock.time + 10))
    assert board.drain() == []
    clock.time = 2000
    assert board.drain() == faults.two_columns(3, 4, 1010)
    assert board.twin.pressed == ()


def test_a_fault_on_a_wire_that_is_not_there_is_a_mistake_of_the_test(board: SimulatedBoard):
    with pytest.raises(ValueError, match="no such switch on this board: column 8"):
        board.inject(faults.stuck("column 8", 0))


def test_a_lost_edge_changes_the_level_and_is_not_reported(board: SimulatedBoard, clock: Clock):
    press(board, "column 4")
    board.lose_edge("column 4")
    clock.time = 1100
    release(board, "column 4")
    assert board.drain() == [SwitchEvent("column 4", True, 1000)]
    assert board.levels()["column 4"] is False
    clock.time = 1200
    press(board, "column 4")
    assert board.drain() == [SwitchEvent("column 4", True, 1200)]


def test_the_last_frame_is_what_the_lamps_show(board: SimulatedBoard):
    frame = replace(Frame.dark(7, 6), turns=(0xFF0000, 0))
    board.show(frame)
    assert board.lamps == frame
    assert board.twin.snapshot()["lamps"]["turns"] == ["#ff0000", "#000000"]


def test_a_lamp_that_the_layout_does_not_have_stays_dark(clock: Clock):
    board = SimulatedBoard(replace(Layout.plain(1, 1), chain=None), clock=clock)
    board.show(Frame(cells=((1,),), columns=(2,), turns=(3, 4)))
    assert board.lamps == Frame.dark(1, 1)


def test_a_frame_of_another_size_is_refused(board: SimulatedBoard):
    with pytest.raises(SizeMismatch):
        board.show(Frame.dark(6, 7))


def test_discs_follow_the_belief_of_the_controller(board: SimulatedBoard):
    board.believe(("", "", "", "XO", "", "", ""))
    assert board.twin.grid == ("", "", "", "XO", "", "", "")


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (32, 32), (12, 10)])
def test_it_can_become_any_size(board: SimulatedBoard, columns: int, rows: int):
    twin = board.twin
    board.believe(("X",) * 7)
    board.reshape(columns, rows)
    assert (board.layout.columns, board.layout.rows) == (columns, rows)
    assert board.twin is twin
    assert twin.grid == ("",) * columns
    assert board.lamps == Frame.dark(columns, rows)
    press(board, f"column {columns}")
    assert board.drain()[-1] == SwitchEvent(f"column {columns}", True, 1000)


@pytest.mark.parametrize(("columns", "rows"), [(0, 6), (7, 0), (33, 6), (7, 33)])
def test_a_size_that_no_board_has_is_refused_and_nothing_changes(board: SimulatedBoard, columns: int, rows: int):
    board.believe(("X",) * 7)
    with pytest.raises(LayoutError):
        board.reshape(columns, rows)
    assert (board.layout.columns, board.layout.rows) == (7, 6)
    assert board.twin.grid == ("X",) * 7


def test_a_board_cleared_to_its_own_size_keeps_its_layout(clock: Clock):
    layout = replace(Layout.plain(7, 6), actuation="disc")
    board = SimulatedBoard(layout, clock=clock)
    board.reshape(7, 6)
    assert board.layout == layout


def test_what_was_closed_opens_when_the_board_becomes_another(clock: Clock):
    board = SimulatedBoard(Layout.plain(7, 6), clock=clock, contact=WORN)
    press(board, "column 7")
    board.twin.act({"do": "bar", "to": "open"})
    clock.time = 1500
    board.drain()
    board.reshape(5, 4)
    clock.time = 2000
    assert sorted(board.drain(), key=lambda edge: edge.switch) == [
        SwitchEvent("bar", False, 1500),
        SwitchEvent("column 7", False, 1500),
    ]
    assert dict(board.levels()) == dict.fromkeys(Layout.plain(5, 4).switches, False)


def test_closing_darkens_the_lamps_and_may_be_done_twice(board: SimulatedBoard):
    lit = replace(Frame.dark(7, 6), turns=(0xFF0000, 0))
    board.show(lit)
    board.close()
    board.close()
    assert board.lamps == Frame.dark(7, 6)
    board.show(lit)
    assert board.lamps == Frame.dark(7, 6)


def test_with_an_event_loop_events_come_as_hands_act_and_end_when_the_board_closes():
    async def play() -> list[SwitchEvent]:
        seen: list[SwitchEvent] = []
        with SimulatedBoard(Layout.plain(7, 6), contact=WORN) as board:

            async def listen() -> None:
                async for event in board.events():
                    seen.append(event)
                    if len(seen) == 2 * WORN.press_bounces + 1:
                        release(board, "column 4")
                    if len(seen) == 2 * (WORN.press_bounces + WORN.release_bounces) + 2:
                        board.close()

            listener = asyncio.create_task(listen())
            await asyncio.sleep(0)
            press(board, "column 4")
            await asyncio.wait_for(listener, 20)
        return seen

    seen = asyncio.run(play())
    assert [event.closed for event in seen] == [True, False] * (WORN.press_bounces + WORN.release_bounces + 1)
    assert [event.time for event in seen] == sorted(event.time for event in seen)


def test_what_hands_did_before_anybody_listened_is_not_lost(board: SimulatedBoard):
    press(board, "column 4")
    assert asyncio.run(until(board, lambda _edge: True)) == [SwitchEvent("column 4", True, 1000)]


def test_closing_wakes_a_reader_that_waits(board: SimulatedBoard):
    async def play() -> list[SwitchEvent]:
        async def listen() -> list[SwitchEvent]:
            return [event async for event in board.events()]

        listener = asyncio.create_task(listen())
        await asyncio.sleep(0)
        board.close()
        return await asyncio.wait_for(listener, 20)

    assert asyncio.run(play()) == []


def test_hands_may_act_in_another_thread(board: SimulatedBoard):
    async def play() -> list[SwitchEvent]:
        reader = asyncio.create_task(until(board, lambda _edge: True))
        await asyncio.sleep(0)
        hand = threading.Thread(target=press, args=(board, "column 4"))
        hand.start()
        hand.join()
        return await reader

    assert asyncio.run(play()) == [SwitchEvent("column 4", True, 1000)]


def test_an_earlier_reader_that_goes_does_not_make_a_later_one_deaf(board: SimulatedBoard):
    async def play() -> list[SwitchEvent]:
        first = board.events()
        press(board, "column 1")
        await anext(first)
        second = asyncio.create_task(until(board, lambda _edge: True))
        await asyncio.sleep(0)
        await first.aclose()  # type: ignore[attr-defined]
        press(board, "column 2")
        return await second

    assert asyncio.run(play()) == [SwitchEvent("column 2", True, 1000)]


MOVES = st.tuples(st.sampled_from(["press", "release", "open", "closed"]), st.integers(1, 3), st.floats(0, 30))


@given(st.lists(MOVES, max_size=20), st.integers(0, 9))
def test_whenever_hands_move_edges_alternate_and_levels_end_where_the_hands_are(
    moves: list[tuple[str, int, float]], seed: int
):
    clock = Clock()
    board = SimulatedBoard(Layout.plain(3, 2), clock=clock, contact=WORN, seed=seed)
    seen: list[SwitchEvent] = []
    for do, column, pause in moves:
        if do in ("press", "release"):
            board.twin.act({"do": do, "switch": f"column {column}"})
        else:
            board.twin.act({"do": "bar", "to": do})
        clock.time += pause
        seen += board.drain()
    clock.time += 100
    seen += board.drain()
    last = dict.fromkeys(board.layout.switches, False)
    for before, after in pairwise(seen):
        assert before.time <= after.time
    for event in seen:
        assert event.closed is not last[event.switch]
        last[event.switch] = event.closed
    held = {*board.twin.pressed, *(["bar"] if board.twin.bar == "open" else [])}
    assert board.levels() == {switch: switch in held for switch in last} == last
