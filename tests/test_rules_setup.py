"""Positions that somebody sets up: both ways to write them, and what each refusal says."""

from __future__ import annotations

from textwrap import dedent

import pytest

from popout.rules import (
    RED,
    YELLOW,
    NotationError,
    Position,
    RuleSet,
    SetupError,
    draw,
    parse_move,
    parse_position,
    position_text,
    set_up,
)
from popout.rules.beside import Beside
from popout.rules.setup import checked_grid

RULES = RuleSet.parse("popout 4x3 connect=3")


def test_a_position_is_read_from_a_line_of_columns() -> None:
    position = parse_position("XO/X// O", RULES)
    assert position.grid == ("XO", "X", "", "")
    assert position.turn is YELLOW
    assert position.outcome is None


def test_a_position_is_read_from_a_drawing() -> None:
    assert parse_position("....\nO...\nXX..\nO to move", RULES) == parse_position("XO/X// O", RULES)
    drawing = """
        . . . .
        O . . .

        X X . .
        yellow
    """
    assert parse_position(dedent(drawing), RULES) == parse_position("XO/X// O", RULES)


@pytest.mark.parametrize("side", ["O", "o", "yellow", "Yellow", "O to move", "yellow TO MOVE"])
def test_the_side_to_move_is_a_letter_or_a_colour(side: str) -> None:
    assert parse_position(f"X/// {side}", RULES).turn is YELLOW


def test_empty_cells_may_be_written_as_dots_and_letters_small() -> None:
    assert parse_position("xo./X../.../... o", RULES).grid == ("XO", "X", "", "")


def test_a_game_played_on_from_a_set_up_position_follows_the_rules() -> None:
    assert parse_position("XX/O/O/ X", RULES).drop(1).outcome is not None


def test_a_position_is_written_as_it_is_read() -> None:
    for text in ("/// X", "XO/X// O", "XOX/OO// O"):
        assert position_text(parse_position(text, RULES)) == text


def test_a_single_column_is_written_and_read_also_when_it_is_empty() -> None:
    rules = RuleSet.parse("popout 1x4")
    assert position_text(Position.start(rules)) == ". X"
    assert parse_position(". X", rules) == Position.start(rules)
    assert position_text(Position.start(rules).drop(1)) == "X O"


def test_a_drawing_has_the_top_row_first() -> None:
    assert draw(parse_position("XO/X// O", RULES)) == ". . . .\nO . . .\nX X . ."


def test_discs_in_hand_are_written_where_they_are_counted() -> None:
    rules = RuleSet.parse("popout 4x3 connect=3 supply=5")
    position = Position.start(rules)
    for move in ("d1", "d2", "p1"):
        position = position.play(parse_move(move))
    assert position_text(position) == "/O// O hands=4,4"
    assert parse_position("/O// O hands=4,4", rules) == position
    assert parse_position("....\n....\n.O..\nO to move HANDS=4,4", rules) == position


def test_all_discs_that_are_not_on_the_grid_are_in_hand_unless_said_otherwise() -> None:
    position = parse_position("XO/X// O", RuleSet.parse("popout 4x3 connect=3 supply=5"))
    assert (position.in_hand(RED), position.in_hand(YELLOW)) == (3, 4)


