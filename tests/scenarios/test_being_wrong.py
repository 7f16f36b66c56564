"""What players do wrong, and how they are put right: by a sentence, by light, and step by step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from popout.board.switches import SwitchEvent, pop_sensor
from popout.play.desk import BoardDiffers
from popout.play.modes import Playing, scene_of
from popout.record.journal import Kind
from popout.rules import RED, YELLOW, Drop
from popout_sim import faults
from tabletop import TableTop, with_beams, with_two_rows

# Refusals


@pytest.mark.parametrize(
    ("rules", "moves", "wrong", "code", "sentence"),
    [
        ("popout 7x2", "d4 d4", "d4", "column-full", "Column 4 is full. Choose another column."),
        ("popout 7x6", "d4", "p3", "nothing-to-pop", "Column 3 is empty: there is nothing to pop."),
        (
            "popout 7x6",
            "d4",
            "p4",
            "not-your-disc",
            "Column 4: the bottom disc is red's. You may pop only your own.",
        ),
        (
            "standard 7x6",
            "d4 d4",
            "p4",
            "pops-not-in-this-game",
            "There are no pops in this game. Close the bar and drop a disc, or start a game of Pop Out.",
        ),
        (
            "popout 7x6 connect=2",
            "d1 d2 d1",
            "d4",
            "game-over",
            "The game is over. Start a new game to play on.",
        ),
        (
            "popout 7x6 supply=1",
            "d4 d3",
            "d2",
            "no-discs-left",
            "Red has no discs left to drop. Pop one of your own.",
        ),
    ],
)
def test_a_refusal_says_which_rule_and_changes_nothing(rules: str, moves: str, wrong: str, code: str, sentence: str):
    table = TableTop(rules)
    table.play(moves)
    before, saved, turn = table.game, list(table.saved), table.game.turn
    table.play(wrong)
    assert (table.codes[-1], table.said[-1]) == (code, sentence)
    assert (table.game, table.saved, table.game.turn) == (before, saved, turn)
    newest = table.controller.notices.newest
    assert newest is not None
    assert (newest.importance, newest.column) == ("refused", int(wrong[1:]))


def test_after_a_refusal_everything_is_as_it_was_e15():
    table = TableTop("popout 7x2")
    table.play("d4 d4")
    table.wait(1000)
    before = scene_of(table.controller)
    revision = table.controller.revision
    table.tap(4)
    table.wait(2000)
    assert replace(scene_of(table.controller), flash=None) == replace(before, flash=None)
    assert table.controller.revision > revision, "whoever draws it is told to draw it again"
    assert table.controller.press is None


def test_with_two_rows_of_buttons_a_press_out_of_turn_is_known_and_named():
    table = TableTop(layout=with_two_rows())
    table.tap("yellow column 4")
    assert (table.codes, table.said, table.moves) == (
        ["wrong-side"],
        ["That was a button of yellow's, whose turn it is not. Red to move."],
        "",
    )
    assert table.turn_lamp is RED
    table.tap("column 4", "column 5")
    assert (table.codes[-1], table.said[-1], table.moves) == (
        "wrong-side",
        "That was a button of red's, whose turn it is not. Yellow to move.",
        "d4",
    )
    table.tap("yellow column 5")
    assert table.moves == "d4 d5"


def test_with_two_rows_a_press_out_of_turn_flashes_and_shows_no_disc():
    table = TableTop(layout=with_two_rows())
    table.press("yellow column 4")
    table.wait(300)
    assert set(table.lights(4, 1, length=300)) == {0}
    table.release("yellow column 4")
    table.wait(2)
    assert table.lights(4, 6).count(0xFFFFFF) == 3


def test_after_the_end_columns_do_nothing_and_the_line_stays_lit():
    table = TableTop("popout 7x6 connect=2")
    table.play("d1 d2 d1")
    for column in range(1, 8):
        table.tap(column)
    table.pop(1)
    assert table.codes[4:] == ["game-over"] * 8
    assert len(set(table.lights(1, 1, length=1300))) > 5
    table.tap("menu")
    table.tap(2)
    table.tap(4)
    assert table.moves == "d4"


# Correction, as somebody sees the board


def test_a_disc_in_the_wrong_column_is_named_and_the_hands_are_led_to_the_end_by_taps():
    table = TableTop()
    table.play("d4 d3")
    table.controller.correct(("", "", "O", "", "X", "", ""), table.time)
    assert table.said[-1] == (
        "2 cells are not as they should be. Put a red disc into column 4 (row 1), then press its button."
    )
    table.tap(5)
    assert (table.codes[-1], table.said[-1]) == (
        "board-differs",
        "Put a red disc into column 4 (row 1), then press its button.",
    )
    table.tap(4)
    assert table.said[-1] == (
        "2 cells are not as they should be. Take the top disc (row 1) out of column 5, then press its button."
    )
    table.tap(5)
    assert table.said[-1] == "The board is right again."
    table.tap(4)
    assert table.moves == "d4 d3 d4"


def test_no_move_is_made_while_the_board_is_wrong():
    table = TableTop()
    table.play("d4 d3")
    table.controller.correct(("",) * 7, table.time)
    table.tap(1, 2, 7)
    table.slide("open")
    table.tap(1)
    assert table.moves == "d4 d3"
    with pytest.raises(BoardDiffers):
        table.controller.play(Drop(1))


def test_the_menu_is_a_way_out_of_a_correction_and_comes_back_to_it_otherwise_e11():
    table = TableTop("popout 9x6")
    table.play("d4 d3")
    table.controller.correct(("",) * 9, table.time)
    table.tap("menu")
    table.tap(1)
    assert table.controller.mode is table.controller.correction
    table.tap("menu")
    table.tap(7)
    table.wait(60_000)
    assert table.controller.mode is table.controller.correction, "the lamp test is over, the board still wrong"
    table.tap("menu")
    table.tap(2)
    assert table.controller.mode == Playing()
    table.tap(4)
    assert table.moves == "d4"


def test_players_may_go_on_from_what_is_on_the_board_with_the_turn_confirmed_e7():
    table = TableTop()
    table.play("d4 d3")
    table.controller.correct(("", "", "O", "", "X", "", ""), table.time)
    table.controller.adopt(RED)
    table.wait(10)
    assert table.said[-2:] == ["The game goes on from what is on the board.", "Red to move."]
    assert table.game.position.grid == ("", "", "O", "", "X", "", "")
    assert table.saved[-1].kind is Kind.CORRECTION
    assert table.saved[-1].text == "//O/X/// X -> //O//X// X"
    assert table.turn_lamp is RED
    table.tap(5)
    assert table.game.turn is YELLOW


def test_a_correction_is_over_with_a_new_game_and_cannot_be_taken_back():
    table = TableTop()
    table.play("d4 d3")
    table.controller.correct(("", "", "O", "", "X", "", ""), table.time)
    table.controller.adopt(RED)
    table.wait(10)
    table.hold(1)
    assert table.said[-1] == "There is no move to take back: the game is at its beginning."


# Beams


def beams(rules: str = "popout 7x6", moves: str = "") -> TableTop:
    """A board with beams on which these moves were played, and on which now only hands move discs."""
    table = TableTop(rules, layout=with_beams(*map(int, rules.split()[1].split("x"))))
    for word in moves.split():
        table.play(word)
        table.wait(1000)
    table.wait(4000)
    assert table.moves == moves
    assert table.controller.correction is None
    table.act(do="careful", on=False)
    return table


def test_with_the_careful_hand_a_board_with_beams_is_played_as_any_other():
    table = beams(moves="d4 d4 d3 d5 p4")
    assert table.board.twin.differences() == []
    assert not set(table.codes) - {"moved"}


def test_a_take_back_on_a_board_with_beams_makes_no_move_of_the_disc_that_goes_out():
    table = TableTop(layout=with_beams())
    table.play("d4 d3 p4")
    table.wait(4000)
    table.hold(6)
    table.wait(4000)
    assert table.moves == "d4 d3"
    assert table.board.twin.grid == ("", "", "O", "X", "", "", "")


def test_a_take_back_with_the_bar_open_is_no_pop():
    table = TableTop(layout=with_beams())
    for word in ("d4", "d3", "d4"):
        table.play(word)
        table.wait(1000)
    table.slide("open")
    table.wait(3000)
    table.hold(6)
    table.wait(4000)
    assert table.moves == "d4 d3"
    assert table.controller.correction is None


def test_a_disc_seen_falling_without_a_press_is_a_drop_by_the_side_to_move():
    table = beams()
    table.act(do="drop", column=4, disc="X")
    table.wait(1000)
    table.act(do="drop", column=4, disc="O")
    table.wait(1000)
    assert table.moves == "d4 d4"
    assert table.board.twin.differences() == []


def test_a_disc_seen_leaving_through_the_open_bar_is_a_pop():
    table = beams(moves="d4 d3")
    table.slide("open")
    table.act(do="pop", column=4)
    table.wait(1000)
    table.slide("closed")
    assert table.moves == "d4 d3 p4"


def test_a_press_that_follows_its_disc_confirms_it():
    table = beams()
    table.act(do="drop", column=4, disc="X")
    table.wait(2500)
    table.tap(4)
    table.wait(5000)
    assert table.moves == "d4"
    assert table.codes == ["moved"]


def test_a_press_long_after_its_disc_is_the_next_move():
    table = beams()
    table.act(do="drop", column=4, disc="X")
    table.wait(3100)
    table.tap(4)
    assert table.moves == "d4 d4"


def test_a_press_without_a_disc_is_asked_about_after_three_seconds():
    table = beams()
    table.tap(4)
    table.wait(2600)
    assert table.codes == ["moved"]
    table.wait(400)
    assert (table.codes[-1], table.said[-1]) == (
        "no-disc-seen",
        "Column 4 was pressed, but no disc was seen. Put a red disc into column 4 (row 1), then press its button. "
        "Or take the move back.",
    )
    assert set(table.lights(4, 1)) == {0, 0xFF0000}


def test_the_disc_that_was_missing_answers_the_question_by_falling():
    table = beams()
    table.tap(4)
    table.wait(4000)
    table.act(do="drop", column=4, disc="X")
    table.wait(1000)
    assert table.said[-1] == "The board is right again."
    assert table.moves == "d4"
    table.tap(4)
    assert table.moves == "d4", "the press that goes with the disc is no move"


def test_the_question_is_answered_by_a_tap_if_the_disc_is_there_after_all():
    table = beams()
    table.tap(4)
    table.wait(4000)
    table.tap(4)
    assert table.said[-1] == "The board is right again."
    table.act(do="drop", column=4, disc="X")
    table.wait(1000)
    assert table.moves == "d4", "and the disc may still be seen going in"


def test_the_question_is_answered_by_taking_the_move_back():
    table = beams()
    table.tap(4)
    table.wait(4000)
    table.hold(2)
    assert table.moves == ""
    assert table.controller.mode == Playing()


def test_every_missing_disc_is_asked_about_one_after_the_other():
    table = beams()
    table.tap(4, 5)
    table.wait(4000)
    assert table.said[-1].startswith("Column 4 was pressed")
    table.tap(4)
    table.wait(100)
    assert table.said[-1].startswith("Column 5 was pressed")


def test_a_disc_that_leaves_while_the_bar_is_closed_stops_the_game_e11():
    table = beams(moves="d4 d4")
    table.act(do="bar", to="open")
    table.act(do="pop", column=4)
    table.act(do="bar", to="closed")
    table.wait(1000)
    assert table.moves == "d4 d4"
    assert table.codes[-1] == "bar-closed"
    assert table.said[-1] == (
        "A disc left column 4 while the bar was closed. "
        "Take the top disc (row 1) out of column 4, then press its button."
    )
    for _ in range(3):
        table.tap(4)
    assert table.said[-1] == "The board is right again."


def test_two_discs_on_one_pop_stop_the_game():
    table = beams(moves="d4 d4 d3 d3")
    table.slide("open")
    table.tap(4)
    table.act(do="pop", column=4)
    table.wait(1000)
    assert table.moves.endswith("p4")
    table.act(do="pop", column=4)
    table.wait(1000)
    assert (table.codes[-1], table.said[-1]) == (
        "second-disc",
        "A second disc has fallen out of column 4. A turn pops one: close the bar after it. "
        "Put a yellow disc into column 4 (row 1), then press its button.",
    )
    assert table.moves.endswith("p4")
    table.slide("closed")
    table.act(do="drop", column=4, disc="O")
    table.wait(1000)
    assert table.said[-1] == "The board is right again."
    assert table.board.twin.differences() == []


def test_a_bar_left_open_so_that_several_discs_fall_stops_the_game_and_all_are_known():
    table = beams(moves="d4 d4 d3 d4")
    table.slide("open")
    for _ in range(3):
        table.act(do="pop", column=4)
        table.wait(1000)
    assert table.moves == "d4 d4 d3 d4 p4"
    steps = []
    while table.controller.correction:
        steps.append(str(table.controller.correction.steps[0].message))
        table.tap(4)
    assert steps == [
        "Put a yellow disc into column 4 (row 1), then press its button.",
        "Put a yellow disc into column 4 (row 2), then press its button.",
    ]
    assert table.moves == "d4 d4 d3 d4 p4"


def test_players_who_press_may_leave_the_bar_open():
    table = beams(moves="d4 d3")
    table.slide("open")
    for column in (4, 3):
        table.tap(column)
        table.act(do="pop", column=column)
        table.wait(1000)
    assert table.moves == "d4 d3 p4 p3"


def test_a_pop_of_the_wrong_colour_is_put_back():
    table = beams(moves="d4 d4 d3")
    table.slide("open")
    table.act(do="pop", column=4)
    table.wait(1000)
    assert table.moves == "d4 d4 d3"
    assert table.codes[-1] == "not-your-disc"
    for act in ({"do": "take"}, {"do": "drop", "disc": "X"}, {"do": "drop", "disc": "O"}):
        table.act(column=4, **act)
        if act["do"] == "take":
            table.tap(4)
        table.wait(1000)
    assert table.said[-1] == "The board is right again."
    assert table.board.twin.differences() == []


def test_a_disc_dropped_into_a_finished_game_stops_and_shows_where():
    table = beams("popout 7x6 connect=2", "d1 d2 d1")
    table.act(do="drop", column=5, disc="O")
    table.wait(1000)
    assert (table.codes[-1], table.said[-1]) == (
        "game-over",
        "The game is over. Start a new game to play on. "
        "Take the top disc (row 1) out of column 5, then press its button.",
    )
    assert set(table.lights(5, 1)) == {0, 0xFFFFFF}
    table.act(do="take", column=5)
    table.tap(5)
    assert table.said[-1] == "The board is right again."
    assert len(set(table.lights(1, 1, length=1300))) > 5, "the line is lit again"


def test_a_disc_above_a_full_column_is_taken_out_again():
    table = beams("popout 4x2 connect=4", "d1 d1")
    table.inject([])
    table.inject(faults.pulse("drop sensor 1", table.time, 80))
    table.wait(1000)
    assert table.said[-1] == (
        "Column 1 is full. Choose another column. Take the top disc (row 2) out of column 1, then press its button."
    )
    table.tap(1)
    assert table.said[-1] == "The board is right again."


def test_discs_that_leave_a_board_that_should_be_empty_are_only_making_room():
    table = beams("popout 7x6 connect=2", "d1 d2 d1")
    table.act(do="empty")
    table.wait(3000)
    assert table.codes[-1] == "line"
    table.tap("menu")
    table.tap(2)
    table.wait(1000)
    assert table.said[-1] == "A new game of Pop Out. Red to move."
    table.act(do="drop", column=3, disc="X")
    table.wait(500)
    assert table.moves == "d3"


def test_the_tray_may_be_emptied_after_the_new_game_was_chosen():
    table = beams(moves="d4 d3 d4")
    table.tap("menu")
    table.tap(2)
    table.act(do="empty")
    table.wait(3000)
    assert table.said[-1] == "A new game of Pop Out. Red to move."
    assert table.controller.mode == Playing()


def test_discs_that_come_out_before_the_first_move_are_no_alarm_beside_filled_outer_columns_either():
    table = TableTop("five+pop 7x6", layout=with_beams())
    said = list(table.said)
    table.board.inject(
        [SwitchEvent(pop_sensor(3), closed, table.time + after) for closed, after in ((True, 10), (False, 300))]
    )
    table.wait(3000)
    assert table.said == said
    assert table.controller.mode == Playing()
