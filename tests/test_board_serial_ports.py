"""Finding the ports on which boards are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from serial.tools import list_ports

from popout.board.serial.ports import SerialPort, candidates, is_board, may_be_board, ports


@dataclass
class Listed:
    """A port as pyserial tells it."""

    device: str
    vid: int | None = 0x2E8A
    pid: int | None = 0x0005
    serial_number: str | None = None
    product: str | None = "Pop Out board"


BOARD = SerialPort("/dev/ttyACM10", 0x2E8A, 0x0005, "E6614C311B7D5A23", "Pop Out board")
OTHER_BOARD = SerialPort("/dev/ttyACM9", 0x2E8A, 0x0005, "E6614C311B000000", "Pop Out board")
PLAIN_PICO = SerialPort("/dev/ttyACM1", 0x2E8A, 0x0005, "E6614C311B7D5A24", "Board in FS mode")
NAMELESS = SerialPort("/dev/ttyACM2", 0x2E8A, 0x0005)
ARDUINO = SerialPort("/dev/ttyACM3", 0x2341, 0x0043, "85", "Pop Out board")


@pytest.fixture
def plugged_in(monkeypatch: pytest.MonkeyPatch):
    """Plugs ports in."""

    def plug(*plugged: SerialPort) -> None:
        listed = [
            Listed(port.device, port.vendor, port.product, port.serial_number or None, port.title or None)
            for port in plugged
        ]
        # A port on the mainboard, which has no numbers.
        listed.append(Listed("/dev/ttyS0", None, None, None, None))
        monkeypatch.setattr(list_ports, "comports", lambda: listed)

    return plug


def test_the_ports_on_usb_are_listed_by_name(plugged_in):
    plugged_in(BOARD, ARDUINO, NAMELESS)
    assert ports() == (NAMELESS, ARDUINO, BOARD)


def test_the_ports_of_this_computer_can_be_listed():
    assert all(port.vendor is not None for port in ports())


@pytest.mark.parametrize(
    ("port", "shows_itself", "may_be"),
    [
        (BOARD, True, True),
        (NAMELESS, False, True),
        (PLAIN_PICO, False, False),
        (ARDUINO, False, False),
        (SerialPort("/dev/ttyACM4", 0x2E8A, 0x000A), False, False),
    ],
)
def test_what_shows_itself_as_a_board_and_what_may_be_one(port: SerialPort, shows_itself: bool, may_be: bool):
    assert (is_board(port), may_be_board(port)) == (shows_itself, may_be)


def test_without_a_name_all_that_may_be_boards_are_looked_at_and_those_that_say_so_first(plugged_in):
    plugged_in(NAMELESS, PLAIN_PICO, ARDUINO, BOARD, OTHER_BOARD)
    assert candidates() == (OTHER_BOARD, BOARD, NAMELESS)


def test_a_board_is_found_by_its_serial_number_whatever_its_port_is_called_s3(plugged_in):
    """Field bug S3: it comes back under another name."""
    plugged_in(OTHER_BOARD, BOARD)
    assert candidates("e6614c311b7d5a23") == (BOARD,)
    moved = SerialPort("/dev/ttyACM0", *(BOARD.vendor, BOARD.product), BOARD.serial_number, BOARD.title)
    plugged_in(OTHER_BOARD, moved)
    assert candidates("E6614C311B7D5A23") == (moved,)


def test_a_port_is_found_by_its_name_whatever_is_on_it(plugged_in):
    plugged_in(BOARD, ARDUINO)
    assert candidates("/dev/ttyACM3") == (ARDUINO,)


def test_a_port_is_found_by_a_link_to_it(plugged_in, tmp_path: Path):
    device, link = tmp_path / "ttyACM0", tmp_path / "popout"
    device.touch()
    link.symlink_to(device)
    board = SerialPort(str(device), 0x2E8A, 0x0005, "E6", "Pop Out board")
    plugged_in(BOARD, board)
    assert candidates(str(link)) == (board,)


def test_a_port_that_is_not_on_usb_is_taken_at_its_word(plugged_in):
    plugged_in(BOARD)
    assert candidates("/dev/pts/7") == (SerialPort("/dev/pts/7"),)
    assert candidates("/dev/ttyS0") == (SerialPort("/dev/ttyS0"),)
