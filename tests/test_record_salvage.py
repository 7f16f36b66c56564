"""A damaged record: whatever is broken, it opens, the damaged file is kept as it was, and what is left is saved."""

from __future__ import annotations

import errno
import os
import random
import re
import shutil
import sqlite3
import struct
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import pytest

from popout.record import salvage
from popout.record.archive import Archive
from popout.record.errors import GameUnreadable, RecordError
from popout.record.exchange import Written, read_games
from popout.record.journal import Entry, Kind, Step
from popout.record.store import Store
from popout.rules import Game, RuleSet
from records import corrected_game, journals, keep, random_game, write_version_1

MEMORY = Path("/dev/shm")
SECTOR, PAGE, ROWS = 512, 4096, 13
RULES = RuleSet.parse("popout 7x6")
NEW = Entry.new(RULES)
Journals = dict[int, list[Entry]]


@pytest.fixture(scope="module")
def games() -> Journals:
    """The games of the record: of several kinds, with take-backs, one with a correction, and imported ones between."""
    chance = random.Random(20261130)
    kinds = iter(("popout 7x6", "standard 9x7", "", "pop10 7x6", "power 7x6", "five+pop 7x6", "popout 7x6"))
    found = {}
    for number in range(1, 71):
        if is_imported(number):
            found[number] = random_game("popout 7x6", 3, chance)
        elif kind := next(kinds):
            found[number] = random_game(kind, 150, chance)
        else:
            found[number] = corrected_game(100, chance)
    return found


def is_imported(number: int) -> bool:
    return number % 10 != 1


@pytest.fixture(scope="module")
def whole(games: Journals, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The record after it was closed."""
    path = tmp_path_factory.mktemp("whole") / "games.sqlite3"
    with Store(path) as store:
        for number, entries in games.items():
            if is_imported(number):
                steps = tuple(Step(entry, number + (place + 2.5) / 10) for place, entry in enumerate(entries))
                store.add([Written(1.0, steps, {"event": "x" * 900})])
            else:
                keep(store, entries)
    return path.read_bytes()


@dataclass
class Open:
    """The files of a record that is open: in `log` stands the last game only, `settled` entries stand before it."""

    database: bytes
    log: bytes
    games: Journals
    settled: int


@pytest.fixture(scope="module")
def in_use(tmp_path_factory: pytest.TempPathFactory) -> Open:
    path = tmp_path_factory.mktemp("open") / "games.sqlite3"
    chance = random.Random(7)
    games = {number: random_game("popout 7x6", length, chance) for number, length in ((1, 250), (2, 150), (3, 30))}
    with Store(path) as store:
        for number, entries in games.items():
            if number == 3:
                store._db.execute("pragma wal_checkpoint(truncate)")
            keep(store, entries)
        return Open(path.read_bytes(), path.with_name("games.sqlite3-wal").read_bytes(), games, 400)


@pytest.fixture(scope="module")
def traces(whole: bytes, tmp_path_factory: pytest.TempPathFactory) -> dict[int, list[list[int]]]:
    """For each entry of each game where the bytes end that it is on the disk, once or more often."""
    path = tmp_path_factory.mktemp("traces") / "games.sqlite3"
    path.write_bytes(whole)
    db = sqlite3.connect(path)
    found: dict[int, list[list[int]]] = {}
    for game, at, kind, text in db.execute("select game, at, kind, text from entry order by game, number"):
        trace = re.escape(struct.pack(">d", at) + f"{kind}{text}".encode())
        # In a page of rows; elsewhere they are only not wiped out yet.
        ends = [match.end() for match in re.finditer(trace, whole) if whole[match.start() // PAGE * PAGE] == ROWS]
        found.setdefault(game, []).append(ends)
    db.close()
    return found


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory where there is one: a thousand records are opened here, each of which waits for the disk."""
    found = Path(tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None))
    yield found
    shutil.rmtree(found)


def put(folder: Path, database: bytes, log: bytes | None = None) -> Path:
    """A record that was used here before, so that its lock is there, with these files."""
    path = folder / "games.sqlite3"
    path.write_bytes(database)
    path.with_name("games.sqlite3.lock").touch()
    beside = path.with_name("games.sqlite3-wal")
    beside.unlink(missing_ok=True)
    if log is not None:
        beside.write_bytes(log)
    return path


def opened(path: Path) -> tuple[Journals, list[Entry]]:
    """What is in a record after opening it, and the game that goes on then."""
    with Store(path) as store:
        current = store.current()
        store.game()
        damaged = store.recovered
    found = journals(path)
    kept = sorted(path.parent.glob("games.damaged-*"))
    assert bool(damaged) == bool(kept)
    assert not list(path.parent.glob("games.sav*"))
    return found, current


def clear(path: Path) -> dict[str, bytes]:
    """Take away what was set aside and give its bytes, by the end of its names. The index of the log is no content."""
    kept = {}
    for file in path.parent.glob("games.damaged-*"):
        kept[file.name.partition(".sqlite3")[2]] = file.read_bytes()
        file.unlink()
    kept.pop("-shm", None)
    return kept


