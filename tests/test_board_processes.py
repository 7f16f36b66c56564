"""The programs that hold lines or ports, from a made-up folder of processes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from popout.board.gpio import chips
from popout.board.processes import Process, holders, is_behind


def process(root: Path, pid: int, name: str, *files: str) -> Path:
    """A program that has files open."""
    folder = root / "proc" / str(pid)
    (folder / "fd").mkdir(parents=True)
    (folder / "comm").write_text(f"{name}\n", encoding="utf-8")
    for number, file in enumerate(files):
        (folder / "fd" / str(number)).symlink_to(file)
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    process(tmp_path, 900, "python3", "/dev/null", "anon_inode:gpio-line")
    process(tmp_path, 77, "fan-control", "anon_inode:gpio-line", "anon_inode:gpio-line")
    process(tmp_path, 78, "bash", "/dev/pts/0")
    process(tmp_path, 1000, "minicom", "/dev/ttyACM0")
    process(tmp_path, os.getpid(), "popout", "anon_inode:gpio-line", "/dev/ttyACM0")
    (tmp_path / "proc/self").symlink_to("900")
    return tmp_path


def test_the_other_programs_that_hold_lines_are_found_by_their_numbers(root: Path):
    assert chips.holders(root) == (Process(77, "fan-control"), Process(900, "python3"))


def test_the_programs_that_have_another_file_open_are_found_likewise(root: Path):
    assert holders(lambda name: name == "/dev/ttyACM0", root) == (Process(1000, "minicom"),)
    assert holders(lambda name: name.startswith("/dev/snd"), root) == ()


def test_what_may_not_be_looked_at_or_ends_meanwhile_holds_nothing(root: Path):
    (root / "proc/5/fd").mkdir(parents=True)
    (root / "proc/5/fd/0").write_text("no link", encoding="utf-8")
    (root / "proc/5/fd/1").symlink_to("anon_inode:gpio-line")
    (root / "proc/6").mkdir()
    (root / "proc/7 of nine").mkdir()
    assert chips.holders(root)[0] == Process(5, "")
    assert len(chips.holders(root)) == 3
    assert chips.holders(root / "nowhere") == ()


@pytest.mark.parametrize(
    ("comm", "words", "known_as"),
    [
        ("popout", ["/usr/bin/python3", "/usr/bin/popout", "play", "--device", "/dev/ttyACM0"], "popout play"),
        ("python3", ["python3", "-m", "popout", "--quiet", "sim"], "popout sim"),
        ("popout", ["/usr/bin/python3", "/usr/bin/popout", "--version"], "popout"),
        ("vim", ["vim", "popout", "notes"], "vim"),
        ("minicom", ["minicom", "-D", "/dev/ttyACM0"], "minicom"),
    ],
)
def test_of_this_program_it_is_told_what_it_does(tmp_path: Path, comm: str, words: list[str], known_as: str):
    folder = process(tmp_path, 77, comm, "/dev/ttyACM0")
    (folder / "cmdline").write_text("\0".join([*words, ""]), encoding="utf-8")
    assert holders(lambda name: name == "/dev/ttyACM0", tmp_path) == (Process(77, known_as),)


def test_who_is_behind_a_pseudo_terminal_is_known_by_its_number(tmp_path: Path):
    info = process(tmp_path, 77, "popout", "/dev/ptmx", "/dev/pts/12") / "fdinfo"
    info.mkdir()
    (info / "0").write_text("pos:\t0\nflags:\t02100002\ntty-index:\t12\n", encoding="utf-8")
    (info / "1").write_text("pos:\t0\nflags:\t02000002\n", encoding="utf-8")
    assert is_behind("/dev/pts/12", 77, tmp_path)
    assert not is_behind("/dev/pts/1", 77, tmp_path)
    assert not is_behind("/dev/ttyACM0", 77, tmp_path)
    assert not is_behind("/dev/pts/12", 78, tmp_path)
