"""The listener: from the raw edges of a board to what its hands and beams mean. Pure; time is an argument."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from popout.board.layout import Layout
from popout.board.switches import POWERS, Fault, Report, SwitchEvent, SwitchFault, numbered
from popout.play import gestures
from popout.play.hands import BarMoved, Button, HandEvent, Lost, Press, Release, event_of, tick
from popout.play.settings import Settings
from popout.play.switchboard import Switchboard
from popout.rules import Drop, Pop, PowerDisc


@dataclass(frozen=True, slots=True)
class DiscSeen:
    """A beam saw a disc go by: the disc that `move` would move.

    :ivar bar_open: how the bar was then.
    :ivar again: a disc had already been seen to leave since the bar was moved.
    """

    move: Drop | Pop
    bar_open: bool
    again: bool
    time: float


@dataclass(frozen=True, slots=True)
class PowerChosen:
    """The switch of a power disc was pressed: the next drop is to be that disc, or an ordinary one again."""

    disc: PowerDisc


Heard = gestures.Gesture | DiscSeen | PowerChosen | SwitchFault

_POWERS = dict(zip(POWERS, PowerDisc, strict=True))


class Listener:
    """The switches of a board, debounced and understood.

    :ivar state: what the hands are doing, see `popout.play.gestures`.
    """

    def __init__(self, layout: Layout, settings: Settings, levels: Mapping[str, bool], now: float) -> None:
        self._layout = layout
        self._settings = settings
        self._two_rows = any((numbered(switch) or ("", 0))[0] == "yellow column" for switch in layout.switches)
        self.restart(levels, now)

    def restart(self, levels: Mapping[str, bool], now: float) -> None:
        """Begin anew with the levels that the switches have `now`; what hands were doing means nothing."""
        self.state: gestures.State = gestures.Idle(bar_open=False)
        self._down: dict[Button, float] = {}
        self._disc_has_left = False
        self._switchboard = Switchboard(self._layout, self._settings, levels, now)

    def edge(self, event: Report) -> list[Heard]:
        """What an edge or a fault from the board amounts to, and what has become certain before it."""
        return self._understand(self._switchboard.edge(event))

    def tick(self, now: float, levels: Mapping[str, bool]) -> list[Heard]:
        """What has come about by `now`, with the levels read at that time."""
        heard = self._understand(self._switchboard.poll(now, levels))
        heard += self._step(tick(now, levels))
        return heard + self._find_stuck(now, levels)

    def due(self) -> float | None:
        """When `tick` has something to find out, in milliseconds; None until an edge comes."""
        times = [self._switchboard.due(), gestures.due(self.state, self._settings)]
        times += [since + self._settings.stuck_after_ms for since in self._down.values()]
        return min((time for time in times if time is not None), default=None)

    def let_go(self, since: float | None = None) -> None:
        """Let what the hands are doing mean nothing, until they have let go; or only what they began at `since`."""
        if since is None or since == getattr(self.state, "since", None):
            self.state = gestures.interrupted(self.state)

    def _understand(self, reports: list[Report]) -> list[Heard]:
        heard: list[Heard] = []
        for report in reports:
            if isinstance(report, SwitchFault):
                heard += self._broken(report)
                continue
            match numbered(report.switch):
                case ("drop sensor", column):
                    if report.closed:
                        heard.append(DiscSeen(Drop(column), self.state.bar_open, False, report.time))
                case ("pop sensor", column):
                    if report.closed:
                        again, self._disc_has_left = self._disc_has_left, True
                        heard.append(DiscSeen(Pop(column), self.state.bar_open, again, report.time))
                case _ if report.switch in _POWERS:
                    if report.closed:
                        heard.append(PowerChosen(_POWERS[report.switch]))
                case _:
                    event = event_of(report, two_rows=self._two_rows)
                    if event is not None:
                        heard += self._step(event)
        return heard

    def _step(self, event: HandEvent) -> list[Heard]:
        match event:
            case Press(button, time):
                self._down[button] = time
            case Release(button):
                self._down.pop(button, None)
            case BarMoved():
                self._disc_has_left = False
        self.state, made = gestures.step(
            self.state,
            event,
            columns=self._layout.columns,
            actuation=self._layout.actuation,
            settings=self._settings,
        )
        return list(made)

    def _broken(self, report: SwitchFault) -> list[Heard]:
        heard: list[Heard] = [report]
        if report.fault is Fault.FAULTY:
            event = event_of(SwitchEvent(report.switch, True, report.time), two_rows=self._two_rows)
            if isinstance(event, Press):
                self._down.pop(event.button, None)
                heard += self._step(Lost(event.button, report.time))
        return heard

    def _find_stuck(self, now: float, levels: Mapping[str, bool]) -> list[Heard]:
        """Buttons that nobody holds for so long: they are forgotten until they come up, and the others play on."""
        heard: list[Heard] = []
        for button, since in list(self._down.items()):
            if now >= since + self._settings.stuck_after_ms and (not levels or button.switch in levels):
                del self._down[button]
                # One that is up by now has come up late, and the edge that says so is on its way.
                if levels.get(button.switch):
                    heard += [SwitchFault(button.switch, Fault.STUCK, now), *self._step(Lost(button, now))]
        return heard
