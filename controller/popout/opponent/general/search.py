"""A look some turns ahead on the rules core: any game, any grid; a side may have several steps in a turn.

Endless play is a draw: a position that stands again in the line that is looked at counts as one. What is thought of a
position because of that is not remembered, since it would be wrong where it came about otherwise; so a forced win is
found as surely as without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from popout.opponent.general.standing import can_drop_a_line, standing
from popout.rules import Move, Phase, Position, RuleSet, Side

WIN = 30000
"""What it is worth to have won; less one for each turn until then."""
PROVED = 20000
"""All beyond it, on either side, are wins and losses."""
ENTRY_BYTES = 700
"""What a position that is remembered takes, about."""

MID_TURN = (Phase.BOMB, Phase.WALL, Phase.DOUBLE)
"""What is waited for where a turn has begun and goes on."""
_EXACT, _AT_LEAST, _AT_MOST = range(3)
_NEVER = 1 << 30
_BETWEEN_LOOKS = 64
"""Positions between two looks at whether to stop."""


class Halted(Exception):
    """The look was told to stop."""


class _Known(NamedTuple):
    depth: int
    worth: int
    kind: int
    move: Move | None


class Search:
    """Looks at positions of one game, and remembers what it has seen.

    :ivar positions: how many it has looked at so far.

    :param memory: bytes that it may remember in, about.
    """

    def __init__(self, rules: RuleSet, memory: int) -> None:
        self.positions = 0
        self._most = max(1000, memory // ENTRY_BYTES // 2)
        self._new: dict[Position, _Known] = {}
        self._old: dict[Position, _Known] = {}
        self._may_recur = rules.pops or rules.keeps
        self._line: dict[Position, int] = {}
        self._recurs_from = _NEVER
        self._history: dict[tuple[Side, Move], int] = {}
        self._middle = (rules.width + 1) / 2
        self._halted: Callable[[], bool] = lambda: False

    def look(self, position: Position, depth: int, alpha: int, beta: int, halted: Callable[[], bool]) -> int:
        """What the position is worth to the side to move after `depth` more turns, if between `alpha` and `beta`.

        Beyond them it is a bound. A win is worth `WIN` less the turns until then, also those of the turn begun.

        :raises Halted: `halted` has become true.
        """
        self._halted = halted
        self._line.clear()
        self._recurs_from = _NEVER
        return self._look(position, depth, alpha, beta, 0)

    def _look(self, position: Position, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The same in the middle of a line; wins count from `ply` 0."""
        self.positions += 1
        if not self.positions % _BETWEEN_LOOKS and self._halted():
            raise Halted
        if position.ended is not None:
            return _end(position, ply)
        begins = position.phase not in MID_TURN
        if begins:
            if can_drop_a_line(position):
                return WIN - ply - 1
            if depth <= 0:
                return standing(position)
        if self._may_recur and position in self._line:
            self._recurs_from = min(self._recurs_from, self._line[position])
            return 0
        known = self._new.get(position) or self._old.get(position)
        if known is not None and known.depth >= depth:
            worth = _moved(known.worth, -ply)
            if (
                known.kind == _EXACT
                or (known.kind == _AT_LEAST and worth >= beta)
                or (known.kind == _AT_MOST and worth <= alpha)
            ):
                return worth
        return self._look_at_moves(position, depth, alpha, beta, ply, known.move if known else None)

    def _look_at_moves(
        self, position: Position, depth: int, alpha: int, beta: int, ply: int, first: Move | None
    ) -> int:
        recurred_from, self._recurs_from = self._recurs_from, _NEVER
        place = len(self._line)
        if self._may_recur:
            self._line[position] = place
        best, best_move, floor = -_NEVER, None, alpha
        for _, _, move, after in self._ordered(position, first):
            over = after.phase not in MID_TURN or after.ended is not None
            rest, then = (depth - 1, ply + 1) if over else (depth, ply)
            if after.ended is None and after.turn is position.turn:
                worth = self._look(after, rest, alpha, beta, then)
            else:
                worth = -self._look(after, rest, -beta, -alpha, then)
            if worth > best:
                best, best_move = worth, move
            alpha = max(alpha, best)
            if alpha >= beta:
                which = (position.turn, move)
                self._history[which] = self._history.get(which, 0) + depth * depth
                break
        if self._may_recur:
            del self._line[position]
        if self._recurs_from >= place:  # nothing before this position has to do with it
            kind = _AT_LEAST if best >= beta else _AT_MOST if best <= floor else _EXACT
            self._remember(position, _Known(depth, _moved(best, ply), kind, best_move))
            self._recurs_from = _NEVER
        self._recurs_from = min(self._recurs_from, recurred_from)
        return best

    def _ordered(self, position: Position, first: Move | None) -> list[tuple[int, int, Move, Position]]:
        """The moves and what they lead to, the most promising ones first; only the winning one if there is one."""
        found = []
        turn, history = position.turn, self._history
        for number, move in enumerate(position.legal_moves):
            after = position.play(move)
            ended = after.ended
            if ended is not None and ended.winner is turn:
                return [(0, 0, move, after)]
            if move == first:
                worth = _NEVER
            else:
                worth = history.get((turn, move), 0) * 16
                column = getattr(move, "column", 0)
                worth -= int(abs(column - self._middle) * 2)
            found.append((-worth, number, move, after))
        found.sort(key=lambda each: each[:2])
        return found

    def _remember(self, position: Position, known: _Known) -> None:
        if len(self._new) >= self._most:
            self._old, self._new = self._new, {}
        self._new[position] = known


def _end(position: Position, ply: int) -> int:
    assert position.ended is not None
    winner = position.ended.winner
    if winner is None:
        return 0
    return WIN - ply if winner is position.turn else ply - WIN


def _moved(worth: int, plies: int) -> int:
    """A worth as it is seen so many plies later in the line."""
    if worth > PROVED:
        return worth + plies
    if worth < -PROVED:
        return worth - plies
    return worth
