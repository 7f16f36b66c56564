"""What can happen to a game, as entries of a journal; the one way in which a game at the board ever changes.

The controller proposes an entry, `apply` says what the game is after it, the store writes it down, and only then does
it count. Reading a journal back through the same `apply` gives the same game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from popout.rules import Game, Message, Move, Position, RuleSet, Side, parse_move, position_text
from popout.rules.messages import PopoutError, excerpt
from popout.rules.setup import parse_position


class Kind(Enum):
    """What an entry is about. The values are written into the store."""

    NEW = "new"
    """A game begins; the text is its rule set, whole."""
    MOVE = "move"
    """The side to move played; the text is the move."""
    TAKE_BACK = "take-back"
    """The last moves were taken back; the text says how many."""
    DRAW = "draw"
    """The players agreed on a draw; no text."""
    RESIGN = "resign"
    """A side gave up; the text is the side."""
    CORRECTION = "correction"
    """The position was set to what is on the board; the text is the position before, an arrow, and the new one."""
    OPPONENT = "opponent"
    """From now on these sides are played by an opponent; the text names them with their levels, see `Levels`."""


class Source(Enum):
    """Where an entry came from. The values are written into the store."""

    BOARD = "board"
    """Hands at the board: its buttons, its bar, its beams, its menu."""
    PAGE = "page"
    """Somebody at a page, on this machine or on a phone."""
    TERMINAL = "terminal"
    """Somebody at the terminal."""
    OPPONENT = "opponent"
    """A player that is no person."""


LATEST = 253_402_128_000.0
"""Two days before the end of the year 9999, in seconds since 1970: beyond it a time cannot be shown everywhere."""

Levels = Mapping[Side, int]
"""The sides that no person plays, and the level of each, from 1: ``red=3 yellow=5``, or ``off`` where there is none."""

_KINDS = {kind.value: kind for kind in Kind}
_SOURCES = {source.value: source for source in Source}
_ARROW = " -> "
_LONGEST_NUMBER = 9
_OFF = "off"
_LEVEL = re.compile(r"(red|yellow)=([1-9][0-9]?)")


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened.

    :ivar source: where it came from, None where nobody has said. It changes nothing of what happened, so that two
        entries that differ in it alone are equal.
    """

    kind: Kind
    text: str = ""
    source: Source | None = field(default=None, compare=False)

    @classmethod
    def new(cls, rules: RuleSet) -> Entry:
        """A game begins."""
        return cls(Kind.NEW, rules.text)

    @classmethod
    def move(cls, move: Move) -> Entry:
        """The side to move plays."""
        return cls(Kind.MOVE, str(move))

    @classmethod
    def take_back(cls, count: int = 1) -> Entry:
        """The last `count` moves are taken back."""
        return cls(Kind.TAKE_BACK, str(count))

    @classmethod
    def resign(cls, side: Side) -> Entry:
        """A side gives up."""
        return cls(Kind.RESIGN, side.value)

    @classmethod
    def correction(cls, before: Position, after: Position) -> Entry:
        """The position is set to what is on the board."""
        return cls(Kind.CORRECTION, f"{position_text(before)}{_ARROW}{position_text(after)}")

    @classmethod
    def opponent(cls, levels: Levels) -> Entry:
        """From now on these sides are played by an opponent."""
        return cls(Kind.OPPONENT, " ".join(f"{side.value}={levels[side]}" for side in Side if side in levels) or _OFF)

    @property
    def levels(self) -> Levels | None:
        """The sides that an opponent plays from this entry on; None where it says nothing of them that can be read."""
        if self.kind is not Kind.OPPONENT:
            return None
        words = [] if self.text == _OFF else self.text.split(" ")
        found = [_LEVEL.fullmatch(word) for word in words]
        levels = {Side(each[1]): int(each[2]) for each in found if each}
        return levels if len(levels) == len(words) else None


@dataclass(frozen=True, slots=True)
class Step:
    """An entry, and when it was made, in seconds since 1970 by the clock of the computer that wrote it."""

    entry: Entry
    at: float

    @property
    def source(self) -> Source | None:
        """Where the entry came from."""
        return self.entry.source


class JournalError(PopoutError, ValueError):
    """A journal that cannot have come about, or that a newer program has written."""

    code = "journal"


def apply(game: Game | None, entry: Entry) -> Game:
    """The game after an entry.

    After a correction the game goes on from the corrected position; the moves before it stay in the journal, and
    cannot be taken back.

    :raises IllegalMove: the rules do not allow it.
    :raises JournalError: there is no game yet, or no entry can have this text.
    """
    if entry.kind is Kind.NEW:
        return Game.start(RuleSet.parse(entry.text))
    if game is None:
        raise JournalError(Message("The record of the game has no beginning."))
    match entry.kind:
        case Kind.MOVE:
            return game.play(parse_move(entry.text))
        case Kind.TAKE_BACK if entry.text.isascii() and entry.text.isdecimal() and len(entry.text) <= _LONGEST_NUMBER:
            return game.take_back(int(entry.text))
        case Kind.DRAW:
            return game.agree_draw()
        case Kind.RESIGN if entry.text in tuple(side.value for side in Side):
            return game.resign(Side(entry.text))
        case Kind.OPPONENT if entry.levels is not None:
            return game
        case Kind.CORRECTION if _ARROW in entry.text:
            return Game.from_position(parse_position(entry.text.split(_ARROW)[1], game.rules))
    raise JournalError(Message('"{text}" says nothing as a "{kind}".', text=excerpt(entry.text), kind=entry.kind.value))


def read(entries: Iterable[Entry]) -> Game | None:
    """The game that a journal leads to; None for an empty one.

    :raises JournalError: an entry cannot follow those before it; the message says which and why.
    """
    game = None
    for number, entry in enumerate(entries, 1):
        try:
            game = apply(game, entry)
        except PopoutError as error:
            raise JournalError(
                Message(
                    'Its entry {number}, "{entry}", cannot be right. {problem}',
                    number=number,
                    entry=excerpt(f"{entry.kind.value} {entry.text}".rstrip()),
                    problem=error.message,
                )
            ) from None
    return game


def last_levels(entries: Iterable[Entry]) -> Levels | None:
    """The sides that an opponent plays at the end of a journal; None if it never says."""
    return next((entry.levels for entry in reversed(list(entries)) if entry.levels is not None), None)


def entry_of(kind: str, text: str, source: str | None, number: int) -> Entry:
    """Entry `number` of a game as it was written down. A source that this program does not know says nothing.

    :raises JournalError: it is of a kind that this program does not know.
    """
    if kind not in _KINDS:
        raise JournalError(
            Message(
                'Its entry {number} is of the kind "{kind}", which this popout does not know; a newer one may.',
                number=number,
                kind=excerpt(kind),
            )
        )
    return Entry(_KINDS[kind], text, None if source is None else _SOURCES.get(source))
