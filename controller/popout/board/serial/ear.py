"""What the reports of a board that debounces its own switches are to a host that came later than the board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from popout.board.switches import Fault, SwitchEvent, SwitchFault, rests
from popout.link.debounce import FAULTY, HEALED, PRESSED, RELEASED, STUCK

_FAULTS: Final = {STUCK: Fault.STUCK, FAULTY: Fault.FAULTY, HEALED: Fault.HEALED}


class Heard(NamedTuple):
    """A report of `popout.link.debounce` about a switch, at a time of the host's clock in milliseconds."""

    switch: str
    kind: int
    time: float


class Ear:
    """The switches as they were handed on.

    :ivar levels: of every switch, by name; True is closed.
    """

    def __init__(self, switches: Sequence[str], closed: int) -> None:
        """Begin with the switches that are `closed`, a mask of their places in `switches`."""
        self.levels = {switch: bool(closed >> place & 1) for place, switch in enumerate(switches)}
        # Whoever takes these levels at the start does not know of a press, and waits until they are open.
        self._closed_at_start = {switch for switch, level in self.levels.items() if level and not rests(switch)}

    def understood(self, heard: Heard) -> SwitchEvent | SwitchFault:
        """What is to be handed on."""
        switch, kind, time = heard
        if kind in (PRESSED, RELEASED):
            self._closed_at_start.discard(switch)
            return self._event(switch, kind == PRESSED, time)
        if kind == HEALED and switch in self._closed_at_start:
            # To the board it was stuck; here it was closed, and is open now.
            self._closed_at_start.discard(switch)
            return self._event(switch, False, time)
        if kind == STUCK and rests(switch):
            return self._event(switch, True, time)
        return SwitchFault(switch, _FAULTS[kind], time)

    def _event(self, switch: str, closed: bool, time: float) -> SwitchEvent:
        self.levels[switch] = closed
        return SwitchEvent(switch, closed, time)
