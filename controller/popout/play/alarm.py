"""The alarm clock of the table: it rings when there is something to decide, but lets edges on their way come first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

LATE_MS = 5.0
"""Ringing so much too late, the program was held up, and the edges of that time are still to come."""
GRACE_MS = 20.0
"""In which they do."""
MOST_GRACES = 3
"""So often it waits for them, on a machine that always holds it up."""
TURNS_FIRST = 3
"""So many turns of the event loop it takes at most until an edge that has come is heard."""


class Alarm:
    """Calls `ring` once, at the time that it was set to.

    A level that is read before the edges to it are heard would make them look lost. So edges that wait in the event
    loop come first; and where the program stood still for a while, the alarm waits for those that a thread has yet to
    bring.
    """

    def __init__(self, clock: Callable[[], float], ring: Callable[[], object]) -> None:
        """Prepare; `clock` gives milliseconds."""
        self._clock = clock
        self._ring = ring
        self._handle: asyncio.Handle | None = None

    def set(self, due: float | None, pause_s: float = 0.0) -> None:
        """Ring at `due`, in milliseconds, and nothing before; None: not at all.

        :param pause_s: not before so many seconds from now.
        """
        self.stop()
        if due is None:
            return
        now = self._clock()
        wait_s = max(due - now if due >= now - LATE_MS else GRACE_MS, 0.0) / 1000
        wait_s = max(wait_s, pause_s)
        self._handle = asyncio.get_running_loop().call_later(wait_s, self._rise, now + wait_s * 1000)

    @property
    def is_set(self) -> bool:
        """Whether it is going to ring."""
        return self._handle is not None

    def stop(self) -> None:
        """Do not ring."""
        if self._handle:
            self._handle.cancel()
            self._handle = None

    def _rise(self, due: float) -> None:
        self._hear_first(TURNS_FIRST, due, 0)

    def _hear_first(self, turns: int, due: float, held_up: int) -> None:
        """Ring after so many turns of the loop; where it was held up since `due`, meanwhile too, begin anew later."""
        if self._clock() > due + LATE_MS and held_up < MOST_GRACES:
            again = self._clock() + GRACE_MS
            self._handle = asyncio.get_running_loop().call_later(
                GRACE_MS / 1000, self._hear_first, TURNS_FIRST, again, held_up + 1
            )
        elif turns:
            self._handle = asyncio.get_running_loop().call_soon(self._hear_first, turns - 1, due, held_up)
        else:
            self._handle = None
            self._ring()
