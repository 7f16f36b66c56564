"""The serial ports on USB, and which of them are boards."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Final, Protocol

RASPBERRY_PI: Final = 0x2E8A
"""The maker's number on USB that a Pico has."""
MICROPYTHON: Final = 0x0005
"""The number of the kind of thing, of every Pico on which MicroPython runs."""
PRODUCT: Final = "Pop Out board"
"""What a board with the firmware of this project calls itself."""


class OnUsb(Protocol):
    """What is known of a thing on the USB; see `SerialPort`."""

    @property
    def vendor(self) -> int | None:
        """The number of its maker."""
        ...

    @property
    def product(self) -> int | None:
        """The number of its kind."""
        ...

    @property
    def title(self) -> str:
        """What it calls itself."""
        ...


@dataclass(frozen=True, slots=True)
class SerialPort:
    """A serial port on USB.

    :ivar device: the port's path or name, such as ``/dev/ttyACM0`` or ``COM5``.
    :ivar vendor, product: the numbers of its maker and kind; None if not known, as for a port that was named.
    :ivar serial_number: of the thing on the port. :ivar title: what it calls itself. Both may be empty.
    """

    device: str
    vendor: int | None = None
    product: int | None = None
    serial_number: str = ""
    title: str = ""


def ports() -> tuple[SerialPort, ...]:
    """The serial ports on USB, by name."""
    listed = import_module("serial.tools.list_ports").comports()
    found = (
        SerialPort(port.device, port.vid, port.pid, port.serial_number or "", port.product or "")
        for port in listed
        if port.vid is not None
    )
    return tuple(sorted(found, key=lambda port: (len(port.device), port.device)))


def is_board(port: OnUsb) -> bool:
    """Whether a board shows itself on the port."""
    return port.vendor == RASPBERRY_PI and port.title == PRODUCT


def may_be_board(port: OnUsb) -> bool:
    """Whether a board may be on the port: Windows does not tell what things call themselves."""
    return is_board(port) or (port.vendor == RASPBERRY_PI and port.product == MICROPYTHON and not port.title)


def candidates(device: str | None = None, found: Sequence[SerialPort] | None = None) -> tuple[SerialPort, ...]:
    """The ports to look for a board on, the likeliest first.

    :param device: the port that is meant, also by another name of it, or the serial number of the board on it; None
        for whatever may be a board. A port that is not on USB is taken for one at its word.
    :param found: the ports on USB; None looks for them.
    """
    if found is None:
        found = ports()
    if device is None:
        return tuple(sorted(filter(may_be_board, found), key=lambda port: not is_board(port)))
    named = [port for port in found if _same(port.device, device)]
    numbered = [port for port in found if port.serial_number and port.serial_number.casefold() == device.casefold()]
    return tuple(named or numbered) or (SerialPort(device),)


def _same(port: str, named: str) -> bool:
    """Whether a name is that of the port, as it is, in small letters on Windows, or by a link to it."""
    return os.path.normcase(os.path.realpath(port)) == os.path.normcase(os.path.realpath(named))
