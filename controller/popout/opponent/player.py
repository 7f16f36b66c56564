"""An opponent of one of the ten levels: it chooses a move."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from time import monotonic

from popout.opponent.analysis import Analyst, Book, glance, goodness
from popout.opponent.estimates import Estimates, estimate_of, estimates_of
from popout.opponent.general.standing import standing
from popout.opponent.levels import Level
from popout.opponent.sight import Sight, dangers, winning_moves
from popout.opponent.verdicts import Verdict, Worth
from popout.rules import Message, Move, Position, RuleSet
from popout.rules.errors import GameOver

MEMORY = 64 << 20
LITTLE_MEMORY = 16 << 20
"""Bytes that levels take which only look ahead."""
REMEMBERED = 400
"""Positions after own moves."""
NEARLY = 0.1
"""The highest level does not care how much worse a move is that seems worse by so much."""
OFTEN = 2
"""A position that has stood so often leads nowhere."""
SURE = 6
"""What is worse by so many wobbles is never thought to be better."""
NOT_SURE, NOWHERE = -0.02, -0.03
"""What an open game and one that goes in circles are worth less than a draw."""
CERTAIN, PER_TURN = 2.0, 0.01
"""How much more a proved win or loss is than any estimate, and what a turn until then takes off."""
RATHER_OPEN = 0.5
"""What is not known is preferred to a draw if it seems to be worth so much."""


class Player:
    """Somebody to play against. It remembers the game it is in: what it overlooked, and how often a position stood.

    :param seed: two players of one level and seed choose the same, as long as they have time enough.
    :param book: what the highest level knows beforehand.
    """

    def __init__(self, level: Level, seed: int | None = None, book: Book | None = None) -> None:
        self.level = level
        self._chance = random.Random(seed)
        self._book = book
        self._rules: RuleSet | None = None
        self._overlooked = False
        self._stood: Counter[Position] = Counter()
        self._estimates: Estimates | None = None
        self._analyst: Analyst | None = None

    def choose(
        self, position: Position, *, seconds: float | None = None, stop: Callable[[], bool] = lambda: False
    ) -> Move:
        """The move that it makes; some legal one if `stop` becomes true before it has made up its mind.

        :param seconds: how long it may think; None for as long as its level does.
        :raises GameOver: there is no move to make. :raises NotEnoughMemory: there is not as much as it needs.
        """
        if not position.legal_moves:
            raise GameOver(Message("The game is over. Start a new game to play on."))
        if position.rules != self._rules:
            self._rules = position.rules
            self._overlooked, self._estimates, self._analyst = False, None, None
            self._stood.clear()
        seconds = self.level.seconds if seconds is None else seconds
        if len(position.legal_moves) == 1:
            move = position.legal_moves[0]
        elif self.level.proves:
            move = self._best(position, seconds, stop)
        else:
            move = self._human(position, monotonic() + seconds, stop)
        if len(self._stood) >= REMEMBERED:
            self._stood.clear()
        self._stood[position.play(move)] += 1
        return move

    # The highest level

    def _best(self, position: Position, seconds: float, stop: Callable[[], bool]) -> Move:
        """What is proved to be best; where nothing is, what seems so."""
        if self._analyst is None:
            self._analyst = Analyst(position.rules, memory=MEMORY, book=self._book)
        known: dict[Move, Verdict] = {}
        for analysis in self._analyst.analyse(position, seconds=seconds, stop=stop, margin=NEARLY):
            known = dict(analysis.moves)
            if _is_decided(known.values()):
                break
        guesses = self._analyst.guesses

        def how_good(move: Move) -> tuple[float, int, float, float]:
            return *self._worth(position, move, known[move]), guesses[move], self._chance.random()

        return max(known, key=how_good)

    def _worth(self, position: Position, move: Move, verdict: Verdict) -> tuple[float, int]:
        """How good a move is to be made, whatever is known of it."""
        if verdict.worth is Worth.UNKNOWN:
            if self._leads_nowhere(position, move):
                return NOWHERE, 0
            if verdict.estimate >= RATHER_OPEN:
                return verdict.estimate, 0
            # A sure draw is better than what may be lost.
            return min(verdict.estimate, 0) + NOT_SURE, 0
        return goodness(verdict)

    def _leads_nowhere(self, position: Position, move: Move) -> bool:
        return self._stood[position.play(move)] >= OFTEN

    # All others

    def _human(self, position: Position, deadline: float, stop: Callable[[], bool]) -> Move:
        """What seems best to somebody who may overlook something, but never in two turns running."""
        hidden = self._not_seen()
        self._overlooked = False
        moves = set(position.legal_moves)
        unseen: set[Move] = set()
        if self.level.overlooks:
            wins = winning_moves(position)
            if wins and Sight.OWN_WIN not in hidden:
                return self._chance.choice(list(wins))
            if wins and len(wins) < len(moves):
                moves -= wins.keys()
                self._overlooked = True
            threatened = {move: dangers(position, move) for move in moves}
            seen = {move for move, kinds in threatened.items() if kinds - hidden}
            unseen = {move for move, kinds in threatened.items() if kinds and not kinds - hidden}
            moves = moves - seen or moves
        values = self._values(position, moves - unseen, deadline, stop)
        values |= {move: self._at_a_glance(position, move) for move in unseen & moves}
        # In the order of the legal moves, so that the same seed gives the same game.
        wobbling = {
            move: values[move] + self._chance.gauss(0, self.level.wobble)
            for move in position.legal_moves
            if move in values
        }
        chosen = max(wobbling, key=wobbling.__getitem__)
        self._overlooked |= chosen in unseen
        return chosen

    def _not_seen(self) -> set[Sight]:
        """What it does not see in this turn, if it is there."""
        hidden = {kind for kind, chance in self.level.overlooks.items() if self._chance.random() < chance}
        return set() if self._overlooked else hidden

    def _values(
        self, position: Position, moves: set[Move], deadline: float, stop: Callable[[], bool]
    ) -> dict[Move, float]:
        """What moves seem to be worth, after a look as deep as the level's."""
        values = {move: self._at_a_glance(position, move) for move in moves}
        if not self.level.plies or not moves:
            return values
        if self._estimates is None:
            self._estimates = estimates_of(position.rules, LITTLE_MEMORY)
        for plies in range(1, self.level.plies + 1):
            looked = self._estimates.of_moves(
                position, plies, lambda: monotonic() >= deadline or stop(), margin=SURE * self.level.wobble
            )
            if looked is None:
                break
            values = {move: self._seen(position, move, looked[move]) for move in moves}
            if _is_decided(looked[move] for move in moves):
                break
        return values

    def _seen(self, position: Position, move: Move, verdict: Verdict) -> float:
        """A verdict as a number: a near win is better than a far one, a far loss better than a near one."""
        if verdict.worth is Worth.UNKNOWN:
            return 0.0 if verdict.estimate > 0 and self._leads_nowhere(position, move) else verdict.estimate
        further = 0 if verdict.plies is None else PER_TURN * verdict.plies
        return verdict.estimate * (CERTAIN - further)

    def _at_a_glance(self, position: Position, move: Move) -> float:
        if position.play(move).ended is not None:
            return estimate_of(standing(position))  # it does not see that this would be the end
        return glance(position, move).estimate


def _is_decided(verdicts: Iterable[Verdict]) -> bool:
    """Whether nobody needs to look any further: there is a win, or only one move that does not lose."""
    worths = [verdict.worth for verdict in verdicts]
    return Worth.WIN in worths or len(worths) - worths.count(Worth.LOSS) == 1
