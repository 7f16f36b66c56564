"""Gestures: what the hands on the switches mean.

A pure state machine. Debounced switch events go in with their times, gestures come out; nothing here knows a rule
or a clock. Whoever drives it hands over the events in order, every waiting one before a `Tick`, and a `Tick` when
the time that `due` names has come::

    state: State = Idle(bar_open=False)
    state, gestures = step(state, Press(Button(4), 120.0), columns=7, actuation="button", settings=settings)

A slip of the hand never makes a move: a second button, a moved bar or a lost switch cancels, and nothing more
happens until every button is up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, assert_never

from popout.play.hands import (
    BarMoved,
    Button,
    HandEvent,
    Lost,
    MenuPressed,
    Press,
    Release,
    TakeBackPressed,
    Tick,
)
from popout.play.settings import Settings
from popout.rules.messages import Message
from popout.rules.side import Side

Actuation = Literal["button", "disc"]
"""A button under a finger, or a lever that the falling disc itself trips."""


# Gestures


@dataclass(frozen=True, slots=True)
class Tentative:
    """A column was pressed, and letting go will make the move; show at once what it would be.

    :ivar bar_open: a pop if it is open, a drop if not.
    :ivar side: whose button it was, on a board with two rows.
    """

    column: int
    bar_open: bool
    side: Side | None
    time: float


@dataclass(frozen=True, slots=True)
class Tap:
    """The move was made: commit it. Everything is as it was when the button went down, the time too."""

    column: int
    bar_open: bool
    side: Side | None
    time: float


@dataclass(frozen=True, slots=True)
class HoldStarted:
    """The column has been down for a while: its light counts down to the take-back."""

    column: int
    since: float


@dataclass(frozen=True, slots=True)
class MenuHoldStarted:
    """Both outermost columns are down: nothing will be dropped, their light counts down to the menu."""

    since: float


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the last move. `time` is when the hold was long enough, however late that was noticed."""

    time: float


@dataclass(frozen=True, slots=True)
class MenuOpen:
    """Open the menu, or leave it. `time` is when the hold was long enough."""

    time: float


CancelReason = Literal["second-button", "bar-moved", "let-go", "switch-lost"]


@dataclass(frozen=True, slots=True)
class Cancelled:
    """What was begun means nothing."""

    reason: CancelReason
    time: float

    @property
    def message(self) -> Message:
        """Why, for a person."""
        match self.reason:
            case "second-button":
                return Message("Two buttons were pressed together, so nothing was done. Let go of both.")
            case "bar-moved":
                return Message("The bar was moved while a button was down, so nothing was done. Let go of it.")
            case "let-go":
                return Message("Hold both outermost buttons for longer to open the menu.")
            case "switch-lost":
                return Message("The button stopped answering, so nothing was done.")


Gesture = Tentative | Tap | HoldStarted | MenuHoldStarted | TakeBack | MenuOpen | Cancelled


# States


@dataclass(frozen=True, slots=True)
class Idle:
    """No button is down."""

    bar_open: bool


@dataclass(frozen=True, slots=True)
class Pressed:
    """One button is down; letting go makes the move."""

    button: Button
    since: float
    bar_open: bool


@dataclass(frozen=True, slots=True)
class CountingDown:
    """As `Pressed`, and its light counts down to the take-back."""

    button: Button
    since: float
    bar_open: bool


@dataclass(frozen=True, slots=True)
class Lifted:
    """The button was read as up, but the event that says when it came up is still on its way."""

    button: Button
    since: float
    bar_open: bool


@dataclass(frozen=True, slots=True)
class BothHeld:
    """Both outermost buttons of a row are down, the second one since `since`."""

    buttons: frozenset[Button]
    since: float
    bar_open: bool


@dataclass(frozen=True, slots=True)
class Spent:
    """The gesture is over, but buttons are still down; nothing happens until all are up."""

    down: frozenset[Button]
    bar_open: bool


State = Idle | Pressed | CountingDown | Lifted | BothHeld | Spent


def due(state: State, settings: Settings) -> float | None:
    """The time at which `step` needs a `Tick`; None if it needs none until something happens."""
    match state:
        case Pressed():
            return state.since + settings.count_down_after_ms
        case CountingDown():
            return state.since + settings.take_back_hold_ms
        case BothHeld():
            return state.since + settings.menu_hold_ms
        case Idle() | Lifted() | Spent():
            return None


def interrupted(state: State) -> State:
    """The state after something else has changed the game meanwhile: what was begun means nothing any more."""
    match state:
        case Pressed() | CountingDown() | Lifted():
            return Spent(frozenset({state.button}), state.bar_open)
        case BothHeld():
            return Spent(state.buttons, state.bar_open)
        case Idle() | Spent():
            return state


def step(
    state: State, event: HandEvent, *, columns: int, actuation: Actuation, settings: Settings
) -> tuple[State, tuple[Gesture, ...]]:
    """The state after `event`, and the gestures that it completes or begins.

    `columns` is how many columns of buttons the board has; the first and the last are the outermost ones.
    """
    match state:
        case Idle():
            return _idle(state, event, actuation)
        case Pressed() | CountingDown() | Lifted():
            return _one_down(state, event, columns, settings)
        case BothHeld():
            return _both_held(state, event, settings)
        case Spent():
            return _spent(state, event), ()
        case _:
            assert_never(state)


