"""Records for tests: games that were played by chance, and files as older programs and broken disks leave them."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterable
from pathlib import Path

import pytest

from popout.record import places
from popout.record.journal import Entry, Kind, apply
from popout.record.store import Store
from popout.rules import RED, Game, RuleSet, set_up
from popout.rules.beside import Beside

VERSION_1 = """
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
"""As the first popout made it."""


def no_record_yet(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let all records be in `folder`, where there is none; where the user's own one will be."""
    monkeypatch.setattr(places, "SERVICE_PATH", folder / "service.sqlite3")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    return folder / "data/popout/games.sqlite3"


def keep(store: Store, entries: Iterable[Entry]) -> Game:
    """Write entries that lead to a game, and give it."""
    game: Game | None = None
    for entry in entries:
        game = apply(None if entry.kind is Kind.NEW else game, entry)
        store.append(entry, game)
    assert game is not None
    return game


def random_game(rules: str, length: int, chance: random.Random) -> list[Entry]:
    """The journal of a game of so many entries, in which moves are taken back now and then and at the end."""
    entries = [Entry.new(RuleSet.parse(rules))]
    game = apply(None, entries[0])
    while len(entries) < length:
        if game.moves and (game.outcome or chance.random() < 0.1):
            entry = Entry.take_back(chance.randint(1, min(3, len(game.moves))))
        else:
            entry = Entry.move(chance.choice(game.legal_moves))
        game = apply(game, entry)
        entries.append(entry)
    return entries


def corrected_game(length: int, chance: random.Random) -> list[Entry]:
    """The journal of a game that was corrected in its middle."""
    first = random_game("popout 7x6", length // 2, chance)
    game = None
    for entry in first:
        game = apply(game, entry)
    assert game is not None
    after = set_up(game.rules, ("XO", "O", "X", "", "", "", ""), RED, Beside())
    middle = Entry.correction(game.position, after)
    game, last = apply(game, middle), []
    while len(last) < length - len(first) - 1 and not game.outcome:
        last.append(Entry.move(chance.choice(game.legal_moves)))
        game = apply(game, last[-1])
    return [*first, middle, *last]


def write_version_1(path: Path, games: Iterable[Iterable[Entry]], began: float = 1000.0) -> None:
    """A record as the first popout left it; each entry a second after the one before."""
    db = sqlite3.connect(path)
    db.executescript(VERSION_1)
    db.execute("pragma application_id = 1349480527")
    db.execute("pragma user_version = 1")
    at = began
    for number, entries in enumerate(games, 1):
        db.execute("insert into game values (?, ?)", (number, at))
        for entry in entries:
            db.execute(
                "insert into entry (game, at, kind, text) values (?, ?, ?, ?)",
                (number, at, entry.kind.value, entry.text),
            )
            at += 1
    db.commit()
    db.close()


def change(path: Path, *statements: str) -> None:
    """What another program does to a database."""
    other = sqlite3.connect(path)
    for statement in statements:
        other.execute(statement)
    other.commit()
    other.close()


def journals(path: Path) -> dict[int, list[Entry]]:
    """The journal of every game in a record that nobody holds."""
    db = sqlite3.connect(path)
    db.text_factory = lambda text: text.decode(errors="replace")
    rows = db.execute("select game, kind, text from entry order by game, number").fetchall()
    db.close()
    found: dict[int, list[Entry]] = {}
    for game, kind, text in rows:
        found.setdefault(game, []).append(Entry(Kind(kind), text))
    return found
