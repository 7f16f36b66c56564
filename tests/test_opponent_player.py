"""Who chooses a move: what each level sees and what it overlooks, and that it plays every game."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from dataclasses import replace

import pytest

from popout.opponent.general.exact import Graph
from popout.opponent.levels import LEVELS, Level
from popout.opponent.player import Player
from popout.opponent.sight import Sight, dangers, winning_moves
from popout.opponent.verdicts import DRAWN, Verdict, before, won_in
from popout.rules import GAMES, RED, Drop, Game, Move, Pop, Position, Power, PowerDisc, RuleSet, parse_position
from popout.rules.errors import GameOver

EASILY = 60
"""Turns in which what may happen does happen."""


def on(rules: str, text: str) -> Position:
    return parse_position(text, RuleSet.parse(rules))


def blind(level: Level) -> Level:
    """The level if it overlooked all that it can."""
    return replace(level, overlooks=dict.fromkeys(Sight, 1.0))


YELLOW_HAS_THREE = on("popout 7x6", "OOO/X//X//X/ X")
RED_HAS_THREE = on("popout 7x6", "XXX/O//O//O/ X")


# What there is to see


def test_wins_are_told_apart_by_how_easily_they_are_seen():
    position = on(
        "popout 7x6",
        """
        . . . . . . .
        . . . . . . .
        X . . . . . .
        X . . . . . .
        X . O O . . O
        O X X X . O O
        X to move
        """,
    )
    assert winning_moves(position) == {Drop(1): Sight.VERTICAL, Drop(5): Sight.HORIZONTAL}


def test_a_win_on_a_diagonal_is_one_of_its_own():
    position = on(
        "popout 7x6",
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . X O . . .
        . X O X . . .
        X O X O . . O
        X to move
        """,
    )
    assert winning_moves(position) == {Drop(4): Sight.DIAGONAL}


def test_so_is_a_win_by_a_pop():
    position = on(
        "popout 7x6",
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . X . . .
        X X X O . . O
        O X O X . O O
        X to move
        """,
    )
    assert winning_moves(position) == {Pop(4): Sight.POP}


def test_a_pop_that_makes_a_line_for_the_other_is_seen_as_such():
    position = on(
        "popout 7x6",
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . X . . .
        X X X O . O O
        O to move
        """,
    )
    assert dangers(position, Pop(4)) == frozenset({Sight.OWN_POP})


def test_what_speaks_against_a_move_is_how_the_other_could_answer():
    assert dangers(YELLOW_HAS_THREE, Drop(7)) == frozenset({Sight.VERTICAL})
    assert dangers(YELLOW_HAS_THREE, Drop(1)) == frozenset()


def test_the_first_step_of_a_turn_is_not_answered_yet():
    position = on("power 7x6", "OOO/X//X//X/ X")
    assert dangers(position, Power(PowerDisc.DOUBLE, 7)) == frozenset()


# Seeing and overlooking


@pytest.mark.parametrize("number", range(4, 11))
def test_from_level_4_on_a_win_is_never_missed(number: int):
    for seed in range(10):
        assert Player(LEVELS[number - 1], seed).choose(RED_HAS_THREE) == Drop(1)


@pytest.mark.parametrize("number", range(5, 11))
def test_from_level_5_on_what_must_be_blocked_is_blocked(number: int):
    for seed in range(5):
        assert Player(LEVELS[number - 1], seed).choose(YELLOW_HAS_THREE) == Drop(1)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_lowest_levels_miss_wins_and_blocks_at_times_but_not_always(number: int):
    for position in (RED_HAS_THREE, YELLOW_HAS_THREE):
        chosen = [Player(LEVELS[number - 1], seed).choose(position) for seed in range(EASILY)]
        assert 0 < chosen.count(Drop(1)) < EASILY


def test_a_lower_level_misses_more():
    seen = [
        sum(Player(level, seed).choose(YELLOW_HAS_THREE) == Drop(1) for seed in range(EASILY)) for level in LEVELS[:4]
    ]
    assert seen == sorted(seen)


@pytest.mark.parametrize("position", [RED_HAS_THREE, YELLOW_HAS_THREE], ids=["own win", "block"])
def test_nothing_is_overlooked_in_two_turns_running(position: Position):
    for seed in range(10):
        player = Player(blind(LEVELS[0]), seed)
        turns = [player.choose(position) == Drop(1) for _ in range(12)]

        # It overlooks all that it can, or chose what it did not see by chance; then it plays with open eyes.
        assert all(seen or next_seen for seen, next_seen in itertools.pairwise(turns))
        assert not all(turns)


def test_what_is_not_overlooked_does_not_open_its_eyes():
    """Only what was there to be seen counts: a quiet turn is none in which something was overlooked."""
    quiet = Position.start(RuleSet.parse("popout 7x6"))
    player = Player(blind(LEVELS[0]), 1)
    player.choose(quiet)
    assert player.choose(RED_HAS_THREE) != Drop(1)


# Games


