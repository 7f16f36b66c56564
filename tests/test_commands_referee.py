"""`popout referee`: piped in, and typed at a terminal."""

from __future__ import annotations

import codecs
import io
import json
import os
import re
import select
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from popout.cli import main

STANDARD = "rules: standard 4x4 connect=4 repetition=0 move-cap=0 supply=0 first=red allow-unwinnable=no"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def referee(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    def run(text: str | bytes, *arguments: str) -> tuple[int, list[str], list[str]]:
        data = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        code = main(["referee", *arguments])
        printed = capfd.readouterr()
        return code, printed.out.splitlines(), printed.err.splitlines()

    return run


def test_a_piped_game_from_its_beginning_to_its_record(referee):
    assert referee("d1 d2\nd1 d2\nd1 d2\nd1\n", "--rules", "standard 4x4") == (
        0,
        [
            "The original on 4 columns by 4 rows, 4 in a row. Red to move.",
            "1. Red drops a disc in column 1. Yellow to move.",
            "2. Yellow drops a disc in column 2. Red to move.",
            "3. Red drops a disc in column 1. Yellow to move.",
            "4. Yellow drops a disc in column 2. Red to move.",
            "5. Red drops a disc in column 1. Yellow to move.",
            "6. Yellow drops a disc in column 2. Red to move.",
            "7. Red drops a disc in column 1. Red wins: 4 in a row.",
            "   Red's line: column 1, rows 1 to 4.",
            "Red wins: 4 in a row. (7 moves)",
            "",
            STANDARD,
            "moves: d1 d2 d1 d2 d1 d2 d1",
            "result: red line",
        ],
        [],
    )


def test_a_refused_move_in_a_pipe_gives_exit_code_1(referee):
    code, out, err = referee("d1\np1\nd2\n", "--rules", "standard 4x4")

    assert code == 1
    assert err == []
    assert out[2].startswith("p1 is refused. ")
    assert out[3:5] == [
        "2. Yellow drops a disc in column 2. Red to move.",
        "The game goes on: red to move after 2 moves.",
    ]


def test_without_input_there_is_a_polite_end(referee):
    assert referee("") == (0, ["Pop Out on 7 columns by 6 rows, 4 in a row. Red to move.", "No move was made."], [])


def test_no_standard_input_at_all(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", None)

    assert main(["referee"]) == 0
    assert capfd.readouterr().out.endswith("No move was made.\n")


def test_quit_ends_before_the_input_does(referee):
    _, out, _ = referee("d1\nquit\nd2\n")

    assert out[-2:] == ["moves: d1", "result: unfinished"]


def test_a_pipe_with_a_byte_order_mark_and_foreign_line_ends(referee):
    code, out, _ = referee(b"\xef\xbb\xbfd1\r\nd2\r\n")

    assert code == 0
    assert out[-2:] == ["moves: d1 d2", "result: unfinished"]


def test_bytes_that_are_no_text_are_refused_as_words(referee):
    code, out, _ = referee(b"d1\n\xff\xfe\nd2\n")

    assert code == 1
    assert out[-2:] == ["moves: d1 d2", "result: unfinished"]


@pytest.mark.parametrize(
    ("rules", "sentence"), [("chess", 'There is no game "chess".'), ("", "The rules are missing."), ("popout 0x6", "")]
)
def test_rules_that_there_are_not(referee, rules: str, sentence: str):
    code, out, err = referee("d1\n", "--rules", rules)

    assert (code, out) == (2, [])
    assert len(err) == 1
    assert err[0].startswith(f"popout: {sentence}")


def test_going_on_from_a_record_keeps_its_names(referee):
    Path("a.txt").write_text("rules: standard 4x4\nred: Anna\nmoves: d1 d2\n", "utf-8")

    code, out, _ = referee("d1\n", "--from", "a.txt")

    assert code == 0
    assert out[0] == "The original on 4 columns by 4 rows, 4 in a row. Red to move."
    assert out[-4:] == [STANDARD, "red: Anna", "moves: d1 d2 d1", "result: unfinished"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("rules: standard 4x4\nmoves: p1\n", "popout: a.txt:2:8: Game 1. Move 1 (p1) by red is illegal. "),
        ("rules: standard 4x4\nmoves: zz\n", 'popout: a.txt:2:8: Game 1. "zz" is no move. '),
        ("", "popout: a.txt: There is no game in this file. "),
        (
            "rules: popout\nrules: popout\n",
            "popout: a.txt holds 2 games. Put the one to go on from in a file of its own.",
        ),
    ],
)
def test_a_record_that_cannot_be_gone_on_from(referee, text: str, sentence: str):
    Path("a.txt").write_text(text, "utf-8")

    code, out, err = referee("d1\n", "--from", "a.txt")

    assert (code, out) == (2, [])
    assert err[0].startswith(sentence)


def test_a_record_that_is_not_there(referee):
    assert referee("", "--from", "gone.txt") == (
        2,
        [],
        ["popout: gone.txt: There is no such file. Look at its name and folder."],
    )


def test_rules_and_a_record_at_once_are_refused(referee):
    code, _, err = referee("", "--from", "a.txt", "--rules", "popout")

    assert code == 2
    assert err[0] == "popout: A record has its own rules: give either --rules or --from, not both."


def test_saving_writes_a_record_that_can_be_checked(referee):
    code, out, _ = referee("d1 d2\nsave my game.txt\n", "--rules", "standard 4x4")

    assert code == 0
    assert "The record is in my game.txt." in out
    assert Path("my game.txt").read_text("utf-8") == f"{STANDARD}\nmoves: d1 d2\nresult: unfinished\n"
    assert main(["check", "my game.txt"]) == 0


def test_saving_never_replaces_a_file_unless_told_to(referee):
    Path("a.txt").write_text("a poem", "utf-8")

    code, out, _ = referee("d1\nsave a.txt\n")

    assert code == 1
    assert 'a.txt is there already, and was left as it is. Write "save! a.txt" to replace it.' in out
    assert Path("a.txt").read_text("utf-8") == "a poem"

    code, out, _ = referee("d1\nsave! a.txt\n")
    assert code == 0
    assert Path("a.txt").read_text("utf-8").endswith("moves: d1\nresult: unfinished\n")
    assert [path.name for path in Path().iterdir()] == ["a.txt"]


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("none/a.txt", "none/a.txt cannot be written: there is no such folder."),
        ("~nobody-of-that-name/a.txt", "~nobody-of-that-name/a.txt cannot be written: "),
        ("a\0b", "a?b cannot be written: "),
    ],
)
def test_a_record_that_cannot_be_written_is_said_and_the_game_goes_on(referee, path: str, sentence: str):
    code, out, err = referee(f"d1\nsave {path}\nd2\n")

    assert (code, err) == (1, [])
    assert [line for line in out if line.startswith(sentence)]
    assert out[-2] == "moves: d1 d2"


