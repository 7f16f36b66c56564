"""Play a short game on a disk that fails, once for every call that writes, and look at what it resumes.

It runs with `faultfs.c` laid over the C library; `test_bad_disk.py` does that. What it prints is JSON: the figures for
each way to fail.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import os
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import NoReturn

from popout.play.controller import Controller
from popout.play.table import Table
from popout.record.errors import RecordError
from popout.record.journal import Source
from popout.rules import Drop, Pop, PopoutError, RuleSet, Side
from victim import ToldStore, resume, say
from witness import Figures, Life, Witness

NO_SPACE, IO_ERROR, SHORT, DEATH, TORN_DEATH = range(1, 6)
WAYS = {
    "no space once": (NO_SPACE, False, False),
    "no space from then on": (NO_SPACE, True, False),
    "I/O error once": (IO_ERROR, False, False),
    "I/O error, then killed": (IO_ERROR, False, True),
    "I/O errors, then killed": (IO_ERROR, True, True),
    "written short": (SHORT, False, False),
    "killed": (DEATH, False, False),
    "killed in mid-write": (TORN_DEATH, False, False),
}
"""What happens, whether it goes on (see faultfs.c), and whether the program is killed once it has refused a step."""

Fault = tuple[int, int, bool, bool]
"""The number of the call, and the rest as in `WAYS`."""

_NEVER = 1 << 40
NO_FAULT: Fault = (_NEVER, 0, False, False)

STEPS: tuple[Callable[[Controller], None], ...] = (
    lambda controller: controller.play(Drop(4)),
    lambda controller: controller.play(Drop(4)),
    lambda controller: controller.play(Pop(4)),
    lambda controller: controller.take_back(),
    lambda controller: controller.set_up(("X", "O", "", "", "", "", ""), Side.RED),
    lambda controller: controller.agree_draw(),
    lambda controller: controller.new_game(RuleSet.parse("five 7x6"), any_size=True),
    lambda controller: controller.play(Drop(4)),
)


class BadDisk:
    """The switch of the disk."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(None)
        self._library.faultfs_calls.restype = ctypes.c_long
        self._library.faultfs_watch(os.fsencode(path))

    def arm(self, at: int, what: int, on: bool) -> None:
        """Let the call number `at` from now on fail."""
        self._library.faultfs_arm(ctypes.c_long(at), what, int(on))

    @property
    def calls(self) -> int:
        """How many calls there were since."""
        return int(self._library.faultfs_calls())


async def play(table: Table, sentences: list[str], *, is_killed: bool) -> None:
    """Take every step; one that is refused is tried a second time, as people do, or is the end."""
    running = asyncio.create_task(table.run())
    for step in STEPS:
        for _ in range(2):
            try:
                await table.order(step, Source.PAGE)
                break
            except PopoutError as refused:
                sentences.append(str(refused.message))
                if is_killed:
                    os.kill(os.getpid(), signal.SIGKILL)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


def live(path: Path, disk: BadDisk | None, fault: Fault, pipe: int) -> NoReturn:
    """Be the program: resume, play and close, on the bad disk if there is one."""
    sentences: list[str] = []
    try:
        if disk:
            disk.arm(*fault[:3])
        try:
            with ToldStore(path, partial(say, pipe)) as store:
                table, board = resume(store, RuleSet.parse("popout 7x6"))
                if disk:
                    asyncio.run(play(table, sentences, is_killed=fault[3]))
                board.close()
        except RecordError as refused:
            sentences.append(str(refused.message))
        say(pipe, "said", json.dumps(sentences))
        if disk:
            say(pipe, "calls", str(disk.calls))
    except BaseException:
        say(pipe, "fault", repr(traceback.format_exc()))
    finally:
        os._exit(0)


def lives(path: Path, disk: BadDisk, fault: Fault, figures: Figures) -> list[list[str]]:
    """One life on the bad disk and one on a good one after it; the answer is what the first one said."""
    witness = Witness(figures)
    first, second = _said(partial(live, path, disk, fault)), _said(partial(live, path, None, NO_FAULT))
    witness.hear(first)
    witness.hear(second)
    if not any(line[0] == "resumed" for line in second):
        figures.faults.append(f"not resumed on the good disk: {second}")
    figures.kills += 1
    return first


def _said(program: Callable[[int], NoReturn]) -> list[list[str]]:
    life = Life(program)
    life.listen_for("the end", 1)
    life.end()
    return life.lines


def main() -> None:
    """Try every way to fail at every call."""
    gc.freeze()
    answer = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record" / "games.sqlite3"
        disk = BadDisk(path)
        ways = sys.argv[1:] or list(WAYS)
        sentences: set[str] = set()
        calls = 0
        for way in ways:
            what, on, is_killed = WAYS[way]
            figures = Figures()
            at = 0
            while at == 0 or at <= calls:
                shutil.rmtree(path.parent, ignore_errors=True)
                path.parent.mkdir()
                said = lives(path, disk, (at or _NEVER, what, on, is_killed), figures)
                for line in said:
                    if line[0] == "calls" and at == 0:
                        calls = int(line[1])
                    if line[0] == "said":
                        sentences |= set(json.loads(line[1]))
                at += 1
            answer[way] = asdict(figures)
        print(json.dumps({"calls": calls, "ways": answer, "sentences": sorted(sentences)}))


if __name__ == "__main__":
    main()
