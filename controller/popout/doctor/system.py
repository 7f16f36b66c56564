"""What is asked of the running system, since no file says it; a test answers for it."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from popout.board.gpio import chips
from popout.board.gpio.chips import Chip, Line
from popout.board.serial.ports import ports
from popout.record import places
from popout.service import status, unit

PACKAGES: Final = (
    "gpiozero",
    "lgpio",
    "adafruit-lgpio",
    "rpi-lgpio",
    "RPi.GPIO",
    "Adafruit-Blinka",
    "adafruit-circuitpython-mcp230xx",
    "adafruit-circuitpython-neopixel",
    "adafruit-circuitpython-neopixel-spi",
    "Adafruit-Blinka-Raspberry-Pi5-Neopixel",
    "rpi-ws281x",
)
"""The packages of the pins, the expanders and the lamps, as they call themselves."""

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class Python:
    """The Python that runs this.

    :ivar version: its first two numbers. :ivar bits: 32 or 64. :ivar processor: such as ``aarch64``.
    :ivar path: the program. :ivar venv: the folder of its virtual environment; empty if it is the system's own.
    :ivar popout: the words that run this popout from anywhere.
    """

    version: tuple[int, int]
    bits: int
    processor: str
    path: str
    venv: str
    popout: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Package:
    """A Python package that is installed; `of_the_system` if the system's own tools installed it."""

    name: str
    version: str
    of_the_system: bool = False


class UsbPort(NamedTuple):
    """A serial port on USB: its path, the numbers of its maker and kind, and what it calls itself."""

    path: str
    vendor: int | None
    product: int | None
    title: str


def installed() -> Iterator[Package]:
    """Those of `PACKAGES` that this Python has."""
    for name in PACKAGES:
        with suppress(Exception):  # also for what others wrote into the folder of a package
            found = metadata.distribution(name)
            # Debian's tools install there and pip does not; what they bring may have been put right by them.
            yield Package(name, str(found.version), "dist-packages" in Path(str(found.locate_file(""))).parts)


def usb_ports() -> Iterable[UsbPort]:
    """The serial ports on USB."""
    return (UsbPort(port.device, port.vendor, port.product, port.title) for port in ports())


def _may_use(path: Path) -> bool:
    return os.access(path, os.R_OK | os.W_OK)


def _user_id() -> int | None:
    return os.getuid() if sys.platform != "win32" else None


def _group_ids() -> Iterable[int]:
    return (*os.getgroups(), os.getegid()) if sys.platform != "win32" else ()


def _running() -> list[int]:
    return [board.pid for board in status.running()]


def _run_folder() -> Path:
    """Where the board driver lets lgpio make its pipe."""
    return Path(tempfile.gettempdir())


def _python() -> Python:
    return Python(
        version=sys.version_info[:2],
        bits=64 if sys.maxsize > 2**32 else 32,
        processor=platform.machine(),
        path=sys.executable,
        venv=sys.prefix if sys.prefix != sys.base_prefix else "",
        popout=unit.this_popout(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The questions. Whatever answers may raise anything: ask with `or_else` and `each`."""

    python: Callable[[], Python] = _python
    kernel: Callable[[], str] = platform.release
    packages: Callable[[], Iterable[Package]] = installed
    user_id: Callable[[], int | None] = _user_id
    group_ids: Callable[[], Iterable[int]] = _group_ids
    may_use: Callable[[Path], bool] = _may_use
    header_chip: Callable[[], Chip | None] = chips.header_chip
    line: Callable[[Chip, int], Line] = chips.line
    ports: Callable[[], Iterable[UsbPort]] = usb_ports
    run_folder: Callable[[], Path] = _run_folder
    record: Callable[[], Path] = places.default_path
    running: Callable[[], Iterable[int]] = _running


def or_else(asked: Callable[[], _Answer], otherwise: _Answer) -> _Answer:
    """The answer, or what holds without one: what is asked is other people's code, and raises all kinds."""
    try:
        return asked()
    except Exception:
        return otherwise


def each(asked: Callable[[], Iterable[_Answer]]) -> tuple[_Answer, ...]:
    """All that is answered; nothing if the answer fails."""
    try:
        return tuple(asked())
    except Exception:
        return ()
