"""Whole games: moves and taking them back, repetitions, caps, agreements, and that a game ends once."""

from __future__ import annotations

import pytest

from popout.rules import (
    RED,
    YELLOW,
    Claim,
    Drop,
    Game,
    IllegalMove,
    Outcome,
    Pop,
    Position,
    RuleSet,
    Termination,
    parse_move,
    parse_position,
)

WON = "d1 d2 d1 d2 d1 d2 d1"
SHUFFLE = "d1 d2 d1 d2 p1 p2 d1 d2 p1 p2"
"""After moves 2, 6 and 10 the same position stands."""


def played(moves: str, rules: str = "popout") -> Game:
    game = Game.start(RuleSet.parse(rules))
    for move in moves.split():
        game = game.play(parse_move(move))
    return game


def refused(game: Game, act: str, *arguments: object) -> tuple[str, str]:
    with pytest.raises(IllegalMove) as caught:
        getattr(game, act)(*arguments)
    return caught.value.code, str(caught.value)


OVER = ("game-over", "The game is over. Start a new game to play on.")


def test_a_game_begins_with_the_position_of_its_rules() -> None:
    game = Game.start(RuleSet())
    assert game.position == Position.start(RuleSet())
    assert (game.moves, game.turn, game.outcome, game.repetitions, game.passed) == ((), RED, None, 1, None)
    assert game.legal_moves == game.position.legal_moves


def test_a_game_keeps_every_move_and_position() -> None:
    game = played("d4 d4 p4")
    assert game.moves == (Drop(4), Drop(4), Pop(4))
    assert [position.grid[3] for position in game.positions] == ["", "X", "XO", "O"]
    assert [game.mover(ply) for ply in (1, 2, 3)] == [RED, YELLOW, RED]


def test_a_refused_move_changes_nothing() -> None:
    game = played("d4")
    assert refused(game, "play", Pop(4))[0] == "not-your-disc"
    assert game == played("d4")


def test_after_the_end_there_is_no_move_no_agreement_and_no_giving_up() -> None:
    """R8: a game ends once."""
    game = played(WON)
    assert game.outcome == Outcome(Termination.LINE, RED)
    assert (game.turn, game.legal_moves) == (None, ())
    assert refused(game, "play", Drop(5)) == OVER
    assert refused(game, "agree_draw") == OVER
    assert refused(game, "resign", YELLOW) == OVER


def test_players_may_agree_on_a_draw() -> None:
    game = played("d4").agree_draw()
    assert game.outcome == Outcome(Termination.AGREED)
    assert refused(game, "play", Drop(1)) == OVER
    assert refused(game, "agree_draw") == OVER


@pytest.mark.parametrize(("loser", "winner"), [(RED, YELLOW), (YELLOW, RED)])
def test_a_player_may_give_up_also_when_it_is_not_its_turn(loser: object, winner: object) -> None:
    game = played("d4").resign(loser)  # type: ignore[arg-type]
    assert game.outcome == Outcome(Termination.RESIGNED, winner)  # type: ignore[arg-type]


# Taking back


def test_moves_are_taken_back_to_any_depth() -> None:
    game = played(WON)
    assert game.take_back() == played("d1 d2 d1 d2 d1 d2")
    assert game.take_back(4) == played("d1 d2 d1")
    assert game.take_back(7) == Game.start(RuleSet())


def test_an_agreement_is_taken_back_first_and_counts_as_one() -> None:
    game = played("d4 d3").agree_draw()
    assert game.take_back() == played("d4 d3")
    assert game.take_back(2) == played("d4")
    assert game.take_back(3) == played("")


def test_nothing_taken_back_is_the_same_game_with_its_agreement() -> None:
    game = played("d4").agree_draw()
    assert game.take_back(0) == game


@pytest.mark.parametrize(
    ("moves", "count", "sentence"),
    [
        ("", 1, "There is no move to take back: the game is at its beginning."),
        ("", -1, "There is no move to take back: the game is at its beginning."),
        ("d4", 2, "Only one move can be taken back, not 2."),
        ("d4 d4", 3, "Only 2 moves can be taken back, not 3."),
        ("d4 d4", -1, "Only 2 moves can be taken back, not -1."),
    ],
)
def test_more_moves_than_there_are_cannot_be_taken_back(moves: str, count: int, sentence: str) -> None:
    assert refused(played(moves), "take_back", count) == ("nothing-to-take-back", sentence)


