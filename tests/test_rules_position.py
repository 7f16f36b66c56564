"""Every line of the rules of the original and of Pop Out, and every option, as a story on a drawn board."""

from __future__ import annotations

import pickle

import pytest

from popout.rules import (
    RED,
    YELLOW,
    Claim,
    Drop,
    Outcome,
    Pop,
    Position,
    RuleSet,
    Termination,
)
from popout.rules.errors import NoSuchCell
from stories import drawn, looks_like, played, refused

# The original


def test_red_starts_on_an_empty_grid_of_7_by_6_and_players_alternate() -> None:
    position = Position.start(RuleSet("standard"))
    assert position.grid == ("",) * 7
    assert (position.rules.columns, position.rules.rows, position.rules.connect) == (7, 6, 4)
    assert [position.turn, position.drop(1).turn, position.drop(1).drop(1).turn] == [RED, YELLOW, RED]


def test_the_option_first_lets_yellow_start() -> None:
    position = Position.start(RuleSet.parse("standard first=yellow"))
    assert position.turn is YELLOW
    assert position.drop(4).disc(4, 1) is YELLOW


def test_a_disc_falls_to_the_lowest_free_cell_of_its_column() -> None:
    position = drawn(
        "standard 3x3 connect=3",
        """
        . . .
        . O .
        . X .
        X to move
    """,
    )
    assert looks_like(
        position.drop(2),
        """
        . X .
        . O .
        . X .
    """,
    )


def test_a_disc_can_be_dropped_in_any_column_that_is_not_full() -> None:
    position = drawn(
        "standard 4x2 connect=3",
        """
        . O . O
        . X . X
        X to move
    """,
    )
    assert position.legal_moves == (Drop(1), Drop(3))
    assert refused(position, Drop(2)) == ("column-full", "Column 2 is full. Choose another column.")


@pytest.mark.parametrize("column", [0, 8, -1, 999])
def test_there_is_no_column_beside_the_grid(column: int) -> None:
    position = Position.start(RuleSet())
    sentence = f"There is no column {column}. Choose a column from 1 to 7."
    assert refused(position, Drop(column)) == ("no-such-column", sentence)
    assert refused(position, Pop(column)) == ("no-such-column", sentence)


def test_a_grid_of_one_column_says_so() -> None:
    position = Position.start(RuleSet.parse("popout 1x6"))
    assert refused(position, Drop(2)) == ("no-such-column", "There is no column 2. The grid has only column 1.")


def test_there_are_no_pops_in_the_original() -> None:
    position = played("standard", "d1 d2")
    assert position.legal_moves == tuple(Drop(column) for column in range(1, 8))
    assert refused(position, Pop(1)) == (
        "pops-not-in-this-game",
        "There are no pops in this game. Close the bar and drop a disc, or start a game of Pop Out.",
    )


@pytest.mark.parametrize(
    ("moves", "line"),
    [
        ("d1 d1 d2 d2 d3 d3 d4", ((1, 1), (2, 1), (3, 1), (4, 1))),
        ("d4 d1 d5 d2 d6 d3 d7", ((4, 1), (5, 1), (6, 1), (7, 1))),
        ("d7 d1 d7 d1 d7 d1 d7", ((7, 1), (7, 2), (7, 3), (7, 4))),
        ("d1 d2 d2 d3 d3 d4 d3 d4 d4 d6 d4", ((1, 1), (2, 2), (3, 3), (4, 4))),
        ("d7 d6 d6 d5 d5 d4 d5 d4 d4 d2 d4", ((4, 4), (5, 3), (6, 2), (7, 1))),
    ],
    ids=["row", "row at the right edge", "last column", "rising", "falling"],
)
def test_the_first_line_wins_in_every_direction(moves: str, line: tuple[tuple[int, int], ...]) -> None:
    position = played("standard", moves)
    assert position.outcome == Outcome(Termination.LINE, RED)
    assert position.lines(RED) == position.outcome.lines(RED) == (line,)
    assert position.lines(YELLOW) == position.outcome.lines(YELLOW) == ()


def test_yellow_wins_with_its_own_line() -> None:
    assert played("standard", "d1 d2 d1 d2 d1 d2 d3 d2").outcome == Outcome(Termination.LINE, YELLOW)


