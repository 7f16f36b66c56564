"""The journal on disk, whatever happens to the disk, the power, the clock and the file."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from popout.record import store as store_module
from popout.record.journal import Entry, JournalError, Kind
from popout.record.store import GameUnreadable, NotSaved, RecordError, RecordInUse, Store, default_path
from popout.rules import Drop, Game, RuleSet

RULES = RuleSet.parse("popout 7x6")
NEW = Entry.new(RULES)
FIRST = Entry.move(Drop(4))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def write(path: Path, *entries: Entry) -> None:
    with Store(path) as store:
        for entry in entries:
            store.append(entry)


def change(path: Path, *statements: str) -> None:
    """What another program does to the file."""
    other = sqlite3.connect(path)
    for statement in statements:
        other.execute(statement)
    other.commit()
    other.close()


def refusal(path: Path, kind: type[RecordError] = RecordError) -> str:
    """The sentence with which the file is refused; the file must be as it was."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(kind) as caught, Store(path) as store:
        store.game()
    assert (path.read_bytes() if path.is_file() else None) == before
    assert type(caught.value) is kind
    return str(caught.value)


# Writing and reading


def test_why_a_record_cannot_be_opened_is_said_in_words(path: Path):
    path.write_text("")
    inside = path / "games.sqlite3"
    assert refusal(inside) == (
        f"The record {inside} cannot be opened ({os.strerror(errno.EEXIST)}), and was left as it is. "
        "Name another file with --record."
    )


@pytest.mark.skipif(sys.platform == "win32", reason="a file in use cannot be taken away there")
def test_nothing_is_saved_into_a_record_that_was_taken_away(path: Path):
    with Store(path) as store:
        store.append(NEW)
        path.unlink()
        with pytest.raises(NotSaved) as caught:
            store.append(FIRST)
        assert str(path) in str(caught.value)


@pytest.mark.skipif(sys.platform == "win32", reason="a file in use cannot be taken away there")
def test_nothing_is_saved_past_a_record_that_was_replaced(path: Path):
    with Store(path) as store:
        store.append(NEW)
        path.unlink()
        path.write_bytes(b"")
        with pytest.raises(NotSaved):
            store.append(FIRST)


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
    rows = sqlite3.connect(path)
    assert rows.execute("select game, text from entry").fetchall() == [(1, RULES.text), (1, "d4"), (2, RULES.text)]
    rows.close()


def test_a_record_in_memory_is_gone_afterwards():
    with Store(None) as store:
        store.append(NEW)
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


def test_the_usual_place_is_the_user_s_own():
    assert default_path().name == "games.sqlite3"
    assert default_path().parent.name == "popout"


# Power

