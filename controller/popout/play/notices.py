"""What the board says to the people at it, besides light."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Literal

from popout.rules import Message

KEPT = 10_000
"""More than anybody says in a game, and little enough to stay in memory."""

Importance = Literal["info", "refused", "fault"]
"""Something happened; something was not allowed; something is wrong with the board or the record."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing said.

    :ivar number: grows by one with every notice. :ivar code: stable, for a program.
    :ivar column: the column concerned, if it is one. :ivar time: when, in milliseconds on the board's clock.
    """

    number: int
    importance: Importance
    code: str
    message: Message
    column: int | None
    time: float


class Notices:
    """The last things said, the newest last."""

    def __init__(self) -> None:
        self._kept: deque[Notice] = deque(maxlen=KEPT)

    def say(self, importance: Importance, code: str, message: Message, time: float, column: int | None = None) -> None:
        """Say one thing more."""
        number = self._kept[-1].number + 1 if self._kept else 1
        self._kept.append(Notice(number, importance, code, message, column, time))

    @property
    def newest(self) -> Notice | None:
        """The last thing said."""
        return self._kept[-1] if self._kept else None

    def since(self, number: int) -> tuple[Notice, ...]:
        """What was said after the notice with this number, as far as it is kept."""
        return tuple(notice for notice in self._kept if notice.number > number)
