"""A program that plays and is killed: it says on a pipe what it does with the record, as it does it.

One line each, the parts divided by tabs:

- ``resumed``: the journal of the game as it was found, a JSON list of kinds and texts; then ``same`` or ``other``,
  whether the table has the game that this journal leads to.
- ``begin``, kind, text: an entry is about to be written.
- ``end``: it is on disk, and nobody has seen it yet.
- ``shown``, kind, text: it has happened; the lamps show it from now on.
- ``refused``: it could not be written, and somebody has been told so. ``doubtful``: told, too, that it may be there
  after a restart all the same.
- ``fault``: the program ended by itself; why, as a text.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from players import Players
from popout.board.layout import Layout
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.journal import Entry, read
from popout.record.store import NotSaved, Store
from popout.rules import Game, RuleSet
from popout_sim.contacts import PERFECT
from popout_sim.driver import SimulatedBoard

SETTINGS = Settings(
    glitch_ms=0,
    lockout_ms=1,
    count_down_after_ms=100,
    take_back_hold_ms=200,
    menu_hold_ms=200,
    stuck_after_ms=2000,
)
RULES = tuple(
    map(
        RuleSet.parse,
        ("popout 7x6", "standard 7x6", "pop10 7x6", "five 9x6", "power 7x6", "five+pop 9x6", "power+pop 7x6"),
    )
)


class ToldStore(Store):
    """A record that says what is being written into it."""

    def __init__(self, path: Path, tell: Callable[..., None]) -> None:
        self.tell = tell
        self.written: Entry | None = None
        super().__init__(path)

    def append(self, entry: Entry, after: Game) -> None:
        """As every record."""
        self.tell("begin", entry.kind.value, entry.text)
        try:
            super().append(entry, after)
        except NotSaved as error:
            self.tell("refused" if error.code == NotSaved.code else "doubtful")
            raise
        self.tell("end")
        self.written = entry


class WitnessedBoard(SimulatedBoard):
    """A board that calls `seen` before it shows what the controller believes."""

    seen: Callable[[], None] | None = None

    def believe(self, grid: tuple[str, ...]) -> None:
        """As every board."""
        if self.seen is not None:
            self.seen()
        super().believe(grid)


def say(pipe: int, *words: str) -> None:
    """Write one line into the pipe, at once."""
    os.write(pipe, ("\t".join(words) + "\n").encode())


def resume(store: ToldStore, rules: RuleSet | None = None) -> tuple[Table, WitnessedBoard]:
    """Sit down at a table with the record, and say what was found there."""
    found = store.current()
    board = WitnessedBoard(Layout.plain(7, 6), contact=PERFECT)
    table = Table(board, store, SETTINGS, rules)
    if store.written is not None:
        store.tell("shown", store.written.kind.value, store.written.text)
        store.written = None
        found = store.current()
    same = read(found) == table.controller.game
    (entries,) = store._db.execute("select count(*) from entry").fetchone()
    written = json.dumps([[entry.kind.value, entry.text] for entry in found])
    store.tell("resumed", written, "same" if same else "other", str(entries))

    def seen() -> None:
        written = store.written
        if written is not None and table.controller.unsaved is not written:
            store.written = None
            store.tell("shown", written.kind.value, written.text)

    board.seen = seen
    return table, board


async def play(table: Table, chance: random.Random) -> None:
    """Play on and on."""
    running = asyncio.create_task(table.run())
    players = Players(table, chance, RULES, press_ms=1.5, pause_ms=0.5, folly=0.35)
    while not running.done():
        await players.act()
    await running


def live(path: Path, seed: int, pipe: int) -> NoReturn:
    """Be the program, until killed."""
    try:
        store = ToldStore(path, lambda *words: say(pipe, *words))
        table, _ = resume(store)
        asyncio.run(play(table, random.Random(seed)))
        say(pipe, "fault", "it stopped playing")
    except BaseException:
        say(pipe, "fault", repr(traceback.format_exc()))
    finally:
        os._exit(1)
