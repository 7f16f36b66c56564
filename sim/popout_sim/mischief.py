"""Mischief: what makes a running simulator misbehave, and when. The faults themselves are in `popout_sim.named`.

A board asks its `Mischief` at each of its doors: when a contact changes, when time has passed, when lamps are lit. The
same seed, the same hands and the same clock give the same mischief.
"""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Protocol

from popout.board.driver import BoardError
from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.board.switches import SwitchEvent
from popout.rules.messages import Message
from popout_sim.twin import Twin

NOT_NOW_MS: Final = 1000.0
"""A fault that has no occasion looks for one again after so long."""


class FaultNotHere(BoardError):
    """A fault needs something that this board does not have."""

    code = "fault-not-here"


class Board(Protocol):
    """What a fault can lay hands on."""

    layout: Layout

    @property
    def twin(self) -> Twin:
        """The discs, the bar and the fingers."""
        ...

    def now(self) -> float:
        """The time, in milliseconds."""
        ...

    def levels(self) -> Mapping[str, bool]:
        """The level of every switch."""
        ...

    def inject(self, edges: Iterable[SwitchEvent]) -> None:
        """Put raw edges on the wires."""
        ...

    def lose_edge(self, switch: str) -> None:
        """Let the next edge of `switch` be lost."""
        ...

    def go_away(self, length: float) -> None:
        """Be out of reach for `length` milliseconds."""
        ...

    def set_back(self, length: float) -> None:
        """Set the clock back by `length` milliseconds."""
        ...


@dataclass(kw_only=True)
class Fault:
    """One thing that goes wrong.

    :ivar name: what it is called on the command line.
    :ivar sentence: what goes wrong, for a person.
    :ivar pace_ms: how long it is on average from one stroke to the next, for a fault that comes by itself; None for
        one that waits for a hand or a light.
    :ivar once: whether it strikes only once.
    :ivar at_ms: when it begins, in milliseconds after the start; None leaves that to chance, or begins at once.
    :ivar about_every_ms: another pace than its own.
    """

    name: ClassVar[str]
    sentence: ClassVar[Message]
    pace_ms: ClassVar[float | None] = None
    once: ClassVar[bool] = False

    at_ms: float | None = None
    about_every_ms: float | None = None

    def why_not(self, layout: Layout) -> Message | None:
        """Why it cannot be on such a board; None if it can."""
        return None

    def at_start(self, board: Board, chance: random.Random) -> None:
        """The board has been opened for the first time."""

    def changed(self, board: Board, edges: Sequence[SwitchEvent], mischief: Mischief) -> Sequence[SwitchEvent]:
        """What becomes of the edges of one switch that a hand or a disc has just moved."""
        return edges

    def strike(self, board: Board, mischief: Mischief) -> float | None:
        """Go wrong now. A number asks to be called again after so many milliseconds; None says that it is done."""
        return None

    def committed(self, mischief: Mischief) -> None:
        """The controller believes in other discs than before."""

    def seen(self, frame: Frame, layout: Layout) -> Frame:
        """What the lamps make of a frame."""
        return frame


def die() -> None:
    """End this process as a power cut does: nothing is tidied up."""
    os.kill(os.getpid(), signal.SIGKILL)