WRITER = """
import sys
from pathlib import Path
from popout.record.journal import Entry, Kind
from popout.record.store import Store
store = Store(Path(sys.argv[1]))
number = 0
while True:
    store.append(Entry(Kind.NEW if number == 0 else Kind.MOVE, str(number)))
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
        store.append(NEW)

        def cut(sql: str) -> None:
            if sql.startswith(statement):
                for file in path.parent.glob(f"{path.name}*"):
                    shutil.copy(file, left_behind.parent / file.name)

        store._db.set_trace_callback(cut)  # it is called before the statement is done
        store.append(FIRST)
    with Store(left_behind) as store:
        assert store.current() == [NEW]
    with Store(path) as store:
        assert store.current() == [NEW, FIRST]


# What cannot be written


def test_a_full_disk_saves_nothing_and_says_so_and_goes_on_when_there_is_room(path: Path):
    with Store(path) as store:
        store.append(NEW)
        (pages,) = store._db.execute("pragma page_count").fetchone()
        store._db.execute(f"pragma max_page_count = {pages}")
        kept = [NEW]
        with pytest.raises(NotSaved) as caught:
            while len(kept) < 5000:
                store.append(FIRST)
                kept.append(FIRST)
        assert str(caught.value) == (
            "The disk is full: this could not be saved, and does not count. Make room and try again."
        )
        assert store.current() == kept
        store._db.execute("pragma max_page_count = 1000000")
        store.append(Entry.take_back())
    with Store(path) as store:
        assert store.current() == [*kept, Entry.take_back()]


def test_a_new_game_that_cannot_be_saved_leaves_the_old_one(path: Path):
    with Store(path) as store:
        store.append(NEW)
        store.append(FIRST)
        (pages,) = store._db.execute("pragma page_count").fetchone()
        store._db.execute(f"pragma max_page_count = {pages}")
        with pytest.raises(NotSaved):
            for _ in range(5000):
                store.append(Entry(Kind.NEW, "x" * 3000))
        assert store.current()[0].kind is Kind.NEW
    with Store(path) as store:
        assert store._db.execute("select count(*) from game").fetchone() == (
            store._db.execute("select count(*) from entry where kind = 'new'").fetchone()
        )


def test_what_else_goes_wrong_is_said_with_the_file_and_the_reason(path: Path):
    store = Store(path)
    store.close()
    with pytest.raises(NotSaved) as caught:
        store.append(NEW)
    assert str(caught.value) == (
        f"This could not be saved to {path} (Cannot operate on a closed database.), and does not count. "
        "Look after the disk and try again."
    )


# What cannot be opened


def test_a_record_that_another_program_plays_on_is_refused_at_once(path: Path):
    code = (
        "import sys\nfrom pathlib import Path\nfrom popout.record.store import Store\n"
        "store = Store(Path(sys.argv[1]))\nprint('open', flush=True)\nsys.stdin.read()"
    )
    other = subprocess.Popen([sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdin is not None
    assert other.stdout is not None
    try:
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(RecordInUse) as caught:
            Store(path)
        assert str(caught.value) == (
            f"The record {path} is in use by another popout. Stop that one, or name another with --record."
        )
    finally:
        other.stdin.close()
        other.wait()
        other.stdout.close()
    write(path, NEW)


@pytest.mark.parametrize("version", [0, 1, 7])
def test_a_database_of_another_program_is_refused_and_not_adopted(path: Path, version: int):
    change(path, "create table photo (id integer)", f"pragma user_version = {version}")
    assert refusal(path) == (
        f"The file {path} is a database of another program, and was left as it is. Name another file with --record."
    )


def test_an_empty_database_with_a_mark_of_another_program_is_refused(path: Path):
    change(path, "pragma application_id = 42")
    assert "database of another program" in refusal(path)


def test_an_empty_file_becomes_a_record(path: Path):
    path.touch()
    write(path, NEW)


def test_a_record_of_a_newer_version_is_refused(path: Path):
    write(path, NEW)
    change(path, "pragma user_version = 2")
    assert refusal(path) == (
        f"The record {path} was written by a newer popout. Update popout, or name another with --record."
    )


def test_a_file_that_is_no_database_is_refused(path: Path):
    path.write_text("popout 7x6\nd4 d4\n" * 100)
    assert refusal(path) == (
        f"The record {path} cannot be opened (file is not a database), and was left as it is. "
        "Name another file with --record."
    )


def test_a_folder_is_refused(tmp_path: Path):
    assert refusal(tmp_path) == (
        f"The record {tmp_path} cannot be opened (unable to open database file), and was left as it is. "
        "Name another file with --record."
    )


def test_a_place_below_a_file_is_refused(tmp_path: Path):
    (tmp_path / "file").touch()
    assert " cannot be opened (" in refusal(tmp_path / "file" / "games.sqlite3")


@pytest.mark.parametrize("damage", ["cut", "zeroed", "scrambled"])
def test_a_damaged_record_is_refused_with_one_sentence(path: Path, damage: str):
    write(path, NEW, *[FIRST] * 300)
    data = bytearray(path.read_bytes())
    page = 4096
    assert len(data) > 4 * page
    match damage:
        case "cut":
            del data[2 * page :]
        case "zeroed":
            data[2 * page : 4 * page] = bytes(2 * page)
        case "scrambled":
            data[page : 4 * page] = bytes(reversed(data[page : 4 * page]))
    path.write_bytes(data)
    sentence = refusal(path)
    assert sentence.startswith(f"The record {path} cannot be opened (")
    assert sentence.endswith("), and was left as it is. Name another file with --record.")
    assert "\n" not in sentence


def test_a_record_that_is_damaged_while_it_is_open_is_a_sentence_too(path: Path):
    write(path, NEW)
    with Store(path) as store:
        store._db.execute("drop table entry")
        with pytest.raises(RecordError) as caught:
            store.game()
    assert " cannot be opened (no such table: entry)" in str(caught.value)


def test_the_first_of_a_record_is_checked_as_the_last():
    with Store(None) as store, pytest.raises(NotSaved):
        store.append(FIRST)  # before any game


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can enter: root may write anywhere, so that another user has to try."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.parametrize("what", ["folder", "file"])
def test_a_place_where_nothing_may_be_written_is_refused(open_folder: Path, what: str):
    path = open_folder / "games.sqlite3"
    if what == "file":
        write(path, NEW)
        path.chmod(0o444)
    open_folder.chmod(0o555)
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom popout.record.store import RecordError, Store\n"
        "if os.geteuid() == 0:\n    os.setgid(65534)\n    os.setuid(65534)\n"
        "try:\n    Store(Path(sys.argv[1]))\nexcept RecordError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=False)
    reason = {"folder": "unable to open database file", "file": "attempt to write a readonly database"}[what]
    assert (done.stdout, done.stderr) == (
        f"The record {path} cannot be opened ({reason}), and was left as it is. Name another file with --record.\n",
        "",
    )


# A game that can no longer be read


def test_an_unknown_kind_of_entry_is_named_with_a_way_out(path: Path):
    write(path, NEW, FIRST)
    change(path, "update entry set kind = 'swap2' where id = 2")
    with Store(path) as store, pytest.raises(JournalError):
        store.current()
    assert refusal(path, GameUnreadable) == (
        f"The last game in the record {path} can no longer be read. "
        'Its entry 2 is of the kind "swap2", which this popout does not know; a newer one may. '
        "Begin a new one with --new: the old one stays in the record."
    )


def test_a_move_that_cannot_be_is_named_with_a_way_out_and_a_new_game_can_be_begun(path: Path):
    write(path, NEW, FIRST, Entry(Kind.MOVE, "p2"))
    assert refusal(path, GameUnreadable) == (
        f"The last game in the record {path} can no longer be read. "
        'Its entry 3, "move p2", cannot be right. Column 2 is empty: there is nothing to pop. '
        "Begin a new one with --new: the old one stays in the record."
    )
    write(path, NEW)
    with Store(path) as store:
        assert store.game() == Game.start(RULES)


def test_rules_that_no_longer_exist_are_named(path: Path):
    write(path, Entry(Kind.NEW, "chess 8x8"))
    assert 'Its entry 1, "new chess 8x8", cannot be right. ' in refusal(path, GameUnreadable)


def test_a_file_name_with_a_zero_in_it_is_a_sentence():
    with pytest.raises(RecordError):
        Store(Path("games\0.sqlite3"))


def test_a_refusal_leaves_nothing_open_behind_it(path: Path):
    write(path, NEW)
    change(path, "pragma user_version = 2")
    with pytest.raises(RecordError):
        Store(path)
    change(path, "pragma user_version = 1")  # a lock that was left would forbid it
    write(path, FIRST)
