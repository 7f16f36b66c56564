"""Hands at the lines: a process of its own, as hands are, that moves wires at given times; and contacts that bounce."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Self

from popout.board.contacts import pin_number
from popout.board.layout import Layout
from rig.gpio.chips import Chip

BOUNCE_MS = 15.0
TAP_MS = 100.0


class Edge(NamedTuple):
    """A line changes, so many milliseconds after the beginning."""

    at_ms: float
    line: int
    high: bool


def contact(
    line: int, at_ms: float, closed: bool, chance: random.Random, *, pulses: int = 2, bounce_ms: float = BOUNCE_MS
) -> list[Edge]:
    """A switch to ground closes or opens and bounces: so many pulses the wrong way within that time."""
    times = [0.0, *sorted(chance.uniform(0.05, bounce_ms) for _ in range(2 * pulses))]
    return [Edge(at_ms + time, line, closed == bool(number % 2)) for number, time in enumerate(times)]


class Hands:
    """A process that moves the wires of the chip that was made as `name`."""

    def __init__(self, name: str = "pi") -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, name],
            env={"PYTHONPATH": str(Path(__file__).parents[1])},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def do(self, edges: Iterable[Edge]) -> list[tuple[float, float]]:
        """Move wires; the answer is when, in milliseconds of the monotonic clock: just before and after each move."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(sorted(edges)) + "\n")
        self._process.stdin.flush()
        return [(before, after) for before, after in json.loads(self._process.stdout.readline())]

    async def doing(self, edges: Iterable[Edge]) -> list[tuple[float, float]]:
        """The same, while everything else goes on."""
        return await asyncio.to_thread(self.do, edges)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


class Fingers:
    """Fingers at the switches of a board, which bounce."""

    def __init__(self, hands: Hands, layout: Layout, seed: int = 1) -> None:
        self._hands = hands
        self._layout = layout
        self._chance = random.Random(seed)

    async def move(self, switch: str, closed: bool) -> None:
        """Close a switch, or open it."""
        await self._hands.doing(self._contact(switch, 0, closed))

    async def tap(self, *switches: str, length_ms: float = TAP_MS) -> None:
        """Press one button, or several together, and let go."""
        edges = []
        for switch in switches:
            edges += self._contact(switch, 0, True) + self._contact(switch, length_ms, False)
        await self._hands.doing(edges)

    def _contact(self, switch: str, at_ms: float, closed: bool) -> list[Edge]:
        return contact(line_of(self._layout, switch), at_ms, closed, self._chance)


def line_of(layout: Layout, switch: str) -> int:
    """The line of a switch."""
    return pin_number(layout.switches[switch])


def main(name: str) -> None:
    """Move wires as the lines of standard input say, until it ends."""
    # Fingers do not wait for a processor.
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    chip = Chip(name)
    wires = {line: chip.wire(line) for line in range(28)}
    for text in sys.stdin:
        moved = []
        began = time.monotonic()
        for at_ms, line, high in json.loads(text):
            wait = began + at_ms / 1000 - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            else:
                began -= wait  # late: what follows is late too, so that no press becomes shorter than it was to be
            before = time.monotonic() * 1000
            wires[line].move(high)
            moved.append((before, time.monotonic() * 1000))
        print(json.dumps(moved), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
