"""5-in-a-Row: filled outer columns, and what they change in every combination, as stories on drawn boards."""

from __future__ import annotations

import pytest

from popout.rules import (
    RED,
    NotationError,
    Outcome,
    Position,
    RuleSet,
    RuleSetError,
    SetupError,
    Termination,
    parse_position,
)
from stories import after, drawn, ending, game_after, legal, looks_like, played, refused


def test_two_extra_columns_stand_filled_at_the_left_and_right_of_the_grid() -> None:
    position = Position.start(RuleSet("five"))
    assert (position.rules.columns, position.rules.width, position.rules.first_column) == (7, 9, 2)
    assert looks_like(
        position,
        """
        O . . . . . . . O
        X . . . . . . . X
        O . . . . . . . O
        X . . . . . . . X
        O . . . . . . . O
        X . . . . . . . X
        """,
    )
    assert position.playable_grid == ("",) * 7


def test_five_in_a_row_wins_and_four_do_not() -> None:
    four = played("five", "d3 d3 d4 d4 d5 d5 d6")
    assert four.outcome is None
    assert after(four, "d6 d7").outcome == Outcome(Termination.LINE, RED)
    assert ending(game_after(four, "d6 d7")) == "Red wins: 5 in a row."


def test_five_are_needed_in_every_combination_and_another_number_may_be_chosen() -> None:
    for game in ("five", "five+pop", "five+power", "five+power+pop", "pop10+five"):
        assert RuleSet(game).connect == 5
    assert RuleSet.parse("five connect=4").connect == 4


def test_a_flank_disc_is_part_of_the_five() -> None:
    position = played("five", "d2 d2 d3 d3 d4 d4 d5")
    assert position.outcome == Outcome(Termination.LINE, RED)
    assert position.lines(RED) == (((1, 1), (2, 1), (3, 1), (4, 1), (5, 1)),)
    assert played("five flanks=YR", "d2 d2 d3 d3 d4 d4 d5").outcome is None


def test_a_flank_disc_is_part_of_a_diagonal() -> None:
    position = drawn(
        "five 3x3 connect=3",
        """
        X . . . X
        O X . . O
        X O . . X
        X to move
        """,
    )
    won = after(position, "d3")
    assert (won.outcome, won.lines(RED)) == (Outcome(Termination.LINE, RED), (((1, 3), (2, 2), (3, 1)),))


def test_both_flanks_may_be_part_of_one_line() -> None:
    position = played("five 3x4", "d2 d2 d3 d3 d4")
    assert position.lines(RED) == (((1, 1), (2, 1), (3, 1), (4, 1), (5, 1)),)


@pytest.mark.parametrize("column", [1, 9])
def test_flanks_can_be_neither_dropped_into_nor_popped(column: int) -> None:
    sentence = f"Column {column} is a filled outer column: its discs stay. Choose a column from 2 to 8."
    position = played("five+power+pop", "d2 d3")
    for move in ("d", "p", "a", "b", "w", "x"):
        assert refused(position, f"{move}{column}") == ("flank-column", sentence)
    assert refused(after(position, "b4"), f"p{column}") == ("flank-column", sentence)
    assert refused(after(position, "x4"), f"d{column}") == ("flank-column", sentence)


@pytest.mark.parametrize("column", [0, 10])
def test_there_is_no_column_beside_the_flanks(column: int) -> None:
    position = Position.start(RuleSet("five+pop"))
    sentence = f"There is no column {column}. Choose a column from 2 to 8."
    assert refused(position, f"d{column}") == refused(position, f"p{column}") == ("no-such-column", sentence)


def test_a_single_playable_column_says_so() -> None:
    assert refused(Position.start(RuleSet.parse("five 1x6")), "d4") == (
        "no-such-column",
        "There is no column 4. The grid has only column 2.",
    )


def test_flanks_can_be_neither_dropped_into_nor_popped_in_the_game_without_pops() -> None:
    assert legal(Position.start(RuleSet("five"))) == "d2 d3 d4 d5 d6 d7 d8"
    assert refused(Position.start(RuleSet("five")), "p2")[0] == "pops-not-in-this-game"


def test_full_is_judged_on_the_playable_columns() -> None:
    position = drawn(
        "five 2x2 connect=4",
        """
        O X . O
        X O X X
        O to move
        """,
    )
    assert after(position, "d3").outcome == Outcome(Termination.FULL)


def test_empty_is_judged_on_the_playable_columns() -> None:
    game = game_after(Position.start(RuleSet("five+pop")), "d2 d8 p2 p8")
    assert game.outcome == Outcome(Termination.EMPTY)
    assert played("five+pop empty-grid=continue", "d2 d8 p2 p8").outcome is None


