"""`popout sim --terminal` and `popout terminal` from outside: over real pipes, in any locale, with any input."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

POPOUT = [sys.executable, "-m", "popout"]
SCRIPT = b"d4 d4 p3\nback\nmoves\n"


def environment(tmp_path: Path, **changes: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHONIO"))}
    runtime = tmp_path / "run"
    runtime.mkdir(exist_ok=True)
    return {**kept, "LANG": "C.UTF-8", "LANGUAGE": "en", "XDG_RUNTIME_DIR": str(runtime), **changes}


def play(tmp_path: Path, said: bytes | None, **changes: str) -> tuple[int, list[str], str]:
    """The exit code and what is printed, without the lines about the board and its page."""
    done = subprocess.run(
        [*POPOUT, "sim", "--terminal", "--no-page", "--record", str(tmp_path / "games.sqlite3")],
        input=said,
        stdin=subprocess.DEVNULL if said is None else None,
        capture_output=True,
        env=environment(tmp_path, **changes),
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout.decode().splitlines()[1:], done.stderr.decode()


ANSWERS = [
    "Pop Out, 7 columns by 6 rows, 4 in a row.",
    "Red to move.",
    "1. Red drops a disc in column 4.",
    "Yellow to move.",
    "2. Yellow drops a disc in column 4.",
    "Red to move.",
    "Column 3 is empty: there is nothing to pop.",
    "Taken back: yellow's disc in column 4. Yellow to move.",
    "1. d4  Red drops a disc in column 4.",
]


def test_piped_moves_are_answered_and_the_end_of_the_pipe_ends_the_session(tmp_path: Path):
    assert play(tmp_path, SCRIPT) == (0, ANSWERS, "")


def test_without_utf_8_everything_is_in_ascii_t1(tmp_path: Path):
    code, lines, errors = play(tmp_path, "d4\nshow\n“né”\n".encode(), LANG="C")

    assert (code, errors) == (0, "")
    assert " 1 | . . .>X . . . |" in lines
    assert all(line.isascii() for line in lines)


def test_garbage_is_refused_and_harms_nothing(tmp_path: Path):
    code, lines, errors = play(tmp_path, b"\xff\xfe\x00\x1b[2J\nd4\n" + b"x" * 100_000 + b"\n")

    assert (code, errors) == (0, "")
    assert "1. Red drops a disc in column 4." in lines
    assert not any("\x1b" in line for line in lines)


def test_of_pop_10_the_score_is_told_as_it_changes_and_shown_with_the_board(tmp_path: Path):
    script = b"new pop10 4x4 connect=3 target=2\n" + 4 * b"d1 d2 d3 d4\n" + b"show\np1\nshow\n"
    code, lines, complaints = play(tmp_path, script)
    assert (code, complaints) == (0, "")
    scores = [line for line in lines if line.startswith("Kept:")]
    assert scores == ["Kept: red 0, yellow 0 of 2.", *2 * ["Kept: red 1, yellow 0 of 2."]]


def test_a_reader_that_has_seen_enough_ends_the_program(tmp_path: Path):
    command = (
        f"yes show | {' '.join(map(shlex.quote, POPOUT))} sim --terminal --no-page --record games.sqlite3 | head -3"
    )
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, env=environment(tmp_path), timeout=60, check=False
    )
    assert done.stdout.decode().count("\n") == 3
    assert "started again" not in done.stderr.decode()


def test_no_input_at_all_ends_the_session_at_once_t3(tmp_path: Path):
    assert play(tmp_path, None) == (0, ANSWERS[:2], "")


def test_the_game_goes_on_where_a_script_has_left_it(tmp_path: Path):
    play(tmp_path, b"d4\n")
    _, lines, _ = play(tmp_path, b"continue\nmoves\n")

    assert lines[-1] == "1. d4  Red drops a disc in column 4."


def test_a_terminal_is_attached_to_a_running_board(tmp_path: Path):
    board = subprocess.Popen(
        [*POPOUT, "sim", "--no-browser", "--port", "0", "--record", str(tmp_path / "games.sqlite3")],
        stdout=subprocess.PIPE,
        env=environment(tmp_path),
        text=True,
    )
    try:
        assert board.stdout
        board.stdout.readline()
        address = board.stdout.readline().split()[-1]
        attached = subprocess.run(
            [*POPOUT, "terminal", address],
            input=SCRIPT,
            capture_output=True,
            env=environment(tmp_path),
            timeout=60,
            check=False,
        )
        assert attached.stdout.decode().splitlines() == ANSWERS
        assert attached.returncode == 1  # something was refused
        assert board.poll() is None
    finally:
        board.send_signal(signal.SIGTERM)
        board.communicate(timeout=20)
    assert board.returncode == 0


def test_where_no_board_runs_is_said_in_one_sentence(tmp_path: Path):
    done = subprocess.run(
        [*POPOUT, "terminal", "http://127.0.0.1:1/"],
        capture_output=True,
        env=environment(tmp_path),
        text=True,
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "popout: No board answers at http://127.0.0.1:1/. Start one with “popout play”, "
        "or name the address that it printed.\n"
    )


class Screen:
    """A pseudo-terminal with the command on it, and what the command has shown there so far."""

    def __init__(self, tmp_path: Path, **changes: str) -> None:
        self.leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        self.command = subprocess.Popen(
            [*POPOUT, "sim", "--terminal", "--no-page", "--record", str(tmp_path / "games.sqlite3")],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=environment(tmp_path, **{"TERM": "xterm-256color", **changes}),
            start_new_session=True,
        )
        os.close(follower)
        self.shown = b""

    def type(self, keys: bytes) -> None:
        os.write(self.leader, keys)

    def read_until(self, wanted: bytes) -> None:
        """Wait until something is shown after what was waited for before."""
        while wanted not in self.shown:
            readable, _, _ = select.select([self.leader], [], [], 30)
            assert readable, self.shown[-2000:]
            self.shown += os.read(self.leader, 65536)
        self.shown = self.shown.partition(wanted)[2]

    def close(self) -> None:
        self.command.kill()
        self.command.wait(20)
        os.close(self.leader)


@pytest.fixture
def on_screen(tmp_path: Path) -> Iterator[Callable[..., Screen]]:
    screens: list[Screen] = []

    def start(**changes: str) -> Screen:
        screens.append(Screen(tmp_path, **changes))
        return screens[-1]

    yield start
    for screen in screens:
        screen.close()


def test_a_real_terminal_is_drawn_on_and_given_back(on_screen: Callable[..., Screen]):
    screen = on_screen()
    screen.read_until(b"\x1b[?1049h")
    screen.read_until(b"Red to move")
    screen.type(b"4")
    screen.read_until(b"Red drops a disc in column 4")
    screen.command.send_signal(signal.SIGTERM)
    screen.read_until(b"\x1b[?1049l")

    assert screen.command.wait(20) == 0


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"LANG": "C"}, b"This terminal is not set to UTF-8"),
        ({"TERM": "dumb"}, b"This terminal cannot be drawn on"),
    ],
)
def test_a_terminal_that_cannot_be_drawn_on_says_why_and_is_typed_at(
    on_screen: Callable[..., Screen], changes: dict[str, str], why: bytes
):
    screen = on_screen(**changes)
    screen.read_until(why)
    screen.read_until(b"> ")
    screen.type(b"d4\n")
    screen.read_until(b"Red drops a disc in column 4.")
    screen.read_until(b"> ")
    screen.type(b"quit\n")

    assert screen.command.wait(20) == 0
