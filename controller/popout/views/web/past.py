"""How a game is told to a page: its rules, and how it was after each of its moves. Pure functions of a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from popout.rules import Claim, Drop, Game, Message, Outcome, Pop, Power, RuleSet, Side, describe, why_ended
from popout.rules.errors import IllegalMove
from popout.views.web import steps

Say = Callable[[Message], str]


class NoSuchMove(IllegalMove):
    """The game has not so many moves."""

    code = "no-such-move"


def rules_of(rules: RuleSet, say: Say) -> dict[str, Any]:
    """What a page shows of a rule set."""
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


def moves_of(game: Game, say: Say) -> list[dict[str, str]]:
    """Every move: as a record writes it, whose it was, and in words."""
    return [
        {"text": str(move), "side": game.mover(ply).value, "said": say(describe(move, game.positions[ply - 1]))}
        for ply, move in enumerate(game.moves, 1)
    ]


def shape(move: Drop | Pop | Power) -> dict[str, Any]:
    """What a picture needs of a move: which way its disc goes, where, and the letter of a power disc."""
    return {
        "kind": "pop" if isinstance(move, Pop) else "drop",
        "column": move.column,
        "power": move.disc.value if isinstance(move, Power) else None,
    }


def last_move(game: Game, ply: int) -> dict[str, Any] | None:
    """Move number `ply` as the picture marks it; None before the first."""
    if ply == 0:
        return None
    move, side = game.moves[ply - 1], game.mover(ply)
    if isinstance(move, Claim):
        return {"text": str(move), "side": side.value, "kind": "claim", "column": None, "row": None}
    row = 1 if isinstance(move, Pop) else len(game.positions[ply].grid[move.column - 1])
    return {"text": str(move), "side": side.value, **shape(move), "row": row}


def outcome_of(game: Game, outcome: Outcome | None, say: Say) -> dict[str, Any] | None:
    """How the game ended, in words and with its lines; None while it goes on."""
    reason = why_ended(game)
    if outcome is None or reason is None:
        return None
    return {
        "winner": outcome.winner.value if outcome.winner else None,
        "code": reason.code,
        "sentence": say(reason.message),
        "lines": {side.value: [[list(cell) for cell in line] for line in outcome.lines(side)] for side in Side},
    }


def look(game: Game, ply: int, say: Say) -> dict[str, Any]:
    """The look message: the game as it was after `ply` moves.

    :raises NoSuchMove: it has not so many.
    """
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
        "last": last_move(then, ply),
        "signs": steps.signs(then, ply),
        "text": say(text),
        "outcome": outcome_of(then, then.outcome, say),
    }
