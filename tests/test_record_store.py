"""The journal on disk, whatever happens to the disk, the power, the clock and the file."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from popout.record import store as store_module
from popout.record.exchange import Written
from popout.record.journal import Entry, JournalError, Kind, Source, Step, read
from popout.record.store import GameUnreadable, NotSaved, RecordError, Store
from popout.rules import Drop, Game, RuleSet
from records import change, corrected_game, keep, random_game

RULES = RuleSet.parse("popout 7x6")
NEW = Entry.new(RULES)
FIRST = Entry.move(Drop(4))
GAME = Game.start(RULES)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def write(path: Path, *entries: Entry) -> None:
    with Store(path) as store:
        for entry in entries:
            store.append(entry, GAME)


def unreadable(path: Path) -> str:
    """The sentence with which the last game is refused; all of it must be there as it was."""
    rows = "select * from entry order by id"
    before = ask(path, rows)
    with pytest.raises(GameUnreadable) as caught, Store(path) as store:
        store.game()
    assert ask(path, rows) == before
    return str(caught.value)


def ask(path: Path, question: str) -> list[tuple[object, ...]]:
    """What another program reads in the file."""
    with closing(sqlite3.connect(path)) as other:
        return other.execute(question).fetchall()


# Writing and reading


@pytest.mark.skipif(sys.platform == "win32", reason="a file in use cannot be taken away there")
def test_nothing_is_saved_into_a_record_that_was_taken_away(path: Path):
    with Store(path) as store:
        store.append(NEW, GAME)
        path.unlink()
        with pytest.raises(NotSaved) as caught:
            store.append(FIRST, GAME.play(Drop(4)))
        assert str(path) in str(caught.value)


@pytest.mark.skipif(sys.platform == "win32", reason="a file in use cannot be taken away there")
def test_nothing_is_saved_past_a_record_that_was_replaced(path: Path):
    with Store(path) as store:
        store.append(NEW, GAME)
        path.unlink()
        path.write_bytes(b"")
        with pytest.raises(NotSaved):
            store.append(FIRST, GAME.play(Drop(4)))


def test_a_new_record_has_no_game(path: Path):
    with Store(path) as store:
        assert store.game() is None
        assert store.current() == []


def test_what_was_written_is_there_when_it_is_opened_again_e16(path: Path):
    write(path, NEW, FIRST)
    with Store(path) as store:
        assert store.current() == [NEW, FIRST]
        assert store.game() == Game.start(RULES).play(Drop(4))


def test_every_kind_of_entry_is_kept_e13(path: Path):
    entries = [NEW, FIRST, Entry(Kind.DRAW), Entry.take_back(), Entry(Kind.CORRECTION, "a -> b"), Entry(Kind.RESIGN)]
    write(path, *entries)
    with Store(path) as store:
        assert store.current() == entries


def test_the_last_game_is_the_current_one_and_the_others_stay(path: Path):
    write(path, NEW, FIRST)
    write(path, NEW)
    with Store(path) as store:
        assert store.current() == [NEW]
    assert ask(path, "select game, text from entry") == [(1, RULES.text), (1, "d4"), (2, RULES.text)]


def test_a_record_in_memory_is_gone_afterwards():
    with Store(None) as store:
        store.append(NEW, GAME)
        assert store.current() == [NEW]
    with Store(None) as store:
        assert store.current() == []


def test_it_makes_the_folders_that_it_needs(tmp_path: Path):
    path = tmp_path / "a" / "b" / "games.sqlite3"
    write(path, NEW)
    assert path.is_file()


def test_it_may_be_closed_twice(path: Path):
    store = Store(path)
    store.close()
    store.close()


def test_a_clock_that_is_set_back_changes_no_order(path: Path, monkeypatch: pytest.MonkeyPatch):
    times = iter([2_000_000_000.0, 1_000_000_000.0, 0.0])
    monkeypatch.setattr(store_module, "time", lambda: next(times))
    write(path, NEW, FIRST, Entry.take_back())
    with Store(path) as store:
        assert store.current() == [NEW, FIRST, Entry.take_back()]


def test_where_an_entry_came_from_is_kept(path: Path):
    write(path, Entry(Kind.NEW, RULES.text, Source.PAGE), Entry(Kind.MOVE, "d4", Source.BOARD), Entry.take_back())
    with Store(path) as store:
        assert [entry.source for entry in store.current()] == [Source.PAGE, Source.BOARD, None]


def test_others_can_read_while_it_is_written(path: Path):
    with Store(path) as store:
        store.append(NEW, GAME)
        assert ask(path, "select kind from entry") == [("new",)]
        store.append(FIRST, GAME.play(Drop(4)))
        assert ask(path, "select kind from entry") == [("new",), ("move",)]


def test_once_closed_it_is_one_file_that_needs_nothing_beside_it(path: Path):
    with Store(path) as store:
        store.append(NEW, GAME)
        assert path.with_name("games.sqlite3-wal").exists()
    assert sorted(each.name for each in path.parent.iterdir()) == ["games.sqlite3", "games.sqlite3.lock"]
    assert ask(path, "select count(*) from holder") == [(0,)]


def test_a_reader_who_stays_longer_than_the_writer_loses_nothing(path: Path):
    with closing(sqlite3.connect(path)) as reader:
        with Store(path) as store:
            store.append(NEW, GAME)
            reader.execute("begin")
            assert reader.execute("select count(*) from entry").fetchone() == (1,)
            store.append(FIRST, GAME.play(Drop(4)))
        assert reader.execute("select count(*) from entry").fetchone() == (1,)
    with Store(path) as store:
        assert store.current() == [NEW, FIRST]


def test_it_may_be_written_from_another_thread_and_is_free_afterwards(path: Path):
    with Store(path) as store:
        thread = Thread(target=store.append, args=(NEW, GAME))
        thread.start()
        thread.join()
        assert store.current() == [NEW]
    with Store(path) as store:
        assert store.current() == [NEW]


# What is kept about a game beside its entries


def facts(path: Path) -> list[tuple[object, ...]]:
    return ask(path, "select moves, outcome, started is not null, ended is not null from game")


def test_a_game_s_moves_and_outcome_are_kept_with_each_entry(path: Path):
    moves = [Entry.move(Drop(column)) for column in (1, 2, 1, 2, 1, 2, 1)]
    with Store(path) as store:
        seen = []
        for number in range(len(moves) + 1):
            keep(store, [NEW, *moves[:number]])
            seen.append(facts(path)[-1])
        assert seen == [(0, None, 0, 0), *((number, None, 1, 0) for number in range(1, 7)), (7, "red line", 1, 1)]


def test_taking_back_the_end_of_a_game_lets_it_go_on(path: Path):
    with Store(path) as store:
        keep(store, [NEW, FIRST, Entry(Kind.DRAW)])
        assert facts(path) == [(1, "draw agreed", 1, 1)]
        store.append(Entry.take_back(), GAME.play(Drop(4)))
        assert facts(path) == [(1, None, 1, 0)]


def test_moves_before_a_correction_count_and_stay(path: Path):
    chance = random.Random(1)
    entries = corrected_game(20, chance)
    with Store(path) as store:
        game = keep(store, entries)
        before = read(entries[: [entry.kind for entry in entries].index(Kind.CORRECTION)])
        assert before is not None
        assert ask(path, "select settled, moves from game") == [
            (len(before.moves), len(before.moves) + len(game.moves))
        ]


@pytest.mark.parametrize("seed", range(8))
def test_a_game_that_is_imported_has_the_same_facts_as_if_it_was_played_here(tmp_path: Path, seed: int):
    chance = random.Random(seed)
    entries = random_game("popout 4x4", 40, chance) if seed % 2 else corrected_game(40, chance)
    question = "select settled, moves, outcome, started is not null, ended is not null from game"
    with Store(tmp_path / "here") as here, Store(tmp_path / "there") as there:
        keep(here, entries)
        there.add([Written(0.0, tuple(Step(entry, 5.0) for entry in entries))])
        assert ask(tmp_path / "here", question) == ask(tmp_path / "there", question)


# Games from elsewhere


def test_a_game_from_elsewhere_does_not_become_the_one_that_goes_on(path: Path):
    with Store(path) as store:
        keep(store, [NEW, FIRST])
        steps = (Step(NEW, 1.0), Step(Entry.move(Drop(1)), 2.0))
        assert store.add([Written(1.0, steps), Written(1.0, steps)]) == [2, 3]
        store.append(Entry.move(Drop(5)), GAME.play(Drop(4)).play(Drop(5)))
        assert store.current() == [NEW, FIRST, Entry.move(Drop(5))]
        assert store.game() == GAME.play(Drop(4)).play(Drop(5))


def test_games_from_elsewhere_are_written_all_or_none(path: Path):
    with Store(path) as store:
        good = Written(1.0, (Step(NEW, 1.0),))
        with pytest.raises(NotSaved):
            store.add([good, Written(1.0, (Step(NEW, float("nan")),))])
        assert ask(path, "select count(*) from game") == [(0,)]
        assert store.add([good]) == [1]


# Power

WRITER = """
import sys
from pathlib import Path
from popout.record.journal import Entry, Kind
from popout.record.store import Store
from popout.rules import Game, RuleSet
store = Store(Path(sys.argv[1]))
game = Game.start(RuleSet.parse("popout 7x6"))
number = 0
while True:
    store.append(Entry(Kind.NEW if number == 0 else Kind.MOVE, str(number)), game)
    print(number, flush=True)
    number += 1