def _idle(state: Idle, event: HandEvent, actuation: Actuation) -> tuple[State, tuple[Gesture, ...]]:
    match event:
        case Press(button, time) if actuation == "disc":
            # No hand is on the lever: there is nothing to let go of, and nothing to hold.
            return state, (Tap(button.column, state.bar_open, button.side, time),)
        case Press(button, time):
            return (
                Pressed(button, time, state.bar_open),
                (Tentative(button.column, state.bar_open, button.side, time),),
            )
        case BarMoved(is_open):
            return Idle(is_open), ()
        case MenuPressed(time):
            return state, (MenuOpen(time),)
        case TakeBackPressed(time):
            return state, (TakeBack(time),)
        case Release() | Lost() | Tick():
            return state, ()


def _one_down(
    state: Pressed | CountingDown | Lifted, event: HandEvent, columns: int, settings: Settings
) -> tuple[State, tuple[Gesture, ...]]:
    button, since, bar_open = state.button, state.since, state.bar_open
    held = since + settings.take_back_hold_ms
    down = frozenset({button})
    match event:
        case Release(released, time) if released == button:
            # The times decide, not the order in which a busy program comes to look at them.
            if time >= held:
                return Idle(bar_open), (TakeBack(held),)
            return Idle(bar_open), (Tap(button.column, bar_open, button.side, since),)
        case Press(other, time) if _outermost(button, other, columns):
            return BothHeld(down | {other}, time, bar_open), (MenuHoldStarted(time),)
        case Press(other, time):
            # The same button again means that its release was lost: nothing is known about it.
            return _cancel("switch-lost" if other == button else "second-button", time, down | {other}, bar_open)
        case BarMoved(is_open, time) if is_open != bar_open:
            return _cancel("bar-moved", time, down, is_open)
        case Lost(lost, time) if lost in (button, None):
            return _cancel("switch-lost", time, frozenset(), bar_open)
        case MenuPressed(time) | TakeBackPressed(time):
            return _cancel("second-button", time, down, bar_open)
        case Tick(now, closed) if not isinstance(state, Lifted):
            if now < since + settings.count_down_after_ms:
                return state, ()
            if button.switch not in closed:
                return Lifted(button, since, bar_open), ()
            if now >= held:
                return Spent(down, bar_open), (TakeBack(held),)
            if isinstance(state, Pressed):
                return CountingDown(button, since, bar_open), (HoldStarted(button.column, since),)
    return state, ()


def _both_held(state: BothHeld, event: HandEvent, settings: Settings) -> tuple[State, tuple[Gesture, ...]]:
    held = state.since + settings.menu_hold_ms
    match event:
        case Release(released, time) if released in state.buttons:
            rest = state.buttons - {released}
            if time >= held:
                return Spent(rest, state.bar_open), (MenuOpen(held),)
            return _cancel("let-go", time, rest, state.bar_open)
        case Press(other, time):
            return _cancel(
                "switch-lost" if other in state.buttons else "second-button",
                time,
                state.buttons | {other},
                state.bar_open,
            )
        case BarMoved(is_open, time) if is_open != state.bar_open:
            return _cancel("bar-moved", time, state.buttons, is_open)
        case Lost(None, time):
            return _cancel("switch-lost", time, frozenset(), state.bar_open)
        case Lost(lost, time) if lost in state.buttons:
            return _cancel("switch-lost", time, state.buttons - {lost}, state.bar_open)
        case MenuPressed(time) | TakeBackPressed(time):
            return _cancel("second-button", time, state.buttons, state.bar_open)
        case Tick(now, closed) if now >= held:
            if all(button.switch in closed for button in state.buttons):
                return Spent(state.buttons, state.bar_open), (MenuOpen(held),)
            return _cancel("let-go", now, state.buttons, state.bar_open)
    return state, ()


def _spent(state: Spent, event: HandEvent) -> State:
    match event:
        case Press(button):
            return Spent(state.down | {button}, state.bar_open)
        case Release(button) | Lost(Button() as button):
            return _resting(state.down - {button}, state.bar_open)
        case Lost():
            return Idle(state.bar_open)
        case BarMoved(is_open):
            return Spent(state.down, is_open)
    return state


def _cancel(
    reason: CancelReason, time: float, down: frozenset[Button], bar_open: bool
) -> tuple[State, tuple[Gesture, ...]]:
    return _resting(down, bar_open), (Cancelled(reason, time),)


def _resting(down: frozenset[Button], bar_open: bool) -> State:
    return Spent(down, bar_open) if down else Idle(bar_open)


def _outermost(button: Button, other: Button, columns: int) -> bool:
    """Whether the two are both ends of one row; one player's hands cannot be on two rows."""
    return columns > 1 and button.side is other.side and {button.column, other.column} == {1, columns}
