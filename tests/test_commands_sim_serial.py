"""`popout sim --as-serial` from outside: a process with lines piped in or typed, and a host on its port."""

from __future__ import annotations

import itertools
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
import serial

from popout.board.layout import Layout
from popout.board.serial.conversation import Report
from popout.board.serial.port import PortHeld, open_port
from popout.board.serial.wire import Wire
from popout.link.debounce import PRESSED, RELEASED

SIM = [sys.executable, "-m", "popout", "sim", "--as-serial"]
PATIENCE_S = 20.0
LAYOUT = Layout.load("7x6-pico")
FOUR = list(LAYOUT.switches).index("column 4")
FIRST_LINE = re.compile(
    r"The board is on (/dev/\S+)\. Play on it: popout play --board serial --device \1 --layout 7x6-pico"
)


class Board:
    """The command, with lines piped in."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [*SIM, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
            env={**os.environ, "LANGUAGE": "en", "PYTHONUNBUFFERED": "1"},
        )

    def says(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def port(self) -> str:
        found = FIRST_LINE.fullmatch(line := self.says())
        assert found, line
        return found[1]

    def do(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))

    def ended(self) -> tuple[int, str, str]:
        """Its exit code, and what it said that nobody has read."""
        said, complained = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, said, complained


@contextmanager
def a_board(*options: str) -> Iterator[Board]:
    board = Board(*options)
    try:
        yield board
    finally:
        if board.process.poll() is None:
            board.process.kill()
        board.process.communicate()


@contextmanager
def a_host(port: str) -> Iterator[tuple[Wire, list[Report]]]:
    """The project's own host on the port."""
    heard: list[Report] = []
    opened = serial.Serial(port, timeout=0.1, write_timeout=1, exclusive=True)
    wire = Wire(opened, clock=lambda: time.monotonic() * 1000, heard=heard.extend, lost=lambda _: None)
    try:
        assert wire.greeted(PATIENCE_S)
        yield wire, heard
    finally:
        wire.close()


def wait_until(condition: Callable[[], object]) -> None:
    ends = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < ends, "it has not come about"
        time.sleep(0.005)


