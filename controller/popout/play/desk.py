"""The desk: the game at a table, the orders given there, and the one entry at a time that waits to be saved. Pure.

A move counts when it is on disk. `Desk.unsaved` is the entry that waits for that; only `saved` makes it happen.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from popout.board.layout import Layout
from popout.play import gestures
from popout.play.consequences import cells_of, consequences
from popout.play.correction import Correction, Grid, adopted, compared
from popout.play.menu import Menu, MenuLevel
from popout.play.modes import Mode, Overlay, Playing
from popout.play.notices import Importance, Notices
from popout.play.scene import Flash
from popout.play.telling import HOW, Telling
from popout.record.journal import Entry, Kind, Source, apply
from popout.rules import (
    Drop,
    Game,
    IllegalMove,
    Message,
    Move,
    Pop,
    PopoutError,
    Position,
    Power,
    PowerDisc,
    RuleSet,
    RuleSetError,
    Side,
    waiting_for,
    why_illegal,
)
from popout.rules.beside import Beside
from popout.rules.messages import N_, excerpt

BOARD_LOST, NOT_SAVED = "board-lost", "not-saved"
"""The codes of trouble, the worst first."""


class Busy(PopoutError, RuntimeError):
    """The last move is still being saved."""

    code = "busy"


class BoardDiffers(IllegalMove):
    """The board has to be put right first."""

    code = "board-differs"


class CannotArm(IllegalMove):
    """The power disc cannot be played now."""

    code = "cannot-arm"


class WrongBoard(RuleSetError):
    """The game's grid is not the board's."""

    code = "wrong-board"


class Desk:
    """One game at one board, as far as no hand and no lamp is concerned.

    :ivar game: the game as it is on disk; nothing else ever is.
    :ivar unsaved: the entry that has to be saved now, None if there is none.
    :ivar after: the game as it will be when that is saved; the same as `game` if nothing is to be saved.
    :ivar source: where the orders come from that are being given.
    :ivar correction: what has to be put right before the game goes on, None if the board is right.
    :ivar telling: what hands at the board say is on it, None while they say nothing.
    :ivar overlay: what is shown over the game and the correction, None if nothing is.
    :ivar press: the press under way, whose move is shown and not yet made.
    :ivar armed: the power disc that the next drop is to be, None for an ordinary one.
    :ivar flash: the last short light over the picture.
    :ivar ended_at: since when the game is over, in milliseconds, if it is.
    :ivar revision: grows with everything that may be seen.
    """

    def __init__(self, layout: Layout, game: Game, now: float) -> None:
        self.layout = layout
        self.game = game
        self.correction: Correction | None = None
        self.telling: Telling | None = None
        self.overlay: Overlay | None = None
        self.press: gestures.Tentative | None = None
        self.armed: PowerDisc | None = None
        self.flash: Flash | None = None
        self.notices = Notices()
        self.unsaved: Entry | None = None
        self.ended_at = now
        self.revision = 0
        self.after = game
        self.source = Source.BOARD
        self._now = now
        self._troubles: dict[str, tuple[Message, float]] = {}

    @property
    def mode(self) -> Mode:
        """What the board is being used for: playing, the menu, telling what is on it, a correction."""
        return self.overlay or self.telling or self.correction or Playing()

    @property
    def trouble(self) -> tuple[str, Message, float] | None:
        """Why nothing can be played at the moment (code, sentence, since when), None if all is well."""
        for code in (BOARD_LOST, NOT_SAVED):
            if code in self._troubles:
                return code, *self._troubles[code]
        return None

    @contextmanager
    def told_by(self, source: Source, now: float | None = None) -> Iterator[None]:
        """The orders that are given meanwhile come from there, and are given now."""
        if now is not None:
            self._time_is(now)
        before, self.source = self.source, source
        try:
            yield
        finally:
            self.source = before

    # Orders, from a page, a terminal or the menu. They raise what a person must be told.

    def take_back(self) -> None:
        """Take back the last move.

        :raises IllegalMove: there is none. :raises Busy: the last one is still being saved.
        """
        self._propose(Entry.take_back())

    def new_game(self, rules: RuleSet, *, any_size: bool = False) -> None:
        """Begin a game; with `any_size` the board becomes one of its size afterwards.

        :raises WrongBoard: its grid is not the board's. :raises Busy: a move is being saved.
        """
        if not any_size:
            check_fits(rules, self.layout)
        self._propose(Entry.new(rules))

    def play(self, move: Move) -> None:
        """Make a move without a hand on a button, such as claiming a draw.

        :raises IllegalMove: the rules do not allow it. :raises Busy: the last one is still being saved.
        """
        if self.correction:
            raise BoardDiffers(self.correction.steps[0].message)
        if self.telling:
            raise BoardDiffers(Message("Somebody at the board is saying what is on it. That comes first."))
        self._propose(Entry.move(move))

    def arm(self, disc: PowerDisc | None) -> None:
        """Let the next drop be a power disc, or an ordinary disc again (None). Choosing the same one again undoes it.

        :raises IllegalMove: the side to move cannot play it now; why, the sentence says.
        """
        playable = {move.disc for move in self.game.legal_moves if isinstance(move, Power)}
        if disc is not None and disc not in playable:
            reason = why_illegal(self.game, Power(disc, self.game.rules.first_column))
            raise CannotArm(reason.message if reason else Message("This power disc can be played nowhere now."))
        self.armed = None if disc is self.armed else disc
        self.revision += 1

    def move_at(self, column: int, *, bar_open: bool) -> Drop | Pop | Power:
        """The move that a tap of `column` (of the grid) makes."""
        if bar_open:
            return Pop(column)
        return Power(self.armed, column) if self.armed else Drop(column)

    def agree_draw(self) -> None:
        """End the game as a draw, as the players agreed.

        :raises IllegalMove: it is over. :raises Busy: a move is being saved.
        """
        self._propose(Entry(Kind.DRAW))

    def resign(self, side: Side) -> None:
        """End the game: `side` gives up.

        :raises IllegalMove: it is over. :raises Busy: a move is being saved.
        """
        self._propose(Entry.resign(side))

    def _time_is(self, now: float) -> None:
        """Time has come to `now`; a moment that was heard of late does not turn it back."""
        self._now = max(self._now, now)

    def let_go(self) -> None:
        """What hands are doing means nothing, until they have let go: the board does something else now."""
        self.press = None
        self.revision += 1

    def toggle_menu(self, now: float) -> None:
        """Open the menu, or leave it."""
        self._time_is(now)
        self.let_go()
        level: MenuLevel = "telling" if self.telling else "main"
        self.overlay = None if isinstance(self.overlay, Menu) else Menu(level, 0, now)
        self.revision += 1

    def go_on(self, now: float) -> None:
        """Say what the game waits for, after something else was shown."""
        if not self.game.outcome:
            self._say("info", "turn", waiting_for(self.game.position), now)

    def correct(self, seen: Grid, now: float) -> None:
        """Compare what somebody says is on the board, and guide the hands if it differs.

        `seen` is one text a playable column from the left, each from the bottom up.

        :raises SetupError: that cannot be on this board.
        """
        self.correction = compared(self._whole(seen), self.game.position, now)
        self.overlay = self.telling = None
        self._time_is(now)
        self.let_go()
        if self.correction:
            self._say("fault", BoardDiffers.code, self.correction.reason, now)
        else:
            self._say("info", "board-right", Message("The board is right."), now)

    def repaired(self, now: float) -> None:
        """Somebody says that everything is on the board as it should be, and the game goes on."""
        self.correct(self.game.position.playable_grid, now)

    def adopt(self, turn: Side) -> None:
        """Go on from what is on the board, with `turn` to move, instead of repairing it.

        :raises SetupError: it is no position of this game. :raises IllegalMove: nobody said what is on the board.
        """
        if self.correction is None or self.correction.seen is None:
            raise IllegalMove(Message("Say first what is on the board, cell by cell."))
        after = adopted(self.game.position, self.correction.seen, turn)
        self._propose(Entry.correction(self.game.position, after))

    def considered(self, seen: Grid, turn: Side, said: Beside = Beside()) -> Position:  # noqa: B008
        """The position that `set_up` would go on from; nothing changes.

        `seen` is as in `correct`, `said` what the sides have beside the board where that is not as it was.

        :raises SetupError: it is no position of this game; the sentence names what and where.
        """
        return adopted(self.game.position, self._whole(seen), turn, said)

    def set_up(self, seen: Grid, turn: Side, said: Beside = Beside()) -> None:  # noqa: B008
        """Go on from what somebody says is on the board; see `considered`.

        :raises SetupError: it is no position of this game. :raises Busy: a move is being saved.
        """
        after = self.considered(seen, turn, said)
        self._propose(Entry.correction(self.game.position, after))

    def tell(self, now: float) -> None:
        """Let hands at the board say what is on it, see `popout.play.telling`."""
        self.telling = Telling.begun(self.game.position, self.correction, now)
        self.overlay = None
        self._time_is(now)
        self.let_go()
        self._say("info", "telling", HOW, now)

    def _whole(self, seen: Grid) -> Grid:
        """The playable columns with the filled outer ones beside them."""
        outer = self.game.rules.first_column - 1
        grid = self.game.position.grid
        return (*grid[:outer], *seen, *grid[len(grid) - outer :])

    def part_failed(self, part: str, error: BaseException, now: float) -> None:
        """Say that a part of the program failed and is started again."""
        self._say(
            "fault",
            "part-failed",
            Message(
                "A part of the program failed and is started again: {part} ({reason}). The game goes on.",
                part=Message(_PARTS[part]) if part in _PARTS else part,
                reason=excerpt(str(error) or type(error).__name__),
            ),
            now,
        )

    def record_trouble(self, message: Message, now: float) -> None:
        """Say what was wrong with the record when it was opened."""
        self._say("fault", "record-damaged", message, now)

    # Saving

    def saved(self, now: float) -> None:
        """The unsaved entry is on disk: it has happened."""
        entry, before = self.unsaved, self.game
        assert entry is not None, "nothing was to be saved"
        self.unsaved, self.game, self.press = None, self.after, None
        self._clear_trouble(NOT_SAVED)
        self._happened(entry, before, now)

    def save_failed(self, message: Message, now: float) -> None:
        """The unsaved entry could not be written: it has not happened."""
        self.unsaved = self.press = None
        self.after = self.game
        self._in_trouble(NOT_SAVED, message, now)

    def _propose(self, entry: Entry) -> None:
        """Let `entry` be saved, if the rules allow it."""
        if self.unsaved is not None:
            raise Busy(Message("The last move is still being saved. Try again in a moment."))
        self.after = apply(self.game, entry)
        self.unsaved = replace(entry, source=self.source)
        self.revision += 1

    def _happened(self, entry: Entry, before: Game, now: float) -> None:
        self.overlay = None
        self.armed = None
        self.telling = None
        if entry.kind in (Kind.NEW, Kind.CORRECTION):
            self.correction = None
        elif self.correction:
            self.correction = self.correction.towards(self.game.position, now)
        if self.game.outcome:
            self.ended_at = now
        cells = cells_of(entry, before, self.game)
        self.flash = Flash("committed", cells, tuple({column for column, _ in cells}), now) if cells else None
        for said in consequences(entry, before, self.game):
            self._say("info", said.code, said.message, now)

    def _in_trouble(self, code: str, message: Message, now: float) -> None:
        self._troubles[code] = (message, now)
        self._say("fault", code, message, now)

    def _clear_trouble(self, code: str) -> None:
        if self._troubles.pop(code, None):
            self.revision += 1

    def _say(self, importance: Importance, code: str, message: Message, time: float, column: int | None = None) -> None:
        self.notices.say(importance, code, message, time, column)
        self.revision += 1


_PARTS = N_(
    {
        "board": "the board",
        "controller": "the controller",
        "record": "the record",
        "page": "the page",
        "terminal": "the terminal",
        "network name": "the name on the network",
        "opponent": "the opponent",
        "service": "the report of its state",
        "watchdog": "the watchdog",
    }
)


def fits(rules: RuleSet, layout: Layout) -> bool:
    """Whether a game has the size of a board."""
    return (rules.columns, rules.rows) == (layout.columns, layout.rows)


def check_fits(rules: RuleSet, layout: Layout) -> None:
    """Refuse a game that has not the size of the board.

    :raises WrongBoard: see there.
    """
    if not fits(rules, layout):
        raise WrongBoard(
            Message(
                "This board has {columns} columns and {rows} rows, so no game of another size fits on it.",
                columns=layout.columns,
                rows=layout.rows,
            )
        )
