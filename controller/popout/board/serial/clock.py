"""The clock of a board, as it is seen from here."""

from __future__ import annotations

from typing import Final

from popout.link.words import CLOCK_MODULUS

DRIFT: Final = 1e-4
"""By how much the two clocks may drift apart: both are crystals, good for much less."""


class BoardClock:
    """Tells the time of the host's clock from that of the board's, which begins anew after `CLOCK_MODULUS` ms.

    What says a time was under way for a while; the shortest way of late is taken for the true difference. So an event
    keeps its own time, also when the host was held up and reads it late. A time that was asked for is none from before
    the question, so that a clock that goes wrong is never far off.
    """

    def __init__(self) -> None:
        self._board: float | None = None
        self._difference = 0.0
        self._told_at = 0.0
        self._latest = float("-inf")

    def told(self, time: int, now: float, asked_at: float | None = None) -> float:
        """What the host's clock showed at the board's `time`, of which it is told `now`; never before earlier ones.

        :param asked_at: when the host asked, if this is an answer.
        """
        if self._board is None:
            self._board, self._difference = float(time), now - time
        else:
            half = CLOCK_MODULUS // 2
            self._board += (time - self._board + half) % CLOCK_MODULUS - half
            since = max(0.0, now - self._told_at)
            self._difference = min(self._difference + since * DRIFT, now - self._board)
        if asked_at is not None:
            self._difference = max(self._difference, asked_at - self._board)
        self._told_at = now
        self._latest = max(self._latest, min(self._board + self._difference, now))
        return self._latest
