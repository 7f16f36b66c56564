"""What a page sees of a table, and what it may do there: the state, lamps and look messages, and the commands.

The messages are plain data in the page's own words; every sentence in them has gone through `say`, which turns a
`Message` into a text of the reader's language.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, assert_never

from popout.board.driver import HandError
from popout.board.switches import BAR, second_row_switch
from popout.play.controller import Controller, WrongSide
from popout.play.correction import Correction
from popout.play.menu import Menu, shown
from popout.play.modes import holding, landing_row, may_be_dropped, pressed_move
from popout.play.table import Table
from popout.play.telling import HOW, Telling
from popout.record.journal import Source
from popout.rules import (
    RED,
    YELLOW,
    Claim,
    Message,
    Pop,
    PowerDisc,
    RuleSet,
    Side,
    parse_move,
    waiting_for,
    why_ended,
    write_record,
)
from popout.rules.errors import IllegalMove
from popout.views.web import commands, correcting, offers, past, steps

LEAST_PRESS_MS = 60
"""A finger on the page is no quicker than a finger on a button, however fast the click was."""

Say = Callable[[Message], str]


class TableView:
    """A table as its page sees it; see `popout.views.web.server.TableLike`."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._pressed_at: dict[str, float] = {}
        self._fingers: Counter[str] = Counter()

    @property
    def record(self) -> Path | None:
        """The file with the games that were played; None if they are kept in memory."""
        return self._table.record

    def snapshot(self, say: Say = str) -> Mapping[str, Any]:
        """The state message: everything that the page shows, the lamps excepted."""
        table, controller = self._table, self._table.controller
        game, outcome = controller.game, controller.game.outcome
        layout, twin = table.board.layout, table.board.twin
        newest = controller.notices.newest
        moves = game.legal_moves
        seen = dict(twin.snapshot()) if twin else None
        if seen:
            seen.pop("lamps", None)
        return {
            "type": "state",
            "version": 1,
            "board": {
                "driver": table.board.name,
                "description": say(table.board.description),
                "columns": layout.columns,
                "rows": layout.rows,
                "twoRows": second_row_switch(1) in layout.switches,
            },
            "rules": past.rules_of(game.rules, say),
            "grid": list(game.position.grid),
            "turn": game.turn.value if game.turn else None,
            "phase": game.position.phase.value,
            "kept": steps.kept(game),
            "powers": steps.powers(controller, say),
            "floating": steps.floating(game),
            "barred": steps.barred(game),
            "signs": steps.signs(game, len(game.moves)),
            "inHand": None
            if game.rules.supply == 0
            else {side.value: game.position.in_hand(side) for side in (RED, YELLOW)},
            "legal": {
                "drop": [move.column for move in moves if may_be_dropped(move, controller.armed)],
                "pop": [move.column for move in moves if isinstance(move, Pop)],
                "claim": Claim() in moves,
            },
            "bar": "open" if controller.gesture.bar_open else "closed",
            "tentative": _tentative(controller),
            "holding": _holding(controller, table.board.now()),
            "last": past.last_move(game, len(game.moves)),
            "moves": past.moves_of(game, say),
            "outcome": past.outcome_of(game, outcome, say),
            "status": say(_status(controller)),
            "notice": newest
            and {
                "id": newest.number,
                "kind": newest.importance,
                "code": newest.code,
                "text": say(newest.message),
                "column": newest.column,
            },
            "menu": _menu(controller, say),
            "can": {
                "takeBack": bool(game.moves or game.agreed),
                "agreeDraw": outcome is None and bool(game.moves),
            },
            **offers.offers(game.rules, say),
            "sizeFixed": not table.resizable,
            "history": table.record is not None,
            "trouble": controller.trouble and {"code": controller.trouble[0], "text": say(controller.trouble[1])},
            "differs": correcting.differs(controller, say),
            "telling": correcting.telling(controller),
            "beside": correcting.beside(controller, say),
            "twin": seen,
        }

    def lamps(self) -> Mapping[str, Any]:
        """The lamps message: what every lamp shows, as ``#rrggbb``."""
        frame = self._table.frame or self._table.controller.frame(self._table.board.now())
        return {
            "type": "lamps",
            "cells": [[_hex(colour) for colour in column] for column in frame.cells],
            "columns": [_hex(colour) for colour in frame.columns],
            "turns": [_hex(colour) for colour in frame.turns],
        }

    def look(self, ply: int, say: Say = str) -> Mapping[str, Any]:
        """The look message: the game as it was after `ply` moves.

        :raises NoSuchMove: it has not so many.
        """
        return past.look(self._table.controller.game, ply, say)

    def answer(self, command: commands.Command, say: Say = str) -> Mapping[str, Any] | None:
        """The answer to a command that only asks: a look or considered message; None for the others.

        :raises PopoutError: there is no answer; the message says why.
        """
        match command:
            case commands.Look(ply):
                return self.look(ply, say)
            # A set-up is a question that is answered by doing it.
            case commands.Consider() if not isinstance(command, commands.SetUp):
                return correcting.considered(self._table.controller, command, say)
        return None

    def record_text(self) -> str:
        """The game's record."""
        return write_record(self._table.controller.game)

    async def changes(self) -> AsyncIterator[str]:
        """``"state"`` or ``"lamps"``, whichever may have changed."""
        before: object = None
        async for _ in self._table.changes():
            controller = self._table.controller
            now = (id(controller), controller.revision, self._table.touches, holding(controller) and self._table.frame)
            if now != before:
                before = now
                yield "state"
            yield "lamps"

    async def command(self, command: commands.Command, source: Source = Source.PAGE) -> None:
        """Do what a page, or whoever speaks as a page does, asks.

        :param source: where it is asked.
        :raises PopoutError: it is refused; nothing has changed.
        """
        table = self._table
        match command:
            case commands.Press(switch):
                if not self._fingers[switch]:
                    table.finger(switch, True, source)
                    self._pressed_at[switch] = table.board.now()
                self._fingers[switch] += 1
            case commands.Release(switch):
                rest = self._pressed_at.get(switch, 0) + LEAST_PRESS_MS - table.board.now()
                if rest > 0:
                    await asyncio.sleep(rest / 1000)
                if self._last_finger(switch):
                    table.finger(switch, False)
            case commands.Withdraw(switch):
                self.withdraw(switch)
            case commands.Bar(to):
                table.finger(BAR, to == "open", source)
            case commands.Hand(action):
                self._act(action)
            case commands.TakeBack():
                await table.order(Controller.take_back, source)
            case commands.New(rules):
                await table.new_game(RuleSet.parse(rules), source)
            case commands.AgreeDraw():
                await table.order(Controller.agree_draw, source)
            case commands.Claim():
                await table.order(lambda controller: controller.play(Claim()), source)
            case commands.Move(text):
                await self.move(text, source)
            case commands.ChoosePower(disc):
                chosen = PowerDisc(disc) if disc else None
                await table.order(lambda controller: controller.arm(chosen), source)
            case commands.Menu():
                await table.order(lambda controller: controller.toggle_menu(table.board.now()), source)
            case commands.Correct(grid):
                await table.order(lambda controller: controller.correct(tuple(grid), table.board.now()), source)
            case commands.Adopt(turn):
                await table.order(lambda controller: controller.adopt(Side(turn)), source)
            case commands.Repaired():
                await table.order(lambda controller: controller.repaired(table.board.now()), source)
            case commands.SetUp(grid, turn):
                said = correcting.said_of(command)
                await table.order(lambda controller: controller.set_up(tuple(grid), Side(turn), said), source)
            case commands.Look() | commands.Consider():
                pass  # answered by `answer`
            case _:
                assert_never(command)
        table.touched()

    async def move(self, text: str, source: Source = Source.PAGE, side: Side | None = None) -> None:
        """Make a move without a hand on the board, as a record writes it.

        :param side: the only side for which whoever asks may move; None for both.
        :raises WrongSide: it is the other side's turn. :raises PopoutError: it is no move, or not one now.
        """
        move = parse_move(text)

        def play(controller: Controller) -> None:
            turn = controller.game.turn
            if side and turn and turn is not side:
                raise WrongSide(
                    Message("It is yellow's turn. You play red.")
                    if side is RED
                    else Message("It is red's turn. You play yellow.")
                )
            controller.play(move)

        await self._table.order(play, source)

    def withdraw(self, switch: str) -> None:
        """Take a finger off a switch without a move coming of it, as when it slipped or its page is gone.

        Where another page's finger is on the same switch, or none was on it at all, nothing comes of it either.
        """
        if self._fingers[switch] and self._last_finger(switch):
            self._table.controller.let_go()
            with suppress(HandError):
                self._table.finger(switch, False)

    def _last_finger(self, switch: str) -> bool:
        """Take one page's finger off a switch; whether it was the last one there."""
        self._fingers[switch] = max(self._fingers[switch] - 1, 0)
        if self._fingers[switch]:
            return False
        self._pressed_at.pop(switch, None)
        return True

    def _act(self, action: Mapping[str, Any]) -> None:
        twin = self._table.board.twin
        if twin is None:
            raise IllegalMove(Message("This is a real board: move its discs with your own hands."))
        twin.act(action)


