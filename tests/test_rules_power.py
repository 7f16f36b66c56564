"""Power Up: every line of its rules and every option, as a story on a drawn board."""

from __future__ import annotations

import pytest

from popout.rules import (
    RED,
    YELLOW,
    Claim,
    Game,
    Outcome,
    Phase,
    Position,
    PowerDisc,
    RuleSet,
    Side,
    Termination,
    describe,
    parse_move,
)
from stories import after, drawn, ending, game_after, legal, looks_like, played, refused, waits

SMALL = "power 4x3 connect=3"


def powers(position: Position) -> tuple[str, str]:
    red, yellow = (
        "".join(disc.value for disc in PowerDisc if disc in position.powers_left(side)) for side in (RED, YELLOW)
    )
    return red, yellow


# Which, and how many


def test_each_side_has_one_of_each() -> None:
    assert powers(Position.start(RuleSet("power"))) == ("abwx", "abwx")
    assert powers(played("power", "d1 a2 b3p2")) == ("awx", "bwx")


@pytest.mark.parametrize(
    ("moves", "again", "sentence"),
    [
        ("a1 d2", "a1", "You have played your anvil already: each power disc is played once."),
        ("d1 d2 b1p2 d2", "b1", "You have played your bomb already: each power disc is played once."),
        ("w1d2 d2", "w1", "You have played your wall already: each power disc is played once."),
        ("x1d2 d2", "x1", "You have played your x2 already: each power disc is played once."),
    ],
)
def test_each_power_disc_is_played_once(moves: str, again: str, sentence: str) -> None:
    assert refused(played("power", moves), again) == ("power-disc-used", sentence)


def test_the_option_powers_gives_any_subset() -> None:
    position = Position.start(RuleSet.parse("power 2x6 powers=bw"))
    assert powers(position) == ("bw", "bw")
    assert legal(position) == "d1 d2 w1 w2"
    assert refused(position, "a1") == (
        "power-discs-not-in-this-game",
        "There is no anvil in this game. Play another disc.",
    )
    assert refused(position, "x1")[1] == "There is no x2 in this game. Play another disc."
    walled_out = Position.start(RuleSet.parse("power powers=a"))
    assert refused(walled_out, "b1")[1] == "There is no bomb in this game. Play another disc."
    assert refused(walled_out, "w1")[1] == "There is no wall in this game. Play another disc."


def test_there_are_no_power_discs_in_the_original() -> None:
    position = played("standard", "d1")
    sentence = "There are no power discs in this game. Drop a disc, or start a game of Power Up."
    assert refused(position, "a1") == ("power-discs-not-in-this-game", sentence)


def test_a_power_disc_counts_as_an_own_disc() -> None:
    assert played("power", "d1 d7 d2 d7 d3 d6 w4").outcome == Outcome(Termination.LINE, RED)
    assert played("power", "a1 d7 d2 d7 d3 d6 d4").outcome == Outcome(Termination.LINE, RED)


def test_a_power_disc_is_afterwards_an_ordinary_disc_without_power() -> None:
    position = played("power powers=a", "a4 d3")
    assert position.grid == played("power powers=a", "d4 d3").grid
    assert position != played("power powers=a", "d4 d3")  # but it has been played


def test_the_power_is_compulsory() -> None:
    bomb = played("power+pop", "d1 d2 b3")
    assert (bomb.turn, bomb.phase, legal(bomb)) == (RED, Phase.BOMB, "p2")
    assert waits(bomb) == "Red's bomb: pop one of yellow's discs out of the bottom row."
    first = "Red's bomb takes a disc first: pop one of yellow's out of the bottom row."
    assert refused(bomb, "d4") == ("pop-first", first)
    assert refused(bomb, "a4") == ("pop-first", first)
    double = played("power+pop", "d1 x3")
    assert (double.turn, double.phase) == (YELLOW, Phase.DOUBLE)
    assert legal(double) == "d1 d2 d3 d4 d5 d6 d7"
    assert waits(double) == "Yellow's x2: drop a second disc."
    first = "The power disc asks for a second disc first: drop it into a column."
    assert refused(double, "p3") == ("drop-first", first)
    assert refused(double, "w4") == ("drop-first", first)
    wall = played("power", "d1 w3")
    assert (wall.turn, wall.phase) == (YELLOW, Phase.WALL)
    assert waits(wall) == "Yellow's wall: drop a second disc, which may not make a line."


