"""The faults of switches that pins can show, through the driver: from the wire to the game."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from gpio_pins import PI, PinTable, at_a_table
from popout.board.contacts import Matrix
from popout.board.driver import BoardLost
from popout.board.gpio.driver import WATCH_MS
from popout.board.gpio.pins import Pins
from popout.board.layout import Layout
from popout.play import reopening
from popout.play.settings import Settings
from popout.rules import Message
from popout_sim import faults
from turned_clock import TurnedLoop

MATRIX = replace(
    PI,
    name="matrix",
    switches={switch: f"R{number % 3 + 1}C{number // 3 + 1}" for number, switch in enumerate(PI.switches)},
    matrix=Matrix(rows=("GPIO5", "GPIO6", "GPIO13"), columns=("GPIO19", "GPIO26", "GPIO21", "GPIO20")),
)
WIRINGS = pytest.mark.parametrize("layout", [PI, MATRIX], ids=["pins", "matrix"])

# Contacts


@WIRINGS
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("fault", [faults.bounce_on_press, faults.bounce_on_release])
def test_a_contact_that_bounces_makes_one_move_g1_g4(fault: object, seed: int, layout: Layout):
    async def story(table: PinTable) -> None:
        await table.play_edges(fault("column 4", table.now + 10, seed=seed))  # type: ignore[operator]
        await table.wait(3000)
        assert table.moves == "d4"

    at_a_table(story, layout)


def test_the_release_of_a_long_press_bounces_into_no_second_press_g1():
    async def story(table: PinTable) -> None:
        await table.tap(1)
        await table.play_edges(faults.bounce_on_release("column 4", table.now + 10, length=1700))
        await table.wait(5000)
        assert table.moves == "", "one take-back and nothing else"

    at_a_table(story)


@WIRINGS
@pytest.mark.parametrize("later", [0.0, 0.7, 1.9, 3.1])
@pytest.mark.parametrize("length", [0.5, 1, 1.9, 5, 15, 50])
def test_a_pulse_shorter_than_the_glitch_limit_is_nothing_g3(length: float, later: float, layout: Layout):
    """Field bug G3, on a board that has come to rest, with the pulse at any time of what it may do at intervals."""

    async def story(table: PinTable) -> None:
        await table.wait(1000 + later)
        await table.play_edges(faults.pulse("column 4", table.now + 10, length))
        await table.wait(3000)
        if length == 5 and layout is MATRIX:
            assert table.moves in ("", "d4"), "it looks twice, and may miss so short a pulse"
        else:
            assert table.moves == ("" if length < 2 else "d4")

    at_a_table(story, layout)


@pytest.mark.parametrize("length", [0.5, 1, 1.9])
@pytest.mark.parametrize("later", range(0, 64, 5))
def test_a_pulse_in_a_matrix_whose_bar_is_open_is_nothing_either_g3(length: float, later: float):
    """Field bug G3: an open bar makes a matrix look at its switches from time to time."""

    async def story(table: PinTable) -> None:
        await table.tap(4, 3)
        await table.slide(True)
        await table.wait(1000 + later)
        said = table.codes
        for number, pin in MATRIX.switches.items():
            if number != "bar":
                assert pin is not None
                await table.play_edges(faults.pulse(number, table.now + 10, length))
                await table.wait(300)
        assert table.moves == "d4 d3"
        assert table.codes == said

    at_a_table(story, MATRIX)


def test_noise_of_ten_milliseconds_is_nothing_with_a_longer_glitch_limit_g3_g11():
    """Field bugs G3 and G11: pulses that a lamp's switching makes on a long wire."""

    async def story(table: PinTable) -> None:
        for _ in range(5):
            await table.play_edges(faults.pulse("column 4", table.now + 10, 10))
            await table.wait(300)
        assert table.said == []
        await table.tap(4)
        assert table.moves == "d4"

    at_a_table(story, settings=Settings(glitch_ms=12))


@WIRINGS
@pytest.mark.parametrize("apart", [5, 20, 29])
def test_two_columns_within_thirty_milliseconds_are_a_slip_and_no_move(apart: float, layout: Layout):
    async def story(table: PinTable) -> None:
        await table.play_edges(faults.two_columns(3, 4, table.now + 10, apart=apart))
        await table.wait(3000)
        assert table.moves == ""
        assert table.codes == ["second-button"]
        await table.tap(3)
        assert table.moves == "d3"

    at_a_table(story, layout)


# Edges that are lost


@pytest.mark.parametrize("lost", ["press", "release"])
def test_an_edge_that_is_lost_is_found_by_reading_the_level_g2(lost: str):
    async def story(table: PinTable) -> None:
        table.wires.move("column 4", True, silently=lost == "press")
        await table.wait(100)
        table.wires.move("column 4", False, silently=lost == "release")
        await table.wait(12_000)
        await table.tap(5, 6)
        assert table.moves.endswith("d5 d6")
        assert table.moves in ("d4 d5 d6", "d5 d6"), "its own move may be lost with the edge, but nothing else"

    at_a_table(story)


def test_a_release_that_is_lost_within_the_lock_out_is_found_at_its_end_g2():
    async def story(table: PinTable) -> None:
        table.wires.move("column 4", True)
        await table.wait(10)
        table.wires.move("column 4", False, silently=True)
        await table.wait(500)
        assert table.moves == "d4"

    at_a_table(story)


def test_a_hold_whose_release_was_lost_takes_nothing_back_g9():
    async def story(table: PinTable) -> None:
        await table.tap(1)
        table.wires.move("column 4", True)
        await table.wait(1300)
        table.wires.move("column 4", False, silently=True)
        await table.wait(5000)
        assert table.moves == "d1 d4", "let go during the countdown, it is a drop and no take-back"

    at_a_table(story)


