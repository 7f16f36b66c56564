"""A press belongs to what the board was doing when it began; where that changes under the finger, it means nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from popout.board.switches import drop_sensor, pop_sensor
from popout.play.menu import Menu
from popout.play.modes import Playing
from popout.play.telling import Telling
from popout.rules import Drop, Game, PowerDisc, RuleSet, parse_move
from popout_sim.contacts import Contacts
from tabletop import TableTop, with_beams, with_levers, with_two_rows


def playing(moves: str = "d4", rules: str = "popout 7x6", **options: object) -> TableTop:
    game = Game.start(RuleSet.parse(rules))
    for word in moves.split():
        game = game.play(parse_move(word))
    table = TableTop(rules, game=game, **options)
    table.wait(3500)
    return table


def beam(table: TableTop, switch: str) -> None:
    """A disc goes by."""
    table.inject(Contacts().press(switch, table.time, 80))
    table.wait(600)


def test_a_finger_on_an_entry_keeps_the_menu_open():
    table = playing()
    assert isinstance(table.controller.mode, Menu)
    table.wait(19_400)
    table.press(4)
    table.wait(500)
    table.release(4)
    table.wait(19_000)
    assert isinstance(table.controller.mode, Menu)
    assert table.moves == "d4"


@pytest.mark.parametrize("column", [1, 2, 4])
def test_a_finger_that_outstays_the_question_makes_no_move(column: int):
    table = playing()
    table.press(column)
    table.wait(1)  # it is not even certain yet that this is no glitch
    table.controller.toggle_menu(table.time)  # a page leaves it
    table._settle()
    table.wait(200)
    table.release(column)
    table.wait(200)
    assert (table.moves, table.controller.mode) == ("d4", Playing())


def test_a_page_that_opens_the_menu_under_a_finger_begins_no_new_game():
    table = TableTop()
    table.play("d4")
    table.press(2)
    table.wait(200)
    table.controller.toggle_menu(table.time)
    table._settle()
    table.release(2)
    table.wait(200)
    assert table.moves == "d4"
    assert isinstance(table.controller.mode, Menu)


def test_a_page_that_says_repaired_during_the_tap_of_a_step_makes_no_move_of_it():
    table = TableTop()
    table.play("d4 d4")
    table.controller.correct(("", "", "", "X", "", "", ""), table.time)
    table.press(4)
    table.wait(100)
    table.controller.repaired(table.time)
    table._settle()
    table.release(4)
    table.wait(200)
    assert table.moves == "d4 d4"


def test_a_finger_that_was_down_before_the_question_answers_no_step_of_a_correction():
    table = TableTop()
    table.play("d4 d4 d5")
    table.press(5)
    table.wait(100)
    table.controller.correct(("", "", "X", "XO", "X", "", ""), table.time)
    table._settle()
    table.release(5)
    table.wait(200)
    assert table.controller.correction


def test_a_surprise_of_a_beam_is_not_answered_by_the_finger_that_was_down_already():
    table = TableTop(layout=with_beams())
    table.play("d4")
    table.act(do="careful", on=False)
    table.press(4)
    table.wait(100)
    beam(table, pop_sensor(4))
    table.release(4)
    table.wait(200)
    assert table.controller.correction


def test_a_question_about_a_missing_disc_is_not_answered_by_the_finger_that_was_down_already():
    table = TableTop(layout=with_beams())
    table.act(do="careful", on=False)
    table.tap(4)
    table.wait(2650)
    table.press(4)
    table.wait(400)
    table.release(4)
    table.wait(200)
    assert table.controller.correction
    assert table.moves == "d4"


def test_a_finger_keeps_what_was_told_from_being_forgotten():
    table = TableTop("popout 10x6")
    table.tap("menu", 10, 1)
    table.wait(119_000)
    table.press(3)
    table.wait(500)
    table.wait(400)
    table.release(3)
    table.wait(200)
    assert isinstance(table.controller.mode, Telling)
    assert table.moves == ""


def test_a_move_from_elsewhere_is_refused_while_hands_say_what_is_on_the_board():
    table = TableTop("popout 10x6")
    table.tap("menu", 10, 1, 3)
    with pytest.raises(ValueError, match="Somebody at the board is saying what is on it"):
        table.controller.play(Drop(1))
    assert table.controller.telling


# Discs and the presses that belong to them


@pytest.mark.parametrize(("disc", "word"), [(PowerDisc.DOUBLE, "x4"), (PowerDisc.WALL, "w4")])
def test_the_press_that_follows_a_disc_is_no_second_move_where_the_same_side_goes_on(disc: PowerDisc, word: str):
    layout = with_beams()
    layout = replace(layout, switches={**layout.switches, **with_two_rows().switches})
    table = TableTop("power 7x6", layout=layout)
    table.act(do="careful", on=False)
    table.controller.arm(disc)
    beam(table, drop_sensor(4))
    table.wait(400)
    table.tap(4)
    assert table.moves == word


def test_a_disc_that_is_lifted_out_long_after_its_take_back_is_no_move():
    table = TableTop(layout=with_beams())
    table.act(do="careful", on=False)
    table.tap(4)
    beam(table, drop_sensor(4))
    table.hold(4)
    table.wait(20_000)
    beam(table, drop_sensor(4))
    assert table.moves == ""
    beam(table, drop_sensor(4))
    assert table.moves == "d4"


def test_where_the_discs_follow_by_themselves_the_next_lever_is_a_move():
    table = TableTop(layout=with_levers())
    table.controller.discs_follow = True
    table.controller.play(Drop(4))
    table._settle()
    table.tap(4)
    assert table.moves == "d4 d4"


def test_a_disc_that_goes_in_is_not_taken_for_one_that_came_out():
    table = TableTop(layout=with_levers())
    table.tap(1)
    table.wait(300)
    table.tap(1)
    table.wait(300)
    table.act(do="careful", on=False)
    table.controller.play(parse_move("p1"))
    table._settle()
    table.tap(1)
    assert table.moves == "d1 d1 p1 d1"


def test_a_disc_that_follows_on_a_board_with_levers_is_said():
    table = TableTop(layout=with_levers())
    table.act(do="careful", on=False)
    table.controller.play(Drop(4))
    table._settle()
    table.act(do="drop", column=4, disc="X")
    table.wait(500)
    assert table.moves == "d4"
    assert table.said[-1] == "That disc's move has been made already."


def test_after_a_start_a_disc_that_trips_a_lever_answers_no_question():
    table = playing(layout=with_levers())
    assert table.said == ["The last game goes on. The menu begins a new one."]
    assert table.controller.mode == Playing()
    table.act(do="careful", on=False)
    table.act(do="drop", column=2, disc="O")
    table.wait(500)
    assert table.moves == "d4 d2"
