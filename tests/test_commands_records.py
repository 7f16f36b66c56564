"""Which record a command means, and how it is named in what is to be typed next."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import platformdirs
import pytest
from click.testing import CliRunner

from popout.commands.records import command_line, open_archive, record_option, record_to_read, record_to_write
from popout.record.errors import NoSuchRecord, RecordError
from popout.record.store import Store
from records import no_record_yet


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the user's own record will be."""
    return no_record_yet(tmp_path, monkeypatch)


def asked(question: Callable[[], Any], *arguments: str) -> Any:
    """The answer in a command that was called with these arguments."""
    found: list[Any] = []

    @click.command()
    @record_option
    def command() -> None:
        found.append(question())

    CliRunner().invoke(command, arguments, catch_exceptions=False)
    return found[0]


def made(path: Path) -> Path:
    Store(path).close()
    return path


def test_the_one_that_is_named_is_meant_even_if_it_is_not_there(tmp_path: Path):
    named = tmp_path / "other.sqlite3"
    assert asked(record_to_read, "--record", str(named)) == named
    assert asked(record_to_write, "--record", str(named)) == named
    with pytest.raises(NoSuchRecord):
        asked(open_archive, "--record", str(named))


def test_without_a_name_the_own_one_is_read_else_that_of_the_service(tmp_path: Path, own: Path):
    assert asked(record_to_read) == own
    service = made(tmp_path / "service.sqlite3")
    assert asked(record_to_read) == service
    assert asked(record_to_write) == own, "nobody writes into the service's"
    made(own)
    assert asked(record_to_read) == own


def test_where_there_is_none_yet_there_is_nothing_to_open(own: Path):
    assert asked(open_archive) is None
    made(own)
    archive = asked(open_archive)
    assert archive is not None
    archive.close()


def test_a_record_that_nobody_can_look_for_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """As one in a folder that this user may not enter."""
    monkeypatch.setattr(platformdirs, "user_data_path", lambda _: tmp_path / ("x" * 300))

    with pytest.raises(RecordError, match=re.escape("games.sqlite3 cannot be read (File name too long).")):
        asked(open_archive)


def test_what_is_to_be_typed_next_names_the_same_record_as_a_shell_reads_it():
    assert asked(lambda: command_line("games --all")) == "popout games --all"
    assert asked(lambda: command_line("stats"), "--record", "my games") == "popout stats --record 'my games'"
