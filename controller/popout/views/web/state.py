"""What a page sees of a table, and what it may do there: the state, lamps and look messages, and the commands.

The messages are plain data in the page's own words; every sentence in them has gone through `say`, which turns a
`Message` into a text of the reader's language.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any, assert_never

from popout.board.driver import HandError
from popout.board.switches import BAR
from popout.play.controller import Controller
from popout.play.correction import Correction
from popout.play.menu import Menu, shown
from popout.play.modes import holding, landing_row, may_be_dropped, pressed_move
from popout.play.table import Table
from popout.rules import (
    RED,
    YELLOW,
    Claim,
    Drop,
    Game,
    Message,
    Outcome,
    Pop,
    Power,
    PowerDisc,
    RuleSet,
    Side,
    describe,
    waiting_for,
    why_ended,
    write_record,
)
from popout.rules.errors import IllegalMove
from popout.views.web import commands, offers, steps

LEAST_PRESS_MS = 60
"""A finger on the page is no quicker than a finger on a button, however fast the click was."""

Say = Callable[[Message], str]


class NoSuchMove(IllegalMove):
    """The game has not so many moves."""

    code = "no-such-move"


class TableView:
    """A table as its page sees it; see `popout.views.web.server.TableLike`."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._pressed_at: dict[str, float] = {}
        self._fingers: Counter[str] = Counter()
        self._hand_moves = 0

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
            },
            "rules": _rules(game.rules, say),
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
            "last": _last(game, len(game.moves)),
            "moves": [
                {
                    "text": str(move),
                    "side": game.mover(ply).value,
                    "said": say(describe(move, game.positions[ply - 1])),
                }
                for ply, move in enumerate(game.moves, 1)
            ],
            "outcome": _outcome(game, outcome, say),
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
            "trouble": controller.trouble and {"code": controller.trouble[0], "text": say(controller.trouble[1])},
            "differs": _differs(controller, say),
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
        game = self._table.controller.game
        if not 0 <= ply <= len(game.moves):
            raise NoSuchMove(Message("There is no move {ply}; the game has {moves}.", ply=ply, moves=len(game.moves)))
        if ply == 0:
            text = Message("The beginning of the game.")
        else:
            text = Message(
                "Move {ply} of {moves}: {said}",
                ply=ply,
                moves=len(game.moves),
                said=describe(game.moves[ply - 1], game.positions[ply - 1]),
            )
        then = game if ply == len(game.moves) else game.take_back(len(game.moves) - ply + bool(game.agreed))
        return {
            "type": "look",
            "ply": ply,
            "grid": list(then.position.grid),
            "last": _last(then, ply),
            "signs": steps.signs(then, ply),
            "text": say(text),
            "outcome": _outcome(then, then.outcome, say),
        }

    def record_text(self) -> str:
        """The game's record."""
        return write_record(self._table.controller.game)

    async def changes(self) -> AsyncIterator[str]:
        """``"state"`` or ``"lamps"``, whichever may have changed."""
        before: object = None
        async for _ in self._table.changes():
            controller = self._table.controller
            now = (id(controller), controller.revision, self._hand_moves, holding(controller) and self._table.frame)
            if now != before:
                before = now
                yield "state"
            yield "lamps"

    async def command(self, command: commands.Command) -> None:
        """Do what a page asks.

        :raises PopoutError: it is refused; nothing has changed.
        """
        table = self._table
        match command:
            case commands.Press(switch):
                if not self._fingers[switch]:
                    table.finger(switch, True)
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
                table.finger(BAR, to == "open")
            case commands.Hand(action):
                self._act(action)
            case commands.TakeBack():
                await table.order(Controller.take_back)
            case commands.New(rules):
                await table.new_game(RuleSet.parse(rules))
            case commands.AgreeDraw():
                await table.order(Controller.agree_draw)
            case commands.Claim():
                await table.order(lambda controller: controller.play(Claim()))
            case commands.ChoosePower(disc):
                chosen = PowerDisc(disc) if disc else None
                await table.order(lambda controller: controller.arm(chosen))
            case commands.Menu():
                await table.order(lambda controller: controller.toggle_menu(table.board.now()))
            case commands.Correct(grid):
                await table.order(lambda controller: controller.correct(tuple(grid), table.board.now()))
            case commands.Adopt(turn):
                await table.order(lambda controller: controller.adopt(Side(turn)))
            case commands.Look():
                pass  # answered by `look`
            case _:
                assert_never(command)
        self._hand_moves += 1
        table.touched()

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


def _rules(rules: RuleSet, say: Say) -> dict[str, Any]:
    return {
        "game": rules.game,
        "title": say(rules.title),
        "text": rules.text,
        "columns": rules.columns,
        "rows": rules.rows,
        "width": rules.width,
        "firstColumn": rules.first_column,
        "connect": rules.connect,
        "pops": rules.kind.pops,
        "target": rules.target if rules.keeps else None,
    }


def _tentative(controller: Controller) -> dict[str, Any] | None:
    move = pressed_move(controller)
    if move is None:
        return None
    position = controller.game.position
    return {
        **_shape(move),
        "row": 1 if isinstance(move, Pop) else landing_row(position, move.column),
        "side": position.turn.value,
    }


def _shape(move: Drop | Pop | Power) -> dict[str, Any]:
    """What a picture needs of a move: which way its disc goes, where, and the letter of a power disc."""
    return {
        "kind": "pop" if isinstance(move, Pop) else "drop",
        "column": move.column,
        "power": move.disc.value if isinstance(move, Power) else None,
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


def _last(game: Game, ply: int) -> dict[str, Any] | None:
    if ply == 0:
        return None
    move, side = game.moves[ply - 1], game.mover(ply)
    if isinstance(move, Claim):
        return {"text": str(move), "side": side.value, "kind": "claim", "column": None, "row": None}
    row = 1 if isinstance(move, Pop) else len(game.positions[ply].grid[move.column - 1])
    return {"text": str(move), "side": side.value, **_shape(move), "row": row}


def _outcome(game: Game, outcome: Outcome | None, say: Say) -> dict[str, Any] | None:
    reason = why_ended(game)
    if outcome is None or reason is None:
        return None
    return {
        "winner": outcome.winner.value if outcome.winner else None,
        "code": reason.code,
        "sentence": say(reason.message),
        "lines": {side.value: [[list(cell) for cell in line] for line in outcome.lines(side)] for side in Side},
    }


def _status(controller: Controller) -> Message:
    """One sentence that is always true now."""
    ended = why_ended(controller.game)
    if controller.trouble:
        return controller.trouble[1]
    if isinstance(controller.mode, Correction):
        return controller.mode.steps[0].message
    return ended.message if ended else waiting_for(controller.game.position)


def _menu(controller: Controller, say: Say) -> dict[str, Any] | None:
    if not isinstance(controller.mode, Menu):
        return None
    offered = shown(controller.mode, controller.game, controller.layout.columns)
    return {
        "entries": [
            {"column": column + controller.outer, "code": entry.code, "text": say(entry.text)}
            for column, entry in offered.items()
        ]
    }


def _differs(controller: Controller, say: Say) -> dict[str, Any] | None:
    mode = controller.mode
    if not isinstance(mode, Correction):
        return None
    return {
        "text": say(mode.reason),
        "step": say(mode.steps[0].message),
        "cells": [list(step.cell) for step in mode.steps],
        "canAdopt": mode.seen is not None,
    }


def _hex(colour: int) -> str:
    return f"#{colour:06x}"
