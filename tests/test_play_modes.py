"""What the board is used for, as the scene that its lamps are computed from."""

from __future__ import annotations

import pytest

from popout.play import scene
from popout.play.controller import SHOWING_LAST_MS
from popout.play.modes import holding, landing_row, pressed_move, scene_of
from popout.rules import RED, YELLOW, Drop, Game, Pop, Position, RuleSet, parse_position
from tabletop import TableTop, with_two_rows


def of(table: TableTop) -> scene.Scene:
    return scene_of(table.controller)


def test_a_game_that_waits_shows_what_may_be_done():
    table = TableTop()
    table.play("d4 d4")
    shown = of(table)
    assert shown.mode == scene.Waiting()
    assert (shown.grid, shown.rows, shown.turn) == (("", "", "", "XO", "", "", ""), 6, RED)
    assert shown.last == ((4, 2),)
    assert shown.legal_drops == (1, 2, 3, 4, 5, 6, 7)
    assert shown.legal_pops == (4,)
    assert not shown.bar_open


def test_a_press_shows_where_the_disc_will_land():
    table = TableTop()
    table.play("d4")
    table.press(4)
    table.wait(50)
    assert of(table).mode == scene.Pressing(4, False, YELLOW, 2, table.time - 50)
    assert pressed_move(table.controller) == Drop(4)


def test_a_press_with_the_bar_open_shows_the_pop():
    table = TableTop()
    table.play("d4 d4")
    table.slide("open")
    table.press(4)
    table.wait(50)
    assert of(table).mode == scene.Pressing(4, True, RED, None, table.time - 50)
    assert pressed_move(table.controller) == Pop(4)
    assert of(table).bar_open


@pytest.mark.parametrize("bar", ["open", "closed"])
def test_a_press_that_will_be_refused_shows_no_move(bar: str):
    table = TableTop("popout 2x2 connect=2")
    table.play("d1 d1")
    table.slide(bar)
    table.press(1 if bar == "closed" else 2)
    table.wait(50)
    mode = of(table).mode
    assert isinstance(mode, scene.Pressing)
    assert (mode.pop, mode.landing_row) == (False, None)
    assert pressed_move(table.controller) is None


def test_a_press_of_the_side_that_is_not_to_move_shows_no_move():
    table = TableTop(layout=with_two_rows())
    table.press("yellow column 4")
    table.wait(50)
    mode = of(table).mode
    assert isinstance(mode, scene.Pressing)
    assert mode.landing_row is None


def test_a_hold_counts_down():
    table = TableTop()
    table.press(4)
    began = table.time
    table.wait(700)
    assert holding(table.controller) == ((4,), began + 600, began + 1500)
    assert of(table).mode == scene.CountingDown((4,), began + 600, began + 1500)


def test_both_outermost_columns_count_down_to_the_menu():
    table = TableTop()
    table.press(7)
    table.wait(30)
    table.press(1)
    began = table.time
    table.wait(100)
    assert of(table).mode == scene.CountingDown((1, 7), began, began + 1500)
    assert table.controller.press is None, "nothing will be dropped"


def test_a_pop_that_lines_up_both_sides_shows_the_lines_of_both():
    position = parse_position("XOXO/OXO/OXO// X", RuleSet.parse("popout 5x4 connect=3"))
    table = TableTop("popout 5x4 connect=3", game=Game.from_position(position))
    table.pop(1)
    mode = of(table).mode
    assert isinstance(mode, scene.Won)
    assert mode.winner is RED
    assert mode.lines == (((1, 2), (2, 2), (3, 2)),)
    assert mode.other_lines == (((1, 1), (2, 1), (3, 1)), ((1, 3), (2, 3), (3, 3)))


def test_the_end_is_shown_since_it_came():
    table = TableTop("popout 7x6 connect=2")
    table.play("d1 d2 d1")
    mode = of(table).mode
    assert isinstance(mode, scene.Won)
    assert (mode.winner, mode.lines, mode.other_lines) == (RED, (((1, 1), (1, 2)),), ())
    assert mode.since == table.controller.ended_at
    assert of(table).turn is None


def test_a_draw_is_shown_since_it_came():
    table = TableTop("standard 2x1 connect=2")
    table.play("d1 d2")
    assert of(table).mode == scene.Drawn(table.controller.ended_at)


def test_the_last_move_is_shown_when_the_game_goes_on_after_a_start():
    table = TableTop(game=Game.start(RuleSet.parse("popout 7x6")).play(Drop(4)))
    assert of(table).mode == scene.ShowingLast(((4, 1),), 1000)
    table.wait(SHOWING_LAST_MS + 50)
    assert of(table).mode == scene.MenuShown((1, 2))
    table.tap(1)
    assert of(table).mode == scene.Waiting()


def test_a_correction_shows_its_first_step():
    table = TableTop()
    table.play("d4")
    table.controller.correct(("", "", "", "", "X", "", ""), table.time)
    assert of(table).mode == scene.Correcting((4, 1), RED, table.time)


def test_the_menu_lies_over_everything():
    table = TableTop("popout 7x6 connect=2")
    table.play("d1 d2 d1")
    table.tap("menu")
    assert isinstance(of(table).mode, scene.MenuShown)


def test_trouble_is_shown_over_any_picture():
    table = TableTop()
    assert of(table).trouble_since is None
    table.disk = "full"
    table.tap(4)
    assert of(table).trouble_since == table.controller.notices.since(0)[-1].time


def test_where_a_disc_would_land():
    position = Position.start(RuleSet.parse("popout 2x2 connect=2")).drop(1).drop(1)
    assert landing_row(position, 2) == 1
    assert landing_row(position, 1) is None
