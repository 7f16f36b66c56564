"""What a page needs to say what is on the board: the words for a set-up, and what a position would be. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from popout.play.controller import Controller
from popout.play.correction import Correction, adopted, differing_cells
from popout.play.telling import Telling
from popout.rules import RED, YELLOW, Message, Phase, PowerDisc, RuleSet, Side, waiting_for
from popout.rules.beside import Beside
from popout.rules.errors import SetupError
from popout.rules.messages import N_
from popout.rules.power import FOLLOWING
from popout.views.web import commands

Say = Callable[[Message], str]

_PHASES = N_(
    {
        Phase.PLAY: "A turn as usual",
        Phase.FILL: "Filling the grid, row by row",
        Phase.POP: "Popping a disc",
        Phase.PUT: "Putting the popped disc back",
        Phase.BOMB: "After the bomb: popping a disc of the opponent",
        Phase.WALL: "After the wall: the second disc",
        Phase.DOUBLE: "After the x2: the second disc",
    }
)


def beside(controller: Controller, say: Say) -> dict[str, Any]:
    """What a set-up of this game has to say beyond the discs and the turn, and what is believed of it now.

    ``phases`` are the steps to choose from, and ``phase`` the one at hand; ``kept``, ``hands`` (pairs of numbers, red's
    first), ``powers`` (pairs of letters) and ``source`` (a column) are null where the game has no such thing, but
    ``source``, which is null also while no disc is to be put back.
    """
    position, rules = controller.game.position, controller.game.rules
    return {
        "phases": [{"value": phase.value, "text": say(Message(_PHASES[phase]))} for phase in _phases_of(rules)],
        "phase": position.phase.value,
        "kept": [position.kept(side) for side in (RED, YELLOW)] if rules.keeps else None,
        "source": getattr(position.extra, "source", 0) or None,
        "powers": [_letters(position.powers_left(side)) for side in (RED, YELLOW)] if rules.power_discs else None,
        "hands": None if position.hands is None else [position.in_hand(side) for side in (RED, YELLOW)],
    }


def considered(controller: Controller, asked: commands.Consider, say: Say) -> Mapping[str, Any]:
    """The answer to `commands.Consider`: who would have to do what, and which cells differ from what is believed.

    :raises SetupError: it is no position of this game; the sentence names what and where.
    """
    grid = tuple(asked.grid)
    position = controller.considered(grid, Side(asked.turn), said_of(asked))
    cells = differing_cells(position.grid, controller.game.position.grid)
    return {
        "type": "considered",
        "text": say(waiting_for(position)),
        "cells": [list(cell) for cell in cells],
        "difference": say(
            Message(
                "One cell is not as the board believes.",
                plural="{count} cells are not as the board believes.",
                count=len(cells),
            )
            if cells
            else Message("Every cell is as the board believes.")
        ),
    }


def said_of(asked: commands.Consider) -> Beside:
    """What a page says that the sides have beside the board.

    :raises SetupError: it cannot be read.
    """
    try:
        powers = (
            None
            if asked.powers is None
            else (frozenset(map(PowerDisc, asked.powers[0])), frozenset(map(PowerDisc, asked.powers[1])))
        )
    except ValueError:
        raise SetupError(Message("The power discs are a (anvil), b (bomb), w (wall) and x (x2).")) from None
    return Beside(
        hands=asked.hands,
        phase=None if asked.phase is None else Phase(asked.phase),
        kept=asked.kept,
        source=asked.source,
        powers=powers,
    )


def differs(controller: Controller, say: Say) -> dict[str, Any] | None:
    """What has to be put right, step by step, and how the game could go on without it."""
    mode = controller.mode
    if not isinstance(mode, Correction):
        return None
    return {
        "text": say(mode.reason),
        "step": say(mode.steps[0].message),
        "column": mode.steps[0].cell[0],
        "cells": [list(step.cell) for step in mode.steps],
        "canAdopt": mode.seen is not None,
        "seen": None if mode.seen is None else list(mode.seen),
        "choices": _choices(mode, say),
    }


def telling(controller: Controller) -> dict[str, Any] | None:
    """What hands at the board say is on it, and the cells in which that is something else than is believed."""
    mode = controller.telling
    if not isinstance(mode, Telling):
        return None
    return {
        "grid": list(mode.told),
        "disc": mode.disc.value,
        "cells": [list(cell) for cell in mode.differing(controller.game.position)],
    }


def _choices(mode: Correction, say: Say) -> list[dict[str, str]]:
    """The sides that can be to move in what is on the board, and what they would have to do."""
    found = []
    for side in (RED, YELLOW) if mode.seen is not None else ():
        try:
            position = adopted(mode.position, mode.seen or (), side)
        except SetupError:
            continue
        found.append({"turn": side.value, "text": say(waiting_for(position))})
    return found


def _phases_of(rules: RuleSet) -> list[Phase]:
    if rules.keeps:
        return [Phase.FILL, Phase.POP, Phase.PUT]
    return [Phase.PLAY, *(following for disc, following in FOLLOWING.items() if disc in rules.power_discs)]


def _letters(discs: frozenset[PowerDisc]) -> str:
    return "".join(disc.value for disc in PowerDisc if disc in discs)
