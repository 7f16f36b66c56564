"""The named faults of switches: what contacts, buttons, the bar and levers do wrong."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

from popout.board.layout import Layout
from popout.board.switches import BAR, SwitchEvent, column_switch, numbered
from popout.rules.messages import Message
from popout_sim import faults
from popout_sim.contacts import Contact, Contacts
from popout_sim.mischief import Board, Fault, Mischief

_BOUNCING: Final = Contact(press_bounces=6, press_span_ms=15, release_bounces=6, release_span_ms=15)


@dataclass(kw_only=True)
class _AtHand(Fault, ABC):
    """A fault that comes when a hand moves a switch, with some chance."""

    chance: float = 1.0
    _done: bool = field(default=False, init=False)

    def changed(self, board: Board, edges: Sequence[SwitchEvent], mischief: Mischief) -> Sequence[SwitchEvent]:
        if self._done or not self.concerns(edges[-1]) or mischief.chance.random() >= self.chance:
            return edges
        self._done = self.at_ms is not None
        return self.spoiled(board, edges, mischief)

    @abstractmethod
    def concerns(self, edge: SwitchEvent) -> bool:
        """Whether it comes at a switch whose edges end with this one."""

    @abstractmethod
    def spoiled(self, board: Board, edges: Sequence[SwitchEvent], mischief: Mischief) -> Sequence[SwitchEvent]:
        """What becomes of the edges."""


@dataclass(kw_only=True)
class BounceOnPress(_AtHand):
    """A contact that bounces as it closes."""

    name: ClassVar = "bounce-on-press"
    sentence: ClassVar = Message("Buttons bounce for 15 ms as they close.")

    def concerns(self, edge: SwitchEvent) -> bool:
        return edge.closed and edge.switch != BAR

    def spoiled(self, board: Board, edges: Sequence[SwitchEvent], mischief: Mischief) -> Sequence[SwitchEvent]:
        first = edges[0]
        return Contacts(_BOUNCING, mischief.chance.getrandbits(32)).edges(first.switch, first.closed, first.time)


@dataclass(kw_only=True)
class BounceOnRelease(BounceOnPress):
    """A contact that bounces as it opens."""

    name: ClassVar = "bounce-on-release"
    sentence: ClassVar = Message("Buttons bounce for 15 ms as they open.")

    def concerns(self, edge: SwitchEvent) -> bool:
        return not edge.closed and edge.switch != BAR


@dataclass(kw_only=True)
class TwoColumns(_AtHand):
    """A finger that slips onto the next button."""

    name: ClassVar = "two-columns"
    sentence: ClassVar = Message("A finger slips onto the next button as well, within 30 ms.")
    chance: float = 0.25

    def concerns(self, edge: SwitchEvent) -> bool:
        return edge.closed and _is_button(edge.switch)

    def spoiled(self, board: Board, edges: Sequence[SwitchEvent], mischief: Mischief) -> Sequence[SwitchEvent]:
        _, column = numbered(edges[0].switch) or ("", 1)
        other = column + 1 if column < board.layout.columns else column - 1
        if other:
            slip = faults.pulse(column_switch(other), edges[0].time + mischief.chance.uniform(5, 29), 120)
            board.inject(slip)
        return edges


@dataclass(kw_only=True)
class LostEdge(_AtHand):
    """A change that is not reported."""

    name: ClassVar = "lost-edge"
    sentence: ClassVar = Message("A change of a switch is not reported; its level is right when it is read.")
    chance: float = 0.1

    def concerns(self, edge: SwitchEvent) -> bool:
        return True

    def spoiled(self, board: Board, edges: Sequence[SwitchEvent], mischief: Mischief) -> Sequence[SwitchEvent]:
        board.lose_edge(edges[0].switch)
        return edges


@dataclass(kw_only=True)
class BarHalfOpen(_AtHand):
    """A bar whose contact stands at its threshold."""

    name: ClassVar = "bar-half-open"
    sentence: ClassVar = Message("The bar stops half open, and its contact flutters for half a second.")

    def concerns(self, edge: SwitchEvent) -> bool:
        return edge.switch == BAR

    def spoiled(self, board: Board, edges: Sequence[SwitchEvent], mischief: Mischief) -> Sequence[SwitchEvent]:
        seed = mischief.chance.getrandbits(32)
        return faults.half_open_bar(edges[0].time, opened=edges[-1].closed, seed=seed)


@dataclass(kw_only=True)
class DoubleEdge(_AtHand):
    """A disc that wobbles past its lever."""

    name: ClassVar = "double-edge"
    sentence: ClassVar = Message("A disc wobbles and trips its lever a second time.")

    def why_not(self, layout: Layout) -> Message | None:
        return _no_levers(self.name, layout)

    def concerns(self, edge: SwitchEvent) -> bool:
        return not edge.closed and _is_button(edge.switch)

    def spoiled(self, board: Board, edges: Sequence[SwitchEvent], mischief: Mischief) -> Sequence[SwitchEvent]:
        return [*edges, *faults.pulse(edges[-1].switch, edges[-1].time + 20, 30)]


@dataclass(kw_only=True)
class ColumnFault(Fault):
    """A fault in one column.

    :ivar column: which, from 1; None leaves that to chance.
    """

    column: int | None = None

    def why_not(self, layout: Layout) -> Message | None:
        """That the board has no such column; None if it has."""
        if self.column is None or 1 <= self.column <= layout.columns:
            return None
        return Message(
            "The fault “{fault}” is to be in column {column}, and the board has the columns 1 to {columns}.",
            fault=self.name,
            column=self.column,
            columns=layout.columns,
        )


@dataclass(kw_only=True)
class _OneButton(ColumnFault):
    """A fault of one column's button, which comes by itself."""

    def switch(self, board: Board, chance: random.Random) -> str:
        """The button that is faulty."""
        return column_switch(self.column or chance.randint(1, board.layout.columns))


