"""What a position or a move is worth."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from popout.rules import Move


class Worth(Enum):
    """How the game ends if both sides do their best, seen by the side that moves."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    UNKNOWN = "unknown"


class Verdict(NamedTuple):
    """What is known of a position (seen by the side to move), or of a move (seen by the side that makes it).

    :ivar worth: how the game ends, or that nobody knows.
    :ivar plies: turns until the end, if the winner hurries and the loser delays; None for a draw, and if it is unknown.
    :ivar estimate: from -1 (lost) to 1 (won); a guess where the worth is unknown.
    :ivar searched: where the worth is unknown: neither side can force a win within so many turns.
    """

    worth: Worth
    plies: int | None = None
    estimate: float = 0.0
    searched: int = 0


class Analysis(NamedTuple):
    """What every legal move of a position is worth, as far as that is known by now.

    :ivar moves: each legal move, seen by the side that makes it. :ivar best: the position, seen by the side to move.
    :ivar positions: so many were searched. :ivar final: nothing can become better known.
    """

    moves: Mapping[Move, Verdict]
    best: Verdict
    positions: int
    final: bool


DRAWN = Verdict(Worth.DRAW)


def won_in(turns: int) -> Verdict:
    """That the side to move wins in so many turns."""
    return Verdict(Worth.WIN, turns, 1.0)


def lost_in(turns: int) -> Verdict:
    """That the side to move loses in so many turns."""
    return Verdict(Worth.LOSS, turns, -1.0)


def unknown(searched: int = 0) -> Verdict:
    """That neither side can force a win within so many turns, and nothing else."""
    return Verdict(Worth.UNKNOWN, searched=searched)


def before(verdict: Verdict, *, same_side: bool, same_turn: bool = False) -> Verdict:
    """What a move is worth to the one who makes it, after which the position has this verdict.

    :param same_side: whether the one who made it is to move again. :param same_turn: whether it is the same turn still.
    """
    worth = verdict.worth if same_side else _TURNED[verdict.worth]
    further = 0 if same_turn else 1
    return Verdict(
        worth,
        None if verdict.plies is None else verdict.plies + further,
        verdict.estimate if same_side else -verdict.estimate,
        verdict.searched + further if worth is Worth.UNKNOWN else 0,
    )


_TURNED = {
    Worth.WIN: Worth.LOSS,
    Worth.LOSS: Worth.WIN,
    Worth.DRAW: Worth.DRAW,
    Worth.UNKNOWN: Worth.UNKNOWN,
}
