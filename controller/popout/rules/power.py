"""Power Up: four power discs a side, each played once, with a follow-up step in the same turn.

Source: the rule text, "Power Up".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from popout.rules import judge
from popout.rules.errors import (
    DropFirst,
    NoDiscsLeft,
    NoTarget,
    NothingToPop,
    OwnDisc,
    PopFirst,
    PowerDiscsNotInThisGame,
    PowerDiscUsed,
    WallMayNotWin,
)
from popout.rules.messages import N_, Message
from popout.rules.moves import Drop, Move, Power, PowerDisc
from popout.rules.phases import Phase
from popout.rules.pop10 import fallen
from popout.rules.ruleset import RuleSet
from popout.rules.side import RED, YELLOW

if TYPE_CHECKING:
    from popout.rules.position import Position

_BOMB = frozenset({PowerDisc.BOMB})
FOLLOWING = {PowerDisc.BOMB: Phase.BOMB, PowerDisc.WALL: Phase.WALL, PowerDisc.DOUBLE: Phase.DOUBLE}
"""What a position waits for after a power disc that another step follows."""


class PowerUp(NamedTuple):
    """What Power Up keeps beside the discs on the grid.

    :ivar left: the power discs that the side to move still has, :ivar left_other: those of the other.
    """

    left: frozenset[PowerDisc]
    left_other: frozenset[PowerDisc]
    phase: Phase = Phase.PLAY

    def turned(self) -> PowerUp:
        """The same with the other side to move."""
        return PowerUp(self.left_other, self.left, self.phase)

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """The ordinary moves and the power discs that can be played, or the follow-up steps."""
        rules, grid = position.rules, position.rules.grid
        if self.phase is Phase.BOMB:
            return grid.pops(position.other & grid.bottoms)
        if self.phase is Phase.WALL:
            return _without_line(position)
        moves: tuple[Move, ...] = position.ordinary_moves
        if self.phase is Phase.DOUBLE:
            return tuple(move for move in moves if isinstance(move, Drop))
        left = self.left
        if not position.other & grid.bottoms:
            left -= _BOMB
        powers = grid.powers(left, (position.own | position.other) & grid.tops)
        if not rules.wall_first_may_win and PowerDisc.WALL in left:
            powers = tuple(
                move for move in powers if move.disc is not PowerDisc.WALL or not _makes_line(position, move.column)
            )
        return moves + powers

    def drop(self, position: Position, column: int) -> Position:
        """An ordinary disc, as a turn or as the second disc of a wall or an x2.

        :raises PopFirst: a bomb takes its disc first. :raises WallMayNotWin: the second disc would make a line.
        :raises ColumnFull, NoDiscsLeft, FlankColumn, NoSuchColumn: see `Position.drop`.
        """
        position.playable(column)
        if self.phase is Phase.BOMB:
            raise PopFirst(_BOMB_FIRST[position.turn])
        disc = position.landing(column)
        if not position.may_drop:
            raise NoDiscsLeft(position.no_discs_left)
        own = position.own | disc
        if self.phase is Phase.WALL and position.rules.grid.has_line(own):
            raise WallMayNotWin(
                Message(
                    "The second disc of a wall may not make a line, and in column {column} it would.", column=column
                )
            )
        ended = judge.after_drop(position.rules, own, position.other, position.turn)
        hands = position.hands and (position.hands[0] - 1, position.hands[1])
        return position.turn_over(own, position.other, ended, hands, self._over())

    def pop(self, position: Position, column: int) -> Position:
        """A pop as a turn, where the game has them, or the disc that a bomb takes.

        :raises DropFirst: a second disc is to be dropped. :raises OwnDisc: a bomb takes none of its own side's.
        :raises NothingToPop, NotYourDisc, PopsNotInThisGame, FlankColumn, NoSuchColumn: see `Position.pop`.
        """
        rules = position.rules
        if self.phase in (Phase.WALL, Phase.DOUBLE):
            raise DropFirst(_SECOND_DISC_FIRST)
        bottom, cells = position.playable(column)
        if self.phase is not Phase.BOMB:
            position.check_pops()
            position.check_own_disc(column)
        elif position.own & bottom:
            raise OwnDisc(Message(_BOMB_OWN[position.turn], column=column))
        elif not position.other & bottom:
            raise NothingToPop(Message("Column {column} is empty: there is nothing to pop.", column=column))
        own = position.own ^ fallen(position.own, cells)
        other = position.other ^ fallen(position.other, cells)
        ended = judge.after_removal(rules, own, other, position.turn)
        return position.turn_over(own, other, ended, position.hands, self._over())

    def power(self, position: Position, move: Power) -> Position:
        """A power disc; what follows in the same turn, the phase of the position after it says.

        :raises ColumnFull, FlankColumn, NoSuchColumn, GameOver: see `Position.drop`.
        :raises PowerDiscsNotInThisGame, PowerDiscUsed: the side does not have it.
        :raises PopFirst, DropFirst: another power is at work. :raises NoTarget: a bomb has nothing to take.
        :raises WallMayNotWin: the wall itself may not make a line (option ``wall-first-may-win``).
        """
        rules, turn, hands, kind = position.rules, position.turn, position.hands, move.disc
        position.playable(move.column)
        self._check_phase(position)
        disc = position.landing(move.column)
        self._check_disc(position, move)
        own, other = position.own | disc, position.other
        spent = PowerUp(self.left - {kind}, self.left_other)
        if kind in (PowerDisc.WALL, PowerDisc.DOUBLE):
            ended = judge.after_drop(rules, own, other, turn)
            following = position.turn_goes_on(own, other, spent._replace(phase=FOLLOWING[kind]))
            if ended or own | other == rules.grid.full or not following.legal_moves:
                return position.turn_over(own, other, ended, hands, spent)
            return following
        if rules.judge == "also-landing" and rules.grid.has_line(own):
            return position.turn_over(own, other, judge.LINE[turn], hands, spent)
        if kind is PowerDisc.BOMB:
            return position.turn_goes_on(own, other, spent._replace(phase=FOLLOWING[kind]))
        bottom, cells = rules.grid.slots[move.column]
        own, other = own & ~cells | bottom, other & ~cells
        return position.turn_over(own, other, judge.after_removal(rules, own, other, turn), hands, spent)

    def _over(self) -> PowerUp:
        """The same after the turn, if it was in the middle of one."""
        return self if self.phase is Phase.PLAY else PowerUp(self.left, self.left_other)

    def _check_phase(self, position: Position) -> None:
        """Refuse a power disc while another one is at work."""
        if self.phase is Phase.BOMB:
            raise PopFirst(_BOMB_FIRST[position.turn])
        if self.phase is not Phase.PLAY:
            raise DropFirst(_SECOND_DISC_FIRST)

    def _check_disc(self, position: Position, move: Power) -> None:
        """Refuse a power disc that the side to move does not have, or that cannot work there."""
        if move.disc not in position.rules.power_discs:
            raise PowerDiscsNotInThisGame(_NOT_IN_THIS_GAME[move.disc])
        if move.disc not in self.left:
            raise PowerDiscUsed(_USED[move.disc])
        if move.disc is PowerDisc.BOMB and not position.other & position.rules.grid.bottoms:
            raise NoTarget(Message("The bomb has nothing to take: the bottom row has no disc of the opponent."))
        if move.disc is PowerDisc.WALL and not position.rules.wall_first_may_win and _makes_line(position, move.column):
            raise WallMayNotWin(
                Message(
                    "The wall may not make a line itself (rule wall-first-may-win=no); in column {column} it would.",
                    column=move.column,
                )
            )


def start_of(rules: RuleSet) -> PowerUp | None:
    """What Power Up begins with; None in another game."""
    return PowerUp(rules.power_discs, rules.power_discs) if rules.power_discs else None


def _makes_line(position: Position, column: int) -> bool:
    return bool(position.rules.grid.has_line(position.own | position.landing(column)))


def _without_line(position: Position) -> tuple[Move, ...]:
    return tuple(
        move for move in position.ordinary_moves if isinstance(move, Drop) and not _makes_line(position, move.column)
    )


_BOMB_FIRST = {
    RED: Message("Red's bomb takes a disc first: pop one of yellow's out of the bottom row."),
    YELLOW: Message("Yellow's bomb takes a disc first: pop one of red's out of the bottom row."),
}
_BOMB_OWN = N_(
    {
        RED: "Column {column}: the bottom disc is red's own. Red's bomb takes one of yellow's.",
        YELLOW: "Column {column}: the bottom disc is yellow's own. Yellow's bomb takes one of red's.",
    }
)
_SECOND_DISC_FIRST = Message("The power disc asks for a second disc first: drop it into a column.")
_NOT_IN_THIS_GAME = {
    PowerDisc.ANVIL: Message("There is no anvil in this game. Play another disc."),
    PowerDisc.BOMB: Message("There is no bomb in this game. Play another disc."),
    PowerDisc.WALL: Message("There is no wall in this game. Play another disc."),
    PowerDisc.DOUBLE: Message("There is no x2 in this game. Play another disc."),
}
_USED = {
    PowerDisc.ANVIL: Message("You have played your anvil already: each power disc is played once."),
    PowerDisc.BOMB: Message("You have played your bomb already: each power disc is played once."),
    PowerDisc.WALL: Message("You have played your wall already: each power disc is played once."),
    PowerDisc.DOUBLE: Message("You have played your x2 already: each power disc is played once."),
}
