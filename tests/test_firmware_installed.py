"""Installing the firmware: the wrong one is refused, and the board that answers is compared with it."""

from __future__ import annotations

import pytest

from firmware_bench import Bench, Story
from popout import __version__
from popout.board.serial.description import digest
from popout.board.serial.hello import FirmwareProtocolError
from popout.firmware.answer import FirmwareNotTaken
from popout.firmware.computer import Firmware
from popout.firmware.errors import FirmwareError
from popout.firmware.install import WrongModel
from popout.link import board_end
from popout.rules.messages import Message
from serial_boards import LAYOUT

AGAIN = "hold its button BOOTSEL while you plug it in again, and install once more."


# The wrong firmware


def test_the_firmware_for_the_other_model_is_refused_before_anything_is_written(bench: Bench, story: Story):
    folder = bench.hold_bootsel("pico2")

    assert story.refused(WrongModel, model="pico") == (
        f"The drive {folder} is that of a Pico 2, and the firmware is for a Pico. Take another file, or another "
        "--model. Nothing was changed."
    )
    assert [file.name for file in folder.iterdir()] == ["INFO_UF2.TXT"]


def test_a_board_of_the_other_model_is_not_even_sent_into_its_boot_loader(bench: Bench, story: Story):
    board = bench.board()

    assert story.refused(WrongModel, model="pico2") == (
        f"The board on {board.port} is that of a Pico, and the firmware is for a Pico 2. Take another file, or another "
        "--model. Nothing was changed."
    )
    assert board.end.wish == ""


def test_what_is_wrong_with_the_firmware_is_said_before_a_board_is_touched(
    bench: Bench, story: Story, monkeypatch: pytest.MonkeyPatch
):
    board = bench.board()

    def broken(_: str) -> Firmware:
        raise FirmwareError(Message("No compiler."))

    monkeypatch.setattr(story, "_make", broken)
    assert story.refused(FirmwareError) == "No compiler."
    assert board.end.wish == ""


# What became of it


@pytest.mark.usefixtures("patience")
def test_a_board_that_does_not_answer_afterwards_is_told(bench: Bench, story: Story):
    bench.hold_bootsel()
    bench.version = None

    assert story.refused(FirmwareNotTaken) == (
        "The firmware was copied, but no board has said hello since. Unplug the Pico and plug it in again, and see "
        "whether it answers: popout firmware info. If it does not, hold its button BOOTSEL while you plug it in, and "
        "install once more."
    )


@pytest.mark.usefixtures("patience")
def test_a_boot_loader_that_does_not_take_the_file_is_told(bench: Bench, story: Story):
    folder = bench.hold_bootsel()
    bench.takes = False

    assert story.refused(FirmwareNotTaken) == (
        f"The Pico has not taken the firmware: its drive {folder} is still there. Unplug it, {AGAIN}"
    )


def test_a_board_that_answers_with_another_layout_is_told(bench: Bench, story: Story):
    bench.hold_bootsel()
    bench.digest = "0BADC0DE"

    assert story.refused(FirmwareNotTaken) == (
        f"The board on {bench.boards[0].port} says hello with another firmware than was copied: for a Pico, layout "
        f"0BADC0DE instead of {digest(LAYOUT)}. If it is another board, unplug it; then install once more."
    )


def test_a_board_that_still_has_its_old_firmware_is_told(bench: Bench, story: Story):
    bench.hold_bootsel()
    bench.version = "0.0.1"

    assert story.refused(FirmwareNotTaken) == (
        f"The board on {bench.boards[0].port} still runs version 0.0.1 of the firmware, not {__version__}. Unplug it, "
        f"{AGAIN}"
    )


def test_a_file_of_an_older_version_is_told(bench: Bench, story: Story):
    bench.hold_bootsel()
    bench.version = "0.0.1"
    story.compiled = False

    assert story.refused(FirmwareNotTaken) == (
        f"The firmware is installed on the board on {bench.boards[0].port}, but it is version 0.0.1, and this program "
        f"is {__version__}. Take a file that “popout firmware build” of this program has made."
    )


def test_a_file_of_another_protocol_is_told(bench: Bench, story: Story, monkeypatch: pytest.MonkeyPatch):
    bench.hold_bootsel()
    monkeypatch.setattr(board_end, "MAJOR", 2)

    assert story.refused(FirmwareProtocolError) == (
        "The board's firmware speaks protocol 2.0, this program 1.0. Update this program."
    )


def test_whoever_interrupts_the_copying_hears_what_to_do(bench: Bench, story: Story):
    bench.hold_bootsel()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    bench.copy = interrupted
    with pytest.raises(KeyboardInterrupt):
        story.install()
    assert story.said[-1] == f"Perhaps not all of the firmware is on the Pico. Unplug it, {AGAIN}"
