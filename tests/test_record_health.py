"""What is refused as a record: another's file, a newer one, a place where nothing can be written."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from popout.record import health, places
from popout.record.errors import RecordError
from popout.record.journal import Entry
from popout.record.store import Store
from popout.rules import Game, RuleSet
from records import change

GAME = Game.start(RuleSet.parse("popout 7x6"))
NEW = Entry.new(GAME.rules)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def write(path: Path) -> None:
    with Store(path) as store:
        store.append(NEW, GAME)


def refusal(path: Path) -> str:
    """The sentence with which the file is refused; the file must be as it was, and nothing new beside it."""
    before = path.read_bytes() if path.is_file() else None
    beside = sorted(path.parent.iterdir()) if path.parent.is_dir() else None
    with pytest.raises(RecordError) as caught:
        Store(path)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert (sorted(path.parent.iterdir()) if path.parent.is_dir() else None) == beside
    assert type(caught.value) is RecordError
    return str(caught.value)


@pytest.mark.parametrize("version", [0, 1, 7])
def test_a_database_of_another_program_is_refused_and_not_adopted(path: Path, version: int):
    change(path, "create table photo (id integer)", f"pragma user_version = {version}")
    assert refusal(path) == (
        f"The file {path} is a database of another program, and was left as it is. Name another file with --record."
    )


def test_an_empty_database_with_a_mark_of_another_program_is_refused(path: Path):
    change(path, "pragma application_id = 42")
    assert "database of another program" in refusal(path)


@pytest.mark.parametrize("content", [b"", None])
def test_an_empty_file_or_database_becomes_a_record(path: Path, content: bytes | None):
    if content is None:
        change(path, "create table photo (id integer)", "drop table photo")
    else:
        path.write_bytes(content)
    write(path)
    with Store(path) as store:
        assert store.recovered is None
        assert store.current() == [NEW]


def test_a_record_of_a_newer_version_is_refused(path: Path):
    write(path)
    change(path, "pragma user_version = 3")
    assert refusal(path) == (
        f"The record {path} was written by a newer popout. Update popout, or name another with --record."
    )
    change(path, "pragma user_version = 2")  # a lock that was left would forbid it
    write(path)


@pytest.mark.parametrize("content", [b"popout 7x6\nd4 d4\n" * 100, bytes(8192), b"x"])
def test_a_file_that_is_no_database_is_refused(path: Path, content: bytes):
    path.write_bytes(content)
    assert refusal(path) == (
        f"The file {path} is no record of games, and was left as it is. Name another file with --record."
    )


def test_a_file_that_is_no_database_is_a_damaged_record_in_the_usual_place(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(places, "SERVICE_PATH", path)
    path.write_bytes(bytes(8192))
    with Store(path) as store:
        assert store.recovered is not None
    assert [each.read_bytes() for each in path.parent.glob("games.damaged-*")] == [bytes(8192)]


def test_a_mark_that_is_damaged_is_no_reason_to_take_our_own_record_for_another_s(path: Path):
    write(path)
    change(path, "pragma application_id = 42")
    with Store(path) as store:
        assert store.recovered is not None
        assert store.current() == [NEW]


def test_a_folder_is_refused(tmp_path: Path):
    assert " cannot be opened (" in refusal(tmp_path)


def test_a_place_below_a_file_is_refused(tmp_path: Path):
    (tmp_path / "file").touch()
    assert " cannot be opened (" in refusal(tmp_path / "file" / "games.sqlite3")


def test_a_file_name_with_a_zero_in_it_is_a_sentence():
    with pytest.raises(RecordError) as caught:
        Store(Path("games\0.sqlite3"))
    assert " cannot be opened (" in str(caught.value)


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("drop table entry", "no such table: entry"),
        ("delete from entry where number = 1", "entries are missing"),
        ("pragma user_version = 0", "its beginning is damaged"),
    ],
)
def test_a_record_that_lacks_something_is_damaged(path: Path, statement: str, problem: str):
    with Store(path) as store:
        store.append(NEW, GAME)
        store.append(NEW, GAME)
        store.append(Entry.move(GAME.legal_moves[0]), GAME.play(GAME.legal_moves[0]))
    assert health.problem(path) is None
    change(path, statement)
    assert health.problem(path) == problem
    with Store(path) as store:
        assert store.recovered is not None


def test_looking_changes_nothing(path: Path):
    with Store(path) as store:
        store.append(NEW, GAME)
        log = path.with_name("games.sqlite3-wal")
        before = path.read_bytes(), log.read_bytes()
        assert health.problem(path) is None
        assert (path.read_bytes(), log.read_bytes()) == before


def test_a_transaction_that_was_cut_off_where_there_can_be_no_log_is_undone(path: Path):
    write(path)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("pragma cache_size = 1")
    db.execute("begin")
    for number in range(2, 400):
        db.execute("insert into entry (game, number, at, kind, text) values (1, ?, 0.0, 'move', 'd1')", (number,))
    copy = path.parent / "copy" / path.name
    copy.parent.mkdir()
    for name in (path.name, f"{path.name}-journal"):
        shutil.copy(path.with_name(name), copy.with_name(name))
    db.close()
    assert copy.with_name(f"{path.name}-journal").stat().st_size
    with Store(copy) as store:
        assert store.recovered is None
        assert store.current() == [NEW]


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can enter: root may write anywhere, so that another user has to try."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are something else there")
@pytest.mark.parametrize("what", ["folder", "file", "only the file"])
def test_a_place_where_nothing_may_be_written_is_refused(open_folder: Path, what: str):
    path = open_folder / "games.sqlite3"
    if what != "folder":
        write(path)
        path.chmod(0o444)
    open_folder.chmod(0o777 if what == "only the file" else 0o555)
    if what == "only the file":
        path.with_name("games.sqlite3.lock").chmod(0o666)
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom popout.record.store import RecordError, Store\n"
        "if os.geteuid() == 0:\n    os.setgid(65534)\n    os.setuid(65534)\n"
        "try:\n    Store(Path(sys.argv[1]))\nexcept RecordError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=False)
    reason = "attempt to write a readonly database" if what == "only the file" else "Permission denied"
    assert (done.stdout, done.stderr) == (
        f"Nothing may be written to the record {path} ({reason}), and no game could be saved there. "
        "Allow it, or name another file with --record.\n",
        "",
    )
