"""The table: the thin asyncio shell that owns the clock, the board and the record around the controller."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import TypeVar

from popout.board.driver import BoardDriver, BoardError, BoardLost, HandError
from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.board.power import within_limits
from popout.board.switches import BAR, SwitchEvent
from popout.play.controller import Controller
from popout.play.desk import check_fits, fits
from popout.play.settings import Settings
from popout.record.journal import Entry
from popout.record.store import NotSaved, Store
from popout.rules import Game, Message, RuleSet
from popout.rules.ruleset import SHORTEST_LINE

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 5.0

_Result = TypeVar("_Result")


class Table:
    """A game at a board, alive while `run` runs.

    Everything happens in one event loop. Only saving does not: it waits for the disk in a thread, while the board goes
    on listening.

    :ivar board: the board; another object after it was lost and found again.
    :ivar controller: what is on the table; read it as you like, change it through `order` only.
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
    ) -> None:
        """Sit down at an open board, and go on with the last game of the record or begin one.

        A game begins if there is none, if the last one does not fit the board or is not by `rules` (None: whichever
        they are), or if `anew` says so. The last one stays in the record.

        :param resizable: whether the board may become one of another size; the driver knows unless it is said.
        :param reopen: opens the board again after it was lost; without it a loss is final.
        :raises RecordError: the record cannot be read or written.
        :raises WrongBoard: `rules` are for another size.
        """
        self.board = board
        self.settings = settings
        self.resizable = board.resizable if resizable is None else resizable
        self.frame: Frame | None = None
        self._store = store
        self._reopen = reopen
        self._watchers: set[asyncio.Event] = set()
        self._fingers: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._saving: asyncio.Task[NotSaved | None] | None = None
        self._ended: asyncio.Future[None] | None = None
        self._lost = False
        game = None if anew else self._last_game(rules)
        if game is None:
            game = self._begin(rules or _usual_rules(board.layout))
        self._fit_board(game.rules)
        self.controller = Controller(
            self.board.layout, settings, game, levels=self.board.levels(), now=self.board.now()
        )

    def _last_game(self, rules: RuleSet | None) -> Game | None:
        game = self._store.game()
        if game is None or (rules is not None and game.rules != rules):
            return None
        return game if self.resizable or fits(game.rules, self.board.layout) else None

    def _begin(self, rules: RuleSet) -> Game:
        if not self.resizable:
            check_fits(rules, self.board.layout)
        self._store.append(Entry.new(rules))
        return Game.start(rules)

    def _fit_board(self, rules: RuleSet) -> None:
        if not fits(rules, self.board.layout):
            self.board.reshape(rules.columns, rules.rows)

    async def run(self) -> None:
        """Play until cancelled, or until the board is closed or lost for good. What waits to be saved is saved then.

        :raises BoardLost: the board is gone and cannot be opened again.
        """
        self._ended = asyncio.get_running_loop().create_future()
        listening = asyncio.create_task(self._listen())
        try:
            self._settle()
            await asyncio.wait({listening, self._ended}, return_when=asyncio.FIRST_COMPLETED)
            await (self._ended if self._ended.done() else listening)
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
            self._ended.cancel()
            self._ended = None
            if self._timer:
                self._timer.cancel()
                self._timer = None
            await self._saved()

    async def order(self, do: Callable[[Controller], _Result]) -> _Result:
        """Change something at the table: call `do` with the controller once nothing is being saved, then see it saved.

        :raises PopoutError: what `do` raises, or that it could not be saved.
        """
        await self._saved()
        result = do(self.controller)
        self._settle()
        error = await asyncio.shield(self._saving) if self._saving else None
        if error:
            raise error
        return result

    async def new_game(self, rules: RuleSet) -> None:
        """Begin a game, on a board of its size where the board can be any size.

        :raises PopoutError: it cannot be played here, or could not be saved.
        """
        await self.order(lambda controller: controller.new_game(rules, any_size=self.resizable))

    def finger(self, switch: str, closed: bool) -> None:
        """Close or open a switch from afar, as a finger would: a simulated one's, or besides a real board's own.

        :raises HandError: the board has no such switch.
        :raises BoardLost: the board is out of reach.
        """
        if self._lost and self.controller.trouble:
            raise BoardLost(self.controller.trouble[1])
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

    async def changes(self) -> AsyncIterator[None]:
        """Once at the beginning, and again whenever anything that can be seen has changed.

        A slow reader misses what was in between and sees the newest.
        """
        changed = asyncio.Event()
        changed.set()
        self._watchers.add(changed)
        try:
            while True:
                await changed.wait()
                changed.clear()
                yield
        finally:
            self._watchers.discard(changed)

    def touched(self) -> None:
        """Say that something that can be seen was changed from outside, such as a disc by a hand of the twin."""
        self._tell_watchers()

    # The board

    async def _listen(self) -> None:
        while True:
            try:
                async for event in self.board.events():
                    self.controller.edge(event)
                    self._settle()
                return
            except BoardLost as error:
                await self._find_again(error)

    async def _find_again(self, error: BoardLost) -> None:
        if self._reopen is None:
            raise error
        self._lost = True
        self._fingers.clear()
        self.controller.lost(error.message, self.board.now())
        self._settle()
        with suppress(OSError):
            self.board.close()
        pause = FIRST_PAUSE_S
        while self._lost:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)
            with suppress(BoardError):
                self.board = self._reopen()
                self._lost = False
        self.frame = None
        self._follow_size()
        self.controller.found(self.board.levels(), self.board.now())
        self._settle()

    def _levels(self) -> dict[str, bool]:
        if self._lost:
            return {}
        return {**self.board.levels(), **dict.fromkeys(self._fingers, True)}

    # Time, light and saving

    def _wake(self) -> None:
        self._timer = None
        try:
            self.controller.tick(self.board.now(), self._levels())
            self._settle()
        except BoardLost:
            pass  # `events` says so, too
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """End `run` with a fault of the program: nothing must go on half alive."""
        if self._ended is None or self._ended.done():
            raise error
        self._ended.set_exception(error)

    def _settle(self) -> None:
        """After anything happened: save what is to be saved, light the lamps, set the alarm, tell who watches."""
        controller = self.controller
        if controller.unsaved is not None and self._saving is None:
            self._saving = asyncio.get_running_loop().create_task(self._save(controller.unsaved))
        now = self.board.now()
        if not self._lost:
            self.board.believe(controller.game.position.playable_grid)
            frame = within_limits(controller.frame(now), self.board.layout)
            if frame != self.frame:
                self.frame = frame
                with suppress(BoardLost):  # `events` says so, too
                    self.board.show(frame)
        if self._timer:
            self._timer.cancel()
            self._timer = None
        due = controller.due(now)
        if due is not None and self._ended:
            self._timer = asyncio.get_running_loop().call_later(max(due - now, 0) / 1000, self._wake)
        self._tell_watchers()

    def _tell_watchers(self) -> None:
        for changed in self._watchers:
            changed.set()

    async def _save(self, entry: Entry) -> NotSaved | None:
        """Write the entry and say whether that failed."""
        failed = None
        try:
            try:
                await asyncio.to_thread(self._store.append, entry)
            except NotSaved as error:
                failed = error
            finally:
                self._saving = None
            if failed:
                self.controller.save_failed(failed.message, self.board.now())
            else:
                self.controller.saved(self.board.now())
                self._follow_size()
            self._settle()
        except Exception as error:
            self._fail(error)
            raise
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


def _usual_rules(layout: Layout) -> RuleSet:
    """Pop Out with four in a row, or as many as a small board has room for."""
    longest = max(layout.columns, layout.rows)
    connect = max(SHORTEST_LINE, min(4, longest))
    return RuleSet("popout", layout.columns, layout.rows, connect, allow_unwinnable=connect > longest)
