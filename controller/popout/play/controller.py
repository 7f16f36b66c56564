"""The controller: joins the switches of a board, the rules, the journal and the lamps. Pure; time is an argument.

What happens at the table comes in here: raw edges, the time, orders from a page, the word that an entry is on disk.
What comes out is a scene for the lamps, one entry at a time to be saved, and notices for people. It owns no clock, no
device and no file; `popout.play.table` is the shell around it.

Until `saved` or `save_failed` is called for an unsaved entry (see `popout.play.desk`), what hands do is kept with its
times and judged afterwards, in its order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import assert_never

from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.board.switches import Fault, Report, SwitchFault
from popout.play import gestures, lights, sensors
from popout.play.beams import DeskWithBeams
from popout.play.choices import choose
from popout.play.desk import BOARD_LOST, BoardDiffers, fits
from popout.play.listener import DiscSeen, Heard, Listener, PowerChosen
from popout.play.menu import NOBODY, Menu, shown
from popout.play.modes import LampTesting, ShowingKept, ShowingLastMove, scene_of
from popout.play.notices import Importance
from popout.play.scene import Flash
from popout.play.settings import Settings
from popout.record.journal import Entry, Kind, Levels, Source
from popout.rules import (
    RED,
    YELLOW,
    Drop,
    Game,
    IllegalMove,
    Message,
    Pop,
    PopoutError,
    Side,
    waiting_for,
)
from popout.rules.messages import N_

SHOWING_LAST_MS = 3000

TELLING_MENUS = 6
"""Telling what is on the board is left when nobody touches it for so many times as long as a menu stays."""

SAME_FINGER_MS = 50
"""The edge that a finger makes has the time of the finger, give or take a slow loop."""


class WrongSide(IllegalMove):
    """Somebody moves for the side that is not to move."""

    code = "wrong-side"


_NOT_YOURS = N_(
    {
        RED: "That was a button of red's, whose turn it is not. {now}",
        YELLOW: "That was a button of yellow's, whose turn it is not. {now}",
    }
)


class Controller(DeskWithBeams):
    """One game at one board: what hands do there, and what its lamps show; the rest is the desk's."""

    def __init__(
        self,
        layout: Layout,
        settings: Settings,
        game: Game,
        *,
        levels: Mapping[str, bool],
        now: float,
        opponent: Levels = NOBODY,
    ) -> None:
        super().__init__(layout, settings, game, now, opponent)
        self._waiting: deque[Heard] = deque()
        self._obeying = False
        self._let_go_at = now
        self._fingers: deque[tuple[Source, float]] = deque(maxlen=layout.columns)
        self._listener = Listener(layout, settings, levels, now)
        # Where a disc trips what a finger would press, the next disc must not be taken for an answer.
        self._asks_to_go_on = bool(game.moves) and game.outcome is None and layout.actuation == "button"
        if game.moves:
            self.overlay = ShowingLastMove(now)
            self._say("info", "resumed", self._how_it_goes_on(), now)

    def _how_it_goes_on(self) -> Message:
        if self._asks_to_go_on or self.game.outcome:
            return Message("The last game goes on.")
        return Message("The last game goes on. The menu begins a new one.")

    @property
    def gesture(self) -> gestures.State:
        """What the hands are doing."""
        return self._listener.state

    @property
    def _is_lost(self) -> bool:
        return BOARD_LOST in self._troubles

    # What comes in

    def edge(self, event: Report) -> None:
        """A switch changed, as the board has it; or the board itself has found something the matter with a switch."""
        if self._is_lost:
            return
        self._time_is(event.time)
        before = self.gesture
        self._hear(self._listener.edge(event))
        self.revision += self.gesture != before

    def pressed_from(self, source: Source, now: float) -> None:
        """A finger that is not at the board itself goes down on a switch now; what comes of it comes from there."""
        self._fingers.append((source, now))

    def tick(self, now: float, levels: Mapping[str, bool]) -> None:
        """The time is `now`, and these are the levels of the switches. Call it when `due` says so.

        A level that is not among them is not known.
        """
        self._time_is(now)
        before = self.gesture
        self._hear(self._listener.tick(now, {} if self._is_lost else levels))
        self.revision += self.gesture != before
        if self.unsaved is None:
            self._let_time_pass(now)

    def saved(self, now: float) -> None:
        """The unsaved entry is on disk: it has happened. What was pressed meanwhile is judged now."""
        self._time_is(now)
        super().saved(now)
        if not fits(self.game.rules, self.layout):
            self._forget_hands()  # they were on the board of another size
        self._hear_waiting()

    def save_failed(self, message: Message, now: float) -> None:
        """The unsaved entry could not be written: it has not happened, nor has what was pressed after it."""
        super().save_failed(message, now)
        self._forget_hands()
        self._hear_waiting()

    def lost(self, message: Message, now: float) -> None:
        """The board is out of reach."""
        self._forget_hands()
        self._listener.restart({}, now)
        self._in_trouble(BOARD_LOST, message, now)

    def found(self, levels: Mapping[str, bool], now: float) -> None:
        """The board is back; what was pressed meanwhile is not invented."""
        self._listener.restart(levels, now)
        self._clear_trouble(BOARD_LOST)
        self._say("info", "board-found", Message("The board is back. The game goes on."), now)

    def clock_set_back(self, levels: Mapping[str, bool], now: float) -> None:
        """The board's clock has been set back to `now`: what is timed begins anew, with the switches as they are."""
        self._now = self.ended_at = now
        self._forget_hands()
        self._listener.restart(levels, now)
        self._fingers.clear()
        self.flash = None
        self.overlay = replace(self.overlay, touched=now) if isinstance(self.overlay, Menu) else None
        if self.correction:
            self.correction = replace(self.correction, since=now)
        if self.telling:
            self.telling = replace(self.telling, touched=now)
        self._troubles = {code: (message, now) for code, (message, _) in self._troubles.items()}

    def reshaped(self, layout: Layout, levels: Mapping[str, bool], now: float) -> None:
        """The board has become one of the size of the game."""
        self.layout = layout
        self._forget_hands()
        self._listener = Listener(layout, self.settings, levels, now)
        self.revision += 1

    def start_over(self, now: float) -> None:
        """The program has failed at what hands were doing: it means nothing, and the game stands as it was saved."""
        self._time_is(now)
        self._obeying = False
        self._forget_hands()
        self.overlay = self.telling = self.flash = self.armed = None

    def let_go(self) -> None:
        """What hands are doing means nothing, until they have let go: the board does something else now."""
        super().let_go()
        self._listener.let_go()
        self._let_go_at = self._now

    # What comes out

    def due(self, now: float) -> float | None:
        """When `tick` or a new `frame` is needed, in milliseconds; None until something comes in."""
        times = (self.deadline(), lights.next_change(scene_of(self), now, self.settings))
        return min((time for time in times if time is not None), default=None)

    def deadline(self) -> float | None:
        """When a `tick` may change more than the light, in milliseconds; None until something comes in."""
        times = [self._listener.due()]
        if self.unsaved is None:
            times.append(self._overlay_ends())
            if self.correction is None:
                times.append(sensors.due(self._watch))
        return min((time for time in times if time is not None), default=None)

    def frame(self, now: float) -> Frame:
        """The light of all lamps at `now`."""
        return lights.cropped(lights.frame(scene_of(self), now, self.settings), self.outer, self.layout.columns)

    # Hearing

    def _hear(self, heard: list[Heard]) -> None:
        self._waiting.extend(heard)
        self._hear_waiting()

    def _hear_waiting(self) -> None:
        while self._waiting and self.unsaved is None:
            self._obeying = True
            self._obey(self._waiting.popleft())
            self._obeying = False
            self.revision += 1

    def _obey(self, heard: Heard) -> None:
        match heard:
            case SwitchFault():
                importance: Importance = "info" if heard.fault is Fault.HEALED else "fault"
                self._say(importance, heard.fault.value, heard.message, self._now)
            case DiscSeen(move):
                self._disc_seen(replace(heard, move=type(move)(move.column + self.outer)))
            case PowerChosen(disc):
                self._by_hand(lambda: self.arm(disc))
            case gestures.Tentative(column) | gestures.Tap(column):
                self._gesture(replace(heard, column=column + self.outer))
            case _:
                self._gesture(heard)

    def _forget_hands(self) -> None:
        """What hands were doing means nothing any more, nor what has not been judged yet; faults are kept."""
        self.let_go()
        self._watch = sensors.Watch()
        self._waiting = deque(heard for heard in self._waiting if isinstance(heard, SwitchFault))

    def _let_go_of(self, since: float) -> None:
        self._listener.let_go(since)

    # Gestures

    def _gesture(self, gesture: gestures.Gesture) -> None:
        if isinstance(gesture, gestures.Tentative | gestures.Tap) and gesture.time < self._let_go_at:
            return  # it went down a moment before, and is only certain now
        match gesture:
            case gestures.Tentative():
                self.press = gesture
                self._forget_hint()
                if isinstance(self.overlay, Menu):
                    self.overlay = replace(self.overlay, touched=self._now)
                else:
                    self.overlay = None
                    self._asks_to_go_on = False
                    if self.telling:
                        self.telling = replace(self.telling, touched=self._now)
            case gestures.Tap():
                with self.told_by(self._source_of(gesture.time)):
                    self._tap(gesture)
            case gestures.HoldStarted():
                pass  # the lamps and the page see it in the state of the hands
            case gestures.MenuHoldStarted():
                self.press = None
            case gestures.TakeBack():
                self.press = None
                with self.told_by(self._source_of(gesture.time - self.settings.take_back_hold_ms)):
                    self._take_back_by_hand()
            case gestures.MenuOpen():
                self.press = None
                self.toggle_menu(self._now)
            case gestures.Cancelled():
                self.press = None
                self._say("info", gesture.reason, gesture.message, gesture.time)
            case _:
                assert_never(gesture)

    def _source_of(self, pressed_at: float) -> Source:
        """Whose finger it was that went down then."""
        near = (source for source, time in reversed(self._fingers) if abs(time - pressed_at) <= SAME_FINGER_MS)
        return next(near, Source.BOARD)

    def _tap(self, tap: gestures.Tap) -> None:
        self.press = None
        if isinstance(self.overlay, Menu):
            self._choose(self.overlay, tap.column)
        elif self.telling:
            self.telling = self.telling.tapped(tap.column, self.game.rules.rows, self._now, bar_open=tap.bar_open)
        elif self._confirms_disc(tap):
            pass
        elif self.correction is None:
            self._move(tap)
        elif self.correction.steps[0].cell[0] == tap.column:
            self._step_done(self.correction, tap.column)
        else:
            self._refuse(BoardDiffers.code, self.correction.steps[0].message, tap.column)

    def _move(self, tap: gestures.Tap) -> None:
        move = self.move_at(tap.column, bar_open=tap.bar_open)
        try:
            if tap.side is not None and not self.game.outcome and tap.side is not self.game.position.turn:
                raise WrongSide(Message(_NOT_YOURS[tap.side], now=waiting_for(self.game.position)))
            self._propose(Entry.move(move))
        except PopoutError as error:
            self._refuse(error.code, error.message, tap.column, bottom=tap.bar_open)
            return
        # Its light stays until it is on disk.
        self.press = gestures.Tentative(tap.column, tap.bar_open, tap.side, tap.time)
        self._wait_for_disc(Pop(tap.column) if tap.bar_open else Drop(tap.column))

    def _take_back_by_hand(self) -> None:
        if isinstance(self.overlay, Menu):
            self.toggle_menu(self._now)
        elif self.telling:
            self.telling = self.telling.other_colour(self._now)
        else:
            self._by_hand(self.take_back)

    def _by_hand(self, order: Callable[[], None]) -> None:
        """Give an order that no column shows; whoever stands at the board is told why if it is refused."""
        try:
            order()
        except PopoutError as error:
            self._say("refused", error.code, error.message, self._now)

    def _choose(self, menu: Menu, column: int) -> None:
        """Do what the menu offers at `column`."""
        entry = shown(menu, self.game, self.layout.columns, self.levels).get(column - self.outer)
        if entry is None:
            self.overlay = replace(menu, touched=self._now)
            self._refuse("no-entry", Message("This column offers nothing. Tap a lit one."), column)
            return
        self.overlay = None
        try:
            choose(self, menu, entry.code, self._now)
        except PopoutError as error:
            self._refuse(error.code, error.message, column)

    # Consequences

    def _propose(self, entry: Entry) -> None:
        super()._propose(entry)
        if not self._obeying:
            # An order from elsewhere: what a finger had begun was meant for the game before.
            self.let_go()

    def _happened(self, entry: Entry, before: Game, now: float) -> None:
        self._asks_to_go_on = False
        super()._happened(entry, before, now)
        if entry.kind not in (Kind.MOVE, Kind.OPPONENT):
            self._watch = sensors.Watch()
        elif any(self.game.position.kept(side) > before.position.kept(side) for side in Side):
            self.overlay = ShowingKept(now)
        if entry.kind in (Kind.TAKE_BACK, Kind.CORRECTION):
            self._rearranged(before, now)

    def _let_time_pass(self, now: float) -> None:
        ends = self._overlay_ends()
        if ends is not None and now >= ends:
            if self.overlay is None:
                self.telling = None
            # After a start the last move is shown first, then it is asked whether to go on with it.
            asks = self._asks_to_go_on and isinstance(self.overlay, ShowingLastMove)
            if asks or self.overlay is None or isinstance(self.overlay, Menu):
                self.let_go()
            self.overlay = Menu("resume", 0, now) if asks else None
            self._asks_to_go_on = False
            self.revision += 1
        self._ask_for_overdue(now)

    def _overlay_ends(self) -> float | None:
        match self.overlay:
            case Menu(touched=touched):
                return touched + self.settings.menu_leave_ms
            case ShowingLastMove(since) | ShowingKept(since):
                return since + SHOWING_LAST_MS
            case LampTesting(since):
                return since + lights.lamp_test_ms(self.game.rules.width, self.game.rules.rows)
        return self.telling.touched + TELLING_MENUS * self.settings.menu_leave_ms if self.telling else None

    def _refuse(self, code: str, message: Message, column: int, *, bottom: bool = False) -> None:
        """Say why not, and show where: at the top of the column, or with `bottom` at its bottom."""
        self.flash = Flash("refused", ((column, 1 if bottom else self.game.rules.rows),), (column,), self._now)
        self._say("refused", code, message, self._now, column)