@pytest.mark.parametrize("number", [1, 4, 7, 10])
@pytest.mark.parametrize("game", GAMES)
def test_every_level_plays_every_game(game: str, number: int):
    rules = RuleSet.parse(f"{game} 4x4 connect=4" + (" target=3" if "pop10" in game else ""))
    position = Position.start(rules)
    players = {side: Player(LEVELS[number - 1], number) for side in (RED, RED.other)}
    for _ in range(10):
        if position.ended is not None:
            break
        position = position.play(players[position.turn].choose(position, seconds=0.02))


def test_a_seed_gives_the_same_game_again():
    def moves(seed: int) -> list[Move]:
        player, position = Player(LEVELS[2], seed), Position.start(RuleSet.parse("popout 7x6"))
        found = []
        while position.ended is None and len(found) < 30:
            found.append(player.choose(position))
            position = position.play(found[-1])
        return found

    assert moves(5) == moves(5)
    assert moves(5) != moves(6)


def test_levels_differ_from_game_to_game():
    start = Position.start(RuleSet.parse("popout 7x6"))
    assert len({Player(LEVELS[0], seed).choose(start) for seed in range(40)}) == 7


@pytest.mark.parametrize("number", [1, 5, 10])
def test_after_the_end_there_is_nothing_to_choose(number: int):
    over = RED_HAS_THREE.play(Drop(1))
    with pytest.raises(GameOver) as raised:
        Player(LEVELS[number - 1]).choose(over)
    assert str(raised.value) == "The game is over. Start a new game to play on."


@pytest.mark.parametrize("number", [1, 6, 9, 10])
def test_stopped_before_it_began_it_still_has_a_legal_move(number: int):
    position = Position.start(RuleSet.parse("popout 7x6"))
    assert Player(LEVELS[number - 1], 1).choose(position, stop=lambda: True) in position.legal_moves


def test_one_player_may_be_asked_about_one_game_after_another():
    player = Player(LEVELS[5], 1)
    for rules in ("popout 7x6", "pop10 5x4 target=3", "standard 7x6", "popout 9x9", "popout 7x6"):
        position = Position.start(RuleSet.parse(rules))
        assert player.choose(position, seconds=0.05) in position.legal_moves


def test_it_does_not_go_in_circles_while_something_else_is_as_good():
    position = Position.start(RuleSet.parse("popout 7x6"))
    player = Player(replace(LEVELS[8], plies=1, wobble=0.0))

    assert [player.choose(position) for _ in range(2)] == [Drop(4), Drop(4)]
    # To come to the same position a third time is worth no more than a draw.
    assert player.choose(position) != Drop(4)


# The highest level


class Book:
    """Knows that a strange move is best."""

    def verdicts(self, position: Position) -> Mapping[Move, Verdict] | None:
        return {move: won_in(21) if move == Drop(7) else DRAWN for move in position.legal_moves}


def test_the_highest_level_plays_by_the_book():
    assert Player(LEVELS[9], 1, Book()).choose(Position.start(RuleSet.parse("popout 7x6"))) == Drop(7)
    assert Player(LEVELS[8], 1, Book()).choose(Position.start(RuleSet.parse("popout 7x6"))) != Drop(7)


@pytest.mark.parametrize("rules", ["five+pop 3x3 connect=3", "popout 3x3 connect=3"])
@pytest.mark.parametrize("number", [1, 5, 9])
def test_the_highest_level_wins_what_is_won_and_loses_only_what_is_lost(rules: str, number: int):
    start = Position.start(RuleSet.parse(rules))
    graph = Graph(start, 200_000)
    for seed in range(4):
        game = Game.start(start.rules)
        best_side = RED if seed % 2 == 0 else RED.other
        best, other = Player(LEVELS[9], seed), Player(LEVELS[number - 1], seed)
        while game.outcome is None and len(game.moves) < 40:
            position = game.position
            if position.turn is not best_side:
                game = game.play(other.choose(position, seconds=0.05))
                continue
            before_it = graph.verdict(position)
            game = game.play(best.choose(position, seconds=30))
            after_it = graph.verdict(game.position)
            assert before_it is not None
            assert after_it is not None
            # It gives nothing away, and when it wins it hurries.
            chosen = before(after_it, same_side=False)
            assert (before_it.worth, before_it.plies) == (chosen.worth, chosen.plies)


def test_beginners_lose_to_a_child_that_sees_what_is_at_hand():
    """A script that takes wins and blocks, and else drops anywhere, wins most games against the lowest level."""
    won = 0
    for seed in range(20):
        chance, player = random.Random(seed), Player(LEVELS[0], seed)
        position = Position.start(RuleSet.parse("popout 7x6"))
        script = RED if seed % 2 == 0 else RED.other
        for _ in range(150):
            if position.ended is not None:
                break
            if position.turn is script:
                wins = list(winning_moves(position))
                safe = [move for move in position.legal_moves if not dangers(position, move)]
                move = chance.choice(wins or safe or list(position.legal_moves))
            else:
                move = player.choose(position)
            position = position.play(move)
        won += position.ended is not None and position.ended.winner is script
    assert won >= 12
