"""`popout play` and `popout sim` from outside: which board, which game, and what a start that fails leaves behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from popout.record.archive import Archive
from popout.record.journal import Entry
from popout.record.store import Store
from popout.rules import Drop, Game, RuleSet

POPOUT = [sys.executable, "-m", "popout"]


def start(*arguments: str, record: Path, lines: int = 2) -> tuple[subprocess.Popen[str], list[str]]:
    """The running command, and the first lines that it prints."""
    process = subprocess.Popen(
        [*POPOUT, *arguments, "--no-browser", "--record", str(record)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LANGUAGE": "en", "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout
    return process, [process.stdout.readline().rstrip() for _ in range(lines)]


def stop(process: subprocess.Popen[str], by: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
    process.send_signal(by)
    _, errors = process.communicate(timeout=20)
    return process.returncode, errors


def journal(record: Path) -> list[str]:
    with Store(record) as store:
        return [f"{entry.kind.value} {entry.text}".strip() for entry in store.current()]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A record with a game of Pop Out in which red has moved."""
    path = tmp_path / "games.sqlite3"
    with Store(path) as store:
        game = Game.start(RuleSet.parse("popout 7x6"))
        store.append(Entry.new(game.rules), game)
        store.append(Entry.move(Drop(4)), game.play(Drop(4)))
    return path


@contextmanager
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_with_no_board_attached_it_says_that_the_simulator_is_played_on(tmp_path: Path):
    process, said = start("play", "--port", "0", record=tmp_path / "new")
    assert said[0] == "Playing on the simulator, since no board is attached."
    assert said[1].startswith("The board is at http://127.0.0.1:")
    assert stop(process) == (0, "")


def test_the_last_game_goes_on(record: Path):
    process, _ = start("sim", "--port", "0", record=record)
    assert stop(process)[0] == 0
    assert journal(record)[1:] == ["move d4"]


@pytest.mark.parametrize("arguments", [["--new"], ["--rules", "standard"], ["--rules", "popout 9x7"]])
def test_a_new_game_begins_when_it_is_asked_for(record: Path, arguments: list[str]):
    process, _ = start("sim", "--port", "0", *arguments, record=record)
    assert stop(process)[0] == 0
    assert len(journal(record)) == 1


def test_the_rules_that_are_played_already_go_on(record: Path):
    process, _ = start("sim", "--port", "0", "--rules", "popout 7x6 connect=4", record=record)
    assert stop(process)[0] == 0
    assert journal(record)[1:] == ["move d4"]


@pytest.mark.parametrize("arguments", [[], ["--new"], ["--rules", "standard"], ["--rules", "popout 9x7"]])
def test_a_port_in_use_is_one_sentence_and_changes_no_game(record: Path, arguments: list[str]):
    with taken_port() as port:
        process, _ = start("sim", "--port", str(port), *arguments, record=record, lines=0)
        output, errors = process.communicate(timeout=20)
    assert process.returncode == 2
    assert output == ""
    assert errors == (
        f"popout: Port {port} is in use by another program, perhaps by this one in another window. "
        f"Use that page, or choose another port with --port {port + 1 if port < 65535 else 8407}.\n"
    )
    assert journal(record)[1:] == ["move d4"]


def test_a_size_out_of_range_is_one_sentence_and_changes_no_game(record: Path):
    process, _ = start("sim", "--port", "0", "--rules", "popout 40x6", record=record, lines=0)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 2
    assert errors == "popout: A grid of 40x6 (columns x rows) cannot be played. Choose from 1 to 32 for each.\n"
    assert journal(record)[1:] == ["move d4"]


def test_a_game_of_another_size_does_not_fit_on_a_board_that_is_named(record: Path):
    process, _ = start(
        "sim", "--port", "0", "--layout", "5x4", "--rules", "popout 7x6 supply=9", record=record, lines=0
    )
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 2
    assert errors.startswith("popout: This board ")
    assert errors.count("\n") == 1
    assert journal(record)[1:] == ["move d4"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_ends_quietly_when_it_is_told_to(record: Path, by: signal.Signals):
    process, _ = start("sim", "--port", "0", record=record)
    assert stop(process, by) == (0, "")


def test_it_plays_without_a_page_too(record: Path):
    process, said = start("sim", "--no-page", record=record)
    assert said == ["Playing on the simulator, as chosen.", "Press Ctrl+C here to stop."]
    assert stop(process) == (0, "")


def test_the_faults_of_the_simulator_are_listed_with_a_sentence_each():
    done = subprocess.run([*POPOUT, "sim", "--faults", "list"], capture_output=True, text=True, check=True)
    assert "bounce-on-press      Buttons bounce for 15 ms as they close.\n" in done.stdout
    assert "power-cut " in done.stdout


def test_a_fault_that_there_is_not_is_refused_before_anything_begins(tmp_path: Path):
    record = tmp_path / "games.sqlite3"
    done = subprocess.run(
        [*POPOUT, "sim", "--faults", "bonce", "--no-page", "--record", str(record)], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr == "popout: There is no fault “bonce”. Is “bounce” meant?\n"
    assert not record.exists()


def test_a_power_cut_kills_the_program_and_the_move_that_was_made_is_there(tmp_path: Path):
    record = tmp_path / "games.sqlite3"
    faults = "glitch:4:50ms@100ms,power-cut:after"
    done = subprocess.run([*POPOUT, "sim", "--faults", faults, "--no-page", "--record", record], stdout=subprocess.PIPE)
    assert done.returncode == -signal.SIGKILL
    assert journal(record)[1:] == ["move d4"]


def test_a_thread_that_waits_for_ever_does_not_keep_a_program_alive_whose_lamps_are_dark():
    program = """
import asyncio, threading
from popout.commands.play import leaving_for_sure

async def main():
    asyncio.get_running_loop().run_in_executor(None, threading.Event().wait)
    dark()

with leaving_for_sure() as dark:
    asyncio.run(main())
"""
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0


# The opponent


def test_an_opponent_that_is_asked_for_plays_and_the_record_says_so(tmp_path: Path):
    record = tmp_path / "new"
    process, _ = start("sim", "--port", "0", "--opponent", "yellow=club player", record=record)
    assert stop(process) == (0, "")
    assert journal(record)[1:] == ["opponent yellow=6"]


def test_an_opponent_that_moves_first_has_moved_soon(tmp_path: Path):
    record = tmp_path / "new"
    process, _ = start("sim", "--port", "0", "--opponent", "red=1", record=record)
    for _ in range(1000):
        with Archive(record) as archive:
            if archive.summary(1).moves == 1:
                break
        time.sleep(0.02)
    assert stop(process) == (0, "")
    assert journal(record)[2].startswith("move d")


@pytest.mark.parametrize(
    ("who", "sentence"),
    [
        (
            "green=5",
            'The opponent "green=5" cannot be read. Write such as yellow=5, or red=3,yellow=7 for both sides, '
            "or off for none.",
        ),
        (
            "red=99",
            'There is no level "99". Choose a number from 1 to 10, or a name: Beginner, Learner, Casual player, '
            "Careful player, Thinker, Club player, Expert, Master, Champion, Perfect.",
        ),
    ],
)
def test_an_opponent_that_cannot_be_had_is_one_sentence_and_changes_no_game(record: Path, who: str, sentence: str):
    process, _ = start("sim", "--port", "0", "--opponent", who, record=record, lines=0)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 2
    assert errors == f"popout: {sentence}\n"
    assert journal(record)[1:] == ["move d4"]
