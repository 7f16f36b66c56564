"""Kill a program that plays, at random instants and again and again, and look at what it resumes: `make crash`.

A game is what was shown as committed. After each restart the record must lead to exactly that; one entry more is right
if it was being written, or had been and nobody had seen it yet.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from functools import partial
from pathlib import Path

import victim
from witness import Figures, Life, Witness, Written


def run(kills: int, seed: int, path: Path) -> tuple[Figures, list[Written]]:
    """Kill the program so many times; the answer is what came of it, and all that was shown as committed."""
    chance = random.Random(seed)
    figures = Figures()
    witness = Witness(figures)
    gc.freeze()
    for number in range(kills + 1):
        life = Life(partial(victim.live, path, seed * 1_000_003 + number))
        if number == kills:
            life.listen_for("resumed", 1)  # the last life only says what it found
        else:
            _choose_instant(life, chance)
        died_of = life.kill()
        if died_of != signal.SIGKILL:
            figures.faults.append(f"it died of signal {died_of} and was not killed")
        figures.kills += number < kills
        witness.hear(life.lines)
    return figures, witness.shown


def _choose_instant(life: Life, chance: random.Random) -> None:
    """Wait until the instant to kill has come."""
    match chance.choice(["time", "start", "begin", "begin", "begin", "shown"]):
        case "time":
            life.listen_until(time.monotonic() + chance.uniform(0, 0.06))
        case "start":
            life.listen_until(time.monotonic() + chance.uniform(0, 0.012))
        case "begin":
            life.listen_for("begin", chance.randint(1, 3))
            # Half of them at once: between the pipe and the kill some of the writing is done.
            life.listen_until(time.monotonic() + chance.choice((0, chance.uniform(0, 0.002))))
        case "shown":
            life.listen_for("shown", chance.randint(1, 3))


def in_the_file(path: Path) -> Iterator[Written]:
    """Every entry of the record, past everything of popout."""
    with closing(sqlite3.connect(path)) as database:
        yield from database.execute("select kind, text from entry order by id")


def main() -> int:
    """Print the figures as they are for people, or with ``--json`` for the test."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite3"
        began = time.monotonic()
        figures, shown = run(arguments.kills, arguments.seed, path)
        took = time.monotonic() - began
        if list(in_the_file(path)) != shown:
            figures.faults.append("the record as a whole is not what was shown")
        figures.faults += [f"there is a file {other.name}" for other in Path(folder).glob("*damaged*")]
    if arguments.json:
        print(json.dumps(asdict(figures)))
        return 0
    print(f"{figures.kills} kills in {took:.0f} s, seed {arguments.seed}")
    print(f"  before the game was resumed      {figures.before_play}")
    print(f"  while an entry was being written {figures.in_commit}, of which {figures.kept} entries were kept")
    print(f"  on disk and not yet shown        {figures.unseen}")
    print(f"steps shown as committed: {figures.steps}")
    for kind, count in sorted(figures.kinds.items()):
        print(f"  {kind:<12}{count}")
    print(f"lost: {figures.lost}")
    print(f"doubled: {figures.doubled}")
    print(f"other faults: {len(figures.faults)}")
    for fault in figures.faults[:10]:
        print(f"  {fault}")
    return bool(figures.lost or figures.doubled or figures.faults)


if __name__ == "__main__":
    sys.exit(main())
