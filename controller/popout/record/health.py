"""Whose a file is that should be a record, and whether it is whole; looked at without changing a byte of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from popout.record.errors import RecordError, code_of
from popout.record.pages import MAGIC, page_size
from popout.record.places import is_usual, lock_of
from popout.record.schema import APPLICATION, VERSION
from popout.rules.messages import Message

_HEADER_BYTES = 100
_FIRST_PAGE_BYTES = 4096
_OUR_TABLE = b"TABLE entry"
_FORMATS = (1, 2)
_THE_DISK = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR),
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_PROTOCOL),
}
"""What SQLite says where the file may well be whole, but cannot be read now."""


def check_ours(file: Path, path: str) -> None:
    """Refuse what somebody else has put there. A damaged record of ours is not refused, nor is an empty file.

    :param path: what people call the file.
    :raises RecordError: it is something else.
    :raises OSError: it cannot be read. :raises sqlite3.Error: likewise.
    """
    if not file.exists() or not file.stat().st_size:
        return
    with file.open("rb") as opened:
        start = opened.read(_FIRST_PAGE_BYTES)
    # Where only a record of ours can be, also one whose beginning is gone is ours.
    expected = is_usual(file) or lock_of(file).exists()
    if not start.startswith(MAGIC):
        if expected:
            return
        raise RecordError(
            Message(
                "The file {path} is no record of games, and was left as it is. Name another file with --record.",
                path=path,
            )
        )
    application = int.from_bytes(start[68:72], "big")
    if application == APPLICATION or (expected and _OUR_TABLE in start) or _is_blank(file, application):
        return
    raise RecordError(
        Message(
            "The file {path} is a database of another program, and was left as it is. Name another file with --record.",
            path=path,
        )
    )


def problem(file: Path) -> str | None:
    """What is damaged in the record in `file`; None if it is whole, or there is none.

    :raises sqlite3.Error: the disk, or another program, does not let it be read.
    :raises OSError: likewise.
    """
    if not file.exists() or not file.stat().st_size:
        return "only its log is there" if only_log_left(file) else None
    with file.open("rb") as opened:
        header = opened.read(_HEADER_BYTES)
    if len(header) < _HEADER_BYTES or header[18] not in _FORMATS or header[19] not in _FORMATS:
        return "its beginning is damaged"
    if file.stat().st_size % (page_size(header) or 1) and not _is_unfinished(file):
        return "its end is missing"  # SQLite would take what is gone of the last page for zeros
    try:
        return _problem_inside(file)
    except sqlite3.Error as error:
        if code_of(error) in _THE_DISK:
            raise
        return str(error)


def only_log_left(file: Path) -> bool:
    """Whether of a record only the log beside it is there, which SQLite would throw away when it opens the file.

    :raises OSError: nobody can look.
    """
    log = file.with_name(f"{file.name}-wal")
    return not (file.exists() and file.stat().st_size) and log.exists() and log.stat().st_size > 0


def open_reading(file: Path) -> sqlite3.Connection:
    """A connection that changes nothing.

    :raises sqlite3.Error: see there.
    """
    db = sqlite3.connect(
        f"{file.as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=0.5, check_same_thread=False
    )
    db.text_factory = any_text
    return db


def any_text(text: bytes) -> str:
    """A text out of a record; a letter of it that is damaged stops nobody from reading the others."""
    return text.decode(errors="replace")


def _problem_inside(file: Path) -> str | None:
    with closing(open_reading(file)) as db:
        (version,) = db.execute("pragma user_version").fetchone()
        (application,) = db.execute("pragma application_id").fetchone()
        (tables,) = db.execute("select count(*) from sqlite_master").fetchone()
        if not (version or application or tables):
            return None
        if application != APPLICATION or not version:
            return "its beginning is damaged"
        if version > VERSION:
            return None  # a newer popout knows whether it is whole
        (found,) = db.execute("pragma integrity_check(1)").fetchone()
        if found != "ok":
            return str(found)
        if version == 1:
            db.execute("select count(began) from game, (select count(text) from entry)").fetchone()
            return None
        # What SQLite cannot know: without one of its entries a game would be another.
        gap = db.execute("select 1 from entry group by game having count(*) <> max(number) limit 1").fetchone()
        return "entries are missing" if gap else None


def _is_unfinished(file: Path) -> bool:
    """Whether what was being written when the power was cut stands beside the file, so that SQLite can finish it."""
    beside = (file.with_name(file.name + ending) for ending in ("-wal", "-journal"))
    return any(each.exists() and each.stat().st_size for each in beside)


def _is_blank(file: Path, application: int) -> bool:
    """Whether a database holds nothing and has no mark of anybody, so that it can become a record."""
    if application:
        return False
    with closing(open_reading(file)) as db:
        (tables,) = db.execute("select count(*) from sqlite_master").fetchone()
        (version,) = db.execute("pragma user_version").fetchone()
        return not tables and not version
