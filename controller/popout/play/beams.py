"""A desk whose board may have beams: what is done about each disc that they see, or should have seen. Pure.

Which disc belongs to which press is decided in `popout.play.sensors`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from popout.board.layout import Layout
from popout.play import gestures, sensors
from popout.play.correction import Correction, asked, surprised
from popout.play.desk import BoardDiffers
from popout.play.listener import DiscSeen
from popout.play.opposing import DeskWithOpponent
from popout.play.settings import Settings
from popout.record.journal import Entry, Levels
from popout.rules import Claim, Drop, Game, Message, Move, Pop

REMOTE_WAITS = 20
"""Where a disc is moved by somebody who has to notice first that it has to be, it may take so many times longer."""


class DeskWithBeams(DeskWithOpponent, ABC):
    """The desk, and what its board's beams and levers see of the discs.

    :ivar discs_follow: whether the discs are put right without a hand, as on a simulated board.
    """

    def __init__(self, layout: Layout, settings: Settings, game: Game, now: float, levels: Levels) -> None:
        super().__init__(layout, game, now, levels)
        self.settings = settings
        self.discs_follow = False
        self._watch = sensors.Watch()

    @property
    def outer(self) -> int:
        """How far the columns of the grid are ahead of those of the board: 1 where outer columns are filled."""
        return self.game.rules.first_column - 1

    def play(self, move: Move) -> None:
        """Make a move without a hand on a button; somebody at the board has to put its disc right.

        :raises IllegalMove: the rules do not allow it. :raises Busy: the last one is still being saved.
        """
        side = self.game.position.turn
        super().play(move)
        if isinstance(move, Claim):
            return
        disc = move if isinstance(move, Pop) else Drop(move.column)
        until = self._now + REMOTE_WAITS * self.settings.disc_wait_ms
        if sensors.watched(disc, self.layout, self.outer):
            self._watch = sensors.pressed(self._watch, disc, until)
        if self.layout.actuation == "disc" and not self.discs_follow:
            # The disc that follows trips its lever, which is no move of the other side.
            self._watch = sensors.made_by_disc(self._watch, disc, until, side)

    @abstractmethod
    def _let_go_of(self, since: float) -> None:
        """A finger that went down then means nothing more."""

    def _wait_for_disc(self, disc: Drop | Pop) -> None:
        """A press has made the move of that disc: it should be seen soon."""
        if sensors.watched(disc, self.layout, self.outer):
            self._watch = sensors.pressed(self._watch, disc, self._now + self.settings.disc_wait_ms)

    def _disc_seen(self, seen: DiscSeen) -> None:
        move = seen.move
        if self.telling:
            return  # hands are at the discs, and say themselves what is there
        if self.correction and self.correction.steps[0].done_by(move):
            self._made_by_disc(seen)
            self._put_right(self.correction.after_step(self._now))
            return
        spoken_for = sensors.take_disc(self._watch, move, seen.time)
        if spoken_for is not None:
            self._watch = spoken_for
        elif isinstance(move, Pop) and self._is_clearing_up():
            pass
        elif self.correction:
            self._watch = replace(self._watch, presses=())
            self._put_right(self.correction.after_disc(move, self._now))
        else:
            played = self.move_at(move.column, bar_open=isinstance(move, Pop))
            unexpected = sensors.unexpected(seen, played, self.game) or self._why_not_chosen(played)
            if unexpected is None:
                self._made_by_disc(seen)
                self._propose(Entry.move(played))
                return
            # From now on a press is an answer; one that is under way is none.
            self._watch = replace(self._watch, presses=())
            self.let_go()
            self.overlay = None
            self.correction = surprised(move, self.game.position, unexpected.message, self._now)
            said = self.correction.reason if self.correction else unexpected.message
            self._say("fault", unexpected.code, said, self._now, move.column)

    def _is_clearing_up(self) -> bool:
        """Whether discs that leave the board are only making room for the next game."""
        return bool(self.game.outcome) or not any(self.game.position.playable_grid)

    def _made_by_disc(self, seen: DiscSeen) -> None:
        """A button that is down in its column is this disc's own and means nothing more; or its press still comes."""
        side = self.game.position.turn
        if self.press and self.press.column == seen.move.column:
            self._watch = sensors.made_by_disc(self._watch, seen.move, self.press.time, side)
            self._let_go_of(self.press.time)
            self.press = None
        else:
            until = seen.time + self.settings.disc_wait_ms
            self._watch = sensors.made_by_disc(self._watch, seen.move, until, side)

    def _confirms_disc(self, tap: gestures.Tap) -> bool:
        """Whether the press only belongs to a disc whose move has been made already."""
        moves: tuple[Drop | Pop, ...] = (Drop(tap.column), Pop(tap.column))
        if self.layout.actuation == "disc":
            moves = moves[tap.bar_open :][:1]  # a disc that trips a lever is on its way in, unless the bar is open
        for move in moves:
            confirmed = sensors.take_press(self._watch, move, tap.time, tap.side)
            if confirmed is not None:
                self._watch = confirmed
                if self.layout.actuation == "disc":
                    self._say("info", "disc-followed", Message("That disc's move has been made already."), self._now)
                return True
        return False

    def _step_done(self, correction: Correction, column: int) -> None:
        """A hand says that it has done the first step of the correction, which is in this column."""
        move = Pop(column) if correction.steps[0].pop else Drop(column)
        self._watch = sensors.told(self._watch, move, self._now + self.settings.disc_wait_ms)
        self._put_right(correction.after_step(self._now))

    def _put_right(self, correction: Correction | None) -> None:
        """Go on with what is left of the correction."""
        self.correction = correction
        self.let_go()
        if correction:
            self._say("info", BoardDiffers.code, correction.reason, self._now, correction.steps[0].cell[0])
        else:
            self._say("info", "board-right", Message("The board is right again."), self._now)

    def _rearranged(self, before: Game, now: float) -> None:
        """Hands put right what the position changed: discs pass the beams on their way out and back in."""
        until = now + REMOTE_WAITS * self.settings.disc_wait_ms
        changed = zip(before.position.grid, self.game.position.grid, strict=False)
        for column, (old, new) in enumerate(changed, 1):
            if old != new:
                for move in (Drop(column), Pop(column)):
                    self._watch = sensors.told(self._watch, move, until)

    def _ask_for_overdue(self, now: float) -> None:
        """Ask about the moves whose disc has not been seen in time, one after the other."""
        while self.correction is None:
            self._watch, move = sensors.missed(self._watch, now)
            if move is None:
                break
            self.correction = asked(move, self.game, now)
            if self.correction:
                self.let_go()
                self._say("fault", "no-disc-seen", self.correction.reason, now, move.column)
