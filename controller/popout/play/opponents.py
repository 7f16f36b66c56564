"""The opponent at a table: it hears what there is to think about, has it thought about, and lends the twin a hand.

Everything happens in the table's event loop; the thinking is done by a process of its own, which runs only while there
is an opponent or somebody wants to know something.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any, Final

from popout.board.driver import BoardLost, HandError
from popout.board.switches import BAR
from popout.opponent.levels import LEVELS
from popout.opponent.process import OpponentGone
from popout.opponent.thinking import Thinker
from popout.opponent.verdicts import Analysis
from popout.play.modes import Playing
from popout.play.opposing import Chosen, Question
from popout.record.journal import Source
from popout.rules import Claim, Game, Pop, PopoutError

if TYPE_CHECKING:
    from popout.play.table import Table

HINT: Final = "hint"
"""Who is asked for hints."""
FIRST_S: Final = 0.4
"""What is left for thinking about a move for which the process has to be started first."""
BAR_S: Final = 0.3
"""How long before and after a pop the twin's bar is slid."""

_log = logging.getLogger(__name__)


class Opponents:
    """Whatever at a table is thought about.

    It wakes when something at the table has changed, and never by itself.
    """

    def __init__(self, table: Table, thinker: Thinker | None = None) -> None:
        """Prepare; nothing happens before `run`. The thinking is done by the usual `thinker` unless one is given."""
        self._table = table
        self._thinker = thinker or Thinker()
        self._about: Question | None = None
        self._thinking: asyncio.Task[None] | None = None
        self._moving: asyncio.Task[None] | None = None
        self._starting: asyncio.Task[None] | None = None
        self._asking = 0
        self._failure: BaseException | None = None

    @property
    def is_thinking(self) -> bool:
        """Whether a move is being thought about, an opponent's or a hint."""
        return self._thinking is not None

    async def run(self) -> None:
        """Let the opponent play, and hints be given, until cancelled. Afterwards no process is left."""
        self._failure = None
        try:
            await self._table.started.wait()
            async for _ in self._table.changes():
                await self._look()
        finally:
            for task in (self._thinking, self._moving, self._starting):
                if task is not None:
                    task.cancel()
                    await asyncio.gather(task, return_exceptions=True)
            self._thinking = self._moving = self._starting = self._about = None
            await self._thinker.close()

    async def analyse(self, game: Game, *, seconds: float | None = None) -> AsyncGenerator[Analysis, None]:
        """What the legal moves are worth, again and again and better known each time; close it to stop.

        :raises OpponentGone: there is no answer.
        """
        self._asking += 1
        try:
            async with aclosing(self._thinker.analyse(game, seconds=seconds)) as growing:
                async for analysis in growing:
                    yield analysis
        finally:
            self._asking -= 1
            self._table.touched()

    async def _look(self) -> None:
        """After anything has changed: see what is to be done now, and what no longer."""
        if self._failure is not None:
            raise self._failure
        controller = self._table.controller
        question = controller.question
        if self._thinking is not None and question != self._about:
            self._thinking.cancel()
        if self._thinking is None and question is not None:
            self._about = question
            self._thinking = self._begin(self._think(question), self._has_thought)
        chosen = controller.chosen
        if chosen is not None and self._moving is None and self._may_move(chosen):
            self._moving = self._begin(self._move(chosen), self._has_moved)
        if controller.levels or question is not None or self._asking:
            # While a person thinks, so that the answer does not wait for the start.
            if self._thinker.process is None and self._starting is None and self._thinking is None:
                self._starting = self._begin(self._start(), self._has_started)
        elif self._thinking is None and self._starting is None and self._thinker.process is not None:
            await self._thinker.close()

    # Thinking

    async def _think(self, question: Question) -> None:
        position = question.game.position
        player, level = (HINT, len(LEVELS)) if question.level is None else (position.turn.value, question.level)
        usual = LEVELS[min(level, len(LEVELS)) - 1].seconds
        seconds = min(usual, FIRST_S) if self._thinker.process is None else None
        try:
            move = await self._thinker.choose(question.game, level, player=player, seconds=seconds)
        except OpponentGone as error:
            await self._gone(error)
            return
        await self._table.order(
            lambda controller: controller.answered(question, move, self._table.board.now()), Source.OPPONENT
        )

    async def _start(self) -> None:
        try:
            await self._thinker.start()
        except OpponentGone as error:
            await self._gone(error)

    async def _gone(self, error: OpponentGone) -> None:
        _log.error("%s", error)
        await self._table.order(
            lambda controller: controller.opponent_gone(error.message, self._table.board.now()), Source.OPPONENT
        )

    # Moving

    def _may_move(self, chosen: Chosen) -> bool:
        """Whether the move is made here, and now; a hand makes it where there is one."""
        table, controller = self._table, self._table.controller
        by_itself = isinstance(chosen.move, Claim) or (
            table.settings.opponent_hands == "board" and table.board.discs_follow
        )
        return (
            by_itself
            and not chosen.hint
            and controller.chosen is chosen
            and controller.unsaved is None
            and controller.press is None
            and controller.trouble is None
            and isinstance(controller.mode, Playing)
        )

    async def _move(self, chosen: Chosen) -> None:
        await asyncio.sleep(self._table.settings.opponent_pause_ms / 1000)
        if not self._may_move(chosen):
            return
        opened = (
            isinstance(chosen.move, Pop) and not self._table.controller.gesture.bar_open and self._slide(to_open=True)
        )
        try:
            if opened:
                await asyncio.sleep(BAR_S)
            if self._may_move(chosen):
                with suppress(PopoutError):  # it has been said why, and it is tried again when anything has changed
                    await self._table.order(lambda controller: controller.play(chosen.move), Source.OPPONENT)
            if opened:
                await asyncio.sleep(BAR_S)
        finally:
            if opened:
                self._slide(to_open=False)

    def _slide(self, *, to_open: bool) -> bool:
        """Slide the bar; whether it could be."""
        try:
            self._table.finger(BAR, to_open, Source.OPPONENT)
        except (HandError, BoardLost):
            return False
        return True

    # Tasks

    def _begin(self, what: Coroutine[Any, Any, None], ended: Callable[[], None]) -> asyncio.Task[None]:
        def done(task: asyncio.Task[None]) -> None:
            ended()
            if not task.cancelled() and task.exception() is not None:
                self._failure = task.exception()
            # Look again: it may not be the only thing that there was to do.
            self._table.touched()

        task = asyncio.create_task(what)
        task.add_done_callback(done)
        return task

    def _has_thought(self) -> None:
        self._thinking = self._about = None

    def _has_moved(self) -> None:
        self._moving = None

    def _has_started(self) -> None:
        self._starting = None
