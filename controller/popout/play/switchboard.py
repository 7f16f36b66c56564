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
from popout.rules.messages import N_


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


_SENTENCES = N_(
    {
        Fault.STUCK: 'The switch "{switch}" is stuck: let go of it or free it.',
        Fault.FAULTY: 'The switch "{switch}" flickers and is ignored until it is quiet. '
        "Check its wire, and take back the moves that nobody made.",
        Fault.HEALED: 'The switch "{switch}" works again.',
    }
)

Report = SwitchEvent | SwitchFault

_FAULTS = {STUCK: Fault.STUCK, FAULTY: Fault.FAULTY, HEALED: Fault.HEALED}


class Switchboard:
    """One `Debouncer` a switch, with the times of `settings` for what kind of switch it is.

    Reports of different switches come in the order of their times, also when edges and polls are handed over late.

    A bar that is open at the start is no stuck button: bars stand as they were left. Its level is known at once.
    """

    def __init__(self, layout: Layout, settings: Settings, levels: Mapping[str, bool], now: float) -> None:
        self._layout = layout
        self._settings = settings
        self._debouncers = {
            switch: self._debouncer(switch, levels.get(switch, False), now) for switch in layout.switches
        }
        self._resting = [
            SwitchEvent(switch, True, now) for switch in self._debouncers if _rests(switch) and levels.get(switch)
        ]

    def edge(self, event: SwitchEvent) -> list[Report]:
        """What has become certain before the raw edge, and what the edge itself amounts to.

        A switch that the layout does not have amounts to nothing.
        """
        # The other switches too: a bar that was slid before a button went down counts before the button does.
        found = self.poll(event.time, {})
        if event.switch in self._debouncers:
            found += self._reports(event.switch, self._debouncers[event.switch].edge(event.closed, event.time))
        return found

    def poll(self, now: float, levels: Mapping[str, bool]) -> list[Report]:
        """What has become certain by `now`, with the levels read at that time; in the order of its times.

        Where levels were read, and that of a switch is missing, edges of it are on their way: nothing is certain yet.
        """
        found: list[Report] = []
        resting, self._resting = self._resting, []
        for event in resting:
            found += self._reports(event.switch, self._debouncers[event.switch].edge(event.closed, event.time))
        for switch in self._debouncers:
            level = levels.get(switch)
            if levels and level is None:
                continue
            found += self._reports(switch, self._debouncers[switch].poll(now, level))
            # Late, there may be more to decide than one thing.
            while (due := self._debouncers[switch].due()) is not None and due <= now:
                found += self._reports(switch, self._debouncers[switch].poll(now, level))
        return sorted(found, key=lambda report: report.time)

    def due(self) -> float | None:
        """When `poll` has something to decide; None while nothing does."""
        times = [due for debouncer in self._debouncers.values() if (due := debouncer.due()) is not None]
        times += [event.time for event in self._resting]
        return min(times, default=None)

    def _debouncer(self, switch: str, closed: bool, now: float) -> Debouncer:
        by_disc = _moved_by_a_disc(switch, self._layout)
        return Debouncer(
            closed and not _rests(switch),
            now,
            self._settings.glitch_ms,
            self._settings.disc_lockout_ms if by_disc else self._settings.lockout_ms,
        )

    def _reports(self, switch: str, said: Iterable[tuple[int, float]]) -> list[Report]:
        found: list[Report] = []
        for kind, time in said:
            if kind in (PRESSED, RELEASED):
                found.append(SwitchEvent(switch, kind == PRESSED, time))
            elif kind == STUCK and _rests(switch):
                # It flickered, and is quiet again: where it stands now is where it was put.
                self._debouncers[switch] = self._debouncer(switch, True, time)
                found += self._reports(switch, self._debouncers[switch].edge(True, time))
            else:
                found.append(SwitchFault(switch, _FAULTS[kind], time))
        return found


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
