"""What people may do about an opponent: take back, switch it on and off, swap sides, ask for a hint."""

from __future__ import annotations

import pytest

from opposing import BY_YELLOW, RED_LIGHT, against_yellow, answer, choose
from popout.board.frame import DARK
from popout.opponent.levels import UnknownLevel
from popout.play.opposing import Question
from popout.record.journal import Entry, Levels, Source
from popout.rules import RED, YELLOW, IllegalMove, Message
from popout.rules.game import NothingToTakeBack
from tabletop import TableTop, with_beams

# Taking back


def test_taking_back_goes_back_to_the_persons_own_turn():
    table = against_yellow()
    answer(table, "d3")
    table.tap(3)
    table.hold(1)
    assert table.moves == ""
    assert table.game.turn is RED
    assert table.said[-1] == "Taken back: the last 2 moves. Red to move."
    assert table.saved[-1] == Entry.take_back(2)


def test_taking_back_while_it_thinks_takes_back_the_persons_move():
    table = against_yellow()
    table.hold(1)
    assert table.moves == ""
    assert table.controller.question is None


def test_taking_back_what_it_has_chosen_takes_back_the_persons_move():
    table = against_yellow()
    answer(table, "d3")
    table.hold(1)
    assert table.moves == ""
    assert table.controller.chosen is None


def test_a_game_that_it_has_won_is_taken_back_to_the_persons_turn():
    table = TableTop("popout 7x6 connect=2", opponent=BY_YELLOW)
    table.play("d1")
    for move in ("d4", "d4"):
        answer(table, move)
        table.play(move)
        if not table.game.outcome:
            table.play("d7")
    assert table.game.outcome is not None
    table.hold(1)
    assert table.moves == "d1 d4"
    assert table.game.turn is RED


def test_where_no_person_has_moved_nothing_is_taken_back():
    table = TableTop(opponent={RED: 5})
    answer(table, "d4")
    table.tap(4)
    table.hold(1)
    assert table.moves == "d4"
    assert table.said[-1] == "There is no move to take back: no person has made one yet."


def test_an_agreed_draw_is_taken_back_alone():
    table = against_yellow()
    table.controller.agree_draw()
    table.wait(0)
    table.controller.take_back()
    table.wait(0)
    assert table.moves == "d4"
    assert table.controller.question == Question(table.game, 5)


def test_of_a_show_of_two_opponents_one_move_is_taken_back():
    table = TableTop(opponent={RED: 5, YELLOW: 4})
    for move in ("d4", "d3"):
        answer(table, move)
        table.play(move)
    table.controller.take_back()
    table.wait(0)
    assert table.moves == "d4"


def test_among_people_the_first_move_is_still_missing_in_the_usual_words():
    table = TableTop()
    with pytest.raises(NothingToTakeBack) as caught:
        table.controller.take_back()
    assert str(caught.value) == "There is no move to take back: the game is at its beginning."


# Who plays


def test_who_plays_is_recorded_and_said():
    table = TableTop()
    table.controller.seat({YELLOW: 5})
    table.wait(0)
    assert table.saved[-1] == Entry.opponent({YELLOW: 5})
    assert table.said[-1] == "An opponent of level 5 plays yellow."
    table.controller.seat({RED: 3, YELLOW: 7})
    table.wait(0)
    assert table.said[-1] == "Opponents play both sides: red at level 3, yellow at level 7."
    table.controller.seat({})
    table.wait(0)
    assert table.said[-1] == "People play both sides."


def test_what_is_so_already_is_not_recorded_again():
    table = TableTop(opponent=BY_YELLOW)
    table.controller.seat({YELLOW: 5})
    assert table.controller.unsaved is None


def test_a_level_that_is_not_there_is_refused():
    table = TableTop()
    with pytest.raises(UnknownLevel):
        table.controller.seat({YELLOW: 11})


def test_swapping_sides_in_mid_game_asks_for_the_side_to_move():
    table = TableTop(opponent=BY_YELLOW)
    table.controller.swap_sides()
    table.wait(0)
    assert table.controller.levels == {RED: 5}
    assert table.controller.question == Question(table.game, 5)


def test_another_level_thinks_anew_and_the_same_one_of_the_other_side_does_not_disturb():
    table = against_yellow()
    answer(table, "d3")
    table.controller.seat({YELLOW: 5, RED: 2})
    table.wait(0)
    assert table.controller.chosen is not None
    table.controller.seat({YELLOW: 6, RED: 2})
    table.wait(0)
    assert table.controller.chosen is None
    assert table.controller.question == Question(table.game, 6)


def test_switched_off_a_hand_plays_for_it():
    table = against_yellow()
    answer(table, "d3")
    table.controller.seat({})
    table.wait(0)
    table.tap(5)
    assert table.moves == "d4 d5"