def test_a_drop_into_a_full_column_is_told_first_that_the_bomb_takes_a_disc() -> None:
    position = drawn(
        SMALL,
        """
        O . . .
        X . . .
        O X . .
        X to move phase=bomb
        """,
    )
    assert refused(position, "d1")[0] == "pop-first"
    assert refused(position, "x1")[0] == "pop-first"


@pytest.mark.parametrize(
    ("phase", "sentence"),
    [
        ("bomb", "Yellow's bomb: pop one of red's discs out of the bottom row."),
        ("wall", "Yellow's wall: drop a second disc, which may not make a line."),
        ("x2", "Yellow's x2: drop a second disc."),
    ],
)
def test_yellow_is_told_in_its_own_sentence_what_follows(phase: str, sentence: str) -> None:
    assert waits(drawn(SMALL, f". . . .\n. . . .\nX O . .\nO to move phase={phase}")) == sentence


# Anvil

PILE = """
    . . . .
    X . . .
    O X O .
    X to move
"""


def test_anvil_everything_under_it_leaves_and_it_lies_in_the_bottom_row() -> None:
    position = after(drawn(SMALL, PILE), "a1")
    assert looks_like(
        position,
        """
        . . . .
        . . . .
        X X O .
        """,
    )
    assert (position.turn, position.phase, powers(position)) == (YELLOW, Phase.PLAY, ("bwx", "abwx"))


def test_anvil_needs_a_free_top_cell() -> None:
    position = drawn(SMALL, PILE.replace(". . . .\n    X", "O . . .\n    X"))
    assert refused(position, "a1") == ("column-full", "Column 1 is full. Choose another column.")


def test_anvil_into_an_empty_column_is_an_ordinary_disc() -> None:
    assert after(drawn(SMALL, PILE), "a4").grid == ("OX", "X", "O", "X")


def test_anvil_line_is_judged_where_it_ends_up() -> None:
    position = drawn(
        SMALL,
        """
        . . . .
        . . O .
        X X O .
        X to move
        """,
    )
    game = game_after(position, "a3")
    assert game.outcome == Outcome(Termination.LINE, RED)
    assert game.position.lines(RED) == (((1, 1), (2, 1), (3, 1)),)


# Bomb


def test_bomb_target_is_the_bottom_disc_of_the_opponent_in_any_playable_column_its_own_included() -> None:
    position = drawn(SMALL, PILE)
    assert legal(after(position, "b4")) == "p1 p3"
    assert legal(after(position, "b1")) == "p1 p3"
    assert after(position, "b1p1").grid == ("XX", "X", "O", "")


def test_bomb_without_a_target_is_not_playable() -> None:
    position = drawn(
        SMALL,
        """
        . . . .
        O . . .
        X X . .
        X to move
        """,
    )
    assert "b" not in legal(position)
    assert refused(position, "b1") == (
        "no-target",
        "The bomb has nothing to take: the bottom row has no disc of the opponent.",
    )
    assert refused(Position.start(RuleSet("power")), "b1")[0] == "no-target"


def test_bomb_takes_no_own_disc_and_nothing_from_an_empty_column() -> None:
    position = after(drawn(SMALL, PILE), "b1")
    assert refused(position, "p2") == (
        "own-disc",
        "Column 2: the bottom disc is red's own. Red's bomb takes one of yellow's.",
    )
    assert refused(position, "p4") == ("nothing-to-pop", "Column 4 is empty: there is nothing to pop.")
    assert refused(position, "p9") == ("no-such-column", "There is no column 9. Choose a column from 1 to 4.")
    yellow = after(drawn(SMALL, PILE.replace("X to", "O to")), "b2")
    assert refused(yellow, "p1")[1] == "Column 1: the bottom disc is yellow's own. Yellow's bomb takes one of red's."


