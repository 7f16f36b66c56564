"""Play thousands of games by scripted hands on the twin, through the whole controller: `make soak`.

The clock is turned, so that nobody waits; everything else is as at a real table: the event loop, the board with its
faults and its people, the record on disk. Printed are the games, what they cost in memory, and what went wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from players import Players
from popout.board.driver import BoardDriver
from popout.board.layout import Layout
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.archive import Archive
from popout.record.store import Store
from popout.rules import RuleSet
from popout.rules.notation import result_text
from popout_sim.contacts import PERFECT
from popout_sim.driver import SimulatedBoard
from popout_sim.mischief import Mischief
from popout_sim.named import parse_faults
from turned_clock import TurnedLoop

WHOLE = ("standard 7x6", "popout 7x6", "pop10 7x6", "five 7x6", "power 7x6", "five+pop 7x6", "power+pop 7x6")
SMALL = (
    "standard 5x4 connect=3",
    "popout 5x4 connect=3",
    "popout 4x4",
    "pop10 5x4 target=3",
    "five 5x4 connect=3",
    "power 5x4 connect=3",
    "five+pop 5x4 connect=3",
    "power+pop 5x4 connect=3",
)
RULES = tuple(map(RuleSet.parse, WHOLE + 2 * SMALL))
"""Every kind of game, mostly on small boards, where games are short."""

FAULTS = (
    "bounce:10%,lost-edge:0.5%,two-columns:1%,bar-half-open:2%,glitch:1ms@~20s,glitch:50ms@~5min,chattering@~10min,"
    "out-of-turn@~10min,top-taken@~10min,tray-emptied@~30min,board-away:2s@~10min"
)
STUCK_GAME_S = 24 * 3600
"""A game that takes people so long, by the turned clock, will never end."""


@dataclass
class Figures:
    """What came of it.

    :ivar hours: how long it took the people at the table. :ivar seconds: how long it took here.
    :ivar warm_kib: the memory of the process after a tenth of the games, `end_kib` at the end.
    :ivar faults: what went wrong, in words: a part that failed, a game without end, a record that replays otherwise.
    """

    games: int = 0
    moves: int = 0
    hours: float = 0
    seconds: float = 0
    warm_kib: int = 0
    end_kib: int = 0
    said: dict[str, int] = field(default_factory=dict)
    outcomes: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def soak(games: int, seed: int, path: Path, progress: Callable[[str], None] = lambda _: None) -> Figures:
    """Play so many games into the record in `path`."""
    figures = Figures()
    began = time.monotonic()
    chance = random.Random(seed)
    loop = TurnedLoop(work_takes=lambda: chance.choice((0.0, 0.001, 0.02, 0.2)))
    loop.set_exception_handler(lambda _, context: figures.faults.append(f"a task died: {_told(context)}"))
    started = loop.time()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(_play(games, chance, path, figures, progress))
        figures.hours = (loop.time() - started) / 3600
    progress("reading the record again")
    _replay(path, figures)
    figures.seconds = time.monotonic() - began
    return figures


async def _play(
    games: int, chance: random.Random, path: Path, figures: Figures, progress: Callable[[str], None]
) -> None:
    loop = asyncio.get_running_loop()
    mischief = Mischief(parse_faults(FAULTS), seed=chance.getrandbits(32))

    def open_board() -> BoardDriver:
        return SimulatedBoard(
            Layout.plain(7, 6), clock=lambda: loop.time() * 1000, contact=PERFECT, seed=1, mischief=mischief
        )

    said: Counter[str] = Counter()
    with Store(path) as store:
        table = Table(open_board(), store, Settings(), RULES[0], reopen=open_board)
        running = asyncio.create_task(table.run())
        watching = asyncio.create_task(_watch(table, said))
        players = Players(table, chance, RULES, press_ms=80, pause_ms=250, folly=0.05)
        heard, game_began = 0, loop.time()
        while players.games < games:
            before = players.games
            await players.act()
            if running.done() or watching.done():
                figures.faults.append("the table has stopped")
                break
            if loop.time() - game_began > STUCK_GAME_S:
                figures.faults.append(f"a game never ended: {_where(table)}")
                break
            if players.games != before:
                game_began = loop.time()
                if players.games == max(1, games // 10):
                    figures.warm_kib = _memory_kib()
                if players.games % max(1, games // 20) == 0:
                    progress(f"{players.games} games")
            heard = _hear(table, heard, said)
        figures.games = players.games
        figures.end_kib = _memory_kib()
        for task in (running, watching):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        table.board.close()
    figures.said = dict(said.most_common())
    if failed := said["part-failed"]:
        figures.faults.append(f"a part of the program failed {failed} times")


async def _watch(table: Table, said: Counter[str]) -> None:
    """Somebody who looks at the board all the time, as a page does."""
    async for _ in table.changes():
        said["(something to see)"] += 1


def _hear(table: Table, heard: int, said: Counter[str]) -> int:
    for notice in table.controller.notices.since(heard):
        said[notice.code] += 1
        heard = notice.number
    return heard


def _replay(path: Path, figures: Figures) -> None:
    """Every game of the record leads to the outcome that is stored with it."""
    outcomes: Counter[str] = Counter()
    with Archive(path) as archive:
        for summary in archive.games():
            game = archive.game(summary.number)
            outcome = result_text(game.outcome) if game.outcome else None
            if outcome != summary.outcome:
                figures.faults.append(f"game {summary.number} replays to {outcome}, and {summary.outcome} is stored")
            figures.moves += summary.moves
            outcomes[outcome or "not ended"] += 1
    figures.outcomes = dict(outcomes.most_common())


def _where(table: Table) -> str:
    controller = table.controller
    return f"{controller.game.rules.text}, {controller.mode}, {controller.trouble}, {controller.gesture}"


def _told(context: dict[str, Any]) -> str:
    return f"{context.get('message')} {context.get('exception')!r}"


def _memory_kib() -> int:
    """What the process has in memory."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


def main() -> int:
    """Print the figures as they are for people, or with ``--json``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = soak(
            arguments.games,
            arguments.seed,
            Path(folder) / "games.sqlite3",
            lambda line: print(line, file=sys.stderr, flush=True),
        )
    if arguments.json:
        print(json.dumps(asdict(figures)))
        return bool(figures.faults)
    print(f"{figures.games} games, {figures.moves} moves, seed {arguments.seed}")
    print(f"{figures.hours:.0f} hours at the table, {figures.seconds:.0f} s here")
    growth = figures.end_kib - figures.warm_kib
    print(
        f"memory: {figures.warm_kib} KiB after a tenth of the games, {figures.end_kib} KiB at the end ({growth:+} KiB)"
    )
    print("outcomes:", ", ".join(f"{outcome} {count}" for outcome, count in figures.outcomes.items()))
    print("said:", ", ".join(f"{code} {count}" for code, count in figures.said.items()))
    print(f"faults: {len(figures.faults)}")
    for fault in figures.faults[:10]:
        print(f"  {fault}")
    return bool(figures.faults)


if __name__ == "__main__":
    sys.exit(main())
