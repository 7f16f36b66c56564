"""Naming one board of several: the option ``--device``, the setting, and what they say about the driver."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest

from popout.board.driver import BoardDriver, BoardError, DeviceNotWanted
from popout.board.layout import Layout
from popout.cli import main
from popout.commands import dark, doctor_hands, play
from popout.commands.device import wanted_board
from popout.play.settings import Settings
from popout.rules import Message
from popout_sim.driver import SimulatedBoard

PORT = "/dev/ttyACM7"


class OnCable(SimulatedBoard):
    """A board of several, none of which can be opened."""

    name: ClassVar[str] = "serial"

    @classmethod
    def opener(cls, device: str | None = None) -> Callable[[Layout], BoardDriver]:
        def opened(layout: Layout) -> BoardDriver:
            raise BoardError(Message("Opened {device} as {layout}.", device=str(device), layout=layout.name))

        return opened


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The drivers that are asked for by name; all are `OnCable`."""
    names: list[str | None] = []

    def choose(name: str | None, _: Layout | None) -> tuple[type[BoardDriver], Message]:
        names.append(name)
        return OnCable, Message("chosen")

    for command in (play, dark):
        monkeypatch.setattr(command, "choose", choose)
    monkeypatch.setattr(doctor_hands, "board_to_test", lambda *wanted: choose(*wanted)[0])
    return names


@pytest.fixture
def set_so(tmp_path: Path) -> Callable[[str], tuple[str, str]]:
    """Options for settings of this text."""

    def written(text: str) -> tuple[str, str]:
        (tmp_path / "settings.toml").write_text(text, "utf-8")
        return "--settings", str(tmp_path / "settings.toml")

    return written


COMMANDS = pytest.mark.parametrize(
    "command",
    [("play", "--no-page", "--record", "games.sqlite3"), ("dark",), ("doctor", "--hands")],
    ids=lambda words: words[0],
)


@COMMANDS
def test_the_board_on_the_device_that_is_named_is_opened(
    command: tuple[str, ...],
    asked: list[str | None],
    set_so: Callable[[str], tuple[str, str]],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.chdir(tmp_path)

    assert main([*command, *set_so(""), "--layout", "7x6-pico", "--device", PORT]) == 2
    assert main([*command, *set_so(f'device = "{PORT}"'), "--layout", "7x6-pico"]) == 2
    assert main([*command, *set_so(""), "--layout", "7x6-pico"]) == 2

    assert capsys.readouterr().err == f"popout: Opened {PORT} as 7x6-pico.\n" * 2 + "popout: Opened None as 7x6-pico.\n"
    assert asked == ["serial", "serial", None]


@pytest.mark.parametrize(
    ("board", "device", "settings", "wanted"),
    [
        (None, None, Settings(), (None, None)),
        ("gpio", None, Settings(), ("gpio", None)),
        (None, None, Settings(board="gpio"), ("gpio", None)),
        (None, PORT, Settings(), ("serial", PORT)),
        ("mine", PORT, Settings(board="gpio"), ("mine", PORT)),
        (None, PORT, Settings(board="mine", device="other"), ("mine", PORT)),
        (None, None, Settings(device=PORT), ("serial", PORT)),
        (None, None, Settings(board="mine", device=PORT), ("mine", PORT)),
        ("serial", None, Settings(device=PORT), ("serial", PORT)),
        ("sim", None, Settings(device=PORT), ("sim", None)),
        ("serial", None, Settings(board="mine", device=PORT), ("serial", None)),
    ],
)
def test_the_device_of_the_settings_is_for_the_driver_of_the_settings(
    board: str | None, device: str | None, settings: Settings, wanted: tuple[str | None, str | None]
):
    assert wanted_board(board, device, settings) == wanted


def test_a_driver_without_devices_refuses_one(capsys: pytest.CaptureFixture[str]):
    assert main(["dark", "--board", "sim", "--device", PORT]) == 2
    assert capsys.readouterr().err == (
        f"popout: The board driver “sim” has no devices to choose from. Leave out the device {PORT}.\n"
    )
    with pytest.raises(DeviceNotWanted) as caught:
        SimulatedBoard.opener(PORT)
    assert caught.value.code == "device-not-wanted"
    assert SimulatedBoard.opener() is SimulatedBoard


def test_a_device_is_for_the_test_with_hands(capsys: pytest.CaptureFixture[str]):
    assert main(["doctor", "--device", PORT]) == 2
    assert capsys.readouterr().err == (
        'popout: --device needs --hands; without it all boards are looked at.\nTry "popout doctor --help".\n'
    )
