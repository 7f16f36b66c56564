"""What a program that is being killed said, and whether what it resumes afterwards is what it had shown."""

from __future__ import annotations

import json
import os
import select
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NoReturn

Line = list[str]
Written = tuple[str, str]
"""The kind and the text of an entry."""

_LIMIT_S = 60.0
"""A program that shows nothing for so long is taken for dead."""


@dataclass
class Figures:
    """What came of the kills.

    :ivar kills: how many there were.
    :ivar before_play: how many before the program had said what it found.
    :ivar in_commit: how many while an entry was being written; of these entries so many were `kept`.
    :ivar unseen: how many after an entry was on disk and before it was shown.
    :ivar steps: how many entries were shown as committed, of every `kinds`.
    :ivar lost: entries that had been shown and were not there. :ivar doubled: entries that were there twice.
    :ivar faults: everything else that went wrong, in words.
    """

    kills: int = 0
    before_play: int = 0
    in_commit: int = 0
    kept: int = 0
    unseen: int = 0
    steps: int = 0
    lost: int = 0
    doubled: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


class Life:
    """One life of the program, in a process of its own: what it said until it ended or was killed.

    :param live: what it does there; it is given the pipe to speak into, and never comes back.
    """

    def __init__(self, live: Callable[[int], NoReturn]) -> None:
        self.lines: list[Line] = []
        self._rest = b""
        self._read, write = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._read)
            live(write)
        os.close(write)
        os.set_blocking(self._read, False)

    def listen_until(self, end: float) -> bool:
        """Hear what it says until the time `end` comes; False if it says nothing more, ever."""
        while (left := end - time.monotonic()) > 0:
            if select.select([self._read], [], [], left)[0] and not self._take():
                return False
        return True

    def listen_for(self, word: str, count: int) -> bool:
        """Hear what it says until it has said `word` so many times; False if it never will."""
        heard, end = 0, time.monotonic() + _LIMIT_S
        while heard < count:
            before = len(self.lines)
            if not select.select([self._read], [], [], max(0.0, end - time.monotonic()))[0] or not self._take():
                return False
            heard += sum(line[0] == word for line in self.lines[before:])
        return True

    def kill(self) -> int:
        """End it; the answer is that of `end`."""
        os.kill(self._pid, signal.SIGKILL)
        return self.end()

    def end(self) -> int:
        """See it end; what it said to the last is heard. The answer is the signal that it died of, 0 for none."""
        _, status = os.waitpid(self._pid, 0)
        while self._take():
            pass
        os.close(self._read)
        return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0

    def _take(self) -> bool:
        try:
            said = os.read(self._read, 1 << 16)
        except BlockingIOError:
            return True
        *whole, self._rest = (self._rest + said).split(b"\n")
        self.lines += [line.decode().split("\t") for line in whole]
        return bool(said)


class Witness:
    """What was shown as committed so far, over all lives of the program."""

    def __init__(self, figures: Figures) -> None:
        self.shown: list[Written] = []
        self._pending: Written | None = None
        self._doubted: list[Written] = []  # refused, and said to be there all the same, perhaps; one of them at most is
        self._figures = figures

    def hear(self, lines: list[Line]) -> None:
        """Compare what a life of the program found with what the others showed, and note what it showed itself."""
        figures = self._figures
        resumed, is_on_disk = False, False
        for word, *rest in lines:
            match word:
                case "begin":
                    self._settle_pending(None)
                    self._pending, is_on_disk = (rest[0], rest[1]), False
                case "end":
                    is_on_disk = True
                case "shown":
                    self.shown.append((rest[0], rest[1]))
                    self._pending, self._doubted = None, []
                    figures.steps += 1
                    figures.kinds[rest[0]] = figures.kinds.get(rest[0], 0) + 1
                case "refused":
                    self._pending, self._doubted = None, []
                case "doubtful" if self._pending is not None:
                    self._doubted.append(self._pending)
                    self._pending = None
                case "resumed":
                    resumed = True
                    self._tell_new_from_same(int(rest[2]) if len(rest) > 2 else None)
                    self._compare([(kind, text) for kind, text in json.loads(rest[0])])
                    if rest[1] != "same":
                        figures.faults.append("the table has another game than the record")
                case "fault":
                    figures.faults.append(rest[0])
        if not resumed:
            figures.before_play += 1
        if self._pending is not None and lines and resumed:
            figures.in_commit += not is_on_disk
            figures.unseen += is_on_disk

    def _tell_new_from_same(self, entries: int | None) -> None:
        """A game that began over one without a move looks like that one; `entries` in all tell whether it did."""
        pending, shown = self._pending, self.shown
        if pending and shown and pending[0] == "new" and pending == shown[-1] and entries == len(shown) + 1:
            self._settle_pending([pending])

    def _settle_pending(self, found: list[Written] | None) -> None:
        """An entry that was cut off has been found by now, or it is not there."""
        if found is not None and self._pending is not None:
            self.shown.append(self._pending)
            self._figures.kept += 1
        self._pending = None

    def _compare(self, found: list[Written]) -> None:
        expected = last_game(self.shown)
        doubted, self._doubted = self._doubted, []
        if found == expected:
            self._pending = None
            return
        if self._pending is not None and found == last_game([*self.shown, self._pending]):
            self._settle_pending(found)
            return
        for entry in doubted:
            if found == last_game([*self.shown, entry]):
                self.shown.append(entry)
                self._pending = None
                return
        figures = self._figures
        if found == expected[: len(found)]:
            figures.lost += len(expected) - len(found)
        elif self._pending is not None and found == last_game([*self.shown, self._pending, self._pending]):
            figures.doubled += 1
        else:
            figures.faults.append(f"resumed {found[-3:]} after {expected[-3:]}, with {self._pending} being written")
        # From here on what is there counts, so that one fault is counted once.
        self.shown = [*self.shown[: len(self.shown) - len(expected)], *found]
        self._pending = None


def last_game(entries: list[Written]) -> list[Written]:
    """The journal of the game that began last."""
    begins = [number for number, (kind, _) in enumerate(entries) if kind == "new"]
    return entries[begins[-1] :] if begins else []
