"""How a position is judged after a step: lines first, then the full and the emptied grid.

Source: the rule text, "The rules, decided".
"""

from __future__ import annotations

from typing import NamedTuple

from popout.rules.outcome import Termination
from popout.rules.ruleset import RuleSet
from popout.rules.side import Side


class Ended(NamedTuple):
    """That a game is over: why, and who won (None: a draw)."""

    termination: Termination
    winner: Side | None


LINE = {side: Ended(Termination.LINE, side) for side in Side}
OPPONENT_LINE = {side: Ended(Termination.OPPONENT_LINE, side.other) for side in Side}
BOTH_LINES = {
    "mover": {side: Ended(Termination.BOTH_LINES, side) for side in Side},
    "draw": {side: Ended(Termination.BOTH_LINES, None) for side in Side},
    "other": {side: Ended(Termination.BOTH_LINES, side.other) for side in Side},
}
TEN = {side: Ended(Termination.TEN, side) for side in Side}
FULL = Ended(Termination.FULL, None)
EMPTY = Ended(Termination.EMPTY, None)
STUCK = Ended(Termination.STUCK, None)
CLAIM = Ended(Termination.CLAIM, None)


def after_drop(rules: RuleSet, own: int, other: int, turn: Side) -> Ended | None:
    """The end after `turn` dropped one of its `own` discs, if it is one. A drop makes no line for the other side."""
    if rules.grid.has_line(own):
        return LINE[turn]
    return FULL if own | other == rules.grid.full and rules.full_grid == "draw" else None


def after_removal(rules: RuleSet, own: int, other: int, turn: Side) -> Ended | None:
    """The end after discs left the grid in a step of `turn`, if it is one: a pop, an anvil, a bomb's pop."""
    has_line, grid = rules.grid.has_line, rules.grid
    if has_line(own):
        return BOTH_LINES[rules.both_lines][turn] if has_line(other) else LINE[turn]
    if has_line(other):
        return OPPONENT_LINE[turn]
    if own | other == grid.flanks and rules.empty_grid == "draw":
        return EMPTY
    # An anvil on a grid of one row may have filled it.
    return FULL if own | other == grid.full and rules.full_grid == "draw" else None
