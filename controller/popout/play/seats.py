"""Who plays: the sides that an opponent plays and its levels, as texts that people write and read. Pure."""

from __future__ import annotations

from popout.opponent.errors import OpponentError
from popout.opponent.levels import LEVELS, level_called
from popout.record.journal import Levels
from popout.rules import Message, Side
from popout.rules.messages import excerpt

OFF = "off"


class OpponentUnreadable(OpponentError, ValueError):
    """A text that does not say which side an opponent plays."""

    code = "opponent-unreadable"


def read_levels(text: str) -> Levels:
    """Read which sides an opponent plays: ``yellow=5``, ``red=3,yellow=champion``, or ``off`` for none.

    :raises OpponentUnreadable: it says nothing of that. :raises UnknownLevel: there is no such level.
    """
    if text.strip().casefold() == OFF:
        return {}
    levels: dict[Side, int] = {}
    for part in text.split(","):
        name, is_there, level = (word.strip() for word in part.partition("="))
        side = next((side for side in Side if side.value == name.casefold()), None)
        if side is None or not is_there or side in levels:
            raise OpponentUnreadable(
                Message(
                    'The opponent "{text}" cannot be read. Write such as yellow=5, or red=3,yellow=7 for both sides, '
                    "or off for none.",
                    text=excerpt(text),
                )
            )
        levels[side] = level_called(level).number
    return levels


def level_title(level: int) -> Message:
    """A level by its number and its name, such as ``5 (Thinker)``."""
    return Message("{number} ({name})", number=level, name=LEVELS[min(level, len(LEVELS)) - 1].name)
