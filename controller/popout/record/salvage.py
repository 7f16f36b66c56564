"""A damaged record: set aside as it is, and everything that can be read saved out of it into a fresh one.

The fresh record is made first, under a name of its own, and takes the damaged one's place only when it is whole on
the disk; its name says what the damaged one will be called. When the power is cut in between, `finish` goes on.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from popout.record import schema
from popout.record.journal import Kind
from popout.record.pages import Row, Value, rows, with_log
from popout.rules.messages import Message

_BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database, by the end of its name."""
_SAVING, _SAVED, _DAMAGED = "saving", "saved", "damaged"
_ENTRY_VALUES, _OLD_ENTRY_VALUES, _GAME_VALUES, _OLD_GAME_VALUES = 8, 5, 9, 2


@dataclass(slots=True)
class Found:
    """What is left of one game.

    :ivar rows: its entries by their numbers from 1, some of which may be missing.
    """

    began: float | None = None
    imported: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    rows: dict[int, schema.Row] = field(default_factory=dict)

    def beginning(self) -> list[schema.Row]:
        """The entries before the first gap; none if they do not begin a game."""
        kept: list[schema.Row] = []
        while entry := self.rows.get(len(kept) + 1):
            kept.append(entry)
        return kept if kept and schema.played(None, kept[0]) else []


def set_aside(file: Path) -> Message:
    """Put a fresh record with all that can be read of the damaged one in `file` in its place, and say what was done.

    Whoever calls holds the lock. The damaged record gets another name and is not changed.

    :raises OSError: a file cannot be read, written or renamed; the damaged record is as it was.
    :raises sqlite3.Error: the fresh record cannot be written; likewise.
    """
    stamp = _free_stamp(file)
    saving, saved = _named(file, _SAVING, stamp), _named(file, _SAVED, stamp)
    log = _with_ending(file, "-wal")
    games = found_in(
        file.read_bytes() if file.exists() else b"",
        log.read_bytes() if log.exists() else b"",
    )
    try:
        _write(saving, games)
        saving.rename(saved)
    except BaseException:
        with suppress(OSError):
            saving.unlink(missing_ok=True)
        raise
    _sync_folder(file)
    return _swap(file, saved)


def finish(file: Path) -> Message | None:
    """Go on where setting aside the record in `file` was cut off, and say what was done; None if there is nothing.

    :raises OSError: a file cannot be renamed.
    """
    for left in _beside(file, _SAVING):
        left.unlink()
    saved = next(iter(_beside(file, _SAVED)), None)
    return None if saved is None else _swap(file, saved)


def found_in(database: bytes, log: bytes) -> dict[int, Found]:
    """What is left of each game in a damaged database with its write-ahead log, by the games' numbers."""
    new: dict[int, Found] = {}
    old: dict[int, Found] = {}
    old_entries: list[tuple[int, int, schema.Row]] = []
    for row in rows(with_log(database, log)):
        number, values = row
        if entry := _entry(values):
            game, place = values[1], values[2]
            if isinstance(game, int) and isinstance(place, int) and game > 0:
                found = new.setdefault(game, Found())
                found.rows[place] = entry
                found.imported = values[-1] == 1
        elif entry := _old_entry(values):
            if isinstance(values[1], int):
                old_entries.append((number, values[1], entry))
        elif len(values) == _GAME_VALUES:
            _note_game(new, row)
        elif len(values) == _OLD_GAME_VALUES and values[0] is None and isinstance(values[1], int | float):
            old.setdefault(number, Found()).began = float(values[1])
    if any(found.rows for found in new.values()):
        return new  # what has the older form was left behind when the record was made one of this version
    _number_old(old, old_entries)
    return old


def _entry(values: tuple[Value, ...]) -> schema.Row | None:
    if len(values) != _ENTRY_VALUES:
        return None
    when, kind, text, source = values[3:7]
    if values[0] is None and isinstance(when, int | float) and isinstance(kind, str) and isinstance(text, str):
        return kind, text, float(when), source if isinstance(source, str) else None
    return None


