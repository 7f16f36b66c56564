"""Installing the firmware: every way onto the drive of the Pico that is meant. Drives are folders here."""

from __future__ import annotations

import shutil

import pytest

from firmware_bench import Bench, Story, firmware
from popout import __version__
from popout.board.serial.description import digest
from popout.board.serial.port import PortHeld, PortMissing, open_port
from popout.board.serial.talking import BoardSilent
from popout.firmware import install as install_module
from popout.firmware.drives import DriveNotMounted, NotADrive, mount
from popout.firmware.install import (
    NotAllowed,
    PicoNotFound,
    SeveralPicos,
)
from popout.link import board_end
from serial_boards import LAYOUT, PtyBoard

COPYING = "Copying the firmware to {folder} ..."
WAITING = "Waiting for the board to say hello ..."


# The ways to the drive


@pytest.mark.parametrize("model", ["pico", "pico2"])
def test_a_pico_whose_button_was_held_gets_the_firmware_for_its_model(bench: Bench, story: Story, model: str):
    folder = bench.hold_bootsel(model)

    port, hello = story.install()

    assert bench.installed == [firmware(model)]
    assert port == bench.boards[0].port
    assert (hello.version, hello.digest, hello.model) == (__version__, digest(LAYOUT), model)
    assert story.made == [model]
    assert story.said == [COPYING.format(folder=folder), WAITING]


def test_a_board_goes_into_its_boot_loader_and_comes_back_on_another_port(bench: Bench, story: Story):
    board = bench.board(about=("0.0", "power-on", "pico2"))
    before = board.port

    port, hello = story.install()

    assert hello.version == __version__
    assert port == bench.boards[1].port
    assert story.said == [
        f"Sending the board on {before} into its boot loader ...",
        COPYING.format(folder=bench.root / "media/me/RP2350"),
        WAITING,
    ]
    assert bench.touched == []
    assert story.asked == []


def test_a_board_of_another_layout_gets_the_firmware_if_it_may(bench: Bench, story: Story):
    board = bench.board(layout_digest="0BADC0DE")
    port = board.port
    story.allowed = True

    assert story.install()[1].digest == digest(LAYOUT)
    assert story.asked == [
        f"The board on {port} was made for another layout (board 0BADC0DE) than the firmware that is to be installed "
        f"(board {digest(LAYOUT)})."
    ]


def test_a_board_of_another_layout_is_left_as_it_is_if_it_may_not(bench: Bench, story: Story):
    board = bench.board(layout_digest="0BADC0DE")
    story.allowed = False

    assert story.refused(NotAllowed) == f"The Pico on {board.port} was left as it is."
    assert board.plugged


def test_a_board_of_another_layout_is_left_as_it_is_where_nobody_can_be_asked(bench: Bench, story: Story):
    board = bench.board(layout_digest="0BADC0DE")

    assert story.refused(NotAllowed).endswith(
        f"(board {digest(LAYOUT)}). If that is what you want, add --yes; else name the layout of the board by --layout."
    )
    assert board.plugged


def test_a_board_without_a_layout_gets_one_without_a_question(bench: Bench, story: Story):
    bench.board(layout_digest="00000000")

    story.install()
    assert story.asked == []


def test_a_board_of_another_protocol_is_touched_without_a_question(
    bench: Bench, story: Story, monkeypatch: pytest.MonkeyPatch
):
    board = bench.board()
    before = board.port
    monkeypatch.setattr(board_end, "MAJOR", 2)
    bench.later.append((1, lambda: monkeypatch.setattr(board_end, "MAJOR", 1)))

    story.install()

    assert bench.touched == [before]
    assert story.said[0] == f"Sending the Pico on {before} into its boot loader ..."


def test_a_board_that_refuses_to_leave_its_program_is_touched(
    bench: Bench, story: Story, monkeypatch: pytest.MonkeyPatch
):
    before = bench.board().port
    monkeypatch.setattr(board_end, "TO_BOOT_LOADER", "?")

    story.install()

    assert bench.touched == [before]
    assert story.said[1] == f"Sending the Pico on {before} into its boot loader ..."


