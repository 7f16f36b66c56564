"""What a position can be waiting for, and what the steps of the games with phases have in common."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Protocol, Self

from popout.rules.moves import Move

if TYPE_CHECKING:
    from popout.rules.position import Position


class Phase(Enum):
    """The step that a position is waiting for. The values are stable codes."""

    PLAY = "play"
    """A turn as the game knows it."""
    FILL = "fill"
    """Pop 10: a disc into the row that is being filled."""
    POP = "pop"
    """Pop 10: a pop of an own disc."""
    PUT = "put"
    """Pop 10: the popped disc back into the top."""
    BOMB = "bomb"
    """Power Up: the pop of a disc of the opponent."""
    WALL = "wall"
    """Power Up: a second disc, which may not make a line."""
    DOUBLE = "x2"
    """Power Up: a second disc."""

    @property
    def follows(self) -> bool:
        """Whether the same turn has begun with an earlier step."""
        return self in (Phase.PUT, Phase.BOMB, Phase.WALL, Phase.DOUBLE)


class Extra(Protocol):
    """What a game with phases keeps beside the discs. A value, equal if the same can happen."""

    @property
    def phase(self) -> Phase:
        """What is waited for."""
        ...

    def turned(self) -> Self:
        """The same with the other side to move."""
        ...

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """Every legal step; the game is not over."""
        ...

    def drop(self, position: Position, column: int) -> Position:
        """The position after a drop; see `Position.drop`."""
        ...

    def pop(self, position: Position, column: int) -> Position:
        """The position after a pop; see `Position.pop`."""
        ...
