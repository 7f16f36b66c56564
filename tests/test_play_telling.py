"""Telling the controller what is on the board, by the buttons and the bar alone."""

from __future__ import annotations

import pytest

from popout.board.frame import DARK
from popout.play.menu import Menu
from popout.play.modes import Playing
from popout.play.telling import Telling
from popout.record.journal import Kind
from popout.rules import RED, YELLOW
from tabletop import TableTop


def begun(rules: str = "popout 10x6", moves: str = "d4 d4 d5") -> TableTop:
    table = TableTop(rules)
    table.play(moves)
    table.tap("menu", 10, 1)
    assert isinstance(table.controller.mode, Telling)
    return table


def told(table: TableTop) -> str:
    assert table.controller.telling
    return "/".join(table.controller.telling.told)


def test_it_begins_with_what_is_believed_and_says_how_to_go_on():
    table = begun()
    assert told(table) == "///XO/X/////"
    assert table.said[-1].startswith("Tap to add a disc")


def test_a_tap_adds_a_disc_of_the_side_to_move_and_a_hold_changes_the_colour():
    table = begun()
    table.tap(1)
    table.hold(1)
    table.tap(1)
    assert told(table) == "OX///XO/X/////"
    assert table.moves == "d4 d4 d5"


def test_with_the_bar_open_a_tap_takes_the_top_disc_off():
    table = begun()
    table.slide("open")
    table.tap(4, 4, 4)
    assert told(table) == "////X/////"
    assert table.moves == "d4 d4 d5"


def test_a_full_column_comes_round_so_that_a_board_without_a_bar_can_say_everything():
    table = begun("standard 10x2")
    table.tap(4)
    assert told(table) == "////X/////"


def test_the_lamps_show_what_was_said_and_where_it_differs():
    table = begun()
    table.tap(1)
    assert len(table.lights(1, 1)) > 1
    assert DARK in table.lights(1, 1)
    assert table.lit_columns == [1]
    assert table.lights(4, 1)[0] != DARK


def test_what_was_said_is_repaired_under_guidance():
    table = begun()
    table.tap(7)
    table.tap("menu", 1)
    assert table.said[-1] == (
        "One cell is not as it should be. Take the top disc (row 1) out of column 7, then press its button."
    )
    table.tap(7)
    assert table.said[-1] == "The board is right again."
    assert table.controller.mode == Playing()


def test_what_was_said_is_right_after_all():
    table = begun()
    table.tap("menu", 1)
    assert table.said[-1] == "The board is right."
    assert table.controller.mode == Playing()


@pytest.mark.parametrize(("entry", "turn"), [(2, RED), (3, YELLOW)])
def test_what_was_said_is_taken_as_it_is_with_the_turn_chosen_e7(entry: int, turn: object):
    table = begun()
    table.slide("open")
    table.tap(5)
    table.slide("closed")
    if turn is YELLOW:
        table.hold(6)
        table.tap(6)
    table.tap("menu", entry)
    assert table.game.turn is turn
    assert table.saved[-1].kind is Kind.CORRECTION
    assert table.controller.mode == Playing()
    assert table.game.position.grid[3] == "XO"


def test_an_impossible_position_is_refused_with_its_reason_and_nothing_said_is_lost():
    table = begun()
    table.hold(1)
    table.tap(1, 2, 3)
    before = table.game
    table.tap("menu", 2)
    assert table.game == before
    assert table.controller.notices.newest is not None
    assert table.controller.notices.newest.importance == "refused"
    assert isinstance(table.controller.mode, Telling)


def test_it_is_forgotten_by_its_entry_and_by_waiting():
    table = begun()
    table.tap(1)
    table.tap("menu", 4)
    assert table.controller.mode == Playing()
    table = begun()
    table.tap(1)
    table.wait(125_000)
    assert table.controller.mode == Playing()
    assert table.moves == "d4 d4 d5"


def test_its_menu_that_nobody_touches_leads_back_to_it():
    table = begun()
    table.tap(1)
    table.tap("menu")
    assert isinstance(table.controller.mode, Menu)
    table.wait(25_000)
    assert told(table).startswith("O/")


def test_it_goes_on_from_what_a_correction_knows():
    table = TableTop("popout 10x6")
    table.play("d4")
    table.controller.correct(("", "", "", "", "X", "", "", "", "", ""), table.time)
    table.tap("menu", 10, 1)
    assert told(table) == "////X/////"


def test_beside_filled_outer_columns_a_button_stands_for_its_own_column():
    table = begun("five 10x6", "d4 d4")
    table.tap(1)
    assert table.controller.telling
    assert table.controller.telling.told[1] == "X"
    table.tap("menu", 1)
    assert "out of column 2" in table.said[-1]


def test_while_something_is_told_the_beams_are_not_listened_to():
    from tabletop import with_beams

    table = TableTop("popout 10x6", layout=with_beams(10, 6))
    table.act(do="careful", on=False)
    table.tap("menu", 10, 1)
    table.act(do="drop", column=3, disc="X")
    table.wait(500)
    assert table.moves == ""
    assert isinstance(table.controller.mode, Telling)
