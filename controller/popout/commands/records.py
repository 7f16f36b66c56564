"""What every command shares that looks into a record: which one, and what is said where there is none."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from popout.commands.console import Console
from popout.record.archive import Archive
from popout.record.errors import NoSuchRecord
from popout.record.places import default_path, reading_path
from popout.rules import Message

_RECORD = "popout.record"


def record_option(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the option ``--record``, which the functions here heed."""
    return click.option(
        "--record",
        metavar="FILE",
        expose_value=False,
        callback=_note,
        help="Take the games of this file instead of the usual one.",
    )(command)


def record_to_read() -> Path:
    """The record that is named, else the user's own, else that of the service."""
    return _named() or reading_path()


def record_to_write() -> Path:
    """The record that is named, else the user's own."""
    return _named() or default_path()


def open_archive() -> Archive | None:
    """The record to read; None if none is named and there is none yet.

    :raises RecordError: it cannot be read, or the one that is named is not there.
    """
    try:
        return Archive(record_to_read())
    except NoSuchRecord:
        if _named() is not None:
            raise
        return None


def command_line(command: str) -> str:
    """What to type for a `command` of `popout` on the same record."""
    named = _named()
    return f"popout {command}" if named is None else f"popout {command} --record {shlex.quote(str(named))}"


def say_that_there_is_none(console: Console) -> None:
    """Tell that no game has been played yet."""
    console.say(
        Message(
            'No game has been recorded yet in {path}. "{command}" begins one.',
            path=str(record_to_read()),
            command=command_line("play"),
        )
    )


def _named() -> Path | None:
    context = click.get_current_context()
    found = context.meta.get(_RECORD)
    return None if found is None else Path(found)


def _note(context: click.Context, _: click.Parameter, value: Any) -> None:
    if value is not None:
        context.meta[_RECORD] = value
