"""`popout doctor --hands`: the conversation around the test of the wiring, and what is written in the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from popout.board.gpio.machine import Machine
from popout.board.layout import Layout, path_of
from popout.board.serial import ports
from popout.cli import main
from popout.commands import console, doctor_hands
from popout.doctor.observations import Seen
from popout.rules.messages import Message
from popout.views.lines import Lines
from popout_sim.driver import SimulatedBoard
from wiring import Bench, Person, go_through

PI = Layout.load("7x6-pi")
SWAPPED = replace(PI, switches={**PI.switches, "column 1": "GPIO6", "column 2": "GPIO5"})
Run = Callable[..., tuple[int, str, str]]

ON_THE_SIMULATOR = (
    "import sys\n"
    "from popout.cli import main\n"
    "from popout.commands import doctor_hands\n"
    "from popout_sim.driver import SimulatedBoard\n"
    "doctor_hands.board_to_test = lambda *_: SimulatedBoard\n"
    "sys.exit(main(['doctor', '--hands', '--layout', '5x4']))\n"
)
"""The test of a board's wiring with the simulator in the place of a board, which the command refuses."""

DIFFERENCE = (
    "--- {file}\n+++ {file}, corrected\n@@ -15,3 +15,3 @@\n # From the left, as the player with the buttons sees the "
    'columns.\n-columns = ["GPIO5", "GPIO6", "GPIO13", "GPIO19", "GPIO26", "GPIO21", "GPIO20"]\n+columns = ["GPIO6", '
    '"GPIO5", "GPIO13", "GPIO19", "GPIO26", "GPIO21", "GPIO20"]\n bar = "GPIO16"           # closed while the bar is '
    "open\n"
)


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs the command for a board that is wired as `real`, with answers to what is asked after the test."""
    monkeypatch.chdir(tmp_path)

    def call(real: Layout | None, *arguments: str, answers: str = "", told: Layout = PI) -> tuple[int, str, str]:
        async def examined(*_: Any, **__: Any) -> Seen | None:
            return None if real is None else go_through(Person(Bench(told, real)))

        reading, writing = os.pipe()
        os.write(writing, answers.encode())
        os.close(writing)
        monkeypatch.setattr(doctor_hands, "board_to_test", lambda *_: SimulatedBoard)
        monkeypatch.setattr(doctor_hands, "examine_board", examined)
        monkeypatch.setattr(doctor_hands, "standard_input", lambda: Lines(reading))
        code = main(["doctor", "--hands", *arguments])
        said = capfd.readouterr()
        return code, said.out, said.err

    return call


def test_a_right_board_is_told_and_nothing_is_asked(run: Run):
    code, out, err = run(PI, "--layout", "7x6-pi")

    assert (code, err) == (0, "")
    assert out == (
        "This tests the wiring of the simulator, by the layout “7x6 board on a Raspberry Pi”, with your hands.\n"
        "Do one thing at a time, as the lines say. If nothing happens where something should, type Enter. Type q and "
        "Enter to leave; nothing is written without asking.\n"
        "\n"
        "The pins\n  ok       10 switches have the pins that the layout says.\n"
        "\n"
        "The lamps\n  ok       The chain of lamps goes as the layout says.\n"
        "\n"
        "No problem was found.\n"
    )


def test_a_wrong_board_shows_the_corrected_layout_and_asks(run: Run, tmp_path: Path):
    code, out, _ = run(SWAPPED, "--layout", "7x6-pi", answers="\n")

    assert code == 1
    assert "  PROBLEM  “column 1” and “column 2” are exchanged: their wires are on GPIO6 and GPIO5.\n" in out
    assert out.endswith(
        "The layout should be so:\n"
        + DIFFERENCE.format(file="7x6-pi.toml")
        + "\nType y to write it to 7x6-pi-corrected.toml, or the name of another file; Enter for none.\n"
        "Nothing was written.\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("answers", "name"),
    [("y\n", "7x6-pi-corrected.toml"), ("Y\n", "7x6-pi-corrected.toml"), ("mine.toml\n", "mine.toml")],
)
def test_it_is_written_where_the_person_says(run: Run, tmp_path: Path, answers: str, name: str):
    code, out, err = run(SWAPPED, "--layout", "7x6-pi", answers=answers)

    assert (code, err) == (1, "")
    assert out.endswith(f"The corrected layout is in {name}.\nPlay: popout play --layout {name}\n")
    assert replace(Layout.load(tmp_path / name), name="7x6-pi") == SWAPPED


def test_with_write_nothing_is_asked(run: Run, tmp_path: Path):
    code, out, _ = run(SWAPPED, "--layout", "7x6-pi", "--write", "new.toml")

    assert code == 1
    assert "Type y" not in out
    assert replace(Layout.load(tmp_path / "new.toml"), name="7x6-pi") == SWAPPED


def test_a_right_board_is_not_written(run: Run, tmp_path: Path):
    assert run(PI, "--layout", "7x6-pi", "--write", "new.toml")[0] == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("answers", "written"), [("y\n", True), ("\n", False), ("", False)])
def test_the_file_that_was_read_is_replaced_only_after_a_yes(run: Run, tmp_path: Path, answers: str, written: bool):
    own = tmp_path / "my-board.toml"
    text = path_of("7x6-pi").read_text(encoding="utf-8")
    own.write_text(text, encoding="utf-8")

    code, out, _ = run(SWAPPED, "--layout", str(own), "--write", str(own), answers=answers)

    assert code == 1
    assert f"{own} is there already. Type y to replace it, Enter to leave it.\n" in out
    assert (own.read_text(encoding="utf-8") != text) == written
    assert Layout.load(own).switches == (SWAPPED if written else PI).switches


def test_a_board_without_a_layout_file(run: Run):
    plain = Layout.plain(7, 6)
    real = replace(plain, chain=msgspec.structs.replace(plain.chain, order="rgb"))
    named = dict(zip(plain.switches, (f"P{number}" for number in range(len(plain.switches))), strict=True))

    code, out, _ = run(replace(real, switches=named), told=replace(plain, switches=named))

    assert code == 1
    assert out.endswith("No layout file belongs to this board, so none can be corrected.\n")


def test_who_leaves_is_told_that_nothing_was_written(run: Run, tmp_path: Path):
    code, out, _ = run(None, "--layout", "7x6-pi", "--write", "new.toml")

    assert code == 1
    assert out.endswith("The test was left. Nothing was written.\n")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_a_sentence(run: Run):
    code, out, err = run(SWAPPED, "--layout", "7x6-pi", "--write", "nowhere/new.toml")

    assert (code, out) == (2, "")  # before the test
    assert err == (
        "popout: The corrected layout cannot be written to nowhere/new.toml: No such file or directory. Choose another "
        "place.\n"
    )


@pytest.mark.parametrize("name", [".", "~nobodyhere/x.toml", "x" * 300])
def test_a_name_that_cannot_be_is_told_and_asked_for_again(run: Run, tmp_path: Path, name: str):
    code, out, err = run(SWAPPED, "--layout", "7x6-pi", answers=f"{name}\nmine.toml\n")

    assert (code, err) == (1, "")
    assert f"The corrected layout cannot be written to {name}: " in out
    assert out.count("Type y to write it to") == 2
    assert [file.name for file in tmp_path.iterdir()] == ["mine.toml"]


def test_the_name_of_a_shipped_layout_is_refused(run: Run, tmp_path: Path):
    refused = "“7x6-pi” is a shipped layout. Choose another name, such as my-board.toml.\n"

    code, out, _ = run(SWAPPED, "--layout", "7x6-pi", answers="7x6-pi\n\n")
    assert code == 1
    assert refused in out

    code, out, err = run(SWAPPED, "--layout", "7x6-pi", "--write", "7x6-pi")
    assert (code, out, err) == (2, "", f"popout: {refused}")
    assert list(tmp_path.iterdir()) == []


def test_the_settings_name_the_layout(run: Run, tmp_path: Path):
    settings = tmp_path / "settings.toml"
    settings.write_text('layout = "7x6-pi"\n', encoding="utf-8")

    code, out, _ = run(PI, "--settings", str(settings))

    assert code == 0
    assert "by the layout “7x6 board on a Raspberry Pi”" in out


NO_PI = (
    "popout: The test of the wiring needs a real board, and this is no Raspberry Pi. Run it on the Pi that the board "
    "hangs on.\n"
)
NO_PICO = (
    "popout: No board was found on USB. Plug in the Pico, or name its port, such as --device /dev/ttyACM0. If it has "
    "no firmware of this program yet, type: popout firmware install --layout 7x6-pico\n"
)


@pytest.mark.parametrize(
    ("is_pi", "arguments", "said"),
    [
        (False, [], NO_PI),
        (False, ["--layout", "7x6-pi"], NO_PI),
        (False, ["--board", "gpio"], NO_PI),
        (False, ["--layout", "7x6-pico"], NO_PICO),
        (
            True,
            ["--board", "sim"],
            "popout: The simulator has no wiring that could be tested. Name the driver of a real board, such as "
            "--board gpio.\n",
        ),
    ],
)
def test_without_a_board_there_is_nothing_to_test(
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    is_pi: bool,
    arguments: list[str],
    said: str,
):
    monkeypatch.setattr("popout.board.find._attached", lambda _: (None, None))
    monkeypatch.setattr(ports, "ports", tuple)
    monkeypatch.setattr(doctor_hands.machine, "look", lambda: Machine("a Pi", 4) if is_pi else Machine("", 0))

    assert main(["doctor", "--hands", *arguments]) == 2
    assert capfd.readouterr().err == said


def test_on_a_pi_the_driver_that_is_named_is_taken(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(doctor_hands.machine, "look", lambda: Machine("a Pi", 4))

    assert doctor_hands.board_to_test("gpio", PI).name == "gpio"


def test_on_a_pi_whose_pins_are_not_seen_opening_them_says_why(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("popout.board.find._attached", lambda _: (None, None))
    monkeypatch.setattr(doctor_hands.machine, "look", lambda: Machine("a Pi", 4))

    assert doctor_hands.board_to_test(None, None).name == "gpio"


def test_long_comments_are_cut_and_lists_are_not():
    key = "  columns = " + str(["GPIO5"] * 12).replace("'", '"')

    assert doctor_hands.cut('+bar = "GPIO16"   # closed while the bar is open', 40) == (
        '+bar = "GPIO16"   # closed while the...'
    )
    assert doctor_hands.cut(f"{key}  # from the left", 40) == key
    assert doctor_hands.cut('-title = "my # 1 and only board on a Raspberry Pi"', 40).endswith('Pi"')
    assert doctor_hands.cut(" # no longer than the screen is", 40) == " # no longer than the screen is"


def test_a_point_of_a_list_hangs_over_so_that_it_stays_one(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(console, "_is_terminal", lambda _: True)
    monkeypatch.setenv("COLUMNS", "60")

    doctor_hands.tell_person(
        console.Console(), Message("- behind a cell: press the button, or type 3 2 (row 1 lowest)")
    )
    doctor_hands.tell_person(console.Console(), Message("Touch nothing until the next line."))

    assert capfd.readouterr().out == (
        "- behind a cell: press the button, or type 3 2 (row 1\n  lowest)\nTouch nothing until the next line.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--write", "x.toml"], "popout: --write needs --hands, which finds out what to write.\n"),
        (["--hands", "--json"], "popout: --json and --hands cannot be used together.\n"),
    ],
)
def test_options_that_do_not_go_together(capfd: pytest.CaptureFixture[str], arguments: list[str], said: str):
    assert main(["doctor", *arguments]) == 2
    assert said in capfd.readouterr().err


def in_a_pipe(answers: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", ON_THE_SIMULATOR],
        input=answers,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "LANG": "C"},
        check=False,
    )


def test_a_pipe_can_answer_and_a_screen_without_utf8_is_enough():
    """Field bugs T1 and T3: consoles without UTF-8, input without a terminal."""
    done = in_a_pipe("\n" * 13 + "n\nn\n")

    assert done.returncode == 1
    assert "No switch does anything." in done.stdout
    assert "No lamp lights." in done.stdout
    assert done.stderr == ""


def test_a_pipe_that_ends_is_told_that_a_person_is_needed():
    done = in_a_pipe("")

    assert done.returncode == 2
    assert done.stderr == (
        "popout: The test of the wiring asks questions, and there is nobody to answer: its input has ended. Run it in "
        "a terminal.\n"
    )


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ctrl_c_and_a_terminal_that_is_closed_end_it_without_a_word(told: signal.Signals):
    """Field bug L6: dark on every way out; here the board is closed, as test_doctor_hands.py shows."""
    with subprocess.Popen(
        [sys.executable, "-c", ON_THE_SIMULATOR],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert any("Take all discs" in line for line in running.stdout)
        running.send_signal(told)
        _, complaint = running.communicate(timeout=30)

    assert running.returncode == 130
    assert complaint.strip() == ""
