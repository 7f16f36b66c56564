"""Recordings of people at the board, and the games that they meant to play."""

from __future__ import annotations

from pathlib import Path

import pytest

from make_recordings import FOLDER, files
from popout.play.recording import parse_recording, replay
from popout.rules import write_record

RECORDINGS = sorted(FOLDER.glob("*.jsonl"))


def test_there_are_ten_of_them():
    assert len(RECORDINGS) == 10


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda path: path.stem)
def test_a_recording_is_the_game_that_was_meant(recording: Path):
    controller = replay(parse_recording(recording.read_text("utf-8")))
    assert write_record(controller.game) == recording.with_suffix(".txt").read_text("utf-8")


def test_they_are_what_the_twin_s_hands_make_byte_for_byte():
    made = files()
    assert {path: path.read_bytes() for path in made} == {path: text.encode() for path, text in made.items()}
    assert set(made) == set(FOLDER.iterdir())


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("full-game", {"second-button", "not-your-disc", "taken-back", "bar-moved", "let-go", "line"}),
        ("original-in-a-hurry", {"moved", "line"}),
        ("bar-left-open", {"nothing-to-pop"}),
        ("menu-other-rules", {"new-game", "pops-not-in-this-game"}),
        ("chattering-button", {"switch-faulty", "switch-healed"}),
        ("levers", {"taken-back"}),
        ("noise-and-a-stuck-button", {"switch-stuck", "switch-healed"}),
    ],
)
def test_it_shows_what_it_is_there_for(name: str, codes: set[str]):
    controller = replay(parse_recording((FOLDER / f"{name}.jsonl").read_text("utf-8")))
    assert codes <= {notice.code for notice in controller.notices.since(0)}
