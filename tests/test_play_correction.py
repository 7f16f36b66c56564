"""Putting the board right, step by step."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.play.correction import Step, asked, compared, differing_cells, steps_to_repair, surprised
from popout.rules import (
    RED,
    YELLOW,
    Drop,
    Game,
    Message,
    Pop,
    Position,
    RuleSet,
    SetupError,
    parse_move,
    parse_position,
)

WHY = Message("Something happened.")


def position(line: str, rules: str = "popout 4x4") -> Position:
    return parse_position(line, RuleSet.parse(rules))


def game(moves: str, rules: str = "popout 4x4") -> Game:
    played = Game.start(RuleSet.parse(rules))
    for word in moves.split():
        played = played.play(parse_move(word))
    return played


def said(there: tuple[str, ...], line: str) -> list[str]:
    return [str(step.message) for step in steps_to_repair(there, position(line))]


def test_a_disc_too_many_is_taken_out_at_the_top():
    assert said(("XO", "", "", ""), "X/// O") == [
        "Take the top disc (row 2) out of column 1, then press its button.",
    ]


def test_a_missing_disc_is_put_in():
    assert said(("X", "", "", ""), "XO/// X") == [
        "Put a yellow disc into column 1 (row 2), then press its button.",
    ]


def test_what_lies_on_a_wrong_disc_comes_out_first_and_goes_in_again():
    assert said(("XOX", "", "", ""), "XXX/O/OO/ X") == [
        "Take the top disc (row 3) out of column 1, then press its button.",
        "Take the top disc (row 2) out of column 1, then press its button.",
        "Put a red disc into column 1 (row 2), then press its button.",
        "Put a red disc into column 1 (row 3), then press its button.",
        "Put a yellow disc into column 2 (row 1), then press its button.",
        "Put a yellow disc into column 3 (row 1), then press its button.",
        "Put a yellow disc into column 3 (row 2), then press its button.",
    ]


def test_a_disc_too_many_at_the_bottom_is_let_out_there():
    assert said(("OXO", "", "", ""), "XO/// X") == [
        "Open the bar, let the bottom disc of column 1 out, then press its button.",
    ]


def test_a_disc_above_a_full_column_is_asked_for_in_the_top_row():
    correction = surprised(Drop(1), position("XOXO/// X"), WHY, 0)
    assert correction is not None
    assert correction.steps == (Step((1, 4)),)


def test_a_comparison_names_how_many_cells_differ_and_the_first_step():
    correction = compared(("XO", "X", "", ""), position("X/O// X"), 0)
    assert correction is not None
    assert str(correction.reason) == (
        "2 cells are not as they should be. Take the top disc (row 2) out of column 1, then press its button."
    )
    assert correction.seen == ("XO", "X", "", "")


def test_one_wrong_cell_is_one_cell():
    correction = compared(("", "", "", ""), position("X/// O"), 0)
    assert correction is not None
    assert str(correction.reason).startswith("One cell is not as it should be. ")


def test_a_board_that_is_right_needs_no_correction():
    assert compared(("x.", "O", "", "...."), position("X/O// X"), 0) is None


@pytest.mark.parametrize(
    ("seen", "sentence"),
    [
        (
            ("X", "O", ""),
            "The position has 3 columns, but the grid is 4x4 (columns x rows). Write every column, empty ones too.",
        ),
        ((".X", "O", "", ""), None),
        (("Z", "O", "", ""), None),
    ],
)
def test_what_cannot_be_on_this_board_is_refused(seen: tuple[str, ...], sentence: str | None):
    with pytest.raises(SetupError) as caught:
        compared(seen, position("X/O// X"), 0)
    if sentence:
        assert str(caught.value) == sentence


def test_a_beam_knows_no_colour_so_what_it_saw_is_not_taken_over():
    correction = surprised(Drop(2), position("X/// O"), WHY, 0)
    assert correction is not None
    assert correction.seen is None
    assert str(correction.reason) == (
        "Something happened. Take the top disc (row 1) out of column 2, then press its button."
    )


def test_a_disc_that_fell_out_is_known():
    correction = surprised(Pop(1), position("XO/// X"), WHY, 0)
    assert correction is not None
    assert correction.seen == ("O", "", "", "")


def test_a_disc_out_of_an_empty_column_leaves_nothing_to_repair():
    assert surprised(Pop(2), position("X/// O"), WHY, 0) is None


def test_every_disc_of_a_column_that_ran_out_goes_in_again():
    correction = surprised(Pop(1), position("XO/// X"), WHY, 0)
    assert correction is not None
    further = correction.after_disc(Pop(1), 10)
    assert further is not None
    assert further.steps == (Step((1, 1), RED), Step((1, 2), YELLOW))
    assert str(further.why) == "Another disc was seen in column 1."


def test_a_disc_that_happens_to_put_the_board_right_ends_the_correction():
    correction = surprised(Drop(2), position("X/// O"), WHY, 0)
    assert correction is not None
    assert correction.after_disc(Pop(2), 10) is None


def test_a_press_without_a_disc_is_asked_about():
    correction = asked(Drop(2), game("d1 d2"), 0)
    assert correction is not None
    assert str(correction.reason) == (
        "Column 2 was pressed, but no disc was seen. Put a yellow disc into column 2 (row 1), then press its button. "
        "Or take the move back."
    )
    assert correction.seen == ("X", "", "", "")


def test_taking_back_is_no_way_out_once_another_move_was_made():
    correction = asked(Drop(1), game("d1 d2"), 0)
    assert correction is not None
    assert not str(correction.reason).endswith("Or take the move back.")


def test_a_pop_without_a_disc_is_asked_about():
    correction = asked(Pop(1), game("d1 d1 p1"), 0)
    assert correction is not None
    assert str(correction.reason) == (
        "Column 1 was pressed, but no disc was seen. Open the bar, let the bottom disc of column 1 out, then press its "
        "button. Or take the move back."
    )
    assert correction.seen == ("XO", "", "", "")


def test_a_disc_that_has_left_the_game_since_is_not_asked_about():
    assert asked(Drop(1), game("d1 d2 p1"), 0) is None


def test_the_correction_follows_a_take_back():
    played = game("d1 d2")
    correction = asked(Drop(2), played, 0)
    assert correction is not None
    assert correction.towards(played.take_back().position, 10) is None


def test_after_a_take_back_the_cells_that_differ_are_counted_anew():
    played = game("d1 d2")
    correction = compared(("X", "O", "X", ""), played.position, 0)
    assert correction is not None
    assert str(correction.reason).startswith("One cell is not as it should be.")
    after = correction.towards(played.take_back().position, 10)
    assert after is not None
    assert str(after.reason).startswith("2 cells are not as they should be.")


def test_a_step_is_done_by_the_disc_that_it_asks_for():
    assert Step((2, 1), RED).done_by(Drop(2))
    assert Step((2, 1)).done_by(Drop(2)), "on its way out it passes the beam at the top"
    assert Step((2, 1), pop=True).done_by(Pop(2))
    assert not Step((2, 1), RED).done_by(Drop(3))
    assert not Step((2, 1), RED).done_by(Pop(2))
    assert not Step((2, 1), pop=True).done_by(Drop(2))


COLUMNS = st.tuples(*[st.text("XO", max_size=4)] * 4)


@given(COLUMNS, COLUMNS)
def test_doing_every_step_makes_the_board_right(there: tuple[str, ...], wanted: tuple[str, ...]):
    rules = RuleSet.parse("popout 4x4")
    goal = Position.start(rules)
    red = sum(
        goal.rules.grid.bit(c, r) for c, discs in enumerate(wanted, 1) for r, d in enumerate(discs, 1) if d == "X"
    )
    yellow = sum(
        goal.rules.grid.bit(c, r) for c, discs in enumerate(wanted, 1) for r, d in enumerate(discs, 1) if d == "O"
    )
    goal = goal._replace(own=red, other=yellow)
    correction = compared(there, goal, 0)
    assert (correction is None) == (there == wanted)
    count = 0
    while correction is not None:
        assert set(differing_cells(correction.there, wanted))
        assert all(1 <= step.cell[1] <= 4 for step in correction.steps)
        count += 1
        assert count <= 32
        correction = correction.after_step(count)
