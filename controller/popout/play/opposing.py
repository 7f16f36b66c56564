"""A desk at which a side may be played by an opponent that is no person. Pure.

The opponent has no hands: what it has chosen is shown, and a hand makes that move, and no other. What it is to think
about is a `Question`; whoever has the answer gives it to `DeskWithOpponent.answered`, which drops it where the question
is no longer asked. See `popout.play.opponents` for who does.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from popout.board.layout import Layout
from popout.opponent.levels import level_called
from popout.play.desk import Desk
from popout.record.journal import Entry, Kind, Levels, Source
from popout.rules import (
    RED,
    YELLOW,
    Drop,
    Game,
    IllegalMove,
    Message,
    Move,
    Pop,
    Power,
    PowerDisc,
    Reason,
    Side,
    describe,
    parse_move,
)
from popout.rules.game import NothingToTakeBack
from popout.rules.messages import N_

USUAL_LEVEL = 3
"""That of an opponent of whom nobody has said how good it is to be."""


@dataclass(frozen=True, slots=True)
class Question:
    """Which move to make in a game.

    :ivar level: for an opponent of this level; None for a person, who wants to see the best.
    """

    game: Game
    level: int | None


@dataclass(frozen=True, slots=True)
class Chosen:
    """A move that was chosen and is shown.

    :ivar side: whose move it is. :ivar hint: whether it is only shown to a person, who may make another one.
    :ivar since: in milliseconds.
    """

    move: Move
    side: Side
    since: float
    hint: bool = False


class OpponentsTurn(IllegalMove):
    """The side to move is played by the opponent, which has not chosen this move."""

    code = "opponents-turn"


class DeskWithOpponent(Desk):
    """The desk, and who plays there that is no person.

    :ivar levels: the sides that an opponent plays, and its level.
    :ivar chosen: the move that the opponent has chosen, or the hint; None while there is none to be shown.
    """

    def __init__(self, layout: Layout, game: Game, now: float, levels: Levels) -> None:
        super().__init__(layout, game, now)
        self.levels: Levels = dict(levels)
        self.chosen: Chosen | None = None
        self._hint_wanted = False
        self._last_level = max(levels.values(), default=USUAL_LEVEL)

    @property
    def is_opponents_turn(self) -> bool:
        """Whether the side to move is played by an opponent."""
        return self.game.turn in self.levels

    @property
    def question(self) -> Question | None:
        """What there is to think about now; None if nothing."""
        turn = self.game.turn
        if turn is None or self.chosen is not None:
            return None
        if turn in self.levels:
            return Question(self.game, self.levels[turn])
        return Question(self.game, None) if self._hint_wanted else None

    # Orders

    def seat(self, levels: Levels) -> None:
        """Let an opponent play these sides at these levels, 1 to 10, and people the others.

        :raises UnknownLevel: there is no such level. :raises Busy: a move is being saved.
        """
        for level in levels.values():
            level_called(str(level))
        if levels != self.levels:
            self._propose(Entry.opponent(levels))

    def seat_at_usual_levels(self, sides: Collection[Side]) -> None:
        """Let an opponent play these sides, as good as it was on either side when it last played.

        :raises Busy: a move is being saved.
        """
        self.seat({side: self.levels.get(side, self._last_level) for side in sides})

    def swap_sides(self) -> None:
        """Let each side be played by who has played the other one.

        :raises Busy: a move is being saved.
        """
        self.seat({side.other: level for side, level in self.levels.items()})

    def hint(self, now: float) -> None:
        """Show a good move to the side to move, once it is found, until one is made or a button is pressed.

        :raises IllegalMove: the game is over, or the side to move is played by an opponent.
        """
        self._time_is(now)
        if self.game.outcome:
            raise IllegalMove(Message("The game is over. Start a new game to play on."))
        if self.is_opponents_turn:
            raise OpponentsTurn(Message("It is the opponent's turn, which needs no hint."))
        self._hint_wanted = True
        self.chosen = None
        self.revision += 1

    def take_back(self) -> None:
        """Take back the last move; against an opponent as many as it takes until a person is to move.

        :raises IllegalMove: there is none. :raises Busy: the last one is still being saved.
        """
        self._propose(Entry.take_back(self._moves_back()))

    def arm(self, disc: PowerDisc | None) -> None:
        """Let the next drop be a power disc; see `Desk.arm`.

        :raises IllegalMove: the side to move cannot play it now, or is played by an opponent.
        """
        if self.is_opponents_turn:
            raise OpponentsTurn(Message("It is the opponent's turn, which chooses its discs itself."))
        super().arm(disc)

    def move_at(self, column: int, *, bar_open: bool) -> Drop | Pop | Power:
        """The move that a tap of `column` (of the grid) makes: the opponent's power disc, where it has chosen one."""
        wanted = self.chosen.move if self.chosen and not self.chosen.hint else None
        if isinstance(wanted, Power) and wanted.column == column and not bar_open:
            return wanted
        return super().move_at(column, bar_open=bar_open)

    # What comes of thinking

    def answered(self, question: Question, move: Move, now: float) -> None:
        """Show the move that was chosen; nothing if the question is no longer the one that is asked."""
        self._time_is(now)
        turn = self.game.turn
        if question != self.question or turn is None:
            return
        hint = question.level is None
        self.chosen = Chosen(move, turn, now, hint)
        self._hint_wanted = False
        said = describe(move, self.game.position)
        if hint:
            self._say("info", "hint", Message("A good move: {move}", move=said), now)
        else:
            self._say("info", "opponent-chose", said, now)

    def opponent_gone(self, message: Message, now: float) -> None:
        """There is no opponent any more, as `message` says: people play on for it."""
        self._time_is(now)
        self.levels = {}
        self._forget_chosen()
        self._say("fault", "opponent-gone", message, now)

    def _forget_chosen(self) -> None:
        self.chosen = None
        self._hint_wanted = False
        self.revision += 1

    def _forget_hint(self) -> None:
        """A button was pressed."""
        if self._hint_wanted or (self.chosen and self.chosen.hint):
            self._forget_chosen()

    def let_go(self) -> None:
        """What hands are doing means nothing; see `Desk.let_go`."""
        super().let_go()
        self._forget_hint()

    # What may be done

    def _why_not_chosen(self, move: Move) -> Reason | None:
        """Why a hand may not make this move for the opponent; None if it may, or a person is to move."""
        if not self.is_opponents_turn or (self.chosen and self.chosen.move == move):
            return None
        turn = self.game.position.turn
        if self.chosen is None:
            return Reason(OpponentsTurn.code, Message(_THINKING[turn]))
        wanted = describe(self.chosen.move, self.game.position)
        return Reason(
            OpponentsTurn.code, Message("That is not the move that the opponent has chosen. {move}", move=wanted)
        )

    def _propose(self, entry: Entry) -> None:
        if entry.kind is not Kind.MOVE or not self.is_opponents_turn:
            super()._propose(entry)
            return
        reason = self._why_not_chosen(parse_move(entry.text))
        if reason:
            raise OpponentsTurn(reason.message)
        with self.told_by(Source.OPPONENT):
            super()._propose(entry)

    def _moves_back(self) -> int:
        game = self.game
        if game.agreed or not self.levels or all(side in self.levels for side in Side):
            return 1
        for count in range(1, len(game.moves) + 1):
            if game.positions[-1 - count].turn not in self.levels:
                return count
        raise NothingToTakeBack(Message("There is no move to take back: no person has made one yet."))

    def _happened(self, entry: Entry, before: Game, now: float) -> None:
        if entry.levels is not None:
            turn = before.position.turn
            same = self.levels.get(turn) == entry.levels.get(turn)
            self.levels = entry.levels
            self._last_level = max(self.levels.values(), default=self._last_level)
            if not same:
                self._forget_chosen()
        else:
            self._forget_chosen()
        super()._happened(entry, before, now)
        if entry.kind is Kind.NEW and self.levels:
            # A game's record says by itself who played.
            with self.told_by(entry.source or Source.BOARD):
                self._propose(Entry.opponent(self.levels))


def doing(desk: DeskWithOpponent) -> Message | None:
    """What the opponent does or wants at the moment, or which move was shown; None if nothing of that."""
    chosen, position = desk.chosen, desk.game.position
    if chosen is not None:
        move = describe(chosen.move, position)
        if chosen.hint:
            return Message("A good move: {move}", move=move)
        return Message("{move} Make this move for the opponent: its lamps blink.", move=move)
    return Message(_THINKING[position.turn]) if desk.is_opponents_turn else None


_THINKING = N_(
    {
        RED: "Red is played by the opponent, which is thinking.",
        YELLOW: "Yellow is played by the opponent, which is thinking.",
    }
)