@pytest.mark.usefixtures("patience")
def test_a_board_that_hangs_is_touched_without_a_question(bench: Bench, story: Story):
    before = bench.board(mute=True).port

    story.install()

    assert bench.touched == [before]


def test_a_pico_with_another_program_is_touched_if_one_may(bench: Bench, story: Story):
    bench.other_pico()
    story.allowed = True

    story.install()

    assert story.asked == ["On /dev/ttyACM5 is a Pico with another program. Installing replaces that program."]
    assert bench.touched == ["/dev/ttyACM5"]
    assert story.said[0] == "Sending the Pico on /dev/ttyACM5 into its boot loader ..."
    assert len(bench.installed) == 1


def test_a_pico_with_another_program_is_left_alone_if_one_may_not(bench: Bench, story: Story):
    bench.other_pico()
    story.allowed = False

    assert story.refused(NotAllowed) == "The Pico on /dev/ttyACM5 was left as it is."
    assert bench.touched == []


def test_a_pico_with_another_program_is_left_alone_where_nobody_can_be_asked(bench: Bench, story: Story):
    bench.other_pico()

    assert story.refused(NotAllowed) == (
        "On /dev/ttyACM5 is a Pico with another program. Installing replaces that program. If that is what you want, "
        "add --yes; else unplug that Pico, and hold the button BOOTSEL of the one that is to get the firmware while "
        "you plug it in."
    )
    assert bench.touched == []


def test_a_drive_that_nobody_mounts_is_mounted(bench: Bench, story: Story):
    device = bench.not_mounted()

    story.install()

    assert bench.mounted == [device]
    assert len(bench.installed) == 1


def test_a_desktop_has_time_to_mount_the_drive(bench: Bench, story: Story):
    bench.not_mounted()

    def desktop() -> None:
        shutil.rmtree(bench.root / "dev")
        bench.hold_bootsel()

    bench.later.append((2, desktop))
    story.install()

    assert bench.mounted == []


def test_where_the_drive_cannot_be_mounted_the_commands_are_said(
    bench: Bench, story: Story, monkeypatch: pytest.MonkeyPatch
):
    device = bench.not_mounted()
    monkeypatch.setenv("PATH", str(bench.root))
    monkeypatch.setattr(bench, "_mount", mount)

    assert story.refused(DriveNotMounted) == (
        f"The Pico is there as the drive {device}, and no folder leads to it. Type “sudo mount -o uid=$(id -u) "
        f"{device} /mnt”, and install once more, with --drive /mnt added."
    )


def test_without_a_pico_one_says_how_to_plug_it_in(story: Story):
    assert story.refused(PicoNotFound) == (
        "No Pico was found on USB. Hold the button BOOTSEL of the Pico while you plug it in, and install once more."
    )


def test_somebody_who_is_there_is_waited_for(bench: Bench, story: Story):
    story.waits = True
    bench.later.append((300, bench.hold_bootsel))

    story.install()

    assert story.said[0] == (
        "No Pico was found on USB. Hold the button BOOTSEL of the Pico while you plug it in. Its drive is waited for; "
        "Ctrl+C ends that."
    )
    assert len(bench.installed) == 1


def test_a_drive_that_does_not_appear_is_told(bench: Bench, story: Story, monkeypatch: pytest.MonkeyPatch):
    bench.other_pico()
    story.allowed = True
    monkeypatch.setattr(bench, "hold_bootsel", lambda: None)

    assert story.refused(PicoNotFound) == (
        "The drive of the Pico has not appeared. Hold the button BOOTSEL of the Pico while you plug it in, and install "
        "once more."
    )
    assert bench.now >= install_module.DRIVE_WITHIN_S


def test_a_folder_that_is_no_drive_gets_nothing(bench: Bench, story: Story):
    folder = bench.root / "home"
    folder.mkdir()

    assert "is not the drive of a Pico" in story.refused(NotADrive, drive=folder)
    assert list(folder.iterdir()) == []


# Which Pico is meant


