"""Measures the solver, and compares it with another one: ``make bench-opponent`` runs it.

On the original 7x6 values and distances of random positions are compared with those of ``bitbully``, position by
position and timed side by side; a difference ends it with 1. On Pop Out 7x6 the win of the first player is proved and
its length found. On a machine that has other work to do, compare the numbers of positions.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from time import perf_counter

import bitbully

from popout.opponent.kernel.compiling import COMPILED
from popout.opponent.solver import MIB, Solver
from popout.opponent.verdicts import DRAWN, Verdict, lost_in, won_in
from popout.rules import Drop, Position, RuleSet, position_text

FEWEST_DISCS, MOST_DISCS = 12, 38
WIN, NO_WIN = 21, 19
"""Turns within which the first player wins Pop Out 7x6, and within which it does not."""


def compare(count: int, seed: int, memory: int) -> int:
    """How many of `count` random positions of the original the two solvers say different things of."""
    rules = RuleSet.parse("standard 7x6")
    solver, other = Solver(rules, memory), bitbully.BitBully(None)
    solver.value(Position.start(rules), 8)  # what is compiled or read from the disk now is not measured
    chance = random.Random(seed)
    ours = theirs = 0.0
    differences = 0
    for number in range(count):
        position, board = random_position(rules, chance)
        began = perf_counter()
        found = solver.value(position)
        ours += perf_counter() - began
        began = perf_counter()
        expected = verdict_of(other, board)
        theirs += perf_counter() - began
        if found != expected:
            differences += 1
            print(f"{position_text(position)}: {found}, but bitbully says {expected}")
        if (number + 1) % 100 == 0:
            print(f"{number + 1} positions: popout {ours:.1f} s, bitbully {theirs:.1f} s, {differences} differences")
    print(f"popout looked at {solver.positions} positions")
    return differences


def random_position(rules: RuleSet, chance: random.Random) -> tuple[Position, bitbully.Board]:
    """A position in which the game goes on, after random moves, for both solvers."""
    while True:
        position, board = Position.start(rules), bitbully.Board()
        for _ in range(chance.randint(FEWEST_DISCS, MOST_DISCS)):
            move = chance.choice(position.legal_moves)
            assert isinstance(move, Drop)
            position = position.play(move)
            board.play(move.column - 1)
            if position.ended:
                break
        else:
            return position, board


def verdict_of(other: bitbully.BitBully, board: bitbully.Board) -> Verdict:
    """What ``bitbully`` says of a position."""
    score = other.mtdf(board)
    if score == 0:
        return DRAWN
    turns = other.score_to_moves_left(score, board)
    return won_in(turns) if score > 0 else lost_in(turns)


def prove(memory: int, cores: int) -> bool:
    """Prove the win in Pop Out 7x6 and find its length; whether they are what they are known to be."""
    rules = RuleSet.parse("popout 7x6")
    start = Position.start(rules)
    Solver(rules, memory, cores).wins_within(start, 11)  # compiled, or read from the disk
    right = True
    for turns, expected in ((WIN, True), (NO_WIN, False)):
        solver = Solver(rules, memory, cores)
        began = perf_counter()
        right &= solver.wins_within(start, turns) is expected
        tell(f"a win within {turns}: {expected}", cores, solver.positions, perf_counter() - began)
    solver = Solver(rules, memory, cores)
    began = perf_counter()
    right &= solver.value(start) == won_in(WIN)
    tell("the exact value", cores, solver.positions, perf_counter() - began)
    return right


def tell(what: str, cores: int, positions: int, seconds: float) -> None:
    """Print one figure."""
    speed = positions / seconds / 1e6
    print(f"popout 7x6, {what}: {cores} cores, {positions} positions, {seconds:.1f} s, {speed:.1f} million a second")


def main() -> int:
    """Measure, and say by the exit code whether everything was right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=1000, help="of the original, to be compared")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", type=int, default=1024, help="in MiB")
    parser.add_argument("--only", choices=("compare", "prove"))
    wanted = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, {'compiled' if COMPILED else 'uncompiled'}, {os.cpu_count()} cores")
    right = True
    if wanted.only != "compare":
        for cores in sorted({1, os.cpu_count() or 1}):
            right &= prove(wanted.memory * MIB, cores)
    if wanted.only != "prove":
        right &= compare(wanted.positions, wanted.seed, wanted.memory * MIB) == 0
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
