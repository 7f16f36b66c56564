"""All switches of a board, debounced: edges in, changes and faults out. Pure; time is an argument."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from popout.board.layout import Layout
from popout.board.switches import Fault, Report, SwitchEvent, SwitchFault, moved_by_a_disc, rests
from popout.link.debounce import FAULTY, HEALED, PRESSED, RELEASED, STUCK, Debouncer
from popout.play.settings import Settings

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
            SwitchEvent(switch, True, now) for switch in self._debouncers if rests(switch) and levels.get(switch)
        ]

    def edge(self, event: Report) -> list[Report]:
        """What has become certain before the edge, and what the edge itself amounts to.

        A fault that the board has found by itself is handed on. A switch that the layout does not have amounts to
        nothing.
        """
        # The other switches too: a bar that was slid before a button went down counts before the button does.
        found = self.poll(event.time, {})
        if event.switch not in self._debouncers:
            return found
        if isinstance(event, SwitchFault):
            found.append(event)
        else:
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
        by_disc = moved_by_a_disc(switch, self._layout.actuation)
        return Debouncer(
            closed and not rests(switch),
            now,
            self._settings.glitch_ms,
            self._settings.disc_lockout_ms if by_disc else self._settings.lockout_ms,
        )

    def _reports(self, switch: str, said: Iterable[tuple[int, float]]) -> list[Report]:
        found: list[Report] = []
        for kind, time in said:
            if kind in (PRESSED, RELEASED):
                found.append(SwitchEvent(switch, kind == PRESSED, time))
            elif kind == STUCK and rests(switch):
                # It flickered, and is quiet again: where it stands now is where it was put.
                self._debouncers[switch] = self._debouncer(switch, True, time)
                found += self._reports(switch, self._debouncers[switch].edge(True, time))
            else:
                found.append(SwitchFault(switch, _FAULTS[kind], time))
        return found
