"""Scripted hands at a real table, for tests that play for long: press, pop, hold, choose in the menu, use the page.

They see what people see of a game and know its rules, so that games come to an end; some of what they do is wrong on
purpose. They wait with `asyncio.sleep`, in the time of whatever loop they play in.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

from popout.board.switches import BAR, MENU, TAKE_BACK
from popout.play.controller import Controller
from popout.play.menu import Menu
from popout.play.table import Table
from popout.record.journal import Source
from popout.rules import Claim, Drop, Move, Pop, PopoutError, Power, PowerDisc, RuleSet, Side

SWITCHES = {PowerDisc.ANVIL: "anvil", PowerDisc.BOMB: "bomb", PowerDisc.WALL: "wall", PowerDisc.DOUBLE: "x2"}


class Players:
    """Two people at a table.

    :ivar games: how many games they have begun.

    :param rules: the rules of which they take one for each new game.
    :param press_ms: how long they press a button; a hold is as long as the settings of the table want it.
    :param pause_ms: how long they wait at most before they go on.
    :param folly: how often they do something else than a move, from 0 to 1.
    """

    def __init__(
        self,
        table: Table,
        chance: random.Random,
        rules: tuple[RuleSet, ...],
        *,
        press_ms: float,
        pause_ms: float,
        folly: float,
    ) -> None:
        self.games = 0
        self._table = table
        self._chance = chance
        self._rules = rules
        self._press_s = press_ms / 1000
        self._pause_s = pause_ms / 1000
        self._folly = folly

    async def act(self) -> None:
        """Do one thing, and see that it is done."""
        await asyncio.sleep(self._chance.uniform(0.1, 1) * self._pause_s)
        controller = self._table.controller
        try:
            if isinstance(controller.overlay, Menu):
                await self._in_the_menu()
            elif controller.correction is not None:
                await self._put_right()
            elif controller.game.outcome is not None and self._chance.random() < 0.8:
                await self._new_game()
            elif self._chance.random() < self._folly:
                await self._chance.choice(self._follies())()
            else:
                await self._move()
        except PopoutError:
            pass  # refused, with a sentence on the page: people see it and do something else

    async def _move(self) -> None:
        controller = self._table.controller
        moves = controller.game.position.legal_moves
        if not moves or controller.game.outcome:
            await self._tap(self._some_column())
            return
        await self._make(self._chance.choice(moves))

    async def _make(self, move: Move) -> None:
        if isinstance(move, Claim):
            await self._order(lambda controller: controller.play(move))
            return
        if isinstance(move, Power):
            await self._tap(SWITCHES[move.disc])
        await self._slide(isinstance(move, Pop))
        await self._tap(f"column {move.column - self._table.controller.outer}")

    async def _new_game(self) -> None:
        rules = self._chance.choice(self._rules)
        await self._table.new_game(rules, self._source())
        self.games += 1

    async def _in_the_menu(self) -> None:
        await self._tap(self._some_column() if self._chance.random() < 0.3 else MENU)

    async def _put_right(self) -> None:
        correction = self._table.controller.correction
        assert correction is not None
        twin = self._table.board.twin
        if twin is not None and self._chance.random() < 0.8:
            twin.act({"do": "tidy"})
            await self._tap(f"column {correction.steps[0].cell[0] - self._table.controller.outer}")
        else:
            await self._new_game()

    def _follies(self) -> list[Callable[[], Awaitable[None]]]:
        return [
            lambda: self._tap(TAKE_BACK),
            lambda: self._tap(TAKE_BACK),
            lambda: self._hold(self._some_column()),
            lambda: self._tap(self._some_column()),
            lambda: self._tap(MENU),
            lambda: self._slip(),
            lambda: self._slide(not self._table.controller.gesture.bar_open),
            lambda: self._order(lambda controller: controller.play(self._some_move(controller))),
            lambda: self._order(lambda controller: controller.take_back()),
            lambda: self._order(lambda controller: self._set_up(controller)),
            lambda: self._order(lambda controller: self._end(controller)),
            lambda: self._new_game(),
        ]

    def _some_move(self, controller: Controller) -> Move:
        moves = controller.game.position.legal_moves
        return self._chance.choice(moves) if moves else Drop(1)

    def _set_up(self, controller: Controller) -> None:
        """Say that the top disc of a column is not there."""
        position = controller.game.position
        grid = list(position.playable_grid)
        column = self._chance.randrange(len(grid))
        grid[column] = grid[column][:-1]
        controller.set_up(tuple(grid), self._chance.choice(list(Side)))

    def _end(self, controller: Controller) -> None:
        if self._chance.random() < 0.5:
            controller.agree_draw()
        else:
            controller.resign(controller.game.position.turn)

    async def _slip(self) -> None:
        one, other = self._some_column(), self._some_column()
        self._finger(one, True)
        self._finger(other, True)
        await asyncio.sleep(self._press_s)
        self._finger(one, False)
        self._finger(other, False)
        await asyncio.sleep(self._press_s)

    async def _hold(self, switch: str) -> None:
        self._finger(switch, True)
        await asyncio.sleep(self._table.settings.take_back_hold_ms / 1000 + self._press_s)
        self._finger(switch, False)
        await asyncio.sleep(self._press_s)

    async def _tap(self, switch: str) -> None:
        self._finger(switch, True)
        await asyncio.sleep(self._press_s)
        self._finger(switch, False)
        await asyncio.sleep(self._press_s)

    async def _slide(self, to_open: bool) -> None:
        if to_open != self._table.controller.gesture.bar_open:
            self._finger(BAR, to_open)
            await asyncio.sleep(self._press_s)

    def _finger(self, switch: str, closed: bool) -> None:
        if switch in self._table.board.layout.switches:
            self._table.finger(switch, closed, self._source())

    async def _order(self, do: Callable[[Controller], None]) -> None:
        await self._table.order(do, self._source())

    def _some_column(self) -> str:
        return f"column {self._chance.randint(1, self._table.board.layout.columns)}"

    def _source(self) -> Source:
        return self._chance.choice((Source.BOARD, Source.BOARD, Source.PAGE, Source.TERMINAL))
