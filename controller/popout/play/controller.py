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
from popout.board.switches import SwitchEvent
from popout.play import gestures, lights, sensors
from popout.play.correction import Correction, asked, surprised
from popout.play.desk import BOARD_LOST, BoardDiffers, Desk, fits
from popout.play.listener import DiscSeen, Heard, Listener, PowerChosen
from popout.play.menu import Menu, power_of, rules_of, shown
from popout.play.modes import LampTesting, ShowingKept, ShowingLastMove, scene_of
from popout.play.notices import Importance
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
    Side,
    waiting_for,
)

SHOWING_LAST_MS = 3000


class WrongSide(IllegalMove):
    """A button of the side that is not to move was pressed."""

    code = "wrong-side"


class Controller(Desk):
    """One game at one board: what hands do there, and what its lamps show; the rest is the desk's."""

    def __init__(
        self, layout: Layout, settings: Settings, game: Game, *, levels: Mapping[str, bool], now: float
    ) -> None:
        super().__init__(layout, game, now)
        self.settings = settings
        self._waiting: deque[Heard] = deque()
        self._obeying = False
        self._now = now
        self._watch = sensors.Watch()
        self._listener = Listener(layout, settings, levels, now)
        if game.moves:
            self.overlay = ShowingLastMove(now)
            self._say("info", "resumed", Message("The last game goes on. The menu begins a new one."), now)

    @property
    def gesture(self) -> gestures.State:
        """What the hands are doing."""
        return self._listener.state

    @property
    def outer(self) -> int:
        """How far the columns of the grid are ahead of those of the board: 1 where outer columns are filled."""
        return self.game.rules.first_column - 1

    @property
    def _is_lost(self) -> bool:
        return BOARD_LOST in self._troubles

    # What comes in

    def edge(self, event: SwitchEvent) -> None:
        """A switch changed, raw as the wire has it."""
        if self._is_lost:
            return
        self._now = max(self._now, event.time)
        before = self.gesture
        self._hear(self._listener.edge(event))
        self.revision += self.gesture != before

    def tick(self, now: float, levels: Mapping[str, bool]) -> None:
        """The time is `now`, and these are the levels of the switches. Call it when `due` says so.

        A level that is not among them is not known.
        """
        self._now = max(self._now, now)
        before = self.gesture
        self._hear(self._listener.tick(now, {} if self._is_lost else levels))
        self.revision += self.gesture != before
        if self.unsaved is None:
            self._let_time_pass(now)

    def saved(self, now: float) -> None:
        """The unsaved entry is on disk: it has happened. What was pressed meanwhile is judged now."""
        self._now = max(self._now, now)
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

    def reshaped(self, layout: Layout, levels: Mapping[str, bool], now: float) -> None:
        """The board has become one of the size of the game."""
        self.layout = layout
        self._forget_hands()
        self._listener = Listener(layout, self.settings, levels, now)
        self.revision += 1

    def let_go(self) -> None:
        """What hands are doing means nothing, until they have let go."""
        self.press = None
        self._listener.let_go()
        self.revision += 1

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

    # Discs that beams see

    def _disc_seen(self, seen: DiscSeen) -> None:
        move = seen.move
        if self.correction and self.correction.steps[0].done_by(move):
            self._made_by_disc(seen)
            self._put_right(self.correction.after_step(self._now))
            return
        spoken_for = sensors.take_disc(self._watch, move, seen.time)
        if spoken_for is not None:
            self._watch = spoken_for
        elif isinstance(move, Pop) and self._is_clearing_up():
            pass
        elif self.correction:
            self._watch = replace(self._watch, presses=())
            self._put_right(self.correction.after_disc(move, self._now))
        else:
            played = self.move_at(move.column, bar_open=isinstance(move, Pop))
            unexpected = sensors.unexpected(seen, played, self.game)
            if unexpected is None:
                self._made_by_disc(seen)
                self._propose(Entry.move(played))
                return
            # From now on a press is an answer.
            self._watch = replace(self._watch, presses=())
            self.press = None
            self.overlay = None
            self.correction = surprised(move, self.game.position, unexpected.message, self._now)
            said = self.correction.reason if self.correction else unexpected.message
            self._say("fault", unexpected.code, said, self._now, move.column)

    def _is_clearing_up(self) -> bool:
        """Whether discs that leave the board are only making room for the next game."""
        return bool(self.game.outcome) or not any(self.game.position.playable_grid)

    def _made_by_disc(self, seen: DiscSeen) -> None:
        """A button that is down in its column is this disc's own and means nothing more; or its press still comes."""
        if self.press and self.press.column == seen.move.column:
            self._watch = sensors.made_by_disc(self._watch, seen.move, self.press.time)
            self._listener.let_go(self.press.time)
            self.press = None
        else:
            self._watch = sensors.made_by_disc(self._watch, seen.move, seen.time + self.settings.disc_wait_ms)

    def _put_right(self, correction: Correction | None) -> None:
        """Go on with what is left of the correction."""
        self.correction = correction
        if correction:
            self._say("info", BoardDiffers.code, correction.reason, self._now, correction.steps[0].cell[0])
        else:
            self._say("info", "board-right", Message("The board is right again."), self._now)

    # Gestures

    def _gesture(self, gesture: gestures.Gesture) -> None:
        match gesture:
            case gestures.Tentative():
                self.press = gesture
                if not isinstance(self.overlay, Menu):
                    self.overlay = None
            case gestures.Tap():
                self._tap(gesture)
            case gestures.HoldStarted():
                pass  # the lamps and the page see it in the state of the hands
            case gestures.MenuHoldStarted():
                self.press = None
            case gestures.TakeBack():
                self.press = None
                self._take_back_by_hand()
            case gestures.MenuOpen():
                self.press = None
                self.toggle_menu(self._now)
            case gestures.Cancelled():
                self.press = None
                self._say("info", gesture.reason, gesture.message, gesture.time)
            case _:
                assert_never(gesture)

    def _tap(self, tap: gestures.Tap) -> None:
        self.press = None
        if isinstance(self.overlay, Menu):
            self._choose(self.overlay, tap.column)
        elif self._confirms_disc(tap):
            pass
        elif self.correction is None:
            self._move(tap)
        elif self.correction.steps[0].cell[0] == tap.column:
            step = self.correction.steps[0]
            move = Pop(tap.column) if step.pop else Drop(tap.column)
            self._watch = sensors.told(self._watch, move, self._now + self.settings.disc_wait_ms)
            self._put_right(self.correction.after_step(self._now))
        else:
            self._refuse(BoardDiffers.code, self.correction.steps[0].message, tap.column)

    def _confirms_disc(self, tap: gestures.Tap) -> bool:
        """Whether the press only belongs to a disc that a beam has seen already."""
        if tap.side is self.game.position.turn and self.correction is None:
            return False  # the disc was the other side's
        for move in (Drop(tap.column), Pop(tap.column)):
            confirmed = sensors.take_press(self._watch, move, tap.time)
            if confirmed is not None:
                self._watch = confirmed
                return True
        return False

    def _move(self, tap: gestures.Tap) -> None:
        move = self.move_at(tap.column, bar_open=tap.bar_open)
        try:
            if tap.side is not None and not self.game.outcome and tap.side is not self.game.position.turn:
                raise WrongSide(waiting_for(self.game.position))
            self._propose(Entry.move(move))
        except PopoutError as error:
            self._refuse(error.code, error.message, tap.column, bottom=tap.bar_open)
            return
        # Its light stays until it is on disk.
        self.press = gestures.Tentative(tap.column, tap.bar_open, tap.side, tap.time)
        disc = Pop(tap.column) if tap.bar_open else Drop(tap.column)
        if sensors.watched(disc, self.layout, self.outer):
            self._watch = sensors.pressed(self._watch, disc, self._now + self.settings.disc_wait_ms)

    def _take_back_by_hand(self) -> None:
        if isinstance(self.overlay, Menu):
            self.toggle_menu(self._now)
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
        now = self._now
        entry = shown(menu, self.game, self.layout.columns).get(column - self.outer)
        self.overlay = None
        try:
            match entry.code if entry else None:
                case None:
                    self.overlay = replace(menu, touched=now)
                    self._refuse("no-entry", Message("This column offers nothing. Tap a lit one."), column)
                case "more":
                    self.overlay = Menu(menu.level, menu.page + 1, now)
                case "games":
                    self.overlay = Menu("games", 0, now)
                case "take-back":
                    self.take_back()
                case "powers":
                    self.overlay = Menu("powers", 0, now)
                case "ordinary":
                    self.arm(None)
                case "show-kept":
                    self.overlay = ShowingKept(now)
                case "show-last":
                    self.overlay = ShowingLastMove(now)
                case "lamps":
                    self.overlay = LampTesting(now)
                case "draw":
                    self.agree_draw()
                case "claim":
                    self.play(Claim())
                case code if code and (disc := power_of(code)):
                    self.arm(disc)
                case code if code and (rules := rules_of(code, self.game.rules)):
                    self.new_game(rules)
        except PopoutError as error:
            self._refuse(error.code, error.message, column)

    # Consequences

    def _propose(self, entry: Entry) -> None:
        super()._propose(entry)
        if not self._obeying:
            # An order from elsewhere: what a finger had begun was meant for the game before.
            self.let_go()

    def _happened(self, entry: Entry, before: Game, now: float) -> None:
        super()._happened(entry, before, now)
        if entry.kind is not Kind.MOVE:
            self._watch = sensors.Watch()
        elif any(self.game.position.kept(side) > before.position.kept(side) for side in Side):
            self.overlay = ShowingKept(now)
        if entry.kind in (Kind.TAKE_BACK, Kind.CORRECTION):
            # Hands put right what lies there: discs pass the beams on their way out and back in.
            changed = zip(before.position.grid, self.game.position.grid, strict=False)
            for column, (old, new) in enumerate(changed, 1):
                if old != new:
                    for move in (Drop(column), Pop(column)):
                        self._watch = sensors.told(self._watch, move, now + self.settings.disc_wait_ms)

    def _let_time_pass(self, now: float) -> None:
        ends = self._overlay_ends()
        if ends is not None and now >= ends:
            self.overlay = None
            self.revision += 1
        while self.correction is None:
            self._watch, move = sensors.missed(self._watch, now)
            if move is None:
                break
            self.correction = asked(move, self.game, now)
            if self.correction:
                self._say("fault", "no-disc-seen", self.correction.reason, now, move.column)

    def _overlay_ends(self) -> float | None:
        match self.overlay:
            case Menu(touched=touched):
                return touched + self.settings.menu_leave_ms
            case ShowingLastMove(since) | ShowingKept(since):
                return since + SHOWING_LAST_MS
            case LampTesting(since):
                return since + lights.lamp_test_ms(self.game.rules.width, self.game.rules.rows)
        return None

    def _refuse(self, code: str, message: Message, column: int, *, bottom: bool = False) -> None:
        """Say why not, and show where: at the top of the column, or with `bottom` at its bottom."""
        self.flash = Flash("refused", ((column, 1 if bottom else self.game.rules.rows),), (column,), self._now)
        self._say("refused", code, message, self._now, column)
