"""Reading a record while it is written, and when it is not there or damaged."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from popout.record import store as store_module
from popout.record.archive import Archive
from popout.record.errors import GameUnreadable, NoSuchGame, NoSuchRecord, RecordDamaged, RecordError
from popout.record.exchange import Written
from popout.record.journal import Entry, Kind, Source, Step, read
from popout.record.store import Store
from popout.rules import Drop, RuleSet
from records import change, corrected_game, keep, random_game

RULES = RuleSet.parse("popout 7x6")
NEW = Entry.new(RULES)
WON = [NEW, *(Entry.move(Drop(column)) for column in (1, 2, 1, 2, 1, 2, 1))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, a minute later with each entry."""
    now = [1_000_000_000.0]

    def time() -> float:
        now[0] += 60
        return now[0]

    monkeypatch.setattr(store_module, "time", time)
    return now


def test_games_are_read_while_they_are_played(path: Path):
    with Store(path) as store:
        keep(store, [NEW, Entry.move(Drop(4))])
        with Archive(path) as archive:
            assert [(each.number, each.moves, each.outcome) for each in archive.games()] == [(1, 1, None)]
            keep(store, WON)
            assert [(each.number, each.moves, each.outcome) for each in archive.games()] == [
                (2, 7, "red line"),
                (1, 1, None),
            ]
            assert [each.number for each in archive.games(1)] == [2]


def test_a_game_s_summary_says_when_and_how_long(path: Path, clock: list[float]):
    with Store(path) as store:
        keep(store, WON)
    began = 1_000_000_060.0
    with Archive(path) as archive:
        (found,) = archive.games()
        assert (found.began, found.started, found.ended, found.seconds) == (began, began + 60, began + 420, 360.0)
        assert (found.rules, found.names, found.imported, found.current) == (RULES.text, {}, False, True)
        assert archive.summary(1) == found
        assert [step.at for step in archive.steps(1)] == [began + 60 * number for number in range(8)]
        assert clock[0] == began + 420


def test_a_clock_that_is_set_back_changes_no_order_and_gives_no_time(path: Path, monkeypatch: pytest.MonkeyPatch):
    times = iter([2e9, 1.9e9, 1e9, 0.0, 5.0, 4.0, 3.0, 2.0])
    monkeypatch.setattr(store_module, "time", lambda: next(times))
    with Store(path) as store:
        keep(store, WON)
    with Archive(path) as archive:
        assert archive.game(1) == read(WON)
        assert archive.summary(1).seconds is None
        assert [step.entry for step in archive.steps(1)] == WON


def test_the_game_that_goes_on_is_the_newest_that_was_not_imported(path: Path):
    with Store(path) as store:
        keep(store, WON)
        keep(store, [NEW])
        store.add([Written(5.0, (Step(NEW, 5.0),), {"red": "Anna", "date": "2026"})])
    with Archive(path) as archive:
        assert [(each.number, each.current, each.imported) for each in archive.games()] == [
            (3, False, True),
            (2, True, False),
            (1, False, False),
        ]
        assert archive.summary(3).names == {"red": "Anna", "date": "2026"}


def test_every_step_has_its_source(path: Path):
    with Store(path) as store:
        keep(store, [Entry(Kind.NEW, RULES.text, Source.PAGE), Entry(Kind.MOVE, "d4", Source.TERMINAL)])
    change(path, "update entry set source = 'mind' where number = 2")
    with Archive(path) as archive:
        assert [step.source for step in archive.steps(1)] == [Source.PAGE, None]


def test_a_corrected_game_is_read_as_it_stands_and_its_earlier_moves_count(path: Path):
    entries = corrected_game(20, random.Random(1))
    with Store(path) as store:
        game = keep(store, entries)
    with Archive(path) as archive:
        assert archive.game(1) == game
        assert archive.summary(1).moves > len(game.moves)


def test_statistics_are_those_of_all_games(path: Path):
    with Store(path) as store:
        keep(store, WON)
        keep(store, random_game("five 7x6", 5, random.Random(1)))
    with Archive(path) as archive:
        found = archive.statistics()
        assert (found.total.games, found.total.red, found.total.unfinished) == (2, 1, 1)
        assert [kind for kind, _ in found.kinds] == ["popout", "five"]


# What cannot be read


@pytest.mark.parametrize("number", [2, 10**30])
def test_a_game_that_is_not_there_is_named(path: Path, number: int):
    with Store(path) as store:
        keep(store, [NEW])
    with Archive(path) as archive:
        for ask in (archive.summary, archive.steps, archive.game):
            with pytest.raises(NoSuchGame) as caught:
                ask(number)
            assert str(caught.value) == (f'There is no game {number} in the record {path}. "popout games" lists them.')


