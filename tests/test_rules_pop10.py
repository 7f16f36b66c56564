"""Pop 10: every line of its rules and every option, as a story on a drawn board."""

from __future__ import annotations

import pytest

from popout.rules import (
    RED,
    YELLOW,
    Game,
    Outcome,
    Phase,
    Position,
    RuleSet,
    RuleSetError,
    Side,
    Termination,
    describe,
    parse_move,
    passed_over,
)
from stories import after, drawn, ending, game_after, legal, looks_like, played, refused, waits

ANY_TARGET = "target=5 allow-unwinnable=yes"
"""So that small boards do not end at once."""

FOURS = """
    O O O X O
    X X X O X
    X to move
"""


def kept(position: Position) -> tuple[int, int]:
    return position.kept(RED), position.kept(YELLOW)


# Filling


def test_every_disc_goes_into_the_row_being_filled_the_bottom_row_first() -> None:
    position = played("pop10 3x2 connect=3 target=1", "d2")
    assert position.phase is Phase.FILL
    assert legal(position) == "d1 d3"
    assert waits(position) == "Yellow to fill row 1: drop a disc into a free cell of it."
    assert refused(position, "d2") == (
        "row-not-full",
        "Row 1 is being filled, and its cell in column 2 has a disc. Choose another column.",
    )
    assert waits(after(position, "d1 d3")) == "Yellow to fill row 2: drop a disc into a free cell of it."


def test_the_last_row_is_filled_like_the_others() -> None:
    position = played("pop10 3x2 connect=3 target=1", "d1 d2 d3 d1")
    assert legal(position) == "d2 d3"
    assert refused(position, "d1") == ("column-full", "Column 1 is full. Choose another column.")
    assert refused(position, "d4") == ("no-such-column", "There is no column 4. Choose a column from 1 to 3.")


def test_lines_made_while_filling_count_for_nothing() -> None:
    position = played("pop10 4x2 connect=2 target=3", "d1 d4 d2 d3")
    assert position.lines(RED)
    assert position.lines(YELLOW)
    assert position.outcome is None
    assert position.turn is RED


def test_no_disc_is_popped_before_the_grid_is_full() -> None:
    assert refused(played("pop10", "d1 d2"), "p1") == (
        "fill-first",
        "The grid must be full before a disc is popped. Drop a disc.",
    )


def test_player_1_fills_first_player_2_last_so_player_1_pops_first() -> None:
    rules = "pop10 4x2 connect=3 target=2"
    almost = played(rules, "d1 d2 d3 d4 d1 d2 d3")
    assert (almost.phase, almost.turn) == (Phase.FILL, YELLOW)
    full = after(almost, "d4")
    assert (full.phase, full.turn, full.is_full) == (Phase.POP, RED, True)
    assert legal(full) == "p1 p3"
    assert waits(full) == "Red to pop one of red's discs out of the bottom row."


def test_any_full_grid_may_also_be_the_start() -> None:
    position = drawn(
        "pop10 3x2 connect=3 target=1",
        """
        X X O
        X X O
        O to move
        """,
    )
    assert (position.phase, position.turn, legal(position)) == (Phase.POP, YELLOW, "p3")


# Popping


def test_a_disc_that_was_part_of_a_line_is_kept_and_the_same_side_must_pop_again() -> None:
    position = after(drawn(f"pop10 5x2 connect=3 {ANY_TARGET}", FOURS), "p1")
    assert looks_like(
        position,
        """
        . O O X O
        O X X O X
        """,
    )
    assert (position.turn, position.phase, kept(position)) == (RED, Phase.POP, (1, 0))
    assert legal(position) == "p2 p3 p5"
    assert refused(position, "d1") == (
        "pop-first",
        "Red must pop a disc: open the bar and press one of red's own out of the bottom row.",
    )


def test_a_drop_on_the_full_grid_is_told_that_a_pop_is_due_not_that_the_column_is_full() -> None:
    assert refused(drawn(f"pop10 5x2 connect=3 {ANY_TARGET}", FOURS), "d1")[0] == "pop-first"


