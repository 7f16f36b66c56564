"""What was found out about a machine: a sentence, how bad it is, and what to type."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from popout.board.layout import shipped
from popout.doctor.facts import Facts
from popout.rules import Message

Severity = Literal["fine", "advice", "problem"]
Area = Literal["computer", "software", "rights", "pins", "lamps", "cable", "places"]

RESTART: Final = "sudo reboot"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found.

    :ivar code: stable, for a program. :ivar what_to_type: commands that put it right, one after the other.
    :ivar area: what it is about, by which findings are grouped.
    """

    severity: Severity
    code: str
    text: Message
    what_to_type: tuple[str, ...] = ()
    area: Area = "computer"


def fine(code: str, text: Message, *what_to_type: str) -> Finding:
    """Something that is as it should be."""
    return Finding("fine", code, text, what_to_type)


def advice(code: str, text: Message, *what_to_type: str) -> Finding:
    """Something that keeps nobody from playing, and is worth knowing."""
    return Finding("advice", code, text, what_to_type)


def problem(code: str, text: Message, *what_to_type: str) -> Finding:
    """Something that keeps the board, or a part of it, from working."""
    return Finding("problem", code, text, what_to_type)


def popout(facts: Facts, *words: str) -> str:
    """How to call this popout from anywhere."""
    return shlex.join((*facts.python.popout, *words))


def as_root(facts: Facts, *words: str) -> str:
    """How to call this popout as root."""
    return shlex.join(("sudo", *facts.python.popout, *words))


def named(facts: Facts, *, anywhere: bool = False) -> tuple[str, ...]:
    """The options that name the same board, as they were given.

    :param anywhere: whether files are named as they are found from any folder.
    """
    given = facts.named
    settings, layout = given.settings, given.layout
    if anywhere:
        settings = settings and _absolute(settings)
        layout = layout if layout in shipped() else layout and _absolute(layout)
    options = (("--settings", settings), ("--board", given.board), ("--layout", layout))
    return tuple(word for option, value in options if value for word in (option, value))


def _absolute(file: str) -> str:
    return str(Path(file).absolute())


def install(facts: Facts, *packages: str) -> str:
    """How to install Python packages where this popout finds them."""
    return shlex.join((facts.python.path or "python3", "-m", "pip", "install", "--upgrade", *packages))


def remove(facts: Facts, *packages: str) -> str:
    """How to remove Python packages from where this popout finds them."""
    return shlex.join((facts.python.path or "python3", "-m", "pip", "uninstall", "--yes", *packages))


def switch_on(facts: Facts, bus: Literal["spi", "i2c"]) -> tuple[str, ...]:
    """How to give the kernel one of the buses of the header."""
    if facts.system.has_raspi_config:
        return (f"sudo raspi-config nonint do_{bus} 0", RESTART)
    parameter = {"spi": "spi=on", "i2c": "i2c_arm=on"}[bus]
    return (f"echo dtparam={parameter} | sudo tee -a {facts.config.file or '/boot/firmware/config.txt'}", RESTART)


def edit(facts: Facts) -> tuple[str, ...]:
    """How to change the firmware's settings."""
    return (f"sudo nano {facts.config.file or '/boot/firmware/config.txt'}", RESTART)


def version(text: str) -> tuple[tuple[int, ...], int]:
    """What a version is compared by: its numbers, and that of its ``.post``; nothing of a text that is none."""
    numbers, _, post = text.partition(".post")
    return tuple(int(part) for part in _leading_numbers(numbers)), int(post) if post.isdecimal() else 0


def _leading_numbers(text: str) -> list[str]:
    parts = []
    for part in text.split("."):
        if not (part.isascii() and part.isdecimal()):
            break
        parts.append(part)
    return parts