def test_a_game_from_a_set_up_position_is_not_taken_back_beyond_it() -> None:
    game = Game.from_position(parse_position("X/O///// X", RuleSet()))
    assert refused(game, "take_back")[0] == "nothing-to-take-back"
    assert game.play(Pop(1)).take_back() == game


# Endings that only a whole game knows


def test_the_third_occurrence_is_a_draw_with_the_option() -> None:
    rules = "popout repetition=3"
    assert played(SHUFFLE[:-3], rules).outcome is None
    assert played(SHUFFLE, rules).outcome == Outcome(Termination.REPETITION)
    assert refused(played(SHUFFLE, rules), "play", Drop(1)) == OVER


def test_without_the_option_a_repeated_position_is_counted_and_the_game_goes_on() -> None:
    """R7: the rule text is silent about endless play."""
    game = played(SHUFFLE)
    assert (game.repetitions, game.outcome) == (3, None)
    assert game.take_back().repetitions == 2


def test_the_same_discs_with_another_side_to_move_or_other_discs_in_hand_are_another_position() -> None:
    assert played(SHUFFLE, "popout supply=21").repetitions == 1
    assert played("d1 d2 d3 p2", "popout").repetitions == 1


def test_a_repetition_taken_back_is_no_end_any_more() -> None:
    assert played(SHUFFLE, "popout repetition=3").take_back().outcome is None


def test_a_move_cap_ends_the_game_as_a_draw() -> None:
    assert played("d1", "popout move-cap=2").outcome is None
    game = played("d1 d2", "popout move-cap=2")
    assert game.outcome == Outcome(Termination.MOVE_CAP)
    assert (game.turn, game.legal_moves) == (None, ())
    assert refused(game, "play", Drop(1)) == OVER


def test_a_line_on_the_last_move_before_the_cap_wins() -> None:
    assert played(WON, "popout move-cap=7").outcome == Outcome(Termination.LINE, RED)


def test_a_claimed_draw_is_an_end_of_the_game() -> None:
    position = parse_position("XO/OX/X O", RuleSet.parse("popout 3x2 connect=3 full-grid=claim"))
    game = Game.from_position(position).play(Drop(3)).play(Claim())
    assert game.outcome == Outcome(Termination.CLAIM)


def test_a_side_that_was_passed_over_is_named_once() -> None:
    rules = RuleSet.parse("popout 3x3 connect=3 supply=2")
    game = Game.from_position(parse_position("XO// X hands=1,0", rules))
    assert game.passed is None
    game = game.play(Drop(2))
    assert (game.passed, game.turn) == (YELLOW, RED)
    assert game.play(Pop(1)).passed is None


# Many moves at once


def test_many_moves_are_played_as_one_after_the_other() -> None:
    moves = [parse_move(word) for word in SHUFFLE.split()]
    for rules in ("popout", "popout repetition=3", "popout supply=30"):
        assert Game.start(RuleSet.parse(rules)).play_all(moves) == (played(SHUFFLE, rules), None)


@pytest.mark.parametrize(
    ("rules", "moves", "legal", "code"),
    [
        ("popout", "d1 p1 d2", "d1", "not-your-disc"),
        ("popout", f"{WON} d5 d6", WON, "game-over"),
        ("popout repetition=3", f"{SHUFFLE} d1", SHUFFLE, "game-over"),
        ("popout move-cap=3", "d1 d1 d1 d1", "d1 d1 d1", "game-over"),
    ],
)
def test_many_moves_stop_before_the_first_illegal_one(rules: str, moves: str, legal: str, code: str) -> None:
    game, problem = Game.start(RuleSet.parse(rules)).play_all(map(parse_move, moves.split()))
    assert game == played(legal, rules)
    assert problem is not None
    assert problem.code == code


def test_many_moves_after_an_agreement_are_none() -> None:
    game = played("d4").agree_draw()
    after, problem = game.play_all([Drop(1)])
    assert after == game
    assert problem is not None
    assert game.play_all([]) == (game, None)
