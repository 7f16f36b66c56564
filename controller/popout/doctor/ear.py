"""From the raw edges of all switches to what a hand did while one question was open. Pure; time is an argument."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from popout.board.switches import Fault, SwitchEvent, SwitchFault
from popout.doctor.asking import Flutter, Move, Paces, Reply, Rest, Rested, Silence, Tap, Touched, Wanted, Word
from popout.link.debounce import GLITCH_MS, MOST_EDGES, WITHIN_MS

BURST_GAP_MS = 30.0
"""Changes that follow each other within this time are one bounce; two taps of a hand are further apart."""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A switch had one level, from one time to another."""

    closed: bool
    begun: float
    ended: float

    @property
    def length(self) -> float:
        return self.ended - self.begun


class Ear:
    """Listens to the switches while one question is open.

    :param levels: of all switches, as the question begins. :param now: when it does, in milliseconds.
    :param faults: what a board that debounces its own switches has said to be the matter with them; see `fault`.

    :ivar levels: of all switches now. :ivar faults: what is the matter with them now.
    """

    def __init__(
        self,
        wants: Wanted,
        levels: Mapping[str, bool],
        now: float,
        paces: Paces,
        faults: Mapping[str, Fault] = MappingProxyType({}),
    ) -> None:
        self._wants = wants
        self._paces = paces
        self._begun = now
        self._first = dict(levels)
        self.levels = dict(levels)
        self.faults = dict(faults)
        # Of what a switch does that is muted nothing is heard, so one that is so at the start may well flutter on.
        muted = {switch for switch, fault in faults.items() if fault is Fault.FAULTY}
        self._faulty = muted if isinstance(wants, Rest) else set()
        self._changes: dict[str, list[float]] = {}
        self._latest = now
        self._checked = now

    def edge(self, event: SwitchEvent) -> None:
        """A switch changed; one that the layout does not have says nothing."""
        if self.faults.get(event.switch) is Fault.STUCK:
            del self.faults[event.switch]
        self._change(event)

    def fault(self, told: SwitchFault) -> None:
        """A board that debounces its own switches has found out what is the matter with one.

        A faulty one is muted until it has been quiet. One that is stuck is closed, which no event says.
        """
        before = self.faults.pop(told.switch, None)
        if told.fault is not Fault.HEALED:
            self.faults[told.switch] = told.fault
        if told.fault is Fault.FAULTY:
            if not self._is_ignored(told.switch):
                self._faulty.add(told.switch)
                self._latest = max(self._latest, told.time)
        elif Fault.STUCK in (told.fault, before):
            self._change(SwitchEvent(told.switch, told.fault is Fault.STUCK, told.time))

    def _change(self, event: SwitchEvent) -> None:
        if self.levels.get(event.switch, event.closed) == event.closed:
            return
        self.levels[event.switch] = event.closed
        if self._is_ignored(event.switch):
            return
        # A change that was found late must not come before one that is known already.
        changes = self._changes.setdefault(event.switch, [])
        time = max(event.time, self._begun, *changes[-1:])
        changes.append(time)
        self._latest = max(self._latest, time)

    def _is_ignored(self, switch: str) -> bool:
        return isinstance(self._wants, Tap | Move) and switch in self._wants.ignored

    def read(self, levels: Mapping[str, bool], now: float) -> None:
        """Compare with levels that were read now; what differs has changed without being reported."""
        if self._changes and now - self._latest < self._paces.settle_ms:
            return  # its report may be on the way
        for switch, closed in levels.items():
            if switch in self.levels and switch not in self.faults:
                self.edge(SwitchEvent(switch, closed, now))

    def heard(self, now: float) -> Reply | None:
        """What has come of the question by now; None while that is open."""
        match self._wants:
            case Word():
                return None
            case Rest():
                return self._rested(now) if now >= self._begun + self._paces.rest_ms else None
            case Move():
                return self._touched(now, self._paces.bar_settle_ms, wait_for_release=False) or self._silence(now)
            case Tap(patient=patient):
                touched = self._touched(now, self._paces.settle_ms, wait_for_release=True)
                return touched or (None if patient else self._silence(now))

    def due(self) -> float | None:
        """When `heard` has something to decide, unless an edge comes before; None for never."""
        match self._wants:
            case Word():
                return None
            case Rest():
                return self._begun + self._paces.rest_ms
        times = []
        if not (isinstance(self._wants, Tap) and self._wants.patient):
            times.append(self._silent_at())
        if self._changes:
            settle = self._paces.bar_settle_ms if isinstance(self._wants, Move) else self._paces.settle_ms
            times += [self._latest + settle, self._latest + self._paces.held_ms]
        return min((time for time in times if time > self._checked), default=None)

    def _silent_at(self) -> float:
        return self._latest + self._paces.patience_ms

    def _silence(self, now: float) -> Silence | None:
        return Silence() if now >= self._silent_at() else None

    def _rested(self, now: float) -> Rested:
        levels, fluttering = dict(self.levels), {}
        for switch, changes in self._changes.items():
            stretches = list(self._stretches(switch, now))
            closed = sum(stretch.length if stretch.closed else -stretch.length for stretch in stretches) > 0
            levels[switch] = closed
            longest = max((stretch.length for stretch in stretches if stretch.closed != closed), default=0.0)
            fluttering[switch] = Flutter(len(changes), longest)
        for switch in self._faulty & self.levels.keys():
            known = fluttering.get(switch, Flutter(0, 0.0))
            fluttering[switch] = replace(known, changes=max(known.changes, MOST_EDGES + 1))
        return Rested(levels, fluttering)

    def _touched(self, now: float, settle_ms: float, *, wait_for_release: bool) -> Touched | None:
        assert isinstance(self._wants, Tap | Move)
        self._checked = now
        if not self._changes or now < self._latest + settle_ms:
            return None
        begun: dict[str, float] = {}
        for switch in self._changes:
            shortest = 0 if self._is_moved_back else GLITCH_MS
            away = [stretch for stretch in self._counting(switch, now) if stretch.length >= shortest]
            if away:
                begun[switch] = away[0].begun
            elif switch in self._faulty:
                begun[switch] = self._changes[switch][0]
        muted = {switch for switch in begun if self.faults.get(switch) is Fault.FAULTY}
        still = {switch for switch in begun if self.levels[switch] != self._wants.resting[switch]}
        if wait_for_release and (still or muted) and now < self._latest + self._paces.held_ms:
            return None
        if not begun:
            # Noise, or what was held before came up: the question begins anew from here.
            self._changes.clear()
            self._first, self._begun = dict(self.levels), now
            return None
        return Touched(
            switches=tuple(sorted(begun, key=lambda switch: begun[switch])),
            away=frozenset(still - muted),  # whether a muted one came back nobody knows
            bounce_ms={switch: _bounce(self._changes[switch]) for switch in begun},
            chattering=frozenset(
                switch for switch in begun if switch in self._faulty or _chatters(self._changes[switch])
            ),
        )

    def _counting(self, switch: str, now: float) -> Iterator[_Stretch]:
        """The stretches away from rest, without the one that was there before the question (unless that is asked)."""
        assert isinstance(self._wants, Tap | Move)
        for number, stretch in enumerate(self._stretches(switch, now)):
            before = number == 0 and not self._is_moved_back
            if stretch.closed != self._wants.resting[switch] and not before:
                yield stretch

    @property
    def _is_moved_back(self) -> bool:
        """Whether the question is for the end of what was there as it began."""
        return isinstance(self._wants, Move) and self._wants.back

    def _stretches(self, switch: str, now: float) -> Iterator[_Stretch]:
        closed, begun = self._first[switch], self._begun
        for time in [*self._changes.get(switch, ()), max(now, self._latest)]:
            yield _Stretch(closed, begun, time)
            closed, begun = not closed, time


def _bounce(changes: list[float]) -> float:
    """The longest time in which changes followed each other quickly, in milliseconds; 0 if each stood alone."""
    longest, first = 0.0, 0
    for number in range(1, len(changes) + 1):
        if number == len(changes) or changes[number] - changes[number - 1] > BURST_GAP_MS:
            if number - first > 2:  # two changes alone are a quick tap
                longest = max(longest, changes[number - 1] - changes[first])
            first = number
    return longest


def _chatters(changes: list[float]) -> bool:
    """Whether the debouncer would call the switch faulty."""
    return any(last - first < WITHIN_MS for first, last in zip(changes, changes[MOST_EDGES:], strict=False))