def check_beginnings(found: Journals, games: Mapping[int, list[Entry]]) -> None:
    """Every game that was saved is a beginning of what it was, and so can be played as it could."""
    for number, entries in found.items():
        assert entries == games[number][: len(entries)]


def left_in(size: int, traces: Mapping[int, list[list[int]]]) -> dict[int, int]:
    """How many entries of each game are left in front of the first that is gone, if `size` bytes are left."""
    left = {}
    for number, rows in traces.items():
        kept = len(list(takewhile(lambda ends: any(end <= size for end in ends), rows)))
        if kept:
            left[number] = kept
    return left


def test_the_record_is_a_real_one(whole: bytes, games: Journals):
    assert len(whole) > 30 * PAGE
    kinds = {entry.kind for entries in games.values() for entry in entries}
    assert kinds >= {Kind.NEW, Kind.MOVE, Kind.TAKE_BACK, Kind.CORRECTION}


def test_a_record_that_is_cut_anywhere_opens_with_everything_that_is_left(
    whole: bytes, games: Journals, traces: dict[int, list[list[int]]], folder: Path
):
    saved = []
    for size in range(0, len(whole), SECTOR):
        path = put(folder, whole[:size])
        found, current = opened(path)
        assert clear(path) == ({"": whole[:size]} if size else {})
        check_beginnings(found, games)
        assert {number: len(entries) for number, entries in found.items()} == left_in(size, traces)
        here = [number for number in found if not is_imported(number)]
        assert current == (found[max(here)] if here else [])
        saved.append(sum(map(len, found.values())))
    assert saved == sorted(saved)
    assert saved[-1] > 0.9 * sum(map(len, games.values()))


def test_a_record_whose_log_is_cut_anywhere_opens_with_every_commit_that_is_left(in_use: Open, folder: Path):
    for size in (*range(0, len(in_use.log), SECTOR), len(in_use.log)):
        path = put(folder, in_use.database, in_use.log[:size])
        found, current = opened(path)
        assert clear(path) == {}
        check_beginnings(found, in_use.games)
        assert sum(map(len, found.values())) == in_use.settled + commits(in_use.log[:size])
        assert current == found[max(found)]
    assert found == in_use.games


def commits(log: bytes) -> int:
    """How many transactions stand whole in a log: one for each page that says how large the database is after it."""
    frames = range(32, len(log) - PAGE - 24 + 1, PAGE + 24)
    return sum(log[at + 4 : at + 8] != bytes(4) for at in frames)


@pytest.mark.parametrize("size", [0, 512, PAGE, 3 * PAGE, 6 * PAGE + 512])
def test_a_record_that_is_cut_gets_back_what_its_log_has(in_use: Open, folder: Path, size: int):
    path = put(folder, in_use.database[:size], in_use.log)
    found, current = opened(path)
    kept = clear(path)
    assert (kept.get("", b""), kept["-wal"]) == (in_use.database[:size], in_use.log)
    check_beginnings(found, in_use.games)
    assert current == in_use.games[3]


def small(folder: Path, chance: random.Random) -> tuple[bytes, Journals]:
    """A small record, and what is in it."""
    path = folder / "small.sqlite3"
    found = {number: random_game(rules, 80, chance) for number, rules in enumerate(("popout 7x6", "power 7x6") * 2, 1)}
    with Store(path) as store:
        for entries in found.values():
            keep(store, entries)
    return path.read_bytes(), found


def test_pages_that_are_wiped_out_cost_no_more_than_what_was_on_them(folder: Path):
    chance = random.Random(1)
    whole, games = small(folder, chance)
    for _ in range(100):
        broken = bytearray(whole)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(whole) // SECTOR) * SECTOR
            size = SECTOR * chance.choice([1, 2, 8])
            broken[at : at + size] = bytes(len(broken[at : at + size]))
        path = put(folder, bytes(broken))
        found, _ = opened(path)
        assert clear(path) in ({}, {"": bytes(broken)})
        check_beginnings(found, games)


def test_bytes_that_are_wrong_never_lead_to_more_than_a_sentence(folder: Path):
    chance = random.Random(2)
    whole, _ = small(folder, chance)
    refused = 0
    for _ in range(200):
        broken = bytearray(whole)
        for _ in range(chance.choice([1, 1, 8, 64])):
            # The first page, on which most depends, as often as all others together.
            at = chance.randrange(chance.choice([PAGE, len(whole)]))
            broken[at] = chance.randrange(256)
        path = put(folder, bytes(broken))
        try:
            with Store(path) as store:
                store.append(NEW, Game.start(RULES))
        except RecordError as error:
            assert "\n" not in str(error)
            refused += 1
        else:
            read_all(path)
        assert clear(path) in ({}, {"": bytes(broken)})
    assert refused < 40


