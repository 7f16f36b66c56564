"""A record of the first popout becomes one of this, with all its games."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from popout.record import schema
from popout.record.archive import Archive
from popout.record.journal import Entry, Kind, read
from popout.record.store import GameUnreadable, Store
from popout.rules import Drop, RuleSet, result_text
from records import corrected_game, journals, keep, random_game, write_version_1

RULES = RuleSet.parse("popout 7x6")


@pytest.fixture
def games() -> dict[int, list[Entry]]:
    chance = random.Random(4)
    won = [Entry.new(RULES), *(Entry.move(Drop(column)) for column in (1, 2, 1, 2, 1, 2, 1))]
    found = [
        random_game("pop10 7x6", 80, chance),
        won,
        corrected_game(60, chance),
        random_game("popout 7x6", 30, chance),
    ]
    return dict(enumerate(found, 1))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("pragma user_version").fetchone()[0])


def test_a_record_of_the_first_version_keeps_every_game_entry_and_time(path: Path, games: dict[int, list[Entry]]):
    write_version_1(path, games.values(), began=1000.0)
    with Store(path) as store:
        assert store.recovered is None
        assert store.current() == games[4]
        assert store.game() == read(games[4])
    assert version(path) == 2
    assert journals(path) == games
    with Archive(path) as archive:
        times = [step.at for number in games for step in archive.steps(number)]
        assert times == [1000.0 + second for second in range(len(times))]
        assert all(step.source is None for number in games for step in archive.steps(number))


def test_what_is_kept_about_its_games_is_what_their_entries_say(path: Path, games: dict[int, list[Entry]]):
    write_version_1(path, games.values())
    with Store(path):
        pass
    with Archive(path) as archive:
        for each in archive.games():
            game = read(games[each.number])
            assert game is not None
            assert each.outcome == (result_text(game.outcome) if game.outcome else None)
            assert (each.ended is None) == (game.outcome is None)
            if each.number != 3:
                assert each.moves == len(game.moves)
        won = archive.summary(2)
        assert (won.outcome, won.seconds) == ("red line", 6.0)


def test_it_goes_on_afterwards(path: Path, games: dict[int, list[Entry]]):
    write_version_1(path, games.values())
    with Store(path) as store:
        keep(store, [Entry.new(RULES), Entry.move(Drop(4))])
    with Store(path) as store:
        assert store.current() == [Entry.new(RULES), Entry.move(Drop(4))]
    assert {number: each for number, each in journals(path).items() if number < 5} == games


def test_a_game_that_can_no_longer_be_read_is_taken_along_as_it_is(path: Path):
    entries = [Entry.new(RULES), Entry.move(Drop(4)), Entry(Kind.MOVE, "p7"), Entry.move(Drop(5))]
    write_version_1(path, [entries])
    with Store(path) as store:
        assert store.current() == entries
        with pytest.raises(GameUnreadable):
            store.game()


def test_a_record_of_the_first_version_can_be_read_without_being_changed(path: Path, games: dict[int, list[Entry]]):
    write_version_1(path, games.values())
    before = path.read_bytes()
    with Archive(path) as archive:
        assert [each.number for each in archive.games()] == [4, 3, 2, 1]
        assert archive.game(2) == read(games[2])
        assert archive.summary(2).outcome == "red line"
    assert path.read_bytes() == before


def test_it_becomes_one_of_this_version_whole_or_not_at_all(
    path: Path, games: dict[int, list[Entry]], monkeypatch: pytest.MonkeyPatch
):
    write_version_1(path, games.values())
    write_all = schema.write_all

    def cut(*arguments: object, **options: object) -> None:
        if arguments[1] == 3:
            raise KeyboardInterrupt
        write_all(*arguments, **options)

    with monkeypatch.context() as patched:
        patched.setattr(schema, "write_all", cut)
        with pytest.raises(KeyboardInterrupt):
            Store(path)
    assert version(path) == 1
    with Store(path):
        pass
    assert journals(path) == games


def test_of_an_old_game_whose_own_row_is_gone_the_entries_are_kept(tmp_path: Path):
    path = tmp_path / "games.sqlite3"
    games = [random_game("popout 7x6", 9, random.Random(number)) for number in range(3)]
    write_version_1(path, games)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("delete from game where id = 2")
    with Store(path):
        pass
    assert list(journals(path).values()) == games
