"""What goes wrong with discs, on levers, two rows and beams: through the driver, from the wire to the game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpio_pins import PI, PinTable, at_a_table, with_beams, with_two_rows
from popout.board.layout import Layout
from popout_sim import faults

LEVERS = replace(PI, actuation="disc")
BEAMS = [with_beams(), with_beams(LEVERS)]
EITHER = pytest.mark.parametrize("layout", BEAMS, ids=["buttons", "levers"])


async def falls(table: PinTable, *columns: int) -> None:
    """Discs go past the beams of their columns, and past the levers if there are any, one after the other."""
    for column in columns:
        edges = faults.pulse(f"drop sensor {column}", table.now + 40, 80)
        if table.wires.layout.actuation == "disc":
            edges += faults.pulse(f"column {column}", table.now + 10, 80)
        await table.play_edges(sorted(edges, key=lambda edge: edge.time))
        await table.wait(700)


async def leaves(table: PinTable, *columns: int) -> None:
    """Discs go out at the bottom of their columns, one after the other."""
    for column in columns:
        await table.play_edges(faults.pulse(f"pop sensor {column}", table.now + 10, 40))
        await table.wait(700)


def stopped(table: PinTable) -> bool:
    """Whether the game waits until the board is as it should be."""
    return table.table.controller.correction is not None


def test_a_disc_that_wobbles_past_its_lever_is_one_move_g14():
    async def story(table: PinTable) -> None:
        await table.play_edges(faults.double_edge(4, table.now + 10))
        await table.wait(3000)
        assert table.moves == "d4"

    at_a_table(story, LEVERS)


def test_a_disc_put_in_half_is_one_move_that_is_taken_back_where_nothing_can_tell_e17():
    async def story(table: PinTable) -> None:
        await table.play_edges(faults.half_inserted(4, table.now + 10))
        await table.wait(5000)
        assert table.moves == "d4"
        await table.tap("take back")
        assert table.moves == ""

    at_a_table(story, LEVERS)


def test_each_side_has_its_own_row_of_buttons_and_a_press_out_of_turn_is_named():
    async def story(table: PinTable) -> None:
        await table.tap("yellow column 4")
        assert table.moves == ""
        assert table.codes[-1] == "wrong-side"
        await table.tap("column 4", "yellow column 3")
        assert table.moves == "d4 d3"

    at_a_table(story, with_two_rows())


def test_a_disc_past_its_beam_is_a_drop_without_a_press_and_counted_once_g14():
    async def story(table: PinTable) -> None:
        for column in (4, 3):
            edges = faults.pulse(f"drop sensor {column}", table.now + 10, 40)
            await table.play_edges([*edges, *faults.pulse(f"drop sensor {column}", table.now + 70, 30)])
            await table.wait(5000)
        assert table.moves == "d4 d3"

    at_a_table(story, with_beams(LEVERS))


# Discs that the beams see


@EITHER
def test_a_disc_that_leaves_while_the_bar_is_closed_stops_the_game_and_is_put_back(layout: Layout):
    async def story(table: PinTable) -> None:
        await falls(table, 4, 3)
        await leaves(table, 4)
        assert table.moves == "d4 d3"
        assert table.said[-1] == (
            "A disc left column 4 while the bar was closed. Put a red disc into column 4 (row 1), then press its "
            "button."
        )
        assert stopped(table)
        await falls(table, 4)
        assert not stopped(table)
        await falls(table, 5)
        assert table.moves == "d4 d3 d5"

    at_a_table(story, layout)


@EITHER
def test_of_two_discs_on_one_pop_the_first_is_the_move_and_the_second_stops_the_game(layout: Layout):
    async def story(table: PinTable) -> None:
        await falls(table, 4, 4, 3, 5)
        await table.slide(True)
        await leaves(table, 4, 4)
        assert table.moves == "d4 d4 d3 d5 p4"
        assert table.said[-1] == (
            "A second disc has fallen out of column 4. A turn pops one: close the bar after it. Put a yellow disc into "
            "column 4 (row 1), then press its button."
        )
        assert stopped(table)
        await table.slide(False)
        await falls(table, 4)
        assert not stopped(table)

    at_a_table(story, layout)


@EITHER
def test_a_disc_into_a_finished_game_is_no_move_and_is_shown(layout: Layout):
    async def story(table: PinTable) -> None:
        await falls(table, 4, 3, 4, 3, 4, 3, 4)
        await falls(table, 5)
        assert table.moves == "d4 d3 d4 d3 d4 d3 d4"
        assert table.said[-1] == (
            "The game is over. Start a new game to play on. Take the top disc (row 1) out of column 5, then press its "
            "button."
        )
        assert stopped(table)

    at_a_table(story, layout)


def test_a_press_whose_disc_does_not_come_within_three_seconds_is_asked_about():
    async def story(table: PinTable) -> None:
        await table.tap(4)
        await falls(table, 4)
        await table.wait(5000)
        assert table.codes == ["moved"]
        await table.tap(3)
        await table.wait(2500)
        assert table.codes == ["moved", "moved"]
        await table.wait(1000)
        assert table.codes == ["moved", "moved", "no-disc-seen"]
        assert table.said[-1] == (
            "Column 3 was pressed, but no disc was seen. Put a yellow disc into column 3 (row 1), then press its "
            "button. Or take the move back."
        )
        await falls(table, 3)
        assert table.moves == "d4 d3"

    at_a_table(story, BEAMS[0])


def test_a_disc_that_is_put_in_half_and_pulled_back_is_asked_about_where_a_beam_can_tell_e17():
    async def story(table: PinTable) -> None:
        await table.play_edges(faults.half_inserted(4, table.now + 10))
        await table.wait(5000)
        assert table.codes == ["moved", "no-disc-seen"]
        await table.tap("take back")
        assert table.moves == ""
        await falls(table, 4)
        assert table.moves == "d4"
        assert not stopped(table)

    at_a_table(story, BEAMS[1])


@EITHER
def test_the_whole_tray_emptied_in_mid_game_stops_it_and_everything_is_put_back(layout: Layout):
    async def story(table: PinTable) -> None:
        await falls(table, 4, 3, 5)
        await table.wait(3000)
        await leaves(table, 3, 4, 5)
        await table.wait(3000)
        assert table.moves == "d4 d3 d5"
        correction = table.table.controller.correction
        assert correction is not None
        assert correction.there == ("",) * 7
        await falls(table, 3, 4, 5)
        assert not stopped(table)
        await falls(table, 2)
        assert table.moves == "d4 d3 d5 d2"

    at_a_table(story, layout)
