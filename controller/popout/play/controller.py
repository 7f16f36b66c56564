"""The controller: joins the switches of a board, the rules, the journal and the lamps. Pure; time is an argument.

What happens at the table comes in here: raw edges, the time, orders from a page, the word that an entry is on disk.
What comes out is a scene for the lamps, one entry at a time to be saved, and notices for people. It owns no clock, no
device and no file; `popout.play.table` is the shell around it.

Until `saved` or `save_failed` is called for an unsaved entry (see `popout.play.desk`), what hands do is kept with its
times and judged afterwards, in its order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.board.switches import SwitchEvent
from popout.play import gestures, lights, sensors
from popout.play.correction import Correction, asked, surprised
from popout.play.desk import Desk
from popout.play.listener import DiscSeen, Heard, Listener
from popout.play.menu import Menu, game_of, shown
from popout.play.modes import LampTesting, Playing, ShowingLastMove, scene_of
from popout.play.scene import Flash
from popout.play.settings import Settings
from popout.play.switchboard import Fault, SwitchFault
from popout.record.journal import Entry, Kind
from popout.rules import (
    Claim,
    Drop,
    Game,
    IllegalMove,
    Message,
    Pop,
    PopoutError,
    RuleSet,
    side_to_move,
)

SHOWING_LAST_MS = 3000


class WrongSide(IllegalMove):
    """A button of the side that is not to move was pressed."""

    code = "wrong-side"


class BarClosed(IllegalMove):
    """A disc left the grid although the bar holds it."""

    code = "bar-closed"


class Controller(Desk):
    """One game at one board: what hands do there, and what its lamps show; the rest is the desk's."""

    def __init__(
        self, layout: Layout, settings: Settings, game: Game, *, levels: Mapping[str, bool], now: float
    ) -> None:
        super().__init__(layout, game, now)
        self.settings = settings
        self._waiting: deque[Heard] = deque()
        self._watch = sensors.Watch()
        self._listener = Listener(layout, settings, levels, now)
        if game.moves:
            self.mode = ShowingLastMove(now)
            self._say("info", "resumed", Message("The game goes on where it stopped."), now)

    @property
    def gesture(self) -> gestures.State:
        """What the hands are doing."""
        return self._listener.state

    # What comes in

    def edge(self, event: SwitchEvent) -> None:
        """A switch changed, raw as the wire has it."""
        before = self.gesture
        self._hear(self._listener.edge(event))
        self.revision += self.gesture != before

    def tick(self, now: float, levels: Mapping[str, bool]) -> None:
        """The time is `now`, and these are the levels of the switches. Call it when `due` says so."""
        before = self.gesture
        self._hear(self._listener.tick(now, levels))
        self.revision += self.gesture != before
        if self.unsaved is None:
            self._let_time_pass(now)

    def saved(self, now: float) -> None:
        """The unsaved entry is on disk: it has happened. What was pressed meanwhile is judged now."""
        super().saved(now)
        self._hear_waiting()

    def save_failed(self, message: Message, now: float) -> None:
        """The unsaved entry could not be written: it has not happened, nor has what was pressed after it."""
        super().save_failed(message, now)
        self._waiting.clear()
        self._listener.let_go()

    def let_go(self) -> None:
        """Let what the hands are doing mean nothing, as when they are gone."""
        self.press = None
        self._listener.let_go()
        self.revision += 1

    def lost(self, message: Message, now: float) -> None:
        """The board is out of reach."""
        self.press = None
        self._waiting.clear()
        self._listener.let_go()
        self.trouble = ("board-lost", message, now)
        self._say("fault", "board-lost", message, now)

    def found(self, levels: Mapping[str, bool], now: float) -> None:
        """The board is back; what was pressed meanwhile is not invented."""
        self._listener.restart(levels, now)
        self._clear_trouble("board-lost")
        self._say("info", "board-found", Message("The board is back. The game goes on."), now)

    # What comes out

    def due(self, now: float) -> float | None:
        """When `tick` or a new `frame` is needed, in milliseconds; None until something comes in."""
        times = [
            self._listener.due(),
            None if self.unsaved else sensors.due(self._watch),
            lights.next_change(scene_of(self), now, self.settings),
        ]
        match self.mode:
            case Menu():
                times.append(self.mode.touched + self.settings.menu_leave_ms)
            case ShowingLastMove():
                times.append(self.mode.since + SHOWING_LAST_MS)
            case LampTesting():
                times.append(self.mode.since + lights.lamp_test_ms(self.layout.columns, self.layout.rows))
        return min((time for time in times if time is not None), default=None)

    def frame(self, now: float) -> Frame:
        """The light of all lamps at `now`."""
        return lights.frame(scene_of(self), now, self.settings)

    # Hearing

    def _hear(self, heard: list[Heard]) -> None:
        self._waiting.extend(heard)
        self._hear_waiting()

    def _hear_waiting(self) -> None:
        while self._waiting and self.unsaved is None:
            self._obey(self._waiting.popleft())
            self.revision += 1

    def _obey(self, heard: Heard) -> None:
        match heard:
            case SwitchFault():
                self._say(
                    "info" if heard.fault is Fault.HEALED else "fault", heard.fault.value, heard.message, heard.time
                )
            case DiscSeen(move, time):
                self._disc_seen(move, time)
            case _:
                self._gesture(heard)

    def _disc_seen(self, move: Drop | Pop, time: float) -> None:
        """A beam saw the disc of `move` go by."""
        if isinstance(self.mode, Correction):
            if self.mode.steps[0].done_by(move):
                self._step_done(time)
            return
        expected = sensors.take_disc(self._watch, move, time)
        if expected is not None:
            self._watch = expected
            return
        try:
            if isinstance(move, Pop) and not self.gesture.bar_open:
                raise BarClosed(Message("A disc left column {column} while the bar is closed.", column=move.column))
            # A button that is down is this disc's own and means nothing more; otherwise its press may still come.
            pressed = self.press is not None and self.press.column == move.column
            self._propose(Entry.move(move))
            if not pressed:
                self._watch = sensors.made_by_disc(self._watch, move, time + self.settings.disc_wait_ms)
        except PopoutError as error:
            self.press = None
            self.mode = surprised(move, self.game.position, error.message, time)
            self._say("fault", error.code, self.mode.reason, time, move.column)

    # Gestures

    def _gesture(self, gesture: gestures.Gesture) -> None:
        match gesture:
            case gestures.Tentative():
                self.press = gesture
                if isinstance(self.mode, ShowingLastMove | LampTesting):
                    self.mode = Playing()
            case gestures.Tap():
                self._tap(gesture)
            case gestures.HoldStarted() | gestures.MenuHoldStarted():
                pass  # the lamps and the page see it in the state of the hands
            case gestures.TakeBack(time):
                self._take_back_by_hand(time)
            case gestures.MenuOpen(time):
                self.press = None
                self.toggle_menu(time)
            case gestures.Cancelled():
                time = self.press.time if self.press else 0.0
                self.press = None
                self._say("info", gesture.reason, gesture.message, time)
            case _:
                assert_never(gesture)

    def _tap(self, tap: gestures.Tap) -> None:
        match self.mode:
            case Menu():
                self.press = None
                self._choose(tap.column, tap.time)
            case Correction():
                self.press = None
                if self.mode.steps[0].cell[0] == tap.column:
                    self._step_done(tap.time)
                else:
                    self._refuse("board-differs", self.mode.steps[0].message, tap.column, tap.time)
            case _:
                self._move(tap)

    def _move(self, tap: gestures.Tap) -> None:
        move = Pop(tap.column) if tap.bar_open else Drop(tap.column)
        confirmed = sensors.take_press(self._watch, move, tap.time)
        if confirmed is not None:
            self._watch, self.press = confirmed, None
            return
        try:
            if tap.side is not None and not self.game.outcome and tap.side is not self.game.position.turn:
                raise WrongSide(side_to_move(self.game.position.turn))
            self._propose(Entry.move(move))
        except PopoutError as error:
            self.press = None
            self._refuse(error.code, error.message, tap.column, tap.time, bottom=tap.bar_open)
        else:
            if sensors.watched(move, self.layout):
                self._watch = sensors.pressed(self._watch, move, tap.time + self.settings.disc_wait_ms)

    def _take_back_by_hand(self, time: float) -> None:
        self.press = None
        if isinstance(self.mode, Menu):
            self.toggle_menu(time)
            return
        try:
            self.take_back()
        except PopoutError as error:
            self._say("refused", error.code, error.message, time)

    def _choose(self, column: int, time: float) -> None:
        """Do what the menu offers at `column`."""
        assert isinstance(self.mode, Menu)
        menu, self.mode = self.mode, Playing()
        entry = shown(menu, self.game, self.layout.columns).get(column)
        rules = self.game.rules
        try:
            match entry.code if entry else None:
                case None:
                    self.mode = Menu(menu.level, menu.page, time)
                    self._refuse("no-entry", Message("This column offers nothing. Tap a lit one."), column, time)
                case "more":
                    self.mode = Menu(menu.level, menu.page + 1, time)
                case "games":
                    self.mode = Menu("games", 0, time)
                case "new":
                    self.new_game(rules)
                case "swap":
                    self.new_game(replace(rules, first=rules.starter.other.value))
                case "take-back":
                    self.take_back()
                case "show-last":
                    self.mode = ShowingLastMove(time)
                case "lamps":
                    self.mode = LampTesting(time)
                case "draw":
                    self.agree_draw()
                case "claim":
                    self.play(Claim())
                case code if code and (game := game_of(code)):
                    self.new_game(
                        RuleSet(
                            game,
                            rules.columns,
                            rules.rows,
                            rules.connect,
                            first=rules.first,
                            allow_unwinnable=rules.allow_unwinnable,
                        )
                    )
        except PopoutError as error:
            self._refuse(error.code, error.message, column, time)

    # Consequences

    def _propose(self, entry: Entry) -> None:
        super()._propose(entry)
        # What a finger had begun was meant for the game before.
        self._listener.let_go()

    def _happened(self, entry: Entry, before: Game, now: float) -> None:
        super()._happened(entry, before, now)
        if entry.kind is not Kind.MOVE:
            self._watch = sensors.Watch()

    def _step_done(self, time: float) -> None:
        assert isinstance(self.mode, Correction)
        following = self.mode.after_step(time)
        if following is None:
            self.mode = Playing()
            self._say("info", "board-right", Message("The board is right again."), time)
        else:
            self.mode = following
            self._say("info", "board-differs", following.steps[0].message, time, following.steps[0].cell[0])

    def _let_time_pass(self, now: float) -> None:
        match self.mode:
            case Menu() if now >= self.mode.touched + self.settings.menu_leave_ms:
                self.mode = Playing()
                self.revision += 1
            case ShowingLastMove() if now >= self.mode.since + SHOWING_LAST_MS:
                self.mode = Playing()
                self.revision += 1
            case LampTesting() if now >= self.mode.since + lights.lamp_test_ms(self.layout.columns, self.layout.rows):
                self.mode = Playing()
                self.revision += 1
        self._watch, move = sensors.missed(self._watch, now)
        if isinstance(move, Drop | Pop) and not isinstance(self.mode, Correction):
            self.mode = asked(move, self.game, now)
            self._say("fault", "no-disc-seen", self.mode.reason, now, move.column)

    def _refuse(self, code: str, message: Message, column: int, time: float, *, bottom: bool = False) -> None:
        """Say why not, and show where: at the top of the column, or with `bottom` at its bottom."""
        self.flash = Flash("refused", ((column, 1 if bottom else self.game.rules.rows),), (column,), time)
        self._say("refused", code, message, time, column)
