"""How switches hang on the pins: what the driver asks of each wiring, and the plainest one, a pin for each switch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from popout.board.contacts import Level
from popout.board.gpio.pins import Device, Pins
from popout.board.inbox import Inbox
from popout.board.layout import Layout
from popout.board.switches import SwitchEvent


class Wiring(Protocol):
    """Some of the switches of a board.

    Its edges go into an inbox. Where that takes more than a callback, it wants to be attended to in the event loop.
    """

    def read(self, *, afresh: bool) -> Mapping[str, bool]:
        """The levels of its switches; True is closed.

        :param afresh: read all of them now, though it take milliseconds; else those that are not at hand as last seen.
        :raises Exception: they cannot be read.
        """
        ...

    def due(self, now: float) -> float | None:
        """When it wants to be attended to, in milliseconds of the driver's clock; None for when it rings."""
        ...

    async def attend(self, now: float) -> None:
        """Do what is due, and put what has changed into the inbox.

        :raises Exception: its switches cannot be read.
        """
        ...

    def recheck(self) -> None:
        """Look again, at the next attendance, for changes that nobody has told of."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


class SinglePins:
    """One pin a switch.

    :param clock: the driver's clock, in milliseconds.
    :raises BoardError: a pin cannot be had; none is kept then.
    """

    def __init__(
        self,
        pins: Pins,
        layout: Layout,
        switches: Mapping[str, str],
        inbox: Inbox[SwitchEvent],
        clock: Callable[[], float],
    ) -> None:
        self._pins = pins
        self._lines: dict[str, _Line] = {}
        try:
            for switch, pin in switches.items():
                line = _Line(switch, layout.closed_level(switch), inbox, clock)
                line.device = pins.take(
                    pin, switch, pull=layout.pull, closed=layout.closed_level(switch), edge=line.heard
                )
                self._lines[switch] = line
        except BaseException:
            self.close()
            raise

    def read(self, *, afresh: bool) -> Mapping[str, bool]:  # noqa: ARG002 - it takes no time
        """The levels of the lines."""
        return {switch: line.closed for switch, line in self._lines.items()}

    def due(self, now: float) -> float | None:  # noqa: ARG002 - whenever
        """Never: the callbacks do it all."""
        return None

    async def attend(self, now: float) -> None:
        """Nothing to do."""

    def recheck(self) -> None:
        """Nothing to do: reading is what finds changes that were not told."""

    def close(self) -> None:
        """Let go of the pins."""
        self._pins.release_all(line.device for line in self._lines.values())
        self._lines.clear()


class _Line:
    """One switch on its pin, and what hears its edges."""

    device: Device

    def __init__(self, switch: str, closed: Level, inbox: Inbox[SwitchEvent], clock: Callable[[], float]) -> None:
        self._switch = switch
        self._closed = closed == "high"
        self._inbox = inbox
        self._clock = clock

    @property
    def closed(self) -> bool:
        return bool(self.device.pin.state) == self._closed

    def heard(self, seconds: float, high: int) -> None:
        """Hear an edge, in lgpio's thread."""
        # The edge's own time. Kernels before 5.7 counted it from 1970: such a time would never be reached.
        time = min(seconds * 1000, self._clock())
        self._inbox.put(SwitchEvent(self._switch, bool(high) == self._closed, time))