def test_three_in_a_row_is_not_four() -> None:
    assert played("standard", "d1 d1 d2 d2 d3").outcome is None


def test_a_disc_that_completes_two_lines_shows_both() -> None:
    position = drawn(
        "standard 5x3 connect=3",
        """
        . . . . X
        O . . X O
        X X . O O
        X to move
    """,
    )
    outcome = position.drop(3).outcome
    assert outcome == Outcome(Termination.LINE, RED)
    assert outcome.lines(RED) == (((1, 1), (2, 1), (3, 1)), ((3, 1), (4, 2), (5, 3)))


def test_a_line_of_five_is_one_line_with_five_cells() -> None:
    position = played("standard", "d1 d1 d2 d2 d4 d4 d5 d5 d3")
    assert position.lines(RED) == (((1, 1), (2, 1), (3, 1), (4, 1), (5, 1)),)


def test_a_full_grid_without_a_line_is_a_draw() -> None:
    position = drawn(
        "standard 3x2 connect=3",
        """
        O X .
        X O X
        O to move
    """,
    )
    assert position.drop(3).outcome == Outcome(Termination.FULL)


def test_the_last_disc_may_win() -> None:
    """R5: lines are judged before the full grid."""
    position = drawn(
        "standard 3x3 connect=3",
        """
        X X .
        O O X
        O X O
        X to move
    """,
    )
    assert position.drop(3).outcome == Outcome(Termination.LINE, RED)


@pytest.mark.parametrize("moves", ["d1 d2 d1 d2 d1 d2 d1", "d1 d2 p1 p2"], ids=["a line", "an emptied grid"])
def test_after_the_end_nothing_can_be_done(moves: str) -> None:
    """R8: a game ends once."""
    position = played("popout", moves)
    assert position.outcome is not None
    assert position.legal_moves == ()
    for move in (Drop(3), Pop(1), Pop(2), Drop(99), Claim()):
        assert refused(position, move) == ("game-over", "The game is over. Start a new game to play on.")


def test_something_else_than_a_move_is_no_move() -> None:
    with pytest.raises(TypeError, match="a move is a Drop, a Pop, a Power or a Claim, not 'd4'"):
        Position.start(RuleSet()).play("d4")  # type: ignore[arg-type]


@pytest.mark.parametrize("column", ["4", 4.0, True, None, [4]])
@pytest.mark.parametrize("kind", [Drop, Pop])
def test_the_column_of_a_move_is_a_whole_number(kind: type[Drop] | type[Pop], column: object) -> None:
    with pytest.raises(TypeError, match="the column of a move is a whole number, not "):
        kind(column)  # type: ignore[arg-type]


# Pop Out


def test_the_first_move_is_always_a_drop() -> None:
    position = Position.start(RuleSet())
    assert position.legal_moves == tuple(Drop(column) for column in range(1, 8))
    assert refused(position, Pop(3)) == ("nothing-to-pop", "Column 3 is empty: there is nothing to pop.")


def test_a_turn_is_a_drop_or_a_pop_of_an_own_disc_of_the_bottom_row() -> None:
    position = drawn(
        "popout 4x3 connect=4",
        """
        . . . .
        O X . .
        X O . X
        O to move
    """,
    )
    assert position.legal_moves == (Drop(1), Drop(2), Drop(3), Drop(4), Pop(2))


def test_everything_above_a_popped_disc_comes_down_one_row_and_the_disc_leaves_the_game() -> None:
    position = drawn(
        "popout 3x4 connect=4",
        """
        O . .
        X . .
        O . .
        X . .
        X to move
    """,
    )
    after = position.pop(1)
    assert looks_like(
        after,
        """
        . . .
        O . .
        X . .
        O . .
    """,
    )
    assert after.turn is YELLOW
    assert after.outcome is None


def test_the_disc_of_the_opponent_cannot_be_popped() -> None:
    position = drawn(
        "popout 3x3 connect=3",
        """
        . . .
        O . .
        X O .
        O to move
    """,
    )
    assert refused(position, Pop(1)) == (
        "not-your-disc",
        "Column 1: the bottom disc is red's. You may pop only your own.",
    )
    assert refused(position.drop(3), Pop(2)) == (
        "not-your-disc",
        "Column 2: the bottom disc is yellow's. You may pop only your own.",
    )


