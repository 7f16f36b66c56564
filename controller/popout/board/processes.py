"""The programs that run, and what they have open: who else has a pin or a port."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from popout.board.files import text


@dataclass(frozen=True, slots=True)
class Process:
    """A program that runs."""

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
            found.append(Process(pid, (text(folder / "comm") or "").strip()))
    return tuple(sorted(found, key=lambda process: process.pid))


def _open_files(folder: Path) -> Iterator[str]:
    """What the kernel calls the files that a process has open; none if it may not be looked at, or has ended."""
    with suppress(OSError):
        for file in (folder / "fd").iterdir():
            with suppress(OSError):  # closed meanwhile
                yield str(file.readlink())
