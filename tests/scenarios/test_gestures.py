"""Every gesture of the hands, through the switches of the twin."""

from __future__ import annotations

import pytest

from popout.play.menu import Menu
from popout.record.journal import Entry
from popout.rules import Drop, Game, RuleSet, parse_move
from popout_sim.contacts import LIGHT, WORN
from tabletop import TableTop, with_levers


def test_tapping_a_column_with_the_bar_closed_drops_a_disc_in_it():
    table = TableTop()
    table.tap(4)
    assert table.moves == "d4"
    assert table.board.twin.grid == ("", "", "", "X", "", "", "")


def test_tapping_a_column_with_the_bar_open_pops_the_disc_at_its_bottom():
    table = TableTop()
    table.tap(4, 4)
    table.slide("open")
    table.tap(4)
    assert table.moves == "d4 d4 p4"
    assert table.board.twin.grid == ("", "", "", "O", "", "", "")
    assert table.board.twin.fallen == ["X"]


def test_holding_a_column_takes_back_the_last_move_and_drops_nothing():
    table = TableTop()
    table.play("d4 d3")
    table.hold(6, 1500)
    assert table.moves == "d4"
    assert table.board.twin.grid == ("", "", "", "X", "", "", "")


def test_holding_both_outermost_columns_opens_the_menu_and_nothing_else():
    table = TableTop()
    table.play("d4")
    table.press(7)
    table.wait(40)
    table.press(1)
    table.wait(1500)
    assert isinstance(table.controller.mode, Menu)
    table.release(1)
    table.release(7)
    table.wait(500)
    assert table.moves == "d4"
    assert isinstance(table.controller.mode, Menu)


def test_the_menu_switch_opens_the_menu():
    table = TableTop()
    table.tap("menu")
    assert isinstance(table.controller.mode, Menu)


def test_the_take_back_switch_takes_back():
    table = TableTop()
    table.play("d4 d4")
    table.tap("take back")
    assert table.moves == "d4"


def test_in_the_menu_a_lit_column_is_chosen_and_nothing_is_dropped():
    table = TableTop()
    table.play("d4")
    table.tap("menu")
    table.tap(2)
    assert table.saved[-1] == Entry.new(table.rules)
    assert table.moves == ""


def test_the_menu_is_left_by_another_hold():
    table = TableTop()
    table.tap("menu")
    table.press(1)
    table.press(7)
    table.wait(1600)
    table.release(1)
    table.release(7)
    table.wait(200)
    assert not isinstance(table.controller.mode, Menu)
    table.tap(4)
    assert table.moves == "d4"


def test_the_menu_is_left_after_twenty_seconds():
    table = TableTop()
    table.tap("menu")
    opened = table.time
    table.wait(19_000)
    assert isinstance(table.controller.mode, Menu)
    table.wait(opened + 20_000 - table.time)
    assert not isinstance(table.controller.mode, Menu)


@pytest.mark.parametrize("slowly", [20, 300, 590, 900, 1400])
def test_letting_go_commits_however_slowly_a_child_presses_e1(slowly: float):
    table = TableTop()
    table.press(4)
    table.wait(slowly)
    assert table.moves == "", "the hand is not done yet"
    table.release(4)
    table.wait(100)
    assert table.moves == "d4"


def test_a_second_column_pressed_meanwhile_cancels():
    table = TableTop()
    table.press(3)
    table.wait(100)
    table.press(4)
    table.wait(100)
    table.release(3)
    table.wait(100)
    table.release(4)
    table.wait(1000)
    assert table.moves == ""
    assert table.said == ["Two buttons were pressed together, so nothing was done. Let go of both."]


@pytest.mark.parametrize("bar", ["open", "closed"])
def test_moving_the_bar_meanwhile_cancels_so_that_no_slip_makes_a_move(bar: str):
    table = TableTop()
    table.play("d4 d4")
    table.slide("closed" if bar == "open" else "open")
    table.press(4)
    table.wait(100)
    table.slide(bar)
    table.release(4)
    table.wait(1000)
    assert table.moves == "d4 d4"
    assert table.said[-1] == "The bar was moved while a button was down, so nothing was done. Let go of it."


