"""`popout firmware build`: a file with the board in it, and a sentence where there can be none."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from popout.board.layout import Layout
from popout.board.serial.description import description, digest
from popout.cli import main
from popout.firmware import build
from popout.firmware.image import description_in
from popout.firmware.uf2 import Image, read_uf2, write_uf2
from popout.rules.messages import Message

Run = Callable[..., tuple[int, str, str]]
PICO = Layout.load("7x6-pico")


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """`popout firmware build` in a folder in which there is a base for each model."""
    monkeypatch.chdir(tmp_path)
    for model in ("pico", "pico2"):
        Path(f"base-{model}.uf2").write_bytes(write_uf2(Image.of(model, b"code of a Pop Out board")))

    def compiled(model: str, say: Callable[[Message], None]) -> Path:
        say(Message("Compiling ..."))
        return tmp_path / f"base-{model}.uf2"

    monkeypatch.setattr(build, "base_image", compiled)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(["firmware", "build", *arguments])
        said = capfd.readouterr()
        return code, said.out, said.err

    return call


def board_in(file: str) -> tuple[str, object]:
    image = read_uf2(Path(file).read_bytes(), file)
    return image.model, description_in(image, file)


def told(file: str, model: str) -> str:
    return (
        f"{file} is the firmware of “7x6 board on a Pico” for a {model} (board {digest(PICO)}). Hold the button "
        "BOOTSEL while you plug the Pico in, and copy the file onto the drive that appears.\n"
    )


def test_the_usual_board_is_built_for_a_pico(run: Run):
    assert run() == (0, "Compiling ...\n" + told("popout-7x6-pico-pico.uf2", "Pico"), "")
    assert board_in("popout-7x6-pico-pico.uf2") == ("pico", description(PICO))


def test_the_layout_of_the_settings_is_built(run: Run, tmp_path: Path):
    source = Path(__file__).parent.parent / "hardware/boards/7x6-pico.toml"
    Path("mine.toml").write_text(source.read_text("utf-8").replace('"GP9"', '"GP12"'), "utf-8")
    Path("settings.toml").write_text('layout = "mine.toml"\nlanguage = "en"\n', "utf-8")

    assert run("--settings", "settings.toml")[0] == 0
    assert board_in("popout-mine-pico.uf2") == ("pico", description(Layout.load(tmp_path / "mine.toml")))
    assert run("--settings", "settings.toml", "--layout", "7x6-pico")[0] == 0
    assert board_in("popout-7x6-pico-pico.uf2") == ("pico", description(PICO))


def test_the_model_can_be_chosen(run: Run):
    assert run("--model", "pico2") == (0, "Compiling ...\n" + told("popout-7x6-pico-pico2.uf2", "Pico 2"), "")
    assert board_in("popout-7x6-pico-pico2.uf2") == ("pico2", description(PICO))


@pytest.mark.parametrize("options", [(), ("--base", "base-pico.uf2")])
def test_the_licences_of_what_is_in_it_are_written_beside_it(run: Run, options: tuple[str, ...]):
    Path("base-pico.uf2.licences.txt").write_text("MIT\n", "utf-8")

    said = run("--output", "mine.uf2", *options)[1]

    assert said.endswith(
        "The licences of what is in it are in mine.uf2.licences.txt. Whoever gets the firmware from you is to get them "
        "too.\n"
    )
    assert Path("mine.uf2.licences.txt").read_text("utf-8") == "MIT\n"


def test_a_base_is_not_compiled_and_says_what_model_it_is_for(run: Run):
    assert run("--base", "base-pico2.uf2", "--output", "mine.uf2") == (0, told("mine.uf2", "Pico 2"), "")
    assert board_in("mine.uf2") == ("pico2", description(PICO))


def test_what_was_built_can_be_the_base_for_another_board(run: Run, tmp_path: Path):
    mine = (tmp_path / "mine.toml").resolve()
    source = Path(__file__).parent.parent / "hardware/boards/7x6-pico.toml"
    mine.write_text(source.read_text("utf-8").replace('"GP9"', '"GP12"'), "utf-8")
    run()

    assert run("--layout", str(mine), "--base", "popout-7x6-pico-pico.uf2")[0] == 0
    assert board_in("popout-mine-pico.uf2") == ("pico", description(Layout.load(mine)))


def test_a_file_of_an_earlier_build_is_replaced(run: Run):
    Path("mine.uf2").write_bytes(b"old")

    assert run("--output", "mine.uf2")[0] == 0
    assert board_in("mine.uf2") == ("pico", description(PICO))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("--base", "base-pico.uf2", "--model", "pico2"),
            "base-pico.uf2 is for a Pico, not for a Pico 2. Take another file, or another --model.",
        ),
        (("--base", "nothing.uf2"), "nothing.uf2: There is no such file. Look at its name and folder."),
        (("--output", "nowhere/mine.uf2"), "nowhere/mine.uf2 cannot be written: there is no such folder."),
        (
            ("--layout", "7x6-pi"),
            "The layout “7x6-pi” is for the driver “gpio”, whose pins a Pico does not have. Choose a layout for the "
            "driver “serial”, such as 7x6-pico.",
        ),
    ],
    ids=("model", "no base", "no folder", "layout"),
)
def test_what_cannot_be_is_said(run: Run, arguments: tuple[str, ...], sentence: str):
    code, _, complaint = run(*arguments)

    assert (code, complaint) == (2, f"popout: {sentence}\n")


def test_a_layout_that_does_not_suit_is_refused_before_anything_is_compiled(run: Run):
    assert "Compiling" not in run("--layout", "7x6-pi")[1]


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGHUP])
def test_the_system_can_stop_the_compiling_as_ctrl_c_does(
    run: Run, monkeypatch: pytest.MonkeyPatch, told: signal.Signals
):
    cleaned_up: list[str] = []

    def compiled(_model: str, _say: Callable[[Message], None]) -> Path:
        try:
            os.kill(os.getpid(), told)
            raise AssertionError("it went on")
        finally:
            os.kill(os.getpid(), told)  # a second one, as when a terminal is closed
            cleaned_up.append("the compiler")

    def unheard(*_: object) -> None:
        raise AssertionError("this ends the program at once")

    monkeypatch.setattr(build, "base_image", compiled)
    before = signal.signal(told, unheard)
    try:
        assert run()[0] == 130
        assert signal.getsignal(told) is unheard
    finally:
        signal.signal(told, before)
    assert cleaned_up == ["the compiler"]


def test_a_terminal_that_is_closed_under_nohup_stops_nothing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def compiled(_model: str, _say: Callable[[Message], None]) -> Path:
        os.kill(os.getpid(), signal.SIGHUP)
        return tmp_path / "base-pico.uf2"

    monkeypatch.setattr(build, "base_image", compiled)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert run()[0] == 0
    finally:
        signal.signal(signal.SIGHUP, before)
