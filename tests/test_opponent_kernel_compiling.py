"""The kernel gives the same answers compiled and uncompiled, and its compiled code is kept by what it was made of."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from popout.opponent.kernel.compiling import octets, words

ANSWERS = """
from kernel_positions import game_positions
from popout.opponent.kernel.compiling import COMPILED
from popout.opponent.solver import MIB, Solver
from popout.rules import RuleSet

print("compiled" if COMPILED else "plain")
for rules, most in (("popout 5x4", 7), ("standard 7x6", 7), ("five+pop 7x6", 4), ("popout 4x3 connect=3", None)):
    solver = Solver(RuleSet.parse(rules), 16 * MIB)
    for position in list(game_positions(rules, games=2))[::4]:
        print(solver.value(position, most), most and solver.positions)
        print(list(solver.moves(position, most and most - 2).items()))
"""


def answers(engine: str, cache: Path) -> list[str]:
    """What a process of its own finds out."""
    environment = {**os.environ, "POPOUT_ENGINE": engine, "XDG_CACHE_HOME": str(cache)}
    environment["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    made = subprocess.run(
        [sys.executable, "-c", ANSWERS], env=environment, capture_output=True, check=True, text=True, timeout=300
    )
    return made.stdout.splitlines()


def test_compiled_and_uncompiled_it_searches_the_same_positions_and_finds_the_same(tmp_path: Path):
    """Where numba is not installed both are uncompiled."""
    compiled, plain = answers("", tmp_path), answers("python", tmp_path)

    assert plain[0] == "plain"
    assert compiled[1:] == plain[1:]
    assert len(plain) > 50


def test_new_words_and_bytes_are_zeros():
    for made in (words(5), octets(5)):
        assert list(made) == [0, 0, 0, 0, 0]
        made[2] = 200
        assert list(made) == [0, 0, 200, 0, 0]
