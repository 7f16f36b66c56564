"""The switches of a board, by name, and what one of them reports.

A switch is named by a short text that is the same in layout files, recordings, messages of the page and
sentences for people: ``column 3``, ``bar``, ``menu``, ``take back``. A board on which each side has its own row
of buttons has ``yellow column 3`` for the second row; beams are ``drop sensor 3`` and ``pop sensor 3``.
Columns count from 1 at the left as the player with the buttons sees them, over the playable columns of the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from popout.rules.messages import N_, Message

BAR = "bar"
MENU = "menu"
TAKE_BACK = "take back"
POWERS = ("anvil", "bomb", "wall", "x2")
"""Switches that choose a power disc of Power Up for the next drop."""

_COLUMN = "column "
_SECOND_ROW = "yellow column "
_DROP_SENSOR = "drop sensor "
_POP_SENSOR = "pop sensor "


@dataclass(frozen=True, slots=True)
class SwitchEvent:
    """A switch changed.

    :ivar switch: the switch's name, see the module.
    :ivar closed: its new level; a pressed button, an open bar and an interrupted beam are *closed* switches.
    :ivar time: when, in milliseconds on the driver's monotonic clock.
    """

    switch: str
    closed: bool
    time: float


class Fault(Enum):
    """What can be the matter with a switch. The values are stable codes."""

    STUCK = "switch-stuck"
    """Closed without having been pressed, and ignored until it has been open."""
    FAULTY = "switch-faulty"
    """It chatters, and is not listened to until it has been quiet."""
    HEALED = "switch-healed"
    """It is in use again."""


@dataclass(frozen=True, slots=True)
class SwitchFault:
    """Something is the matter with a switch since `time`, in milliseconds on the driver's monotonic clock."""

    switch: str
    fault: Fault
    time: float

    @property
    def message(self) -> Message:
        """What is the matter and what to do, for a person."""
        return Message(_SENTENCES[self.fault], switch=self.switch)


Report = SwitchEvent | SwitchFault

_SENTENCES = N_(
    {
        Fault.STUCK: 'The switch "{switch}" is stuck: let go of it or free it.',
        Fault.FAULTY: 'The switch "{switch}" flickers and is ignored until it is quiet. '
        "Check its wire, and take back the moves that nobody made.",
        Fault.HEALED: 'The switch "{switch}" works again.',
    }
)


def column_switch(column: int) -> str:
    """The name of the button (or lever) of `column`."""
    return f"{_COLUMN}{column}"


def second_row_switch(column: int) -> str:
    """The name of yellow's own button of `column`, on a board with two rows of buttons."""
    return f"{_SECOND_ROW}{column}"


def drop_sensor(column: int) -> str:
    """The name of the beam under the slot of `column`."""
    return f"{_DROP_SENSOR}{column}"


def pop_sensor(column: int) -> str:
    """The name of the beam under the bar at `column`."""
    return f"{_POP_SENSOR}{column}"


def numbered(switch: str) -> tuple[str, int] | None:
    """Split a column's switch into its kind and its column.

    The kind is ``"column"``, ``"yellow column"``, ``"drop sensor"`` or ``"pop sensor"``;
    None for the bar, the menu button and anything that is no column's.
    """
    kind, _, number = switch.rpartition(" ")
    if kind + " " in (_COLUMN, _SECOND_ROW, _DROP_SENSOR, _POP_SENSOR) and number.isdecimal():
        return kind, int(number)
    return None


def rests(switch: str) -> bool:
    """Whether the switch stays as it is put, as the bar does, while a button comes back by itself."""
    return switch == BAR


def moved_by_a_disc(switch: str, actuation: Literal["button", "disc"]) -> bool:
    """Whether a disc moves the switch on its way and no hand, on a board with this actuation (see `Layout`)."""
    match numbered(switch):
        case None:
            return False
        case ("column" | "yellow column", _):
            return actuation == "disc"
        case _:
            return True
