"""The journal on disk: a SQLite database that only grows, and that one program at a time may write."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from time import time
from typing import Self

from popout.record import health, salvage, schema
from popout.record.errors import (
    GameUnreadable,
    NotSaved,
    RecordError,
    RecordInUse,
    SavingInDoubt,
    cannot_open,
    code_of,
    reason_of,
    too_new,
)
from popout.record.exchange import Written
from popout.record.journal import Entry, JournalError, Kind, entry_of, read
from popout.record.lock import Holder, lock
from popout.record.places import lock_of
from popout.rules import Game, Message

__all__ = ["GameUnreadable", "NotSaved", "RecordError", "RecordInUse", "Store"]


class Store:
    """The games that were played here, entry by entry; each `append` is on disk when it returns.

    Others may read the file meanwhile, see `popout.record.archive`. Times are seconds since 1970 by the computer's
    clock. They tell people when; the order is the entries' own, so that a clock that is set back changes nothing.

    May be used from one thread at a time.

    :ivar path: the file as it was named; None if the games are kept in memory only.
    :ivar recovered: what was done about a damaged record when this one was opened, None if nothing had to be.
    """

    def __init__(self, path: Path | None) -> None:
        """Open or create the record in `path`; None keeps it in memory only.

        A damaged record is set aside under another name, and what can be read of it is in this one. A file that is
        somebody else's or too new is left as it is.

        :raises RecordInUse: another program has it open.
        :raises RecordError: it cannot be opened, or is something else.
        """
        self.path = path
        self.recovered: Message | None = None
        self._where = ":memory:" if path is None else str(path)
        self._committing = False
        self._doubtful = False  # whether the log holds a step that was refused
        with ExitStack() as opening, self._refusing():
            # The lock is on the file itself, by whatever name somebody knows it.
            self._file = None if path is None else Path(os.path.realpath(path))
            if self._file is not None:
                health.check_ours(self._file, self._where)
                self._file.parent.mkdir(parents=True, exist_ok=True)
                opening.callback(lock(self._file, self._where).release)
                self._make_whole(self._file)
            self._db = sqlite3.connect(
                self._file or self._where, isolation_level=None, timeout=0.5, check_same_thread=False
            )
            opening.callback(self._db.close)
            self._db.text_factory = health.any_text
            self._prepare()
            if self._file is not None:
                self._become_holder()
            self._opened = {} if self._file is None else _identities(self._file)
            self._held = opening.pop_all()

    def game(self) -> Game | None:
        """The game that began last here, as its journal tells it; None if there was none.

        :raises GameUnreadable: its journal makes no sense to this program; nothing has been changed.
        :raises RecordError: the file cannot be read.
        """
        try:
            return read(self.current())
        except JournalError as error:
            raise GameUnreadable(
                Message(
                    "The last game in the record {path} can no longer be read. {problem} "
                    "It stays in the record, and a new one begins.",
                    path=self._where,
                    problem=error.message,
                )
            ) from None

    def current(self) -> list[Entry]:
        """The journal of the game that began last here; empty if there was none.

        :raises JournalError: an entry is of a kind that this program does not know.
        :raises RecordError: the file cannot be read.
        """
        with self._refusing():
            written = self._db.execute(
                "select kind, text, source from entry where game = ? order by number",
                (schema.current_game(self._db),),
            ).fetchall()
        return [entry_of(kind, text, source, number) for number, (kind, text, source) in enumerate(written, 1)]

    def append(self, entry: Entry, after: Game) -> None:
        """Write an entry; a `Kind.NEW` begins the next game.

        :param after: the game as it is then.
        :raises NotSaved: it could not be written, and has not happened.
        """
        now = time()
        with self._saving():
            begins = entry.kind is Kind.NEW
            game = schema.begin_game(self._db, now) if begins else schema.current_game(self._db)
            schema.write(self._db, game, schema.row(entry, now), after)

    def add(self, games: list[Written]) -> list[int]:
        """Write games that were played elsewhere, all or none, and give their numbers. The game here goes on.

        :raises NotSaved: they could not be written.
        """
        numbers = []
        with self._saving():
            for written in games:
                game = schema.begin_game(self._db, written.began, imported=True, names=written.names)
                schema.write_all(self._db, game, [schema.row(step.entry, step.at) for step in written.steps])
                numbers.append(game)
        return numbers

    def close(self) -> None:
        """Let go of the file, and leave nothing beside it that is not needed; may be called twice."""
        if self._file is not None and self._is_there():
            # A reader who is still there keeps the log; whoever opens the record next puts all together again.
            with suppress(sqlite3.Error):
                self._db.execute("delete from holder")
                self._db.execute("pragma journal_mode = delete")
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _make_whole(self, file: Path) -> None:
        self.recovered = salvage.finish(file)
        try:
            damaged = health.problem(file)
        except sqlite3.OperationalError as error:
            # Where there can be no log beside it, a transaction that was cut off is undone by writing.
            if code_of(error) not in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
                raise
            with closing(sqlite3.connect(file)) as db:
                db.execute("select count(*) from sqlite_master").fetchone()
            damaged = health.problem(file)
        if damaged:
            self.recovered = salvage.set_aside(file)

    def _prepare(self) -> None:
        # A commit returns only when the disk has it, whatever happens to the power in the next instant.
        self._db.execute("pragma synchronous = extra")
        self._db.execute("pragma foreign_keys = on")
        self._db.execute(f"pragma page_size = {schema.PAGE_BYTES}")
        self._db.execute("begin immediate")
        (version,) = self._db.execute("pragma user_version").fetchone()
        if version > schema.VERSION:
            raise too_new(self._where)
        if not version:
            schema.create(self._db)
        elif version < schema.VERSION:
            schema.migrate(self._db, version)
        self._db.execute("commit")

    def _become_holder(self) -> None:
        # So that others can read while this program writes. Where the file system cannot do it SQLite goes on without;
        # where nothing can be written at all the next lines say so.
        with suppress(sqlite3.OperationalError):
            self._db.execute("pragma journal_mode = wal")
        with self._transaction():
            Holder.this_process().write(self._db)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("begin immediate")
        try:
            yield
            self._committing = True
            self._db.execute("commit")
        except BaseException:
            with suppress(sqlite3.Error):
                if self._db.in_transaction:
                    self._db.rollback()
            raise

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """What goes wrong meanwhile is told as a record that cannot be opened."""
        try:
            yield
        except RecordError:
            raise
        except (OSError, sqlite3.Error, ValueError) as error:
            raise cannot_open(self._where, error) from None

    @contextmanager
    def _saving(self) -> Iterator[None]:
        """What is written meanwhile is on disk afterwards, or none of it is.

        :raises NotSaved: it is not.
        """
        if not self._is_there():
            raise self._not_saved(os.strerror(errno.ENOENT))
        self._committing = False
        try:
            with self._transaction():
                yield
        except sqlite3.Error as error:
            self._doubtful = (self._doubtful or self._committing) and not self._log_is_cleared()
            raise (self._in_doubt(error) if self._doubtful else self._not_saved(error)) from None
        self._doubtful = False

    def _log_is_cleared(self) -> bool:
        """Take what a failed commit has left in the log out of it, since the next start would take it for committed.

        The next commit that succeeds writes over it, too.
        """
        try:
            (busy, *_) = self._db.execute("pragma wal_checkpoint(truncate)").fetchone()
        except sqlite3.Error:
            return False
        return not busy

    def _in_doubt(self, error: sqlite3.Error) -> SavingInDoubt:
        return SavingInDoubt(
            Message(
                "This could not be saved to {path} ({reason}), and does not count. The disk failed in the middle "
                "of it: after a restart it may be there all the same. Look after the disk and try again.",
                path=self._where,
                reason=reason_of(error),
            )
        )

    def _not_saved(self, error: sqlite3.Error | str) -> NotSaved:
        if isinstance(error, sqlite3.Error) and code_of(error) == sqlite3.SQLITE_FULL:
            return NotSaved(
                Message("The disk is full: this could not be saved, and does not count. Make room and try again.")
            )
        return NotSaved(
            Message(
                "This could not be saved to {path} ({reason}), and does not count. Look after the disk and try again.",
                path=self._where,
                reason=reason_of(error),
            )
        )

    def _is_there(self) -> bool:
        """Whether its files are still those that were opened.

        What is written into others could not be read again, or would come among what another program writes.
        """
        if self._file is None:
            return True
        with suppress(OSError):
            return _identities(self._file) == self._opened
        return False


def _identities(file: Path) -> dict[str, tuple[int, int]]:
    """Which files the record, its lock and its log are; a log that is not there has none."""
    found = {}
    for path in (file, lock_of(file), file.with_name(f"{file.name}-wal")):
        with suppress(FileNotFoundError):
            status = path.stat()
            found[path.name] = (status.st_dev, status.st_ino)
    return found