def _old_entry(values: tuple[Value, ...]) -> schema.Row | None:
    if len(values) != _OLD_ENTRY_VALUES:
        return None
    return _entry((*values[:2], None, *values[2:], None, 0))


def _note_game(games: dict[int, Found], row: Row) -> None:
    number, (nothing, began, *_, names) = row
    if nothing is not None or not isinstance(began, int | float) or not isinstance(names, str):
        return
    found = games.setdefault(number, Found())
    found.began = float(began)
    with suppress(ValueError, RecursionError):
        said = json.loads(names)
        if isinstance(said, dict) and all(isinstance(value, str) for value in said.values()):
            found.names = said


def _number_old(games: dict[int, Found], entries: list[tuple[int, int, schema.Row]]) -> None:
    """Give the entries of an older record, which had one number for all games together, their numbers in each game."""
    last: dict[int, int] = {}
    for number, game, entry in sorted({number: (number, game, entry) for number, game, entry in entries}.values()):
        found = games.setdefault(game, Found())
        begins = entry[0] == Kind.NEW.value
        if begins or number == last.get(game, 0) + 1:
            found.rows[len(found.rows) + 1] = entry
            last[game] = number


def _write(path: Path, games: Mapping[int, Found]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"pragma page_size = {schema.PAGE_BYTES}")
        db.execute("pragma synchronous = extra")
        db.execute("begin")
        schema.create(db)
        for number, found in sorted(games.items()):
            kept = found.beginning()
            if kept:
                began = kept[0][2] if found.began is None else found.began
                schema.begin_game(db, began, number=number, imported=found.imported, names=found.names)
                schema.write_all(db, number, kept, only_playable=True)
        db.execute("commit")


def _swap(file: Path, saved: Path) -> Message:
    damaged = saved.with_name(saved.name.replace(f".{_SAVED}-", f".{_DAMAGED}-"))
    # The log first: beside a fresh record it would be taken for its own.
    for ending in (*_BESIDE, ""):
        part = _with_ending(file, ending)
        if part.exists():
            part.rename(_with_ending(damaged, ending))
    with closing(sqlite3.connect(f"{saved.as_uri()}?mode=ro", uri=True)) as db:
        (count,) = db.execute("select count(*) from game").fetchone()
    saved.rename(file)
    _sync_folder(file)
    if not count:
        return Message(
            "The record was damaged, and no game could be read in it: it is kept as {kept}.", kept=str(damaged)
        )
    return Message(
        "The record was damaged: what could be read of one game is saved, and the damaged file is kept as {kept}.",
        plural="The record was damaged: what could be read of {count} games is saved, "
        "and the damaged file is kept as {kept}.",
        count=count,
        kept=str(damaged),
    )


def _free_stamp(file: Path) -> str:
    """When it is, in letters that no other damaged record beside `file` has in its name."""
    now = f"{datetime.now():%Y%m%d-%H%M%S}"
    number, stamp = 1, now
    while any(
        _with_ending(_named(file, state, stamp), ending).exists()
        for state in (_SAVING, _SAVED, _DAMAGED)
        for ending in (*_BESIDE, "")
    ):
        number += 1
        stamp = f"{now}-{number}"
    return stamp


def _named(file: Path, state: str, stamp: str) -> Path:
    return file.with_name(f"{file.stem}.{state}-{stamp}{file.suffix}")


def _beside(file: Path, state: str) -> list[Path]:
    beginning = f"{file.stem}.{state}-"
    return sorted(each for each in file.parent.iterdir() if each.name.startswith(beginning))


def _with_ending(file: Path, ending: str) -> Path:
    return file.with_name(file.name + ending)


def _sync_folder(file: Path) -> None:
    """Let the disk have the new names before anything goes on, as far as the system lets a folder be opened."""
    with suppress(OSError):
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
