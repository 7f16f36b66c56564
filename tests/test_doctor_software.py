"""The computer, and packages that do not go together, word for word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from computers import EXPANDED, HOME, PIP, WIRED, codes, found, pi_4, pi_5, pi_zero_2, says, silent, with_lamps
from popout.doctor.findings import examine
from popout.doctor.system import Package


def test_which_pi_it_is(tmp_path: Path):
    assert says(pi_4(tmp_path).facts(), "pi") == (
        "fine",
        "Raspberry Pi 4 Model B Rev 1.4, Debian GNU/Linux 12 (bookworm), 64 bit, kernel 6.6.51+rpt-rpi-v8, Python "
        "3.11.",
    )


def test_another_system_on_a_pi(tmp_path: Path):
    made = pi_4(tmp_path)
    (tmp_path / "etc/rpi-issue").unlink()

    assert says(made.facts(), "system-untested") == (
        "advice",
        "popout is made for Raspberry Pi OS of Debian 12 (bookworm) and 13 (trixie). On another system the names of "
        "groups, files and packages may differ from what is said here.",
    )


def test_a_system_of_32_bit(tmp_path: Path):
    made = pi_4(tmp_path)
    made.python = replace(made.python, bits=32)

    assert says(made.facts(), "32-bit") == (
        "advice",
        "This system is of 32 bit, for which some packages of the pins are not ready to install. If one is missing, "
        "the 64-bit Raspberry Pi OS is the way out; it runs on a Zero 2 and from the Pi 3 on.",
    )


def test_the_packages_that_are_there(tmp_path: Path):
    made = pi_4(tmp_path)
    made.packages = {"lgpio": "0.2.2.0", "gpiozero": "2.0.1.post3"}

    assert says(made.facts(), "packages") == ("fine", "Installed are gpiozero 2.0.1.post3, lgpio 0.2.2.0.")


def test_a_package_that_is_missing(tmp_path: Path):
    made = pi_4(tmp_path)
    del made.packages["gpiozero"]

    assert says(made.facts(), "packages-missing") == (
        "problem",
        "The pins need the Python package gpiozero, which is missing.",
        f"{PIP} install --upgrade 'popout-board[pi]'",
    )


def test_the_package_of_the_expanders(tmp_path: Path):
    made = pi_4(tmp_path)
    assert silent(made.facts(), "packages-missing")

    assert says(made.facts(), "packages-missing", EXPANDED) == (
        "problem",
        "The pins need the Python package adafruit-circuitpython-mcp230xx, which is missing.",
        f"{PIP} install --upgrade 'popout-board[pi]'",
    )


def test_packages_that_are_missing_from_the_system_s_own_python(tmp_path: Path):
    made = pi_4(tmp_path)
    made.packages = {}
    made.python = replace(made.python, venv="")

    assert says(made.facts(), "packages-missing") == (
        "problem",
        "The pins need the Python packages gpiozero, lgpio, which are missing.",
        "sudo apt install python3-gpiozero python3-lgpio",
    )


def test_lgpio_of_python_3_13_has_another_name(tmp_path: Path):
    made = pi_5(tmp_path)
    assert silent(made.facts(), "packages-missing")

    del made.packages["adafruit-lgpio"]
    assert found(made.facts(), "packages-missing").what_to_type[-1] == f"{PIP} install --upgrade adafruit-lgpio"


def test_gpiozero_that_takes_the_header_for_chip_4(tmp_path: Path):
    """Field bug G6: the kernel gave the header of the Pi 5 another number."""
    made = pi_5(tmp_path)
    made.packages["gpiozero"] = "2.0.1"

    assert says(made.facts(), "gpiozero-chip") == (
        "problem",
        "gpiozero 2.0.1 looks for the pins of a Raspberry Pi 5 in gpiochip4, whatever it is told. Since 6.6.45 the "
        "kernel calls that otherwise: 6.12.47+rpt-rpi-2712 calls it gpiochip0.",
        f"{PIP} install --upgrade 'gpiozero>=2.0.1.post3'",
    )


def test_gpiozero_on_the_kernel_that_it_was_made_for(tmp_path: Path):
    made = pi_5(tmp_path)
    made.packages["gpiozero"] = "2.0.1"
    made.header(4, "pinctrl-rp1")

    assert silent(made.facts(), "gpiozero-chip")


@pytest.mark.parametrize("version", ["2.0.1.post1", "2.0.1.post2"])
def test_gpiozero_that_fails_on_a_pi_5(tmp_path: Path, version: str):
    """Field bug G6: gpiozero issue 1229."""
    made = pi_5(tmp_path)
    made.packages["gpiozero"] = version

    assert says(made.facts(), "gpiozero-regression") == (
        "problem",
        f"gpiozero {version} fails on a Raspberry Pi 5 where it is to find the pins by itself.",
        f"{PIP} install --upgrade 'gpiozero>=2.0.1.post3'",
    )


@pytest.mark.parametrize("version", ["2.0.1.post3", "2.0.2", "2.1", "3"])
def test_gpiozero_that_is_put_right(tmp_path: Path, version: str):
    made = pi_5(tmp_path)
    made.packages["gpiozero"] = version

    assert codes(made.facts(), severity="problem") == []


def test_gpiozero_of_the_system_is_put_right_though_its_number_is_the_old_one(tmp_path: Path):
    facts = pi_5(tmp_path).facts()
    patched = {**facts.packages, "gpiozero": Package("gpiozero", "2.0.1", of_the_system=True)}

    assert codes(replace(facts, packages=patched), severity="problem") == []


def test_gpiozero_of_any_kind_finds_the_pins_of_older_pis(tmp_path: Path):
    made = pi_4(tmp_path)
    made.packages["gpiozero"] = "2.0.1"

    assert codes(made.facts(), severity="problem") == []


@pytest.mark.parametrize(
    ("version", "processor", "cure"),
    [
        ((3, 11), "aarch64", [f"{PIP} install --upgrade 'lgpio>=0.2.2.0'"]),
        ((3, 13), "aarch64", [f"{PIP} install --upgrade adafruit-lgpio"]),
        (
            (3, 13),
            "armv7l",
            [
                "sudo apt install python3-gpiozero python3-lgpio",
                f"python3 -m venv --system-site-packages {HOME}",
            ],
        ),
    ],
)
def test_the_empty_package_lgpio(tmp_path: Path, version: tuple[int, int], processor: str, cure: list[str]):
    """Field bug G16: pip finds an empty lgpio where it finds no other."""
    made = pi_4(tmp_path)
    made.packages["lgpio"] = "0.0.0.2"
    made.python = replace(made.python, version=version, processor=processor)

    assert says(made.facts(), "lgpio-stub") == (
        "problem",
        "lgpio 0.0.0.2 is an empty package: nothing in it drives pins. pip takes it where it finds no other that suits "
        "this Python.",
        f"{PIP} uninstall --yes lgpio",
        *cure,
    )


def test_two_packages_that_are_the_same_module(tmp_path: Path):
    made = pi_4(tmp_path)
    made.packages["RPi.GPIO"] = "0.7.1"

    assert says(made.facts(), "rpi-gpio-twice") == (
        "problem",
        "RPi.GPIO 0.7.1 and rpi-lgpio are both installed, and are the same module RPi.GPIO: what one of them wrote the "
        "other has written over. popout needs neither; other programs need one of them.",
        f"{PIP} uninstall --yes RPi.GPIO rpi-lgpio",
        f"{PIP} install --upgrade rpi-lgpio",
    )


def test_blinka_that_reads_one_digit(tmp_path: Path):
    """Field bug G6: since kernel 6.12.96 the number has two digits."""
    made = pi_5(tmp_path)
    made.header(15, "pinctrl-rp1")
    made.packages["Adafruit-Blinka"] = "8.59.0"

    assert silent(made.facts(), "blinka-chip")
    assert says(made.facts(), "blinka-chip", with_lamps("GPIO18")) == (
        "problem",
        "Adafruit-Blinka 8.59.0 reads only the last digit of gpiochip15, and would light lamps through another chip.",
        f"{PIP} install --upgrade 'Adafruit-Blinka>=9.2.0'",
    )


def test_a_library_of_lamps_that_is_older_than_the_board(tmp_path: Path):
    made = pi_zero_2(tmp_path)
    made.packages["rpi-ws281x"] = "4.3.0"

    assert silent(made.facts(), "rpi-ws281x-old")
    assert says(made.facts(), "rpi-ws281x-old", with_lamps("GPIO18")) == (
        "problem",
        "rpi-ws281x 4.3.0 does not know this Raspberry Pi Zero 2 W Rev 1.0: PWM lamps fail with “Hardware revision is "
        "not supported”.",
        f"{PIP} install --upgrade 'rpi-ws281x>=5.0.0'",
    )


@pytest.mark.parametrize("junk", ["", "?", "post", "2..1", ".post", "2.0.1.postø", "²"])
def test_versions_that_are_none(tmp_path: Path, junk: str):
    made = pi_5(tmp_path)
    made.packages = dict.fromkeys(made.packages, junk)

    assert examine(made.facts(), WIRED)
