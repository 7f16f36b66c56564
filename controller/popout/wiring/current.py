"""What the lamps of a board take from their supply, and how bright it lets them be."""

from __future__ import annotations

from dataclasses import dataclass

from popout.board.layout import Layout


@dataclass(frozen=True, slots=True)
class Current:
    """Amperes and shares of full light, of all lamps white at once.

    :ivar lamps: how many there are in the chain. :ivar dark: what they take when all are dark.
    :ivar wanted: what they would take at the brightness cap of the layout.
    :ivar supply: what the supply gives. :ivar cap: the brightness cap, 0 to 1.
    :ivar allowed: the share of full white that the supply lets all of them show at once, 0 to 1, cap aside.
    """

    lamps: int
    dark: float
    wanted: float
    supply: float
    cap: float
    allowed: float

    @property
    def taken(self) -> float:
        """The most that they take, in amperes: a picture that would take more is dimmed as a whole."""
        return min(self.wanted, self.supply)


def current(layout: Layout) -> Current | None:
    """What the lamps take; None for a board without a chain of lamps."""
    if layout.chain is None:
        return None
    lamps = len(layout.places)
    dark = lamps * layout.idle_milliamps
    white = lamps * 3 * layout.channel_milliamps
    return Current(
        lamps=lamps,
        dark=dark / 1000,
        wanted=(dark + white * layout.brightness) / 1000,
        supply=layout.milliamps / 1000,
        cap=layout.brightness,
        allowed=min(1.0, max(0.0, layout.milliamps - dark) / white),
    )