@dataclass(kw_only=True)
class Glitch(_OneButton):
    """Noise on a wire."""

    name: ClassVar = "glitch"
    sentence: ClassVar = Message("A wire catches noise: a pulse of 1, 5, 15 or 50 ms on a button that nobody touches.")
    pace_ms: ClassVar = 10_000.0
    length_ms: float = 1.0

    def strike(self, board: Board, mischief: Mischief) -> float | None:
        switch, now = self.switch(board, mischief.chance), board.now()
        noise = faults.pulse(switch, now, self.length_ms)
        if board.levels().get(switch):
            noise = [replace(edge, closed=not edge.closed) for edge in noise]
        board.inject(noise)
        return None


@dataclass(kw_only=True)
class HeldAtStart(_OneButton):
    """A button that is down before anybody listens."""

    name: ClassVar = "held-at-start"
    sentence: ClassVar = Message("A button is held down as the program starts, for ten seconds.")
    length_ms: float = 10_000.0

    def at_start(self, board: Board, chance: random.Random) -> None:
        switch, now = self.switch(board, chance), board.now()
        board.lose_edge(switch)
        board.inject([SwitchEvent(switch, True, now)])
        board.inject(faults.held_across_start(switch, now + self.length_ms))


@dataclass(kw_only=True)
class Stuck(_OneButton):
    """A button that goes down and stays there."""

    name: ClassVar = "stuck"
    sentence: ClassVar = Message("A button goes down and never comes up again.")
    pace_ms: ClassVar = 20_000.0
    once: ClassVar = True
    _stuck: str = field(default="", init=False)

    def strike(self, board: Board, mischief: Mischief) -> float | None:
        self._stuck = self.switch(board, mischief.chance)
        board.inject(faults.stuck(self._stuck, board.now()))
        return None

    def changed(self, board: Board, edges: Sequence[SwitchEvent], mischief: Mischief) -> Sequence[SwitchEvent]:
        return () if edges[0].switch == self._stuck else edges


@dataclass(kw_only=True)
class Chattering(_OneButton):
    """A loose contact."""

    name: ClassVar = "chattering"
    sentence: ClassVar = Message("A loose button chatters for two seconds.")
    pace_ms: ClassVar = 30_000.0
    length_ms: float = 2_000.0

    def strike(self, board: Board, mischief: Mischief) -> float | None:
        seed = mischief.chance.getrandbits(32)
        switch = self.switch(board, mischief.chance)
        board.inject(faults.chattering(switch, board.now(), span=self.length_ms, seed=seed))
        return None


@dataclass(kw_only=True)
class HalfInserted(_OneButton):
    """A disc that is pulled back out of its slot."""

    name: ClassVar = "half-inserted"
    sentence: ClassVar = Message("A disc is put half into its slot, which trips the lever, and pulled back.")
    pace_ms: ClassVar = 20_000.0

    def why_not(self, layout: Layout) -> Message | None:
        return _no_levers(self.name, layout) or super().why_not(layout)

    def strike(self, board: Board, mischief: Mischief) -> float | None:
        _, column = numbered(self.switch(board, mischief.chance)) or ("", 1)
        board.inject(faults.half_inserted(column, board.now()))
        return None


def _is_button(switch: str) -> bool:
    """Whether it is a column's button or lever; on a board with two rows of buttons, one of the first."""
    return (numbered(switch) or ("", 0))[0] == "column"


def _no_levers(name: str, layout: Layout) -> Message | None:
    if layout.actuation == "disc":
        return None
    return Message(
        "The fault “{fault}” is one of levers that discs trip, and this board has buttons. "
        'Name a layout with actuation = "disc".',
        fault=name,
    )