def test_a_lever_commits_at_once_since_no_hand_is_on_it():
    table = TableTop(layout=with_levers())
    table.press(4)
    table.wait(10)
    assert table.moves == "d4"
    table.wait(9000)
    assert table.moves == "d4"


def test_a_disc_that_trips_its_lever_is_a_move_without_any_finger():
    table = TableTop(layout=with_levers())
    table.act(do="careful", on=False)
    table.act(do="drop", column=4, disc="X")
    table.wait(1000)
    table.act(do="drop", column=4, disc="O")
    table.wait(1000)
    assert table.moves == "d4 d4"
    assert table.board.twin.differences() == []


def test_a_quick_reply_is_a_move_and_never_a_take_back_e2():
    table = TableTop()
    for column in (4, 4, 3, 3, 2, 2):
        table.press(column)
        table.wait(35)
        table.release(column)
        table.wait(35)
    assert table.moves == "d4 d4 d3 d3 d2 d2"


def test_an_immediate_reply_while_the_last_move_is_being_saved_is_not_lost_e3():
    table = TableTop()
    table.disk = "slow"
    table.tap(4, length=40)
    table.tap(5, length=40)
    table.finish_saving()
    table.finish_saving()
    assert table.moves == "d4 d5"


@pytest.mark.parametrize("contact", [LIGHT, WORN])
def test_a_game_on_contacts_that_bounce_is_the_game_that_was_played(contact: object):
    table = TableTop(contact=contact)  # type: ignore[arg-type]
    moves = "d4 d4 d3 d3 p4 d5 p3 d1 d1"
    table.play(moves)
    assert table.moves == moves


# Take back


def test_any_depth_is_taken_back_through_pops_and_the_end_to_the_very_beginning_e4():
    table = TableTop("popout 7x6 connect=3")
    moves = "d4 d4 d4 d6 p4 d5".split()
    pictures = []
    for word in moves:
        pictures.append((table.game, table.lit_columns, table.turn_lamp, table.board.twin.grid))
        table.play(word)
    assert table.game.outcome
    while table.game.moves:
        table.hold(5)
        table.wait(2000)
        game, columns, turn, grid = pictures[len(table.game.moves)]
        assert table.game == game
        assert (table.lit_columns, table.turn_lamp, table.board.twin.grid) == (columns, turn, grid)
    assert [entry for entry in table.saved if entry == Entry.take_back()] == [Entry.take_back()] * len(moves)


def test_the_end_of_a_game_is_taken_back():
    table = TableTop("popout 7x6 connect=2")
    table.play("d1 d2 d1")
    assert table.game.outcome
    table.hold(4)
    assert table.moves == "d1 d2"
    assert table.turn_lamp is not None


def test_an_agreed_draw_is_taken_back():
    table = TableTop()
    table.play("d4")
    table.controller.agree_draw()
    table.wait(10)
    table.hold(4)
    assert table.moves == "d4"
    assert table.game.outcome is None


def test_taking_everything_back_is_no_new_game_e8():
    table = TableTop("popout 7x6 repetition=3")
    table.play("d4 d4")
    for _ in range(3):
        table.hold(2)
    assert table.said[-1] == "There is no move to take back: the game is at its beginning."
    assert sum(entry.kind.value == "new" for entry in table.saved) == 1
    assert table.game == Game.start(table.rules)


def test_a_game_can_go_on_after_everything_was_taken_back():
    table = TableTop()
    table.play("d4")
    table.hold(4)
    table.play("d1 d2")
    assert table.moves == "d1 d2"


def test_a_recorded_game_is_taken_back_move_by_move_after_a_restart():
    game = Game.start(RuleSet.parse("popout 7x6"))
    for word in "d4 d4 p4".split():
        game = game.play(parse_move(word))
    table = TableTop(game=game)
    table.wait(4000)
    table.tap(1)  # yes, go on
    table.hold(3)
    table.hold(3)
    assert table.game.moves == (Drop(4),)
