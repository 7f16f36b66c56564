"""Switches at the crossings of rows and columns.

At rest all rows are driven low and the columns, pulled up, are only listened to: nothing is polled. A column that goes
low starts the scanning, which drives one row at a time while the others float, so that two closed switches never
short one row to another. It ends when no switch has conducted for a while. A switch that stays closed, such as an open
bar, keeps it going.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final

from popout.board.contacts import Matrix, crossing
from popout.board.gpio.hearing import Inbox
from popout.board.gpio.pins import Device, Pins
from popout.board.switches import SwitchEvent

SCAN_MS: Final = 4.0
QUIET_MS: Final = 50.0
"""How long no switch must have conducted until the scanning ends: longer than contacts bounce."""

_SETTLE_S: Final = 0.00005
"""What a column takes to follow the row: 50 kilohms of the Pi's pull-up and a metre of wire."""


class MatrixPins:
    """Switches at crossings, as the layout's ``[matrix]`` has them.

    :param switches: the crossing of each switch, such as ``R1C2``.
    :param inverted: the switches that count as closed while they do not conduct.
    :param clock: the driver's clock, in milliseconds.
    :raises BoardError: a pin cannot be had; none is kept then.
    """

    def __init__(
        self,
        pins: Pins,
        matrix: Matrix,
        switches: Mapping[str, str],
        inverted: frozenset[str],
        inbox: Inbox,
        clock: Callable[[], float],
    ) -> None:
        self._pins = pins
        self._diodes = matrix.diodes
        self._places = {switch: place for switch, pin in switches.items() if (place := crossing(pin)) is not None}
        self._inverted = inverted
        self._inbox = inbox
        self._clock = clock
        self._rows: list[Device] = []
        self._columns: list[Device] = []
        self._conducting: frozenset[tuple[int, int]] = frozenset()
        self._wanted = False
        self._scan_at: float | None = None
        self._quiet_since = 0.0
        try:
            for number, pin in enumerate(matrix.rows, start=1):
                self._rows.append(pins.take(pin, f"matrix row {number}"))
            for number, pin in enumerate(matrix.columns, start=1):
                self._columns.append(
                    pins.take(pin, f"matrix column {number}", pull="up", closed="low", edge=self._heard)
                )
            self._begin(clock())
            self._conducting = self._scan()
        except BaseException:
            self.close()
            raise

    def read(self, *, afresh: bool) -> Mapping[str, bool]:
        """The levels of the switches as they were last scanned, or are scanned now."""
        if afresh:
            self._begin(self._clock())
            self._conducting = self._scan()
        elif self._scan_at is None:
            self._look()
        return {switch: self._closed(switch, self._conducting) for switch in self._places}

    def due(self, now: float) -> float | None:
        """When to scan next."""
        return now if self._scan_at is None and self._wanted else self._scan_at

    async def attend(self, now: float) -> None:
        """Scan, and listen again if nothing has conducted for a while."""
        self._begin(now)
        before, self._conducting = self._conducting, self._scan()
        seen = self._clock()
        for switch in self._places:
            closed = self._closed(switch, self._conducting)
            if closed != self._closed(switch, before):
                self._inbox.put(SwitchEvent(switch, closed, seen))
        if self._conducting:
            self._quiet_since = seen
        self._scan_at = seen + SCAN_MS
        if seen - self._quiet_since >= QUIET_MS:
            self._scan_at = None
            for row in self._rows:
                row.pin.output_with_state(0)
            self._look()

    def recheck(self) -> None:
        """Look for columns that are low although nobody told of it."""
        if self._scan_at is None:
            self._look()

    def close(self) -> None:
        """Let go of the pins."""
        self._pins.release_all([*self._columns, *self._rows])
        self._columns, self._rows = [], []

    def _heard(self, seconds: float, high: int) -> None:  # noqa: ARG002 - which one it was, the scan will tell
        """Hear an edge of a column, in lgpio's thread. Those that the scanning itself makes mean nothing."""
        if self._scan_at is None:
            self._wanted = True
            self._inbox.ring()

    def _look(self) -> None:
        """While all rows are driven: is a column low whose edge was lost, or came when edges meant nothing?"""
        if any(not column.pin.state for column in self._columns):
            self._wanted = True
            self._inbox.ring()

    def _closed(self, switch: str, conducting: frozenset[tuple[int, int]]) -> bool:
        return (self._places[switch] in conducting) != (switch in self._inverted)

    def _begin(self, now: float) -> None:
        """Scan from now on, if that is not so already."""
        self._wanted = False
        if self._scan_at is None:
            self._scan_at = self._quiet_since = now
            for row in self._rows:
                row.pin.function = "input"

    def _scan(self) -> frozenset[tuple[int, int]]:
        """The crossings that conduct, as (row, column) from 1; ghosts are as they were. The rows float after."""
        found = set()
        for row_number, row in enumerate(self._rows, start=1):
            row.pin.output_with_state(0)
            time.sleep(_SETTLE_S)
            for column_number, column in enumerate(self._columns, start=1):
                if not column.pin.state:
                    found.add((row_number, column_number))
            row.pin.function = "input"
        if self._diodes:
            return frozenset(found)
        doubtful = {place for place in found if _may_be_ghost(place, found)}
        return frozenset((found - doubtful) | (doubtful & self._conducting))


def _may_be_ghost(place: tuple[int, int], found: set[tuple[int, int]]) -> bool:
    """Whether three other crossings that conduct would make this one look as if it did."""
    row, column = place
    return any(
        other_row != row and other_column != column and (row, other_column) in found and (other_row, column) in found
        for other_row, other_column in found
    )
