"""The kernel's GPIO chips and lines, asked directly: which chip the header is, who uses a line.

No package is needed for it. The structures are those of the kernel's ``include/uapi/linux/gpio.h``.
"""

from __future__ import annotations

import os
import re
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from popout.board import processes
from popout.board.processes import Process

HEADER_LABELS: Final = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""What the chip of the 40-pin header is called: up to the Pi 3, on the Pi 4, on the Pi 5.

Its number differs between kernels (on a Pi 5 it was 4, then 0), its label does not.
"""

_GET_CHIPINFO: Final = 0x8044B401
_CHIPINFO: Final = struct.Struct("=32s32sI")
_GET_LINEINFO: Final = 0xC100B405
_LINEINFO: Final = struct.Struct("=32s32sIIQ160x16x")
_USED: Final = 1


@dataclass(frozen=True, slots=True)
class Chip:
    """A GPIO chip: the number and path of its device, its label, and how many lines it has."""

    number: int
    path: Path
    label: str
    lines: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a chip.

    :ivar used: whether a program or the kernel itself has it.
    :ivar consumer: what its user calls itself, such as ``lg`` for a program that uses lgpio; may be empty.
    """

    name: str
    used: bool
    consumer: str


def chips() -> tuple[Chip, ...]:
    """The chips that may be opened, by number.

    :raises PermissionError: there are chips, and none of them may be opened.
    """
    found, refused = [], None
    for path in sorted(Path("/dev").glob("gpiochip*"), key=lambda path: (len(path.name), path.name)):
        number = re.fullmatch(r"gpiochip(\d+)", path.name)
        if number is None or path.is_symlink():  # older names of a chip that is found anyway
            continue
        try:
            name_label_lines = _ask(path, _GET_CHIPINFO, _CHIPINFO.size, b"")
        except PermissionError as error:
            refused = error
            continue
        except OSError:
            continue
        _, label, lines = _CHIPINFO.unpack(name_label_lines)
        found.append(Chip(int(number[1]), path, _string(label), lines))
    if refused is not None and not found:
        raise refused
    return tuple(found)


def header_chip() -> Chip | None:
    """The chip of the 40-pin header; None if there is none.

    :raises PermissionError: see `chips`.
    """
    return next((chip for chip in chips() if chip.label in HEADER_LABELS), None)


def line(chip: Chip, offset: int) -> Line:
    """What the kernel knows of a line now.

    :raises OSError: the chip has no such line, is gone, or may not be opened.
    """
    question = struct.pack("=64xI", offset)
    name, consumer, _, _, flags = _LINEINFO.unpack(_ask(chip.path, _GET_LINEINFO, _LINEINFO.size, question))
    return Line(_string(name), bool(flags & _USED), _string(consumer))


def _is_line(name: str) -> bool:
    return name == "anon_inode:gpio-line"


def holders(root: Path = Path("/")) -> tuple[Process, ...]:
    """The other programs that can be seen to hold lines of GPIO chips; see `popout.board.processes`.

    Which line is whose, the kernel does not tell.
    """
    return processes.holders(_is_line, root)


def _ask(path: Path, request: int, size: int, question: bytes) -> bytes:
    import fcntl  # not on every system; where it is missing there are no such chips either

    answer = bytearray(question.ljust(size, b"\0"))
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.ioctl(handle, request, answer)
    finally:
        os.close(handle)
    return bytes(answer)


def _string(content: bytes) -> str:
    return content.split(b"\0", 1)[0].decode("utf-8", "replace")
