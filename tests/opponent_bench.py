"""Measures the opponent's levels in games against each other and against scripts: ``make bench-opponent``.

``GAMES=10000`` plays more than the usual hundred of a kind. Levels that stop by their depth and not by the clock play
the same games whenever the same seeds do; the figures say which Python and whether the kernel was compiled.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

from popout.opponent.kernel.compiling import COMPILED
from popout.opponent.levels import LEVELS
from popout.opponent.player import Player
from popout.opponent.sight import winning_moves
from popout.opponent.solver import Solver
from popout.opponent.verdicts import Worth
from popout.rules import RED, Game, Move, Position, RuleSet, Side

Choose = Callable[[Position], Move]

LONGEST = 150
"""Turns after which a game is called a draw."""
MAIN = ("popout 7x6", "standard 7x6")
OTHERS = ("five 7x6", "five+pop 7x6", "pop10 7x6", "power 7x6", "popout 9x9", "popout 5x4")
LOWEST_SHARE = 0.65
"""Of the games that a level wins against the one below it."""
CHECKING_MEMORY = 512 << 20
TOP = "10"


def at_random(seed: int) -> Choose:
    """Any legal move."""
    chance = random.Random(seed)
    return lambda position: chance.choice(position.legal_moves)


def beginner_script(seed: int) -> Choose:
    """Takes a win, blocks a win, else any move that does not give the other side a win at once."""
    chance = random.Random(seed)

    def choose(position: Position) -> Move:
        wins = winning_moves(position)
        if wins:
            return next(iter(wins))
        safe = [move for move in position.legal_moves if not _gives_a_win(position, move)]
        return chance.choice(safe or position.legal_moves)

    return choose


def greedy(seed: int) -> Choose:
    """As the beginner, and of the safe moves one that makes the longest row of own discs."""
    chance = random.Random(seed)

    def choose(position: Position) -> Move:
        wins = winning_moves(position)
        if wins:
            return next(iter(wins))
        safe = [move for move in position.legal_moves if not _gives_a_win(position, move)]
        return max(safe or position.legal_moves, key=lambda move: (_longest_row(position, move), chance.random()))

    return choose


def level(number: int, seed: int, seconds: float | None) -> Choose:
    """A level, as fast as is allowed."""
    player = Player(LEVELS[number - 1], seed)
    return lambda position: player.choose(position, seconds=seconds)


def somebody(name: str, seed: int, seconds: float | None) -> Choose:
    """A player by its name: a level's number or a script's."""
    scripts = {"random": at_random, "beginner": beginner_script, "greedy": greedy}
    return scripts[name](seed) if name in scripts else level(int(name), seed, seconds)


def played(rules: str, red: str, yellow: str, seed: int, seconds: float | None) -> tuple[Game, float, float]:
    """A game, and the longest time that each thought about a move, in seconds."""
    game = Game.start(RuleSet.parse(rules))
    players = {RED: somebody(red, seed, seconds), RED.other: somebody(yellow, seed + 1_000_003, seconds)}
    longest = dict.fromkeys(players, 0.0)
    while game.outcome is None and game.turns < LONGEST:
        side = game.position.turn
        began = time.perf_counter()
        move = players[side](game.position)
        longest[side] = max(longest[side], time.perf_counter() - began)
        game = game.play(move)
    return game, longest[RED], longest[RED.other]


def tournament(rules: str, one: str, other: str, games: int, seconds: float | None, at_once: int) -> Counter[str]:
    """How often `one` won, lost and drew against `other`, each beginning half of the games."""
    jobs = []
    with ProcessPoolExecutor(at_once) as pool:
        for number in range(games):
            sides = (one, other) if number % 2 == 0 else (other, one)
            jobs.append((number, pool.submit(played, rules, *sides, number, seconds)))
        score: Counter[str] = Counter()
        for number, job in jobs:
            game, *_ = job.result()
            score[_ending(game, RED if number % 2 == 0 else RED.other)] += 1
    return score


def _moves(game: Game) -> str:
    return " ".join(map(str, game.moves))


def _ending(game: Game, side: Side) -> str:
    winner = game.outcome.winner if game.outcome else None
    return "drawn" if winner is None else "won" if winner is side else "lost"


def given_away(game: Game, side: Side, seconds: float) -> tuple[int, bool] | None:
    """The number of the move with which `side` lost a lost game, and whether that is proved.

    It is not where nobody could tell within `seconds` what the position before the move was worth. None if all was lost
    before `side` could do anything about it.
    """
    solver = Solver(game.rules, CHECKING_MEMORY, os.cpu_count() or 1)
    for number in range(len(game.moves), 0, -1):
        if game.mover(number) is side:
            worth = solver.value(game.positions[number - 1], deadline=time.monotonic() + seconds).worth
            if worth is not Worth.LOSS:
                return number, worth is not Worth.UNKNOWN
    return None


def _gives_a_win(position: Position, move: Move) -> bool:
    after = position.play(move)
    if after.ended is not None:
        return after.ended.winner is position.turn.other
    return after.turn is not position.turn and bool(winning_moves(after))


def _longest_row(position: Position, move: Move) -> int:
    after = position.play(move)
    discs = after.red if position.turn is RED else after.yellow
    height = position.rules.rows + 1
    longest = 0
    for way in (1, height, height - 1, height + 1):
        length, run = 0, discs
        while run:
            length, run = length + 1, run & run >> way
        longest = max(longest, length)
    return longest


def top_level_first(rules: str, games: int, seconds: float | None, at_once: int) -> None:
    """The highest level as the first player against everybody."""
    for other in ("random", "greedy", *map(str, range(1, len(LEVELS)))):
        began = time.perf_counter()
        score: Counter[str] = Counter()
        slowest = 0.0
        with ProcessPoolExecutor(at_once) as pool:
            jobs = [pool.submit(played, rules, TOP, other, seed, seconds) for seed in range(games)]
            for job in jobs:
                game, longest, _ = job.result()
                score[_ending(game, RED)] += 1
                slowest = max(slowest, longest)
        _print_score(TOP, f"{other} (2nd)", score, time.perf_counter() - began, f"  longest thought {slowest:.2f} s")


def top_level_second(rules: str, games: int, seconds: float | None, checking: float, at_once: int) -> None:
    """The highest level as the second player: did it lose what was not lost?"""
    for other in ("greedy", *map(str, range(5, len(LEVELS)))):
        began = time.perf_counter()
        with ProcessPoolExecutor(at_once) as pool:
            jobs = [pool.submit(played, rules, other, TOP, seed, seconds) for seed in range(games)]
            ended = [job.result()[0] for job in jobs]
        score = Counter(_ending(game, RED.other) for game in ended)
        gave = perhaps = 0
        for game in ended:
            found = given_away(game, RED.other, checking) if _ending(game, RED.other) == "lost" else None
            if found:
                gave, perhaps = gave + found[1], perhaps + (not found[1])
                print(f"    {'gave' if found[1] else 'perhaps gave'} it away by move {found[0]}: {_moves(game)}")
        said = f"  gave away {gave}, perhaps {perhaps}"
        _print_score(TOP, f"{other} (1st)", score, time.perf_counter() - began, said)


def levels_and_scripts(rules: str, games: int, seconds: float | None, at_once: int, low: int, high: int) -> None:
    """Each level against the one below it, and the lowest against scripts."""
    pairs = [(str(number), str(number - 1)) for number in range(max(low, 2), high + 1)]
    pairs += [("beginner", str(number)) for number in range(low, min(high, 3) + 1)]
    pairs += [("random", "1")] if low == 1 else []
    for one, other in pairs:
        began = time.perf_counter()
        score = tournament(rules, one, other, games, seconds, at_once)
        enough = one == "random" or score["won"] >= (0.5 if one == "beginner" else LOWEST_SHARE) * games
        _print_score(one, other, score, time.perf_counter() - began, "" if enough else "  TOO FEW")


def _print_score(one: str, other: str, score: Counter[str], seconds: float, more: str = "") -> None:
    games = score.total()
    print(
        f"  {one:>8} against {other:<14} won {score['won']:>5}  drawn {score['drawn']:>5}  lost {score['lost']:>5}   "
        f"{score['won'] / games:6.1%} {seconds:8.1f} s{more}",
        flush=True,
    )


def main() -> None:
    """Play everything and print it."""
    parser = argparse.ArgumentParser(description="Measure the opponent's levels.")
    parser.add_argument("--games", type=int, default=100, help="games of a kind")
    parser.add_argument("--seconds", type=float, help="for a move, at most, instead of what each level takes")
    parser.add_argument("--checking", type=float, default=10, help="seconds to check a position of a lost game")
    parser.add_argument("--rules", action="append", help="instead of all games")
    parser.add_argument("--levels", default="1-10", help="the lowest and the highest")
    parser.add_argument("--only", choices=("levels", "first", "second"), help="instead of all three")
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    print(f"Python {platform.python_version()}, kernel {'compiled' if COMPILED else 'not compiled'}")
    how_long = "each level in its own time" if given.seconds is None else f"{given.seconds} s a move at most"
    lowest, _, highest = given.levels.partition("-")
    if given.only in (None, "levels"):
        for rules in given.rules or [*MAIN, *OTHERS]:
            games = given.games if given.rules or rules in MAIN else max(4, given.games // 5)
            print(f"\n{rules}: {games} games each, {how_long}")
            levels_and_scripts(rules, games, given.seconds, given.at_once, int(lowest), int(highest or lowest))
    for rules in given.rules or MAIN[:1]:
        if given.only in (None, "first"):
            print(f"\n{rules}: the highest level begins, {given.games} games each, {how_long}")
            top_level_first(rules, given.games, given.seconds, given.at_once)
        if given.only in (None, "second"):
            games = max(2, given.games // 5)
            print(f"\n{rules}: the highest level is second, {games} games each, {how_long}")
            top_level_second(rules, games, given.seconds, given.checking, given.at_once)


if __name__ == "__main__":
    main()
