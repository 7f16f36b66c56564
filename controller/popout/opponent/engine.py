"""The engine of the opponent's own process: a player for everybody who is played for, and the analysis."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from popout.opponent.analysis import analyse
from popout.opponent.levels import LEVELS
from popout.opponent.player import Player
from popout.opponent.verdicts import Analysis
from popout.rules import Drop, Game, Move, Position, RuleSet

FOR_COMPILING = ("popout 7x6", "standard 7x6", "popout 4x4", "standard 4x4", "pop10 7x6", "power 7x6", "popout 9x8")
"""Games that between them use all of the kernel."""


def compile_all() -> None:
    """Have everything compiled that thinking about any game needs; at once where it was compiled here before."""
    for rules in FOR_COMPILING:
        game = Game.start(RuleSet.parse(rules)).play(Drop(2))
        for level in LEVELS[::-1]:
            Player(level).choose(game.position, seconds=0.05)


class Players:
    """See `popout.opponent.worker.Engine`. A player stays the same one for as long as its level does."""

    def __init__(self) -> None:
        self._players: dict[str, Player] = {}
        self._thinking: dict[str, threading.Lock] = {}
        self._looking = threading.Lock()

    def choose(
        self, position: Position, level: int, player: str, seconds: float | None, stop: Callable[[], bool]
    ) -> Move:
        """The move that the `player`, who has this level (its number), makes."""
        with self._looking:
            known = self._players.get(player)
            if known is None or known.level.number != level:
                known = self._players[player] = Player(LEVELS[level - 1])
            thinking = self._thinking.setdefault(player, threading.Lock())
        # Its thoughts about what it was asked before may need a moment to stop.
        with thinking:
            return known.choose(position, seconds=seconds, stop=stop)

    def analyse(self, position: Position, seconds: float | None, stop: Callable[[], bool]) -> Iterator[Analysis]:
        """What the moves are worth, again and again and better known each time."""
        return analyse(position, seconds=seconds, stop=stop)
