"""Every position of a small game as a graph, worked out from the end on the rules core: any game, any options."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import Final

from popout.opponent.verdicts import DRAWN, Verdict, lost_in, won_in
from popout.rules import Phase, Position

POSITION_BYTES: Final = 700
"""Memory that a position of the graph takes, with the ways to it; measured for the game that takes most."""
BREATHER: Final = 256
"""Positions between two looks at whether to stop."""
MID_TURN: Final = (Phase.BOMB, Phase.WALL, Phase.DOUBLE)
"""What a side is asked for in the middle of a turn. In Pop 10 each pop and each put-back counts as a turn."""

_OPEN, _WON, _LOST = 0, 1, 2


def is_mid_turn(position: Position) -> bool:
    """Whether the side to move has begun its turn with an earlier step."""
    return position.ended is None and position.phase in MID_TURN


class Graph:
    """What each position is worth that can be reached from one.

    Endless play is a draw: nobody has won by then.

    :param most: positions that it may have. :param is_over: asked now and then, and told how many there
        are so far; if it says yes, the work ends.
    """

    def __init__(self, start: Position, most: int, is_over: Callable[[int], bool] = lambda _: False) -> None:
        self._numbers: dict[Position, int] = {start: 0}
        self._worth = bytearray()
        self._turns = array("l")
        # For each position those from which a step leads to it: four times their number, and two more if the same side
        # is to move after it, one more if it ends the turn.
        self._steps: list[array[int]] = []
        # For each position, of how many of its steps it is not known that they lose.
        self._open = array("l")
        # The positions where somebody has won, and whether it is the side that would be to move.
        self._ends: list[tuple[int, bool]] = []
        self.is_complete = self._explore(start, most, is_over)
        if self.is_complete:
            self._solve()

    @property
    def positions(self) -> int:
        """How many there are."""
        return len(self._numbers)

    def __iter__(self) -> Iterator[Position]:
        return iter(self._numbers)

    def verdict(self, position: Position) -> Verdict | None:
        """What a position is worth; None if it is not in the graph, or the graph is not complete."""
        number = self._numbers.get(position) if self.is_complete else None
        if number is None:
            return None
        if self._worth[number] == _OPEN:
            return DRAWN
        turns = self._turns[number]
        return won_in(turns) if self._worth[number] == _WON else lost_in(turns)

    def _explore(self, start: Position, most: int, is_over: Callable[[int], bool]) -> bool:
        found = [start]
        self._steps.append(array("l"))
        for number, position in enumerate(found):  # grows while it is walked
            if len(found) > most or (number % BREATHER == 0 and is_over(len(found))):
                return False
            moves = position.legal_moves
            self._open.append(len(moves))
            for move in moves:
                after = position.play(move)
                at = self._numbers.setdefault(after, len(found))
                if at == len(found):
                    found.append(after)
                    self._steps.append(array("l"))
                same_side = after.turn is position.turn
                ends_turn = not is_mid_turn(after)
                self._steps[at].append(number << 2 | same_side << 1 | ends_turn)
        self._worth = bytearray(len(found))
        self._turns = array("l", bytes(self._turns.itemsize * len(found)))
        self._ends = [
            (number, position.ended.winner is position.turn)
            for number, position in enumerate(found)
            if position.ended and position.ended.winner
        ]
        return True

    def _solve(self) -> None:
        """Decide position after position, those first that are nearest to their end.

        The winner hurries: the first way to a win that is found is the shortest. The loser delays: a position is lost
        when the last of its steps is, and as late as the slowest of them.
        """
        layers: list[list[tuple[int, int]]] = [[(number, _WON if won else _LOST) for number, won in self._ends]]
        longest = array("l", bytes(self._turns.itemsize * len(self._worth)))
        for turns, layer in enumerate(layers):  # both grow while they are walked
            for number, worth in layer:
                if self._worth[number] != _OPEN:
                    continue
                self._worth[number] = worth
                self._turns[number] = turns
                for step in self._steps[number]:
                    earlier, then = step >> 2, turns + (step & 1)
                    if self._worth[earlier] != _OPEN:
                        continue
                    if (worth == _WON) == bool(step & 2):
                        _put(layers, then, earlier, _WON)
                        continue
                    self._open[earlier] -= 1
                    longest[earlier] = max(longest[earlier], then)
                    if self._open[earlier] == 0:
                        _put(layers, longest[earlier], earlier, _LOST)


def _put(layers: list[list[tuple[int, int]]], turns: int, number: int, worth: int) -> None:
    while len(layers) <= turns:
        layers.append([])
    layers[turns].append((number, worth))
