"""What a record looks like inside, how an entry is written, and how older records become newer ones."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping

from popout.record.journal import Entry, Kind, apply
from popout.rules import Game, PopoutError, result_text

APPLICATION = 0x506F704F
"""SQLite's mark of whose file it is: "PopO"."""
VERSION = 2
PAGE_BYTES = 4096

_SCHEMA = """
create table game (
    id integer primary key,
    began real not null,
    started real,
    ended real,
    outcome text,
    moves integer not null default 0,
    settled integer not null default 0,
    imported integer not null default 0,
    names text not null default '{}'
) strict;
create table entry (
    id integer primary key,
    game integer not null references game (id),
    number integer not null,
    at real not null,
    kind text not null,
    text text not null,
    source text,
    imported integer not null default 0
) strict;
create unique index entry_of_game on entry (game, number);
create table holder (
    pid integer not null,
    program text not null,
    since real not null
) strict;
"""
"""A game's `started` is the time of its first move. `ended` and `outcome` are null while it goes on, `moves` are those
that stand, and `settled` those before the last correction, which can no longer be taken back. All of them follow from
its entries, and are kept so that ten thousand games can be listed without playing them. `names` is a JSON object.
Whether a game is imported stands in its entries too, so that what is left of a damaged record tells which goes on."""


def create(db: sqlite3.Connection) -> None:
    """Make an empty record, inside the transaction that is under way."""
    _make_tables(db)
    db.execute(f"pragma application_id = {APPLICATION}")
    db.execute(f"pragma user_version = {VERSION}")


def migrate(db: sqlite3.Connection, version: int) -> None:
    """Make a record of an older `version` one of this, inside the transaction that is under way."""
    assert version == 1, "there is one older version"
    db.execute("alter table entry rename to old_entry")
    db.execute("alter table game rename to old_game")
    db.execute("drop index entry_of_game")
    _make_tables(db)
    # Of a game whose own row is gone, the entries are still worth keeping.
    games = (
        "select id, began from old_game union all "
        "select game, min(at) from old_entry where game not in (select id from old_game) group by game order by 1"
    )
    for number, began in db.execute(games).fetchall():
        begin_game(db, began, number=number)
        rows = db.execute("select kind, text, at from old_entry where game = ? order by id", (number,)).fetchall()
        write_all(db, number, [(kind, text, at, None) for kind, text, at in rows])
    db.execute("drop table old_entry")
    db.execute("drop table old_game")
    db.execute(f"pragma user_version = {VERSION}")


def current_game(db: sqlite3.Connection) -> int | None:
    """The number of the game that began last here; None if there was none."""
    found = db.execute("select id from game where imported = 0 order by id desc limit 1").fetchone()
    return found[0] if found else None


def begin_game(
    db: sqlite3.Connection,
    began: float,
    *,
    number: int | None = None,
    imported: bool = False,
    names: Mapping[str, str] | None = None,
) -> int:
    """Begin a game, with the next number if none is given, and give its number."""
    added = db.execute(
        "insert into game (id, began, imported, names) values (?, ?, ?, ?)",
        (number, began, int(imported), json.dumps(dict(names or {}), ensure_ascii=False)),
    )
    assert added.lastrowid is not None
    return added.lastrowid


Row = tuple[str, str, float, str | None]
"""An entry as it is written: its kind, its text, when (in seconds since 1970), and its source if it is known."""


def row(entry: Entry, at: float) -> Row:
    """An entry that was made at that time, as it is written."""
    return entry.kind.value, entry.text, at, entry.source.value if entry.source else None


def write(db: sqlite3.Connection, game: int | None, entry: Row, after: Game | None) -> None:
    """Write the next entry of a game, and what the game is after it; None if nobody can say."""
    kind, text, at, source = entry
    db.execute(
        "insert into entry (game, number, at, kind, text, source) "
        "select ?, coalesce(max(number), 0) + 1, ?, ?, ?, ? from entry where game = ?",
        (game, at, kind, text, source, game),
    )
    if after is None:
        return
    outcome = result_text(after.outcome) if after.outcome else None
    # In an update every column on the right has its value from before.
    before = "moves" if kind == Kind.CORRECTION.value else "settled"
    db.execute(
        f"update game set settled = {before}, moves = {before} + ?, ended = ?, outcome = ?, "
        "started = coalesce(started, ?) where id = ?",
        (len(after.moves), at if outcome else None, outcome, at if kind == Kind.MOVE.value else None, game),
    )


def write_all(db: sqlite3.Connection, game: int, entries: list[Row], *, only_playable: bool = False) -> None:
    """Write all entries of a game, or with `only_playable` those before the first that cannot follow.

    The same as `write` for one after the other, in less time.
    """
    after: Game | None = None
    written: list[Row] = []
    settled = moves = 0
    started = ended = outcome = None
    readable = True
    for entry in entries:
        kind, _, at, _ = entry
        after = played(after, entry) if readable else None
        readable = after is not None
        if after:
            settled = moves if kind == Kind.CORRECTION.value else settled
            moves = settled + len(after.moves)
            outcome = result_text(after.outcome) if after.outcome else None
            ended = at if outcome else None
            started = at if started is None and kind == Kind.MOVE.value else started
        elif only_playable:
            break
        written.append(entry)
    db.executemany(
        "insert into entry (game, number, kind, text, at, source, imported) "
        "select ?, ?, ?, ?, ?, ?, imported from game where id = ?",
        [(game, number, *entry, game) for number, entry in enumerate(written, 1)],
    )
    db.execute(
        "update game set settled = ?, moves = ?, ended = ?, outcome = ?, started = ? where id = ?",
        (settled, moves, ended, outcome, started, game),
    )


def played(game: Game | None, entry: Row) -> Game | None:
    """The game after an entry; None if it cannot follow."""
    try:
        return apply(game, Entry(Kind(entry[0]), entry[1]))
    except (PopoutError, ValueError):
        return None


def _make_tables(db: sqlite3.Connection) -> None:
    for statement in _SCHEMA.split(";"):
        db.execute(statement)
