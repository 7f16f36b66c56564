"""Opening a port for one program alone, and the sentence for each way in which that fails."""

from __future__ import annotations

import errno
import fcntl
import grp
import os
import pty
import subprocess
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import serial

from popout.board.driver import BoardError
from popout.board.processes import Process
from popout.board.serial.port import PortHeld, PortMissing, PortRefused, PortUnusable, open_port, touch, udev_rules


@pytest.fixture
def line() -> Iterator[tuple[int, str]]:
    """A pseudo-terminal: the end of the board, and the name of the port."""
    board, port = pty.openpty()
    tty.setraw(port)
    yield board, os.ttyname(port)
    os.close(board)
    os.close(port)


def fails(error: Exception) -> Callable[..., Any]:
    """What opens a port that cannot be opened; root may open all."""

    def connect(*_: object, **__: object) -> Any:
        raise error

    return connect


def refusal(device: str, error: Exception, *programs: Process) -> BoardError:
    with pytest.raises(BoardError) as caught:
        open_port(device, connect=fails(error), who=lambda _: programs)
    return caught.value


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def test_what_is_written_arrives_and_what_comes_is_read(line: tuple[int, str]):
    board, device = line
    with open_port(device) as port:
        port.write(b"h\x01\n\r\xff")
        assert os.read(board, 100) == b"h\x01\n\r\xff"
        os.write(board, b"H\r\n\x03")
        assert port.read(4) == b"H\r\n\x03"
        assert port.read(1) == b"", "reading waits for a moment only"


def test_a_touch_opens_the_port_at_the_rate_that_means_the_boot_loader_and_lets_go_of_it(line: tuple[int, str]):
    board, port = line

    touch(port)

    assert termios.tcgetattr(board)[4:6] == [termios.B1200, termios.B1200]
    open_port(port).close()


def test_what_was_said_before_the_port_was_opened_is_not_heard_s5(line: tuple[int, str]):
    """Field bug S5: what lay in the port is from before a reset."""
    board, device = line
    os.write(board, b"from before\n")
    with open_port(device) as port:
        assert port.read(100) == b""
        os.write(board, b"from now\n")
        assert port.read(9) == b"from now\n"


def test_a_port_is_opened_by_one_program_alone_and_the_other_is_named_s2(line: tuple[int, str]):
    """Field bug S2: the second program is refused, with the number and the name of the first."""
    _, device = line
    program = (
        "import sys\n"
        "from popout.board.serial.port import open_port\n"
        f"port = open_port({device!r})\n"
        "print('open', flush=True)\n"
        "sys.stdin.read()\n"
    )
    words = [sys.executable, "-c", program]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        name = Path(f"/proc/{other.pid}/comm").read_text("utf-8").strip()
        before = open_files()
        with pytest.raises(PortHeld) as caught:
            open_port(device)
        assert open_files() == before
        other.stdin.close()
    assert str(caught.value) == (
        f"{device} is open in another program: {other.pid} “{name}”. Stop that program; one at a time can speak with "
        "the board."
    )
    open_port(device).close()


