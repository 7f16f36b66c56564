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
from popout.record.journal import Entry, read
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
        self._saving: asyncio.Task[None] | None = None
        self._running = False
        game = None if anew else self._last_game(rules)
        if game is None:
            game = self._begin(rules or _usual_rules(board.layout))
        self.controller = self._sit_down(game)

    def _last_game(self, rules: RuleSet | None) -> Game | None:
        game = read(self._store.current())
        if game is None or (rules is not None and game.rules != rules):
            return None
        return game if self.resizable or fits(game.rules, self.board.layout) else None

    def _begin(self, rules: RuleSet) -> Game:
        if not self.resizable:
            check_fits(rules, self.board.layout)
        self._store.append(Entry.new(rules))
        return Game.start(rules)

    def _sit_down(self, game: Game) -> Controller:
        if not fits(game.rules, self.board.layout):
            self.board.reshape(game.rules.columns, game.rules.rows)
        now = self.board.now()
        return Controller(self.board.layout, self.settings, game, levels=self.board.levels(), now=now)

    async def run(self) -> None:
        """Play until cancelled, or until the board is closed or lost for good.

        :raises BoardLost: the board is gone and cannot be opened again.
        """
        self._running = True
        try:
            self._settle()
            while True:
                try:
                    await self._listen()
                    return
                except BoardLost as error:
                    await self._find_again(error)
        finally:
            self._running = False
            if self._timer:
                self._timer.cancel()
            if self._saving:
                await self._saving

    async def order(self, do: Callable[[Controller], _Result]) -> _Result:
        """Change something at the table: call `do` with the controller once nothing is being saved, then see it saved.

        :raises PopoutError: what `do` raises, or that it could not be saved.
        """
        await self._saved()
        result = do(self.controller)
        self._settle()
        number = self.controller.notices.newest.number if self.controller.notices.newest else 0
        await self._saved()
        for notice in self.controller.notices.since(number):
            if notice.code == NotSaved.code:
                raise NotSaved(notice.message)
        return result

    async def new_game(self, rules: RuleSet) -> None:
        """Begin a game, on a board of its size where the board can be any size.

        :raises PopoutError: it cannot be played here, or could not be saved.
        """
        if self.resizable and not fits(rules, self.board.layout):
            await self._saved()
            self.controller = self._sit_down(await asyncio.to_thread(self._begin, rules))
            self._settle()
        else:
            await self.order(lambda controller: controller.new_game(rules))

    def finger(self, switch: str, closed: bool) -> None:
        """Close or open a switch from afar, as a finger would: a simulated one's, or besides a real board's own.

        :raises HandError: the board has no such switch.
        """
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
        async for event in self.board.events():
            self.controller.edge(event)
            self._settle()

    async def _find_again(self, error: BoardLost) -> None:
        if self._reopen is None:
            raise error
        self.controller.lost(error.message, self.board.now())
        self._settle()
        with suppress(OSError):
            self.board.close()
        pause = FIRST_PAUSE_S
        while True:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)
            with suppress(BoardError):
                self.board = self._reopen()
                break
        self.frame = None
        self.controller.found(self.board.levels(), self.board.now())
        self._settle()

    def _levels(self) -> dict[str, bool]:
        return {**self.board.levels(), **dict.fromkeys(self._fingers, True)}

    # Time, light and saving

    def _wake(self) -> None:
        self._timer = None
        self.controller.tick(self.board.now(), self._levels())
        self._settle()

    def _settle(self) -> None:
        """After anything happened: save what is to be saved, light the lamps, set the alarm, tell who watches."""
        controller = self.controller
        if controller.unsaved is not None and self._saving is None:
            self._saving = asyncio.get_running_loop().create_task(self._save(controller.unsaved))
        now = self.board.now()
        if not (controller.trouble and controller.trouble[0] == BoardLost.code):
            self.board.believe(controller.game.position.grid)
            frame = within_limits(controller.frame(now), self.board.layout)
            if frame != self.frame:
                self.frame = frame
                self.board.show(frame)
        if self._timer:
            self._timer.cancel()
            self._timer = None
        due = controller.due(now)
        if due is not None and self._running:
            self._timer = asyncio.get_running_loop().call_later(max(due - now, 0) / 1000, self._wake)
        self._tell_watchers()

    def _tell_watchers(self) -> None:
        for changed in self._watchers:
            changed.set()

    async def _save(self, entry: Entry) -> None:
        try:
            await asyncio.to_thread(self._store.append, entry)
        except NotSaved as error:
            self.controller.save_failed(error.message, self.board.now())
        else:
            self.controller.saved(self.board.now())
        self._saving = None
        self._settle()

    async def _saved(self) -> None:
        while self._saving:
            await asyncio.shield(self._saving)


def _usual_rules(layout: Layout) -> RuleSet:
    """Pop Out with four in a row, or as many as a small board has room for."""
    longest = max(layout.columns, layout.rows)
    connect = max(SHORTEST_LINE, min(4, longest))
    return RuleSet("popout", layout.columns, layout.rows, connect, allow_unwinnable=connect > longest)
