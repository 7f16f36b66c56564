"""The drives of Picos: found on every system, mounted, and written to; folders stand for them."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from firmware_bench import Bench, about
from popout.firmware import drives as drives_module
from popout.firmware.drives import (
    CopyInterrupted,
    Drive,
    DriveFull,
    DriveNotMounted,
    DriveProtected,
    NotADrive,
    copy,
    drive_at,
    drives,
    mount,
    unmounted,
)

DATA = bytes(range(256)) * 1000


def a_drive(folder: Path, board: str = "RPI-RP2") -> Path:
    folder.mkdir(parents=True)
    (folder / "INFO_UF2.TXT").write_bytes(about(board).encode())
    return folder


def mounts(root: Path, *lines: str) -> None:
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/mounts").write_text("".join(f"{line}\n" for line in lines), "utf-8")


def test_linux_finds_the_drive_by_what_is_mounted(tmp_path: Path):
    folder = a_drive(tmp_path / "srv/my pico", "RP2350")
    mounts(tmp_path, "/dev/vda1 / ext4 rw 0 0", r"/dev/sda1 /srv/my\040pico vfat rw,uid=1000 0 0")

    assert drives("linux", tmp_path) == (Drive(folder, "pico2"),)


@pytest.mark.parametrize("place", ["media/RPI-RP2", "media/me/RPI-RP2", "run/media/me/RPI-RP2"])
def test_linux_looks_where_desktops_mount_drives(tmp_path: Path, place: str):
    folder = a_drive(tmp_path / place)

    assert drives("linux", tmp_path) == (Drive(folder, "pico"),)


def test_a_drive_that_is_found_twice_is_one(tmp_path: Path):
    folder = a_drive(tmp_path / "media/me/RPI-RP2")
    mounts(tmp_path, "/dev/sda1 /media/me/RPI-RP2 vfat rw 0 0")

    assert drives("linux", tmp_path) == (Drive(folder, "pico"),)


def test_a_file_system_that_may_not_answer_is_not_asked(tmp_path: Path):
    a_drive(tmp_path / "srv/far")
    mounts(tmp_path, "server:/far /srv/far nfs4 rw 0 0")

    assert drives("linux", tmp_path) == ()


def test_macos_finds_the_drive_among_the_volumes(tmp_path: Path):
    (tmp_path / "Volumes/Backup").mkdir(parents=True)
    folder = a_drive(tmp_path / "Volumes/RPI-RP2")

    assert drives("darwin", tmp_path) == (Drive(folder, "pico"),)


def test_windows_finds_the_drive_among_the_letters(tmp_path: Path):
    folder = a_drive(tmp_path / "E", "RP2350")

    assert drives("win32", letters=lambda: [tmp_path / "C", folder]) == (Drive(folder, "pico2"),)


def test_a_computer_without_drives_has_none(tmp_path: Path):
    assert [drives(system, tmp_path) for system in ("linux", "darwin")] == [(), ()]
    assert unmounted("linux", tmp_path) == ()


def test_the_drive_of_another_board_is_none(tmp_path: Path):
    a_drive(tmp_path / "media/FEATHERBOOT", "SAMD21G18A-Feather-v0")

    assert drives("linux", tmp_path) == ()


def test_a_folder_that_somebody_names_must_be_the_drive_of_a_pico(tmp_path: Path):
    with pytest.raises(NotADrive) as caught:
        drive_at(tmp_path)
    assert str(caught.value) == (
        f"{tmp_path} is not the drive of a Pico or Pico 2, which has a file INFO_UF2.TXT that says so. Nothing was "
        "written to it. Leave out --drive to have the drive looked for."
    )
    assert drive_at(a_drive(tmp_path / "drive")) == Drive(tmp_path / "drive", "pico")


def test_a_drive_that_is_not_mounted_is_seen_on_linux(tmp_path: Path):
    device = Bench(tmp_path).not_mounted("pico2")

    assert unmounted("linux", tmp_path) == (device,)
    assert unmounted("darwin", tmp_path) == ()


def test_a_drive_that_is_mounted_need_not_be(tmp_path: Path):
    Bench(tmp_path).not_mounted()
    (tmp_path / "proc/self/mounts").write_text("/dev/sdb1 /media/me/RPI-RP2 vfat rw 0 0\n", "utf-8")

    assert unmounted("linux", tmp_path) == ()


def program(folder: Path, status: int, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program `udisksctl` in a folder, which writes down how it was called."""
    file = folder / "udisksctl"
    file.write_text(f'#!/bin/sh\necho "$@" > {folder}/called\nexit {status}\n', "utf-8")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder / "called"


