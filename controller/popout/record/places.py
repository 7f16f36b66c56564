"""Where records are: the user's own, that of the service, and which of the two is read."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

SERVICE_PATH = Path("/var/lib/popout/games.sqlite3")
"""Where the service of this computer records its games: the state folder that systemd gives it."""


def default_path() -> Path:
    """Where the games of this user are recorded."""
    return platformdirs.user_data_path("popout") / "games.sqlite3"


def reading_path() -> Path:
    """The record that is read if none is named: the user's own; without one that of the service, if it may be read."""
    own = default_path()
    if not os.access(own, os.F_OK) and os.access(SERVICE_PATH, os.R_OK):
        return SERVICE_PATH
    return own


def is_usual(file: Path) -> bool:
    """Whether a file stands where only a record of ours belongs."""
    return os.path.realpath(file) in {os.path.realpath(place) for place in (default_path(), SERVICE_PATH)}


def lock_of(file: Path) -> Path:
    """The file that whoever writes the record `file` holds locked. It stays; only the lock on it counts."""
    return file.with_name(f"{file.name}.lock")
