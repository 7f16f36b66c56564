"""The journal on disk: a SQLite database that only grows, and that one program at a time may write."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from time import time
from typing import Self

import platformdirs

from popout.record.journal import Entry, Kind
from popout.rules.messages import Message, PopoutError

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

        :raises RecordInUse: another program has it open.
        :raises RecordError: it cannot be opened, or is something else.
        """
        self.path = path
        where = ":memory:" if path is None else str(path)
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(where, isolation_level=None, timeout=0.5, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise _cannot_open(where, error) from None
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._db.close()
            if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                raise RecordInUse(
                    Message(
                        "The record {path} is in use by another popout. Stop that one, or name another with --record.",
                        path=where,
                    )
                ) from None
            raise _cannot_open(where, error) from None
        except RecordError:
            self._db.close()
            raise

    def current(self) -> list[Entry]:
        """The journal of the game that began last; empty if there was none."""
        with closing(
            self._db.execute(
                "select kind, text from entry where game = (select max(id) from game) order by id",
            )
        ) as rows:
            return [Entry(Kind(kind), text) for kind, text in rows]

    def append(self, entry: Entry) -> None:
        """Write an entry; a `Kind.NEW` begins the next game.

        :raises NotSaved: it could not be written, and has not happened.
        """
        now = time()
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
            if self._db.in_transaction:
                self._db.rollback()
            raise NotSaved(
                Message(
                    "The move could not be saved ({reason}), so it does not count. Make room on the disk and try again.",
                    reason=str(error),
                )
            ) from None

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
        (version,) = self._db.execute("pragma user_version").fetchone()
        if version > _SCHEMA_VERSION:
            raise RecordError(
                Message("The record {path} was written by a newer popout. Update popout.", path=str(self.path))
            )
        if version == 0:
            for statement in _SCHEMA.split(";"):
                self._db.execute(statement)
            self._db.execute(f"pragma user_version = {_SCHEMA_VERSION}")
        self._db.execute("commit")


def default_path() -> Path:
    """Where the games of this user are recorded."""
    return platformdirs.user_data_path("popout") / "games.sqlite3"


def _cannot_open(path: str, error: Exception) -> RecordError:
    return RecordError(
        Message(
            "The record {path} cannot be opened ({reason}). Name another file with --record.",
            path=path,
            reason=str(error),
        )
    )
