"""What each legal move is worth, better known as time goes on; and where a game went wrong."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping
from time import monotonic
from typing import NamedTuple, Protocol

from popout.opponent.estimates import ALL_MOVES, ended, estimate_of, estimates_of
from popout.opponent.general.search import MID_TURN
from popout.opponent.general.standing import standing
from popout.opponent.halting import watched
from popout.opponent.kernel.shape import MOST_PLIES, shape_of
from popout.opponent.solver import MIB, Solver
from popout.opponent.verdicts import Analysis, Verdict, Worth, before, unknown
from popout.rules import Game, Move, Position, RuleSet

MEMORY = 64 * MIB
SOLVERS_PART = 3 / 4
"""Of the memory; the rest is for estimates."""
FIRST_GUESSES = 2
"""Turns that are looked ahead before anything else is done."""
SOLVERS_TIME = 2
"""How much longer the solver may take than the estimates."""
MOST_CELLS_OF_A_GRAPH = 12
"""A larger grid has too many positions for a game that only the rules core knows."""
SHORTEST_SLICE_S, LONGEST_SLICE_S = 0.1, 2.0
"""How long the solver works before somebody hears of it."""
SEEMS_WORSE = 0.35
"""A move that seems worse than the best one by so much seems to be a mistake."""


class Book(Protocol):
    """What is known of some positions of a game beforehand."""

    def verdicts(self, position: Position) -> Mapping[Move, Verdict] | None:
        """What the legal moves are worth, all or some of them; None if the position is not in the book."""
        ...


def analyse(
    position: Position,
    *,
    seconds: float | None,
    memory: int = MEMORY,
    stop: Callable[[], bool],
    book: Book | None = None,
) -> Iterator[Analysis]:
    """What every legal move of a position is worth: at once a first guess, then whenever something is better known.

    Ends when all is proved, `seconds` are over (None: as long as it is asked for more) or `stop` has become true.

    :param memory: bytes that may be used, about.
    :raises NotEnoughMemory: that is too little, or it cannot be had.
    """
    return Analyst(position.rules, memory=memory, book=book).analyse(position, seconds=seconds, stop=stop)


class Analyst:
    """Analyses positions of one game, and remembers from one what serves for the next.

    :ivar guesses: of the position that was analysed last, what each move seems to be worth in a look ahead, whatever
        else is known of it: not all draws are as hard for the other side.

    :raises NotEnoughMemory: `memory` (bytes) is too little, or cannot be had.
    """

    def __init__(self, rules: RuleSet, *, memory: int = MEMORY, book: Book | None = None) -> None:
        for_solver = int(memory * SOLVERS_PART)
        # A core is left for the lights.
        self._solver = Solver(rules, memory=for_solver, cores=max(1, (os.cpu_count() or 1) - 1))
        self._estimates = estimates_of(rules, memory - for_solver)
        self._book = book
        self.guesses: Mapping[Move, float] = {}
        self._step_by_step = shape_of(rules) is not None and self._solver.memory >= for_solver
        self._at_once = self._solver.memory < for_solver or rules.columns * rules.rows <= MOST_CELLS_OF_A_GRAPH

    def analyse(
        self, position: Position, *, seconds: float | None, stop: Callable[[], bool], margin: float = ALL_MOVES
    ) -> Iterator[Analysis]:
        """See `popout.opponent.analysis.analyse`.

        :param margin: a move that seems worse than another by so much need not be known any better.
        """
        deadline = math.inf if seconds is None else monotonic() + seconds
        counted = self.positions
        found = Findings(position)
        self.guesses = found.guesses
        if self._book is not None:
            found.prove(self._book.verdicts(position) or {})
        solving = _Pace(FIRST_GUESSES + 1, self._step_by_step or self._at_once)
        estimating = _Pace(1, goes_on=True)
        while True:
            final = found.all_proved or not (solving.goes_on or estimating.goes_on)
            if found.is_new or final:
                yield found.analysis(self.positions - counted, final=final)
            began = monotonic()
            if final or began >= deadline or stop():
                break
            if self._is_solvers_turn(solving, estimating):
                self._solve(found, solving, deadline, stop)
                solving.spent += monotonic() - began
            else:
                self._estimate(found, estimating, margin, lambda: monotonic() >= deadline or stop())
                estimating.spent += monotonic() - began

    @property
    def positions(self) -> int:
        """How many positions were looked at so far."""
        return self._solver.positions + self._estimates.positions

    def _is_solvers_turn(self, solving: _Pace, estimating: _Pace) -> bool:
        if not (solving.goes_on and estimating.goes_on):
            return solving.goes_on
        # The first guesses are cheap.
        return estimating.plies > FIRST_GUESSES and solving.spent <= SOLVERS_TIME * estimating.spent

    def _solve(self, found: Findings, pace: _Pace, deadline: float, stop: Callable[[], bool]) -> None:
        now = monotonic()
        if not self._step_by_step:
            part = math.inf if deadline == math.inf else now + (deadline - now) * SOLVERS_TIME / (SOLVERS_TIME + 1)
            with watched(stop, self._solver.stop):
                found.prove(self._solver.moves(found.position, deadline=None if part == math.inf else part))
            pace.goes_on = False
            return
        with watched(stop, self._solver.stop):
            proved = self._solver.moves(
                found.position, most_plies=pace.plies, deadline=min(deadline, now + pace.slice_s)
            )
        found.prove(proved)
        if all(each.worth is not Worth.UNKNOWN or each.searched >= pace.plies for each in proved.values()):
            pace.plies += 1
            pace.goes_on = pace.plies <= MOST_PLIES
        else:
            pace.slice_s = min(2 * pace.slice_s, LONGEST_SLICE_S)

    def _estimate(self, found: Findings, pace: _Pace, margin: float, halted: Callable[[], bool]) -> None:
        guessed = self._estimates.of_moves(found.position, pace.plies, halted, margin)
        if guessed is not None:
            found.guess(guessed)
            pace.plies += 1
            pace.goes_on = pace.plies <= self._estimates.deepest


class _Pace:
    """How far a way to find out has come, and how long it took."""

    def __init__(self, plies: int, goes_on: bool) -> None:
        self.plies = plies
        self.spent = 0.0
        self.slice_s = SHORTEST_SLICE_S
        self.goes_on = goes_on


class Findings:
    """What is known of the moves of a position.

    :ivar guesses: what each move seemed to be worth in the last look ahead, also if more is known of it.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self._verdicts = {move: glance(position, move) for move in position.legal_moves}
        self.guesses = {move: each.estimate for move, each in self._verdicts.items()}
        self.is_new = True

    @property
    def all_proved(self) -> bool:
        """Whether nothing is left to be found out."""
        return all(each.worth is not Worth.UNKNOWN for each in self._verdicts.values())

    def prove(self, verdicts: Mapping[Move, Verdict]) -> None:
        """Learn what a solver or a book says, who guess nothing."""
        for move, verdict in verdicts.items():
            had = self._verdicts[move]
            if verdict.worth is Worth.UNKNOWN:
                verdict = verdict._replace(estimate=had.estimate, searched=max(verdict.searched, had.searched))
                if had.worth is not Worth.UNKNOWN:
                    continue
            self._learn(move, verdict)

    def guess(self, verdicts: Mapping[Move, Verdict]) -> None:
        """Learn what a look ahead says, which proves only what is near."""
        for move, verdict in verdicts.items():
            had = self._verdicts[move]
            self.guesses[move] = verdict.estimate
            if had.worth is Worth.UNKNOWN:
                if verdict.worth is Worth.UNKNOWN:
                    verdict = verdict._replace(searched=max(verdict.searched, had.searched))
                self._learn(move, verdict)

    def analysis(self, positions: int, *, final: bool) -> Analysis:
        """All that is known by now."""
        self.is_new = False
        best = best_of(self._verdicts) if self._verdicts else of_end(self.position)
        return Analysis(dict(self._verdicts), best, positions, final)

    def _learn(self, move: Move, verdict: Verdict) -> None:
        if verdict != self._verdicts[move]:
            self._verdicts[move] = verdict
            self.is_new = True


