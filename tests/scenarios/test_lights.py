"""Every light of the board, as the lamps of the twin show it."""

from __future__ import annotations

from dataclasses import replace

from popout.board.frame import DARK, Colour, Frame
from popout.board.layout import Layout
from popout.board.power import milliamps
from popout.play.modes import LampTesting
from popout.play.palette import COLOURS, DIM, FAINT, LAST, VIOLET, WHITE, scaled
from popout.play.settings import Settings
from popout.rules import RED, YELLOW, Game, RuleSet, parse_position
from stories import game_of
from tabletop import TableTop

RED_LIGHT = COLOURS["classic"][RED]
YELLOW_LIGHT = COLOURS["classic"][YELLOW]


def light(table: TableTop, column: int, row: int) -> Colour:
    return table.lamps.cells[column - 1][row - 1]


def calm(table: TableTop) -> TableTop:
    """Let flashes end, and yellow's dark moment."""
    table.wait(2000)
    while table.time % 4000 < 400:
        table.wait(40)
    return table


def turn_lights(table: TableTop) -> list[tuple[Colour, Colour]]:
    """What the turn lamps show within five seconds."""
    shown = []
    for _ in range(63):
        table.wait(80)
        shown.append(table.lamps.turns)
    return shown


def won() -> TableTop:
    table = TableTop("popout 5x4 connect=3")
    table.play("d1 d1 d2 d2 d3")
    return table


def test_waiting_each_disc_is_dim_the_last_move_brighter_and_the_side_to_move_is_lit():
    table = TableTop()
    table.play("d4 d4 d3")
    calm(table)
    assert light(table, 4, 1) == scaled(RED_LIGHT, DIM)
    assert light(table, 4, 2) == scaled(YELLOW_LIGHT, DIM)
    assert light(table, 3, 1) == scaled(RED_LIGHT, LAST)
    assert light(table, 1, 1) == DARK
    assert table.lamps.turns == (DARK, YELLOW_LIGHT)


def test_waiting_the_legal_columns_are_dim_and_with_the_bar_open_those_that_may_be_popped():
    table = TableTop("popout 3x2 connect=3")
    table.play("d1 d1 d3 d2")
    assert table.lit_columns == [2, 3]
    table.slide("open")
    assert table.lit_columns == [1, 3]
    table.slide("half")
    assert table.lit_columns == [1, 3], "half open the contact has not moved yet"
    table.slide("closed")
    assert table.lit_columns == [2, 3]


def test_a_press_blinks_where_the_disc_will_land_and_its_column_is_bright():
    table = TableTop()
    table.play("d4")
    calm(table)
    table.press(4)
    table.wait(40)
    assert table.lamps.columns[3] == YELLOW_LIGHT
    assert set(table.lights(4, 2, length=500)) == {DARK, YELLOW_LIGHT}


def test_a_press_with_the_bar_open_shows_the_column_as_it_will_be():
    table = TableTop()
    table.play("d4 d4 d3 d3")
    table.slide("open")
    calm(table)
    table.press(4)
    table.wait(40)
    assert light(table, 4, 1) == scaled(YELLOW_LIGHT, LAST)
    assert light(table, 4, 2) == DARK


def test_what_is_committed_flashes_once_and_the_turn_passes():
    table = TableTop()
    table.press(4)
    table.wait(400)
    table.release(4)
    shown = table.lights(4, 1)
    assert shown[-2:] == [RED_LIGHT, scaled(RED_LIGHT, LAST)]
    assert table.turn_lamp is YELLOW


def test_the_turn_passes_only_with_what_is_on_disk_e9():
    table = TableTop()
    table.disk = "slow"
    table.tap(4)
    assert table.turn_lamp is RED
    table.finish_saving()
    assert table.turn_lamp is YELLOW


def test_what_is_refused_flashes_white_three_times_where_it_is_and_the_turn_stays_e5():
    table = TableTop("popout 7x2 connect=4")
    table.play("d4 d4")
    calm(table)
    table.press(4)
    table.wait(100)
    table.release(4)
    table.wait(2)
    assert table.lights(4, 2).count(WHITE) == 3
    assert table.turn_lamp is RED
    table.slide("open")
    table.press(3)
    table.wait(100)
    table.release(3)
    table.wait(2)
    assert table.lights(3, 1).count(WHITE) == 3, "a pop is refused at the bottom"


def test_the_lamp_of_a_column_flashes_with_its_refusal():
    table = TableTop()
    table.slide("open")
    table.press(3)
    table.wait(100)
    table.release(3)
    table.wait(2)
    assert table.lights(3).count(WHITE) == 3


