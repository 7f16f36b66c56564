"""`popout firmware install`: what it makes or takes, what it asks and says, and its exit code."""

from __future__ import annotations

import builtins
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bench import Bench, base, firmware
from popout import __version__
from popout.board.layout import Layout
from popout.board.serial.description import digest
from popout.cli import main
from popout.commands import console, firmware_install
from popout.firmware import build
from popout.firmware.uf2 import Image, write_uf2
from popout.rules.messages import Message
from serial_boards import LAYOUT

Run = Callable[..., tuple[int, list[str], str]]
INSTALLS = f"This installs the firmware for the layout “7x6-pico”: 7x6 board on a Pico (board {digest(LAYOUT)})."


@pytest.fixture
def run(bench: Bench, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """`popout firmware install` in a folder with a base and a firmware for each model; compiling takes no time."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(firmware_install, "Computer", lambda: bench.computer)
    for model in ("pico", "pico2"):
        Path(f"base-{model}.uf2").write_bytes(base(model))
        Path(f"{model}.uf2").write_bytes(firmware(model))

    def compiled(model: str, say: Callable[[Message], None]) -> Path:
        say(Message("Compiling for {model} ...", model=model))
        return tmp_path / f"base-{model}.uf2"

    monkeypatch.setattr(build, "base_image", compiled)

    def call(*arguments: str) -> tuple[int, list[str], str]:
        code = main(["firmware", "install", *arguments])
        said = capfd.readouterr()
        return code, said.out.splitlines(), said.err

    return call


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What somebody types at the terminal."""
    answers: list[str] = []
    monkeypatch.setattr(console, "_is_terminal", lambda _: True)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "1000")
    monkeypatch.setattr(builtins, "input", lambda _: answers.pop(0))
    return answers


def is_a_board(bench: Bench, model: str = "Pico", of: str | None = None, play: str = "popout play") -> str:
    board = bench.boards[-1]
    return (
        f"The {model} on {board.port} is a board now, with version {__version__} of the firmware (board "
        f"{of or digest(LAYOUT)}). To play, type: {play}"
    )


def test_the_usual_board_is_compiled_for_the_model_of_the_drive(bench: Bench, run: Run):
    folder = bench.hold_bootsel("pico2")

    code, out, err = run()

    assert (code, err) == (0, "")
    assert out == [
        INSTALLS,
        "Compiling for pico2 ...",
        f"Copying the firmware to {folder} ...",
        "Waiting for the board to say hello ...",
        is_a_board(bench, "Pico 2"),
    ]
    assert bench.installed == [firmware("pico2")]


def test_a_wanted_model_is_compiled_before_a_board_is_touched(bench: Bench, run: Run):
    before = bench.board().port

    assert run("--model", "pico")[1][1:3] == [
        "Compiling for pico ...",
        f"Sending the board on {before} into its boot loader ...",
    ]


def test_a_base_is_not_compiled(bench: Bench, run: Run):
    bench.hold_bootsel("pico2")

    code, out, _ = run("--base", "base-pico2.uf2")
    assert (code, out[-1]) == (0, is_a_board(bench, "Pico 2"))
    assert not any("Compiling" in line for line in out)
    assert bench.installed == [firmware("pico2")]


def test_the_layout_of_the_settings_is_installed(bench: Bench, run: Run, mine: Path):
    bench.hold_bootsel()
    Path("settings.toml").write_text('layout = "mine.toml"\n', "utf-8")

    code, out, _ = run("--settings", "settings.toml", "--base", "base-pico.uf2")

    assert bench.installed == [firmware("pico", Layout.load(mine))]
    assert code == 0
    assert out[0].startswith(f"This installs the firmware for the layout “{mine}”: ")
    assert out[-1] == is_a_board(bench, of=digest(Layout.load(mine)), play="popout play --settings settings.toml")


def test_another_layout_than_that_of_the_settings_is_named_to_play(bench: Bench, run: Run, mine: Path):
    bench.hold_bootsel()
    Path("settings.toml").write_text(f'layout = "{mine.name}"\n', "utf-8")

    for named in (("--layout", "7x6-pico"), ("--uf2", "pico.uf2")):
        out = run("--settings", "settings.toml", *named)[1]
        assert out[-1].endswith("type: popout play --settings settings.toml --layout 7x6-pico")
        bench.boards[-1].unplug()
        bench.hold_bootsel()


def test_a_board_of_another_layout_is_replaced_if_that_is_agreed(bench: Bench, run: Run, typed: list[str], mine: Path):
    bench.board(layout_digest=digest(Layout.load(mine)))
    typed.append("n")

    assert run()[::2] == (2, f"popout: The Pico on {bench.boards[0].port} was left as it is.\n")
    assert run("--yes")[0] == 0


@pytest.mark.usefixtures("bench")
def test_settings_that_cannot_be_read_are_named(run: Run):
    assert run("--settings", "nothing.toml")[2].startswith("popout: There is no settings file nothing.toml.")


def test_a_layout_of_ones_own_is_installed(bench: Bench, run: Run, mine: Path):
    bench.hold_bootsel()

    code, out, _ = run("--layout", "mine.toml", "--base", "base-pico.uf2")
    assert bench.installed == [firmware("pico", Layout.load(mine))]
    assert code == 0
    assert out[-1] == is_a_board(bench, of=digest(Layout.load(mine)), play="popout play --layout mine.toml")


def test_a_file_is_installed_as_it_is(bench: Bench, run: Run):
    bench.hold_bootsel()

    code, out, _ = run("--uf2", "pico.uf2")
    assert (code, out[-1]) == (0, is_a_board(bench))
    assert bench.installed == [Path("pico.uf2").read_bytes()]


