"""All switches of a board, debounced: raw edges in, changes and faults out. Pure; time is an argument."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from popout.board.layout import Layout
from popout.board.switches import BAR, SwitchEvent, numbered
from popout.link.debounce import FAULTY, HEALED, PRESSED, RELEASED, STUCK, Debouncer
from popout.play.settings import Settings
from popout.rules import Message


class Fault(Enum):
    """What can be the matter with a switch. The values are stable codes."""

    STUCK = "switch-stuck"
    """Closed without having been pressed, and ignored until it has been open."""
    FAULTY = "switch-faulty"
    """It chatters, and is not listened to until it has been quiet."""
    HEALED = "switch-healed"
    """It is in use again."""


@dataclass(frozen=True, slots=True)
class SwitchFault:
    """Something is the matter with a switch since `time`, in milliseconds."""

    switch: str
    fault: Fault
    time: float

    @property
    def message(self) -> Message:
        """What is the matter and what to do, for a person."""
        return Message(_SENTENCES[self.fault], switch=self.switch)


_SENTENCES = {
    Fault.STUCK: 'The switch "{switch}" is stuck: let go of it or free it.',
    Fault.FAULTY: 'The switch "{switch}" flickers and is ignored until it is quiet. Check its wire.',
    Fault.HEALED: 'The switch "{switch}" works again.',
}

Report = SwitchEvent | SwitchFault

_FAULTS = {STUCK: Fault.STUCK, FAULTY: Fault.FAULTY, HEALED: Fault.HEALED}


class Switchboard:
    """One `Debouncer` a switch, with the times of `settings` for what kind of switch it is.

    A bar that is open at the start is no stuck button: bars stand as they were left. Its level is known at once.
    """

    def __init__(self, layout: Layout, settings: Settings, levels: Mapping[str, bool], now: float) -> None:
        self._debouncers = {
            switch: Debouncer(
                levels.get(switch, False) and not _rests(switch),
                now,
                settings.glitch_ms,
                settings.disc_lockout_ms if _moved_by_a_disc(switch, layout) else settings.lockout_ms,
            )
            for switch in layout.switches
        }
        self._at_start = [
            SwitchEvent(switch, True, now) for switch in self._debouncers if _rests(switch) and levels.get(switch)
        ]

    def edge(self, event: SwitchEvent) -> list[Report]:
        """What the raw edge amounts to; a switch that the layout does not have amounts to nothing."""
        debouncer = self._debouncers.get(event.switch)
        return [] if debouncer is None else _reports(event.switch, debouncer.edge(event.closed, event.time))

    def poll(self, now: float, levels: Mapping[str, bool]) -> list[Report]:
        """What has become certain by `now`, with the levels read at that time; in the order of its times."""
        found: list[Report] = []
        for event in self._at_start:
            found += self.edge(event)
        self._at_start = []
        for switch, debouncer in self._debouncers.items():
            found += _reports(switch, debouncer.poll(now, levels.get(switch)))
        return sorted(found, key=lambda report: report.time)

    def due(self) -> float | None:
        """When `poll` has something to decide; None while nothing does."""
        times = [due for debouncer in self._debouncers.values() if (due := debouncer.due()) is not None]
        if self._at_start:
            times.append(self._at_start[0].time)
        return min(times, default=None)


def _reports(switch: str, said: Iterable[tuple[int, float]]) -> list[Report]:
    return [
        SwitchEvent(switch, kind == PRESSED, time)
        if kind in (PRESSED, RELEASED)
        else SwitchFault(switch, _FAULTS[kind], time)
        for kind, time in said
    ]


def _rests(switch: str) -> bool:
    """Whether the switch stays as it is put, as the bar does."""
    return switch == BAR


def _moved_by_a_disc(switch: str, layout: Layout) -> bool:
    match numbered(switch):
        case None:
            return False
        case ("column" | "yellow column", _):
            return layout.actuation == "disc"
        case _:
            return True
