"""A board in letters: shapes, marks, sizes, colours."""

from __future__ import annotations

import pytest

from popout.rules import Game, RuleSet, parse_move, parse_position
from popout.views.drawing import Style, draw_game, wrap

PLAIN = Style(symbols=False)


def game(rules: str, moves: str = "") -> Game:
    played = Game.start(RuleSet.parse(rules))
    for move in moves.split():
        played = played.play(parse_move(move))
    return played


def drawn(played: Game, style: Style = PLAIN) -> str:
    return "\n".join(("", *draw_game(played, style), ""))


def test_an_empty_board():
    assert (
        drawn(game("popout 4x3 connect=3"))
        == """
 3 | . . . . |
 2 | . . . . |
 1 | . . . . |
   +---------+
     1 2 3 4
"""
    )


def test_red_and_yellow_have_different_shapes_and_the_last_disc_a_mark():
    assert (
        drawn(game("popout 4x3 connect=3", "d1 d2 d2"))
        == """
 3 | . . . . |
 2 | .>X . . |
 1 | X O . . |
   +---------+
     1 2 3 4
"""
    )


def test_symbols_where_the_screen_has_them():
    assert (
        drawn(game("popout 4x3 connect=3", "d1 d2 d2"), Style())
        == """
 3 │ · · · · │
 2 │ ·>● · · │
 1 │ ● ○ · · │
   └─────────┘
     1 2 3 4
"""
    )


def test_a_pop_marks_the_number_of_its_column():
    assert (
        drawn(game("popout 4x3 connect=3", "d2 d2 p2"))
        == """
 3 | . . . . |
 2 | . . . . |
 1 | . O . . |
   +---------+
     1>2 3 4
"""
    )


def test_the_winning_line_is_marked_and_the_last_disc_no_more():
    assert (
        drawn(game("popout 4x3 connect=3", "d1 d1 d2 d2 d3"))
        == """
 3 | . . . . |
 2 | O O . . |
 1 |*X*X*X . |
   +---------+
     1 2 3 4
"""
    )


def test_lines_of_both_sides_have_marks_of_their_own():
    rules = RuleSet.parse("popout 4x3 connect=3")
    before = Game.from_position(parse_position("XOX/OX/OX/X X", rules))

    assert (
        drawn(before.play(parse_move("p1")))
        == """
 3 | . . . . |
 2 |*X*X*X . |
 1 |+O+O+O X |
   +---------+
    >1 2 3 4
"""
    )


def test_two_digits_stand_above_each_other():
    assert (
        drawn(game("popout 12x1", "d11 d12 p11"))
        == """
 1 | . . . . . . . . . . . O |
   +-------------------------+
                       1 1 1
     1 2 3 4 5 6 7 8 9 0>1 2
"""
    )


def test_the_largest_board_fits_on_a_screen_of_eighty_letters():
    assert max(map(len, draw_game(game("popout 32x32"), Style()))) <= 80


def test_colours_help_and_do_not_replace_the_shapes():
    line = draw_game(game("popout 4x1", "d1 d2"), Style(colour=True))[0]

    assert line == " 1 │\x1b[91m ●\x1b[0m\x1b[1m\x1b[93m>○\x1b[0m · · │"


def test_a_style_names_every_letter_that_it_draws():
    text = drawn(game("popout 12x3", "d1 d2 p1 d1 d1"), Style())

    assert {letter for letter in text if not letter.isascii()} <= set(Style().characters())
    assert drawn(game("popout 12x3", "d1 d2 p1"), PLAIN).isascii()


@pytest.mark.parametrize(
    ("width", "lines"),
    [(None, ["Red drops a disc."]), (17, ["Red drops a disc."]), (11, ["Red drops a", "disc."])],
)
def test_sentences_are_broken_between_words(width: int | None, lines: list[str]):
    assert wrap("Red drops a disc.", Style(width=width)) == lines
