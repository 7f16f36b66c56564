"""The desk: the game at a table, the orders given there, and the one entry at a time that waits to be saved. Pure.

A move counts when it is on disk. `Desk.unsaved` is the entry that waits for that; only `saved` makes it happen.
"""

from __future__ import annotations

from popout.board.layout import Layout
from popout.play import gestures
from popout.play.consequences import cells_of, consequences
from popout.play.correction import Correction, compared
from popout.play.menu import Menu
from popout.play.modes import Mode, Playing
from popout.play.notices import Importance, Notices
from popout.play.scene import Flash
from popout.record.journal import Entry, Kind, apply
from popout.rules import Game, IllegalMove, Message, Move, PopoutError, RuleSet, RuleSetError, Side, set_up


class Busy(PopoutError, RuntimeError):
    """The last move is still being saved."""

    code = "busy"


class WrongBoard(RuleSetError):
    """The game's grid is not the board's."""

    code = "wrong-board"


class Desk:
    """One game at one board, as far as no hand and no lamp is concerned.

    :ivar game: the game as it is on disk; nothing else ever is.
    :ivar unsaved: the entry that has to be saved now, None if there is none.
    :ivar mode: what the board is being used for: playing, the menu, a correction.
    :ivar press: the press under way, whose move is shown and not yet made.
    :ivar flash: the last short light over the picture.
    :ivar trouble: why nothing can be played at the moment (code, sentence, since when), None if all is well.
    :ivar ended_at: since when the game is over, in milliseconds, if it is.
    :ivar revision: grows with everything that may be seen.
    """

    def __init__(self, layout: Layout, game: Game, now: float) -> None:
        self.layout = layout
        self.game = game
        self.mode: Mode = Playing()
        self.press: gestures.Tentative | None = None
        self.flash: Flash | None = None
        self.notices = Notices()
        self.trouble: tuple[str, Message, float] | None = None
        self.unsaved: Entry | None = None
        self.ended_at = now
        self.revision = 0
        self._after = game

    # Orders, from a page, a terminal or the menu. They raise what a person must be told.

    def take_back(self) -> None:
        """Take back the last move.

        :raises IllegalMove: there is none. :raises Busy: the last one is still being saved.
        """
        self._propose(Entry.take_back())

    def new_game(self, rules: RuleSet) -> None:
        """Begin a game.

        :raises WrongBoard: its grid is not the board's. :raises Busy: a move is being saved.
        """
        check_fits(rules, self.layout)
        self._propose(Entry.new(rules))

    def play(self, move: Move) -> None:
        """Make a move without a hand on a button, such as claiming a draw.

        :raises IllegalMove: the rules do not allow it. :raises Busy: the last one is still being saved.
        """
        if isinstance(self.mode, Correction):
            raise IllegalMove(self.mode.steps[0].message)
        self._propose(Entry.move(move))

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

    def toggle_menu(self, now: float) -> None:
        """Open the menu, or leave it."""
        self.mode = Playing() if isinstance(self.mode, Menu) else Menu("main", 0, now)
        self.revision += 1

    def correct(self, seen: tuple[str, ...], now: float) -> None:
        """Compare what somebody says is on the board, as grid texts, and guide the hands if it differs.

        :raises SetupError: that cannot be on this board.
        """
        correction = compared(seen, self.game.position, now)
        self.mode = correction or Playing()
        if correction:
            self._say("fault", "board-differs", correction.reason, now)
        else:
            self._say("info", "board-right", Message("The board is right."), now)

    def adopt(self, turn: Side) -> None:
        """Go on from what is on the board, with `turn` to move, instead of repairing it.

        :raises SetupError: it is no position of this game. :raises IllegalMove: nobody said what is on the board.
        """
        if not isinstance(self.mode, Correction) or self.mode.seen is None:
            raise IllegalMove(Message("Say first what is on the board, cell by cell."))
        after = set_up(self.game.rules, self.mode.seen, turn)
        self._propose(Entry.correction(self.game.position, after))

    # Saving

    def saved(self, now: float) -> None:
        """The unsaved entry is on disk: it has happened."""
        entry, before = self.unsaved, self.game
        assert entry is not None, "nothing was to be saved"
        self.unsaved, self.game, self.press = None, self._after, None
        self._clear_trouble("not-saved")
        self._happened(entry, before, now)

    def save_failed(self, message: Message, now: float) -> None:
        """The unsaved entry could not be written: it has not happened."""
        self.unsaved = self.press = None
        self._after = self.game
        self.trouble = ("not-saved", message, now)
        self._say("fault", "not-saved", message, now)

    def _propose(self, entry: Entry) -> None:
        """Let `entry` be saved, if the rules allow it."""
        if self.unsaved is not None:
            raise Busy(Message("The last move is still being saved. Try again in a moment."))
        self._after = apply(self.game, entry)
        self.unsaved = entry
        self.revision += 1

    def _happened(self, entry: Entry, before: Game, now: float) -> None:
        self.mode = Playing()
        if self.game.outcome:
            self.ended_at = now
        cells = cells_of(entry, before, self.game)
        self.flash = Flash("committed", cells, tuple({column for column, _ in cells}), now) if cells else None
        for said in consequences(entry, before, self.game):
            self._say("info", said.code, said.message, now)

    def _clear_trouble(self, code: str) -> None:
        if self.trouble and self.trouble[0] == code:
            self.trouble = None
            self.revision += 1

    def _say(self, importance: Importance, code: str, message: Message, time: float, column: int | None = None) -> None:
        self.notices.say(importance, code, message, time, column)
        self.revision += 1


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
