"""The journal on disk: a SQLite database that only grows, and that one program at a time may write."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from time import time
from typing import Self

import platformdirs

from popout.record.journal import Entry, JournalError, Kind, read
from popout.rules import Game
from popout.rules.messages import Message, PopoutError, excerpt

_APPLICATION = 0x506F704F
"""SQLite's mark of whose file it is: "PopO"."""
_SCHEMA_VERSION = 1
_SCHEMA = """
create table game (
    id integer primary key,
    began real not null
) strict;
create table entry (
    id integer primary key,
    game integer not null references game (id),
    at real not null,
    kind text not null,
    text text not null
) strict;
create index entry_of_game on entry (game, id);
"""


class RecordError(PopoutError, OSError):
    """The record cannot be opened, read or written; the message says why and the way out."""

    code = "record"


class RecordInUse(RecordError):
    """Another program has the record open."""

    code = "record-in-use"


class GameUnreadable(RecordError):
    """The last game in the record makes no sense to this program."""

    code = "game-unreadable"


class NotSaved(RecordError):
    """An entry could not be written. It has not happened."""

    code = "not-saved"


class Store:
    """The games that were played here, entry by entry; each `append` is on disk when it returns.

    Times are seconds since 1970 by the computer's clock. They tell people when; the order is the entries' own,
    so that a clock that is set back changes nothing.

    May be used from one thread at a time.
    """

    def __init__(self, path: Path | None) -> None:
        """Open or create the record in `path`; None keeps it in memory only.

        A file that is something else, damaged, or too new is left as it is.

        :raises RecordInUse: another program has it open.
        :raises RecordError: it cannot be opened, or is something else.
        """
        self.path = path
        self._where = ":memory:" if path is None else str(path)
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self._where, isolation_level=None, timeout=0.5, check_same_thread=False)
        except (OSError, sqlite3.Error, ValueError) as error:
            raise self._cannot_open(getattr(error, "strerror", None) or error) from None
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._db.close()
            if _code(error) == sqlite3.SQLITE_BUSY:
                raise RecordInUse(
                    Message(
                        "The record {path} is in use by another popout. Stop that one, or name another with --record.",
                        path=self._where,
                    )
                ) from None
            raise self._cannot_open(error) from None
        except RecordError:
            self._db.close()
            raise
        self._opened = None if path is None else _identity(path)

    def game(self) -> Game | None:
        """The game that began last, as its journal tells it; None if there was none.

        :raises GameUnreadable: its journal makes no sense to this program; nothing has been changed.
        :raises RecordError: the file cannot be read.
        """
        try:
            return read(self.current())
        except JournalError as error:
            raise GameUnreadable(
                Message(
                    "The last game in the record {path} can no longer be read. {problem} "
                    "Begin a new one with --new: the old one stays in the record.",
                    path=self._where,
                    problem=error.message,
                )
            ) from None

    def current(self) -> list[Entry]:
        """The journal of the game that began last; empty if there was none.

        :raises JournalError: an entry is of a kind that this program does not know.
        :raises RecordError: the file cannot be read.
        """
        try:
            with closing(
                self._db.execute(
                    "select kind, text from entry where game = (select max(id) from game) order by id",
                )
            ) as rows:
                written = rows.fetchall()
        except sqlite3.Error as error:
            raise self._cannot_open(error) from None
        return [Entry(_kind(kind, number), text) for number, (kind, text) in enumerate(written, 1)]

    def append(self, entry: Entry) -> None:
        """Write an entry; a `Kind.NEW` begins the next game.

        :raises NotSaved: it could not be written, and has not happened.
        """
        now = time()
        if not self._is_there():
            raise self._not_saved(os.strerror(errno.ENOENT))
        try:
            self._db.execute("begin immediate")
            if entry.kind is Kind.NEW:
                self._db.execute("insert into game (began) values (?)", (now,))
            self._db.execute(
                "insert into entry (game, at, kind, text) select max(id), ?, ?, ? from game",
                (now, entry.kind.value, entry.text),
            )
            self._db.execute("commit")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                if self._db.in_transaction:
                    self._db.rollback()
            raise self._not_saved(error) from None

    def close(self) -> None:
        """Let go of the file; may be called twice."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _prepare(self) -> None:
        # Exclusive from the first write to the end: two programs would each play their own game in one record.
        self._db.execute("pragma locking_mode = exclusive")
        # A commit returns only when the disk has it, whatever happens to the power in the next instant.
        self._db.execute("pragma synchronous = extra")
        self._db.execute("pragma foreign_keys = on")
        self._db.execute("begin exclusive")
        application, version, tables = (
            self._db.execute(question).fetchone()[0]
            for question in ("pragma application_id", "pragma user_version", "select count(*) from sqlite_master")
        )
        if application != _APPLICATION and (application or version or tables):
            raise RecordError(
                Message(
                    "The file {path} is a database of another program, and was left as it is. "
                    "Name another file with --record.",
                    path=self._where,
                )
            )
        if version > _SCHEMA_VERSION:
            raise RecordError(
                Message(
                    "The record {path} was written by a newer popout. Update popout, or name another with --record.",
                    path=self._where,
                )
            )
        if version and (found := self._db.execute("pragma quick_check(1)").fetchone()[0]) != "ok":
            raise self._cannot_open(found)
        # Also where it has it already: SQLite opens what may only be read, and says so at the first writing.
        self._db.execute(f"pragma user_version = {_SCHEMA_VERSION}")
        if version:
            self._db.execute("rollback")
            return
        for statement in _SCHEMA.split(";"):
            self._db.execute(statement)
        self._db.execute(f"pragma application_id = {_APPLICATION}")
        self._db.execute("commit")

    def _cannot_open(self, reason: object) -> RecordError:
        return RecordError(
            Message(
                "The record {path} cannot be opened ({reason}), and was left as it is. "
                "Name another file with --record.",
                path=self._where,
                reason=excerpt(str(reason)),
            )
        )

    def _not_saved(self, error: sqlite3.Error | str) -> NotSaved:
        if _code(error) == sqlite3.SQLITE_FULL:
            return NotSaved(
                Message("The disk is full: this could not be saved, and does not count. Make room and try again.")
            )
        return NotSaved(
            Message(
                "This could not be saved to {path} ({reason}), and does not count. Look after the disk and try again.",
                path=self._where,
                reason=excerpt(str(error)),
            )
        )

    def _is_there(self) -> bool:
        """Whether the file is still the one that was opened, so that what is written into it can be read again."""
        if self.path is None:
            return True
        with suppress(OSError):
            return _identity(self.path) == self._opened
        return False


def default_path() -> Path:
    """Where the games of this user are recorded."""
    return platformdirs.user_data_path("popout") / "games.sqlite3"


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino


def _code(error: sqlite3.Error | str) -> int | None:
    """SQLite's own code; None for an error of the module around it."""
    return getattr(error, "sqlite_errorcode", None)


def _kind(kind: str, number: int) -> Kind:
    try:
        return Kind(kind)
    except ValueError:
        raise JournalError(
            Message(
                'Its entry {number} is of the kind "{kind}", which this popout does not know; a newer one may.',
                number=number,
                kind=excerpt(kind),
            )
        ) from None