"""


@pytest.mark.parametrize("after", [0, 7, 25, 60])
def test_when_the_power_is_cut_what_was_acknowledged_is_there_and_nothing_else_e16(path: Path, after: int):
    acknowledged = -1
    with subprocess.Popen([sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for line in writer.stdout:
            acknowledged = int(line)
            if acknowledged == after:
                writer.kill()
    with Store(path) as store:
        found = [int(entry.text) for entry in store.current()]
    # The one that was under way may have reached the disk without having been able to say so.
    assert found in (list(range(acknowledged + 1)), list(range(acknowledged + 2)))
    assert acknowledged >= after


@pytest.mark.parametrize("statement", ["begin immediate", "insert into entry", "commit"])
def test_a_power_cut_before_during_and_after_the_commit(path: Path, statement: str):
    """The disk as it is at each step of writing an entry is a disk that a power cut could leave."""
    left_behind = path.parent / "after" / path.name
    left_behind.parent.mkdir()
    with Store(path) as store:
        store.append(NEW, GAME)

        def cut(sql: str) -> None:
            if sql.startswith(statement):
                for file in path.parent.glob(f"{path.name}*"):
                    shutil.copy(file, left_behind.parent / file.name)

        store._db.set_trace_callback(cut)  # it is called before the statement is done
        store.append(FIRST, GAME.play(Drop(4)))
    with Store(left_behind) as store:
        assert store.current() == [NEW]
    with Store(path) as store:
        assert store.current() == [NEW, FIRST]


# What cannot be written


def test_a_full_disk_saves_nothing_and_says_so_and_goes_on_when_there_is_room(path: Path):
    with Store(path) as store:
        store.append(NEW, GAME)
        (pages,) = store._db.execute("pragma page_count").fetchone()
        store._db.execute(f"pragma max_page_count = {pages}")
        kept = [NEW]
        with pytest.raises(NotSaved) as caught:
            while len(kept) < 5000:
                store.append(FIRST, GAME.play(Drop(4)))
                kept.append(FIRST)
        assert str(caught.value) == (
            "The disk is full: this could not be saved, and does not count. Make room and try again."
        )
        assert store.current() == kept
        store._db.execute("pragma max_page_count = 1000000")
        store.append(Entry.take_back(), GAME)
    with Store(path) as store:
        assert store.current() == [*kept, Entry.take_back()]


def test_a_new_game_that_cannot_be_saved_leaves_the_old_one(path: Path):
    with Store(path) as store:
        store.append(NEW, GAME)
        store.append(FIRST, GAME.play(Drop(4)))
        (pages,) = store._db.execute("pragma page_count").fetchone()
        store._db.execute(f"pragma max_page_count = {pages}")
        with pytest.raises(NotSaved):
            for _ in range(5000):
                store.append(Entry(Kind.NEW, "x" * 3000), GAME)
        assert store.current()[0].kind is Kind.NEW
    with Store(path) as store:
        assert store._db.execute("select count(*) from game").fetchone() == (
            store._db.execute("select count(*) from entry where kind = 'new'").fetchone()
        )


def test_what_else_goes_wrong_is_said_with_the_file_and_the_reason(path: Path):
    store = Store(path)
    store._db.execute("drop table entry")
    store._db.close()
    store._opened = store_module._identities(path)
    with pytest.raises(NotSaved) as caught:
        store.append(NEW, GAME)
    store.close()
    assert str(caught.value) == (
        f"This could not be saved to {path} (Cannot operate on a closed database.), and does not count. "
        "Look after the disk and try again."
    )


def test_a_record_that_is_damaged_while_it_is_open_is_a_sentence_too(path: Path):
    write(path, NEW)
    with Store(path) as store:
        store._db.execute("drop table entry")
        with pytest.raises(RecordError) as caught:
            store.game()
    assert " cannot be opened (no such table: entry)" in str(caught.value)


def test_the_first_of_a_record_is_checked_as_the_last():
    with Store(None) as store, pytest.raises(NotSaved):
        store.append(FIRST, GAME.play(Drop(4)))  # before any game


# A game that can no longer be read


def test_an_unknown_kind_of_entry_is_named_with_a_way_out(path: Path):
    write(path, NEW, FIRST)
    change(path, "update entry set kind = 'swap2' where id = 2")
    with Store(path) as store, pytest.raises(JournalError):
        store.current()
    assert unreadable(path) == (
        f"The last game in the record {path} can no longer be read. "
        'Its entry 2 is of the kind "swap2", which this popout does not know; a newer one may. '
        "It stays in the record, and a new one begins."
    )


def test_a_move_that_cannot_be_is_named_with_a_way_out_and_a_new_game_can_be_begun(path: Path):
    write(path, NEW, FIRST, Entry(Kind.MOVE, "p2"))
    assert unreadable(path) == (
        f"The last game in the record {path} can no longer be read. "
        'Its entry 3, "move p2", cannot be right. Column 2 is empty: there is nothing to pop. '
        "It stays in the record, and a new one begins."
    )
    write(path, NEW)
    with Store(path) as store:
        assert store.game() == Game.start(RULES)


def test_rules_that_no_longer_exist_are_named(path: Path):
    write(path, Entry(Kind.NEW, "chess 8x8"))
    assert 'Its entry 1, "new chess 8x8", cannot be right. ' in unreadable(path)


@pytest.mark.parametrize("gone", ["games.sqlite3.lock", "games.sqlite3-wal"])
def test_a_record_whose_lock_or_log_was_taken_away_is_written_no_more(tmp_path: Path, gone: str):
    path = tmp_path / "games.sqlite3"
    with Store(path) as store:
        game = keep(store, [Entry.new(RULES), Entry.move(Drop(4))])
        (tmp_path / gone).unlink()
        with pytest.raises(NotSaved, match="does not count"):
            store.append(Entry.move(Drop(3)), game.play(Drop(3)))


class _FailingAtCommit:
    """A connection whose commits fail; `busy` says that a reader keeps what a commit has left in the log."""

    def __init__(self, db: sqlite3.Connection, busy: int) -> None:
        self._db = db
        self._busy = busy

    def execute(self, sql: str, *values: object) -> sqlite3.Cursor:
        if sql == "commit":
            raise sqlite3.OperationalError("disk I/O error")
        if sql.startswith("pragma wal_checkpoint"):
            return self._db.execute("select ?, 0, 0", (self._busy,))
        return self._db.execute(sql, *values)

    def __getattr__(self, name: str) -> object:
        return getattr(self._db, name)


@pytest.mark.parametrize(("busy", "code"), [(0, "not-saved"), (1, "saving-in-doubt")])
def test_a_step_whose_commit_failed_is_in_doubt_only_while_its_traces_cannot_be_cleared(
    path: Path, busy: int, code: str
):
    with Store(path) as store:
        store.append(NEW, GAME)
        db, store._db = store._db, _FailingAtCommit(store._db, busy)  # type: ignore[assignment]
        with pytest.raises(NotSaved) as caught:
            store.append(Entry.move(Drop(4)), GAME.play(Drop(4)))
        store._db = db
        assert caught.value.code == code
        assert store.current() == [NEW]
