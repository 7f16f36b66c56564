"""Two programs on one record: the second is told who holds it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from popout.record.journal import Entry
from popout.record.store import RecordInUse, Store
from popout.rules import Game, RuleSet
from records import change

GAME = Game.start(RuleSet.parse("popout 7x6"))
NEW = Entry.new(GAME.rules)

HOLDER = (
    "import sys\nfrom pathlib import Path\nfrom popout.record.store import Store\n"
    "path, *sys.argv = sys.argv[1:]\n"
    "store = Store(Path(path))\nprint('open', flush=True)\nsys.stdin.read()\nstore.close()"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


@contextmanager
def held(path: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Another process, called with these arguments, has the record open."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, path, *(arguments or ["popout", "play"])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        yield other


def refusal(path: Path) -> str:
    with pytest.raises(RecordInUse) as caught:
        Store(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "program"),
    [
        (["/usr/bin/popout", "--lang", "play", "--new"], "popout play"),
        (["popout/__main__.py", "sim"], "popout sim"),
        (["popout", "--new"], "popout"),
        (["-c", "play"], "popout"),
    ],
)
def test_a_second_program_is_told_which_one_has_the_record(path: Path, arguments: list[str], program: str):
    with held(path, *arguments) as other:
        assert re.fullmatch(
            rf"The record {path} is in use by {program} \(process {other.pid}, since \d\d:\d\d\)\. "
            r"Stop that one, or name another with --record\.",
            refusal(path),
        )


def test_a_holder_of_another_day_has_the_date_with_it(path: Path):
    with Store(path) as store:
        store._db.execute("update holder set since = 86400 * 365.0")
        assert re.search(r"since 197[01]-[01]\d-\d\d \d\d:\d\d\)", refusal(path))


@pytest.mark.parametrize("since", ["1e300", "-1e300"])
def test_a_holder_that_cannot_be_read_is_not_needed_for_the_sentence(path: Path, since: str):
    with Store(path) as store:
        store._db.execute(f"update holder set since = {since}")
        assert refusal(path) == (
            f"The record {path} is in use by another popout. Stop that one, or name another with --record."
        )


def test_the_lock_ends_with_its_process_however_that_ends(path: Path):
    with held(path) as other:
        other.send_signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
        other.wait()
    with Store(path) as store:
        assert store._db.execute("select pid from holder").fetchall() == [(os.getpid(),)]


def test_the_record_is_free_again_after_its_end(path: Path):
    with held(path) as other:
        refusal(path)
        assert other.stdin is not None
        other.stdin.close()
        other.wait()
    with Store(path) as store:
        store.append(NEW, GAME)


@pytest.mark.skipif(sys.platform == "win32", reason="not everybody may make links there")
def test_another_name_for_the_same_record_is_no_way_around_the_lock(path: Path):
    link = path.with_name("link.sqlite3")
    link.symlink_to(path)
    with Store(path):
        assert str(link) in refusal(link)


def test_a_popout_of_the_first_version_that_has_it_is_noticed(path: Path):
    with Store(path) as store:
        store.append(NEW, GAME)
    change(path, "pragma user_version = 2")
    code = (
        "import sqlite3, sys\ndb = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "db.execute('pragma locking_mode = exclusive')\ndb.execute('begin exclusive')\n"
        "db.execute('pragma user_version = 2')\ndb.execute('commit')\nprint('open', flush=True)\nsys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        assert "in use by another popout" in refusal(path)