def test_a_disc_that_was_not_part_of_a_line_is_put_back_in_the_top_and_the_turn_is_over() -> None:
    position = after(drawn(f"pop10 5x2 connect=3 {ANY_TARGET}", FOURS), "p1 p2")
    assert (position.turn, position.phase, kept(position)) == (RED, Phase.PUT, (1, 0))
    assert waits(position) == "Red to put the popped disc back into the top of another column."
    assert refused(position, "p3") == ("drop-first", "Put the popped disc back first: drop it into a column.")
    position = after(position, "d1")
    assert looks_like(
        position,
        """
        X . O X O
        O O X O X
        """,
    )
    assert (position.turn, position.phase, kept(position)) == (YELLOW, Phase.POP, (1, 0))


def test_it_is_never_put_into_the_column_it_came_from() -> None:
    position = after(drawn(f"pop10 5x2 connect=3 {ANY_TARGET}", FOURS), "p1 p2")
    assert legal(position) == "d1"
    assert refused(position, "d2") == (
        "put-back-same-column",
        "The disc came out of column 2. Put it back into another one.",
    )
    assert refused(position, "d3") == ("column-full", "Column 3 is full. Choose another column.")


def test_it_is_put_into_the_column_it_came_from_if_there_is_no_other() -> None:
    position = after(drawn(f"pop10 5x2 connect=3 {ANY_TARGET}", FOURS), "p5")
    assert legal(position) == "d5"
    assert waits(position) == "Red to put the popped disc back into column 5: every other column is full."
    assert after(position, "d5").grid[4] == "OX"


def test_the_opponents_disc_and_an_emptied_column_cannot_be_popped() -> None:
    position = drawn(f"pop10 5x2 connect=3 {ANY_TARGET}", FOURS)
    assert refused(position, "p4") == (
        "not-your-disc",
        "Column 4: the bottom disc is yellow's. You may pop only your own.",
    )
    one_row = drawn(
        f"pop10 3x1 connect=3 {ANY_TARGET}",
        """
        . O X
        X to move kept=1,0
        """,
    )
    assert refused(one_row, "p1") == ("nothing-to-pop", "Column 1 is empty: there is nothing to pop.")


def test_there_are_no_power_discs_in_it() -> None:
    assert refused(played("pop10", "d1"), "a2") == (
        "power-discs-not-in-this-game",
        "There are no power discs in this game. Drop a disc, or start a game of Power Up.",
    )


@pytest.mark.parametrize(
    ("rules", "moves", "sentence"),
    [
        ("target=1", "p1", "Red wins: red has kept one disc."),
        ("target=2", "p1 p1", "Red wins: red has kept 2 discs."),
    ],
)
def test_the_first_to_keep_the_target_wins_at_once(rules: str, moves: str, sentence: str) -> None:
    start = drawn(
        f"pop10 4x3 connect=3 {rules}",
        """
        O O X O
        X O O O
        X X X O
        X to move
        """,
    )
    game = game_after(start, moves)
    assert game.outcome == Outcome(Termination.TEN, RED)
    assert ending(game) == sentence
    assert legal(game.position) == ""
    assert refused(game.position, "p2")[0] == "game-over"
    assert refused(game.position, "d1")[0] == "game-over"
    assert refused(game.position, "a1")[0] == "game-over"


# The questions


def test_part_of_a_four_is_judged_just_before_the_pop() -> None:
    position = drawn(
        f"pop10 3x2 connect=3 {ANY_TARGET}",
        """
        X O O
        O X X
        O to move
        """,
    )
    popped = after(position, "p1")
    assert popped.lines(RED)  # what came down made a line, but the disc that left was part of none
    assert (popped.phase, kept(popped)) == (Phase.PUT, (0, 0))


def test_a_longer_line_than_needed_is_a_line_too() -> None:
    position = drawn(
        f"pop10 4x1 connect=3 {ANY_TARGET}",
        """
        X X X X
        X to move
        """,
    )
    assert kept(after(position, "p4")) == (1, 0)


def test_several_lines_are_still_one_disc() -> None:
    position = drawn(
        "pop10 3x3 connect=3 target=3",
        """
        X O X
        X X O
        X X X
        X to move
        """,
    )
    assert len([line for line in position.lines(RED) if (1, 1) in line]) == 3
    assert kept(after(position, "p1")) == (1, 0)


