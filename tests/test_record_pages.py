"""Rows read out of a database's pages, against what SQLite itself says is in it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.record.pages import rows, with_log

VALUES = st.tuples(
    st.none() | st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False) | st.sampled_from([0, 1, -1]),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=200),
    st.binary(max_size=200) | st.none(),
)


def written(path: Path, lines: list[tuple[object, ...]], size: int = 4096) -> bytes:
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"pragma page_size = {size}")
        db.execute("create table line (id integer primary key, a, b, c, d)")
        db.executemany("insert into line (a, b, c, d) values (?, ?, ?, ?)", lines)
        db.commit()
    data = path.read_bytes()
    path.unlink()
    return data


@given(st.lists(VALUES, max_size=30))
def test_every_row_is_read_as_it_was_written(tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[object, ...]]):
    data = written(tmp_path_factory.mktemp("pages") / "a", lines)
    found = sorted(row for row in rows(data) if len(row[1]) == 5 and row[1][0] is None)
    assert [number for number, _ in found] == list(range(1, len(lines) + 1))
    assert [values[1:] for _, values in found] == lines


@pytest.mark.parametrize("size", [512, 1024, 65536])
def test_pages_of_any_size_are_read(tmp_path: Path, size: int):
    lines = [(number, 0.5, "text", None) for number in range(500)]
    data = written(tmp_path / "a", lines, size)
    assert sorted(values[1] for _, values in rows(data) if values[0] is None) == list(range(500))


@given(st.binary(max_size=9000), st.binary(max_size=9000))
def test_whatever_the_bytes_are_they_are_read_to_the_end(data: bytes, log: bytes):
    list(rows(with_log(data, log)))


@given(st.integers(0, 2**32), st.integers(0, 200))
def test_a_page_with_anything_in_it_is_read_to_the_end(seed: int, count: int):
    page = bytearray(Random(seed).randbytes(4096))
    page[0], page[3:5] = 13, count.to_bytes(2, "big")
    assert all(isinstance(values, tuple) for _, values in rows(bytes(page)))


# The log


@pytest.fixture
def logged(tmp_path: Path) -> tuple[bytes, bytes, list[int]]:
    """A database, its log with ten transactions, and where each of them ends in the log."""
    path, log = tmp_path / "a", tmp_path / "a-wal"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("create table line (id integer primary key, a)")
        db.execute("pragma journal_mode = wal")
        db.execute("insert into line (a) values (0)")
        db.execute("pragma wal_checkpoint(truncate)")
        ends = []
        for number in range(1, 11):
            db.execute("insert into line (a) values (?)", (number,))
            ends.append(log.stat().st_size)
        return path.read_bytes(), log.read_bytes(), ends


def numbers(database: bytes) -> list[int]:
    return sorted(int(values[1]) for _, values in rows(database) if len(values) == 2 and values[1] is not None)


def test_the_pages_of_the_log_come_before_those_of_the_database(logged: tuple[bytes, bytes, list[int]]):
    database, log, _ = logged
    assert numbers(database) == [0]
    assert numbers(with_log(database, log)) == list(range(11))


def test_of_a_log_that_is_cut_the_whole_transactions_count(logged: tuple[bytes, bytes, list[int]]):
    database, log, ends = logged
    for size in range(0, len(log), 500):
        whole = sum(end <= size for end in ends)
        assert numbers(with_log(database, log[:size])) == list(range(whole + 1))


def test_of_a_log_with_a_wrong_byte_what_stands_before_it_counts(logged: tuple[bytes, bytes, list[int]]):
    database, log, ends = logged
    for at in range(ends[0], len(log), 997):
        broken = bytearray(log)
        broken[at] ^= 1
        whole = sum(end <= at for end in ends)
        assert numbers(with_log(database, bytes(broken))) == list(range(whole + 1))


@pytest.mark.parametrize("at", [0, 8, 16, 24])
def test_a_log_with_a_wrong_beginning_says_nothing(logged: tuple[bytes, bytes, list[int]], at: int):
    database, log, _ = logged
    broken = bytearray(log)
    broken[at] ^= 1
    assert with_log(database, bytes(broken)) == database