def test_a_program_that_cannot_be_seen_is_another_program_s2(line: tuple[int, str]):
    """Field bug S2: only root sees who has a port of another user."""
    _, device = line
    holder = os.open(device, os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    try:
        with pytest.raises(PortHeld) as caught:
            open_port(device)
    finally:
        os.close(holder)
    assert str(caught.value) == (
        f"{device} is open in another program. Stop that program; one at a time can speak with the board."
    )


class Opened:
    """A port that could be opened."""

    closed = False

    def close(self) -> None:
        self.closed = True


def test_a_program_that_has_the_port_open_without_a_lock_is_found_too_s2():
    """Field bug S2: it would take half of what the board says."""
    port = Opened()
    asked: list[bool] = []

    def who(held: Callable[[str], bool]) -> tuple[Process, ...]:
        asked.append(held("/dev/ttyACM0") and not held("/dev/ttyACM1"))
        return Process(812, "minicom"), Process(900, "ModemManager")

    with pytest.raises(PortHeld) as caught:
        open_port("/dev/ttyACM0", connect=lambda *_, **__: port, who=who)
    assert port.closed
    assert asked == [True]
    assert str(caught.value).startswith(
        "/dev/ttyACM0 is open in another program: 812 “minicom”, 900 “ModemManager”. Stop that program;"
    )


def test_a_program_at_the_other_end_of_a_pseudo_terminal_may_have_both_open():
    port = Opened()
    assert open_port("/dev/pts/0", connect=lambda *_, **__: port, who=lambda _: (Process(7, "popout"),)) is port
    assert not port.closed


def test_a_port_that_is_not_there():
    with pytest.raises(PortMissing) as caught:
        open_port("/dev/ttyACM99")
    assert str(caught.value) == (
        "There is no serial port “/dev/ttyACM99”, and no board with that serial number on USB. Plug the board in, or "
        "leave out the device to have the board looked for."
    )


@pytest.mark.parametrize("device", ["", "E6614C311B7D5A23", "/dev/null/x", "a\0b"])
def test_no_name_of_a_port_is_one_that_is_not_there(device: str):
    with pytest.raises(PortMissing):
        open_port(device)


def test_a_port_of_a_group_that_one_is_not_in_s4(tmp_path: Path):
    """Field bug S4: the group differs between systems, so that of the file is named, and the rule for udev."""
    device = tmp_path / "ttyACM0"
    device.touch()
    if os.getuid() == 0:
        os.chown(device, -1, grp.getgrnam("dialout").gr_gid)
    name = grp.getgrgid(device.stat().st_gid).gr_name

    error = refusal(str(device), serial.SerialException(errno.EACCES, "could not open port: Permission denied"))

    assert isinstance(error, PortRefused)
    assert str(error) == (
        f"You may not use {device}. It belongs to the group {name}: type “sudo usermod -aG {name} $USER”, then log "
        f"out and in again. Or let whoever is logged in use it: type “sudo cp {udev_rules()} /etc/udev/rules.d/ && "
        "sudo udevadm control --reload-rules”, then plug the board in again."
    )


@pytest.mark.parametrize("device", ["/dev/ttyACM99", "/dev/null"])
def test_a_port_of_no_group_that_one_could_be_in_s4(device: str):
    """Field bug S4: nobody is told to join the group of root."""
    assert str(refusal(device, PermissionError(errno.EPERM, "Operation not permitted"))) == (
        f"You may not use {device}, which only root may. Let whoever is logged in use it: type “sudo cp {udev_rules()} "
        "/etc/udev/rules.d/ && sudo udevadm control --reload-rules”, then plug the board in again."
    )


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives a file to a group without a name")
def test_a_group_without_a_name_is_told_by_its_number_s4(tmp_path: Path):
    """Field bug S4: in a container the group may have no name."""
    device = tmp_path / "ttyACM0"
    device.touch()
    os.chown(device, -1, 54321)

    assert "type “sudo usermod -aG 54321 $USER”" in str(refusal(str(device), PermissionError(errno.EACCES, "no")))


def test_windows_tells_the_reason_in_words_only():
    held = serial.SerialException("could not open port 'COM5': PermissionError(13, 'Access is denied.', None, 5)")
    missing = serial.SerialException("could not open port 'COM5': FileNotFoundError(2, 'The system cannot find', 2)")

    assert isinstance(refusal("COM5", missing), PortMissing)
    assert isinstance(refusal("COM5", held), PortHeld)


@pytest.mark.parametrize("device", ["/dev/null", "/tmp", __file__])
def test_what_is_no_port(device: str):
    before = open_files()
    with pytest.raises(PortUnusable) as caught:
        open_port(device)
    assert open_files() == before
    assert str(caught.value) == (
        f"{device} is no serial port. Name another device, or leave out the device to have the board looked for."
    )


def test_an_error_that_pyserial_tells_in_words_is_told_as_the_system_does():
    error = serial.SerialException("Could not configure port: (5, 'Input/output error')")
    assert "cannot be used: Input/output error. Pull" in str(refusal("/dev/ttyACM0", error))


def test_a_port_that_fails_in_another_way():
    assert str(refusal("/dev/ttyACM0", OSError(errno.EIO, "x"))) == (
        "The serial port /dev/ttyACM0 cannot be used: Input/output error. Pull the board's cable and plug it in again, "
        "or name another device."
    )


def test_the_rules_for_udev_let_people_use_the_board_and_keep_others_off_it_s4():
    """Field bug S4: the shipped rule gives the port to who is logged in and to a group."""
    rule = next(each for each in udev_rules().read_text("utf-8").splitlines() if each.startswith('SUBSYSTEM=="tty"'))

    for part in (
        'ATTRS{idVendor}=="2e8a"',
        'ATTRS{product}=="Pop Out board"',
        'MODE="0660"',
        'GROUP="dialout"',
        'TAG+="uaccess"',
        'ENV{ID_MM_DEVICE_IGNORE}="1"',
        'SYMLINK+="popout"',
    ):
        assert part in rule.split(", ")
    assert udev_rules().name < "73", "uaccess is granted by 73-seat-late.rules"
