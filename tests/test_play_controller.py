"""The controller: hands, disk and time in; moves, refusals and light out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from popout.board.frame import DARK
from popout.board.switches import SwitchEvent
from popout.play.menu import Menu
from popout.play.modes import LampTesting, Playing, ShowingLastMove
from popout.record.journal import Entry, Kind
from popout.rules import RED, YELLOW, Drop, Game, Message, RuleSet
from popout_sim import faults
from tabletop import TableTop, with_beams, with_levers, with_two_rows

LOST = Message("The cable was pulled.")


# Saving


def test_what_is_pressed_while_the_last_move_is_being_saved_is_judged_afterwards_in_its_order_e3():
    table = TableTop()
    table.disk = "slow"
    table.tap(4, 4, 3)
    table.slide("open")
    table.tap(4)
    table.slide("closed")
    assert table.moves == ""
    assert table.controller.unsaved == Entry.move(Drop(4))
    while table.controller.unsaved:
        table.finish_saving()
    assert table.moves == "d4 d4 d3"
    assert table.said[-1] == "Column 4: the bottom disc is red's. You may pop only your own."


def test_a_finger_that_is_down_while_an_earlier_press_is_judged_still_makes_its_move_e3():
    table = TableTop()
    table.disk = "slow"
    table.tap(4, 5)
    table.press(6)
    table.wait(50)
    table.finish_saving()
    table.finish_saving()
    table.release(6)
    table.wait(50)
    table.finish_saving()
    assert table.moves == "d4 d5 d6"


def test_the_light_of_a_press_stays_until_its_move_is_on_disk():
    table = TableTop()
    table.disk = "slow"
    table.tap(4)
    table.wait(2000)
    assert DARK in table.lights(4, 1)
    assert table.lamps.columns[3] == 0xFF0000
    table.finish_saving()
    table.wait(1000)
    assert len(table.lights(4, 1)) == 1


def test_a_lever_is_answered_with_light_while_its_move_is_being_saved():
    table = TableTop(layout=with_levers())
    table.disk = "slow"
    table.tap(4)
    assert table.lamps.columns[3] == 0xFF0000


def test_a_move_that_cannot_be_saved_takes_what_was_pressed_after_it_along():
    table = TableTop()
    table.disk = "slow"
    table.tap(4, 5, 6)
    table.controller.save_failed(Message("The disk is full."), table.time)
    table.wait(1000)
    assert table.controller.unsaved is None
    assert table.moves == ""
    table.disk = "quick"
    table.tap(1)
    assert table.moves == "d1"


def test_a_fault_that_was_noticed_meanwhile_is_said_even_if_the_save_fails():
    table = TableTop()
    table.disk = "slow"
    table.tap(4)
    table.inject(faults.chattering("column 2", table.time + 10))
    table.wait(3000)
    table.controller.save_failed(Message("The disk is full."), table.time)
    table.wait(100)
    assert "switch-faulty" in table.codes


def test_nothing_is_timed_while_something_is_being_saved():
    table = TableTop(game=Game.start(RuleSet.parse("popout 7x6")).play(Drop(4)), layout=with_levers())
    assert isinstance(table.controller.mode, ShowingLastMove)
    table.disk = "slow"
    table.tap(3)
    table.wait(60_000)  # fails if it asked to be woken all the time
    table.finish_saving()
    assert table.moves == "d4 d3"


def test_an_order_lets_what_a_finger_had_begun_mean_nothing():
    table = TableTop()
    table.play("d4")
    table.press(3)
    table.wait(50)
    table.controller.take_back()
    table._settle()
    table.release(3)
    table.wait(500)
    assert table.moves == ""


def test_a_page_that_is_gone_takes_its_finger_along():
    table = TableTop()
    table.press(3)
    table.wait(50)
    table.controller.let_go()
    table.release(3)
    table.wait(500)
    assert table.moves == ""
    table.tap(3)
    assert table.moves == "d3"


# The board that goes away


def test_a_board_that_is_lost_invents_no_move_when_it_is_back():
    table = TableTop()
    table.play("d4")
    table.press(3)
    table.wait(50)
    table.controller.lost(LOST, table.time)
    assert table.controller.trouble == ("board-lost", LOST, table.time)
    table.wait(60_000)
    table.controller.found(table.board.levels(), table.time)
    table.wait(100)
    table.release(3)
    table.wait(1000)
    assert table.moves == "d4"
    assert table.said[-4:] == [
        "The cable was pulled.",
        "The board is back. The game goes on.",
        'The switch "column 3" is stuck: let go of it or free it.',
        'The switch "column 3" works again.',
    ]
    assert table.controller.trouble is None
    table.tap(3)
    assert table.moves == "d4 d3"


def test_a_bar_that_was_slid_while_the_board_was_away_is_where_it_stands():
    table = TableTop()
    table.controller.lost(LOST, table.time)
    table.act(do="bar", to="open")
    table.wait(100)
    table.controller.found(table.board.levels(), table.time)
    table.wait(100)
    assert table.controller.gesture.bar_open


def test_a_save_that_fails_while_the_board_is_away_leaves_both_troubles():
    table = TableTop()
    table.disk = "slow"
    table.tap(4)
    table.controller.lost(LOST, table.time)
    table.controller.save_failed(Message("The disk is full."), table.time)
    assert table.controller.trouble is not None
    assert table.controller.trouble[0] == "board-lost"
    table.controller.found(table.board.levels(), table.time)
    assert table.controller.trouble is not None
    assert table.controller.trouble[0] == "not-saved"


# Sides


def test_a_button_of_the_side_that_is_not_to_move_is_refused_and_named():
    table = TableTop(layout=with_two_rows())
    table.tap("yellow column 4")
    sentence = "That was a button of yellow's, whose turn it is not. Red to move."
    assert (table.moves, table.said, table.codes) == ("", [sentence], ["wrong-side"])
    table.tap(4)
    table.tap("yellow column 4")
    assert table.moves == "d4 d4"


def test_after_the_end_it_is_the_end_that_refuses_and_not_the_side():
    table = TableTop("popout 7x6 connect=2", layout=with_two_rows())
    for switch in ("column 1", "yellow column 2", "column 1", "column 3"):
        table.tap(switch)
    assert table.codes[-1] == "game-over"


# The menu


def choose(table: TableTop, *columns: int) -> None:
    table.tap("menu")
    table.tap(*columns)


def test_the_menu_begins_a_new_game_and_the_old_one_stays_in_the_record():
    table = TableTop("popout 9x7 connect=5")
    table.play("d4 d4")
    choose(table, 2)
    assert table.saved[-1] == Entry.new(RuleSet.parse("popout 9x7 connect=5"))
    assert table.moves == ""
    assert table.said[-1] == "A new game of Pop Out. Red to move."


def test_the_menu_changes_the_rules():
    table = TableTop("popout 9x7 connect=5")
    choose(table, 3, 1)
    assert table.game.rules == RuleSet.parse("standard 9x7 connect=5")


def test_the_menu_swaps_who_starts():
    table = TableTop("popout 9x6")
    choose(table, 6)
    assert table.game.turn is YELLOW
    choose(table, 6)
    assert table.game.turn is RED


def test_the_menu_takes_back():
    table = TableTop("popout 9x6")
    table.play("d4 d4")
    choose(table, 4)
    assert table.moves == "d4"


def test_the_menu_shows_the_last_move_for_a_while_e6():
    table = TableTop("popout 9x6")
    table.play("d4")
    choose(table, 5)
    assert isinstance(table.controller.mode, ShowingLastMove)
    table.wait(3000)
    assert table.controller.mode == Playing()


def test_the_menu_tests_the_lamps_until_a_button_is_pressed():
    table = TableTop("popout 9x6")
    choose(table, 7)
    assert isinstance(table.controller.mode, LampTesting)
    table.tap(4)
    assert table.moves == "d4"
    choose(table, 7)
    table.wait(60_000)
    assert table.controller.mode == Playing()


def test_the_menu_ends_the_game_by_agreement():
    table = TableTop("popout 9x6")
    table.play("d4")
    choose(table, 8)
    assert table.saved[-1] == Entry(Kind.DRAW)
    assert table.said[-1] == "Draw: the players agreed."


def test_the_menu_claims_a_draw():
    table = TableTop("popout 10x1 full-grid=claim connect=9")
    table.play("d1 d2 d3 d4 d5 d6 d7 d8 d9 d10")
    choose(table, 9)
    assert table.said[-1] == "Draw: claimed on a full grid (rule full-grid=claim)."


def test_a_dark_column_of_the_menu_offers_nothing_and_the_menu_stays():
    table = TableTop("popout 9x6")
    choose(table, 4)
    assert table.said == ["This column offers nothing. Tap a lit one."]
    assert isinstance(table.controller.mode, Menu)
    table.tap(1)
    assert table.controller.mode == Playing()
    assert table.moves == ""


def test_the_menu_is_left_by_its_button_by_a_hold_and_by_waiting():
    for leave in (lambda each: each.tap("menu"), lambda each: each.hold(5), lambda each: each.wait(20_000)):
        table = TableTop("popout 9x6")
        table.play("d4")
        table.tap("menu")
        assert isinstance(table.controller.mode, Menu)
        leave(table)
        assert table.controller.mode == Playing()
        assert table.moves == "d4"


def test_touching_the_menu_keeps_it_open():
    table = TableTop()
    table.tap("menu")
    for _ in range(4):
        table.wait(15_000)
        table.tap(7)
    assert isinstance(table.controller.mode, Menu)


def test_what_the_menu_cannot_do_is_refused_with_its_reason():
    table = TableTop("popout 9x6")
    table.play("d4")
    table.tap("menu")
    table.controller.take_back()  # from a page, meanwhile
    table._settle()
    assert table.controller.mode == Playing()


# Beams


def test_a_disc_and_a_press_of_it_are_one_move_whichever_comes_first():
    table = TableTop(layout=with_beams())
    table.act(do="careful", on=False)
    table.act(do="drop", column=4, disc="X")
    table.wait(500)
    assert table.moves == "d4"
    table.tap(4)
    assert table.moves == "d4"
    table.wait(3000)
    table.tap(5)
    table.act(do="drop", column=5, disc="O")
    table.wait(5000)
    assert table.moves == "d4 d5"
    assert table.controller.correction is None


def test_a_disc_that_falls_while_its_button_is_down_is_one_move():
    table = TableTop(layout=with_beams())
    table.act(do="careful", on=False)
    table.press(4)
    table.wait(100)
    table.act(do="drop", column=4, disc="X")
    table.wait(100)
    assert table.moves == "d4"
    table.wait(5000)
    table.release(4)
    table.wait(5000)
    assert table.moves == "d4", "no second move, and no take-back by the finger that rests there"


def test_a_disc_that_falls_while_its_button_is_down_is_one_move_on_a_slow_disk_too_e3():
    table = TableTop(layout=with_beams())
    table.act(do="careful", on=False)
    table.disk = "slow"
    table.tap(1)
    table.act(do="drop", column=1, disc="X")
    table.wait(500)
    table.press(4)
    table.wait(100)
    table.act(do="drop", column=4, disc="O")
    table.wait(100)
    table.release(4)
    table.wait(100)
    table.finish_saving()
    table.finish_saving()
    assert table.controller.unsaved is None
    assert table.moves == "d1 d4"


def test_the_other_side_s_press_of_the_same_column_is_its_own_move():
    layout = replace(with_beams(), switches={**with_beams().switches, **with_two_rows().switches})
    table = TableTop(layout=layout)
    table.act(do="careful", on=False)
    table.act(do="drop", column=4, disc="X")
    table.wait(500)
    table.tap("yellow column 4")
    assert table.moves == "d4 d4"


def test_a_disc_is_judged_with_the_bar_as_it_was_when_it_fell():
    table = TableTop(layout=with_beams())
    table.play("d4 d3")
    table.wait(1000)
    table.act(do="careful", on=False)
    table.disk = "slow"
    table.tap(1)
    table.act(do="drop", column=1, disc="X")
    table.wait(600)
    table.slide("open")
    table.act(do="pop", column=3)
    table.wait(300)
    table.slide("closed")
    table.finish_saving()
    table.finish_saving()
    assert table.moves == "d4 d3 d1 p3"
    assert table.controller.correction is None


def test_a_press_that_could_not_be_saved_waits_for_no_disc():
    table = TableTop(layout=with_beams())
    table.act(do="careful", on=False)
    table.disk = "full"
    table.tap(4)
    table.wait(5000)
    assert table.codes == ["not-saved"]
    table.disk = "quick"
    table.act(do="drop", column=4, disc="X")
    table.wait(500)
    assert table.moves == "d4"


def test_two_discs_that_are_overdue_together_do_not_keep_it_awake_when_one_has_left_the_game():
    table = TableTop("popout 7x6", layout=with_beams())
    table.act(do="careful", on=False)
    for moves in ("d4", "d3", "p4"):  # red's disc in column 4 was never there, and nobody has to put it there now
        table.play(moves)
    table.time += 60_000
    table.controller.tick(table.time, table.board.levels())
    due = table.controller.due(table.time)
    assert due is None or due > table.time
    assert table.said[-1].startswith("Column 3 was pressed, but no disc was seen.")


# Time


def test_a_recorded_game_goes_on_and_says_so_e10():
    table = TableTop(game=Game.start(RuleSet.parse("popout 7x6")).play(Drop(4)))
    assert table.said == ["The last game goes on."]


def test_a_game_that_has_not_begun_says_nothing():
    assert TableTop().said == []


def test_an_idle_game_is_woken_less_than_once_a_second():
    table = TableTop()
    table.play("d4 d4 d3")
    table.wait(5000)
    wakes = 0
    start = table.time
    while (due := table.controller.due(table.time)) is not None and due < start + 60_000:
        wakes += 1
        table.time = due
        table.controller.tick(due, table.board.levels())
    assert wakes <= 60


def test_a_finished_board_of_red_only_lets_the_processor_sleep():
    table = TableTop("popout 7x6 connect=7")
    assert table.controller.due(table.time) is None


@pytest.mark.parametrize("late", [0, 100, 5000, 600_000])
def test_a_tick_that_comes_late_finds_what_has_come_about(late: float):
    table = TableTop()
    table.play("d4")
    table.press(3)
    table.time += 1600 + late
    table.controller.tick(table.time, table.board.levels())
    assert table.controller.unsaved == Entry.take_back()


def test_edges_of_switches_that_are_not_there_mean_nothing():
    table = TableTop()
    table.controller.edge(SwitchEvent("column 99", True, table.time))
    table.wait(1000)
    assert table.said == []
