"""One writer at a time: the lock beside a record, and who holds it.

The lock is the kernel's and ends with its process, however that ends. Who has it stands in the record itself, where
a second process reads it.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from time import time
from typing import Self

from filelock import BaseFileLock, FileLock, Timeout

from popout.record.errors import RecordInUse, in_use
from popout.record.places import lock_of
from popout.rules.messages import Message, excerpt


@dataclass(frozen=True, slots=True)
class Holder:
    """Who writes a record.

    :ivar program: its command, such as ``popout play``. :ivar since: in seconds since 1970.
    """

    pid: int
    program: str
    since: float

    @classmethod
    def this_process(cls) -> Self:
        """This very program, from now on."""
        return cls(os.getpid(), _program(sys.argv), time())

    def write(self, db: sqlite3.Connection) -> None:
        """Say it in the record."""
        db.execute("delete from holder")
        db.execute("insert into holder (pid, program, since) values (?, ?, ?)", (self.pid, self.program, self.since))


def lock(file: Path, path: str) -> BaseFileLock:
    """Take the lock of the record in `file`, which people know as `path`.

    :raises RecordInUse: another process has it; says which, if that can be read.
    :raises OSError: there can be no lock in this place.
    """
    # Any thread may write later: the lock is the process's.
    taken = FileLock(lock_of(file), timeout=0, thread_local=False)
    try:
        taken.acquire()
    except Timeout:
        raise _held(file, path) from None
    return taken


def _held(file: Path, path: str) -> RecordInUse:
    holder = _read_holder(file)
    if holder is None:
        return in_use(path)
    since = datetime.fromtimestamp(holder.since)
    today = since.date() == datetime.now().date()
    return RecordInUse(
        Message(
            "The record {path} is in use by {program} (process {pid}, since {since}). "
            "Stop that one, or name another with --record.",
            path=path,
            program=excerpt(holder.program),
            pid=holder.pid,
            since=f"{since:%H:%M}" if today else f"{since:%Y-%m-%d %H:%M}",
        )
    )


def _read_holder(file: Path) -> Holder | None:
    with (
        suppress(sqlite3.Error, OSError, ValueError, OverflowError, TypeError),
        closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=0.5)) as db,
    ):
        found = db.execute("select pid, program, since from holder").fetchone()
        if found:
            datetime.fromtimestamp(found[2])  # what cannot be a time says nothing
            return Holder(*found)
    return None


def _program(arguments: list[str]) -> str:
    """The command that a person would know this process by."""
    command = next((word for word in arguments[1:] if not word.startswith("-")), "")
    name = Path(arguments[0]).stem if arguments else ""
    return f"popout {command}" if command.isalpha() and name in ("popout", "__main__") else "popout"
