"""What goes wrong with a record, in one sentence with the way out."""

from __future__ import annotations

import errno
import os
import sqlite3

import pytest

from popout.record.errors import RecordInUse, cannot_open, cannot_read, code_of, reason_of


def of_sqlite(code: int, text: str = "it failed") -> sqlite3.Error:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error


def of_the_system(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (of_sqlite(sqlite3.SQLITE_FULL), "The disk is full, and the record g cannot be opened."),
        (of_the_system(errno.ENOSPC), "The disk is full, and the record g cannot be opened."),
        (of_sqlite(sqlite3.SQLITE_READONLY), "Nothing may be written to the record g (it failed)"),
        (of_sqlite(sqlite3.SQLITE_READONLY_DIRECTORY), "Nothing may be written to the record g (it failed)"),
        (of_the_system(errno.EROFS), "Nothing may be written to the record g (Read-only file system)"),
        (of_the_system(errno.EACCES), "Nothing may be written to the record g (Permission denied)"),
        (of_sqlite(sqlite3.SQLITE_BUSY), "The record g is in use by another popout."),
        (of_the_system(errno.EIO), "The record g cannot be opened (Input/output error), and was left as it is."),
        ("its name has a zero in it", "The record g cannot be opened (its name has a zero in it)"),
    ],
)
def test_each_reason_why_a_record_cannot_be_opened_has_its_own_way_out(error: object, sentence: str):
    assert str(cannot_open("g", error)).startswith(sentence)


def test_a_record_that_another_program_holds_is_in_use_for_readers_too():
    assert isinstance(cannot_read("g", of_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT)), RecordInUse)
    assert str(cannot_read("g", of_the_system(errno.EACCES))) == (
        "The record g cannot be read (Permission denied). Its owner can allow it; or name another file with --record."
    )


def test_an_error_that_sqlite_did_not_raise_has_no_code_of_it():
    assert code_of(of_sqlite(sqlite3.SQLITE_IOERR_FSYNC)) == sqlite3.SQLITE_IOERR
    assert code_of(of_the_system(errno.EIO)) is None


def test_a_reason_is_no_longer_than_a_sentence_bears():
    assert len(reason_of("x" * 10_000)) < 100