def test_a_bar_whose_edge_was_lost_in_an_idle_game_is_found_by_the_watch_g2():
    async def story(table: PinTable) -> None:
        await table.wait(60_000)
        table.wires.move("bar", True, silently=True)
        await table.wait(WATCH_MS + 200)
        assert table.table.controller.gesture.bar_open

    at_a_table(story)


# Buttons that stay down


@WIRINGS
@pytest.mark.parametrize("column", [1, 4])
def test_a_button_held_across_start_up_is_said_and_ignored_until_it_was_up_g13(column: int, layout: Layout):
    async def story(table: PinTable) -> None:
        await table.wait(15_000)
        assert table.said == [f'The switch "column {column}" is stuck: let go of it or free it.']
        await table.tap(5)
        assert table.moves == "d5", "the others play on"
        table.wires.move(f"column {column}", False)
        await table.wait(500)
        assert table.moves == "d5"
        await table.tap(column)
        assert table.moves == f"d5 d{column}"

    at_a_table(story, layout, held={f"column {column}": True})


def test_a_button_that_sticks_in_the_game_takes_back_once_and_then_the_others_play_on_g9():
    async def story(table: PinTable) -> None:
        await table.tap(1, 2, 3)
        table.wires.move("column 4", True)
        await table.wait(60_000)
        assert table.moves == "d1 d2"
        assert table.said[-1] == 'The switch "column 4" is stuck: let go of it or free it.'
        await table.tap(5)
        assert table.moves == "d1 d2 d5"

    at_a_table(story)


@WIRINGS
def test_a_chattering_button_is_muted_said_and_tried_again_and_the_others_play_on(layout: Layout):
    async def story(table: PinTable) -> None:
        await table.play_edges(faults.chattering("column 4", table.now + 10, seed=2))
        await table.wait(100)
        made = table.moves
        assert "switch-faulty" in table.codes
        await table.tap(5)
        assert table.moves == f"{made} d5".strip()
        await table.wait(6000)
        assert table.said[-1] == 'The switch "column 4" works again.'
        while table.moves:
            await table.tap(2, length=1700)
        await table.tap(4)
        assert table.moves == "d4"

    at_a_table(story, layout)


@WIRINGS
def test_a_restart_while_a_button_is_held_makes_no_move_of_it_g8_g13(layout: Layout, monkeypatch: pytest.MonkeyPatch):
    """Field bugs G8 and G13: the pins can be had again at once, and the button is stuck and not pressed."""
    monkeypatch.setattr(reopening, "FIRST_PAUSE_S", 0.001)

    async def story(table: PinTable) -> None:
        await table.tap(3)
        table.wires.move("column 4", True)
        await table.wait(100)
        table.boards[-1].close()
        await table.wait(500)
        assert len(table.boards) == 2
        table.wires.move("column 4", False)
        await table.wait(500)
        assert table.moves == "d3"
        await table.tap(4)
        assert table.moves == "d3 d4"

    at_a_table(story, layout)


def test_a_library_that_went_deaf_costs_no_game_and_is_opened_anew_g10(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reopening, "FIRST_PAUSE_S", 0.001)

    def deaf(pins: Pins) -> None:  # noqa: ARG001
        monkeypatch.undo()
        raise BoardLost(Message("It has stopped."))

    async def story(table: PinTable) -> None:
        await table.tap(3)
        monkeypatch.setattr(Pins, "check", deaf)
        await table.wait(WATCH_MS + 1000)
        assert table.said[-2:] == ["It has stopped.", "The board is back. The game goes on."]
        await table.tap(4)
        assert table.moves == "d3 d4"

    at_a_table(story)


# The bar


@WIRINGS
@pytest.mark.parametrize("opened", [True, False])
def test_a_bar_half_open_flutters_and_settles_without_a_move(opened: bool, layout: Layout):
    async def story(table: PinTable) -> None:
        await table.tap(4, 4)
        await table.play_edges(faults.half_open_bar(table.now + 10, opened=opened))
        await table.wait(1000)
        assert table.table.controller.gesture.bar_open == opened
        assert table.moves == "d4 d4"
        await table.tap(4)
        assert table.moves == ("d4 d4 p4" if opened else "d4 d4 d4")

    at_a_table(story, layout)


@WIRINGS
def test_a_bar_left_open_makes_every_tap_a_pop(layout: Layout):
    async def story(table: PinTable) -> None:
        await table.tap(4, 3)
        await table.slide(True)
        await table.tap(4, 5)
        assert table.codes[-1] == "nothing-to-pop"
        await table.slide(False)
        await table.tap(5)
        assert table.moves == "d4 d3 p4 d5"

    at_a_table(story, layout)


def test_a_bar_whose_switch_counts_the_other_way_round_is_closed_while_its_line_is_low():
    async def story(table: PinTable) -> None:
        assert not table.table.controller.gesture.bar_open
        await table.tap(4, 3)
        await table.slide(True)
        assert table.wires.wire(PI.switches["bar"]).state
        await table.tap(4)
        assert table.moves == "d4 d3 p4"

    at_a_table(story, replace(PI, inverted=frozenset({"bar"})))


# The clock


def test_a_tap_while_the_program_slept_is_as_long_as_it_was_g12():
    async def story(table: PinTable) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, TurnedLoop)
        await table.tap(4)
        table.wires.move("column 3", True)
        loop.turn(0.08)
        table.wires.move("column 3", False)
        loop.turn(3600)
        await table.wait(100)
        assert table.moves == "d4 d3", "a short press stays a short one"

    at_a_table(story)
