"""What each move seems to be worth after a look of so many turns, by the kernel where it knows the game."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Protocol

from popout.opponent.general.search import MID_TURN, Halted, Search
from popout.opponent.halting import watched
from popout.opponent.kernel.compiling import Words, words
from popout.opponent.kernel.estimate import LEAF_PLIES, MOST_DEEP, PROVED, WIN, look
from popout.opponent.kernel.moves import MOVES
from popout.opponent.kernel.shape import Shape, shape_of
from popout.opponent.kernel.wins import NODES, STOP
from popout.opponent.verdicts import DRAWN, Verdict, Worth, lost_in, won_in
from popout.rules import Move, Position, RuleSet

SCALE = 400
"""The value of which the estimate is about three quarters."""
SUREST = 0.95
"""An estimate of what is not proved is never nearer to 1 or -1."""
ALL_MOVES = 2.0
"""The margin within which all moves are: estimates are from -1 to 1."""
SHALLOWEST_TABLE_BITS = 10


class Estimates(Protocol):
    """Looks at positions of one game.

    :ivar deepest: a look of more turns shows no more.
    """

    deepest: int

    @property
    def positions(self) -> int:
        """How many positions were looked at so far."""
        ...

    def of_moves(
        self, position: Position, plies: int, halted: Callable[[], bool], margin: float = ALL_MOVES
    ) -> dict[Move, Verdict] | None:
        """What each legal move is worth to the one who makes it, after a look of `plies` turns, the move among them.

        A move that is worse than another one by `margin` may be thought better than it is, but never as good.

        :returns: None if `halted` became true before all was looked at.
        """
        ...


def estimates_of(rules: RuleSet, memory: int) -> Estimates:
    """The estimates of a game. `memory`: bytes that it may remember positions in, about."""
    shape = shape_of(rules)
    return _GeneralEstimates(rules, memory) if shape is None else _KernelEstimates(rules, shape, memory)


class _KernelEstimates:
    def __init__(self, rules: RuleSet, shape: Shape, memory: int) -> None:
        self.deepest = MOST_DEEP
        self._shape = shape
        self._bits = max(SHALLOWEST_TABLE_BITS, (max(memory, 8) // 8).bit_length() - 1)
        self._table: Words | None = None
        self._history = words(2 * MOVES)
        self._moves = words((MOST_DEEP + 2) * MOVES)
        self._scores = words((MOST_DEEP + 2) * MOVES)
        self._counters = words(2)
        self._order = _Order()
        self._fills_up = not rules.pops

    @property
    def positions(self) -> int:
        """See `Estimates`."""
        return int(self._counters[NODES])

    def of_moves(
        self, position: Position, plies: int, halted: Callable[[], bool], margin: float = ALL_MOVES
    ) -> dict[Move, Verdict] | None:
        """See `Estimates`."""
        if self._table is None:
            self._table = words(1 << self._bits)
        for at in range(2 * MOVES):
            self._history[at] //= 4
        free = (position.rules.grid.full & ~(position.own | position.other)).bit_count()
        to_the_end = self._fills_up and plies + LEAF_PLIES >= free
        verdicts: dict[Move, Verdict] = {}
        best = -1.0
        self._counters[STOP] = int(halted())
        with watched(halted, self._stop):
            for move in self._order.of(position):
                after = position.play(move)
                if after.ended is not None:
                    verdict = ended(position, after)
                else:
                    alpha = score_of(best - margin)
                    worth = -look(
                        self._shape, after.own, after.other, plies - 1, -WIN, -alpha, 1, self._table, self._bits,
                        self._history, self._moves, self._scores, self._counters,
                    )  # fmt: skip
                    if self._counters[STOP]:
                        return None
                    verdict = verdict_of(worth, plies + LEAF_PLIES, exact=worth > alpha, to_the_end=to_the_end)
                verdicts[move] = verdict
                best = max(best, verdict.estimate)
        self._order.learn(position, verdicts)
        return verdicts

    def _stop(self) -> None:
        self._counters[STOP] = 1


class _GeneralEstimates:
    def __init__(self, rules: RuleSet, memory: int) -> None:
        self.deepest = MOST_DEEP
        self._search = Search(rules, memory)
        self._order = _Order()
        self._fills_up = not (rules.pops or rules.keeps or rules.power_discs)

    @property
    def positions(self) -> int:
        """See `Estimates`."""
        return self._search.positions

    def of_moves(
        self, position: Position, plies: int, halted: Callable[[], bool], margin: float = ALL_MOVES
    ) -> dict[Move, Verdict] | None:
        """See `Estimates`."""
        free = (position.rules.grid.full & ~(position.own | position.other)).bit_count()
        to_the_end = self._fills_up and plies >= free
        verdicts: dict[Move, Verdict] = {}
        best = -1.0
        for move in self._order.of(position):
            after = position.play(move)
            if after.ended is not None:
                verdict = ended(position, after)
            else:
                turns = int(after.phase not in MID_TURN)
                alpha = score_of(best - margin)
                try:
                    if after.turn is position.turn:
                        worth = self._search.look(after, plies - turns, alpha, WIN, halted)
                    else:
                        worth = -self._search.look(after, plies - turns, -WIN, -alpha, halted)
                except Halted:
                    return None
                if worth > PROVED:
                    worth -= turns
                elif worth < -PROVED:
                    worth += turns
                verdict = verdict_of(worth, plies, exact=worth > alpha, to_the_end=to_the_end)
            verdicts[move] = verdict
            best = max(best, verdict.estimate)
        self._order.learn(position, verdicts)
        return verdicts


class _Order:
    """The moves of the position that was looked at last, the best ones first."""

    def __init__(self) -> None:
        self._position: Position | None = None
        self._moves: tuple[Move, ...] = ()

    def of(self, position: Position) -> tuple[Move, ...]:
        if position != self._position:
            middle = (position.rules.width + 1) / 2
            self._position = position
            self._moves = tuple(
                sorted(position.legal_moves, key=lambda move: abs(getattr(move, "column", middle) - middle))
            )
        return self._moves

    def learn(self, position: Position, verdicts: Mapping[Move, Verdict]) -> None:
        self._position = position
        self._moves = tuple(sorted(verdicts, key=lambda move: -verdicts[move].estimate))


def ended(position: Position, after: Position) -> Verdict:
    """What a move is worth that has led from `position` to the end of the game."""
    assert after.ended is not None
    winner = after.ended.winner
    if winner is None:
        return DRAWN
    return won_in(1) if winner is position.turn else lost_in(1)


def verdict_of(worth: int, searched: int, *, exact: bool, to_the_end: bool) -> Verdict:
    """What a value of a look says that has found every forced win within `searched` turns.

    :param exact: the value is no bound. :param to_the_end: the look has left no turn out.
    """
    if worth > PROVED and WIN - worth <= searched + 1:
        return won_in(WIN - worth)
    if worth < -PROVED and WIN + worth <= searched + 1:
        return lost_in(WIN + worth)
    if to_the_end and exact:
        return DRAWN
    # A bound says nothing of how deep it holds.
    return Verdict(Worth.UNKNOWN, None, estimate_of(worth), searched if exact else 0)


def estimate_of(score: int) -> float:
    """A value as an estimate between -1 and 1."""
    return max(-SUREST, min(SUREST, math.tanh(score / SCALE)))


def score_of(estimate: float) -> int:
    """The value of an estimate: at most -PROVED for those that are no higher than `SUREST` below 0."""
    if estimate <= -SUREST:
        return -WIN
    return int(SCALE * math.atanh(min(estimate, SUREST)))
