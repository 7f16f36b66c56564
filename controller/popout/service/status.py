"""How a running board is: a small file in the runtime folder for each, and who reads them.

The file is there while the program runs. One that a killed program left behind is told apart, since it says when its
process started: the number of a process alone may belong to another one by now.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec
import platformdirs

LARGEST_BYTES = 64 * 1024
THE_SERVICES_FOLDER = Path("/run/popout")


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the board said.

    :ivar code: stable, for a program. :ivar at: when, in seconds since 1970.
    """

    code: str
    text: str
    at: float


class PartStatus(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """How a part of the program is doing.

    :ivar error: why it failed the last time; None if it never did. :ivar failed_at: when, in seconds since 1970.
    """

    name: str
    state: Literal["running", "waiting", "ended"]
    restarts: int = 0
    error: str | None = None
    failed_at: float | None = None


class Status(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """How a running board is.

    :ivar process: what tells the process from others of the same number; None where that is not known.
    :ivar since: when it began to run, in seconds since 1970. :ivar ready: whether the board has answered.
    :ivar remarks: what there is to say about the board, such as why its lamps stay dark.
    :ivar game: the rules in one line. :ivar turn: None after the end.
    :ivar now: whose turn it is or how the game ended, as a sentence.
    :ivar notice: what was said last. :ivar trouble: why nothing can be played.
    :ivar record: the file of the games; None if they are in memory only.
    """

    pid: int
    process: str | None
    version: str
    since: float
    ready: bool
    board: str
    game: str
    moves: int
    turn: Literal["red", "yellow"] | None
    now: str
    notice: Said | None
    trouble: Said | None
    record: str | None
    pages: tuple[str, ...]
    parts: tuple[PartStatus, ...]
    remarks: tuple[str, ...] = ()

    @property
    def well(self) -> bool:
        """Whether everything works."""
        return self.ready and self.trouble is None and all(part.state != "waiting" for part in self.parts)


class StatusFile:
    """Where this process says how it is.

    :ivar path: the file; None if there is no folder for it.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Choose the file: in `folder`, else in the first runtime folder in which this user may write."""
        found = folder or next(_writable(runtime_folders()), None)
        self.path = None if found is None else found / f"{os.getpid()}.json"

    def write(self, status: Status) -> None:
        """Say it, in place of what was said before: a reader sees the one or the other.

        :raises OSError: it cannot be written.
        """
        if self.path is None:
            return
        beside = self.path.with_suffix(".new")
        beside.write_bytes(msgspec.json.encode(status))
        beside.replace(self.path)

    def remove(self) -> None:
        """Say nothing any more; may be called twice."""
        if self.path is not None:
            for path in (self.path, self.path.with_suffix(".new")):
                with suppress(OSError):
                    path.unlink(missing_ok=True)


def running(folders: Iterable[Path] | None = None) -> list[Status]:
    """The boards that run on this machine, as far as this user may see them, the oldest first.

    What killed programs of this user left behind is cleared away.
    """
    found = {}
    for folder in (*runtime_folders(), THE_SERVICES_FOLDER) if folders is None else folders:
        if not _is_safe(folder):
            continue
        for path in _files(folder):
            status = _read(path)
            if not _is_running(int(path.stem), status):
                _clear_away(path)
            elif status is not None and path.suffix == ".json":
                found[status.pid] = status
    return sorted(found.values(), key=lambda status: (status.since, status.pid))


def runtime_folders(environ: Mapping[str, str] = os.environ) -> Iterator[Path]:
    """Where a program of this user says how it is, the best place first; they need not exist.

    systemd names the folder that it made; else it is the user's own; else one in the folder for temporary files.
    """
    if named := environ.get("RUNTIME_DIRECTORY", ""):
        yield Path(named.partition(":")[0])
    # Where the system made no such folder for this user, platformdirs warns, or refuses what another user made.
    with suppress(OSError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield platformdirs.user_runtime_path("popout")
    yield Path(tempfile.gettempdir()) / f"popout-{os.getuid() if sys.platform != 'win32' else 'status'}"


def process_of(pid: int) -> str | None:
    """What tells a process from all others that had or will have its number; "" if it is dead, None if unknown."""
    try:
        line = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return None
    # The name in brackets may hold anything; what follows is the state, and 19 fields later the time of the start.
    fields = line.rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else f"{boot} {fields[19]}"


def _is_running(pid: int, status: Status | None) -> bool:
    found = process_of(pid)
    if found is None:
        return _exists(pid)
    return bool(found) and (status is None or status.process == found)


def _exists(pid: int) -> bool:
    """Whether there is such a process, where that cannot be looked up; if it cannot be known, it is believed."""
    if sys.platform == "win32":
        return True  # to ask there is to end it
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _files(folder: Path) -> list[Path]:
    with suppress(OSError):
        return [
            path
            for path in sorted(folder.iterdir())
            if path.suffix in (".json", ".new") and path.stem.isascii() and path.stem.isdigit() and int(path.stem) > 0
        ]
    return []


def _read(path: Path) -> Status | None:
    try:
        with path.open("rb") as file:
            status = msgspec.json.decode(file.read(LARGEST_BYTES), type=Status)
    except (OSError, msgspec.DecodeError):
        return None
    return status if status.pid == int(path.stem) else None


def _clear_away(path: Path) -> None:
    with suppress(OSError):
        if sys.platform == "win32" or path.lstat().st_uid == os.getuid():
            path.unlink()


def _writable(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _is_safe(folder) and os.access(folder, os.W_OK | os.X_OK):
                yield folder


def _is_safe(folder: Path) -> bool:
    """Whether nobody else may have put files there; the folder for temporary files is everybody's."""
    if sys.platform == "win32":
        return folder.is_dir()
    try:
        found = folder.lstat()
    except OSError:
        return False
    if not stat.S_ISDIR(found.st_mode) or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return False
    return found.st_uid == os.getuid() or folder == THE_SERVICES_FOLDER