def test_the_side_to_move_is_stored_and_the_opponents_pops_are_never_offered() -> None:
    """R3: after pops the discs say nothing about the turn."""
    position = played("popout", "d1 d2 d3 p2 d4 d5")
    assert position.grid == ("X", "", "X", "X", "O", "", "")
    assert position.turn is RED
    assert [move for move in position.legal_moves if isinstance(move, Pop)] == [Pop(1), Pop(3), Pop(4)]


def test_a_full_column_has_room_again_after_a_pop() -> None:
    position = drawn(
        "popout 2x2 connect=2 allow-unwinnable=no",
        """
        O .
        X .
        X to move
    """,
    )
    assert Drop(1) not in position.legal_moves
    assert Drop(1) in position.pop(1).legal_moves


def test_a_pop_that_makes_an_own_line_wins() -> None:
    position = drawn(
        "popout 4x3 connect=3",
        """
        X . . .
        O X X .
        X X O O
        X to move
    """,
    )
    after = position.pop(1)
    assert after.outcome == Outcome(Termination.LINE, RED)
    assert after.lines(RED) == (((1, 2), (2, 2), (3, 2)),)


BOTH = """
    X . . .
    O X X .
    X O O X
    X to move
"""


@pytest.mark.parametrize(
    ("option", "winner"),
    [("", RED), (" both-lines=mover", RED), (" both-lines=draw", None), (" both-lines=other", YELLOW)],
)
def test_a_pop_that_lines_up_both_sides_wins_for_the_one_who_popped_unless_the_option_says_otherwise(
    option: str, winner: object
) -> None:
    after = drawn(f"popout 4x3 connect=3{option}", BOTH).pop(1)
    assert after.outcome is not None
    assert after.outcome.termination is Termination.BOTH_LINES
    assert after.outcome.winner is winner
    assert after.outcome.lines(RED) == (((1, 2), (2, 2), (3, 2)),)
    assert after.outcome.lines(YELLOW) == (((1, 1), (2, 1), (3, 1)),)


def test_yellow_wins_with_lines_of_both_sides_if_yellow_popped() -> None:
    after = drawn(
        "popout 4x3 connect=3 first=yellow",
        """
        O . . .
        X O O .
        O X X O
        O to move
    """,
    ).pop(1)
    assert after.outcome == Outcome(Termination.BOTH_LINES, YELLOW)


@pytest.mark.parametrize("option", ["", " both-lines=draw", " both-lines=other"])
def test_a_pop_that_makes_a_line_only_for_the_other_side_loses(option: str) -> None:
    """R6: the winner is whose line it is, not who moved."""
    after = drawn(
        f"popout 4x3 connect=3{option}",
        """
        . . . .
        O . . .
        X O O .
        X to move
    """,
    ).pop(1)
    assert after.outcome == Outcome(Termination.OPPONENT_LINE, YELLOW)
    assert after.lines(YELLOW) == (((1, 1), (2, 1), (3, 1)),)


ALMOST_FULL = """
    O X .
    X O X
    O to move
"""


def test_a_drop_that_fills_the_grid_is_a_draw_also_when_a_pop_would_be_possible() -> None:
    assert drawn("popout 3x2 connect=3", ALMOST_FULL).drop(3).outcome == Outcome(Termination.FULL)


@pytest.mark.parametrize("option", ["", " full-grid=claim", " full-grid=continue"])
def test_a_drop_that_fills_the_grid_and_makes_a_line_wins(option: str) -> None:
    position = drawn(
        f"popout 3x2 connect=3{option}",
        """
        O O .
        X O X
        O to move
    """,
    )
    assert position.drop(3).outcome == Outcome(Termination.LINE, YELLOW)


def test_a_full_grid_may_play_on_with_pops_only() -> None:
    position = drawn("popout 3x2 connect=3 full-grid=continue", ALMOST_FULL).drop(3)
    assert position.outcome is None
    assert position.legal_moves == (Pop(1), Pop(3))
    assert refused(position, Drop(1)) == ("column-full", "Column 1 is full. Choose another column.")
    assert position.pop(1).legal_moves == (Drop(1), Pop(1), Pop(2))


