"""The ten levels: how far each looks, how sure it is of what it sees, and what it may overlook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from popout.opponent.errors import OpponentError
from popout.opponent.sight import Sight
from popout.rules import Message
from popout.rules.messages import excerpt


class UnknownLevel(OpponentError, ValueError):
    """There is no level of this number or name."""

    code = "unknown-level"


@dataclass(frozen=True, slots=True)
class Level:
    """How well an opponent plays.

    :ivar number: from 1 to 10. :ivar name: for people.
    :ivar plies: how many turns it looks ahead; 0 for what it sees at a glance.
    :ivar wobble: how much what it thinks of a move is off, as a standard deviation of estimates from -1 to 1.
    :ivar overlooks: the chance that in a turn it does not see what there is to see, for each kind.
    :ivar seconds: how long it thinks at most, unless it is given a time.
    :ivar proves: whether it plays what is proved to be best, as far as that can be had.
    """

    number: int
    name: Message
    plies: int
    wobble: float
    seconds: float
    overlooks: Mapping[Sight, float] = field(default_factory=dict, hash=False)
    proves: bool = False


def _overlooks(
    own_win: float, vertical: float, horizontal: float, diagonal: float, pop: float, own_pop: float
) -> dict[Sight, float]:
    return {
        Sight.OWN_WIN: own_win,
        Sight.VERTICAL: vertical,
        Sight.HORIZONTAL: horizontal,
        Sight.DIAGONAL: diagonal,
        Sight.POP: pop,
        Sight.OWN_POP: own_pop,
    }


LEVELS: tuple[Level, ...] = (
    Level(1, Message("Beginner"), 0, 2.0, 0.2, _overlooks(0.85, 0.8, 0.88, 0.95, 0.95, 0.9)),
    Level(2, Message("Learner"), 0, 0.72, 0.2, _overlooks(0.5, 0.42, 0.56, 0.75, 0.8, 0.7)),
    Level(3, Message("Casual player"), 0, 0.4, 0.2, _overlooks(0.25, 0.18, 0.32, 0.5, 0.55, 0.5)),
    Level(4, Message("Careful player"), 1, 0.25, 0.2, _overlooks(0.0, 0.0, 0.03, 0.08, 0.12, 0.1)),
    Level(5, Message("Thinker"), 2, 0.1, 0.2),
    Level(6, Message("Club player"), 4, 0.08, 0.3),
    Level(7, Message("Expert"), 6, 0.06, 0.6),
    Level(8, Message("Master"), 8, 0.04, 0.8),
    Level(9, Message("Champion"), 10, 0.03, 1.0),
    Level(10, Message("Perfect"), 60, 0.0, 1.0, proves=True),
)
"""From the weakest to the best one."""


def level_called(text: str) -> Level:
    """The level of this number or English name, in any case.

    :raises UnknownLevel: there is none.
    """
    wanted = " ".join(str(text).split()).casefold()
    for level in LEVELS:
        if wanted in (str(level.number), str(level.name).casefold()):
            return level
    raise UnknownLevel(
        Message(
            'There is no level "{level}". Choose a number from 1 to {highest}, or a name: {names}.',
            level=excerpt(text),
            highest=len(LEVELS),
            names=", ".join(str(level.name) for level in LEVELS),
        )
    )