def test_a_drive_is_mounted_as_a_desktop_does_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    called = program(tmp_path, 0, monkeypatch)

    mount(Path("/dev/disk/by-label/RPI-RP2"))
    assert called.read_text() == "mount --no-user-interaction --block-device /dev/disk/by-label/RPI-RP2\n"


@pytest.mark.parametrize("there", [True, False])
def test_where_that_cannot_be_done_the_commands_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool):
    if there:
        program(tmp_path, 1, monkeypatch)
    else:
        monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(DriveNotMounted) as caught:
        mount(Path("/dev/disk/by-label/RP2350"))
    assert str(caught.value) == (
        "The Pico is there as the drive /dev/disk/by-label/RP2350, and no folder leads to it. Type “sudo mount -o "
        "uid=$(id -u) /dev/disk/by-label/RP2350 /mnt”, and install once more, with --drive /mnt added."
    )


def test_a_file_is_written_whole(tmp_path: Path):
    drive = drive_at(a_drive(tmp_path / "drive"))

    copy(DATA, drive)
    assert (drive.folder / "popout.uf2").read_bytes() == DATA


@pytest.mark.parametrize("number", [errno.EIO, errno.EROFS, errno.ENOSPC])
def test_an_error_at_the_very_end_is_none_since_the_drive_vanishes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
):
    drive = drive_at(a_drive(tmp_path / "drive"))

    def vanish(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", vanish)
    copy(DATA, drive)
    assert (drive.folder / "popout.uf2").read_bytes() == DATA


def test_nothing_is_written_where_the_drive_is_not_any_more(tmp_path: Path):
    drive = drive_at(a_drive(tmp_path / "drive"))
    (drive.folder / "INFO_UF2.TXT").unlink()

    with pytest.raises(NotADrive):
        copy(DATA, drive)
    assert list(drive.folder.iterdir()) == []


def test_a_full_drive_is_told_before_anything_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    drive = drive_at(a_drive(tmp_path / "drive"))
    monkeypatch.setattr(drives_module, "_room", lambda _: len(DATA) - 1)

    with pytest.raises(DriveFull) as caught:
        copy(DATA, drive)
    assert str(caught.value) == (
        f"{drive.folder} has no room for the firmware. Unplug the Pico, hold its button BOOTSEL while you plug it in "
        "again, and install once more."
    )
    assert not (drive.folder / "popout.uf2").exists()


def test_a_drive_that_fills_up_is_full(tmp_path: Path):
    drive = drive_at(a_drive(tmp_path / "drive"))
    (drive.folder / "popout.uf2").symlink_to("/dev/full")

    with pytest.raises(DriveFull):
        copy(DATA, drive)


class Failing:
    """A file that fails after some bytes were written."""

    def __init__(self, number: int, after: int) -> None:
        self.number = number
        self.left = after

    def __enter__(self) -> Failing:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""

    def write(self, data: bytes) -> int:
        if self.left <= 0:
            raise OSError(self.number, os.strerror(self.number))
        self.left -= len(data)
        return len(data)


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
def test_a_write_protected_drive_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int):
    drive = drive_at(a_drive(tmp_path / "drive"))
    monkeypatch.setattr(drives_module, "_opened", lambda _: Failing(number, 0))

    with pytest.raises(DriveProtected) as caught:
        copy(DATA, drive)
    assert str(caught.value) == (
        f"{drive.folder} cannot be written to. Look whether the drive is mounted read-only or belongs to another user; "
        "else unplug the Pico, and hold its button BOOTSEL while you plug it in again."
    )


def test_a_pico_that_is_pulled_while_it_is_written_to_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    drive = drive_at(a_drive(tmp_path / "drive"))
    monkeypatch.setattr(drives_module, "_opened", lambda _: Failing(errno.EIO, 100_000))

    with pytest.raises(CopyInterrupted) as caught:
        copy(DATA, drive)
    assert str(caught.value) == (
        f"The firmware was not written whole to {drive.folder}: {os.strerror(errno.EIO)}. Unplug the Pico, hold its "
        "button BOOTSEL while you plug it in again, and install once more."
    )


def test_another_pico_that_took_the_place_of_the_drive_is_not_written_to(tmp_path: Path):
    drive = drive_at(a_drive(tmp_path / "drive"))
    (drive.folder / "INFO_UF2.TXT").write_text(about("RP2350"), "utf-8")

    with pytest.raises(CopyInterrupted):
        copy(DATA, drive)
    assert not (drive.folder / "popout.uf2").exists()
