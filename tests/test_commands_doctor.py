"""`popout doctor`: how the findings are told to a person and to a program, and that it runs anywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from computers import HOME, Computer, laptop, pi_4
from popout.board import find
from popout.board.layout import path_of
from popout.cli import main
from popout.commands import console, doctor

Run = Callable[..., tuple[int, str, str]]

HARDWARE = ("gpiozero", "lgpio", "RPi", "board", "neopixel", "neopixel_spi", "Adafruit_PureIO", "schemdraw", "tomlkit")


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command on a made-up computer."""

    def call(made: Computer, *arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(doctor, "gather", made.facts)
        code = main(["doctor", *arguments])
        said = capfd.readouterr()
        return code, said.out, said.err

    return call


def test_on_a_laptop_it_is_calm(run: Run, tmp_path: Path):
    assert run(laptop(tmp_path)) == (
        0,
        "The computer\n  ok       This is no Raspberry Pi (Debian GNU/Linux 12 (bookworm), 64 bit, kernel "
        "6.1.0-18-amd64, Python 3.11), so it has no pins for a board. What can be played here is the simulator, "
        "or a board with a Pico on a USB cable.\n"
        f"           Type: {HOME}/bin/popout sim\n\nBoards on a cable\n"
        "  ok       No board is seen on a USB cable. If there should be one, type this.\n"
        f"           Type: {HOME}/bin/popout doctor --board serial\n\nFiles and folders\n"
        f"  ok       The games are recorded in {tmp_path}/games.\n"
        "\n"
        "No problem was found.\n",
        "",
    )


def test_on_a_pi_that_is_ready(run: Run, tmp_path: Path):
    code, out, err = run(pi_4(tmp_path))

    assert (code, err) == (0, "")
    assert [line for line in out.splitlines() if line and not line.startswith(" ")] == [
        "The computer",
        "The packages",
        "Your rights",
        "The pins",
        "The lamps",
        "Boards on a cable",
        "Files and folders",
        "No problem was found.",
    ]
    assert "  advice   The Pi sends data at 3.3 V" in out


def test_a_problem_stands_out_without_colour_and_has_its_command(run: Run, tmp_path: Path):
    made = pi_4(tmp_path)
    made.packages["lgpio"] = "0.0.0.2"

    code, out, _ = run(made)

    assert code == 1
    assert (
        "  PROBLEM  lgpio 0.0.0.2 is an empty package: nothing in it drives pins. pip takes it where it finds no other "
        "that suits this Python.\n"
        f"           Type: {HOME}/bin/python -m pip uninstall --yes lgpio\n"
        f"           Type: {HOME}/bin/python -m pip install --upgrade 'lgpio>=0.2.2.0'\n"
    ) in out
    assert out.endswith("\nThere is 1 problem.\n")


def test_sentences_are_broken_for_a_screen_and_commands_are_not(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(console, "_is_terminal", lambda _: True)
    monkeypatch.setenv("COLUMNS", "60")
    made = pi_4(tmp_path)
    made.packages["lgpio"] = "0.0.0.2"

    lines = run(made)[1].splitlines()

    assert all(len(line) <= 60 for line in lines if "Type: " not in line and "/" not in line)
    assert f"           Type: {HOME}/bin/python -m pip install --upgrade 'lgpio>=0.2.2.0'" in lines


def test_another_layout(run: Run, tmp_path: Path):
    assert "The layout “5x4” uses these pins" in run(pi_4(tmp_path), "--layout", "5x4")[1]


def test_what_was_named_is_named_again_in_what_to_type(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my board.toml").write_text(path_of("7x6-pi").read_text("utf-8"), "utf-8")

    out = run(pi_4(tmp_path), "--board", "gpio", "--layout", "my board.toml")[1]

    assert f"  Type: {HOME}/bin/popout doctor --hands --board gpio --layout 'my board.toml'\n" in out
    assert (
        f"  Type: sudo {HOME}/bin/popout service install -- --board gpio --layout '{tmp_path}/my board.toml'\n"
    ) in out


def test_a_layout_of_the_settings_is_named_where_root_types(run: Run, tmp_path: Path):
    settings = tmp_path / "settings.toml"
    settings.write_text('layout = "5x4"\n', "utf-8")

    out = run(pi_4(tmp_path), "--settings", str(settings))[1]

    assert f"Type: {HOME}/bin/popout doctor --hands --settings {settings} --layout 5x4\n" in out
    assert f"Type: sudo {HOME}/bin/popout service install -- --settings {settings} --layout 5x4\n" in out


def test_the_board_and_layout_of_the_settings(run: Run, tmp_path: Path):
    (tmp_path / "settings.toml").write_text('board = "sim"\n', "utf-8")

    assert "The pins" not in run(pi_4(tmp_path), "--settings", str(tmp_path / "settings.toml"))[1]


def test_a_layout_that_cannot_be_read_is_a_problem_among_others(run: Run, tmp_path: Path):
    (tmp_path / "bad.toml").write_text("title", "utf-8")

    code, out, _ = run(pi_4(tmp_path), "--layout", str(tmp_path / "bad.toml"))

    assert code == 1
    assert "  PROBLEM  bad.toml is not TOML, so it cannot be a board layout.\n" in out
    assert "The layout “7x6-pi” uses these pins" in out


def test_settings_that_cannot_be_read_are_a_problem_among_others(run: Run, tmp_path: Path):
    code, out, _ = run(laptop(tmp_path), "--settings", str(tmp_path / "none.toml"))

    assert code == 1
    assert f"  PROBLEM  There is no settings file {tmp_path}/none.toml." in out


def test_a_driver_that_there_is_not(run: Run, tmp_path: Path):
    code, out, _ = run(pi_4(tmp_path), "--board", "gpoi")

    assert code == 1
    assert f"There is no board driver “gpoi”. The drivers are: {', '.join(find.driver_names())}.\n" in out


def test_a_layout_for_another_board(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    gpio = EntryPoint("gpio", "popout_sim.driver:SimulatedBoard", find.GROUP)
    monkeypatch.setattr(find, "_entry_points", lambda: {"gpio": gpio})

    code, out, _ = run(pi_4(tmp_path), "--board", "gpio", "--layout", "7x6-pico")

    assert code == 1
    assert "  PROBLEM  The layout “7x6-pico” is for the driver “serial”, not for “gpio”." in out


def test_for_programs(run: Run, tmp_path: Path):
    made = laptop(tmp_path)
    made.packages = {"gpiozero": "2.0.1"}

    code, out, _ = run(made, "--json")

    assert code == 0
    assert json.loads(out) == {
        "ok": True,
        "exit": 0,
        "board": "sim",
        "layout": None,
        "computer": {
            "model": None,
            "generation": None,
            "system": "Debian GNU/Linux 12 (bookworm)",
            "kernel": "6.1.0-18-amd64",
            "python": "3.11",
            "bits": 64,
        },
        "packages": {"gpiozero": "2.0.1"},
        "findings": [
            {
                "area": "computer",
                "code": "no-pi",
                "severity": "fine",
                "text": "This is no Raspberry Pi (Debian GNU/Linux 12 (bookworm), 64 bit, kernel 6.1.0-18-amd64, "
                "Python 3.11), so it has no pins for a board. What can be played here is the simulator, or a "
                "board with a Pico on a USB cable.",
                "type": [f"{HOME}/bin/popout sim"],
            },
            {
                "area": "cable",
                "code": "no-port",
                "severity": "fine",
                "text": "No board is seen on a USB cable. If there should be one, type this.",
                "type": [f"{HOME}/bin/popout doctor --board serial"],
            },
            {
                "area": "places",
                "code": "record-folder",
                "severity": "fine",
                "text": f"The games are recorded in {tmp_path}/games.",
                "type": [],
            },
        ],
    }


def test_for_programs_with_a_problem(run: Run, tmp_path: Path):
    made = pi_4(tmp_path)
    made.packages = {}

    code, out, _ = run(made, "--json")
    told = json.loads(out)

    assert code == 1
    assert (told["ok"], told["exit"], told["board"], told["layout"]) == (False, 1, "gpio", "7x6-pi")
    assert [each["code"] for each in told["findings"] if each["severity"] == "problem"] == ["packages-missing"]


def test_nothing_that_stands_in_a_file_moves_the_cursor(run: Run, tmp_path: Path):
    made = laptop(tmp_path)
    made.write("etc/os-release", "PRETTY_NAME=De\x1b[2Jbian\n")

    assert "De?[2Jbian" in run(made)[1]


# On this computer


def test_it_runs_here():
    assert main(["doctor"]) in (0, 1)


def test_it_needs_no_hardware_package_and_asks_for_none():
    program = (
        "import sys\n"
        "class Refuse:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] in {HARDWARE!r}: raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Refuse())\n"
        "from popout.cli import main\n"
        "sys.exit(main(['doctor', '--board', 'sim']))\n"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)

    assert (done.returncode, done.stderr) == (0, "")


def test_a_screen_that_shows_ascii_only():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    words = [sys.executable, "-m", "popout", "doctor", "--board", "gpio", "--layout", "nö"]

    done = subprocess.run(words, capture_output=True, timeout=60, check=False, env=environment)

    assert done.returncode == 1
    assert b"There is no board layout ?n?" in done.stdout
    assert done.stderr == b""
