"""What spectators cost the board, for `bench.py`: from the edge of a switch to the finished frame, alone and watched.

The table and its server run in this process as they do in `popout sim --listen`; the spectators run in another one and
come from this machine's own address on the network, so that the server takes them for what they are: not its own.
Of ten, two take nothing at all, two take one message a second, and six take everything.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.store import Store
from popout.rules import RuleSet
from popout.views.web.listening import EVERYWHERE, listen
from popout.views.web.server import serve
from popout.views.web.state import TableView
from popout_sim.contacts import PERFECT
from popout_sim.driver import SimulatedBoard

SPECTATORS = 200
RULES = "popout 7x6"


class TimedBoard(SimulatedBoard):
    """Notes when a frame with other discs is finished."""

    finished = (0.0, 0.0)
    _cells: object = None

    def show(self, frame: Frame) -> None:
        """Light the lamps, and note the time."""
        super().show(frame)
        if frame.cells != self._cells:
            self._cells = frame.cells
            self.finished = _now()


async def event_to_frame(presses: int, spectators: int) -> tuple[dict[str, float], float]:
    """Milliseconds from the edge of a button to the frame, and by how many MiB the memory grew from when the spectators
    had come until the end.

    On the clock, which other programs on the machine can hold up, and of CPU, which they cannot.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        Store(Path(folder) / "games") as store,
        TimedBoard(Layout.plain(7, 6), contact=PERFECT) as board,
    ):
        table = Table(board, store, Settings(), RuleSet.parse(RULES))
        listening = listen(EVERYWHERE, 0)
        tasks = [
            asyncio.create_task(table.run()),
            asyncio.create_task(serve(TableView(table), listener=listening)),
        ]
        await asyncio.sleep(0.5)
        address = [*listening.addresses(), listening.address][0]
        with _watched(address, spectators) as all_there:
            await asyncio.to_thread(all_there)
            await _press(table, board, 20)  # the first games also load what is loaded once
            before = _memory()
            times = await _press(table, board, presses)
            grown = _memory() - before
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    return {
        f"{name}, {kind}": value
        for kind, each in zip(("clock", "CPU"), zip(*times, strict=True), strict=True)
        for name, value in (
            ("median", statistics.median(each)),
            ("99th percentile", statistics.quantiles(each, n=100)[98]),
        )
    }, grown


async def _press(table: Table, board: TimedBoard, presses: int) -> list[tuple[float, float]]:
    times = []
    choose = random.Random(1)
    while len(times) < presses:
        if table.controller.game.outcome:
            await table.new_game(RuleSet.parse(RULES))
        column = choose.randint(1, 7)
        if len(table.controller.game.position.grid[column - 1]) == 6:
            continue
        began = _now()
        board.twin.act({"do": "press", "switch": f"column {column}"})
        while board.finished[0] < began[0]:
            await asyncio.sleep(0.001)
        clock, cpu = (after - before for after, before in zip(board.finished, began, strict=True))
        times.append((clock * 1000, cpu * 1000))
        await asyncio.sleep(choose.uniform(0.05, 0.1))
        board.twin.act({"do": "release", "switch": f"column {column}"})
        await asyncio.sleep(choose.uniform(0.05, 0.1))
    return times


@contextmanager
def _watched(address: str, spectators: int) -> Iterator[Any]:
    """Spectators in another process; gives what waits until all of them have heard something."""
    if not spectators:
        yield lambda: None
        return
    process = subprocess.Popen([sys.executable, __file__, address, str(spectators)], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        yield process.stdout.readline
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def _now() -> tuple[float, float]:
    """The seconds on the clock, and of CPU of the thread with the event loop."""
    return time.perf_counter(), time.thread_time()


def _memory() -> float:
    """MiB that this process has in memory."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


async def _watch(address: str, spectators: int) -> None:
    from websockets.asyncio.client import connect
    from websockets.exceptions import WebSocketException

    came = 0
    everybody = asyncio.Event()

    async def one(number: int) -> None:
        """Connect, again and again as a page does, and take as much as this one takes."""
        nonlocal came
        first = True
        kind = number % 10
        while True:
            with suppress(OSError, WebSocketException):
                limits: dict[str, Any] = {"max_queue": 1} if kind < 4 else {}
                url = address.replace("http:", "ws:") + "ws"
                async with connect(url, origin=address.rstrip("/"), open_timeout=30, **limits) as page:  # type: ignore[arg-type]
                    await page.recv()
                    if first:
                        first, came = False, came + 1
                    if came == spectators:
                        everybody.set()
                    if kind < 2:
                        page.transport.pause_reading()
                        await asyncio.sleep(1000)
                    while True:
                        await page.recv()
                        await asyncio.sleep(kind < 4)
            await asyncio.sleep(1)

    async with asyncio.TaskGroup() as group:
        for number in range(spectators):
            group.create_task(one(number))
        await everybody.wait()
        print("all there", flush=True)


def main() -> None:
    """Be the spectators."""
    parser = argparse.ArgumentParser(description="Watch a board with many connections.")
    parser.add_argument("address")
    parser.add_argument("spectators", type=int)
    given = parser.parse_args()
    os.nice(19)  # elsewhere their work is that of other machines, and takes nothing from the board's processor
    asyncio.run(_watch(given.address, given.spectators))


if __name__ == "__main__":
    main()
