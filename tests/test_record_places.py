"""Where records are, and which one is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from popout.record import places
from popout.record.places import default_path, is_usual, reading_path


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The place of the service's record; that of the user is beside it."""
    monkeypatch.setattr(places, "SERVICE_PATH", tmp_path / "service.sqlite3")
    monkeypatch.setattr(places, "default_path", lambda: tmp_path / "own.sqlite3")
    return tmp_path / "service.sqlite3"


def test_the_usual_place_is_the_user_s_own():
    assert default_path().name == "games.sqlite3"
    assert default_path().parent.name == "popout"


@pytest.mark.parametrize(
    ("there", "read"),
    [([], "own"), (["own"], "own"), (["own", "service"], "own"), (["service"], "service")],
)
def test_the_user_s_own_record_is_read_or_else_that_of_the_service(service: Path, there: list[str], read: str):
    for name in there:
        service.with_name(f"{name}.sqlite3").touch()
    assert reading_path() == service.with_name(f"{read}.sqlite3")


def test_only_these_two_places_are_usual(service: Path):
    assert is_usual(service)
    assert is_usual(service.parent / "x" / ".." / "own.sqlite3")
    assert not is_usual(service.with_name("other.sqlite3"))
