"""What hands do to the switches of a board, as values with their times: what the gestures are read from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from popout.board.switches import BAR, MENU, TAKE_BACK, SwitchEvent, column_switch, numbered, second_row_switch
from popout.rules.side import RED, YELLOW, Side


@dataclass(frozen=True, slots=True)
class Button:
    """The button (or lever) of a column.

    :ivar column: from 1 at the left.
    :ivar side: whose row of buttons it is in; None on a board with a single row for both.
    """

    column: int
    side: Side | None = None

    @property
    def switch(self) -> str:
        """The name of its switch, see `popout.board.switches`."""
        return second_row_switch(self.column) if self.side is YELLOW else column_switch(self.column)


@dataclass(frozen=True, slots=True)
class Press:
    """A button went down."""

    button: Button
    time: float


@dataclass(frozen=True, slots=True)
class Release:
    """A button came up."""

    button: Button
    time: float


@dataclass(frozen=True, slots=True)
class Lost:
    """A button was muted as faulty; None says that all switches are out of reach, as when a cable is pulled."""

    button: Button | None
    time: float


@dataclass(frozen=True, slots=True)
class BarMoved:
    """The pop-release bar was slid."""

    open: bool
    time: float


@dataclass(frozen=True, slots=True)
class MenuPressed:
    """The menu switch went down."""

    time: float


@dataclass(frozen=True, slots=True)
class TakeBackPressed:
    """The take-back switch went down."""

    time: float


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed.

    :ivar now: the time on the clock of the events.
    :ivar closed: the names of the switches that are closed now, freshly read. No hold counts unless its buttons are
        still down.
    """

    now: float
    closed: frozenset[str]


HandEvent = Press | Release | Lost | BarMoved | MenuPressed | TakeBackPressed | Tick


def event_of(change: SwitchEvent, *, two_rows: bool) -> HandEvent | None:
    """What a debounced change of a switch is to the gestures; None for a change that means nothing to them.

    `two_rows` says whether each side has its own row of buttons, so that ``column 3`` is red's.
    """
    match numbered(change.switch), change.switch:
        case ("column", column), _:
            button = Button(column, RED if two_rows else None)
            return Press(button, change.time) if change.closed else Release(button, change.time)
        case ("yellow column", column), _:
            button = Button(column, YELLOW)
            return Press(button, change.time) if change.closed else Release(button, change.time)
        case _, name if name == BAR:
            return BarMoved(change.closed, change.time)
        case _, name if name == MENU and change.closed:
            return MenuPressed(change.time)
        case _, name if name == TAKE_BACK and change.closed:
            return TakeBackPressed(change.time)
    return None


def tick(now: float, levels: Mapping[str, bool]) -> Tick:
    """The `Tick` at `now` with `levels` as a board driver reads them."""
    return Tick(now, frozenset(switch for switch, closed in levels.items() if closed))