def test_bomb_needs_a_target_also_where_its_landing_is_judged() -> None:
    position = drawn(f"{SMALL} judge=also-landing", ". . . .\n. . . .\nX X . .\nX to move")
    assert refused(position, "b3")[0] == "no-target"


# When lines are judged

LANDING = """
    . . . .
    X X . .
    O O X O
    X to move
"""


def test_lines_are_judged_once_after_the_power_of_a_bomb() -> None:
    landed = after(drawn(SMALL, LANDING), "b3")
    assert landed.lines(RED)
    assert (landed.outcome, landed.phase) == (None, Phase.BOMB)
    assert after(landed, "p1").outcome is None
    assert after(landed, "p4").outcome == Outcome(Termination.LINE, RED)


def test_a_line_where_the_bomb_lands_wins_at_once_with_the_option() -> None:
    landed = after(drawn(f"{SMALL} judge=also-landing", LANDING), "b3")
    assert (landed.outcome, landed.phase) == (Outcome(Termination.LINE, RED), Phase.PLAY)
    assert landed.grid == ("OX", "OX", "XX", "O")


def test_lines_are_judged_once_after_the_power_of_an_anvil() -> None:
    fallen = after(drawn(SMALL, LANDING), "a3")
    assert (fallen.outcome, fallen.grid) == (None, ("OX", "OX", "X", "O"))


def test_a_line_where_the_anvil_lands_wins_at_once_with_the_option_and_the_anvil_stays_there() -> None:
    landed = after(drawn(f"{SMALL} judge=also-landing", LANDING), "a3")
    assert (landed.outcome, landed.grid) == (Outcome(Termination.LINE, RED), ("OX", "OX", "XX", "O"))


BOTH = """
    . . . O
    . O O X
    . X X O
    X to move
"""


@pytest.mark.parametrize(
    ("option", "winner", "sentence"),
    [
        ("", RED, "Red wins: red's power disc made 3 in a row for both (rule both-lines=mover)."),
        ("both-lines=other", YELLOW, "Yellow wins: red's power disc made 3 in a row for both (rule both-lines=other)."),
        ("both-lines=draw", None, "Draw: the power disc made lines for both sides (rule both-lines=draw)."),
    ],
)
def test_lines_for_both_win_for_the_mover_unless_the_option_says_otherwise(
    option: str, winner: Side | None, sentence: str
) -> None:
    game = game_after(drawn(f"{SMALL} {option}", BOTH), "b1p4")
    assert game.outcome == Outcome(Termination.BOTH_LINES, winner)
    assert ending(game) == sentence


def test_lines_for_both_by_yellows_bomb_are_explained_in_yellows_sentences() -> None:
    exchanged = BOTH.translate(str.maketrans("XO", "OX"))
    game = game_after(drawn(SMALL, exchanged), "b1p4")
    assert ending(game) == "Yellow wins: yellow's power disc made 3 in a row for both (rule both-lines=mover)."
    game = game_after(drawn(f"{SMALL} both-lines=other", exchanged), "b1p4")
    assert ending(game) == "Red wins: yellow's power disc made 3 in a row for both (rule both-lines=other)."


def test_a_line_only_for_the_other_side_wins_for_that_side() -> None:
    drawing = """
        . . . O
        . O O X
        . X O O
        X to move
    """
    game = game_after(drawn(SMALL, drawing), "b1p4")
    assert game.outcome == Outcome(Termination.OPPONENT_LINE, YELLOW)
    assert ending(game) == "Yellow wins: red's power disc gave yellow 3 in a row."
    game = game_after(drawn(SMALL, drawing.translate(str.maketrans("XO", "OX"))), "b1p4")
    assert ending(game) == "Red wins: yellow's power disc gave red 3 in a row."


# Wall


def test_the_walls_own_landing_wins_if_it_makes_a_line_and_there_is_no_second_disc() -> None:
    game = game_after(drawn("power 4x1 connect=3", "X X . .\nX to move"), "w3")
    assert (game.outcome, game.position.phase) == (Outcome(Termination.LINE, RED), Phase.PLAY)


