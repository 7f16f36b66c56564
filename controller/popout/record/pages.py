"""The rows that are left in a damaged SQLite file, read page by page without SQLite, which refuses such a file.

Only the leaves of tables are looked at, so that nothing is needed of what leads to them. Rows that go over more than
one page are left out; a record has none.

Source: the file format as sqlite.org describes it, "Database File Format" and "WAL-mode File Format".
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

MAGIC = b"SQLite format 3\0"
USUAL_PAGE_BYTES = 4096

Value = None | int | float | str | bytes
Row = tuple[int, tuple[Value, ...]]
"""The number of a row in its table, and its values as they are stored; that of an integer key is None."""

_TABLE_LEAF = 13
_HEADER_BYTES = 100
_LEAF_HEADER_BYTES = 8
_WAL_HEADER_BYTES = 32
_FRAME_HEADER_BYTES = 24
_WAL_MAGIC = 0x377F0682
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_REAL, _ZERO, _ONE, _FIRST_BLOB, _FIRST_TEXT = 7, 8, 9, 12, 13
_LONGEST_VARINT = 9
_WORD = 0xFFFFFFFF


class _Unreadable(Exception):
    """Bytes that are no row."""


def with_log(database: bytes, log: bytes) -> bytes:
    """A database with the pages of its write-ahead log in their places, as far as whole transactions are in there."""
    if len(log) < _WAL_HEADER_BYTES:
        return database
    magic, _, size, _ = struct.unpack_from(">4I", log)
    if magic & ~1 != _WAL_MAGIC or not _is_page_size(size):
        return database
    words = ">" if magic & 1 else "<"
    sums = _checksum(words, log[:24], (0, 0))
    if sums != struct.unpack_from(">2I", log, 24):
        return database
    pages = bytearray(database)
    transaction: list[tuple[int, bytes]] = []
    for at in range(_WAL_HEADER_BYTES, len(log) - _FRAME_HEADER_BYTES - size + 1, _FRAME_HEADER_BYTES + size):
        number, committed = struct.unpack_from(">2I", log, at)
        page = log[at + _FRAME_HEADER_BYTES : at + _FRAME_HEADER_BYTES + size]
        sums = _checksum(words, page, _checksum(words, log[at : at + 8], sums))
        # The salt is that of the log's header as long as a frame is not left over from an older log.
        if log[at + 8 : at + 16] != log[16:24] or sums != struct.unpack_from(">2I", log, at + 16) or not number:
            break
        transaction.append((number, page))
        if committed:
            pages.extend(bytes(max(0, committed * size - len(pages))))
            for each, content in transaction:
                pages[(each - 1) * size : each * size] = content
            transaction.clear()
    return bytes(pages)


def page_size(database: bytes) -> int | None:
    """The size of a database's pages, as its beginning says; None if that is damaged."""
    if not database.startswith(MAGIC) or len(database) < _HEADER_BYTES:
        return None
    (size,) = struct.unpack_from(">H", database, 16)
    size = 65536 if size == 1 else size
    return int(size) if _is_page_size(size) else None


def rows(database: bytes) -> Iterator[Row]:
    """Every row that can be read, table by table mixed as the pages come, also of tables that are there no more."""
    size = page_size(database) or USUAL_PAGE_BYTES
    for start in range(0, len(database), size):
        # The last page may be cut off: what is left of it is at its end no longer what it was.
        page = database[start : start + size].ljust(size, b"\0")
        yield from _rows_of(page, _HEADER_BYTES if start == 0 else 0)


def _rows_of(page: bytes, header: int) -> Iterator[Row]:
    if page[header] != _TABLE_LEAF:
        return
    (count,) = struct.unpack_from(">H", page, header + 3)
    first = header + _LEAF_HEADER_BYTES
    for at in range(first, min(first + 2 * count, len(page) - 1), 2):
        try:
            yield _row(page, struct.unpack_from(">H", page, at)[0])
        except (_Unreadable, IndexError, struct.error, UnicodeDecodeError):
            continue


def _row(page: bytes, at: int) -> Row:
    length, at = _varint(page, at)
    number, at = _varint(page, at)
    end = at + length
    if end > len(page) or not length:
        raise _Unreadable
    head, place = _varint(page, at)
    values_at = at + head
    values: list[Value] = []
    while place < at + head:
        kind, place = _varint(page, place)
        value, values_at = _value(page, values_at, kind)
        values.append(value)
    if values_at != end or place != at + head:
        raise _Unreadable
    return number, tuple(values)


def _value(page: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind == 0:
        return None, at
    if kind in (_ZERO, _ONE):
        return kind - _ZERO, at
    if kind in _INTEGERS:
        end = at + _INTEGERS[kind]
        return int.from_bytes(page[at:end], "big", signed=True), end
    if kind == _REAL:
        return struct.unpack_from(">d", page, at)[0], at + 8
    if kind < _FIRST_BLOB:
        raise _Unreadable
    end = at + (kind - _FIRST_BLOB) // 2
    if end > len(page):
        raise _Unreadable
    return page[at:end].decode() if kind % 2 else page[at:end], end


def _varint(page: bytes, at: int) -> tuple[int, int]:
    """A number of up to nine bytes, and where the next thing begins. None that a record has is negative."""
    number = 0
    for place in range(at, at + _LONGEST_VARINT - 1):
        number = number << 7 | page[place] & 0x7F
        if page[place] < 0x80:
            return number, place + 1
    raise _Unreadable


def _is_page_size(size: int) -> bool:
    return 512 <= size <= 65536 and not size & (size - 1)


def _checksum(words: str, data: bytes, sums: tuple[int, int]) -> tuple[int, int]:
    first, second = sums
    numbers = struct.unpack(f"{words}{len(data) // 4}I", data)
    for even, odd in zip(numbers[::2], numbers[1::2], strict=True):
        first = (first + even + second) & _WORD
        second = (second + odd + first) & _WORD
    return first, second
