"""Switches at the crossings of rows and columns.

At rest all rows are driven low and the columns, pulled up, are only listened to: nothing is polled. A column that
changes starts the scanning, which drives one row at a time while the others float, so that two closed switches never
short one row to another. It ends when nothing has changed for a while. A switch that stays closed, such as an open bar,
keeps its column low: the other columns still tell of their switches, and its own one tells when it opens. For those
that share the column with it, and for them alone, a scan is made from time to time.

A scan sees a moment only, and a pulse of noise that is hit by one would last until the next. So a change is believed
when a second scan, later by the time that noise lasts, sees it too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final

from popout.board.contacts import Matrix, crossing
from popout.board.gpio.pins import Device, Pins
from popout.board.inbox import Inbox
from popout.board.switches import SwitchEvent

SCAN_MS: Final = 4.0
SURE_MS: Final = 2.0
"""How much later a second scan must see a change until it is believed.

It is the glitch limit that is usual. The debouncer has its own, which is a setting that no driver knows: it counts from
the first of the two scans, and so sees a pulse with the grain of the scanning, `SCAN_MS`. A limit of 0 stays this one.
"""
QUIET_MS: Final = 50.0
"""How long nothing must have changed until the scanning ends: longer than contacts bounce."""
HIDDEN_MS: Final = 30.0
"""How often the switches are looked for which one that stays closed hides: with it a press is seen within 50 ms."""

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
        inbox: Inbox[SwitchEvent],
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
        self._conducting: frozenset[tuple[int, int]] = frozenset()  # as it is believed
        self._found: frozenset[tuple[int, int]] = frozenset()  # as the last scan saw it, with ghosts
        self._doubts: dict[str, float] = {}  # when a switch was first seen otherwise than it is believed to be
        self._listening = False
        self._wanted = False
        self._scan_at: float | None = None
        self._changed_at = self._scanned_at = clock()
        try:
            for number, pin in enumerate(matrix.rows, start=1):
                self._rows.append(pins.take(pin, f"matrix row {number}"))
            for number, pin in enumerate(matrix.columns, start=1):
                self._columns.append(
                    pins.take(pin, f"matrix column {number}", pull="up", closed="low", edge=self._heard)
                )
            self._scan_and_believe()
        except BaseException:
            self.close()
            raise

    def read(self, *, afresh: bool) -> Mapping[str, bool]:
        """The levels of the switches as they are believed to be, or are scanned now."""
        if afresh:
            self._scan_and_believe()
        else:
            self.recheck()
        return {switch: self._closed(switch, self._conducting) for switch in self._places}

    def due(self, now: float) -> float | None:  # noqa: ARG002 - it has its own times
        """When to scan next."""
        if self._listening and self._wanted:
            # Were a column to tell all the time, it would be scanned no faster than otherwise.
            return self._scanned_at + SCAN_MS
        return self._scan_at

    async def attend(self, now: float) -> None:
        """Scan, and listen again if nothing has changed for a while."""
        self._wanted = False
        if self._listening and not self._differs() and (self._scan_at is None or now < self._scan_at):
            return  # an edge that the scanning made itself, and that was told of late
        started = self._clock()
        found = self._scan()
        seen = self._scanned_at
        for switch, place in self._places.items():
            if (place in found) == (place in self._conducting):
                self._doubts.pop(switch, None)
                continue
            self._changed_at = seen
            first = self._doubts.setdefault(switch, seen)
            if started >= first + SURE_MS:
                del self._doubts[switch]
                self._inbox.put(SwitchEvent(switch, self._closed(switch, found), first))
                self._conducting ^= {place}
        if self._doubts:
            self._scan_at = seen + SURE_MS
        elif seen - self._changed_at < QUIET_MS:
            self._scan_at = seen + SCAN_MS
        else:
            self._scan_at = seen + HIDDEN_MS if self._hides() else None
            self._listen()

    def recheck(self) -> None:
        """See whether a column differs although nobody told of it, or told when edges meant nothing."""
        if self._listening and self._differs():
            self._wanted = True
            self._inbox.ring()

    def close(self) -> None:
        """Let go of the pins."""
        self._pins.release_all([*self._columns, *self._rows])
        self._columns, self._rows = [], []

    def _heard(self, seconds: float, high: int) -> None:  # noqa: ARG002 - which one it was, the scan will tell
        """Hear an edge of a column, in lgpio's thread. Those that the scanning itself makes mean nothing."""
        if self._listening:
            self._wanted = True
            self._inbox.ring()

    def _listen(self) -> None:
        """Drive all rows, and listen to the columns."""
        for row in self._rows:
            row.pin.output_with_state(0)
        time.sleep(_SETTLE_S)
        self._listening = True
        self.recheck()

    def _differs(self) -> bool:
        """While all rows are driven: whether a column is not as the last scan makes it."""
        low = {column for _, column in self._found}
        return any((not column.pin.state) != (number in low) for number, column in enumerate(self._columns, start=1))

    def _hides(self) -> bool:
        """Whether a crossing that conducts keeps a column low on which a switch hangs that is somewhere else."""
        places = self._places.values()
        return any(place[1] == column and place[0] != row for row, column in self._found for place in places)

    def _closed(self, switch: str, conducting: frozenset[tuple[int, int]]) -> bool:
        return (self._places[switch] in conducting) != (switch in self._inverted)

    def _scan_and_believe(self) -> None:
        self._conducting = self._scan()
        self._doubts.clear()
        self._scan_at = self._changed_at = self._scanned_at

    def _scan(self) -> frozenset[tuple[int, int]]:
        """The crossings that conduct, as (row, column) from 1; ghosts are as they were. The rows float after."""
        if self._listening:
            self._listening = False
            for row in self._rows:
                row.pin.function = "input"
        found = set()
        for row_number, row in enumerate(self._rows, start=1):
            row.pin.output_with_state(0)
            time.sleep(_SETTLE_S)
            for column_number, column in enumerate(self._columns, start=1):
                if not column.pin.state:
                    found.add((row_number, column_number))
            row.pin.function = "input"
        self._found = frozenset(found)
        self._scanned_at = self._clock()
        if self._diodes:
            return self._found
        doubtful = {place for place in found if _may_be_ghost(place, found)}
        return frozenset((found - doubtful) | (doubtful & self._conducting))


def _may_be_ghost(place: tuple[int, int], found: set[tuple[int, int]]) -> bool:
    """Whether three other crossings that conduct would make this one look as if it did."""
    row, column = place
    return any(
        other_row != row and other_column != column and (row, other_column) in found and (other_row, column) in found
        for other_row, other_column in found
    )
