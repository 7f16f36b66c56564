"""Reading a record while another process writes it: its games, what happened in each, and what became of them all."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from popout.record import health, schema
from popout.record.errors import (
    GameUnreadable,
    NoSuchGame,
    NoSuchRecord,
    RecordDamaged,
    RecordError,
    cannot_read,
    code_of,
    reason_of,
    too_new,
)
from popout.record.journal import JournalError, Step, entry_of, read
from popout.record.schema import VERSION, current_game
from popout.record.statistics import Statistics, statistics_of
from popout.rules import Game, Message
from popout.rules.notation import TAGS

_NUMBERS = 2**63
"""Numbers from here on no game can have: SQLite does not even know them."""
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


@dataclass(frozen=True, slots=True)
class Summary:
    """One game of a record, without what happened in it.

    :ivar number: its number in the record. :ivar began: when, in seconds since 1970.
    :ivar ended: when it ended, likewise; None while it goes on.
    :ivar started: the time of its first move; None if there was none.
    :ivar rules: its rule set as a line of text. :ivar moves: how many moves stand, also those before a correction.
    :ivar outcome: the result as a record writes it, such as ``red line``; None while it goes on.
    :ivar names: who played, where and when, as far as somebody said. :ivar imported: whether it was played elsewhere.
    :ivar current: whether it is the one that goes on at the board when the record is opened there.
    """

    number: int
    began: float
    ended: float | None
    started: float | None
    rules: str
    moves: int
    outcome: str | None
    names: Mapping[str, str] = field(default_factory=dict)
    imported: bool = False
    current: bool = False

    @property
    def seconds(self) -> float | None:
        """How long it took from its first move to its end; None where that is not known."""
        if self.started is None or self.ended is None or self.ended <= self.started:
            return None  # without times of its own, or played while the clock was set back
        return self.ended - self.started

    @property
    def was_played(self) -> bool:
        """Whether anything was done in it but to begin it."""
        return bool(self.moves or self.outcome)


class Archive:
    """A record, read only: nothing in it ever changes, and it is never created. The writer is not disturbed.

    May be used from one thread at a time.
    """

    def __init__(self, path: Path) -> None:
        """Open the record in `path`.

        :raises NoSuchRecord: there is none. :raises RecordDamaged: it is damaged.
        :raises RecordError: it cannot be read, or is something else.
        """
        self.path = path
        with self._told():
            file = Path(os.path.realpath(path))
            health.check_ours(file, str(path))
            if health.only_log_left(file):
                raise self._damaged("only its log is there")
            if not file.exists():
                raise NoSuchRecord(
                    Message("There is no record {path}: no game has been played there yet.", path=str(path))
                )
            self._db = health.open_reading(file)
            try:
                self._bring_up_to_date()
            except BaseException:
                self._db.close()
                raise

    def games(self, limit: int | None = None) -> list[Summary]:
        """The games, the newest first; with `limit` no more than so many.

        :raises RecordError: they cannot be read.
        """
        with self._told():
            found = self._db.execute(
                f"{_SUMMARIES} order by game.id desc limit ?", (-1 if limit is None else limit,)
            ).fetchall()
            current = current_game(self._db)
        return [_summary(row, current) for row in found]

    def summary(self, number: int) -> Summary:
        """One game.

        :raises NoSuchGame: there is none of that number. :raises RecordError: it cannot be read.
        """
        with self._told():
            wanted = number if number < _NUMBERS else 0
            found = self._db.execute(f"{_SUMMARIES} where game.id = ?", (wanted,)).fetchone()
            if found:
                return _summary(found, current_game(self._db))
        raise NoSuchGame(
            Message(
                'There is no game {number} in the record {path}. "popout games" lists them.',
                number=number,
                path=str(self.path),
            )
        )

    def steps(self, number: int) -> list[Step]:
        """All that happened in a game, in its order.

        :raises NoSuchGame: there is none of that number. :raises GameUnreadable: an entry says nothing to this program.
        :raises RecordError: it cannot be read.
        """
        self.summary(number)
        with self._told():
            found = self._db.execute(
                "select kind, text, source, at from entry where game = ? order by number", (number,)
            ).fetchall()
        try:
            return [
                Step(entry_of(kind, text, source, place), at) for place, (kind, text, source, at) in enumerate(found, 1)
            ]
        except JournalError as error:
            raise self._unreadable(number, error) from None

    def game(self, number: int) -> Game:
        """A game as it stands.

        :raises NoSuchGame: there is none of that number. :raises GameUnreadable: it makes no sense to this program.
        :raises RecordError: it cannot be read.
        """
        try:
            game = read(step.entry for step in self.steps(number))
        except JournalError as error:
            raise self._unreadable(number, error) from None
        if game is None:
            raise self._unreadable(number, JournalError(Message("The record of the game has no beginning.")))
        return game

    def statistics(self) -> Statistics:
        """What became of all games that were played.

        :raises RecordError: they cannot be read.
        """
        return statistics(self.games()[::-1])

    def close(self) -> None:
        """Let go of the file; may be called twice."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _bring_up_to_date(self) -> None:
        """Read a record that no newer popout has opened for writing yet from a copy that is what it will become."""
        (version,) = self._db.execute("pragma user_version").fetchone()
        if version > VERSION:
            raise too_new(str(self.path))
        if version == VERSION:
            return
        copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        try:
            self._db.backup(copy)
            if version:
                schema.migrate(copy, version)
            else:
                schema.create(copy)
        except BaseException:
            copy.close()
            raise
        self._db.close()
        self._db = copy

    def _unreadable(self, number: int, error: JournalError) -> GameUnreadable:
        return GameUnreadable(
            Message(
                "Game {number} of the record {path} cannot be read. {problem}",
                number=number,
                path=str(self.path),
                problem=error.message,
            )
        )

    def _damaged(self, error: object) -> RecordDamaged:
        return RecordDamaged(
            Message(
                'The record {path} is damaged ({reason}). "popout play" sets it aside when it opens it, '
                "and saves what can be read.",
                path=str(self.path),
                reason=reason_of(error),
            )
        )

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What goes wrong meanwhile is told in a sentence."""
        try:
            yield
        except RecordError:
            raise
        except (sqlite3.Error, OSError, ValueError) as error:
            if isinstance(error, sqlite3.Error) and code_of(error) in _CORRUPT:
                raise self._damaged(error) from None
            raise cannot_read(str(self.path), error) from None


def statistics(games: Iterable[Summary]) -> Statistics:
    """What became of these games; of one that was begun and never played nothing did."""
    return statistics_of(
        (each.rules, each.began, each.moves, each.seconds, each.outcome) for each in games if each.was_played
    )


_Row = tuple[int, float, float | None, float | None, str | None, int, str | None, str, int]
"""What `_SUMMARIES` asks for; a game without an entry has no rules."""
_SUMMARIES = (
    "select game.id, began, ended, started, text, moves, outcome, names, game.imported "
    "from game left join entry on entry.game = game.id and entry.number = 1"
)


def _summary(row: _Row, current: int | None) -> Summary:
    number, began, ended, started, rules, moves, outcome, names, imported = row
    said = {}
    with suppress(ValueError, RecursionError):
        said = json.loads(names)
    return Summary(
        number,
        began,
        ended,
        started,
        rules or "",
        moves,
        outcome,
        {name: said[name] for name in TAGS if isinstance(said, dict) and isinstance(said.get(name), str)},
        bool(imported),
        number == current,
    )
