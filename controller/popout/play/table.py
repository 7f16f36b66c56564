"""The table: the thin asyncio shell that owns the clock, the board and the record around the controller."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import TypeVar

from popout.board.driver import BoardDriver, BoardError, BoardLost, HandError
from popout.board.frame import Frame
from popout.board.power import within_limits
from popout.board.switches import BAR, SwitchEvent
from popout.opponent.thinking import Thinker
from popout.play import reopening
from popout.play.alarm import Alarm
from popout.play.controller import Controller
from popout.play.desk import fits
from popout.play.opponents import Opponents
from popout.play.settings import Settings, without_debouncing
from popout.play.sitting import sit_down
from popout.play.supervisor import described
from popout.play.watchers import Watchers
from popout.record.journal import Entry, Levels, Source
from popout.record.store import NotSaved, Store
from popout.rules import Game, Message, RuleSet

SAME_FAULT_S = 60.0
"""A fault that comes again is logged and shown again after so long."""
SET_BACK_MS = 500
"""A clock that is so far behind what it was has been set back; events that come a little late are none."""

_Result = TypeVar("_Result")

_log = logging.getLogger(__name__)


class Table:
    """A game at a board, alive while `run` runs.

    Everything happens in one event loop. Only saving does not: it waits for the disk in a thread, while the board goes
    on listening.

    A fault of the program itself is logged and shown, and costs what hands were just doing: the game stands as it is
    on disk, and goes on. A board whose driver fails is opened again.

    :ivar board: the board; another object after it was lost and found again.
    :ivar touches: how often `touched` was called.
    :ivar started: set as soon as the board has answered and the game is shown.
    :ivar controller: what is on the table; read it as you like, change it through `order` only.
    :ivar opponents: whoever plays here and is no person; they do while their `run` runs.
    """

    def __init__(
        self,
        board: BoardDriver,
        store: Store,
        settings: Settings,
        rules: RuleSet | None = None,
        *,
        anew: bool = False,
        resizable: bool | None = None,
        reopen: Callable[[], BoardDriver] | None = None,
        opponent: Levels | None = None,
        thinker: Thinker | None = None,
    ) -> None:
        """Sit down at an open board, and go on with the last game of the record or begin one; see `sit_down`.

        :param resizable: whether the board may become one of another size; the driver knows unless it is said.
        :param reopen: opens the board again after it was lost; without it a loss is final.
        :param opponent: the sides that an opponent is to play; None leaves it to the record and the settings.
        :param thinker: thinks for the opponent; the usual one, if none is given.
        :raises RecordError: the record cannot be read or written.
        :raises WrongBoard: `rules` are for another size.
        """
        self.board = board
        self.settings = settings
        self.resizable = board.resizable if resizable is None else resizable
        self.frame: Frame | None = None
        self.touches = 0
        self.started = asyncio.Event()
        self._store = store
        self._reopen = reopen
        self._watchers = Watchers()
        self._fingers: set[str] = set()
        self._alarm = Alarm(self._now, self._wake)
        self._saving: asyncio.Task[NotSaved | None] | None = None
        self._broken: asyncio.Future[None] | None = None
        self._running = False
        self._lost = False
        self._relapses = reopening.Relapses()
        self._loss = Message("The board has fallen silent.")  # how the board was lost last
        self._stumbles = 0
        self._latest = board.now()
        self._logged: tuple[tuple[str, str], float] | None = None
        game, levels, wrong = sit_down(
            store, board.layout, settings, rules, anew=anew, resizable=self.resizable, opponent=opponent
        )
        self._fit_board(game.rules)
        self._debounce()
        judged_by = without_debouncing(settings) if board.debounced else settings
        self.controller = Controller(
            board.layout, judged_by, game, levels=board.levels(), now=board.now(), opponent=levels
        )
        self.opponents = Opponents(self, thinker)
        for message in wrong:
            self.controller.record_trouble(message, self.board.now())

    def _debounce(self) -> None:
        self.board.debounce(self.settings.glitch_ms, self.settings.lockout_ms, self.settings.disc_lockout_ms)

    def _fit_board(self, rules: RuleSet) -> None:
        if not fits(rules, self.board.layout):
            self.board.reshape(rules.columns, rules.rows)

    @property
    def record(self) -> Path | None:
        """The file in which the games are recorded; None if they are kept in memory."""
        return self._store.path

    async def run(self) -> None:
        """Play until cancelled, or until the board is closed or lost for good. What waits to be saved is saved then.

        :raises BoardLost: the board is gone and cannot be opened again.
        """
        self._running = True
        try:
            self._settle()
            self.started.set()
            await self._listen()
        finally:
            self._running = False
            self._alarm.stop()
            await self._saved()

    def fault(self, part: str, error: BaseException) -> None:
        """Show that a part of the program, such as ``page``, failed and is started again."""
        self.controller.part_failed(part, error, self._now())
        self._watchers.tell()

    async def order(self, do: Callable[[Controller], _Result], source: Source = Source.BOARD) -> _Result:
        """Change something at the table: call `do` with the controller once nothing is being saved, then see it saved.

        :param source: where the order comes from.
        :raises PopoutError: what `do` raises, or that it could not be saved.
        """
        await self._saved()
        self.controller.discs_follow = self.board.discs_follow
        with self.controller.told_by(source, self._now()):
            result = do(self.controller)
        self._settle()
        error = await asyncio.shield(self._saving) if self._saving else None
        if error:
            raise error
        return result

    async def new_game(self, rules: RuleSet, source: Source = Source.BOARD) -> None:
        """Begin a game, on a board of its size where the board can be any size.

        :raises PopoutError: it cannot be played here, or could not be saved.
        """
        await self.order(lambda controller: controller.new_game(rules, any_size=self.resizable), source)

    def finger(self, switch: str, closed: bool, source: Source = Source.BOARD) -> None:
        """Close or open a switch from afar, as a finger would: a simulated one's, or besides a real board's own.

        :param source: where the finger is.

        :raises HandError: the board has no such switch.
        :raises BoardLost: the board is out of reach.
        """
        if self._lost and self.controller.trouble:
            raise BoardLost(self.controller.trouble[1])
        if closed:
            self.controller.pressed_from(source, self.board.now())
        twin = self.board.twin
        if twin is not None:
            if switch == BAR:
                twin.act({"do": "bar", "to": "open" if closed else "closed"})
            else:
                twin.act({"do": "press" if closed else "release", "switch": switch})
        elif switch not in self.board.layout.switches:
            raise HandError(Message('This board has no switch "{switch}".', switch=switch))
        else:
            (self._fingers.add if closed else self._fingers.discard)(switch)
            self.controller.edge(SwitchEvent(switch, closed, self.board.now()))
        self._settle()

    def changes(self) -> AsyncIterator[None]:
        """Once at the beginning, and again whenever anything that can be seen has changed.

        A slow reader misses what was in between and sees the newest.
        """
        return self._watchers.changes()

    def touched(self) -> None:
        """Say that something that can be seen was changed from outside, such as a disc by a hand of the twin."""
        self.touches += 1
        self._watchers.tell()

    # The board

    async def _listen(self) -> None:
        while True:
            if self._lost:
                await self._open_again()
            try:
                await self._hear_until_broken()
                return
            except BoardLost as error:
                self._lose(error)
            except Exception as error:
                self._log_fault("board", error)
                self._lose(BoardLost(Message("The board's driver failed ({reason}).", reason=described(error))))

    async def _hear_until_broken(self) -> None:
        """Hear the board until it is closed.

        :raises Exception: the driver failed, also if it did so while it was lighting the lamps.
        """
        self._broken = asyncio.get_running_loop().create_future()
        hearing = asyncio.create_task(self._hear())
        try:
            await asyncio.wait({hearing, self._broken}, return_when=asyncio.FIRST_COMPLETED)
            await (self._broken if self._broken.done() else hearing)
        finally:
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)
            self._broken.cancel()
            self._broken = None

    async def _hear(self) -> None:
        """Hear what comes. Where the board can be opened again, one that falls silent by itself is lost."""
        async for event in self.board.events():
            try:
                # The event itself is after that: its switch was still as before.
                self._mind_the_clock({event.switch: not event.closed} if isinstance(event, SwitchEvent) else {})
                self.controller.edge(event)
            except Exception as error:
                self._stumble(error)
            self._settle()
        if self._reopen is not None:
            raise BoardLost(Message("The board has fallen silent."))

    def _lose(self, error: BoardLost) -> None:
        if self._reopen is None:
            raise error
        self._lost = True
        self._loss = error.message
        self._fingers.clear()
        self._be_without(error)

    def _be_without(self, error: BoardError | None) -> None:
        """There is no board: say why, which may be another reason than at first; None is the first one again."""
        message = self._loss if error is None else error.message
        _log.warning("The board is lost: %s", message)
        self.controller.lost(message, self._now())
        self._settle()

    async def _open_again(self) -> None:
        assert self._reopen is not None, "only such a board is ever lost"
        await reopening.close(self.board)  # before, since a port is for one alone
        await reopening.open_again(
            self._reopen,
            self._greet,
            lambda fault: self._log_fault("board", fault),
            self._be_without,
            self._relapses.lost(),
        )
        self._relapses.opened()
        _log.warning("The board is back.")
        self._settle()

    def _greet(self, board: BoardDriver) -> None:
        """Go on with a board that was opened again: its switches are as they are, and its lamps are lit anew."""
        self.board = board
        try:
            self._debounce()
            now, levels = board.now(), dict(board.levels())
            self.frame = None
            self._lost = False
            self._latest = now
            self._follow_size()
            self.controller.found(levels, now)
        except Exception:
            self._lost = True
            raise

    def _levels(self) -> dict[str, bool]:
        if self._lost:
            return {}
        return {**self.board.levels(), **dict.fromkeys(self._fingers, True)}

    # Time, light and saving

    def _now(self) -> float:
        """The time by the board's clock; the last one known, where it does not answer."""
        try:
            return self.board.now()
        except Exception as error:
            self._driver_failed(error)
            return self._latest

    def _wake(self) -> None:
        try:
            # In this order, so that no level is taken for older than it is.
            levels, now = self._levels(), self.board.now()
        except Exception as error:
            self._driver_failed(error)
            return
        before = self._stumbles
        try:
            self._mind_the_clock({})
            self.controller.tick(now, levels)
        except Exception as error:
            self._stumble(error)
        self._settle()
        if self._stumbles == before:
            self._stumbles = 0

    def _mind_the_clock(self, before: Mapping[str, bool]) -> None:
        """Begin all times anew where the board's clock was set back; else nothing would be heard until it catches up.

        :param before: levels of switches that were others until now.
        """
        now = self.board.now()
        if now < self._latest - SET_BACK_MS:
            _log.warning("The clock of the board was set back by %.0f ms.", self._latest - now)
            self.controller.clock_set_back({**self._levels(), **before}, now)
        self._latest = now

    def _stumble(self, error: Exception) -> None:
        """The controller failed at what hands did, or at the time: that means nothing then, and the game goes on."""
        self._log_fault("controller", error)
        self._stumbles += 1
        self.controller.start_over(self._now())

    def _log_fault(self, part: str, error: BaseException) -> None:
        """Log a fault and show it; one that comes again and again, only once in a while."""
        now, what = time.monotonic(), (part, described(error))
        if self._logged is None or what != self._logged[0] or now >= self._logged[1] + SAME_FAULT_S:
            self._logged = (what, now)
            _log.error("The %s failed (%s).", *what, exc_info=error)
            self.fault(part, error)

    def _driver_failed(self, error: Exception) -> None:
        """Let `_listen` open the board again."""
        if self._broken is not None and not self._broken.done():
            self._broken.set_exception(error)

    def _settle(self) -> None:
        """After anything happened: save what is to be saved, light the lamps, set the alarm, tell who watches."""
        controller = self.controller
        if controller.unsaved is not None and self._saving is None:
            self._saving = asyncio.get_running_loop().create_task(self._save(controller.unsaved, controller.after))
        self._alarm.stop()
        now = self._now()
        try:
            if not self._lost:
                self._light(now)
            due = controller.due(now)
        except Exception as error:
            self._stumble(error)
            due = now
        if due is not None and self._running:
            # What fails again and again is tried more and more seldom.
            self._alarm.set(due, reopening.growing_pause(self._stumbles) if self._stumbles else 0)
        self._watchers.tell()

    def _light(self, now: float) -> None:
        """Let the board show the game as it is; a driver that cannot is opened again."""
        frame = within_limits(self.controller.frame(now), self.board.layout)
        try:
            self.board.believe(self.controller.game.position.playable_grid)
            if frame != self.frame:
                self.frame = frame
                self.board.show(frame)
        except Exception as error:
            self._driver_failed(error)

    async def _save(self, entry: Entry, after: Game) -> NotSaved | None:
        """Write the entry, after which the game is `after`, and say whether that failed."""
        failed = None
        try:
            await asyncio.to_thread(self._store.append, entry, after)
        except NotSaved as error:
            failed = error
        except Exception as error:
            self._log_fault("record", error)
            failed = NotSaved(
                Message("This could not be saved ({reason}), and does not count. Try again.", reason=described(error))
            )
        finally:
            self._saving = None
        try:
            if failed:
                _log.warning("%s", failed.message)
                self.controller.save_failed(failed.message, self._now())
            else:
                self.controller.saved(self._now())
                self._follow_size()
        except Exception as error:
            self._stumble(error)
        self._settle()
        return failed

    def _follow_size(self) -> None:
        """Make the board one of the size of the game, which may have begun with another size or on another board."""
        if self._lost:
            return
        rules = self.controller.game.rules
        self._fit_board(rules)
        if not fits(rules, self.controller.layout):
            self.controller.reshaped(self.board.layout, self._levels(), self.board.now())

    async def _saved(self) -> None:
        while self._saving:
            await asyncio.shield(self._saving)
