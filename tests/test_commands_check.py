"""`popout check`: what it prints, what it gives back."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from popout.cli import main

RULES = "rules: standard 4x4\n"
WON = RULES + "moves: d1 d2 d1 d2 d1 d2 d1\nresult: red line\n"
ILLEGAL = "rules: popout 4x4\nmoves: d1 d2\n       d3 p3\n"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def check(capfd: pytest.CaptureFixture[str]):
    def run(*arguments: str, **files: str) -> tuple[int, list[str], list[str]]:
        for name, text in files.items():
            Path(f"{name}.txt").write_text(text, "utf-8")
        code = main(["check", *arguments, *(f"{name}.txt" for name in files)])
        printed = capfd.readouterr()
        return code, printed.out.splitlines(), printed.err.splitlines()

    return run


@pytest.fixture
def check_json(check):
    def run(*arguments: str, **files: str) -> tuple[int, dict[str, Any]]:
        code, out, err = check("--json", *arguments, **files)
        assert err == []
        return code, json.loads("\n".join(out))

    return run


def test_a_game_that_is_won_says_who_why_and_where(check):
    assert check(a=WON) == (
        0,
        ["a.txt:1: Game 1. Red wins: 4 in a row. (7 moves)", "    Red's line: column 1, rows 1 to 4."],
        [],
    )


def test_a_file_without_a_name_is_no_folder(check):
    assert check("") == (2, [], ["popout: : There is no such file. Look at its name and folder."])


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="only where there is a file without an end")
def test_a_file_without_an_end_is_not_read_for_ever(check):
    assert check("/dev/zero") == (2, [], ["popout: /dev/zero: This file cannot be read: File too large."])


def test_a_game_that_goes_on(check):
    assert check(a=RULES + "moves: d1\n") == (
        0,
        ["a.txt:1: Game 1. The game goes on: yellow to move after 1 move."],
        [],
    )


def test_an_illegal_move_has_its_place_its_number_and_its_reason(check):
    code, out, err = check(a=ILLEGAL)

    assert code == 1
    assert out == [
        "a.txt:3:11: Game 1. Move 4 (p3) by yellow is illegal. "
        "Column 3: the bottom disc is red's. You may pop only your own."
    ]
    assert err == []


def test_a_move_after_the_end_names_the_end(check):
    code, out, _ = check(a=RULES + "moves: d1 d2 d1 d2 d1 d2 d1 d3\n")

    assert code == 1
    assert out == ["a.txt:2:29: Game 1. Move 8 (d3) is illegal: the game was over after move 7. Red wins: 4 in a row."]


def test_a_wrong_result_is_found_at_its_line(check):
    code, out, _ = check(a=WON.replace("red line", "yellow line"))

    assert code == 1
    assert len(out) == 1
    assert out[0].startswith('a.txt:3:1: Game 1. The record ends with "yellow line"')
    assert "Red wins: 4 in a row." in out[0]


def test_every_game_of_a_file_is_judged_and_counted(check):
    code, out, _ = check(a=WON + "\n" + ILLEGAL + WON)

    assert code == 1
    assert [line.partition(".txt:")[2].partition(". ")[0] for line in out if line.startswith("a.txt")] == [
        "1: Game 1",
        "7:11: Game 2",
        "8: Game 3",
    ]
    assert out[-1] == "2 of 3 games are right."


def test_a_game_that_cannot_be_read_does_not_stop_those_after_it(check):
    code, out, err = check(a=WON + "rules: popout 4x4\nmoves: d1 what d2\n" + WON)

    assert code == 2
    assert len(err) == 1
    assert err[0].startswith('popout: a.txt:5:11: Game 2. "what" is no move.')
    assert [line for line in out if line.startswith("a.txt")] == [
        "a.txt:1: Game 1. Red wins: 4 in a row. (7 moves)",
        "a.txt:6: Game 3. Red wins: 4 in a row. (7 moves)",
    ]


def test_rules_that_cannot_be_played_are_unreadable(check):
    code, out, err = check(a="rules: popout 99x9\nmoves: d1\n")

    assert (code, out) == (2, [])
    assert err[0].startswith("popout: a.txt:1:8: Game 1. A grid of 99x9 ")


def test_what_stands_before_the_first_rules_is_unreadable_unless_it_is_a_comment(check):
    code, _, err = check(a="moves: d1\n" + WON)
    assert code == 2
    assert err[0].startswith("popout: a.txt:1:1: Game 1. ")

    assert check(b="\ufeff# Friday evening\n\n" + WON)[0] == 0


def test_a_file_without_games(check):
    assert check(a="# nothing yet\n") == (
        2,
        [],
        [
            "popout: a.txt: There is no game in this file. "
            'A game begins with its rules, for example "rules: popout 7x6".'
        ],
    )


def test_files_that_cannot_be_read_are_named_and_do_not_stop_the_others(check):
    Path("folder").mkdir()
    Path("binary").write_bytes(b"rules\0")
    Path("latin").write_bytes(b"rules: popout 7x6\nred: Andr\xe9\n")

    code, out, err = check("gone", "folder", "binary", "latin", a=ILLEGAL)

    assert code == 2
    assert err == [
        "popout: gone: There is no such file. Look at its name and folder.",
        "popout: folder: This is a folder. Name the files in it.",
        "popout: binary: This is no text in UTF-8. Save it as plain text in UTF-8.",
        "popout: latin: Line 2 is no text in UTF-8. Save the file as plain text in UTF-8.",
    ]
    assert len(out) == 1


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (PermissionError(13, "Permission denied"), "You may not read this file. Its owner can allow it."),
        (OSError(5, "Input/output error"), "This file cannot be read: Input/output error."),
    ],
)
def test_a_file_that_the_system_refuses(check, monkeypatch: pytest.MonkeyPatch, error: OSError, sentence: str):
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(Path, "open", refuse)

    assert check("a.txt") == (2, [], [f"popout: a.txt: {sentence}"])


def test_a_name_that_no_file_can_have(check):
    code, _, err = check("a\0b")

    assert code == 2
    assert err[0].startswith("popout: a?b: This file cannot be read: ")


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_standard_input_is_read(check, monkeypatch: pytest.MonkeyPatch, arguments: list[str]):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(WON.encode()), "utf-8"))

    code, out, _ = check(*arguments)

    assert code == 0
    assert out[0] == "stdin:1: Game 1. Red wins: 4 in a row. (7 moves)"


def test_no_standard_input_at_all_is_an_empty_one(check, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", None)

    code, _, err = check()

    assert code == 2
    assert err[0].startswith("popout: stdin: There is no game in this file.")


def test_json_has_every_key_for_a_game_that_is_right(check_json):
    code, told = check_json(a=WON.replace("moves", "red: Anna\nmoves"))

    assert code == 0
    assert (told["ok"], told["exit"]) == (True, 0)
    assert told["games"] == [
        {
            "file": "a.txt",
            "game": 1,
            "line": 1,
            "column": None,
            "ok": True,
            "code": "line",
            "sentence": "Red wins: 4 in a row. (7 moves)",
            "ply": None,
            "move": None,
            "moves": 7,
            "turn": None,
            "winner": "red",
            "termination": "line",
            "lines": {"red": [[[1, 1], [1, 2], [1, 3], [1, 4]]], "yellow": []},
            "rules": "standard 4x4 connect=4 repetition=0 move-cap=0 supply=0 first=red allow-unwinnable=no",
            "tags": {"red": "Anna"},
        }
    ]


def test_json_has_the_same_keys_for_whatever_is_wrong(check_json):
    code, told = check_json("gone", a=ILLEGAL + "rules: what\n" + RULES + "moves: d1\nresult: draw\n" + RULES)

    assert code == 2
    assert (told["ok"], told["exit"]) == (False, 2)
    gone, illegal, unreadable, result, unfinished = told["games"]
    assert len({tuple(game) for game in told["games"]}) == 1
    assert (gone["game"], gone["line"], gone["code"]) == (None, None, "unreadable")
    assert (illegal["line"], illegal["column"], illegal["code"]) == (3, 11, "not-your-disc")
    assert (illegal["ply"], illegal["move"], illegal["moves"], illegal["turn"]) == (4, "p3", 3, "yellow")
    assert (unreadable["game"], unreadable["line"], unreadable["rules"]) == (2, 4, None)
    assert (result["code"], result["line"], result["ply"]) == ("wrong-result", 7, None)
    assert (unfinished["ok"], unfinished["code"], unfinished["turn"]) == (True, "goes-on", "red")


def test_json_of_an_illegal_move_alone_gives_one(check_json):
    code, told = check_json(a=ILLEGAL)

    assert (code, told["exit"], told["games"][0]["ok"]) == (1, 1, False)


def test_a_name_cannot_move_the_cursor(check):
    code, _, err = check("\x1b[2Jgone")

    assert code == 2
    assert err == ["popout: ?[2Jgone: There is no such file. Look at its name and folder."]