def test_no_own_disc_in_the_bottom_row_at_the_start_of_a_turn_passes_the_turn_and_is_announced() -> None:
    start = drawn(
        f"pop10 3x2 connect=4 {ANY_TARGET}",
        """
        X O O
        X X X
        X to move
        """,
    )
    game = game_after(start, "p1")
    assert game.passed is None
    game = game.play(parse_move("d1"))
    assert (game.turn, game.passed) == (RED, YELLOW)
    assert str(passed_over(YELLOW)) == "Yellow cannot move and is passed over. Red moves again."


NONE_LEFT = """
    O X
    X O
    X to move
"""


def test_none_left_after_a_kept_pop_ends_the_turn_and_the_disc_stays_kept() -> None:
    game = game_after(drawn(f"pop10 2x2 connect=2 {ANY_TARGET}", NONE_LEFT), "p1")
    assert (game.turn, game.position.phase, kept(game.position)) == (YELLOW, Phase.POP, (1, 0))
    assert game.passed is None


def test_none_left_after_a_kept_pop_is_put_back_with_the_option() -> None:
    position = after(drawn(f"pop10 2x2 connect=2 {ANY_TARGET} pop10-stuck=put-back", NONE_LEFT), "p1")
    assert (position.turn, position.phase, kept(position), legal(position)) == (RED, Phase.PUT, (0, 0), "d1")
    assert after(position, "d1").grid == ("OX", "OX")


def test_the_disc_that_reaches_the_target_wins_also_if_none_is_left_to_pop() -> None:
    position = drawn("pop10 2x2 connect=2 target=1 pop10-stuck=put-back", NONE_LEFT)
    assert after(position, "p1").outcome == Outcome(Termination.TEN, RED)


def test_a_four_need_not_be_taken() -> None:
    position = drawn(f"pop10 5x2 connect=3 {ANY_TARGET}", FOURS)
    assert legal(position) == "p1 p2 p3 p5"
    assert after(position, "p5").phase is Phase.PUT


@pytest.mark.parametrize(
    ("option", "first"), [("", YELLOW), ("first-popper=next", YELLOW), ("first-popper=red", RED),
                          ("first-popper=yellow", YELLOW)],
)  # fmt: skip
def test_who_pops_first_follows_from_the_alternation_unless_the_option_names_a_side(option: str, first: Side) -> None:
    game = game_after(Position.start(RuleSet.parse(f"pop10 3x1 connect=3 {ANY_TARGET} {option}")), "d1 d2 d3")
    assert (game.turn, game.position.phase, game.passed) == (first, Phase.POP, None)


@pytest.mark.parametrize("option", ["next", "yellow"])
def test_a_first_popper_without_a_disc_in_the_bottom_row_is_passed_over_and_that_is_announced(option: str) -> None:
    rules = RuleSet.parse(f"pop10 1x1 connect=2 first-popper={option} {ANY_TARGET}")
    game = Game.start(rules).play(parse_move("d1"))
    assert (game.turn, game.passed) == (RED, YELLOW)


def test_a_first_popper_who_filled_last_and_has_none_in_the_bottom_row_is_passed_over() -> None:
    rules = RuleSet.parse(f"pop10 1x2 connect=3 first-popper=yellow {ANY_TARGET}")
    game = game_after(Position.start(rules), "d1 d1")
    assert (game.position.grid, game.turn, game.passed) == (("XO",), RED, YELLOW)


def test_nobody_can_pop_since_the_grid_is_empty_is_a_draw() -> None:
    game = game_after(Position.start(RuleSet.parse(f"pop10 1x1 connect=1 {ANY_TARGET}")), "d1 p1")
    assert game.outcome == Outcome(Termination.STUCK)
    assert ending(game) == "Draw: neither side can move."


def test_the_last_disc_on_the_grid_is_part_of_no_line_and_goes_back() -> None:
    game = game_after(drawn(f"pop10 2x1 connect=2 {ANY_TARGET}", "X X\nX to move"), "p1 p2 d1")
    assert (game.position.grid, game.turn, game.passed) == (("X", ""), RED, YELLOW)


