"""The opponent's process, without a process: questions go in as lines, answers come out."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from popout.opponent.worker import game_told, serve, told
from popout.rules import Game, RuleSet
from popout.rules.setup import parse_position
from stories import game_after, game_of
from thinkers import QUICK, SLOW, WRONG, FakeEngine
from waiting import PATIENCE_S


class Conversation:
    """What is said to a worker and what it answers."""

    def __init__(self, engine: FakeEngine) -> None:
        self._lines: Queue[str | None] = Queue()
        self._answers: Queue[str] = Queue()
        self._thread = threading.Thread(target=serve, args=(engine, self._read(), self._answers.put), daemon=True)
        self._thread.start()

    def _read(self) -> Iterator[str]:
        while (line := self._lines.get()) is not None:
            yield line

    def say(self, question: dict[str, Any] | str) -> None:
        self._lines.put(question if isinstance(question, str) else json.dumps(question))

    def answer(self) -> dict[str, Any]:
        said = json.loads(self._answers.get(timeout=PATIENCE_S))
        assert isinstance(said, dict)
        return said

    def end(self) -> None:
        self._lines.put(None)
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return tmp_path / "notes"


def asked(number: int, what: str = "choose", moves: str = "", **more: Any) -> dict[str, Any]:
    return {"id": number, "do": what, "rules": "popout 4x4", "moves": moves, "level": 1, **more}


def test_a_move_is_chosen_for_the_position_after_the_moves(notes: Path):
    worker = Conversation(FakeEngine(QUICK, notes))
    worker.say(asked(1, moves="d1 d1 d1 d1", level=4, player="red", seconds=0.5))
    assert worker.answer() == {"id": 1, "move": "p1"}
    assert notes.read_text().splitlines()[1:] == ["choose 4 red 0.5"]


def test_an_analysis_grows_better_and_ends(notes: Path):
    worker = Conversation(FakeEngine(QUICK, notes))
    worker.say(asked(2, "analyse", "d1 d1", start="X/O// X"))
    first, second, last = worker.answer(), worker.answer(), worker.answer()
    unknown = {"worth": "unknown", "plies": None, "estimate": 0.25, "searched": 3}
    assert first == {
        "id": 2,
        "moves": dict.fromkeys(("d1", "d2", "d3", "d4", "p1"), unknown),
        "best": unknown,
        "positions": 10,
        "final": False,
    }
    assert second["best"] == {"worth": "win", "plies": 5, "estimate": 1.0, "searched": 0}
    assert last == {"id": 2, "done": True}


def test_one_question_is_stopped_while_another_is_answered(notes: Path):
    worker = Conversation(FakeEngine(SLOW, notes))
    worker.say(asked(1))
    worker.say(asked(2, "analyse"))
    assert worker.answer()["id"] == 2
    worker.say({"do": "stop", "id": 1})
    assert worker.answer() == {"id": 1, "stopped": True}
    notes.with_name("go").touch()
    assert worker.answer()["final"]
    assert worker.answer() == {"id": 2, "done": True}


def test_stopping_what_has_ended_is_nothing(notes: Path):
    worker = Conversation(FakeEngine(QUICK, notes))
    worker.say(asked(1))
    assert worker.answer()["move"] == "d1"
    worker.say({"do": "stop", "id": 1})
    worker.say(asked(2))
    assert worker.answer() == {"id": 2, "move": "d1"}


@pytest.mark.parametrize(
    ("question", "error"),
    [
        ("no JSON at all", "no question: no JSON at all"),
        ("[]", "no question: []"),
        ({"id": 1, "do": "dance", "rules": "popout 4x4", "moves": ""}, "nobody knows how to dance"),
        (asked(1, moves="d9"), "NoSuchColumn: There is no column 9. Choose a column from 1 to 4."),
        ({"id": 1, "do": "choose"}, "KeyError: 'rules'"),
    ],
)
def test_what_cannot_be_answered_is_said_and_the_next_question_is_answered(
    notes: Path, question: dict[str, Any] | str, error: str
):
    worker = Conversation(FakeEngine(QUICK, notes))
    worker.say(question)
    assert worker.answer()["error"] == error
    worker.say(asked(7))
    assert worker.answer() == {"id": 7, "move": "d1"}


def test_an_engine_that_fails_is_an_error_and_not_the_end(notes: Path):
    worker = Conversation(FakeEngine(WRONG, notes))
    worker.say(asked(1))
    assert worker.answer() == {"id": 1, "error": "KeyError: 11"}
    worker.end()


def test_the_end_of_the_input_stops_all_thoughts(notes: Path):
    worker = Conversation(FakeEngine(SLOW, notes))
    worker.say(asked(1))
    worker.end()
    assert worker.answer() == {"id": 1, "stopped": True}


@pytest.mark.parametrize(
    "game",
    [
        game_of("popout 7x6", "d4 d4 p4"),
        game_of("five 7x6", "d4 d4"),
        game_of("power 7x6 first=yellow", "d4 d4 w4"),
        game_of("pop10 4x3 target=3", " ".join(f"d{column}" for _ in range(3) for column in range(1, 5)) + " p1"),
        game_after(parse_position("X////// O", RuleSet.parse("popout 7x6")), "d4"),
        game_of("popout 7x6", "d1 d2 d1 d2 d1 d2 d1"),
    ],
    ids=["popout", "filled outer columns", "in mid-turn", "pop10 to be put back", "set up", "over"],
)
def test_a_game_is_told_with_all_that_its_position_has(game: Game):
    assert game_told(json.loads(json.dumps(told(game)))) == game


def test_a_game_from_a_position_in_mid_turn_is_told():
    middle = Game.from_position(game_of("power 7x6", "d4 d4 w4").position)
    assert middle.position.phase.follows
    assert game_told(told(middle)) == middle