def test_the_drive_can_be_named(bench: Bench, run: Run):
    bench.hold_bootsel(user="you")
    folder = bench.hold_bootsel(user="me")

    assert run("--drive", str(folder))[0] == 0
    assert not folder.exists()


def test_the_board_can_be_named_by_its_serial_number(bench: Bench, run: Run):
    bench.board(unique="E660CC")
    bench.board(unique="E660DD")

    assert run("--device", "e660dd")[0] == 0
    assert [board.plugged for board in bench.boards] == [True, False, True]


def test_a_pico_with_another_program_is_replaced_without_a_question_if_that_is_agreed(bench: Bench, run: Run):
    bench.other_pico()

    code, out, _ = run("--yes")
    assert (code, out[-1]) == (0, is_a_board(bench))


def test_a_pico_with_another_program_is_replaced_after_a_question(bench: Bench, run: Run, typed: list[str]):
    bench.other_pico()
    typed.append("yes")

    code, out, _ = run()
    assert out[1] == "On /dev/ttyACM5 is a Pico with another program. Installing replaces that program. Go on?"
    assert (code, out[-1]) == (0, is_a_board(bench))


def test_whoever_only_hits_enter_has_not_agreed(bench: Bench, run: Run, typed: list[str]):
    bench.other_pico()
    typed.append("")

    code, _, err = run()
    assert (code, err) == (2, "popout: The Pico on /dev/ttyACM5 was left as it is.\n")
    assert bench.touched == []


def test_somebody_at_a_terminal_may_plug_the_pico_in_meanwhile(bench: Bench, run: Run, typed: list[str]):
    bench.later.append((30, bench.hold_bootsel))

    code, out, _ = run()
    assert (code, typed) == (0, [])
    assert out[1] == (
        "No Pico was found on USB. Hold the button BOOTSEL of the Pico while you plug it in. Its drive is waited for; "
        "Ctrl+C ends that."
    )


def test_whoever_gives_up_waiting_is_not_told_of_a_fault(
    bench: Bench, run: Run, typed: list[str], monkeypatch: pytest.MonkeyPatch
):
    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(bench, "_sleep", interrupted)
    code, _, err = run()
    assert (code, typed) == (130, [])
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            (),
            "No Pico was found on USB. Hold the button BOOTSEL of the Pico while you plug it in, and install once "
            "more.",
        ),
        (("--uf2", "nothing.uf2"), "nothing.uf2: There is no such file. Look at its name and folder."),
        (
            ("--uf2", "text.uf2"),
            "text.uf2 is no UF2 file, which is what a Pico takes. Look at its name and folder.",
        ),
        (
            ("--uf2", "other.uf2"),
            "other.uf2 is not the firmware of a Pop Out board. Take a file that “popout firmware build” has made.",
        ),
        (
            ("--uf2", "base-pico.uf2"),
            "base-pico.uf2 has no board described in it, so it is no firmware that can be used. Make one with “popout "
            "firmware build”.",
        ),
        (
            ("--uf2", "pico2.uf2", "--model", "pico"),
            "pico2.uf2 is for a Pico 2, not for a Pico. Take another file, or another --model.",
        ),
        (
            ("--uf2", "pico.uf2", "--layout", "7x6-pico"),
            "The file of --uf2 has its board in it and is installed as it is. Leave out --layout, or name the file by "
            "--base instead.",
        ),
        (
            ("--uf2", "pico.uf2", "--base", "base-pico.uf2"),
            "The file of --uf2 has its board in it and is installed as it is. Leave out --base, or name the file by "
            "--base instead.",
        ),
        (
            ("--layout", "7x6-pi"),
            "The layout “7x6-pi” is for the driver “gpio”, whose pins a Pico does not have. Choose a layout for the "
            "driver “serial”, such as 7x6-pico.",
        ),
    ],
    ids=("no pico", "no file", "no uf2", "not ours", "no board", "model", "layout", "base", "pins"),
)
def test_what_cannot_be_is_said_before_a_board_is_touched(
    bench: Bench, run: Run, arguments: tuple[str, ...], sentence: str
):
    Path("text.uf2").write_text("no firmware", "utf-8")
    Path("other.uf2").write_bytes(write_uf2(Image.of("pico", b"code of a lamp")))
    board = bench.board() if arguments else None

    code, out, err = run(*arguments)
    assert (code, err) == (2, f"popout: {sentence}\n")
    assert out in ([], [INSTALLS])
    assert board is None or board.end.wish == ""


def test_a_file_for_the_other_model_is_refused_at_the_drive(bench: Bench, run: Run):
    folder = bench.hold_bootsel("pico2")

    assert run("--uf2", "pico.uf2") == (
        2,
        [],
        f"popout: The drive {folder} is that of a Pico 2, and the firmware is for a Pico. Take another file, or "
        "another --model. Nothing was changed.\n",
    )
    assert [file.name for file in folder.iterdir()] == ["INFO_UF2.TXT"]


def test_a_drive_that_vanishes_before_the_firmware_is_made_is_told(
    bench: Bench, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    folder = bench.hold_bootsel()

    def slowly(model: str, _: object) -> Path:
        shutil.rmtree(folder)
        return tmp_path / f"base-{model}.uf2"

    monkeypatch.setattr(build, "base_image", slowly)
    code, _, err = run()
    assert (code, err) == (
        2,
        f"popout: {folder} is not the drive of a Pico or Pico 2, which has a file INFO_UF2.TXT that says so. Nothing "
        "was written to it. Leave out --drive to have the drive looked for.\n",
    )
