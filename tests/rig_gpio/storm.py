"""A storm of random presses on many lines at once, and what a debouncer makes of it."""

from __future__ import annotations

import random
from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass

from hands import BOUNCE_MS, Edge, contact

from popout.board.driver import BoardDriver
from popout.board.switches import Report, SwitchEvent
from popout.play.alarm import Alarm
from popout.play.settings import Settings
from popout.play.switchboard import Switchboard

SHORTEST_MS = 40.0
LONGEST_MS = 200.0
MOST_PULSES = 3
MOST_EDGES = 48
"""In a second, on one line: a switch with more of them is taken for a broken one."""


@dataclass(frozen=True)
class Contact:
    """A switch closed or opened: from its first edge to its last, in milliseconds, and until the next contact."""

    closed: bool
    first: float
    last: float
    next: float


def presses(count: int, lines: Iterable[int], chance: random.Random) -> list[Edge]:
    """So many presses on these lines, each bouncing, pressed and let go for at least 40 ms each."""
    lines = list(lines)
    edges: list[Edge] = []
    ready = {line: chance.uniform(0, 2 * LONGEST_MS) for line in lines}
    latest: dict[int, deque[float]] = defaultdict(lambda: deque(maxlen=MOST_EDGES))
    for _ in range(count):
        line = min(lines, key=ready.__getitem__)
        time = ready[line]
        for closed in (True, False):
            bounced = contact(line, time, closed, chance, pulses=chance.randint(0, MOST_PULSES))
            for edge in bounced:
                latest[line].append(edge.at_ms)
            edges += bounced
            time += chance.uniform(SHORTEST_MS, LONGEST_MS)
        full = latest[line]
        # The edges of the next press are still within what a switch may do in a second.
        coming = 2 * (1 + 2 * MOST_PULSES)
        if len(full) > MOST_EDGES - coming:
            time = max(time, full[coming - MOST_EDGES - 1] + 1000 + LONGEST_MS + BOUNCE_MS)
        ready[line] = time
    return edges


def contacts(edges: Iterable[Edge], moved: Iterable[tuple[float, float]]) -> dict[int, list[Contact]]:
    """What was really done to each line: the edges, and just before and after when each was made."""
    of_line: dict[int, list[tuple[Edge, float, float]]] = defaultdict(list)
    for edge, (before, after) in zip(sorted(edges), moved, strict=True):
        of_line[edge.line].append((edge, before, after))
    return {line: _split(done) for line, done in of_line.items()}


def _split(done: list[tuple[Edge, float, float]]) -> list[Contact]:
    # A contact is a run of edges with less than the shortest press between them.
    runs: list[list[tuple[Edge, float, float]]] = []
    for each in done:
        if runs and each[0].at_ms - runs[-1][0][0].at_ms < SHORTEST_MS:
            runs[-1].append(each)
        else:
            runs.append([each])
    ends = [run[0][1] for run in runs[1:]] + [float("inf")]
    return [Contact(not run[-1][0].high, run[0][1], run[-1][2], end) for run, end in zip(runs, ends, strict=True)]


class Ear:
    """Hears a board as a table does, as far as its switches are debounced.

    :ivar reports: everything that was heard.
    """

    def __init__(self, board: BoardDriver, settings: Settings) -> None:
        self.reports: list[Report] = []
        self.edges = 0
        self._board = board
        self._switchboard = Switchboard(board.layout, settings, board.levels(), board.now())
        self._alarm = Alarm(board.now, self._wake)

    async def listen(self) -> None:
        """Listen until cancelled."""
        try:
            async for event in self._board.events():
                self._hear(event)
        finally:
            self._alarm.stop()

    def _hear(self, event: SwitchEvent) -> None:
        self.edges += 1
        self.reports += self._switchboard.edge(event)
        self._alarm.set(self._switchboard.due())

    def _wake(self) -> None:
        levels = self._board.levels()
        self.reports += self._switchboard.poll(self._board.now(), levels)
        self._alarm.set(self._switchboard.due())
