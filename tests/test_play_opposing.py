"""A side that an opponent plays: what it is asked, what it may and hands may not, and how its moves are shown."""

from __future__ import annotations

import pytest

from opposing import BY_YELLOW, RED_LIGHT, YELLOW_LIGHT, against_yellow, answer
from popout.board.frame import DARK
from popout.play.correction import Correction
from popout.play.modes import scene_of
from popout.play.opposing import OpponentsTurn, Question, doing
from popout.play.palette import WHITE
from popout.play.settings import Settings
from popout.record.journal import Source
from popout.rules import RED, YELLOW, Message, PowerDisc, parse_move
from tabletop import TableTop, with_beams, with_levers

# What is asked


def test_the_opponent_is_asked_when_it_is_its_turn_and_not_before():
    table = TableTop(opponent=BY_YELLOW)
    assert table.controller.question is None
    table.play("d4")
    assert table.controller.question == Question(table.game, 5)
    answer(table, "d3")
    assert table.controller.question is None
    table.play("d3")
    assert table.controller.question is None
    assert table.moves == "d4 d3"


def test_nothing_is_asked_in_a_game_of_people_nor_after_the_end():
    assert TableTop().controller.question is None
    table = against_yellow()
    table.controller.agree_draw()
    table.wait(0)
    assert table.controller.question is None


def test_an_answer_to_what_is_no_longer_asked_is_dropped():
    table = against_yellow()
    question = table.controller.question
    assert question is not None
    table.hold(4)
    assert table.moves == ""
    table.controller.answered(question, parse_move("d3"), table.time)
    assert table.controller.chosen is None
    table.tap(1)
    table.controller.answered(question, parse_move("d3"), table.time)
    assert table.controller.chosen is None


def test_while_a_move_is_saved_nothing_new_is_asked():
    table = TableTop(opponent=BY_YELLOW)
    table.disk = "slow"
    table.tap(4)
    assert table.controller.question is None
    table.finish_saving()
    assert table.controller.question == Question(table.game, 5)


# What it has chosen


def test_its_drop_blinks_in_its_colour_and_a_hand_makes_it():
    table = against_yellow()
    assert table.lit_columns == []
    answer(table, "d4")
    assert set(table.lights(4)) == {YELLOW_LIGHT, DARK}
    assert set(table.lights(4, 2)) == {YELLOW_LIGHT, DARK}
    assert table.lit_columns == [4]
    assert table.turn_lamp is YELLOW
    assert table.said[-1] == "Yellow drops a disc in column 4."
    table.tap(4)
    assert table.moves == "d4 d4"
    assert table.saved[-1].source is Source.OPPONENT
    assert table.saved[-2].source is Source.BOARD
    assert table.turn_lamp is RED


def test_its_pop_is_shown_with_the_bars_side_lit():
    table = TableTop(opponent={RED: 5})
    answer(table, "d4")
    table.tap(4)
    table.play("d5")
    answer(table, "p4")
    assert set(table.lights(4)) == {RED_LIGHT, DARK}
    assert set(table.lights(4, 1)) == {RED_LIGHT, DARK}
    bottom = [table.lights(column, 1)[0] for column in (1, 2, 3, 6, 7)]
    assert DARK not in bottom
    assert all(len({light >> 16, light >> 8 & 255, light & 255}) == 1 for light in bottom)
    assert table.lit_columns == [1, 2, 3, 4, 5, 6, 7]
    assert table.lights(1, 2) == [DARK]
    table.pop(4)
    assert table.moves == "d4 d5 p4"


def test_its_power_disc_blinks_in_its_turn_lamp_and_needs_not_be_chosen_by_hand():
    table = against_yellow("d4", "power 7x6")
    answer(table, "b3")
    assert set(table.lights(3, 1)) == {YELLOW_LIGHT, DARK}
    assert scene_of(table.controller).power is PowerDisc.BOMB
    table.tap(3)
    assert table.moves == "d4 b3"
    assert table.controller.question == Question(table.game, 5)
    answer(table, "p4")
    table.pop(4)
    assert table.moves == "d4 b3 p4"
    assert table.game.turn is RED


@pytest.mark.parametrize("hand", ["d5", "d3", "p4"])
def test_a_different_hand_is_refused_with_the_reason_and_changes_nothing(hand: str):
    table = against_yellow()
    answer(table, "d4")
    table.play(hand)
    assert table.moves == "d4"
    assert table.codes[-1] == "opponents-turn"
    assert table.said[-1] == ("That is not the move that the opponent has chosen. Yellow drops a disc in column 4.")
    table.play("d4")
    assert table.moves == "d4 d4"


def test_while_it_thinks_a_hand_is_refused():
    table = against_yellow()
    table.tap(3)
    assert table.moves == "d4"
    assert table.said[-1] == "Yellow is played by the opponent, which is thinking."