class Mischief:
    """Some faults on one board, also after it was lost and opened again.

    :ivar chance: decides when and where, always in the same way for one seed.
    :ivar mover: the disc of the side that has moved last, as far as the discs tell: the next turn is the other's.
    :ivar lit: whether a column lamp is lit now; `columns_lit_at` is when one was last.
    :ivar away_until: until when the board is out of reach, if it is; `left` is what then lies on the table.
    :ivar clock_back_ms: by how much the board's clock has been set back.
    :ivar cut_power: ends the process.
    """

    def __init__(self, faults: Iterable[Fault] = (), *, seed: int = 0, cut_power: Callable[[], None] = die) -> None:
        self.faults = tuple(faults)
        self.chance = random.Random(seed)
        self.cut_power = cut_power
        self.mover = "O"
        self.columns_lit_at = 0.0
        self.lit = True
        self.away_until: float | None = None
        self.left: Twin | None = None
        self.clock_back_ms = 0.0
        self._began: float | None = None
        self._next: dict[int, float] = {}
        self._believed: tuple[str, ...] = ()

    def begin(self, board: Board) -> None:
        """A board has been opened.

        :raises FaultNotHere: it has nothing that a fault could be at.
        """
        for fault in self.faults:
            if problem := fault.why_not(board.layout):
                raise FaultNotHere(problem)
        if self._began is not None:
            return
        self._began = self.columns_lit_at = now = board.now()
        for number, fault in enumerate(self.faults):
            fault.at_start(board, self.chance)
            if fault.at_ms is not None and (fault.pace_ms is not None or fault.about_every_ms is not None):
                self._next[number] = now + fault.at_ms
            elif (pace := _pace(fault)) is not None:
                self._next[number] = now + pace * self.chance.uniform(0.5, 1.5)

    def is_time(self, fault: Fault, now: float) -> bool:
        """Whether the time has come from which on `fault` goes wrong."""
        return self._began is not None and now >= self._began + (fault.at_ms or 0)

    def due(self) -> float | None:
        """When the next fault comes by itself, in milliseconds."""
        return min(self._next.values(), default=None)

    def strike(self, board: Board) -> None:
        """Let everything go wrong that is due."""
        now = board.now()
        for number, due in sorted(self._next.items(), key=lambda item: item[1]):
            if due > now:
                continue
            del self._next[number]
            fault = self.faults[number]
            again = fault.strike(board, self)
            pace = _pace(fault)
            if again is not None:
                self._next[number] = board.now() + again
            elif pace is not None and not self._is_over(fault):
                self._next[number] = board.now() + pace * self.chance.uniform(0.5, 1.5)

    def strike_in(self, fault: Fault, length: float, now: float) -> None:
        """Call the `strike` of a fault in `length` milliseconds, however it usually comes."""
        self._next[self.faults.index(fault)] = now + length

    def set_back(self, length: float) -> None:
        """Set the clock back; what was to come comes as soon as it would have come."""
        self.clock_back_ms += length
        self._next = {number: due - length for number, due in self._next.items()}
        self.columns_lit_at -= length
        if self._began is not None:
            self._began -= length
        if self.away_until is not None:
            self.away_until -= length

    def changed(self, board: Board, edges: Sequence[SwitchEvent]) -> Sequence[SwitchEvent]:
        """What becomes of the edges of one switch that a hand or a disc has just moved."""
        for fault in self.faults:
            if edges and self.is_time(fault, board.now()):
                edges = fault.changed(board, edges, self)
        return edges

    def believed(self, grid: tuple[str, ...], now: float) -> None:
        """The controller has said which discs it believes in."""
        before, self._believed = self._believed, grid
        if before == grid or len(before) != len(grid):
            return
        self.mover = _mover(before, grid) or self.mover
        for fault in self.faults:
            if self.is_time(fault, now):
                fault.committed(self)

    def seen(self, frame: Frame, layout: Layout, now: float) -> Frame:
        """What the lamps make of a frame."""
        self.lit = any(frame.columns)
        if self.lit:
            self.columns_lit_at = now
        for fault in self.faults:
            if self.is_time(fault, now):
                frame = fault.seen(frame, layout)
        return frame

    @staticmethod
    def _is_over(fault: Fault) -> bool:
        return fault.about_every_ms is None and (fault.once or fault.at_ms is not None)


def _pace(fault: Fault) -> float | None:
    return fault.pace_ms if fault.about_every_ms is None else fault.about_every_ms


def _mover(before: tuple[str, ...], after: tuple[str, ...]) -> str | None:
    """Whose turn lies between the two; a new game is as after yellow's, since red begins."""
    if not any(after):
        return "O"
    for old, new in zip(before, after, strict=True):
        if new and new[:-1] == old:
            return new[-1]
        if old and old[1:] == new:
            return old[0]
    return None
