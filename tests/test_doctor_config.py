"""The firmware's settings: what holds for which Pi."""

from __future__ import annotations

from pathlib import Path

import pytest

from popout.board.gpio.machine import Machine
from popout.doctor.config import Config, Line, read

PI_4 = Machine("Raspberry Pi 4 Model B Rev 1.4", 4)
PI_5 = Machine("Raspberry Pi 5 Model B Rev 1.0", 5)
ZERO_2 = Machine("Raspberry Pi Zero 2 W Rev 1.0", 3)
CM_4 = Machine("Raspberry Pi Compute Module 4 Rev 1.1", 4)


def config(root: Path, text: str, machine: Machine = PI_4) -> Config:
    (root / "boot/firmware").mkdir(parents=True, exist_ok=True)
    (root / "boot/firmware/config.txt").write_text(text, "utf-8")
    return read(root, machine)


def test_a_parameter_of_the_pi_with_the_line_it_stands_in(tmp_path: Path):
    found = config(tmp_path, "# comment\n\n  dtparam=spi=on  \n")

    assert found.is_on("spi")
    assert found.parameters["spi"].line == Line("/boot/firmware/config.txt", 3, "dtparam=spi=on")
    assert not found.is_on("i2c_arm", "i2c")


@pytest.mark.parametrize(
    ("text", "on"),
    [("dtparam=spi", True), ("dtparam=spi=off", False), ("dtparam=spi=on\ndtparam=spi=off", False)],
)
def test_on_and_off_and_the_last_word(tmp_path: Path, text: str, on: bool):
    assert config(tmp_path, text).is_on("spi") is on


def test_several_parameters_in_one_line(tmp_path: Path):
    found = config(tmp_path, "dtparam=i2c_arm=on,audio=off,spi")

    assert (found.is_on("i2c_arm"), found.is_on("audio"), found.is_on("spi")) == (True, False, True)


def test_an_overlay_with_its_parameters(tmp_path: Path):
    (overlay,) = config(tmp_path, "dtoverlay=w1-gpio,gpiopin=17,pullup").overlays

    assert (overlay.name, overlay.parameters) == ("w1-gpio", {"gpiopin": "17", "pullup": ""})


def test_a_parameter_below_an_overlay_is_the_overlay_s(tmp_path: Path):
    found = config(tmp_path, "dtoverlay=w1-gpio\ndtparam=gpiopin=17\ndtparam=spi=on\ndtoverlay=\ndtparam=rtc=on")

    assert found.overlays[0].parameters == {"gpiopin": "17"}
    assert set(found.parameters) == {"spi", "rtc"}


@pytest.mark.parametrize(
    ("section", "machine", "holds"),
    [
        ("all", PI_4, True),
        ("none", PI_4, False),
        ("pi4", PI_4, True),
        ("pi4", CM_4, True),
        ("cm4", CM_4, True),
        ("cm4", PI_4, False),
        ("pi5", PI_4, False),
        ("pi5", PI_5, True),
        ("pi02", ZERO_2, True),
        ("pi0", ZERO_2, True),
        ("pi3", ZERO_2, False),
        ("HDMI:0", PI_4, True),
        ("EDID=VSC-TD2220", PI_4, False),
    ],
)
def test_a_section_holds_for_its_model(tmp_path: Path, section: str, machine: Machine, holds: bool):
    assert config(tmp_path, f"[{section}]\ndtparam=spi=on", machine).is_on("spi") is holds


def test_a_section_ends_with_the_next_one(tmp_path: Path):
    found = config(tmp_path, "[cm4]\notg_mode=1\n[pi5]\ndtparam=audio=on\n[pi4]\narm_boost=1\n[all]\ndtparam=spi=on")

    assert found.value("arm_boost") == "1"
    assert found.value("otg_mode") == ""
    assert list(found.parameters) == ["spi"]


def test_an_included_file(tmp_path: Path):
    (tmp_path / "boot/firmware").mkdir(parents=True)
    (tmp_path / "boot/firmware/lamps.txt").write_text("dtparam=spi=on\n", "utf-8")

    assert config(tmp_path, "include lamps.txt").parameters["spi"].line.file == "/boot/firmware/lamps.txt"


def test_files_that_include_each_other_come_to_an_end(tmp_path: Path):
    assert config(tmp_path, "include config.txt\ndtparam=spi=on").is_on("spi")


def test_before_debian_12_it_was_elsewhere(tmp_path: Path):
    (tmp_path / "boot").mkdir()
    (tmp_path / "boot/config.txt").write_text("dtparam=spi=on", "utf-8")

    assert read(tmp_path, PI_4).file == "/boot/config.txt"


def test_the_file_that_only_says_where_it_is_now_is_not_read(tmp_path: Path):
    (tmp_path / "boot").mkdir()
    (tmp_path / "boot/config.txt").write_text("dtparam=audio=on", "utf-8")

    assert not config(tmp_path, "").is_on("audio")


def test_without_a_file_nothing_is_set(tmp_path: Path):
    assert read(tmp_path, PI_4) == Config()
