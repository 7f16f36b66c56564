"""The programs that run, and what they have open: who else has a pin or a port."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

from popout.board.files import text

_OURS: Final = "popout"
_FIRST_WORDS: Final = 3
"""Python, its ``-m`` perhaps, and the program are the first words of a command."""


@dataclass(frozen=True, slots=True)
class Process:
    """A program that runs.

    :ivar name: what the kernel calls it; of this program also what it does, such as ``popout play``.
    """

    pid: int
    name: str


def holders(held: Callable[[str], bool], root: Path = Path("/")) -> tuple[Process, ...]:
    """The other programs that can be seen to have a file open, by process id; none where the system does not tell.

    Those of other users can be seen only as root.

    :param held: whether what the kernel calls an open file, such as ``/dev/ttyACM0``, is the one that is meant.
    :param root: where the file system begins.
    """
    found = []
    for folder in (root / "proc").glob("[0-9]*"):
        if not (folder.name.isascii() and folder.name.isdecimal()):
            continue
        pid = int(folder.name)
        if pid != os.getpid() and any(held(name) for name in _open_files(folder)):
            found.append(Process(pid, _name(folder)))
    return tuple(sorted(found, key=lambda process: process.pid))


def is_behind(terminal: str, pid: int, root: Path = Path("/")) -> bool:
    """Whether a program has a pseudo-terminal such as ``/dev/pts/5`` open at the end that is no terminal.

    :param root: where the file system begins.
    """
    wanted = ["tty-index:", terminal.removeprefix("/dev/pts/")]
    with suppress(OSError):
        for file in (root / "proc" / str(pid) / "fdinfo").iterdir():
            if any(line.split() == wanted for line in (text(file) or "").splitlines()):
                return True
    return False


def _name(folder: Path) -> str:
    name = (text(folder / "comm") or "").strip()
    if name == _OURS or name.startswith("python"):
        words = (text(folder / "cmdline") or "").split("\0")
        for place, word in enumerate(words[:_FIRST_WORDS]):
            if PurePath(word).name == _OURS:
                command = next((word for word in words[place + 1 :] if not word.startswith("-")), "")
                return f"{_OURS} {command}" if command.isalpha() else _OURS
    return name


def _open_files(folder: Path) -> Iterator[str]:
    """What the kernel calls the files that a process has open; none if it may not be looked at, or has ended."""
    with suppress(OSError):
        for file in (folder / "fd").iterdir():
            with suppress(OSError):  # closed meanwhile
                yield str(file.readlink())
