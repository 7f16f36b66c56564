"""`popout replay` at the command line."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from popout.cli import main
from popout.rules import parse_records
from popout_sim.hands import perform, recording

TEXT = recording(
    perform(["tap 4", "tap 4", "open bar", "tap 4", "close bar"], seed=1, start=50_000),
    columns=7,
    rows=6,
    rules="popout 7x6",
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "game.jsonl"
    file.write_text(TEXT)
    return file


def test_it_prints_what_was_said_and_then_the_game(file: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["replay", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    said = [line for line in lines if line.startswith("#")]
    assert [line.split("  ")[-1] for line in said] == [
        "Red drops a disc in column 4.",
        "Yellow drops a disc in column 4.",
        "Red pops a disc out of column 4.",
    ]
    assert all(0 <= float(line.split()[1]) < 20 for line in said), "seconds since the beginning"
    (record,) = parse_records("\n".join(lines))
    assert [str(written.move) for written in record.moves] == ["d4", "d4", "p4"]


def test_the_game_alone_is_printed_on_demand(file: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["replay", "--quiet", str(file)]) == 0
    out = capsys.readouterr().out
    assert "#" not in out
    assert "moves: d4 d4 p4" in out


def test_what_it_prints_is_checked_by_the_referee(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    main(["replay", str(file)])
    game = tmp_path / "game.txt"
    game.write_text(capsys.readouterr().out)
    assert main(["check", str(game)]) == 0


def test_standard_input_is_read_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode()), "utf-8"))
    assert main(["replay", "--quiet", "-"]) == 0
    assert "moves: d4 d4 p4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("gone.jsonl", None, "{file}: There is no such file. Look at its name and folder."),
        (
            "old.jsonl",
            b"",
            "{file}, line 1: The recording is empty. Its first line says which board it is of.",
        ),
        ("picture.png", b"\x89PNG\0", "{file}: This is no text in UTF-8. Save it as plain text in UTF-8."),
    ],
)
def test_a_file_that_is_no_recording_is_one_sentence_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes | None, sentence: str
):
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)
    assert main(["replay", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "popout: " + sentence.format(file=file) + "\n"


def test_without_a_file_it_says_what_it_needs(capsys: pytest.CaptureFixture[str]):
    assert main(["replay"]) == 2
    assert "FILE" in capsys.readouterr().err