def read_all(path: Path) -> None:
    """Read every game; a letter that is wrong may have made it one that cannot be, which is a sentence as well."""
    with Archive(path) as archive:
        assert archive.games(1)[0].moves == 0
        assert archive.game(archive.games(1)[0].number) == Game.start(RULES)
        for each in archive.games():
            with suppress(GameUnreadable):
                archive.game(each.number)
        archive.statistics()


# Who is saved, and what is said


def damage(path: Path, page: int = 2) -> bytes:
    """Wipe out the page that leads to all entries (1: that has the games), and give the file as it is then."""
    data = bytearray(path.read_bytes())
    data[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)
    path.write_bytes(data)
    return bytes(data)


def test_what_was_done_is_said_with_the_place_of_the_damaged_file(folder: Path):
    path = folder / "games.sqlite3"
    with Store(path) as store:
        keep(store, random_game("popout 7x6", 200, random.Random(3)))
        keep(store, random_game("popout 7x6", 200, random.Random(4)))
    before = damage(path)
    with Store(path) as store:
        (kept,) = folder.glob("games.damaged-*.sqlite3")
        assert str(store.recovered) == (
            f"The record was damaged: what could be read of 2 games is saved, and the damaged file is kept as {kept}."
        )
        assert kept.read_bytes() == before
    with Store(path) as store:
        assert store.recovered is None


def test_a_record_of_which_nothing_is_left_begins_anew(folder: Path):
    path = put(folder, bytes(8 * PAGE))
    with Store(path) as store:
        (kept,) = folder.glob("games.damaged-*.sqlite3")
        assert str(store.recovered) == (
            f"The record was damaged, and no game could be read in it: it is kept as {kept}."
        )
        assert store.game() is None


def test_a_second_damaged_record_does_not_take_the_name_of_the_first(folder: Path):
    for content in (b"1" * PAGE, b"2" * PAGE, b"3" * PAGE):
        with Store(put(folder, content)):
            pass
    assert sorted(each.read_bytes()[:1] for each in folder.glob("games.damaged-*")) == [b"1", b"2", b"3"]


@pytest.mark.parametrize(("page", "names"), [(1, {}), (2, {"red": "Anna"})])
def test_an_imported_game_is_not_the_one_that_goes_on_also_after_damage(folder: Path, page: int, names: dict[str, str]):
    path = folder / "games.sqlite3"
    here = random_game("popout 7x6", 150, random.Random(5))
    with Store(path) as store:
        keep(store, here)
        (game,) = read_games("rules: popout 7x6\nred: Anna\nmoves: d1 d2\n", 5e8)
        assert isinstance(game, Written)
        store.add([game])
    damage(path, page)
    with Store(path) as store:
        assert store.recovered
        assert store.current() == here
    with Archive(path) as archive:
        assert next((each.imported, each.names, each.moves) for each in archive.games()) == (True, names, 2)


def test_a_damaged_record_of_the_first_version_is_saved_as_well(folder: Path):
    path = folder / "games.sqlite3"
    games = {number: random_game("popout 7x6", 200, random.Random(number)) for number in (1, 2)}
    write_version_1(path, games.values())
    damage(path)
    found, current = opened(path)
    assert found == games
    assert current == games[2]


def test_a_gap_in_a_record_of_the_first_version_ends_the_game_there(folder: Path):
    path = folder / "games.sqlite3"
    games = {1: random_game("popout 7x6", 300, random.Random(1))}
    write_version_1(path, games.values())
    data = bytearray(path.read_bytes())
    data[5 * PAGE : 6 * PAGE] = bytes(PAGE)
    path.write_bytes(data)
    found, _ = opened(path)
    check_beginnings(found, games)
    assert 0 < len(found[1]) < 300


# The power is cut while a record is set aside


@pytest.mark.parametrize("renames", range(4))
def test_setting_aside_goes_on_where_the_power_was_cut(
    in_use: Open, folder: Path, monkeypatch: pytest.MonkeyPatch, renames: int
):
    database = in_use.database[: 6 * PAGE]
    path = put(folder, database, in_use.log)
    whole = folder / "whole"
    whole.mkdir()
    expected, _ = opened(put(whole, database, in_use.log))
    rename, done = Path.rename, 0

    def cut(file: Path, target: Path) -> Path:
        nonlocal done
        if done == renames:
            raise KeyboardInterrupt
        done += 1
        return rename(file, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", cut)
        with pytest.raises(KeyboardInterrupt):
            Store(path)
    found, _ = opened(path)
    assert found == expected
    assert clear(path) == {"": database, "-wal": in_use.log}


def test_a_disk_too_full_to_save_anything_leaves_the_damaged_record_where_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = put(folder, b"?" * PAGE)
    with monkeypatch.context() as patched:
        patched.setattr(salvage, "_write", full)
        with pytest.raises(RecordError) as caught:
            Store(path)
    assert str(caught.value) == (
        f"The disk is full, and the record {path} cannot be opened. Make room on it and try again."
    )
    assert path.read_bytes() == b"?" * PAGE
    assert [each.name for each in folder.iterdir() if not each.name.endswith(".lock")] == ["games.sqlite3"]
