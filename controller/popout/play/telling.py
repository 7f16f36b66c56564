"""Telling the controller at the board itself what is on it, column by column. Pure.

With the bar closed a tap puts a disc on top of what was said of a column, and a column that is full begins again empty;
with the bar open a tap takes the top one off. Holding a column changes the colour of the next disc.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from popout.play.correction import Correction, Grid, differing_cells
from popout.rules import Cell, Message, Position, Side

HOW = Message("Tap to add a disc, with the bar open to take one off; hold for the other colour. The menu ends it.")


@dataclass(frozen=True, slots=True)
class Telling:
    """What hands have said so far.

    :ivar told: grid texts, filled outer columns included.
    :ivar disc: the side whose disc the next tap puts on top.
    :ivar touched: when a hand last said something, in milliseconds.
    """

    told: Grid
    disc: Side
    touched: float

    @classmethod
    def begun(cls, position: Position, correction: Correction | None, now: float) -> Telling:
        """Begin with what is known to be there, or else with what should be."""
        there = correction.seen if correction else None
        return cls(position.grid if there is None else there, position.turn, now)

    def tapped(self, column: int, rows: int, now: float, *, bar_open: bool) -> Telling:
        """After a tap of `column` (of the grid, which has `rows`)."""
        discs = self.told[column - 1]
        if bar_open or len(discs) >= rows:
            discs = discs[:-1] if bar_open else ""
        else:
            discs += self.disc.letter
        return replace(self, told=(*self.told[: column - 1], discs, *self.told[column:]), touched=now)

    def other_colour(self, now: float) -> Telling:
        """After a hold: the next disc is one of the other side."""
        return replace(self, disc=self.disc.other, touched=now)

    def differing(self, position: Position) -> tuple[Cell, ...]:
        """The cells that are said to differ from the position."""
        return differing_cells(self.told, position.grid)
