"""A game: a position, the moves that led there, and what only a whole game knows (repetitions, agreements)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from popout.rules.errors import GameOver, IllegalMove
from popout.rules.messages import Message, excerpt
from popout.rules.moves import Move
from popout.rules.outcome import Outcome, Termination
from popout.rules.phases import Phase
from popout.rules.pop10 import first_popper
from popout.rules.position import Position
from popout.rules.ruleset import RuleSet
from popout.rules.side import Side

# A put-back is a move of its own, as records of Pop 10 have it; a power disc and its follow-up are one turn.
_MID_TURN = (Phase.BOMB, Phase.WALL, Phase.DOUBLE)


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
    def turns(self) -> int:
        """How many turns have been taken: a power disc and the step that follows it are one, a put-back is its own."""
        return _turns(self.positions)

    @property
    def repetitions(self) -> int:
        """How often the position now has stood in this game, this time included.

        Two positions are the same if the same can happen in them: discs, side to move, phase, discs kept and in hand.
        """
        return self.positions.count(self.position)

    @property
    def passed(self) -> Side | None:
        """The side that was just passed over because it could not move; None if the turn simply changed or goes on."""
        if not self.moves or self.outcome:
            return None
        before, after = self.positions[-2:]
        side = before.turn
        if after.phase.follows or after.kept(side) > before.kept(side):
            return None
        filled = before.phase is Phase.FILL and after.phase is Phase.POP
        following = first_popper(self.rules, side) if filled else side.other
        return None if after.turn is following else following

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on. A game ends once, at the first end that it reached."""
        times = self.repetitions if self.rules.repetition else 1
        return self.agreed or _outcome(self.position, times, self.turns if self.rules.move_cap else 0)

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
        turns = self.turns
        try:
            for move in moves:
                if self.agreed or _outcome(position, times[position] if counting else 1, turns):
                    raise _game_over()
                position = position.play(move)
                turns += positions[-1].phase not in _MID_TURN
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


def _outcome(position: Position, times: int, turns: int) -> Outcome | None:
    """How a game has ended in which `position` now stands for the `times`-th time after so many turns."""
    rules = position.rules
    if position.ended is not None:
        return position.outcome
    if position.phase in _MID_TURN:
        return None  # a turn is judged when it is over
    if rules.repetition and times >= rules.repetition:
        return Outcome(Termination.REPETITION)
    if rules.move_cap and turns >= rules.move_cap:
        return Outcome(Termination.MOVE_CAP)
    return None


def _turns(positions: tuple[Position, ...]) -> int:
    """How many of the moves from `positions` on began a turn."""
    if positions[0].extra is None:
        return len(positions) - 1
    return sum(position.phase not in _MID_TURN for position in positions[:-1])


def _game_over() -> GameOver:
    return GameOver(Message("The game is over. Start a new game to play on."))
