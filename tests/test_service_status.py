"""The status files: who writes where, and how the living are told from the dead."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from popout.service import status as status_module
from popout.service.status import PartStatus, Said, Status, StatusFile, process_of, running, runtime_folders

NOBODY = 2**22 + 1
"""No system numbers its processes so far."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="users and processes of another kind")


def a_status(**fields: Any) -> Status:
    usual = {
        "pid": os.getpid(),
        "process": process_of(os.getpid()),
        "version": "1.2.3",
        "since": 1000.0,
        "ready": True,
        "board": "the simulator",
        "game": "popout 7x6",
        "moves": 3,
        "turn": "yellow",
        "now": "Yellow to move.",
        "notice": None,
        "trouble": None,
        "record": None,
        "pages": (),
        "parts": (PartStatus(name="board", state="running"),),
    }
    return Status(**{**usual, **fields})


def put(folder: Path, status: Status, name: str | None = None) -> Path:
    path = folder / (name or f"{status.pid}.json")
    path.write_bytes(msgspec.json.encode(status))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "popout"
    made.mkdir(mode=0o700)
    return made


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    """Another process."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


def test_what_was_written_is_read(folder: Path):
    status = a_status(
        trouble=Said(code="not-saved", text="The disk is full.", at=5.0), pages=("http://a/", "http://b/")
    )

    StatusFile(folder).write(status)

    assert running([folder]) == [status]


def test_the_newest_writing_counts_and_nothing_else_stays(folder: Path):
    file = StatusFile(folder)

    file.write(a_status(moves=1))
    file.write(a_status(moves=2))

    assert [each.moves for each in running([folder])] == [2]
    assert [path.name for path in folder.iterdir()] == [f"{os.getpid()}.json"]


def test_at_the_end_it_is_gone(folder: Path):
    file = StatusFile(folder)
    file.write(a_status())

    file.remove()
    file.remove()

    assert list(folder.iterdir()) == []


def test_a_folder_in_which_one_cannot_write_is_an_error_each_time(folder: Path):
    file = StatusFile(folder / "gone")
    with pytest.raises(FileNotFoundError):
        file.write(a_status())
    file.remove()


def test_several_boards_are_found_the_oldest_first(folder: Path, tmp_path: Path, sleeper: subprocess.Popen[bytes]):
    other = tmp_path / "other"
    other.mkdir(mode=0o700)
    put(folder, a_status(since=2000.0))
    put(other, a_status(pid=sleeper.pid, process=process_of(sleeper.pid), since=1000.0))

    assert [each.pid for each in running([folder, other])] == [sleeper.pid, os.getpid()]


def test_what_a_killed_process_left_is_cleared_away_and_not_shown(folder: Path, sleeper: subprocess.Popen[bytes]):
    put(folder, a_status(pid=sleeper.pid, process=process_of(sleeper.pid)))
    (folder / f"{sleeper.pid}.new").write_text("half", "utf-8")
    sleeper.kill()
    sleeper.wait()

    assert running([folder]) == []
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says when a process started")
def test_a_killed_process_that_nobody_has_asked_after_is_dead_too(folder: Path, sleeper: subprocess.Popen[bytes]):
    put(folder, a_status(pid=sleeper.pid, process=process_of(sleeper.pid)))
    sleeper.kill()
    os.waitid(os.P_PID, sleeper.pid, os.WEXITED | os.WNOWAIT)

    assert process_of(sleeper.pid) == ""
    assert running([folder]) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says when a process started")
def test_a_number_that_belongs_to_another_process_by_now_is_not_mistaken(folder: Path):
    put(folder, a_status(process="another-boot 17"))

    assert running([folder]) == []
    assert list(folder.iterdir()) == []


def test_where_the_start_is_not_known_the_number_has_to_do(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(status_module, "process_of", lambda _pid: None)
    put(folder, a_status(process=None))
    put(folder, a_status(process=None, pid=NOBODY))

    assert [each.pid for each in running([folder])] == [os.getpid()]


@pytest.mark.parametrize(
    "content", [b"", b"\0\0\0", b"{", b"[]", b'{"pid": 1}', msgspec.json.encode(a_status(pid=1)), b" " * 100_000]
)
def test_a_file_that_says_nonsense_of_a_living_process_is_left_out(folder: Path, content: bytes):
    file = folder / f"{os.getpid()}.json"
    file.write_bytes(content)

    assert running([folder]) == []
    assert file.exists()


def test_other_files_in_the_folder_are_left_alone(folder: Path):
    for name in ("x.json", "-1.json", "0.json", "12", ".lgd-nfy0", "٣.json"):
        (folder / name).write_bytes(b"mine")

    assert running([folder]) == []
    assert len(list(folder.iterdir())) == 6


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path):
    assert running([tmp_path / "nowhere"]) == []


def test_a_folder_in_which_others_may_write_is_not_believed(folder: Path):
    put(folder, a_status())
    folder.chmod(0o777)

    assert running([folder]) == []


def test_a_link_to_a_folder_is_not_believed(folder: Path, tmp_path: Path):
    put(folder, a_status())
    (tmp_path / "link").symlink_to(folder)

    assert running([tmp_path / "link"]) == []


def test_the_folder_that_systemd_made_comes_first():
    assert next(runtime_folders({"RUNTIME_DIRECTORY": "/run/popout:/run/more"})) == Path("/run/popout")


def test_where_there_is_no_other_folder_it_is_one_of_this_user_in_that_for_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("platformdirs.user_runtime_path", lambda _name: tmp_path / "no" / "such")
    (tmp_path / "no").write_text("in the way", "utf-8")
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)

    path = StatusFile().path

    assert path == tmp_path / f"popout-{os.getuid()}" / f"{os.getpid()}.json"
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_somebody_put_there_for_us_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("platformdirs.user_runtime_path", lambda _name: tmp_path / f"popout-{os.getuid()}")
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    (tmp_path / "theirs").mkdir()
    (tmp_path / f"popout-{os.getuid()}").symlink_to(tmp_path / "theirs")

    file = StatusFile()
    file.write(a_status())

    assert file.path is None
    assert list((tmp_path / "theirs").iterdir()) == []


@pytest.mark.parametrize(
    ("fields", "well"),
    [
        ({}, True),
        ({"ready": False}, False),
        ({"trouble": Said(code="board-lost", text="The cable was pulled.", at=1.0)}, False),
        ({"parts": (PartStatus(name="page", state="waiting", restarts=3),)}, False),
        ({"parts": (PartStatus(name="terminal", state="ended"),)}, True),
        ({"notice": Said(code="column-full", text="Column 3 is full.", at=1.0)}, True),
    ],
)
def test_a_board_is_well_when_it_is_ready_without_trouble_and_all_its_parts_run(fields: dict[str, Any], well: bool):
    assert a_status(**fields).well is well
