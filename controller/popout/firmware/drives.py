"""The drive that a Pico is while its boot loader waits for a firmware: found, mounted, and written to.

Nothing is ever written to a folder that has no ``INFO_UF2.TXT`` of a known model. Where the file system begins, and
which system it is of, can be said, so that a test can make up any computer.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import string
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from types import MappingProxyType
from typing import Final

from popout.board.files import text
from popout.firmware.errors import FirmwareError
from popout.rules.messages import Message

MODELS: Final[Mapping[str, str]] = MappingProxyType({"RPI-RP2": "pico", "RP2350": "pico2"})
"""The models by what the boot loader calls their board; the drive has the same name as its label."""

_ABOUT: Final = "INFO_UF2.TXT"
_FILE: Final = "popout.uf2"
_BOARD: Final = re.compile(r"^Board-ID:[ \t]*(\S+)[ \t\r]*$", re.MULTILINE)
_ROOT: Final = Path("/")
_FAT: Final = ("vfat", "msdos", "exfat", "fuseblk")
_AT_ONCE: Final = 64 * 1024
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_PROTECTED: Final = (errno.EROFS, errno.EACCES, errno.EPERM)
_MOUNTED_WITHIN_S: Final = 20


class DriveError(FirmwareError):
    """The drive of a Pico cannot be used."""

    code = "drive"


class NotADrive(DriveError, ValueError):
    """A folder is not the drive of a Pico."""

    code = "not-a-drive"


class DriveFull(DriveError, OSError):
    """The drive has no room for the firmware."""

    code = "drive-full"


class DriveProtected(DriveError, PermissionError):
    """The drive cannot be written to."""

    code = "drive-protected"


class DriveNotMounted(DriveError):
    """The drive is there, and no folder leads to it."""

    code = "drive-not-mounted"


class CopyInterrupted(DriveError, OSError):
    """Not all of the firmware was written."""

    code = "copy-interrupted"


@dataclass(frozen=True, slots=True)
class Drive:
    """The drive of a Pico: the folder that leads to it, and the model, ``pico`` or ``pico2``."""

    folder: Path
    model: str


def drives(
    system: str = sys.platform, root: Path = _ROOT, letters: Callable[[], Iterable[Path]] | None = None
) -> tuple[Drive, ...]:
    """The drives of Picos that can be written to now, by their folders.

    :param system: as `sys.platform` names it. :param root: where the file system begins.
    :param letters: the drives of Windows.
    """
    if system == "win32":
        places: Iterable[Path] = (_letters if letters is None else letters)()
    elif system == "darwin":
        places = _children(root / "Volumes")
    else:
        places = _linux(root)
    found = ((folder, _model(folder)) for folder in sorted(set(places)))
    return tuple(Drive(folder, model) for folder, model in found if model is not None)


def drive_at(folder: Path) -> Drive:
    """The drive that a folder leads to.

    :raises NotADrive: it leads to none of a Pico.
    """
    model = _model(folder)
    if model is None:
        raise NotADrive(
            Message(
                "{folder} is not the drive of a Pico or Pico 2, which has a file {about} that says so. Nothing was "
                "written to it. Leave out --drive to have the drive looked for.",
                folder=str(folder),
                about=_ABOUT,
            )
        )
    return Drive(folder, model)


def unmounted(system: str = sys.platform, root: Path = _ROOT) -> tuple[Path, ...]:
    """The devices of the drives of Picos that Linux sees and that no folder leads to, one a model at the most.

    They are named as the kernel does: by its label, another one's may be found under the same name a moment later.
    """
    if not system.startswith("linux"):
        return ()
    labels = (root / "dev/disk/by-label" / label for label in MODELS)
    mounted = {os.path.realpath(root / source.lstrip("/")) for source, _, _ in _mounts(root)}
    found = (os.path.realpath(label) for label in labels if os.path.lexists(label))
    return tuple(Path(device) for device in found if device not in mounted)


def mount(device: Path) -> None:
    """Let a folder lead to a drive, as a desktop does.

    :raises DriveNotMounted: that cannot be done here; the message says how to.
    """
    with suppress(OSError, subprocess.TimeoutExpired):
        command = ["udisksctl", "mount", "--no-user-interaction", "--block-device", str(device)]
        if subprocess.run(command, capture_output=True, check=False, timeout=_MOUNTED_WITHIN_S).returncode == 0:
            return
    raise DriveNotMounted(
        Message(
            "The Pico is there as the drive {device}, and no folder leads to it. Type “{mount}”, and install once "
            "more, with {option} added.",
            device=str(device),
            mount=f"sudo mount -o uid=$(id -u) {device} /mnt",
            option="--drive /mnt",
        )
    )


def copy(data: bytes, drive: Drive) -> None:
    """Write a firmware onto the drive, and see it written. The Pico starts it by itself, and the drive vanishes.

    When the last of it was handed over, an error is none: the drive vanishes while the system still writes down that
    there is a file. Whether the Pico has taken it the board itself tells.

    :raises NotADrive: it is not there any more. :raises DriveFull: it has no room.
    :raises DriveProtected: it cannot be written to. :raises CopyInterrupted: it vanished before the end.
    """
    if drive_at(drive.folder) != drive:
        raise _interrupted(drive, Message("another drive is there now"))
    if _room(drive.folder) < len(data):
        raise _full(drive)
    written = 0
    try:
        with _opened(drive.folder / _FILE) as file:
            while written < len(data):
                written += file.write(data[written : written + _AT_ONCE])
            os.fsync(file.fileno())
    except OSError as error:
        if written >= len(data):
            return
        if error.errno in _FULL:
            raise _full(drive) from error
        if error.errno in _PROTECTED:
            raise DriveProtected(
                Message(
                    "{folder} cannot be written to. Look whether the drive is mounted read-only or belongs to another "
                    "user; else unplug the Pico, and hold its button BOOTSEL while you plug it in again.",
                    folder=str(drive.folder),
                )
            ) from error
        raise _interrupted(drive, error.strerror or str(error)) from error


def _model(folder: Path) -> str | None:
    """The model whose drive a folder leads to; None if it is something else."""
    board = _BOARD.search(text(folder / _ABOUT) or "")
    return MODELS.get(board[1]) if board else None


def _linux(root: Path) -> Iterator[Path]:
    for _, folder, kind in _mounts(root):
        if kind in _FAT:  # others may be on a computer that does not answer
            yield root / folder.lstrip("/")
    # Where a container sees the folders and not how they are mounted.
    for parent in (root / "media", root / "run/media"):
        for child in _children(parent):
            yield child
            yield from _children(child)


def _mounts(root: Path) -> Iterator[tuple[str, str, str]]:
    """What is mounted: device, folder and kind of the file system."""
    for line in (text(root / "proc/self/mounts") or "").splitlines():
        fields = [_unescaped(field) for field in line.split(" ")]
        if len(fields) >= 3:
            yield fields[0], fields[1], fields[2]


def _unescaped(field: str) -> str:
    """A field in which the kernel has written blanks as ``\\040``."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), field)


def _children(folder: Path) -> list[Path]:
    """What is in a folder; nothing if it is none, or may not be looked into."""
    with suppress(OSError):
        return list(folder.iterdir())
    return []


def _letters() -> Iterator[Path]:
    for letter in string.ascii_uppercase[2:]:  # not the floppy disks, which would be waited for
        yield Path(f"{letter}:\\")


def _opened(file: Path) -> FileIO:
    """A file to be written, whose errors come where its bytes are handed over."""
    return file.open("wb", buffering=0)


def _room(folder: Path) -> int:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return sys.maxsize  # writing will tell


def _full(drive: Drive) -> DriveFull:
    return DriveFull(
        Message(
            "{folder} has no room for the firmware. Unplug the Pico, hold its button BOOTSEL while you plug it in "
            "again, and install once more.",
            folder=str(drive.folder),
        )
    )


def _interrupted(drive: Drive, reason: str | Message) -> CopyInterrupted:
    return CopyInterrupted(
        Message(
            "The firmware was not written whole to {folder}: {reason}. Unplug the Pico, hold its button BOOTSEL while "
            "you plug it in again, and install once more.",
            folder=str(drive.folder),
            reason=reason,
        )
    )