def test_a_pop_lines_up_with_a_flank_disc() -> None:
    position = drawn(
        "five+pop 3x3 connect=3",
        """
        X . . . X
        O . X . O
        X X O . X
        O to move
        """,
    )
    game = game_after(position, "p3")
    assert game.outcome == Outcome(Termination.OPPONENT_LINE, RED)
    assert ending(game) == "Red wins: yellow's pop gave red 3 in a row."


# The questions


@pytest.mark.parametrize(
    ("option", "left", "right"),
    [
        ("", "XOXOXO", "XOXOXO"),
        (" flanks=RR", "XOXOXO", "XOXOXO"),
        (" flanks=YY", "OXOXOX", "OXOXOX"),
        (" flanks=RY", "XOXOXO", "OXOXOX"),
        (" flanks=YR", "OXOXOX", "XOXOXO"),
    ],
)
def test_the_colour_at_the_bottom_of_the_flanks_is_red_unless_the_option_says_otherwise(
    option: str, left: str, right: str
) -> None:
    grid = Position.start(RuleSet.parse(f"five{option}")).grid
    assert (grid[0], grid[-1]) == (left, right)


@pytest.mark.parametrize("first", ["red", "yellow"])
def test_the_flanks_are_the_same_whoever_begins(first: str) -> None:
    assert Position.start(RuleSet("five", first=first)).grid[0] == "XOXOXO"


def test_other_sizes_are_two_columns_wider() -> None:
    rules = RuleSet.parse("five 3x4")
    assert (rules.width, rules.connect) == (5, 5)
    assert len(Position.start(RuleSet.parse("five 32x32")).grid) == 34


def test_a_line_that_nobody_can_make_is_measured_on_the_whole_grid() -> None:
    assert RuleSet.parse("five 3x2").connect == 5
    with pytest.raises(RuleSetError) as caught:
        RuleSet.parse("five 2x2")
    assert str(caught.value) == (
        "Nobody can make a line of 5 on a grid of 4x2. "
        'Choose a shorter line (connect), or add the option "allow-unwinnable=yes".'
    )


def test_a_line_of_one_is_refused_since_the_flanks_would_be_lines_from_the_beginning() -> None:
    with pytest.raises(RuleSetError) as caught:
        RuleSet.parse("five connect=1 allow-unwinnable=yes")
    assert (caught.value.code, str(caught.value)) == (
        "size-out-of-range",
        "A line of 1 cannot be played with filled outer columns: each of their discs would be a line from the "
        "beginning. Choose a line length (connect) from 2 to 32.",
    )


# Set up


@pytest.mark.parametrize(
    ("text", "code", "sentence"),
    [
        ("XO///OX X", "wrong-flanks",
         "The outer columns are not filled as the rules say (flanks=RR): "
         "alternating, from the bottom of column 1 and of column 4 on."),
        ("X///XO X", "wrong-flanks",
         "The outer columns are not filled as the rules say (flanks=RR): "
         "alternating, from the bottom of column 1 and of column 4 on."),
        ("/ X", "wrong-size",
         "The position has 2 columns, but with its filled outer columns the grid is 4x2 (columns x rows). "
         "Write every column, empty and outer ones too."),
        ("XO X", "wrong-size",
         "The position has one column, but with its filled outer columns the grid is 4x2 (columns x rows). "
         "Write every column, empty and outer ones too."),
        ("XO/X//XO X", "wrong-side-to-move",
         "With one disc on the grid it is yellow's turn, not red's. Let yellow move, or correct the discs."),
    ],
)  # fmt: skip
def test_a_position_that_the_flanks_make_impossible_is_refused(text: str, code: str, sentence: str) -> None:
    with pytest.raises(SetupError) as caught:
        parse_position(text, RuleSet.parse("five+pop 2x2 connect=4"))
    assert (caught.value.code, str(caught.value)) == (code, sentence)


@pytest.mark.parametrize(
    ("drawing", "sentence"),
    [
        (". .\n. .\nX", "This row has 2 cells, but with its filled outer columns the grid is 4x2 (columns x rows)."),
        (".\n. .\nX", "This row has one cell, but with its filled outer columns the grid is 4x2 (columns x rows)."),
    ],
)
def test_a_drawing_without_the_flanks_is_refused(drawing: str, sentence: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(drawing, RuleSet.parse("five 2x2 connect=4"))
    assert (caught.value.reason, str(caught.value)) == ("wrong-size", sentence)


def test_a_drawing_has_the_flanks_in_it() -> None:
    position = drawn(
        "five 2x2 connect=4",
        """
        O . . O
        X X . X
        O to move
        """,
    )
    assert position == played("five 2x2 connect=4", "d2")
