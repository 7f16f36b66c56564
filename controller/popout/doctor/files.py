"""Small files of a machine, read so that nothing in them and no missing right can be an error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from popout.board.files import text

__all__ = ["exists", "fields", "is_link", "matching", "number", "text", "values"]


def number(path: Path) -> int | None:
    """The number that a file of the kernel holds; None if there is none."""
    found = (text(path) or "").strip()
    return int(found) if found.isascii() and found.isdecimal() and len(found) < 20 else None


def exists(path: Path) -> bool:
    """Whether there is such a file, as far as it can be seen."""
    with suppress(OSError, ValueError):
        return path.exists()
    return False


def is_link(path: Path) -> bool:
    """Whether it is a link to another file, as far as it can be seen."""
    with suppress(OSError, ValueError):
        return path.is_symlink()
    return False


def matching(folder: Path, pattern: str) -> list[Path]:
    """The files in a folder whose names match, sorted; none if the folder cannot be looked into."""
    with suppress(OSError, ValueError):
        return sorted(folder.glob(pattern), key=lambda path: (len(path.name), path.name))
    return []


def fields(path: Path) -> Iterator[list[str]]:
    """The lines of a file whose fields stand between colons, such as ``/etc/group``."""
    for line in (text(path) or "").splitlines():
        if not line.startswith("#") and ":" in line:
            yield line.split(":")


def values(path: Path) -> dict[str, str]:
    """The lines ``NAME=value`` of a file, without quotation marks around the value."""
    pairs = (line.partition("=") for line in (text(path) or "").splitlines() if "=" in line)
    return {name.strip(): value.strip().strip("\"'") for name, _, value in pairs}