def test_the_wall_itself_may_not_make_a_line_with_the_option() -> None:
    position = drawn("power 4x1 connect=3 wall-first-may-win=no", "X X . .\nX to move")
    assert legal(position) == "d3 d4 a3 a4 w4 x3 x4"
    assert refused(position, "w3") == (
        "wall-may-not-win",
        "The wall may not make a line itself (rule wall-first-may-win=no); in column 3 it would.",
    )


def test_the_walls_second_disc_may_not_make_an_own_line() -> None:
    position = after(drawn("power 4x1 connect=3", ". X . .\nX to move"), "w1")
    assert legal(position) == "d4"
    assert refused(position, "d3") == (
        "wall-may-not-win",
        "The second disc of a wall may not make a line, and in column 3 it would.",
    )


def test_the_walls_second_disc_is_an_ordinary_drop_also_into_the_same_column() -> None:
    assert played("power", "w4d4").grid[3] == "XX"


def test_the_wall_has_no_second_disc_if_none_is_possible_without_a_line() -> None:
    position = after(drawn("power 3x1 connect=3", "X . .\nX to move"), "w2")
    assert (position.turn, position.phase, position.outcome) == (YELLOW, Phase.PLAY, None)


# x2


def test_x2_second_disc_may_win() -> None:
    assert played("power", "d1 d7 d2 d7 x3d4").outcome == Outcome(Termination.LINE, RED)


def test_x2_first_disc_that_wins_ends_the_game_without_a_second() -> None:
    position = played("power", "d1 d7 d2 d7 d3 d6 x4")
    assert (position.outcome, position.phase) == (Outcome(Termination.LINE, RED), Phase.PLAY)


@pytest.mark.parametrize("disc", ["x", "w"])
def test_x2_first_disc_that_fills_the_grid_ends_the_game_without_a_second(disc: str) -> None:
    position = drawn("power 3x1 connect=3", "X O .\nX to move")
    assert after(position, f"{disc}3").outcome == Outcome(Termination.FULL)


def test_x2_second_disc_that_fills_the_grid_is_a_draw() -> None:
    assert after(drawn("power 3x1 connect=3", "O . .\nX to move"), "x2d3").outcome == Outcome(Termination.FULL)


def test_the_second_disc_is_an_ordinary_drop_no_pop_and_no_other_power() -> None:
    for disc in "wx":
        position = played("power+pop 7x6", f"d1 d2 {disc}3")
        assert legal(position) == "d1 d2 d3 d4 d5 d6 d7"
        assert refused(position, "p1")[0] == refused(position, "a1")[0] == "drop-first"


# The last free cell


def test_an_anvil_into_the_last_free_cell_leaves_a_grid_that_is_not_full() -> None:
    position = after(drawn("power 3x2 connect=3", "O X .\nX O O\nX to move"), "a3")
    assert (position.outcome, position.grid) == (None, ("XO", "OX", "X"))


def test_an_anvil_into_the_last_free_cell_of_a_single_row_fills_the_grid() -> None:
    assert after(drawn("power 3x1 connect=3", "X O .\nX to move"), "a3").outcome == Outcome(Termination.FULL)


def test_a_bomb_into_the_last_free_cell_leaves_a_grid_that_is_not_full() -> None:
    position = after(drawn("power 3x2 connect=3", "O X .\nX O O\nX to move"), "b3")
    assert (position.outcome, position.is_full, legal(position)) == (None, True, "p2 p3")
    assert after(position, "p2").outcome is None


# With Pop Out


def test_a_pop_is_a_whole_turn() -> None:
    position = played("power+pop", "d1 d2 p1")
    assert (position.turn, position.phase) == (YELLOW, Phase.PLAY)


def test_there_are_no_pops_in_power_up_alone() -> None:
    assert refused(played("power", "d1 d2"), "p1") == (
        "pops-not-in-this-game",
        "There are no pops in this game. Close the bar and drop a disc, or start a game of Pop Out.",
    )


def test_a_popped_power_disc_does_nothing() -> None:
    position = played("power+pop", "a1 d2 p1")
    assert (position.grid, position.turn, position.phase) == (("", "O", "", "", "", "", ""), YELLOW, Phase.PLAY)
    assert powers(position) == ("bwx", "abwx")


