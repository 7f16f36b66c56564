"""A frame: the light of every lamp of a board at one instant."""

from __future__ import annotations

from dataclasses import dataclass

Colour = int
"""A lamp's light as 0xRRGGBB; 0 is dark."""

DARK: Colour = 0


@dataclass(frozen=True, slots=True)
class Frame:
    """What every lamp shows, computed whole; never a difference to the frame before.

    :ivar cells: one tuple a column from the left, each from row 1 (the bottom) up. Always the whole grid,
        also on a board without cell lamps: the driver shows what it has lamps for.
    :ivar columns: one colour a column, from the left.
    :ivar turns: the turn lamps, red's and yellow's.
    """

    cells: tuple[tuple[Colour, ...], ...]
    columns: tuple[Colour, ...]
    turns: tuple[Colour, Colour]

    @classmethod
    def dark(cls, columns: int, rows: int) -> Frame:
        """The frame with no light at all."""
        return cls(((DARK,) * rows,) * columns, (DARK,) * columns, (DARK, DARK))