def refusal(*arguments: str) -> str:
    done = subprocess.run(arguments, capture_output=True, text=True, input="", timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr.strip()


def test_lines_that_are_piped_in_are_hands_for_a_host_on_the_port():
    with a_board() as board, a_host(board.port()) as (wire, heard):
        assert wire.conversation.hello is not None
        assert wire.conversation.hello.model == "simulated"
        board.do("d4", "bar open")
        wait_until(lambda: len(heard) == 3)
        bar = list(LAYOUT.switches).index("bar")
        assert [(report.switch, report.kind) for report in heard] == [
            *((FOUR, PRESSED), (FOUR, RELEASED)),
            (bar, PRESSED),
        ]
        wire.show((0x800000, *[0] * (len(LAYOUT.places) - 1)))
        wait_until(lambda: wire.conversation.lit is not None)
        board.do("lamps", "quit")
        code, said, complained = board.ended()
        assert (code, complained) == (0, "")
        assert said.splitlines()[5:8] == ["1  R . . . . . .", "   1 2 3 4 5 6 7", "   . . . . . . ."]


def test_a_board_is_not_taken_for_a_program_that_plays_on_it():
    """Whoever stops what has the port open must not stop the board."""
    with a_board() as board, a_host(port := board.port()):
        with pytest.raises(PortHeld) as caught:
            open_port(port)
        # This very process has it open, and the board's own has, at its other end.
        assert str(caught.value).startswith(f"{port} is open in another program. ")


def test_a_link_leads_to_the_port_also_after_it_was_plugged_in_again(tmp_path: Path):
    link = tmp_path / "board"
    with a_board("--link", str(link)) as board:
        first = board.port()
        assert str(link.readlink()) == first
        board.do("unplug", "wait 100ms", "plug")
        assert board.says() == f"The board has left {first}."
        second = board.port()
        assert second != first
        wait_until(lambda: str(link.readlink()) == second)
        with a_host(str(link)) as (_, heard):
            board.do("press 4")
            wait_until(lambda: heard)
        board.do("quit")
        assert board.ended() == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_without_a_port_there_is_no_link(tmp_path: Path):
    link = tmp_path / "board"
    with a_board("--link", str(link)) as board:
        first = board.port()
        board.do("unplug")
        assert board.says() == f"The board has left {first}."
        assert not os.path.lexists(link)


def test_a_link_that_a_killed_board_left_is_taken_over(tmp_path: Path):
    link = tmp_path / "board"
    link.symlink_to("/dev/pts/9999")
    with a_board("--link", str(link)) as board:
        port = board.port()
        assert str(link.readlink()) == port


def test_the_link_of_another_board_that_is_there_is_refused(tmp_path: Path):
    link = tmp_path / "board"
    with a_board("--link", str(link)) as first:
        port = first.port()
        assert refusal(*SIM, "--link", str(link)) == (
            f"popout: {link} leads to {port}, perhaps to another board. End that one, remove the link or choose "
            "another name."
        )
        assert str(link.readlink()) == port


def test_a_link_that_another_board_has_taken_meanwhile_stays_as_it_is(tmp_path: Path):
    link = tmp_path / "board"
    with a_board("--link", str(link)) as first:
        first.port()
        first.do("unplug")
        assert first.says().startswith("The board has left ")
        with a_board("--link", str(link)) as second:
            port = second.port()
            first.do("plug")
            code, _, complained = first.ended()
            assert code == 2
            assert complained.startswith(f"popout: {link} leads to {port}, perhaps to another board. ")
            assert str(link.readlink()) == port


@pytest.mark.parametrize("other", ["file", "link"])
def test_what_else_has_the_name_of_the_link_stays_as_it_is(tmp_path: Path, other: str):
    link = tmp_path / "board"
    if other == "file":
        link.write_text("mine")
    else:
        link.symlink_to(tmp_path)

    assert refusal(*SIM, "--link", str(link)) == (
        f"popout: {link} is there already, and no link to a port. Choose another name."
    )
    assert link.is_symlink() == (other == "link")


def test_a_link_in_a_folder_that_is_not_there_is_refused(tmp_path: Path):
    link = tmp_path / "nowhere" / "board"

    assert refusal(*SIM, "--link", str(link)) == (
        f"popout: The link {link} cannot be made: No such file or directory. Choose another folder."
    )


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_where_the_lines_end_it_stays_a_board_until_it_is_told_to_stop(tmp_path: Path, by: signal.Signals):
    link = tmp_path / "board"
    with a_board("--link", str(link)) as board:
        port = board.port()
        assert board.process.stdin is not None
        board.process.stdin.close()
        board.process.stdin = None
        with a_host(port):
            pass
        board.process.send_signal(by)
        assert board.ended() == (0, "", "")
    assert not os.path.lexists(link)


def test_what_hands_do_not_know_is_a_sentence():
    with a_board() as board:
        board.port()
        board.do("bite 4", "press 9", "menu!", "quit")
        assert board.ended() == (
            0,
            "Hands do not know what “bite 4” means. Type help for what they can do.\n"
            "This board has no switch “column 9”.\n"
            "Hands do not know what “menu!” means. Type help for what they can do.\n",
            "",
        )


def test_every_line_of_the_help_is_something_that_hands_can_do():
    with a_board() as board:
        board.port()
        board.do("help", "quit")
        words = [line[:18].rstrip() for line in board.ended()[1].splitlines()]
    assert words[:3] == ["d4, p4", "tap 4", "press 4"]
    each = [word.strip() for line in words for word in line.split(", ")]
    with a_board() as board:
        board.port()
        board.do("drop 4 O")  # one to pop, and one to take
        board.do(*[word for word in each if word not in ("unplug", "plug", "lamps", "quit")], "quit")
        assert board.ended() == (0, "", "")


@pytest.mark.parametrize(
    "options", [["--rules", "popout"], ["--no-page"], ["--terminal"], ["--port", "0"], ["--record", "x"], ["-v"]]
)
def test_options_of_a_game_are_refused(options: list[str]):
    option = "--verbose" if options == ["-v"] else options[0]

    assert refusal(*SIM, *options) == (
        "popout: With --as-serial no game is played here: the board waits for a program that plays on it. Leave out "
        f"{option}."
    )


def test_a_link_without_a_serial_board_is_refused():
    assert refusal(sys.executable, "-m", "popout", "sim", "--link", "x") == (
        "popout: --link is for a board on a serial port. Add --as-serial, or leave it out."
    )


def test_a_layout_of_another_driver_is_refused():
    assert refusal(*SIM, "--layout", "7x6-pi") == (
        "popout: The layout “7x6-pi” is for the driver “gpio”, whose pins a Pico does not have. Choose a layout for "
        "the driver “serial”, such as 7x6-pico."
    )


def test_faults_make_the_board_misbehave():
    with a_board("--faults", "board-away:200ms@100ms") as board:
        first = board.port()
        assert board.says() == f"The board has left {first}."
        assert board.port() != first


class Typed:
    """The command in a terminal, at which somebody types.

    :ivar shown: what has been on the screen.
    """

    def __init__(self) -> None:
        import pty

        self.shown = ""
        self._process, self._screen = pty.fork()
        if self._process == 0:
            os.environ.update(TERM="xterm", NO_COLOR="1", PYTHONIOENCODING="utf-8", LANGUAGE="en")
            os.execv(sys.executable, SIM)

    def shows(self, text: str) -> bool:
        while select.select([self._screen], [], [], 0)[0]:
            try:
                self.shown += os.read(self._screen, 65536).decode().replace("\r\n", "\n")
            except OSError:  # it has ended
                break
        return text in self.shown

    def port(self) -> str:
        wait_until(lambda: self.shows("quit ends the board.\n"))
        found = re.search(r"The board is on (\S+)\. ", self.shown)
        assert found
        return found[1]

    def ends(self) -> int:
        os.write(self._screen, b"\x04")
        return os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])

    def close(self) -> None:
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
        os.close(self._screen)