def test_a_full_grid_that_plays_on_ends_the_turn_of_a_power_disc_that_fills_it() -> None:
    position = drawn("power+pop 3x1 connect=3 full-grid=continue", "X O .\nX to move")
    for disc in "wx":
        full = after(position, f"{disc}3")
        assert (full.turn, full.phase, legal(full)) == (YELLOW, Phase.PLAY, "p2")


def test_a_draw_is_not_claimed_in_the_middle_of_a_turn() -> None:
    position = drawn("power+pop 3x1 connect=3 full-grid=claim", "X O .\nX to move")
    assert refused(after(position, "b3"), Claim()) == (
        "nothing-to-claim",
        "A draw cannot be claimed in the middle of a turn. Finish your turn first.",
    )
    assert legal(after(position, "d3")) == "p2 claim"


def test_a_pop_is_explained_as_a_pop_and_not_as_a_power_disc() -> None:
    game = game_after(drawn("power+pop 4x3 connect=3", BOTH), "d1")
    assert game.outcome == Outcome(Termination.LINE, RED)
    popped = game_after(drawn("power+pop 4x3 connect=3", BOTH.replace("X to", "O to")), "p4")
    assert popped.outcome == Outcome(Termination.BOTH_LINES, YELLOW)
    assert ending(popped) == (
        "Yellow wins: the pop made 3 in a row for both, and yellow popped (rule both-lines=mover)."
    )


# Discs that are counted


def test_power_discs_are_not_counted_among_the_discs_in_hand() -> None:
    position = played("power supply=2", "d1 a2 x3d4")
    assert (position.in_hand(RED), position.in_hand(YELLOW)) == (0, 2)


def test_without_a_disc_in_hand_a_wall_and_an_x2_have_no_second_disc() -> None:
    position = played("power supply=1 powers=wx", "d1 d2 x3")
    assert (position.turn, position.phase) == (YELLOW, Phase.PLAY)
    assert played("power supply=1 powers=wx", "d1 d2 x3 w4 w5 x6").outcome == Outcome(Termination.STUCK)


def test_without_a_disc_in_hand_nothing_ordinary_is_dropped() -> None:
    assert refused(played("power supply=1", "d1 d2"), "d3") == (
        "no-discs-left",
        "Red has no ordinary discs left to drop. Play a power disc.",
    )


# A whole game


def test_a_power_turn_is_one_turn_for_the_move_cap() -> None:
    game = Game.start(RuleSet.parse("power move-cap=2"))
    for word in ("w1", "d2", "x3"):
        game = game.play(parse_move(word))
        assert game.outcome is None
    assert game.turns == 2
    assert game.play(parse_move("d4")).outcome == Outcome(Termination.MOVE_CAP)


def test_in_the_middle_of_a_turn_nobody_was_passed_over() -> None:
    game = game_after(Position.start(RuleSet("power")), "x1")
    assert (game.turn, game.passed) == (RED, None)
    game = game_after(game.position, "d2")
    assert (game.turn, game.passed) == (YELLOW, None)


def test_single_steps_of_a_turn_are_taken_back() -> None:
    game = game_after(Position.start(RuleSet("power")), "d1 b2p1")
    assert (game.take_back().position.phase, game.take_back().turn) == (Phase.BOMB, YELLOW)
    assert game.take_back(2).position == played("power", "d1")


@pytest.mark.parametrize(
    ("before", "step", "sentence"),
    [
        ("", "a3", "Red drops the anvil in column 3."),
        ("d1", "b3", "Yellow drops the bomb in column 3."),
        ("d1 b3", "p1", "Yellow's bomb pops a disc of red's out of column 1."),
        ("d1 d2 b3", "p2", "Red's bomb pops a disc of yellow's out of column 2."),
        ("", "w3", "Red drops the wall in column 3."),
        ("w3", "d4", "Red drops a second disc in column 4."),
        ("d1", "x3", "Yellow drops the x2 in column 3."),
        ("d1 x3", "d4", "Yellow drops a second disc in column 4."),
        ("d1", "d4", "Yellow drops a disc in column 4."),
    ],
)
def test_a_step_is_described(before: str, step: str, sentence: str) -> None:
    assert str(describe(parse_move(step), played("power", before))) == sentence
