"""`popout stats`: who won how often, and how long games took."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from popout.cli import main
from popout.record.exchange import Written
from popout.record.journal import Entry, Kind, Step
from popout.record.store import Store
from popout.rules import Drop, RuleSet
from records import no_record_yet

Run = Callable[..., tuple[int, list[str], list[str]]]
POPOUT, FIVE = RuleSet.parse("popout 7x6"), RuleSet.parse("five 7x6")


@pytest.fixture(autouse=True)
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return no_record_yet(tmp_path, monkeypatch)


@pytest.fixture
def stats(capfd: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> tuple[int, list[str], list[str]]:
        code = main(["stats", *arguments])
        printed = capfd.readouterr()
        return code, printed.out.splitlines(), printed.err.splitlines()

    return run


def game(rules: RuleSet, day: int, columns: str, seconds: float, *end: Entry) -> Written:
    """A game of November 2026 in which discs are dropped in these columns."""
    began = datetime(2026, 11, day, 12).timestamp()
    moves = [Entry.move(Drop(int(column))) for column in columns]
    times = [began, *[began + 5] * (len(moves) + len(end) - 1), began + 5 + seconds]
    return Written(began, tuple(map(Step, [Entry.new(rules), *moves, *end], times)))


def put(record: Path, *games: Written) -> None:
    with Store(record) as store:
        store.add(list(games))


def test_people_read_who_won_how_often_how_long_it_took_and_when_it_was(stats: Run, record: Path):
    put(
        record,
        game(POPOUT, 2, "1212121", 100),
        game(POPOUT, 3, "12121", 300, Entry.resign(POPOUT.starter)),
        game(POPOUT, 3, "12", 3700, Entry(Kind.DRAW)),
        game(FIVE, 20, "234", 0),
    )
    code, out, err = stats()
    assert (code, err) == (0, [])
    block = "█" if "█" in "".join(out) else "#"
    assert out == [
        "Game        Played  Red won  Yellow won  Drawn  Unfinished",
        "Pop Out          3        1           1      1           0",
        "5-in-a-Row       1        0           0      0           1",
        "All              4        1           1      1           1",
        "",
        "The side with the first move won 1 of 2 games that somebody won.",
        "A game took 5:00 (the median), the shortest 1:40, the longest 1:01:40.",
        "It had 5 moves (the median), the shortest 2, the longest 7.",
        "",
        "Games in the week from",
        f"  2026-11-02  3  {block * 3}",
        "  2026-11-09  0",
        f"  2026-11-16  1  {block}",
        "",
        f"The record is {record}.",
    ]


def test_a_longest_bar_is_no_longer_than_a_line(stats: Run, record: Path):
    put(record, *[game(POPOUT, 2, "1", 0)] * 500, game(POPOUT, 9, "1", 0))
    bars = [line for line in stats()[1] if line.startswith("  2026")]
    assert [len(line.split()[2]) for line in bars] == [40, 1]


def test_games_without_an_end_have_no_time_and_no_winner_to_tell(stats: Run, record: Path):
    put(record, game(POPOUT, 2, "1", 0))
    assert stats()[1][:4] == [
        "Game     Played  Red won  Yellow won  Drawn  Unfinished",
        "Pop Out       1        0           0      0           1",
        "",
        "",
    ]


def test_a_game_that_was_begun_and_never_played_counts_nowhere(stats: Run, record: Path):
    put(record, game(POPOUT, 2, "1212121", 100), game(FIVE, 3, "", 0))
    assert stats()[1][:3] == [
        "Game     Played  Red won  Yellow won  Drawn  Unfinished",
        "Pop Out       1        1           0      0           0",
        "",
    ]


def test_without_a_game_it_says_so(stats: Run, record: Path):
    sentence = f'No game has been recorded yet in {record}. "popout play" begins one.'
    assert stats() == (0, [sentence], [])
    assert not record.parent.exists()
    put(record)
    assert stats() == (0, [sentence], [])


def test_a_program_gets_json(stats: Run, record: Path):
    assert json.loads(stats("--json")[1][0]) == {
        "record": str(record),
        "total": dict.fromkeys(("games", "red", "yellow", "drawn", "unfinished", "starter", "follower"), 0),
        "kinds": {},
        "seconds": None,
        "moves": None,
        "days": [],
        "weeks": [],
    }
    put(record, game(POPOUT, 2, "1212121", 100))
    told = json.loads(stats("--json")[1][0])
    assert told["kinds"]["popout"]["red"] == told["total"]["starter"] == 1
    assert told["seconds"] == {"count": 1, "shortest": 100.0, "median": 100.0, "longest": 100.0}
    assert (told["days"], told["weeks"]) == ([["2026-11-02", 1]], [["2026-11-02", 1]])


def test_the_record_of_the_service_counts_if_there_is_no_own_one(stats: Run, tmp_path: Path):
    put(tmp_path / "service.sqlite3", game(POPOUT, 2, "1", 0))
    assert stats()[1][-1] == f"The record is {tmp_path / 'service.sqlite3'}."
