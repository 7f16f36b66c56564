"""The two sides of a game."""

from __future__ import annotations

from enum import Enum


class Side(Enum):
    """Who owns a disc and whose turn it is."""

    RED = "red"
    YELLOW = "yellow"

    # That of Enum is written in Python, and half the time that it takes to look a position up.
    __hash__ = object.__hash__

    @property
    def other(self) -> Side:
        """The opponent."""
        return YELLOW if self is RED else RED

    @property
    def letter(self) -> str:
        """The side's disc in a position text: ``X`` for red, ``O`` for yellow."""
        return "X" if self is RED else "O"

    @classmethod
    def of_letter(cls, letter: str) -> Side:
        """The side whose disc is written as `letter`, in either case.

        :raises KeyError: it is neither ``X`` nor ``O``.
        """
        return {"X": RED, "O": YELLOW}[letter.upper()]


RED = Side.RED
YELLOW = Side.YELLOW
