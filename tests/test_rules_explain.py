"""Reasons in words: every sentence about a move, a turn and an ending, whole and with its code."""

from __future__ import annotations

import pytest

from popout.rules import (
    RED,
    YELLOW,
    Claim,
    Drop,
    Game,
    Pop,
    Position,
    RuleSet,
    Side,
    Termination,
    describe,
    parse_move,
    parse_position,
    passed_over,
    waiting_for,
    why_ended,
    why_illegal,
)

TWO = "popout 3x2 connect=3"


def ending(rules: str, moves: str, start: str = "") -> tuple[str, str] | None:
    chosen = RuleSet.parse(rules)
    game = Game.from_position(parse_position(start, chosen) if start else Position.start(chosen))
    for word in moves.split():
        game = game.play(parse_move(word))
    reason = why_ended(game)
    return (reason.code, str(reason.message)) if reason else None


def to_move(side: Side) -> Position:
    return Position.start(RuleSet("popout", first=side.value))


BOTH = "XOX/OX/OX/X X"
BOTH_OF_YELLOW = "OXO/XO/XO/O O"
SHUFFLE = "d1 d2 d1 d2 p1 p2 d1 d2 p1 p2"


@pytest.mark.parametrize(
    ("rules", "moves", "start", "code", "sentence"),
    [
        ("popout", "d1 d2 d1 d2 d1 d2 d1", "", "line", "Red wins: 4 in a row."),
        ("popout 7x6 connect=3", "d1 d2 d1 d2 d3 d2", "", "line", "Yellow wins: 3 in a row."),
        ("popout 4x3 connect=3", "p1", "XO/O/O/ X", "opponent-line", "Yellow wins: red's pop gave yellow 3 in a row."),
        ("popout 4x3 connect=3 first=yellow", "p1", "OX/X/X/ O", "opponent-line",
         "Red wins: yellow's pop gave red 3 in a row."),
        ("popout 4x3 connect=3", "p1", BOTH, "both-lines",
         "Red wins: the pop made 3 in a row for both, and red popped (rule both-lines=mover)."),
        ("popout 4x3 connect=3 first=yellow", "p1", BOTH_OF_YELLOW, "both-lines",
         "Yellow wins: the pop made 3 in a row for both, and yellow popped (rule both-lines=mover)."),
        ("popout 4x3 connect=3 both-lines=other", "p1", BOTH, "both-lines",
         "Yellow wins: the pop made 3 in a row for both, and red popped (rule both-lines=other)."),
        ("popout 4x3 connect=3 both-lines=other first=yellow", "p1", BOTH_OF_YELLOW, "both-lines",
         "Red wins: the pop made 3 in a row for both, and yellow popped (rule both-lines=other)."),
        ("popout 4x3 connect=3 both-lines=draw", "p1", BOTH, "both-lines",
         "Draw: the pop made lines for both sides (rule both-lines=draw)."),
        (TWO, "d3", "XO/OX/X O", "full", "Draw: the grid is full and nobody has a line."),
        (f"{TWO} full-grid=claim", "d3 claim", "XO/OX/X O", "claim",
         "Draw: claimed on a full grid (rule full-grid=claim)."),
        ("popout", "d1 d2 p1 p2", "", "empty",
         "Draw: the last disc was popped and the grid is empty (rule empty-grid=draw)."),
        ("standard 3x3 connect=3 supply=1", "d1 d2", "", "stuck", "Draw: neither side can move."),
        ("popout repetition=3", SHUFFLE, "", "repetition",
         "Draw: this position has now stood 3 times (rule repetition=3)."),
        ("popout move-cap=1", "d1", "", "move-cap", "Draw: one move has been made (rule move-cap=1)."),
        ("popout move-cap=2", "d1 d1", "", "move-cap", "Draw: 2 moves have been made (rule move-cap=2)."),
    ],
)  # fmt: skip
def test_the_end_is_explained_with_the_rule_that_decided(
    rules: str, moves: str, start: str, code: str, sentence: str
) -> None:
    assert ending(rules, moves, start) == (code, sentence)


def test_ends_that_the_players_make_are_explained() -> None:
    game = Game.start(RuleSet())
    for ended, code, sentence in (
        (game.agree_draw(), "agreed", "Draw: the players agreed."),
        (game.resign(RED), "resigned", "Yellow wins: red gave up."),
        (game.resign(YELLOW), "resigned", "Red wins: yellow gave up."),
    ):
        reason = why_ended(ended)
        assert reason is not None
        assert (reason.code, str(reason.message)) == (code, sentence)


def test_a_game_that_goes_on_has_no_reason_for_its_end() -> None:
    assert ending("popout", "d1 d2") is None


def test_every_way_to_end_has_a_stable_code() -> None:
    assert [each.value for each in Termination] == [
        "line", "both-lines", "opponent-line", "full", "empty", "ten", "stuck",
        "claim", "repetition", "move-cap", "agreed", "resigned",
    ]  # fmt: skip


def test_why_a_move_is_illegal_is_a_code_and_a_sentence() -> None:
    position = Position.start(RuleSet()).drop(4)
    reason = why_illegal(position, Pop(4))
    assert reason is not None
    assert reason.code == "not-your-disc"
    assert str(reason.message) == "Column 4: the bottom disc is red's. You may pop only your own."
    assert why_illegal(position, Drop(4)) is None


def test_why_a_move_is_illegal_in_a_game_knows_that_the_game_was_agreed_drawn() -> None:
    game = Game.start(RuleSet())
    assert why_illegal(game, Drop(4)) is None
    reason = why_illegal(game.agree_draw(), Drop(4))
    assert reason is not None
    assert (reason.code, str(reason.message)) == ("game-over", "The game is over. Start a new game to play on.")


@pytest.mark.parametrize(
    ("move", "side", "sentence"),
    [
        (Drop(4), RED, "Red drops a disc in column 4."),
        (Drop(12), YELLOW, "Yellow drops a disc in column 12."),
        (Pop(1), RED, "Red pops a disc out of column 1."),
        (Pop(4), YELLOW, "Yellow pops a disc out of column 4."),
        (Claim(), RED, "Red claims the draw."),
        (Claim(), YELLOW, "Yellow claims the draw."),
    ],
)
def test_a_move_is_described(move: Drop | Pop | Claim, side: Side, sentence: str) -> None:
    assert str(describe(move, to_move(side))) == sentence


def test_the_turn_and_a_turn_that_passed_are_said() -> None:
    assert [str(waiting_for(to_move(side))) for side in Side] == ["Red to move.", "Yellow to move."]
    assert [str(passed_over(side)) for side in Side] == [
        "Red cannot move and is passed over. Yellow moves again.",
        "Yellow cannot move and is passed over. Red moves again.",
    ]