def test_the_next_game_is_against_the_same_opponent_and_its_record_says_so():
    table = against_yellow()
    table.controller.new_game(table.rules)
    table.wait(0)
    assert [str(entry.kind.value) for entry in table.saved[-2:]] == ["new", "opponent"]
    assert table.controller.levels == BY_YELLOW
    table.tap(4)
    assert table.controller.question == Question(table.game, 5)


def test_an_opponent_that_is_gone_lets_people_play_on():
    table = against_yellow()
    table.controller.opponent_gone(Message("It is gone."), table.time)
    assert (table.codes[-1], table.said[-1]) == ("opponent-gone", "It is gone.")
    assert table.controller.question is None
    table.tap(3)
    assert table.moves == "d4 d3"


def test_a_disc_watched_for_by_a_beam_is_still_watched_for_when_the_opponent_is_switched_on():
    table = TableTop(layout=with_beams())
    table.act(do="careful", on=False)
    table.tap(4)
    table.controller.seat(BY_YELLOW)
    table.wait(4000)
    assert "no-disc-seen" in table.codes


# The menu


@pytest.mark.parametrize(
    ("codes", "levels"),
    [
        (("opponent", "opponent yellow"), {YELLOW: 3}),
        (("opponent", "opponent red"), {RED: 3}),
        (("opponent", "opponent both"), {RED: 3, YELLOW: 3}),
    ],
)
def test_the_menu_switches_the_opponent_on(codes: tuple[str, ...], levels: Levels):
    table = TableTop()
    choose(table, *codes)
    assert table.controller.levels == levels


def test_the_menu_switches_it_off_and_on_again_at_the_level_that_it_had():
    table = TableTop(opponent=BY_YELLOW)
    choose(table, "opponent", "opponent off")
    assert table.controller.levels == {}
    choose(table, "opponent", "opponent red")
    assert table.controller.levels == {RED: 5}


def test_the_menu_swaps_sides_and_changes_the_level():
    table = TableTop(opponent=BY_YELLOW)
    choose(table, "opponent", "swap-sides")
    assert table.controller.levels == {RED: 5}
    choose(table, "opponent", "levels", "level 10")
    assert table.controller.levels == {RED: 10}


def test_the_menu_can_be_used_while_it_thinks_and_changes_nothing_by_itself():
    table = against_yellow()
    question = table.controller.question
    table.tap("menu")
    assert table.controller.question == question
    answer(table, "d3")
    assert table.lit_columns != [3]
    table.tap("menu")
    assert table.lit_columns == [3]


# Hints


def test_a_hint_is_shown_until_the_move_is_made():
    table = TableTop()
    choose(table, "hint")
    assert table.controller.question == Question(table.game, None)
    answer(table, "d4")
    assert table.said[-1] == "A good move: Red drops a disc in column 4."
    assert table.lit_columns == [4]
    assert set(table.lights(4, 1)) == {RED_LIGHT, DARK}
    table.tap(4)
    assert table.moves == "d4"
    assert table.controller.chosen is None
    assert table.controller.question is None


def test_a_hint_is_over_when_another_button_is_pressed_and_that_move_is_made():
    table = TableTop()
    choose(table, "hint")
    answer(table, "d4")
    table.tap(2)
    assert table.moves == "d2"
    assert table.saved[-1].source is Source.BOARD


@pytest.mark.parametrize("button", ["menu", "column 3"])
def test_a_hint_is_over_with_any_button(button: str):
    table = TableTop()
    choose(table, "hint")
    answer(table, "d4")
    table.press(button)
    table.wait(50)
    assert table.controller.chosen is None


def test_a_hint_that_is_not_found_yet_is_forgotten_when_a_button_is_pressed():
    table = TableTop()
    choose(table, "hint")
    table.press(3)
    table.wait(50)
    assert table.controller.question is None


def test_a_hint_for_a_power_disc_shows_its_sign_and_does_not_choose_it():
    table = TableTop("power 7x6")
    table.controller.hint(table.time)
    answer(table, "a4")
    assert table.controller.armed is None
    table.tap(4)
    assert table.moves == "d4"


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (lambda: against_yellow(), "It is the opponent's turn, which needs no hint."),
        (lambda: _over(), "The game is over. Start a new game to play on."),
    ],
)
def test_where_no_hint_can_be_given_it_is_said_why(table, reason: str):
    desk = table()
    before = desk.controller.question
    with pytest.raises(IllegalMove) as caught:
        desk.controller.hint(desk.time)
    assert str(caught.value) == reason
    assert desk.controller.question == before


def _over() -> TableTop:
    table = TableTop("popout 7x6 connect=2")
    table.play("d1 d2 d1")
    return table