def test_a_page_may_make_its_move_and_no_other():
    table = against_yellow()
    answer(table, "d3")
    with pytest.raises(OpponentsTurn):
        table.controller.play(parse_move("d4"))
    table.controller.play(parse_move("d3"))
    table.wait(0)
    assert table.moves == "d4 d3"
    assert table.saved[-1].source is Source.OPPONENT


def test_a_power_disc_is_not_chosen_for_it():
    table = against_yellow("d4", "power 7x6")
    with pytest.raises(OpponentsTurn) as caught:
        table.controller.arm(next(iter(table.game.position.powers_left(YELLOW))))
    assert str(caught.value) == "It is the opponent's turn, which chooses its discs itself."


def test_its_move_that_could_not_be_saved_is_shown_again():
    table = against_yellow()
    answer(table, "d3")
    table.disk = "full"
    table.tap(3)
    assert table.moves == "d4"
    assert table.controller.chosen is not None
    table.disk = "quick"
    table.tap(3)
    assert table.moves == "d4 d3"


def test_its_several_steps_of_pop_10_are_asked_one_after_the_other():
    table = TableTop("pop10 4x2 target=2 connect=3")
    table.play(" ".join(f"d{column}" for _ in range(2) for column in (1, 2, 3, 4)))
    side = table.game.position.turn
    table.controller.seat({side: 4})
    table.wait(0)
    seen = []
    while table.game.turn is side and len(seen) < 9:
        question = table.controller.question
        assert question is not None
        move = question.game.legal_moves[0]
        answer(table, str(move))
        table.play(str(move))
        seen.append(str(move)[0])
    assert seen[:2] == ["p", "d"]


def test_a_disc_that_a_beam_sees_in_the_wrong_column_is_to_be_taken_out_again():
    table = against_yellow(layout=with_beams())
    answer(table, "d3")
    table.act(do="careful", on=False)
    table.act(do="drop", column=5, disc="O")
    table.wait(500)
    assert table.moves == "d4"
    assert isinstance(table.controller.mode, Correction)
    assert table.said[-1].startswith(
        "That is not the move that the opponent has chosen. Yellow drops a disc in column 3."
    )


def test_its_disc_that_a_beam_sees_makes_its_move():
    table = against_yellow(layout=with_beams())
    answer(table, "d3")
    table.act(do="careful", on=False)
    table.act(do="drop", column=3, disc="O")
    table.wait(500)
    assert table.moves == "d4 d3"
    assert table.saved[-1].source is Source.OPPONENT


def test_a_lever_that_its_disc_trips_makes_its_move():
    table = TableTop(layout=with_levers(), opponent=BY_YELLOW)
    table.act(do="careful", on=False)
    table.act(do="drop", column=4, disc="X")
    table.wait(500)
    answer(table, "d3")
    table.act(do="drop", column=3, disc="O")
    table.wait(500)
    assert table.moves == "d4 d3"


# In words


def test_what_the_opponent_is_doing_is_told():
    table = TableTop(opponent=BY_YELLOW)
    assert doing(table.controller) is None
    table.play("d4")
    assert str(doing(table.controller)) == "Yellow is played by the opponent, which is thinking."
    answer(table, "d3")
    assert str(doing(table.controller)) == (
        "Yellow drops a disc in column 3. Make this move for the opponent: its lamps blink."
    )
    table.tap(3)
    table.controller.hint(table.time)
    answer(table, "d4")
    assert str(doing(table.controller)) == "A good move: Red drops a disc in column 4."


def test_on_a_board_that_was_lost_what_it_has_chosen_is_still_there_when_it_is_back():
    table = against_yellow()
    table.controller.lost(Message("The cable was pulled."), table.time)
    question = table.controller.question
    assert question is not None
    answer(table, "d3")
    table.controller.found(table.board.levels(), table.time)
    table.wait(0)
    assert table.lit_columns == [3]
    table.tap(3)
    assert table.moves == "d4 d3"


def test_after_a_correction_it_is_asked_about_what_is_on_the_board():
    table = against_yellow()
    table.controller.set_up(("X", "", "", "X", "", "O", ""), YELLOW)
    table._settle()
    assert table.controller.question is not None
    assert table.controller.question.game.position.grid == ("X", "", "", "X", "", "O", "")


def test_settings_of_another_palette_show_its_move_too():
    table = TableTop(opponent={RED: 1}, settings=Settings(palette="mono"))
    answer(table, "d4")
    assert set(table.lights(4)) == {WHITE, DARK}


def test_a_claim_that_it_has_chosen_blinks_nowhere():
    table = TableTop("popout 2x1 connect=2 full-grid=claim", opponent={RED: 1, YELLOW: 1})
    for move in ("d1", "d2"):
        answer(table, move)
        table.play(move)
    answer(table, "claim")
    assert table.lit_columns == []
    table.controller.play(parse_move("claim"))
    table.wait(0)
    assert table.game.outcome is not None