def glance(position: Position, move: Move) -> Verdict:
    """What a move seems to be worth without a look ahead."""
    after = position.play(move)
    if after.ended is not None:
        return ended(position, after)
    there = estimate_of(standing(after))
    return Verdict(Worth.UNKNOWN, None, there if after.turn is position.turn else -there)


def of_end(position: Position) -> Verdict:
    """What a position is worth in which the game is over, to the side whose turn it would be."""
    assert position.ended is not None
    winner = position.ended.winner
    if winner is None:
        return Verdict(Worth.DRAW, 0)
    return Verdict(Worth.WIN, 0, 1.0) if winner is position.turn else Verdict(Worth.LOSS, 0, -1.0)


def best_of(moves: Mapping[Move, Verdict]) -> Verdict:
    """What a position is worth if its legal moves are worth this."""
    worths = {each.worth for each in moves.values()}
    if Worth.WIN in worths or worths == {Worth.LOSS}:
        return max(moves.values(), key=goodness)
    if Worth.UNKNOWN not in worths:
        return next(each for each in moves.values() if each.worth is Worth.DRAW)
    # A loss is no move to be made, and a draw is one.
    open_ones = [each for each in moves.values() if each.worth is Worth.UNKNOWN]
    guess = max(each.estimate for each in moves.values())
    return unknown(min(each.searched for each in open_ones))._replace(estimate=guess)


