"""The rules core against recorded games and positions, and whether the comparison would notice a difference."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import conformance

VECTORS = Path(__file__).parent / "data" / "vectors"
RECORDS = {
    "games-five+pop.jsonl": 298,
    "games-five.jsonl": 300,
    "games-pop10.jsonl": 310,
    "games-popout.jsonl": 302,
    "games-power+pop.jsonl": 302,
    "games-power.jsonl": 303,
    "games-standard.jsonl": 308,
    "legal.jsonl": 168,
    "special.jsonl": 52,
}

GAME: dict[str, Any] = {
    "variant": "popout",
    "cols": 4,
    "rows": 3,
    "connect": 3,
    "opts": {},
    "start": "///",
    "moves": ["d1", "d2", "d2", "d1", "d3", "p2"],
    "boards": ["X///", "X/O//", "X/OX//", "XO/OX//", "XO/OX/X/", "XO/X/X/"],
    "next": [2, 1, 2, 1, 2, 0],
    "legal": [4, 4, 5, 5, 5, 5],
    "result": {"winner": 1, "reason": "opponent-line", "cells1": [[1, 1], [2, 1], [3, 1]], "cells2": []},
}
POSITION: dict[str, Any] = {
    "variant": "popout",
    "cols": 3,
    "rows": 2,
    "connect": 3,
    "opts": {},
    "moves": ["d1", "d1", "d2"],
    "board": "XO/X/",
    "next": 2,
    "legal": ["d2", "d3"],
    "refuse": ["d1", "p1", "p2", "p3", "d0", "d4", "a1"],
}


POP10: dict[str, Any] = {
    "variant": "pop10",
    "cols": 3,
    "rows": 1,
    "connect": 2,
    "opts": {"target": 2},
    "start": "//",
    "moves": ["d1", "d2", "d3", "p2", "d2"],
    "boards": ["X//", "X/O/", "X/O/X", "X//X", "X/O/X"],
    "next": [2, 1, 2, 2, 1],
    "legal": [3, 2, 1, 1, 1],
    "kept": [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]],
    "result": None,
}
POWER: dict[str, Any] = {
    "variant": "power",
    "cols": 3,
    "rows": 2,
    "connect": 3,
    "opts": {"power": "bw"},
    "moves": ["d1", "d2", "w1d3"],
    "board": "XX/O/X",
    "next": 2,
    "phase": "play",
    "legal": ["d2", "d3", "b2p1", "b2p3", "b3p1", "b3p3", "w2d3", "w3d2"],
    "refuse": ["d1", "p1", "b2", "b2p2", "w2", "w2d1", "w2p2", "x2d3", "a2", "b1p1", "b9p1", ""],
}
FLANKS: dict[str, Any] = POSITION | {
    "variant": "popout",
    "connect": 4,
    "opts": {"sides": "XO"},
    "moves": ["d2", "d2", "d3"],
    "board": "XO/XO/X//OX",
    "legal": ["d3", "d4"],
    "refuse": ["d1", "d2", "d5", "p1", "p2", "p3", "p5"],
}


def test_every_file_of_the_data_is_compared() -> None:
    assert sorted(path.name for path in VECTORS.glob("*.jsonl")) == list(RECORDS)


@pytest.mark.parametrize(("name", "count"), RECORDS.items())
def test_every_recorded_game_and_position_comes_out_as_recorded(name: str, count: int) -> None:
    assert conformance.check_file(VECTORS / name) == (count, count, "")


def test_records_of_one_game_may_be_picked_out() -> None:
    assert conformance.check_file(VECTORS / "legal.jsonl", ["standard", "popout"]) == (48, 48, "")


def written(folder: Path, *records: object) -> str:
    path = folder / "records.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


def test_agreement_is_exit_code_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, GAME, POSITION, POP10, POWER, FLANKS)
    assert conformance.main([path]) == 0
    assert capsys.readouterr().out == f"{path}: 5 of 5 records agreed\n"


def test_a_difference_is_exit_code_1_and_the_first_one_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, GAME, POSITION | {"next": 1, "name": "a bad one"}, POSITION | {"board": "//"})
    assert conformance.main([path]) == 1
    assert capsys.readouterr().out == (
        f"{path}: 1 of 3 records agreed\n"
        f'{path}: first difference: line 2 "a bad one": position: player to move: 2 here, 1 in the record\n'
    )


def test_a_difference_in_one_file_counts_although_the_next_agrees(tmp_path: Path) -> None:
    bad = written(tmp_path, GAME | {"result": None})
    (tmp_path / "good").mkdir()
    assert conformance.main([bad, written(tmp_path / "good", GAME)]) == 1


@pytest.mark.parametrize("records", [(), (GAME | {"variant": "five"},)], ids=["empty", "only other games"])
def test_no_records_is_exit_code_1(
    records: tuple[object, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, *records)
    assert conformance.main([path, "--games", "standard,popout"]) == 1
    assert capsys.readouterr().out == f"{path}: 0 of 0 records agreed\n"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "line 1: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("[]", "line 1: a record is a JSON object"),
        (json.dumps(GAME | {"moves": None}), 'line 1: "moves" is missing or of the wrong kind'),
        (json.dumps({"variant": "popout"}), 'line 1: "cols" is missing or of the wrong kind'),
        (
            json.dumps(GAME | {"moves": ["d1"]}),
            'line 1: "moves", "boards", "next" and "legal" are not of one length',
        ),
    ],
)
def test_a_file_that_holds_something_else_is_exit_code_2(
    line: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "other.txt"
    path.write_text(line, encoding="utf-8")
    assert conformance.main([str(path)]) == 2
    assert capsys.readouterr().err == f"{path}: cannot be read: {why}\n"


def test_a_missing_file_and_a_file_that_is_no_text_are_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    assert conformance.main([str(tmp_path / "bytes")]) == 2
    assert conformance.main([str(tmp_path / "nowhere")]) == 2


def test_the_script_runs_where_the_project_is_not_installed() -> None:
    # -S: without installed packages, -E: without PYTHONPATH.
    command = [sys.executable, "-S", "-E", conformance.__file__, str(VECTORS / "games-popout.jsonl")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("302 of 302 records agreed\n")


def damaged(record: dict[str, Any], *path: str | int, to: object) -> dict[str, Any]:
    record = copy.deepcopy(record)
    place: Any = record
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return record


@pytest.mark.parametrize(
    ("record", "difference"),
    [
        (
            damaged(GAME, "boards", 3, to="OX/OX//"),
            "move 4 (d1): board after it: 'XO/OX//' here, 'OX/OX//' in the record",
        ),
        (damaged(GAME, "next", 1, to=2), "move 2 (d2): player to move after it: 1 here, 2 in the record"),
        (damaged(GAME, "next", 5, to=1), "move 6 (p2): player to move after it: 0 here, 1 in the record"),
        (damaged(GAME, "legal", 2, to=4), "move 3 (d2): legal moves before it: 5 here, 4 in the record"),
        (damaged(GAME, "moves", 5, to="p1"), "move 6 (p1): refused: Column 1: the bottom disc is red's. "),
        (damaged(GAME, "moves", 0, to="z1"), 'move 1 (z1): refused: "z1" is no move. '),
        (damaged(GAME, "result", to=None), "end: result: {'winner': 1, 'reason': 'opponent-line', "),
        (damaged(GAME, "result", "winner", to=2), "end: result: {'winner': 1, "),
        (damaged(GAME, "result", "reason", to="line"), "end: result: {'winner': 1, 'reason': 'opponent-line', "),
        (damaged(GAME, "result", "cells1", 2, to=[4, 1]), "end: result: "),
        (damaged(GAME, "result", "cells1", to=[]), "end: result: "),
        (damaged(GAME, "result", "cells2", to=[[1, 2]]), "end: result: "),
        (damaged(GAME, "variant", to="four"), 'rules: There is no game "four". '),
        (damaged(GAME, "opts", to={"size": 3}), "rules: RuleSet.__init__() got an unexpected keyword argument"),
        (damaged(GAME, "opts", to={"target": 3}), 'rules: The option "target" means nothing in the game "popout". '),
        (damaged(GAME, "opts", to={"sides": "XX"}), "start: The position has 4 columns, but with its filled outer "),
        (damaged(GAME, "start", to="XXX///"), "start: Red has 3 in a row already"),
        (damaged(POSITION, "board", to="X/X/"), "position: board: 'XO/X/' here, 'X/X/' in the record"),
        (damaged(POSITION, "next", to=1), "position: player to move: 2 here, 1 in the record"),
        (damaged(POSITION, "legal", 1, to="p1"), "position: legal moves: ['d2', 'd3'] here, ['d2', 'p1'] in the"),
        (damaged(POSITION, "legal", to=["d2"]), "position: legal moves: ['d2', 'd3'] here, ['d2'] in the record"),
        (damaged(POSITION, "refuse", 3, to="d3"), "position: d3 must be refused, but was played"),
        (damaged(POP10, "kept", 3, to=[1, 0]), "move 4 (p2): discs kept after it: [0, 0] here, [1, 0] in the record"),
        (damaged(POP10, "legal", 4, to=2), "move 5 (d2): legal moves before it: 1 here, 2 in the record"),
        (damaged(POWER, "moves", 2, to="w1"), "move 3 (w1): refused: The turn is not over."),
        (damaged(POWER, "moves", 2, to="w1d1"), "move 3 (w1d1): refused: Column 1 is full. "),
        (damaged(POWER, "refuse", 3, to="b2p1"), "position: b2p1 must be refused, but was played"),
        (damaged(POWER, "phase", to="bomb"), "position: phase: 'play' here, 'bomb' in the record"),
        (damaged(FLANKS, "board", to="XO/XO/X//XO"), "position: board: 'XO/XO/X//OX' here, 'XO/XO/X//XO' in the"),
    ],
)
def test_damage_to_a_record_is_noticed(record: dict[str, Any], difference: str, tmp_path: Path) -> None:
    agreed, seen, first = conformance.check_file(Path(written(tmp_path, record)))
    assert (agreed, seen) == (0, 1)
    assert first.startswith(f"line 1: {difference}")
