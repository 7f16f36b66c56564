"""What has been heard of the switches: edges on their way from other threads, and levels that contradict them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from popout.board.switches import SwitchEvent

GRACE_MS: Final = 250.0
"""How long an edge may be on its way after its line has changed."""


class Heard:
    """The level of each switch as its edges told it, and doubts about that.

    Edges travel through a thread, so that a line may have its new level while the edge to it has not been heard yet.
    And edges do get lost: the kernel keeps 16 of a line, lgpio's pipe may be full. So a line that contradicts what
    was heard raises a doubt, and only if it still does so after a while, and no edge has come, was its edge lost.
    """

    def __init__(self, levels: Mapping[str, bool]) -> None:
        self.levels = dict(levels)
        self._doubts: dict[str, float] = {}

    def deliver(self, event: SwitchEvent) -> SwitchEvent:
        """Take note of an edge that is handed on now, and settle the doubt about its switch."""
        self.levels[event.switch] = event.closed
        self._doubts.pop(event.switch, None)
        return event

    def believe(self, levels: Mapping[str, bool]) -> None:
        """Take levels for what was heard, where nobody listens for edges."""
        self.levels.update(levels)
        self._doubts.clear()

    def compare(self, lines: Mapping[str, bool], waiting: Collection[str], now: float) -> Collection[str]:
        """Compare what was heard with what the lines read `now`, in milliseconds; the switches about which are doubts.

        :param waiting: the switches of which edges wait to be handed on: no level of theirs is strange.
        """
        for switch, closed in lines.items():
            if closed == self.levels[switch]:
                self._doubts.pop(switch, None)
            elif switch not in waiting:
                self._doubts.setdefault(switch, now)
        return self._doubts.keys()

    def due(self) -> float | None:
        """When the oldest doubt will have lasted too long, in milliseconds; None without doubts."""
        return min(self._doubts.values()) + GRACE_MS if self._doubts else None

    def lost(self, lines: Mapping[str, bool], now: float) -> Iterable[SwitchEvent]:
        """The edges that must have been lost by `now`, in milliseconds.

        Each has the time at which its line was first seen to have changed: its own is known to nobody.

        :param lines: the levels read now.
        """
        due = {switch: since for switch, since in self._doubts.items() if since + GRACE_MS <= now}
        for switch in due:
            del self._doubts[switch]
        return [
            SwitchEvent(switch, lines[switch], since)
            for switch, since in due.items()
            if lines[switch] != self.levels[switch]
        ]