def test_a_folder_is_not_replaced_by_a_record(referee):
    Path("folder").mkdir()

    for save in ("save", "save!"):
        _, out, _ = referee(f"d1\n{save} folder\n")
        assert "folder is a folder. Name a file in it." in out

    _, out, _ = referee("d1\nsave! folder\n")

    assert "folder is a folder. Name a file in it." in out
    assert Path("folder").is_dir()


def test_json_gives_one_object_for_each_judged_move_and_one_at_the_end(referee):
    code, out, err = referee("d1 d9\nundo\nsave a.txt\nhelp\n", "--json")

    assert (code, err) == (1, [])
    told = [json.loads(line) for line in out]
    assert [each["event"] for each in told] == ["move", "refused", "undo", "save", "help", "end"]
    assert [each["legal"] for each in told[:2]] == [True, False]
    assert told[-1]["refused"] == 1
    assert told[-1]["record"].startswith("rules: popout 7x6 ")


# At a terminal

TYPED = pytest.mark.skipif(not hasattr(os, "fork"), reason="terminals are imitated on Unix only")


class Terminal:
    """A terminal with `popout referee` in it."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        import pty

        self.shown = ""
        self.letters = codecs.getincrementaldecoder("utf-8")("replace")
        self.process, self.screen = pty.fork()
        if self.process == 0:
            os.environ.update({"TERM": "xterm", "COLUMNS": "80", "LINES": "24", "NO_COLOR": "", **environment})
            os.execv(sys.executable, [sys.executable, "-m", "popout", "referee", *arguments])

    def wait_for(self, text: str, pressing: str = "") -> str:
        """Read until `text` is there, and give what came, it included.

        `pressing` is pressed now, and again as long as nothing comes: between showing its prompt and reading a line
        Python does not notice an interrupt, and a person would press again too.
        """
        until = time.monotonic() + 20
        while text not in self.shown:
            if pressing:
                self.type(pressing)
            ready, _, _ = select.select([self.screen], [], [], 1 if pressing else max(0, until - time.monotonic()))
            data = os.read(self.screen, 4096) if ready else b""
            assert data or time.monotonic() < until, f"{text!r} did not come: {self.shown}"
            pressing = "" if data else pressing
            self.shown += self.letters.decode(data).replace("\r\n", "\n")
        at = self.shown.index(text) + len(text)
        came, self.shown = self.shown[:at], self.shown[at:]
        return came

    def type(self, text: str) -> None:
        os.write(self.screen, text.encode())

    def ended(self) -> int:
        """Its exit code."""
        try:
            while os.read(self.screen, 4096):
                pass
        except OSError:
            pass  # Linux says so when the other side is closed
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])

    def close(self) -> None:
        os.close(self.screen)


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def start(*arguments: str, **environment: str) -> Terminal:
        opened.append(Terminal(*arguments, **environment))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


@TYPED
def test_at_a_terminal_the_board_is_drawn_and_whose_turn_it_is_asked(terminal):
    screen = terminal("--rules", "popout 4x2 connect=3", PYTHONIOENCODING="utf-8", NO_COLOR="1")
    came = screen.wait_for("● Red> ")
    assert 'Write d4 to drop in column 4, p4 to pop it, "help" for the commands.' in came

    screen.type("d2\n")
    came = screen.wait_for("○ Yellow> ")
    assert (
        """
 2 │ · · · · │
 1 │ ·>● · · │
   └─────────┘
     1 2 3 4