def test_of_several_drives_one_must_be_named(bench: Bench, story: Story):
    mine, other = bench.hold_bootsel(user="me"), bench.hold_bootsel(user="you")

    assert story.refused(SeveralPicos) == (
        f"There are several drives of Picos: {mine}, {other}. Name the one that is to get the firmware: --drive {mine}"
    )
    story.install(drive=other)
    assert mine.exists()
    assert not other.exists()


def test_of_two_drives_the_one_of_the_wanted_model_is_meant(bench: Bench, story: Story):
    pico = bench.hold_bootsel("pico")
    bench.hold_bootsel("pico2")

    story.install(model="pico2")
    assert bench.installed == [firmware("pico2")]
    assert pico.exists()


def test_of_several_picos_on_ports_one_must_be_named(bench: Bench, story: Story):
    board = bench.board()
    bench.other_pico()

    assert story.refused(SeveralPicos) == (
        f"There are several Picos on USB: {board.port}, /dev/ttyACM5. Name the one that is to get the firmware: "
        f"--device {board.port}"
    )


def test_whoever_names_a_board_does_not_mean_a_drive_that_is_there(bench: Bench, story: Story):
    bench.board()
    drive = bench.hold_bootsel("pico2")

    story.install(device="E660AA")
    assert bench.installed == [firmware("pico")]
    assert drive.exists()


def test_whoever_names_a_board_does_not_mean_a_drive_that_nobody_has_mounted(
    bench: Bench, story: Story, monkeypatch: pytest.MonkeyPatch
):
    bench.board()
    bench.not_mounted("pico2")
    monkeypatch.setattr(bench, "hold_bootsel", lambda _: None)

    assert story.refused(PicoNotFound, device="E660AA").startswith("The drive of the Pico has not appeared.")
    assert bench.mounted == []


def test_the_drive_of_the_board_that_was_named_is_mounted_beside_another(
    bench: Bench, story: Story, monkeypatch: pytest.MonkeyPatch
):
    bench.board()
    bench.not_mounted("pico", "sdb1")
    plugs = iter([lambda: bench.not_mounted("pico", "sdc1"), lambda: Bench.hold_bootsel(bench)])
    monkeypatch.setattr(bench, "hold_bootsel", lambda _: next(plugs)())

    story.install(device="E660AA")
    assert bench.mounted == [bench.root / "dev/sdc1"]
    assert len(bench.installed) == 1


def test_whoever_named_a_board_and_holds_its_button_does_not_mean_another_drive(
    bench: Bench, story: Story, monkeypatch: pytest.MonkeyPatch
):
    bench.board()
    other = bench.hold_bootsel("pico2")
    story.waits = True
    monkeypatch.setattr(bench, "hold_bootsel", lambda _: None)
    bench.later.append((300, lambda: Bench.hold_bootsel(bench)))

    story.install(device="E660AA")
    assert bench.installed == [firmware("pico")]
    assert other.exists()


def test_another_board_that_is_plugged_in_is_not_taken_for_the_new_one(bench: Bench, story: Story):
    other = bench.board()
    bench.hold_bootsel()

    port, hello = story.install()
    assert hello.unique == "E660BB"
    assert port != other.port


def test_a_port_that_is_not_there_is_told(story: Story):
    assert "There is no serial port “/dev/nothing”" in story.refused(PortMissing, device="/dev/nothing")


@pytest.mark.usefixtures("patience")
def test_what_is_no_pico_is_not_touched(bench: Bench, story: Story):
    with PtyBoard(mute=True) as something:
        assert story.refused(BoardSilent, device=something.port) == (
            f"What is on {something.port} does not answer as a board does, and was left alone. If it is a Pico, hold "
            "its button BOOTSEL while you plug it in, and install once more without --device."
        )
    assert bench.touched == []


def test_a_board_on_which_somebody_plays_is_left_alone(bench: Bench, story: Story):
    board = bench.board()
    held = open_port(board.port)

    assert story.refused(PortHeld) == (
        f"{board.port} is open in another program. Stop that program; one at a time can speak with the board."
    )
    assert bench.touched == []
    held.close()