def test_a_win_pulses_every_cell_of_the_line_and_the_winner_s_turn_lamp():
    table = won()
    assert len(set(table.lights(2, 1, length=1300))) > 5
    assert light(table, 1, 2) == scaled(YELLOW_LIGHT, FAINT)
    assert table.lit_columns == []
    turns = turn_lights(table)
    assert len({red for red, _ in turns}) > 5
    assert {yellow for _, yellow in turns} == {DARK}


def test_a_pop_that_made_lines_for_both_pulses_the_winner_s_and_shows_the_other_s_dim():
    position = parse_position("XOXO/OXO/OXO// X", RuleSet.parse("popout 5x4 connect=3"))
    table = TableTop("popout 5x4 connect=3", game=Game.from_position(position))
    table.pop(1)
    calm(table)
    assert light(table, 1, 1) == light(table, 3, 3) == scaled(YELLOW_LIGHT, DIM)
    assert len(set(table.lights(2, 2, length=1300))) > 5


def test_a_draw_breathes_with_all_discs_and_both_turn_lamps():
    table = TableTop("standard 2x1 connect=2")
    table.play("d1 d2")
    assert len(set(table.lights(1, 1, length=4000))) > 10
    turns = turn_lights(table)
    assert len({red for red, _ in turns}) > 10
    assert len({yellow for _, yellow in turns}) > 10
    assert table.lit_columns == []


def test_a_save_that_failed_freezes_the_picture_and_one_corner_blinks_violet():
    table = TableTop()
    table.play("d4")
    calm(table)
    table.disk = "full"
    table.tap(3)
    table.wait(1000)
    assert set(table.lights(1, 6, length=1500)) == {DARK, VIOLET}
    assert light(table, 4, 1) == scaled(RED_LIGHT, LAST), "the last picture"
    assert light(table, 3, 1) == DARK
    table.disk = "quick"
    table.tap(3)
    calm(table)
    assert light(table, 1, 6) == DARK
    assert table.moves == "d4 d3"


def test_a_correction_blinks_what_should_be_there_one_cell_at_a_time():
    table = TableTop()
    table.play("d4 d3")
    table.controller.correct(("", "", "", "", "", "", "O"), table.time)
    table.wait(10)
    assert set(table.lights(3, 1)) == {DARK, YELLOW_LIGHT}
    assert DARK in table.lights(3)
    assert set(table.lights(4, 1)) == {scaled(RED_LIGHT, DIM)}, "its turn comes later"
    table.tap(3)
    assert set(table.lights(4, 1)) == {DARK, RED_LIGHT}
    table.tap(4)
    assert set(table.lights(7, 1)) == {DARK, WHITE}, "what should not be there blinks white"
    table.tap(7)
    assert table.said[-1] == "The board is right again."


def test_a_hold_is_counted_down_by_the_column():
    table = TableTop()
    table.play("d4")
    calm(table)
    table.press(2)
    table.wait(650)
    heights = []
    for _ in range(20):
        heights.append(sum(lamp != DARK for lamp in table.lamps.cells[1]))
        table.wait(40)
    assert heights[0] == 6
    assert sorted(heights, reverse=True) == heights
    assert len(set(heights)) >= 5


def test_yellow_has_a_dark_moment_and_red_has_none():
    table = TableTop()
    table.play("d4 d4")
    table.wait(2000)
    assert DARK in table.lights(4, 2, length=4000)
    assert DARK not in table.lights(4, 1, length=4000)


def test_the_palettes_differ():
    for palette in ("classic", "colour-blind", "mono"):
        table = TableTop(settings=Settings(palette=palette))
        table.tap(4)
        calm(table)
        assert light(table, 4, 1) == scaled(COLOURS[palette][RED], LAST)


def test_a_frame_over_the_supply_is_scaled_down():
    layout = Layout.load("7x6-pi")
    table = TableTop(layout=layout)
    table.controller.overlay = LampTesting(table.time)
    for _ in range(30):
        table.wait(200)
        assert milliamps(table.lamps, layout) <= layout.milliamps


def test_frames_change_at_most_thirty_times_a_second():
    table = won()
    changes, last = 0, table.lamps
    for _ in range(1000):
        table.wait(1)
        if table.lamps != last:
            changes, last = changes + 1, table.lamps
    assert 5 < changes <= 30


def test_a_board_without_lamps_is_played_all_the_same():
    table = TableTop(layout=replace(Layout.plain(7, 6), chain=None))
    table.play("d4 d4 p4")
    assert table.moves == "d4 d4 p4"
    assert table.lamps == Frame.dark(7, 6)


def test_the_last_committed_move_is_shown_after_a_start():
    table = TableTop(game=game_of("popout 7x6", "d4 d3"))
    assert DARK in table.lights(3, 1)
    assert YELLOW_LIGHT in table.lights(3, 1)
    table.wait(3000)
    table.tap(1)  # yes, go on
    assert table.turn_lamp is RED