def test_the_target_is_ten() -> None:
    assert RuleSet("pop10").target == 10


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ("pop10 target=19",
         'Nobody can keep 19 discs on a grid of 7x6. Write the option "target=18", or a lower one.'),
        ("pop10 5x4", 'Nobody can keep 10 discs on a grid of 5x4. Write the option "target=7", or a lower one.'),
        ("pop10 4x1", "A grid of 4x1 is too small for Pop 10 with 4 in a row. Choose a larger one."),
        ("pop10+five 3x3 target=2",
         'Nobody can keep 2 discs on a grid of 3x3. Write the option "target=1", or a lower one.'),
    ],
)  # fmt: skip
def test_a_target_that_nobody_can_reach_is_refused(rules: str, sentence: str) -> None:
    with pytest.raises(RuleSetError) as caught:
        RuleSet.parse(rules)
    assert (caught.value.code, str(caught.value)) == ("target-too-high", sentence)


def test_a_target_that_can_just_be_reached_is_taken() -> None:
    assert RuleSet.parse("pop10 target=18").target == 18
    assert RuleSet.parse("pop10 target=19 allow-unwinnable=yes").target == 19


# A whole game


def test_moves_are_described() -> None:
    put = after(drawn(f"pop10 5x2 connect=3 {ANY_TARGET}", FOURS), "p5")
    assert str(describe(parse_move("d5"), put)) == "Red puts the disc back into column 5."
    assert str(describe(parse_move("d3"), played("pop10", "d1"))) == "Yellow drops a disc in column 3."
    assert str(describe(parse_move("p1"), put.turned())) == "Yellow pops a disc out of column 1."


def test_yellow_is_told_what_is_waited_for_in_its_own_sentences() -> None:
    put = after(drawn(f"pop10 5x2 connect=3 {ANY_TARGET}", FOURS), "p1 p2").turned()
    assert waits(put) == "Yellow to put the popped disc back into the top of another column."
    alone = after(drawn(f"pop10 5x2 connect=3 {ANY_TARGET}", FOURS), "p5").turned()
    assert waits(alone) == "Yellow to put the popped disc back into column 5: every other column is full."
    pop = drawn(f"pop10 5x2 connect=3 {ANY_TARGET}", FOURS.replace("X to", "O to"))
    assert waits(pop) == "Yellow to pop one of yellow's discs out of the bottom row."
    assert refused(pop, "d1")[1] == (
        "Yellow must pop a disc: open the bar and press one of yellow's own out of the bottom row."
    )


def test_a_pop_and_its_put_back_are_two_moves_for_the_move_cap() -> None:
    start = drawn(f"pop10 5x2 connect=3 {ANY_TARGET} move-cap=2", FOURS)
    assert game_after(start, "p5").outcome is None
    assert game_after(start, "p5 d5").outcome == Outcome(Termination.MOVE_CAP)


def test_discs_kept_make_another_position() -> None:
    start = drawn(f"pop10 2x1 connect=2 {ANY_TARGET} repetition=3", "X X\nX to move")
    game = game_after(start, "p1 p2 d1")
    assert game.repetitions == 1
    assert after(game.position, "p1 d2") != start


def test_a_kept_disc_is_taken_back() -> None:
    game = game_after(drawn(f"pop10 5x2 connect=3 {ANY_TARGET}", FOURS), "p1 p2")
    assert kept(game.take_back().position) == (1, 0)
    assert kept(game.take_back(2).position) == (0, 0)


# With 5-in-a-Row


def test_with_5_in_a_row_only_the_playable_columns_are_filled() -> None:
    position = Position.start(RuleSet.parse(f"pop10+five 3x2 connect=3 {ANY_TARGET}"))
    assert legal(position) == "d2 d3 d4"
    assert refused(position, "d1") == (
        "flank-column",
        "Column 1 is a filled outer column: its discs stay. Choose a column from 2 to 4.",
    )
    full = after(position, "d2 d3 d4 d2 d3 d4")
    assert (full.phase, legal(full)) == (Phase.POP, "p2 p4")
    assert refused(full, "p5")[0] == "flank-column"


def test_with_5_in_a_row_flank_discs_may_be_part_of_a_line() -> None:
    position = drawn(
        f"pop10+five 3x1 connect=3 {ANY_TARGET}",
        """
        X X X O X
        X to move
        """,
    )
    assert kept(after(position, "p2")) == (1, 0)
    without = drawn(
        f"pop10+five 3x1 connect=3 flanks=YR {ANY_TARGET}",
        """
        O X X O X
        X to move
        """,
    )
    assert kept(after(without, "p2")) == (0, 0)