1. Red drops a disc in column 2. Yellow to move.
"""
        in came
    )

    screen.type("p2\n")
    came = screen.wait_for("○ Yellow> ")
    assert "p2 is refused." in came
    assert "└" not in came

    screen.type("\x04")
    screen.wait_for("The game goes on: yellow to move after 1 move.")
    screen.wait_for("result: unfinished")
    assert screen.ended() == 0


@TYPED
def test_of_several_moves_on_a_line_the_last_board_is_drawn(terminal):
    screen = terminal("--rules", "popout 4x2 connect=3", PYTHONIOENCODING="utf-8")
    screen.wait_for("Red> ")

    screen.type("d1 d2 d9\n")
    came = screen.wait_for("Red> ")

    assert came.count("└") == 1
    assert came.index("1. Red drops") < came.index("└") < came.index("2. Yellow drops") < came.index("d9 is refused")


@TYPED
def test_a_console_without_utf_8_gets_plain_symbols(terminal):
    screen = terminal("--rules", "popout 4x2 connect=3", PYTHONIOENCODING="ascii")
    screen.wait_for("X Red> ")

    screen.type("1\n")

    assert "\n   +---------+\n" in screen.wait_for("O Yellow> ")


@TYPED
@pytest.mark.parametrize(("no_colour", "coloured"), [("", True), ("1", False)])
def test_colour_is_used_unless_it_is_not_wanted(terminal, no_colour: str, coloured: bool):
    screen = terminal(NO_COLOR=no_colour, PYTHONIOENCODING="utf-8")
    screen.wait_for("Red> ")
    screen.type("1\n")

    came = screen.wait_for("Yellow> ")

    assert bool(re.search(r"\x1b\[9[13]m", came)) is coloured


@TYPED
def test_an_interrupted_game_is_printed_before_the_end(terminal):
    screen = terminal(PYTHONIOENCODING="utf-8")
    screen.wait_for("Red> ")
    screen.type("1\n")
    screen.wait_for("Yellow> ")

    screen.wait_for("moves: d1\nresult: unfinished", pressing="\x03")
    assert screen.ended() == 130


def test_a_record_that_is_piped_in_is_called_what_other_commands_call_it(referee):
    code, _, err = referee("moves: d1\n", "--from", "-")
    assert code == 2
    assert err[0].startswith("popout: stdin:1:1: ")
