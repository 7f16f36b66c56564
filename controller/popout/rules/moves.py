"""The moves: single steps that a hand makes on the board."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Drop:
    """A disc of the side to move into the top of `column`. Written ``d4``."""

    column: int

    def __post_init__(self) -> None:
        _check_column(self.column)

    def __str__(self) -> str:
        return f"d{self.column}"


@dataclass(frozen=True, slots=True)
class Pop:
    """The own disc at the bottom of `column` out of the grid; what lies above comes down. Written ``p4``."""

    column: int

    def __post_init__(self) -> None:
        _check_column(self.column)

    def __str__(self) -> str:
        return f"p{self.column}"


@dataclass(frozen=True, slots=True)
class Claim:
    """A draw on a full grid, where the rules leave it to the side to move. Written ``claim``."""

    def __str__(self) -> str:
        return "claim"


class PowerDisc(Enum):
    """The four power discs; the values are their letters in moves.

    Source: the rule text, "Power Up".
    """

    ANVIL = "a"
    """Everything under it leaves; it lies in the bottom row."""
    BOMB = "b"
    """Its side pops one of the opponent's discs at once."""
    WALL = "w"
    """Its side drops a second disc, which may not win."""
    DOUBLE = "x"
    """Its side drops a second disc; on the set it says x2."""


@dataclass(frozen=True, slots=True)
class Power:
    """A power disc into the top of `column`. Written ``a4``, ``b4``, ``w4`` or ``x4``."""

    disc: PowerDisc
    column: int

    def __post_init__(self) -> None:
        _check_column(self.column)

    def __str__(self) -> str:
        return f"{self.disc.value}{self.column}"


Move = Drop | Pop | Power | Claim


def _check_column(column: object) -> None:
    # True and 4.0 would find a column too, and then be written as a move that nobody can read.
    if type(column) is not int:
        raise TypeError(f"the column of a move is a whole number, not {column!r}")