def goodness(verdict: Verdict) -> tuple[float, int]:
    """The greater, the rather one would make a move of this verdict: to win soon, to lose late."""
    plies = verdict.plies or 0
    return verdict.estimate, -plies if verdict.worth is Worth.WIN else plies


# Games


class Judged(NamedTuple):
    """A move of a game, and what else could have been done.

    :ivar ply: the number of the move, from 1. :ivar made: what the move was worth to the one who made it.
    :ivar best: what the position before it was worth to the same side. :ivar better: the best moves, if it was none.
    """

    ply: int
    move: Move
    made: Verdict
    best: Verdict
    better: tuple[Move, ...]

    @property
    def is_mistake(self) -> bool:
        """Whether it is proved that the move gave something away: a win, or a draw."""
        return _RANKS[self.made.worth] < _RANKS[self.best.worth] and Worth.UNKNOWN not in (
            self.made.worth,
            self.best.worth,
        )

    @property
    def seems_a_mistake(self) -> bool:
        """Whether nothing is proved, but the move seems to be much worse than another."""
        return (
            not self.is_mistake
            and Worth.UNKNOWN in (self.made.worth, self.best.worth)
            and self.best.estimate - self.made.estimate >= SEEMS_WORSE
        )


def analyse_game(
    game: Game,
    *,
    seconds: float | None,
    memory: int = MEMORY,
    stop: Callable[[], bool],
    book: Book | None = None,
) -> Iterator[Judged]:
    """What the moves of a game were worth, the last one first: what is known of the end helps with what led there.

    :param seconds: for each move. :param memory: bytes that may be used, about.
    :raises NotEnoughMemory: that is too little, or it cannot be had.
    """
    analyst = Analyst(game.rules, memory=memory, book=book)
    after_it = of_end(game.position) if game.position.ended is not None else unknown()
    for ply in range(len(game.moves), 0, -1):
        position, move = game.positions[ply - 1], game.moves[ply - 1]
        *_, last = analyst.analyse(position, seconds=seconds, stop=stop)
        if stop():
            return
        moves = dict(last.moves)
        if moves[move].worth is Worth.UNKNOWN:
            moves[move] = _with_hindsight(game, ply, moves[move], after_it)
        best = best_of(moves)
        most = max(map(goodness, moves.values()))
        better = tuple(each for each, verdict in moves.items() if goodness(verdict) == most)
        yield Judged(ply, move, moves[move], best, () if move in better else better)
        after_it = best


def _with_hindsight(game: Game, ply: int, verdict: Verdict, after_it: Verdict) -> Verdict:
    """What move number `ply` was worth, knowing what the position after it is worth."""
    position, after = game.positions[ply - 1], game.positions[ply]
    if after_it.worth is Worth.UNKNOWN:
        return verdict
    return before(
        after_it,
        same_side=after.turn is position.turn,
        same_turn=after.ended is None and after.phase in MID_TURN,
    )


_RANKS = {Worth.LOSS: 0, Worth.DRAW: 1, Worth.UNKNOWN: 1, Worth.WIN: 2}