@pytest.mark.parametrize(
    ("text", "line", "column", "reason", "sentence"),
    [
        ("", 1, 1, "unreadable", "The position is missing. Write for example X/O///// X."),
        ("\n \n", 1, 1, "unreadable", "The position is missing. Write for example X/O///// X."),
        ("XO/X//", 1, 7, "unreadable",
         "The side to move is missing. Write X (red) or O (yellow) after the position."),
        ("XO/X//  blue", 1, 9, "unreadable",
         "The side to move is missing. Write X (red) or O (yellow) after the position."),
        ("....\n....\nX . O .", 3, 1, "unreadable",
         "The side to move is missing. Write X (red) or O (yellow) after the position."),
        ("....\n....\n...X", 3, 1, "unreadable",
         "The side to move is missing. Write X (red) or O (yellow) after the position."),
        ("/// X please", 1, 7, "unreadable",
         '"please" after the side to move cannot be read. Leave it out. '
         "What may follow there is for example hands=19,20 (red's, then yellow's)."),
        ("/// X hands=1", 1, 7, "unreadable",
         '"hands=1" after the side to move cannot be read. Leave it out. '
         "What may follow there is for example hands=19,20 (red's, then yellow's)."),
        ("  XO/Z// O", 1, 6, "unreadable",
         '"Z" is no disc. Write X (red), O (yellow) and / between columns.'),
        ("\n/\x1b// X", 2, 2, "unreadable",
         '"\\x1b" is no disc. Write X (red), O (yellow) and / between columns.'),
        ("....\r\n..7.\r\nX...\r\nO", 2, 3, "unreadable",
         '"7" is no cell. Write X (red), O (yellow) or . (empty).'),
        ("....\n...\nX...\nO", 2, 1, "wrong-size",
         "This row has 3 cells, but the grid is 4x3 (columns x rows)."),
        (".\n....\nX...\nO", 1, 1, "wrong-size",
         "This row has one cell, but the grid is 4x3 (columns x rows)."),
        ("\n....\nX...\nO", 2, 1, "wrong-size",
         "The drawing has 2 rows, but the grid is 4x3 (columns x rows). Draw every row, and no more."),
        ("X...\nO", 1, 1, "wrong-size",
         "The drawing has one row, but the grid is 4x3 (columns x rows). Draw every row."),
    ],
)  # fmt: skip
def test_a_text_that_is_no_position_is_refused_with_the_place(
    text: str, line: int, column: int, reason: str, sentence: str
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(text, RULES)
    error = caught.value
    assert (error.line, error.column, error.reason, str(error)) == (line, column, reason, sentence)


@pytest.mark.parametrize(
    ("rules", "text", "code", "sentence"),
    [
        ("popout 4x3 connect=3", "X// O", "wrong-size",
         "The position has 3 columns, but the grid is 4x3 (columns x rows). Write every column, empty ones too."),
        ("popout 4x3 connect=3", "X O", "wrong-size",
         "The position has one column, but the grid is 4x3 (columns x rows). Write every column, empty ones too."),
        ("popout 4x3 connect=3", "/XOXO// X", "wrong-size",
         "Column 2 has 4 discs, but there is room for 3. Take the discs on top out."),
        ("popout 4x3 connect=3", "/X.O// X", "floating-disc",
         "A disc floats in column 2: row 2 under it is empty. Let the disc fall, or fill the empty cell."),
        ("popout 4x3 connect=3", "X/X/X/OOX X", "already-decided",
         "Red has 3 in a row already, from column 1, row 1 to column 3, row 1, so this game is over. "
         "Take one of these discs out of the position."),
        ("popout 4x3 connect=3", "OOO/X/X/O O", "already-decided",
         "Yellow has 3 in a row already, from column 1, row 1 to column 1, row 3, so this game is over. "
         "Take one of these discs out of the position."),
        ("popout 3x2 connect=3", "XO/OX/XO X", "already-decided",
         "The grid is full, so this game is over. Take a disc out of the position, or begin a new game."),
        ("popout 4x3 connect=3", "X/// X", "wrong-side-to-move",
         "With one disc on the grid it is yellow's turn, not red's. Let yellow move, or correct the discs."),
        ("popout 4x3 connect=3", "X/O// O", "wrong-side-to-move",
         "With 2 discs on the grid it is red's turn, not yellow's. Let red move, or correct the discs."),
        ("popout 4x3 connect=3 first=yellow", "/// X", "wrong-side-to-move",
         "With 0 discs on the grid it is yellow's turn, not red's. Let yellow move, or correct the discs."),
        ("standard 4x3 connect=3", "X/O/O/ O", "too-many-discs",
         "Discs on the grid: red 1, yellow 2. Red began and discs never leave this game, "
         "so red must have as many as yellow, or one more."),
        ("standard 4x3 connect=3", "XX/// X", "too-many-discs",
         "Discs on the grid: red 2, yellow 0. Red began and discs never leave this game, "
         "so red must have as many as yellow, or one more."),
        ("standard 4x3 connect=3 first=yellow", "X/// O", "too-many-discs",
         "Discs on the grid: red 1, yellow 0. Yellow began and discs never leave this game, "
         "so yellow must have as many as red, or one more."),
        ("standard 4x3 connect=3", "X/// X", "wrong-side-to-move",
         "With one disc on the grid it is yellow's turn, not red's. Let yellow move, or correct the discs."),
        ("popout 4x3 connect=3 supply=1", "XX/OO// X", "too-many-discs",
         "Red has 2 discs on the grid, but only 1 in all (rule supply=1). Take some out."),
        ("popout 4x3 connect=3 supply=1", "X/OO// X", "too-many-discs",
         "Yellow has 2 discs on the grid, but only 1 in all (rule supply=1). Take some out."),
        ("popout 4x3 connect=3", "/// X hands=3,3", "discs-in-hand",
         'These rules do not count the discs in hand. Leave "hands" out, or add the option "supply=21".'),
        ("popout 4x3 connect=3 supply=5", "X/O// X hands=5,4", "discs-in-hand",
         "Red cannot have 5 in hand and 1 on the grid: there are 5 in all (rule supply=5)."),
        ("popout 4x3 connect=3 supply=5", "X/O// X hands=4,9", "discs-in-hand",
         "Yellow cannot have 9 in hand and 1 on the grid: there are 5 in all (rule supply=5)."),
        ("standard 4x3 connect=3 supply=5", "X/O// X hands=4,3", "discs-in-hand",
         "Yellow cannot have 3 in hand and 1 on the grid: there are 5 in all (rule supply=5)."),
        ("popout 4x3 connect=3 supply=2", "XO/// O hands=1,0", "cannot-move",
         "Yellow cannot move in this position. Give the turn to red."),
        ("popout 2x2 connect=3 allow-unwinnable=yes full-grid=continue", "OX/OX X", "cannot-move",
         "Red cannot move in this position. Give the turn to yellow."),
        ("popout 4x3 connect=3 supply=2 empty-grid=continue", "/// X hands=0,0", "already-decided",
         "Neither side can move, so this game is over. Set up another position."),
    ],
)  # fmt: skip
def test_an_impossible_position_is_refused_with_what_is_impossible(
    rules: str, text: str, code: str, sentence: str
) -> None:
    with pytest.raises(SetupError) as caught:
        parse_position(text, RuleSet.parse(rules))
    assert (caught.value.code, str(caught.value)) == (code, sentence)


def test_a_mark_that_is_no_disc_is_named_with_its_cell() -> None:
    with pytest.raises(SetupError) as caught:
        set_up(RULES, ("X", "OR", "", ""), RED)
    assert str(caught.value) == 'Column 2, row 2: "R" is no disc. Write X (red), O (yellow) or . (empty).'


def test_discs_without_a_turn_are_checked_only_for_whether_they_can_lie_like_that() -> None:
    assert checked_grid(RULES, ("xo.", "XXX", "", "...")) == ("XO", "XXX", "", "")
    with pytest.raises(SetupError) as caught:
        checked_grid(RULES, ("", ".X", "", ""))
    assert caught.value.code == "floating-disc"


def test_pops_can_leave_one_side_with_many_more_discs() -> None:
    assert parse_position("XX/X//X X", RULES).turn is RED


def test_after_a_side_was_passed_over_the_counts_say_nothing_about_the_turn() -> None:
    rules = RuleSet.parse("popout 4x3 connect=3 supply=5")
    assert parse_position("X/// X", rules).turn is RED
    assert parse_position("X/// O", rules).turn is YELLOW


def test_a_full_grid_that_plays_on_can_be_set_up() -> None:
    rules = RuleSet.parse("popout 3x2 connect=3 full-grid=continue")
    assert len(parse_position("XO/OX/XO X", rules).legal_moves) == 2


def test_nobody_has_fewer_than_no_discs_in_hand() -> None:
    with pytest.raises(SetupError) as caught:
        set_up(RuleSet.parse("popout 4x3 connect=3 supply=5"), ("X", "O", "", ""), RED, Beside(hands=(4, -1)))
    assert caught.value.code == "discs-in-hand"
    assert str(caught.value) == ("Yellow cannot have -1 in hand and 1 on the grid: there are 5 in all (rule supply=5).")