def test_a_record_that_is_not_there_is_not_made(path: Path):
    with pytest.raises(NoSuchRecord) as caught:
        Archive(path)
    assert str(caught.value) == f"There is no record {path}: no game has been played there yet."
    assert list(path.parent.iterdir()) == []


def test_an_empty_file_is_a_record_without_a_game_and_stays_empty(path: Path):
    path.touch()
    with Archive(path) as archive:
        assert archive.games() == []
    assert path.read_bytes() == b""


def test_a_newer_record_and_another_s_file_are_refused(path: Path):
    path.write_text("no record")
    with pytest.raises(RecordError, match="is no record of games"):
        Archive(path)
    path.unlink()
    with Store(path):
        pass
    change(path, "pragma user_version = 3")
    with pytest.raises(RecordError, match="newer popout"):
        Archive(path)


def test_a_damaged_record_is_told_and_left_for_the_next_one_who_plays(path: Path):
    with Store(path) as store:
        keep(store, random_game("popout 7x6", 300, random.Random(1)))
    data = path.read_bytes()[: 3 * 4096]
    path.write_bytes(data)
    with pytest.raises(RecordDamaged) as caught:
        Archive(path)
    assert str(caught.value) == (
        f"The record {path} is damaged (database disk image is malformed). "
        '"popout play" sets it aside when it opens it, and saves what can be read.'
    )
    assert path.read_bytes() == data


@pytest.mark.parametrize("database", [b"", None])
def test_a_log_without_its_record_is_not_thrown_away_by_reading(path: Path, database: bytes | None):
    with Store(path) as store:
        keep(store, WON)
        log = path.with_name("games.sqlite3-wal").read_bytes()
    path.unlink()
    path.with_name("games.sqlite3-wal").write_bytes(log)
    if database is not None:
        path.write_bytes(database)
    with pytest.raises(RecordDamaged, match=r"is damaged \(only its log is there\)"):
        Archive(path)
    assert path.with_name("games.sqlite3-wal").read_bytes() == log


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("swap2 d4", 'Its entry 2 is of the kind "swap2", which this popout does not know; a newer one may.'),
        ("move p4", 'Its entry 2, "move p4", cannot be right. Column 4 is empty: there is nothing to pop.'),
    ],
)
def test_a_game_that_can_no_longer_be_read_is_named_and_the_others_are_read(path: Path, entry: str, problem: str):
    with Store(path) as store:
        keep(store, [NEW, Entry.move(Drop(4))])
        keep(store, [NEW])
    kind, _, text = entry.partition(" ")
    change(path, f"update entry set kind = '{kind}', text = '{text}' where id = 2")
    with Archive(path) as archive:
        with pytest.raises(GameUnreadable) as caught:
            archive.game(1)
        assert str(caught.value) == f"Game 1 of the record {path} cannot be read. {problem}"
        assert archive.game(2) == read([NEW])
        assert len(archive.games()) == 2


def test_names_that_are_damaged_are_none(path: Path):
    with Store(path) as store:
        keep(store, [NEW])
    for names in ("{", "[1]", '{"red": 3, "photo": "x"}'):
        change(path, f"update game set names = '{names}'")
        with Archive(path) as archive:
            assert archive.summary(1).names == {}


@pytest.mark.parametrize("name", ["", "games\0.sqlite3"])
def test_what_is_no_file_is_a_sentence(tmp_path: Path, name: str):
    with pytest.raises(RecordError) as caught:
        Archive(tmp_path / name)
    assert " cannot be read (" in str(caught.value)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are something else there")
@pytest.mark.parametrize("open_meanwhile", [True, False])
def test_another_user_can_read_the_record_of_the_service(open_meanwhile: bool):
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    try:
        store = Store(folder / "games.sqlite3")
        keep(store, WON)
        if not open_meanwhile:
            store.close()
        code = (
            "import os, sys\nfrom pathlib import Path\nfrom popout.record.archive import Archive\n"
            "if os.geteuid() == 0:\n    os.setgid(65534)\n    os.setuid(65534)\n"
            "with Archive(Path(sys.argv[1])) as archive:\n    print(archive.games()[0].outcome)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, folder / "games.sqlite3"], capture_output=True, text=True, check=False
        )
        assert (done.stdout, done.stderr) == ("red line\n", "")
        store.close()
    finally:
        shutil.rmtree(folder)