def test_on_a_full_grid_a_side_without_an_own_disc_in_the_bottom_row_is_passed_over() -> None:
    position = drawn(
        "popout 2x2 connect=3 allow-unwinnable=yes full-grid=continue",
        """
        O .
        X X
        X to move
    """,
    ).drop(2)
    assert position.turn is RED
    assert position.legal_moves == (Pop(1), Pop(2))
    assert position.pop(1).turn is YELLOW


def test_on_a_full_grid_the_side_to_move_may_claim_the_draw_or_pop() -> None:
    position = drawn("popout 3x2 connect=3 full-grid=claim", ALMOST_FULL).drop(3)
    assert position.outcome is None
    assert position.legal_moves == (Pop(1), Pop(3), Claim())
    assert position.play(Claim()).outcome == Outcome(Termination.CLAIM)
    assert Claim() not in position.pop(1).legal_moves


def test_a_side_that_can_only_claim_is_not_passed_over() -> None:
    position = drawn(
        "popout 2x2 connect=3 allow-unwinnable=yes full-grid=claim",
        """
        . O
        X X
        O to move
    """,
    ).drop(1)
    assert position.turn is RED
    position = drawn(
        "popout 2x2 connect=3 allow-unwinnable=yes full-grid=claim first=yellow",
        """
        . O
        X X
        X to move
    """,
    ).drop(1)
    assert position.legal_moves == (Claim(),)


def test_a_draw_can_be_claimed_only_on_a_full_grid_and_only_with_the_option() -> None:
    assert refused(Position.start(RuleSet.parse("popout full-grid=claim")), Claim()) == (
        "nothing-to-claim",
        "A draw can be claimed only when the grid is full.",
    )
    assert refused(drawn("popout 3x2 connect=3 full-grid=continue", ALMOST_FULL).drop(3), Claim()) == (
        "nothing-to-claim",
        'A draw cannot be claimed by these rules. The option "full-grid=claim" would allow it.',
    )


def test_a_grid_emptied_by_pops_is_a_draw() -> None:
    assert played("popout", "d4 d4 p4 p4").outcome == Outcome(Termination.EMPTY)


def test_an_emptied_grid_may_play_on() -> None:
    position = played("popout empty-grid=continue", "d4 d4 p4 p4")
    assert position.outcome is None
    assert position == Position.start(position.rules)


def test_the_empty_grid_at_the_start_and_a_single_disc_are_no_end() -> None:
    assert Position.start(RuleSet()).outcome is None
    assert played("popout", "d4").outcome is None


def test_on_a_grid_one_row_high_a_pop_empties_the_column() -> None:
    position = played("popout 5x1 connect=3", "d1 d5 p1")
    assert position.grid == ("", "", "", "", "O")
    assert position.drop(1).grid == ("O", "", "", "", "O")


def test_a_line_longer_than_both_sides_of_the_grid_can_be_allowed_and_ends_in_a_draw() -> None:
    rules = "popout 3x2 connect=4 allow-unwinnable=yes"
    assert played(rules, "d1 d1 d2 d2 d3 d3").outcome == Outcome(Termination.FULL)


def test_a_line_of_one_can_be_allowed_and_ends_with_the_first_disc() -> None:
    position = played("popout 3x2 connect=1 allow-unwinnable=yes", "d2")
    assert position.outcome == Outcome(Termination.LINE, RED)
    assert position.lines(RED) == (((2, 1),),)


@pytest.mark.parametrize(("columns", "rows"), [(7, 6), (1, 6), (8, 1), (32, 32), (4, 4)])
def test_any_size_is_played_as_asked_for(columns: int, rows: int) -> None:
    """R2: no size is replaced, and none is too large for the numbers behind it."""
    position = Position.start(RuleSet("popout", columns, rows))
    assert len(position.legal_moves) == columns
    for _ in range(rows):
        assert Drop(columns) in position.legal_moves
        position = position.drop(columns)  # both sides into one column: no line
    assert position.grid == ("",) * (columns - 1) + (("XO" * rows)[:rows],)
    assert Drop(columns) not in position.legal_moves


# Discs that are counted


