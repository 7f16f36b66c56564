"""`popout games`: the list, one game, and games out and in."""

from __future__ import annotations

import io
import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from popout.cli import main
from popout.record import store as store_module
from popout.record.journal import Entry, Kind, Source, apply
from popout.record.store import Store
from popout.rules import RED, Drop, Game, RuleSet, set_up
from popout.rules.beside import Beside
from records import keep, no_record_yet

POPOUT, FIVE = RuleSet.parse("popout 7x6"), RuleSet.parse("five 5x6 connect=4")
WON = [Entry.new(POPOUT), *(Entry.move(Drop(column)) for column in (1, 2, 1, 2, 1, 2, 1))]
GOING = [Entry(Kind.NEW, FIVE.text, Source.PAGE), Entry(Kind.MOVE, "d4", Source.BOARD), Entry.take_back()]

Run = Callable[..., tuple[int, list[str], list[str]]]


@pytest.fixture(autouse=True)
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The record of somebody who has none yet, by a clock that goes on a minute a step."""
    now = [1_796_050_800.0]  # 2026-11-30 15:00 in UTC

    def time() -> float:
        now[0] += 60
        return now[0]

    monkeypatch.setattr(store_module, "time", time)
    monkeypatch.chdir(tmp_path)
    return no_record_yet(tmp_path, monkeypatch)


@pytest.fixture
def games(capfd: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> tuple[int, list[str], list[str]]:
        code = main(["games", *arguments])
        printed = capfd.readouterr()
        return code, printed.out.splitlines(), printed.err.splitlines()

    return run


def play(path: Path, *journals: list[Entry]) -> None:
    with Store(path) as store:
        for entries in journals:
            keep(store, entries)


# The list


def test_the_games_are_listed_with_the_newest_last_and_what_to_type_next(games: Run, record: Path):
    play(record, WON, GOING)
    code, out, err = games()
    assert (code, err) == (0, [])
    assert [line[:5] + line[21:] for line in out[:3]] == [
        "No.    Game            Moves  Result       Time",
        "  1    Pop Out 7x6         7  Red: a line  6:00",
        "  2    5-in-a-Row 5x6      0  goes on         -",
    ]
    assert all(line[5:16] in ("Began      ", "2026-11-30 ", "2026-12-01 ") for line in out[:3])
    assert out[3:] == [
        "",
        f"The record is {record}.",
        'Type "popout games show 2" to see that game move by move, "popout games export 2" to get it as a text.',
    ]


def test_without_a_record_it_says_so_and_makes_none(games: Run, record: Path):
    sentence = f'No game has been recorded yet in {record}. "popout play" begins one.'
    assert games() == (0, [sentence], [])
    assert not record.parent.exists()
    with Store(record):
        pass
    assert games() == (0, [sentence], [])


def test_a_record_that_is_named_and_not_there_is_refused(games: Run, tmp_path: Path):
    assert games("--record", "my.sqlite3") == (
        2,
        [],
        ["popout: There is no record my.sqlite3: no game has been played there yet."],
    )
    assert not (tmp_path / "my.sqlite3").exists()


def test_the_record_of_the_service_is_listed_if_there_is_no_own_one(games: Run, tmp_path: Path, record: Path):
    service = tmp_path / "service.sqlite3"
    play(service, WON)
    assert f"The record is {service}." in games()[1]
    play(record, WON)
    assert f"The record is {record}." in games()[1]


def test_a_record_that_is_named_is_named_in_what_to_type_next_too(games: Run, tmp_path: Path):
    play(tmp_path / "my games", WON)
    assert games("--record", "my games")[1][-1] == (
        "Type \"popout games show 1 --record 'my games'\" to see that game move by move, "
        "\"popout games export 1 --record 'my games'\" to get it as a text."
    )


def test_the_last_twenty_are_listed_and_the_others_on_demand(games: Run, record: Path):
    play(record, *[WON] * 25)
    listed = [line for line in games()[1] if "Pop Out" in line]
    assert [line.split()[0] for line in listed] == [str(number) for number in range(6, 26)]
    assert 'These are the last 20. "popout games --all" lists all.' in games()[1]
    assert sum("Pop Out" in line for line in games("--all")[1]) == 25
    assert [line.split()[0] for line in games("--last", "2")[1] if "Pop Out" in line] == ["24", "25"]


def test_players_have_a_column_of_their_own_where_anybody_is_named(games: Run, record: Path, tmp_path: Path):
    play(record, WON)
    (tmp_path / "in.txt").write_text("rules: popout 7x6\nred: 鳩\nmoves: d4\nresult: unfinished\n", "utf-8")
    games("import", "in.txt")
    out = games()[1]
    assert out[0].endswith("Red – yellow")
    assert out[2].endswith("unfinished      -  鳩 – ?")


def test_a_program_gets_every_game_as_json(games: Run, record: Path):
    play(record, WON, GOING)
    code, out, _ = games("--json")
    told = json.loads("\n".join(out))
    assert code == 0
    assert told["record"] == str(record)
    assert [each["number"] for each in told["games"]] == [2, 1]
    began = told["games"][1]["began"]
    assert told["games"][1] == {
        "number": 1,
        "began": began,
        "started": began + 60,
        "ended": began + 420,
        "seconds": 360.0,
        "rules": POPOUT.text,
        "moves": 7,
        "result": "red line",
        "names": {},
        "imported": False,
        "current": False,
    }


def test_a_program_gets_an_empty_list_where_there_is_no_record(games: Run, record: Path):
    assert json.loads(games("--json")[1][0]) == {"record": str(record), "games": []}


def test_a_damaged_record_is_a_sentence(games: Run, record: Path):
    play(record, WON * 20)
    record.write_bytes(record.read_bytes()[: 3 * 4096])
    code, out, err = games()
    assert (code, out) == (2, [])
    assert err[0].startswith(f"popout: The record {record} is damaged (")


# One game


def test_a_game_is_told_move_by_move(games: Run, record: Path):
    start = set_up(POPOUT, ("XO", "", "", "", "", "", ""), RED, Beside())
    game = keep_open(record, [*WON[:3], Entry(Kind.TAKE_BACK, "1", Source.TERMINAL)])
    correction = Entry.correction(game.position, start)
    play_on(record, correction, Entry.move(Drop(4)), Entry(Kind.DRAW), Entry.take_back(), Entry.resign(RED))
    code, out, err = games("show", "1")
    assert (code, err) == (0, [])
    assert out[0].startswith("Game 1: Pop Out 7x6, began 20")
    assert out[1] == POPOUT.text
    # Without the time of day, which depends on where the computer is.
    told = [" ".join(word for word in line.split() if word.count(":") != 2) for line in out[3:12]]
    assert told == [
        "A new game begins.",
        "1 d1 Red drops a disc in column 1.",
        "2 d2 Yellow drops a disc in column 2.",
        "terminal One move is taken back.",
        "The position is set to what is on the board: XO////// X",
        "2 d4 Red drops a disc in column 4.",
        "The players agree on a draw.",
        "One move is taken back.",
        "Red gives up.",
    ]
    assert out[-1] == "Yellow wins: red gave up. (1 move)"


def keep_open(path: Path, entries: list[Entry]) -> Game:
    with Store(path) as store:
        return keep(store, entries)


def play_on(path: Path, *entries: Entry) -> None:
    with Store(path) as store:
        for entry in entries:
            game = store.game()
            store.append(entry, apply(game, entry))


def test_a_game_that_is_not_there_is_refused(games: Run, record: Path):
    assert games("show", "3") == (
        2,
        [],
        [f"popout: There is no game 3: no game has been recorded yet in {record}."],
    )
    play(record, WON)
    assert games("export", "1", "3")[2] == [
        f'popout: There is no game 3 in the record {record}. "popout games" lists them.'
    ]


# Out and in


def test_what_is_exported_as_a_text_is_checked_by_the_referee_and_comes_back_the_same(
    games: Run, record: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    play(record, WON, GOING)
    assert games("export", "--all", "--output", "all.txt") == (0, ["2 games are in all.txt."], [])
    assert main(["check", "all.txt"]) == 0
    capfd.readouterr()
    other = tmp_path / "other.sqlite3"
    assert games("import", "all.txt", "--record", str(other)) == (
        0,
        [f"2 games were imported into {other}, as games 1 to 2."],
        [],
    )
    games("export", "--all", "-o", "again.txt", "--record", str(other))
    assert Path("again.txt").read_text() == Path("all.txt").read_text()


def test_what_is_exported_as_json_comes_back_with_every_step(games: Run, record: Path, tmp_path: Path):
    play(record, WON, GOING)
    code, out, err = games("export", "1", "2", "--json")
    assert (code, len(out), err) == (0, 2, [])
    assert [step["source"] for step in json.loads(out[1])["steps"]] == ["page", "board", None]
    Path("all.json").write_text("\n".join(out))
    other = tmp_path / "other.sqlite3"
    assert games("import", "all.json", "--record", str(other))[0] == 0
    assert games("export", "--all", "--json", "--record", str(other))[1] == out


def test_a_file_that_is_there_is_not_overwritten(games: Run, record: Path):
    play(record, WON)
    Path("all.txt").write_text("mine")
    assert games("export", "1", "-o", "all.txt") == (
        2,
        [],
        ["popout: all.txt is there already, and was left as it is."],
    )


def test_a_corrected_game_is_not_cut_without_a_word(games: Run, record: Path):
    game = keep_open(record, WON[:3])
    play_on(record, Entry.correction(game.position, set_up(POPOUT, ("XO", *[""] * 6), RED, Beside())))
    code, out, err = games("export", "1")
    assert code == 0
    assert "start: XO////// X" in out
    assert err == ["popout: Game 1 was corrected: the text begins with the correction. With --json it is whole."]
    assert games("export", "1", "--json")[2] == []


def test_games_that_can_no_longer_be_read_are_named_and_the_others_are_exported(games: Run, record: Path):
    play(record, WON, WON)
    db = sqlite3.connect(record)
    db.execute("update entry set text = 'p7' where game = 1 and number = 3")
    db.commit()
    db.close()
    code, out, err = games("export", "--all")
    assert code == 1
    assert sum(line.startswith("rules:") for line in out) == 1
    assert err == [
        f"popout: Game 1 of the record {record} cannot be read. "
        'Its entry 3, "move p7", cannot be right. Column 7 is empty: there is nothing to pop.'
    ]


@pytest.mark.parametrize("arguments", [[], ["--all", "1"]])
def test_which_games_are_exported_must_be_said(games: Run, arguments: list[str]):
    code, _, err = games("export", *arguments)
    assert (code, err[0]) == (2, "popout: Name the games by their numbers, or all of them with --all.")


def test_without_a_record_there_is_nothing_to_export(games: Run):
    assert games("export", "--all") == (0, [], [])


def test_if_one_game_is_wrong_none_is_imported(games: Run, record: Path):
    play(record, GOING)
    before = record.read_bytes()
    Path("in.txt").write_text("rules: popout 7x6\nmoves: d1\n\nrules: popout 7x6\nmoves: d1 p1\n")
    assert games("import", "in.txt") == (
        2,
        [],
        [
            "popout: in.txt:5:11: Game 2. Column 1: the bottom disc is red's. You may pop only your own.",
            "popout: Nothing was imported, since not every game is right. "
            "Put right what is named here, or take it out.",
        ],
    )
    assert record.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "There is no game in in.txt, and nothing was imported."),
        (None, "in.txt: There is no such file. Look at its name and folder."),
    ],
)
def test_a_file_without_a_game_is_refused(games: Run, content: str | None, sentence: str, record: Path):
    if content is not None:
        Path("in.txt").write_text(content)
    assert games("import", "in.txt") == (2, [], [f"popout: {sentence}"])
    assert not record.exists()


def test_games_are_imported_from_standard_input_and_the_game_at_the_board_goes_on(
    games: Run, record: Path, monkeypatch: pytest.MonkeyPatch
):
    play(record, GOING)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"rules: popout 7x6\nmoves: d1\n"), "utf-8"))
    assert games("import", "-") == (0, [f"One game was imported into {record}, as game 2."], [])
    with Store(record) as store:
        assert store.current() == GOING


def test_nothing_is_imported_while_somebody_plays(games: Run, record: Path):
    Path("in.txt").write_text("rules: popout 7x6\nmoves: d1\n")
    with Store(record):
        code, out, err = games("import", "in.txt")
        assert (code, out) == (2, [])
        assert err[0].startswith(f"popout: The record {record} is in use by ")
        assert f"(process {os.getpid()}, since " in err[0]
