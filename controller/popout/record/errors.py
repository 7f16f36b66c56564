"""What can go wrong with a record, each in one sentence with the way out."""

from __future__ import annotations

import errno
import sqlite3

from popout.rules.messages import Message, PopoutError, excerpt

_NO_WRITING = {errno.EACCES, errno.EPERM, errno.EROFS}


class RecordError(PopoutError, OSError):
    """The record cannot be opened, read or written; the message says why and the way out."""

    code = "record"


class RecordInUse(RecordError):
    """Another program has the record open."""

    code = "record-in-use"


class RecordDamaged(RecordError):
    """The record is damaged, and whoever reads it may not mend it."""

    code = "record-damaged"


class NoSuchRecord(RecordError):
    """There is no record in that place."""

    code = "no-such-record"


class NoSuchGame(RecordError):
    """The record has no game of that number."""

    code = "no-such-game"


class GameUnreadable(RecordError):
    """A game in the record makes no sense to this program."""

    code = "game-unreadable"


class NotSaved(RecordError):
    """An entry could not be written. It has not happened."""

    code = "not-saved"


class SavingInDoubt(NotSaved):
    """An entry could not be written whole, nor could what there is of it be taken away again.

    It has not happened here. Whether the next start finds it depends on what the disk has kept.
    """

    code = "saving-in-doubt"


def code_of(error: Exception) -> int | None:
    """SQLite's own code for an error, without its details; None for any other error."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def reason_of(error: object) -> str:
    """Why, as a sentence may quote it."""
    return excerpt(getattr(error, "strerror", None) or str(error))


def cannot_open(path: str, error: object) -> RecordError:
    """The refusal to open the record called `path` because of `error`, an exception or a text."""
    if isinstance(error, Exception):
        code = code_of(error)
        if code == sqlite3.SQLITE_BUSY:
            return in_use(path)
        if code == sqlite3.SQLITE_FULL or getattr(error, "errno", None) == errno.ENOSPC:
            return RecordError(
                Message(
                    "The disk is full, and the record {path} cannot be opened. Make room on it and try again.",
                    path=path,
                )
            )
        if code == sqlite3.SQLITE_READONLY or getattr(error, "errno", None) in _NO_WRITING:
            return RecordError(
                Message(
                    "Nothing may be written to the record {path} ({reason}), and no game could be saved there. "
                    "Allow it, or name another file with --record.",
                    path=path,
                    reason=reason_of(error),
                )
            )
    return RecordError(
        Message(
            "The record {path} cannot be opened ({reason}), and was left as it is. Name another file with --record.",
            path=path,
            reason=reason_of(error),
        )
    )


def cannot_read(path: str, error: Exception) -> RecordError:
    """The refusal to read the record called `path` because of `error`."""
    if code_of(error) == sqlite3.SQLITE_BUSY:
        return in_use(path)
    return RecordError(
        Message(
            "The record {path} cannot be read ({reason}). Its owner can allow it; or name another file with --record.",
            path=path,
            reason=reason_of(error),
        )
    )


def in_use(path: str) -> RecordInUse:
    """The refusal to open what another program holds, where nobody knows which."""
    return RecordInUse(
        Message(
            "The record {path} is in use by another popout. Stop that one, or name another with --record.", path=path
        )
    )


def too_new(path: str) -> RecordError:
    """The refusal to open what this program does not understand yet."""
    return RecordError(
        Message(
            "The record {path} was written by a newer popout. Update popout, or name another with --record.", path=path
        )
    )
