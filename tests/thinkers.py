"""A process that thinks as a test tells it to, in place of the opponent's own: run as ``python thinkers.py WHAT FILE``.

It notes in FILE, a line each, what happened to it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from popout.opponent.thinking import Thinker
from popout.opponent.verdicts import Analysis, Verdict, Worth
from popout.opponent.worker import run
from popout.rules import Claim, Move, Position

Stop = Callable[[], bool]

QUICK = "quick"
"""Answers at once."""
SLOW = "slow"
"""Thinks until it is stopped or a file ``go`` lies beside its own."""
DEAF = "deaf"
"""Thinks like that, and cannot be stopped."""
DYING = "dying"
"""Ends at the first question."""
ONCE = "dying once"
"""Ends at the first question, and is quick after it was started again."""
WRONG = "wrong"
"""Fails in the middle of its thoughts."""

OF_BETTER = "-of-better"
"""How the name of the notes of a better process ends."""


class FakeEngine:
    """Plays the first or the last legal move: the last one at an even level. A draw it claims only if nothing else."""

    def __init__(self, what: str, notes: Path) -> None:
        self._what = what
        self._notes = notes
        self.note("started")

    def note(self, line: str) -> None:
        with self._notes.open("a") as file:
            file.write(line + "\n")

    def choose(self, position: Position, level: int, player: str, seconds: float | None, stop: Stop) -> Move:
        self.note(f"choose {level} {player} {seconds}")
        self._think(stop)
        moves: list[Move] = [move for move in position.legal_moves if not isinstance(move, Claim)]
        return (moves or [Claim()])[-1 if level % 2 == 0 else 0]

    def analyse(self, position: Position, seconds: float | None, stop: Stop) -> Iterator[Analysis]:
        self.note(f"analyse {seconds}")
        unknown = Verdict(Worth.UNKNOWN, None, 0.25, 3)
        yield Analysis(dict.fromkeys(position.legal_moves, unknown), unknown, 10, final=False)
        self._think(stop)
        won = Verdict(Worth.WIN, 5, 1.0)
        yield Analysis(dict.fromkeys(position.legal_moves, won), won, 20, final=True)

    def _think(self, stop: Stop) -> None:
        if self._what == DYING or (self._what == ONCE and self._notes.read_text().count("started") == 1):
            os._exit(7)
        if self._what == WRONG:
            raise KeyError(11)
        while self._what in (SLOW, DEAF) and not self._notes.with_name("go").exists():
            time.sleep(0.01)
            if stop() and self._what == SLOW:
                self.note("stopped")
                break

    def get_ready(self) -> None:
        """Be ready as soon as a file ``ready`` lies beside the notes; not at all if that says ``never``."""
        ready = self._notes.with_name("ready")
        while not ready.exists():
            time.sleep(0.01)
        assert ready.read_text() != "never"


def thinker(what: str, notes: Path, better: str | None = None) -> Thinker:
    """A thinker that asks such a process, and where there is a `better` one, that one when it is ready."""
    command = [sys.executable, __file__, what, str(notes)]
    return Thinker(command, None if better is None else [sys.executable, __file__, better, f"{notes}{OF_BETTER}"])


if __name__ == "__main__":
    engine = FakeEngine(sys.argv[1], Path(sys.argv[2]))
    if sys.argv[2].endswith(OF_BETTER):
        run(engine, engine.get_ready)
    else:
        run(engine)
