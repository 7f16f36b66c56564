"""After any end of the program the game stands where it was saved, and it is asked once whether to go on with it."""

from __future__ import annotations

import pytest

from popout.play.menu import Menu
from popout.play.modes import Playing, ShowingLastMove
from popout.record.journal import Entry, Kind
from popout.rules import RuleSet, parse_move
from stories import game_of
from tabletop import TableTop, with_beams, with_levers


def resumed(moves: str = "d4 d4 d3", rules: str = "popout 7x6", **options: object) -> TableTop:
    return TableTop(rules, game=game_of(rules, moves), **options)


def asked(table: TableTop) -> bool:
    mode = table.controller.mode
    return isinstance(mode, Menu) and mode.level == "resume"


def test_the_last_move_is_shown_first_and_then_it_is_asked_e10():
    table = resumed()
    assert isinstance(table.controller.mode, ShowingLastMove)
    assert not asked(table)
    table.wait(3100)
    assert asked(table)
    assert table.lit_columns == [1, 2]
    assert str(table.controller.mode.title) == "Go on with the last game, or begin a new one?"


def test_column_one_goes_on_and_drops_nothing():
    table = resumed()
    table.wait(3100)
    table.tap(1)
    assert table.moves == "d4 d4 d3"
    table.tap(1)
    assert table.moves == "d4 d4 d3 d1"


def test_column_two_begins_a_new_game_by_the_same_rules_and_the_old_one_stays_in_the_record_e10():
    table = resumed()
    table.wait(3100)
    table.tap(2)
    assert table.saved[-1] == Entry.new(RuleSet.parse("popout 7x6"))
    assert table.moves == ""


def test_another_column_is_no_answer_and_a_stray_press_loses_no_game():
    table = resumed()
    table.wait(3100)
    table.tap(5)
    assert asked(table)
    assert table.moves == "d4 d4 d3"


@pytest.mark.parametrize("leave", [lambda each: each.wait(20_100), lambda each: each.tap("menu")])
def test_a_question_that_nobody_answers_means_going_on(leave: object):
    table = resumed()
    table.wait(3100)
    leave(table)
    assert table.controller.mode == Playing()
    table.wait(60_000)
    assert table.controller.mode == Playing()


def test_it_is_asked_once():
    table = resumed()
    table.wait(3100)
    table.tap(1)
    table.wait(60_000)
    assert not asked(table)
    table.tap(2)
    table.wait(60_000)
    assert not asked(table)


def test_who_plays_on_at_once_is_not_asked():
    table = resumed()
    table.tap(2)
    table.wait(10_000)
    assert not asked(table)
    assert table.moves == "d4 d4 d3 d2"


def test_an_order_from_a_page_answers_too():
    table = resumed()
    table.wait(3100)
    table.controller.take_back()
    table._settle()
    assert not asked(table)
    assert table.moves == "d4 d4"


def test_a_disc_that_a_beam_sees_answers_too():
    table = resumed(layout=with_beams())
    table.act(do="careful", on=False)
    table.wait(3100)
    table.act(do="drop", column=6, disc="O")
    table.wait(500)
    assert table.moves == "d4 d4 d3 d6"


def test_a_game_that_is_over_stays_lit_and_nothing_is_asked():
    table = resumed("d1 d2 d1", "popout 7x6 connect=2")
    table.wait(10_000)
    assert not asked(table)
    assert table.game.outcome


def test_a_game_without_a_move_is_no_game_to_ask_about():
    table = resumed("")
    table.wait(10_000)
    assert not asked(table)


def test_taking_everything_back_is_not_asked_about_and_is_no_new_game_e8():
    table = resumed("d4")
    table.hold(4)
    table.wait(10_000)
    assert not asked(table)
    assert [entry.kind for entry in table.saved][1:] == [Kind.TAKE_BACK]


# A move that nobody at the board has made


def from_elsewhere(table: TableTop, word: str) -> None:
    table.controller.play(parse_move(word))
    table._settle()


def test_the_disc_of_a_move_from_elsewhere_is_no_second_move_on_a_board_with_beams():
    table = TableTop(layout=with_beams())
    table.act(do="careful", on=False)
    from_elsewhere(table, "d4")
    table.wait(20_000)
    table.act(do="drop", column=4, disc="X")
    table.wait(70_000)
    assert table.moves == "d4"
    assert table.controller.correction is None


def test_the_disc_of_a_move_from_elsewhere_that_nobody_puts_in_is_asked_for():
    table = TableTop(layout=with_beams())
    table.act(do="careful", on=False)
    from_elsewhere(table, "d4")
    table.wait(61_000)
    assert table.controller.correction
    assert "Put a red disc into column 4" in table.said[-1]


def test_the_disc_of_a_move_from_elsewhere_trips_a_lever_and_makes_no_move_of_the_other_side():
    table = TableTop(layout=with_levers())
    table.act(do="careful", on=False)
    from_elsewhere(table, "d4")
    table.wait(10_000)
    table.act(do="drop", column=4, disc="X")
    table.wait(1000)
    assert table.moves == "d4"
    table.act(do="drop", column=4, disc="O")
    table.wait(1000)
    assert table.moves == "d4 d4"
