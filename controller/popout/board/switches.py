"""The switches of a board, by name, and what one of them reports.

A switch is named by a short text that is the same in layout files, recordings, messages of the page and
sentences for people: ``column 3``, ``bar``, ``menu``, ``take back``. A board on which each side has its own row
of buttons has ``yellow column 3`` for the second row; beams are ``drop sensor 3`` and ``pop sensor 3``.
Columns count from 1 at the left as the player with the buttons sees them, over the playable columns of the board.
"""

from __future__ import annotations

from dataclasses import dataclass

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
