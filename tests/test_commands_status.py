"""`popout status`: what it says to people and to programs, and its exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from popout.cli import main
from popout.commands import status
from popout.service.status import PartStatus, Said, Status

Run = Callable[..., tuple[int, str]]
NOON = datetime.now().replace(hour=12, minute=0, second=0, microsecond=0)


def a_board(**fields: Any) -> Status:
    usual = {
        "pid": 812,
        "process": None,
        "version": "1.2.3",
        "since": NOON.timestamp(),
        "ready": True,
        "board": "the simulator",
        "game": "popout 7x6 connect=4",
        "moves": 3,
        "turn": "yellow",
        "now": "Yellow to move.",
        "notice": None,
        "trouble": None,
        "record": "/var/lib/popout/games.sqlite3",
        "pages": ("http://127.0.0.1:8407/",),
        "parts": (PartStatus(name="board", state="running"), PartStatus(name="page", state="running")),
    }
    return Status(**{**usual, **fields})


@pytest.fixture
def boards(monkeypatch: pytest.MonkeyPatch) -> list[Status]:
    """The boards that run."""
    found: list[Status] = []
    monkeypatch.setattr(status, "running", lambda: found)
    return found


@pytest.fixture
def run(boards: list[Status], capfd: pytest.CaptureFixture[str]) -> Run:  # noqa: ARG001 - no other boards
    def call(*arguments: str) -> tuple[int, str]:
        code = main(["status", *arguments])
        said = capfd.readouterr()
        assert said.err == ""
        return code, said.out

    return call


def test_a_board_that_is_well(run: Run, boards: list[Status]):
    boards.append(a_board())

    assert run() == (
        0,
        "Played since 12:00:00 on the simulator (process 812).\n"
        "The game is “popout 7x6 connect=4”, with 3 moves. Yellow to move.\n"
        "The page is at http://127.0.0.1:8407/\n"
        "The games are recorded in /var/lib/popout/games.sqlite3\n"
        "The part “board” runs.\n"
        "The part “page” runs.\n",
    )


def test_when_none_runs_it_says_how_to_play(run: Run):
    assert run() == (3, "No board runs on this machine. To play, type: popout play\n")


def test_a_board_in_trouble(run: Run, boards: list[Status]):
    lost = Said(code="board-lost", text="The cable was pulled.", at=NOON.timestamp() + 61)
    boards.append(a_board(trouble=lost, notice=lost))

    code, out = run()

    assert code == 1
    assert out.splitlines()[2] == "Trouble since 12:01:01: The cable was pulled."
    assert out.count("cable") == 1


def test_what_was_said_last(run: Run, boards: list[Status]):
    boards.append(a_board(notice=Said(code="column-full", text="Column 3 is full.", at=NOON.timestamp())))

    assert "Said last, at 12:00:00: Column 3 is full.\n" in run()[1]


def test_what_there_is_to_say_about_the_board(run: Run, boards: list[Status]):
    boards.append(a_board(remarks=("The lamps stay dark.",)))

    code, out = run()

    assert code == 0
    assert out.splitlines()[2] == "About the board: The lamps stay dark."


def test_a_part_that_fails(run: Run, boards: list[Status]):
    failed = {"restarts": 2, "error": "ValueError: no page", "failed_at": NOON.timestamp()}
    boards.append(a_board(parts=(PartStatus(name="page", state="waiting", **failed),)))

    code, out = run()

    assert code == 1
    assert out.endswith(
        "The part “page” failed and waits for its next start. "
        "It was started again 2 times; it failed last at 12:00:00 (ValueError: no page).\n"
    )


def test_a_part_that_failed_once_and_is_well_again(run: Run, boards: list[Status]):
    failed = {"restarts": 1, "error": "ValueError: no page", "failed_at": NOON.timestamp()}
    boards.append(a_board(parts=(PartStatus(name="page", state="running", **failed),)))

    code, out = run()

    assert code == 0
    assert out.endswith(
        "The part “page” runs. It was started again 1 time; it failed last at 12:00:00 (ValueError: no page).\n"
    )


def test_a_board_that_has_not_answered_yet(run: Run, boards: list[Status]):
    boards.append(a_board(ready=False))

    code, out = run()

    assert code == 1
    assert "The board has not answered yet.\n" in out


def test_of_another_day_the_day_is_said(run: Run, boards: list[Status]):
    before = NOON - timedelta(days=400)
    boards.append(a_board(since=before.timestamp()))

    assert run()[1].startswith(f"Played since {before:%Y-%m-%d} 12:00:00 on ")


def test_a_time_that_cannot_be_is_no_crash(run: Run, boards: list[Status]):
    boards.append(a_board(since=1e300))

    assert run()[1].startswith("Played since ? on ")


def test_one_board_in_trouble_among_others_is_trouble(run: Run, boards: list[Status]):
    boards += [a_board(), a_board(pid=813, ready=False)]

    code, out = run()

    assert code == 1
    assert out.count("Played since ") == 2


def test_nothing_that_stands_in_a_file_moves_the_cursor(run: Run, boards: list[Status]):
    boards.append(a_board(board="the \x1b[2Jsimulator"))

    assert "the ?[2Jsimulator" in run()[1]


def test_for_programs(run: Run, boards: list[Status]):
    boards.append(a_board(trouble=Said(code="not-saved", text="The disk is full.", at=5.0)))

    code, out = run("--json")

    assert code == 1
    assert json.loads(out) == {
        "ok": False,
        "exit": 1,
        "boards": [
            {
                "ok": False,
                "pid": 812,
                "process": None,
                "version": "1.2.3",
                "since": NOON.timestamp(),
                "ready": True,
                "board": "the simulator",
                "game": "popout 7x6 connect=4",
                "moves": 3,
                "turn": "yellow",
                "now": "Yellow to move.",
                "notice": None,
                "trouble": {"code": "not-saved", "text": "The disk is full.", "at": 5.0},
                "record": "/var/lib/popout/games.sqlite3",
                "pages": ["http://127.0.0.1:8407/"],
                "parts": [
                    {"name": "board", "state": "running", "restarts": 0, "error": None, "failedAt": None},
                    {"name": "page", "state": "running", "restarts": 0, "error": None, "failedAt": None},
                ],
                "remarks": [],
            }
        ],
    }


def test_for_programs_when_none_runs(run: Run):
    assert run("--json") == (3, '{"ok":false,"exit":3,"boards":[]}\n')
