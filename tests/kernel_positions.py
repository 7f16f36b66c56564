"""Positions of random games for the tests of the search kernel, and what the rules core says of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache

from popout.rules import Drop, Move, Pop, Position, RuleSet

KNOWN = (
    "popout 7x6",
    "popout 7x6 both-lines=draw",
    "popout 7x6 both-lines=other",
    "popout 5x4 connect=3 empty-grid=continue",
    "popout 4x5 connect=3 both-lines=other empty-grid=continue",
    "popout 7x1 connect=3",
    "popout 1x8 connect=3",
    "popout 3x12 connect=5",
    "popout 9x6 connect=6",
    "popout 4x4 connect=2",
    "popout 7x8 connect=7",
    "standard 7x6",
    "standard 9x6",
    "standard 4x4 connect=3",
    "five 7x6",
    "five+pop 7x6 flanks=RY",
    "five+pop 4x4 flanks=YY connect=4",
    "five+pop 3x3 connect=3 both-lines=draw first=yellow",
)
"""Rules that the kernel's search knows."""
FULL_GOES_ON = (
    "popout 4x3 connect=3 full-grid=continue",
    "popout 3x3 connect=3 full-grid=claim both-lines=draw",
    "five+pop 3x2 connect=3 full-grid=continue empty-grid=continue flanks=RY",
)
"""Rules that only its tables know."""


def game_positions(rules: str, seed: int = 1, games: int = 12, longest: int = 80) -> Iterator[Position]:
    """Every position of some random games, the finished ones too; pops are as likely as drops, or rare."""
    chance = random.Random(f"{rules} {seed}")
    start = Position.start(RuleSet.parse(rules))
    for number in range(games):
        position = start
        yield position
        for _ in range(longest):
            moves = position.legal_moves
            if not moves:
                break
            drops = [move for move in moves if isinstance(move, Drop)]
            position = position.play(chance.choice(drops if drops and chance.random() < number % 3 / 2.5 else moves))
            yield position


def kernel_move(move: Move) -> int:
    """The number by which the kernel knows a move."""
    assert isinstance(move, Drop | Pop)
    return move.column - 1 + (32 if isinstance(move, Pop) else 0)


@lru_cache(200_000)
def wins_within(position: Position, plies: int, by_mover: bool) -> bool:
    """Whether a side wins within so many plies, by trying everything on the rules core."""
    if position.ended is not None:
        winner = position.ended.winner
        return winner is not None and (winner is position.turn) == by_mover
    if plies == 0:
        return False
    after = [position.play(move) for move in position.legal_moves]
    won = (wins_within(each, plies - 1, by_mover if each.turn is position.turn else not by_mover) for each in after)
    return any(won) if by_mover else all(won)
