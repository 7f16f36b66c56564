"""`popout solve`: what it says, as sentences and as JSON, and how it ends."""

from __future__ import annotations

import json
import signal
import sys

import pytest

from popout.cli import main
from popout.commands import effort
from popout.commands.effort import ProgressLine, check_memory, ctrl_c, free_memory, grouped, usual_cores, usual_memory
from popout.opponent.errors import NotEnoughMemory
from popout.rules import Message

MIB = 1 << 20
SMALL = ("popout", "3x4", "connect=3")


def said(capsys, *arguments: str) -> list[str]:
    capsys.readouterr()
    assert main(["solve", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def as_json(capsys, code: int, *arguments: str) -> dict:
    capsys.readouterr()
    assert main(["solve", *arguments, "--json"]) == code
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_a_value_its_line_and_what_it_took(capsys):
    lines = said(capsys, "popout", "4x2", "connect=3")

    assert lines[:3] == ["popout 4x2 connect=3", "/// X", "This takes up to 9 MiB of memory."]
    assert lines[3] == "A draw."
    assert lines[4].startswith("Best line: d2 ")
    assert lines[5].split(", ")[0].replace(" ", "").removesuffix("positions").isdecimal()
    assert lines[5].endswith(" s")
    assert len(lines) == 6


def test_who_wins_and_in_how_many_turns(capsys):
    position = ("--position", "OX/XO/XO/ X")
    lines = said(capsys, "popout", "4x4", "connect=3", *position, "--turns", "9")

    found = as_json(capsys, 0, "popout", "4x4", "connect=3", *position, "--turns", "9")
    assert found["winner"] in ("red", "yellow")
    turns = found["turns"]
    assert lines[3] == f"{found['winner'].capitalize()} wins in {turns} turn{'s' if turns > 1 else ''}."
    assert len(lines[4].removeprefix("Best line: ").split()) == turns


def test_the_side_that_is_named_is_the_one_that_wins(capsys):
    """Yellow is to move and wins at once."""
    found = as_json(capsys, 0, "standard", "4x4", "connect=3", "--after", "d1 d2 d1 d2 d4")

    assert (found["worth"], found["winner"], found["turns"], found["line"]) == ("win", "yellow", 1, ["d2"])
    assert found["position"] == "XX/OO//X O"
    assert found["rules"].startswith("standard 4x4 connect=3 ")
    assert not found["interrupted"]


def test_what_is_not_proved_has_an_exit_code_of_its_own(capsys):
    assert main(["solve", "popout", "7x6", "--turns", "4", "--memory", "16"]) == 1

    assert "Within 4 turns neither side can force a win. More is not known." in capsys.readouterr().out
    found = as_json(capsys, 1, "popout", "7x6", "--turns", "4", "--memory", "16", "--cores", "1")
    assert (found["worth"], found["winner"], found["turns"], found["searched"]) == ("unknown", None, None, 4)
    assert found["line"] == []
    assert found["memory"] == 16


def test_after_no_time_nothing_is_known(capsys):
    assert main(["solve", "popout", "7x6", "--seconds", "0", "--memory", "16"]) == 1

    assert "Nothing is known yet." in capsys.readouterr().out


def test_without_a_game_it_is_pop_out_on_the_usual_grid(capsys):
    assert main(["solve", "--turns", "1", "--memory", "16"]) == 1

    assert capsys.readouterr().out.startswith("popout 7x6 connect=4\n////// X\n")


def test_without_numba_it_says_so(capsys, monkeypatch):
    monkeypatch.setattr("popout.commands.solve.COMPILED", False)
    assert main(["solve", "popout", "7x6", "--turns", "1", "--memory", "16"]) == 1

    assert capsys.readouterr().err == (
        "popout: numba is not installed, so this takes about a hundred times as long. "
        "To install it: pip install 'popout-board[engine]'\n"
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess"], 'popout: There is no game "chess".'),
        (["popout", "--position", "XO"], "popout: "),
        (["popout", "--after", "d9"], "popout: There is no column 9."),
        (["popout", "--after", "zz"], "popout: "),
        (["popout", "--memory", "3"], "popout: Invalid value for '--memory'"),
        (["popout", "--turns", "0"], "popout: Invalid value for '--turns'"),
    ],
)
def test_what_cannot_be_solved_is_a_sentence(arguments, sentence, capsys):
    assert main(["solve", *arguments]) == 2

    printed = capsys.readouterr()
    assert printed.err.startswith(sentence)
    assert "Traceback" not in printed.err
    assert printed.out == ""


def test_more_memory_than_there_is_is_refused_before_it_is_taken(capsys, monkeypatch):
    monkeypatch.setattr(effort, "free_memory", lambda: 20 * MIB)

    assert main(["solve", "popout", "7x6", "--memory", "64"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        "popout: 64 MiB of memory cannot be had now. Close other programs, or allow less."
    )


def test_ctrl_c_ends_it_with_what_is_known(capsys, monkeypatch):
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(ProgressLine, "show", lambda *_: signal.raise_signal(signal.SIGINT))

    assert main(["solve", "popout", "9x6", "--memory", "16"]) == 130
    assert "More is not known." in capsys.readouterr().out
    found = as_json(capsys, 130, "popout", "9x6", "--memory", "16")
    assert found["interrupted"]
    assert found["searched"] >= 1
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_ctrl_c_ends_it_at_once():
    stopped = []
    with pytest.raises(KeyboardInterrupt), ctrl_c(lambda: stopped.append(1)) as is_pressed:
        assert not is_pressed()
        signal.raise_signal(signal.SIGINT)
        assert is_pressed()
        signal.raise_signal(signal.SIGINT)

    assert stopped == [1]


# What commands share that compute for long


def test_what_memory_is_free(tmp_path, monkeypatch):
    file = tmp_path / "meminfo"
    monkeypatch.setattr(effort, "_MEMORY", file)
    assert free_memory() is None
    assert usual_memory() == 512 * MIB
    check_memory(1 << 60)

    file.write_text("MemTotal:  4000000 kB\nMemAvailable:  102400 kB\n", "ascii")
    assert free_memory() == 100 * MIB
    assert usual_memory() == 50 * MIB
    check_memory(100 * MIB)
    with pytest.raises(NotEnoughMemory):
        check_memory(101 * MIB)


def test_there_is_a_core():
    assert usual_cores() >= 1


def test_numbers_are_grouped():
    assert [grouped(number) for number in (0, 999, 1000, 20_000_000)] == ["0", "999", "1 000", "20 000 000"]


class _Screen:
    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


def test_the_progress_line_replaces_itself_and_goes_away(monkeypatch):
    from popout.commands.console import Console

    screen = _Screen()
    console = Console()
    monkeypatch.setattr(sys, "stderr", screen)
    line = ProgressLine(console)
    line.show(Message("twenty turns ahead"), 0.5)
    line.show(Message("done"))
    line.clear()

    bar = "█" * 10 + "░" * 10
    width = len(f"{bar} twenty turns ahead")
    assert screen.text == f"\r{bar} twenty turns ahead" + f"\r{'done':<{width}}" + "\r" + " " * 4 + "\r"


def test_where_nobody_looks_there_is_no_progress_line(capsys):
    from popout.commands.console import Console

    line = ProgressLine(Console())
    line.show(Message("twenty turns ahead"), 0.5)
    line.clear()

    assert capsys.readouterr().err == ""