def _tentative(controller: Controller) -> dict[str, Any] | None:
    move = pressed_move(controller)
    if move is None:
        return None
    position = controller.game.position
    return {
        **past.shape(move),
        "row": 1 if isinstance(move, Pop) else landing_row(position, move.column),
        "side": position.turn.value,
    }


def _holding(controller: Controller, now: float) -> dict[str, Any] | None:
    held = holding(controller)
    if held is None:
        return None
    columns, since, until = held
    return {
        "column": columns[0],
        "columns": list(columns),
        "what": "menu" if len(columns) > 1 else "take-back",
        "progress": round(min(max((now - since) / (until - since), 0), 1), 2),
    }


def _status(controller: Controller) -> Message:
    """One sentence that is always true now."""
    ended = why_ended(controller.game)
    if controller.trouble:
        return controller.trouble[1]
    if isinstance(controller.mode, Correction):
        return controller.mode.steps[0].message
    if isinstance(controller.mode, Telling):
        return HOW
    return ended.message if ended else waiting_for(controller.game.position)


def _menu(controller: Controller, say: Say) -> dict[str, Any] | None:
    if not isinstance(controller.mode, Menu):
        return None
    offered = shown(controller.mode, controller.game, controller.layout.columns, controller.levels)
    return {
        "level": controller.mode.level,
        "title": say(controller.mode.title),
        "entries": [
            {"column": column + controller.outer, "code": entry.code, "text": say(entry.text)}
            for column, entry in offered.items()
        ],
    }


def _hex(colour: int) -> str:
    return f"#{colour:06x}"