@pytest.fixture
def typed() -> Iterator[Typed]:
    with closing(Typed()) as typed:
        yield typed


def lit(place: int, colour: int) -> tuple[int, ...]:
    return tuple(colour if place == lamp else 0 for lamp in range(len(LAYOUT.places)))


ON_UNIX = pytest.mark.skipif(not hasattr(os, "fork"), reason="terminals are imitated on Unix only")


@ON_UNIX
def test_in_a_terminal_the_lamps_are_drawn_when_they_come_to_rest(typed: Typed):
    with a_host(typed.port()) as (wire, _):
        for level in range(0x20, 0x80):
            wire.show(lit(0, level << 16))
            time.sleep(0.002)
        wait_until(lambda: typed.shows("a point where it is dark."))
        assert typed.shown.count("1  R . . . . . .") == 1
    # The host has gone, and with it the light.
    wait_until(lambda: typed.shows("") or typed.shown.count("1  . . . . . . .") == 1)
    assert typed.ends() == 0


@ON_UNIX
def test_in_a_terminal_lamps_that_never_rest_are_drawn_too(typed: Typed):
    """A game that is won blinks until somebody begins another."""
    with a_host(typed.port()) as (wire, _):
        pictures = itertools.cycle([lit(0, 0x800000), lit(1, 0x800000)])

        def blinks() -> None:
            wire.show(next(pictures))
            time.sleep(0.05)

        wait_until(lambda: blinks() or (typed.shows("1  R . . . . . .") and typed.shows("2  R . . . . . .")))
