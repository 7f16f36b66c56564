"""What a page draws of the step that the game waits for: power discs, kept ones, a disc to be put back, closed columns.

Pure functions of a game. Columns are those of the grid, filled outer ones counted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from popout.play.controller import Controller
from popout.play.modes import landing_row, power_at_work
from popout.rules import RED, YELLOW, Cell, Drop, Game, Message, Phase, Pop, Power, PowerDisc
from popout.views.rulecards import power_text


def kept(game: Game) -> dict[str, int] | None:
    """Pop 10: how many discs each side has kept."""
    if not game.rules.keeps:
        return None
    return {side.value: game.position.kept(side) for side in (RED, YELLOW)}


def powers(controller: Controller, say: Callable[[Message], str]) -> dict[str, Any] | None:
    """Power Up: every power disc of the game and what it does, which each side has left, which can be played now, and
    which is chosen or at work."""
    game = controller.game
    if not game.rules.power_discs:
        return None
    playable = {move.disc for move in game.legal_moves if isinstance(move, Power)}
    at_work = power_at_work(controller)
    return {
        "discs": [
            {"disc": disc.value, "text": say(power_text(disc, game.rules))}
            for disc in PowerDisc
            if disc in game.rules.power_discs
        ],
        "left": {
            side.value: [disc.value for disc in PowerDisc if disc in game.position.powers_left(side)]
            for side in (RED, YELLOW)
        },
        "playable": [disc.value for disc in PowerDisc if disc in playable],
        "chosen": controller.armed.value if controller.armed else None,
        "atWork": at_work.value if at_work else None,
    }


def floating(game: Game) -> dict[str, Any] | None:
    """Pop 10: the disc that is out of the grid and waits to be put back, and the column that it came from."""
    last = game.moves[-1] if game.moves else None
    if game.outcome or game.position.phase is not Phase.PUT or not isinstance(last, Pop):
        return None
    return {"side": game.position.turn.value, "column": last.column}


def barred(game: Game) -> list[int]:
    """The columns that have room and are closed to the disc of this step: the one that a popped disc came from, or
    those in which the second disc of a wall would make a line."""
    if game.outcome or game.position.phase not in (Phase.PUT, Phase.WALL):
        return []
    rules, open_to = game.rules, {move.column for move in game.legal_moves if isinstance(move, Drop)}
    playable = range(rules.first_column, rules.first_column + rules.columns)
    return [column for column in playable if column not in open_to and landing_row(game.position, column)]


def signs(game: Game, ply: int) -> list[list[int | str]]:
    """Where the power discs lie that have been played in the first `ply` moves: column, row and letter of each."""
    lying: dict[Cell, str] = {}
    for number, move in enumerate(game.moves[:ply], 1):
        match move:
            case Pop(column):
                lying = {
                    (at, row - (at == column)): letter
                    for (at, row), letter in lying.items()
                    if (at, row) != (column, 1)
                }
            case Power(disc, column):
                if disc is PowerDisc.ANVIL:
                    lying = {cell: letter for cell, letter in lying.items() if cell[0] != column}
                lying[column, len(game.positions[number].grid[column - 1])] = disc.value
    return [[column, row, letter] for (column, row), letter in sorted(lying.items())]