def test_a_side_with_no_disc_left_to_drop_must_pop() -> None:
    position = played("popout 3x3 connect=3 supply=1", "d1 d1")
    assert (position.in_hand(RED), position.in_hand(YELLOW)) == (0, 0)
    assert position.legal_moves == (Pop(1),)
    assert refused(position, Drop(2)) == (
        "no-discs-left",
        "Red has no discs left to drop. Pop one of your own.",
    )


def test_yellow_is_told_that_it_has_no_disc_left() -> None:
    position = drawn(
        "popout 3x3 connect=3 supply=2",
        """
        . . .
        . . .
        O X .
        O to move hands=1,0
    """,
    )
    assert refused(position, Drop(2)) == (
        "no-discs-left",
        "Yellow has no discs left to drop. Pop one of your own.",
    )


def test_a_popped_disc_does_not_come_back() -> None:
    position = played("popout supply=21", "d1 d2 p1")
    assert (position.in_hand(RED), position.in_hand(YELLOW)) == (20, 20)


def test_discs_in_hand_are_not_counted_unless_asked_for() -> None:
    position = Position.start(RuleSet())
    assert position.in_hand(RED) is position.in_hand(YELLOW) is None


def test_a_side_with_nothing_to_drop_and_nothing_to_pop_is_passed_over() -> None:
    position = drawn(
        "popout 3x3 connect=3 supply=2",
        """
        . . .
        O . .
        X . .
        X to move hands=1,0
    """,
    ).drop(2)
    assert position.turn is RED
    assert position.legal_moves == (Pop(1), Pop(2))
    assert (position.in_hand(RED), position.in_hand(YELLOW)) == (0, 0)
    assert position.pop(1).turn is YELLOW


def test_nobody_can_move_is_a_draw() -> None:
    assert played("standard 3x3 connect=3 supply=1", "d1 d2").outcome == Outcome(Termination.STUCK)
    rules = "popout 3x3 connect=3 supply=1 empty-grid=continue"
    assert played(rules, "d1 d2 p1 p2").outcome == Outcome(Termination.STUCK)


def test_an_emptied_grid_is_called_empty_before_it_is_called_stuck() -> None:
    assert played("popout 3x3 connect=3 supply=1", "d1 d2 p1 p2").outcome == Outcome(Termination.EMPTY)


# What a position shows


def test_a_position_shows_each_cell() -> None:
    position = drawn(
        "popout 3x3 connect=3",
        """
        . . .
        O . .
        X . .
        X to move
    """,
    )
    assert [position.disc(1, row) for row in (1, 2, 3)] == [RED, YELLOW, None]


@pytest.mark.parametrize("cell", [(0, 1), (4, 1), (1, 0), (1, 3), (-1, -1)])
def test_a_cell_that_is_not_on_the_grid_is_an_error_that_names_it(cell: tuple[int, int]) -> None:
    with pytest.raises(NoSuchCell) as caught:
        Position.start(RuleSet.parse("popout 3x2 connect=3")).disc(*cell)
    assert (caught.value.code, str(caught.value)) == (
        "no-such-cell",
        f"There is no cell in column {cell[0]}, row {cell[1]}: the grid is 3x2 (columns x rows).",
    )


def test_positions_reached_in_different_ways_are_equal_if_the_same_can_happen() -> None:
    one, other = played("popout", "d1 d2 d3 d4"), played("popout", "d3 d4 d1 d2")
    assert (one, hash(one)) == (other, hash(other))
    assert one != played("popout", "d1 d2 d4 d3")
    assert played("popout", "d1") != played("standard", "d1")
    few, many = played("popout supply=9", "d1 d2 d1 d2 p1 p2"), played("popout supply=9", "d1 d2")
    assert few.grid == many.grid
    assert few != many


def test_a_position_can_be_sent_to_another_process() -> None:
    position = played("popout supply=21", "d1 d2 p1")
    assert position.rules.grid.columns == 7
    sent = pickle.loads(pickle.dumps(position))
    assert (sent, hash(sent)) == (position, hash(position))
    assert sent.turn is YELLOW


def test_the_same_discs_with_the_other_side_to_move() -> None:
    position = played("popout supply=9", "d1 d2 p1")
    turned = position.turned()
    assert (turned.grid, turned.turn) == (position.grid, RED)
    assert [turned.in_hand(side) for side in (RED, YELLOW)] == [position.in_hand(side) for side in (RED, YELLOW)]
    assert turned.turned() == position
