"""A game: a position, the moves that led there, and what only a whole game knows (repetitions, agreements)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from popout.rules.errors import GameOver, IllegalMove
from popout.rules.messages import Message, excerpt
from popout.rules.moves import Move
from popout.rules.outcome import Outcome, Termination
from popout.rules.position import Position
from popout.rules.ruleset import RuleSet
from popout.rules.side import Side


class NothingToTakeBack(IllegalMove):
    """There are not so many moves to take back."""

    code = "nothing-to-take-back"


@dataclass(frozen=True, slots=True)
class Game:
    """A value like a position: `play` gives the next one, `take_back` is going back to the earlier one.

    :ivar positions: every position, the first one included; one more than moves.
    :ivar moves: the moves from the first position on.
    :ivar agreed: the end that the players made themselves, None while they have not.
    """

    positions: tuple[Position, ...]
    moves: tuple[Move, ...] = ()
    agreed: Outcome | None = None

    @classmethod
    def start(cls, rules: RuleSet) -> Game:
        """A game from its beginning."""
        return cls((Position.start(rules),))

    @classmethod
    def from_position(cls, position: Position) -> Game:
        """A game from a position that was set up."""
        return cls((position,))

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self.position.rules

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    @property
    def turn(self) -> Side | None:
        """The side to move; None after the end."""
        return None if self.outcome else self.position.turn

    def mover(self, ply: int) -> Side:
        """The side that made move number `ply`, from 1."""
        return self.positions[ply - 1].turn

    @property
    def repetitions(self) -> int:
        """How often the position now has stood in this game, this time included.

        Two positions are the same if discs, side to move and discs in hand are.
        """
        return self.positions.count(self.position)

    @property
    def passed(self) -> Side | None:
        """The side that was just passed over because it could not move; None if the turn simply changed."""
        if not self.moves or self.outcome or self.position.turn is not self.positions[-2].turn:
            return None
        return self.position.turn.other

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on. A game ends once, at the first end that it reached."""
        times = self.repetitions if self.rules.repetition else 1
        return self.agreed or _outcome(self.position, times, len(self.moves))

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move; empty after the end."""
        return () if self.outcome else self.position.legal_moves

    def play(self, move: Move) -> Game:
        """The game after `move`.

        :raises IllegalMove: the move is not allowed here; nothing has changed.
        """
        self._check_not_over()
        return Game((*self.positions, self.position.play(move)), (*self.moves, move))

    def play_all(self, moves: Iterable[Move]) -> tuple[Game, IllegalMove | None]:
        """The game after as many of `moves` as are legal, and what is wrong with the next one; None if all were.

        The same as `play` for one after the other, without a copy of the whole game at every move.
        """
        positions, played, problem = list(self.positions), list(self.moves), None
        position, counting = self.position, self.rules.repetition > 0
        times = Counter(positions if counting else ())
        try:
            for move in moves:
                if self.agreed or _outcome(position, times[position] if counting else 1, len(played)):
                    raise _game_over()
                position = position.play(move)
                positions.append(position)
                played.append(move)
                if counting:
                    times[position] += 1
        except IllegalMove as error:
            problem = error
        return Game(tuple(positions), tuple(played), self.agreed), problem

    def take_back(self, count: int = 1) -> Game:
        """The game as it was `count` moves ago, also back from its end.

        An end that the players made themselves is taken back first and counts as one.

        :raises NothingToTakeBack: there were fewer moves.
        """
        if not count:
            return self
        kept = len(self.moves) - (count - 1 if self.agreed else count)
        if not 0 <= kept <= len(self.moves):
            raise NothingToTakeBack(
                Message(
                    "Only one move can be taken back, not {wanted}.",
                    plural="Only {count} moves can be taken back, not {wanted}.",
                    count=len(self.moves),
                    wanted=excerpt(count),
                )
                if self.moves
                else Message("There is no move to take back: the game is at its beginning.")
            )
        return Game(self.positions[: kept + 1], self.moves[:kept])

    def agree_draw(self) -> Game:
        """The game after both players agreed on a draw.

        :raises GameOver: it has ended already.
        """
        self._check_not_over()
        return replace(self, agreed=Outcome(Termination.AGREED))

    def resign(self, side: Side) -> Game:
        """The game after `side` gave up.

        :raises GameOver: it has ended already.
        """
        self._check_not_over()
        return replace(self, agreed=Outcome(Termination.RESIGNED, side.other))

    def _check_not_over(self) -> None:
        if self.outcome:
            raise _game_over()


def _outcome(position: Position, times: int, moves: int) -> Outcome | None:
    """How a game has ended in which `position` now stands for the `times`-th time after so many moves."""
    rules = position.rules
    if position.ended is not None:
        return position.outcome
    if rules.repetition and times >= rules.repetition:
        return Outcome(Termination.REPETITION)
    if rules.move_cap and moves >= rules.move_cap:
        return Outcome(Termination.MOVE_CAP)
    return None


def _game_over() -> GameOver:
    return GameOver(Message("The game is over. Start a new game to play on."))
