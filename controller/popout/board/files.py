"""Small files of the kernel and of the system, which may be missing, forbidden or full of anything."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

_LARGEST_BYTES: Final = 64 * 1024


def text(path: Path) -> str | None:
    """The beginning of a file as text, without the zero byte or line end that ends some; None if it cannot be read."""
    with suppress(OSError, ValueError), path.open("rb") as file:
        return file.read(_LARGEST_BYTES).decode("utf-8", "replace").rstrip("\0\n")
    return None
