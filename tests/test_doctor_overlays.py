"""Field bug G15: which pins the firmware's settings give to the kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from popout.board.gpio.machine import Machine
from popout.doctor.config import read
from popout.doctor.overlays import claims


def claimed(root: Path, text: str, generation: int) -> list[int]:
    (root / "boot/firmware").mkdir(parents=True, exist_ok=True)
    (root / "boot/firmware/config.txt").write_text(text, "utf-8")
    machine = Machine(f"Raspberry Pi {generation} Model B", generation)
    return sorted({claim.pin for claim in claims(read(root, machine), machine)})


@pytest.mark.parametrize(
    ("text", "pins"),
    [
        ("", []),
        ("dtparam=i2c_arm=on", [2, 3]),
        ("dtparam=i2c=on", [2, 3]),
        ("dtparam=i2c_arm=off", []),
        ("dtparam=i2c_vc=on", [0, 1]),
        ("dtparam=spi=on", [7, 8, 9, 10, 11]),
        ("dtparam=spi=on\ndtoverlay=spi0-1cs", [8, 9, 10, 11]),
        ("dtparam=spi=on\ndtoverlay=spi0-1cs,cs0_pin=25", [9, 10, 11, 25]),
        ("dtparam=spi=on\ndtoverlay=spi0-0cs", [9, 10, 11]),
        ("enable_uart=1", [14, 15]),
        ("enable_uart=0", []),
        ("dtparam=i2s=on", [18, 19, 20, 21]),
        ("dtoverlay=w1-gpio", [4]),
        ("dtoverlay=w1-gpio,gpiopin=17", [17]),
        ("dtoverlay=w1-gpio\ndtparam=gpiopin=17", [17]),
        ("dtoverlay=w1-gpio-pullup", [4, 5]),
        ("dtoverlay=gpio-shutdown", [3]),
        ("dtoverlay=gpio-shutdown,gpio_pin=26,active_low=1", [26]),
        ("dtoverlay=gpio-fan,temp=60000", [12]),
        ("dtoverlay=gpio-ir", [18]),
        ("dtoverlay=hifiberry-dacplus", [18, 19, 20, 21]),
        ("dtoverlay=iqaudio-dac", [18, 19, 20, 21]),
        ("dtoverlay=audremap", [12, 13]),
        ("dtoverlay=audremap,pins_18_19", [18, 19]),
        ("dtoverlay=i2c-gpio,i2c_gpio_sda=5", [5, 24]),
        ("dtoverlay=spi1-3cs", [16, 17, 18, 19, 20, 21]),
        ("dtoverlay=pwm-2chan,pin=12,func=4,pin2=13,func2=4", [12, 13]),
        ("dtoverlay=uart5", [12, 13]),
        ("dtoverlay=uart5,ctsrts", [12, 13, 14, 15]),
        ("dtoverlay=uart0,ctsrts", [14, 15, 16, 17]),
        ("dtoverlay=dpi18", list(range(22))),
        ("dtoverlay=vc4-kms-dpi-panel", list(range(28))),
        ("dtoverlay=vc4-kms-v3d\ndtoverlay=disable-bt\ndtoverlay=nobody-knows,gpiopin=17", []),
    ],
)
def test_what_each_takes_on_a_pi_4(tmp_path: Path, text: str, pins: list[int]):
    assert claimed(tmp_path, text, 4) == pins


@pytest.mark.parametrize(
    ("text", "pins"),
    [
        ("enable_uart=1", []),
        ("dtparam=uart0=on", [14, 15]),
        ("dtoverlay=uart2-pi5", [4, 5]),
        ("dtoverlay=i2c3-pi5,pins_14_15", [14, 15]),
        ("dtoverlay=ws2812-pio,gpio=18,num_leds=51", [18]),
    ],
)
def test_what_is_different_on_a_pi_5(tmp_path: Path, text: str, pins: list[int]):
    assert claimed(tmp_path, text, 5) == pins


def test_an_overlay_that_there_is_not_takes_nothing(tmp_path: Path):
    assert claimed(tmp_path, "dtoverlay=uart9,ctsrts\ndtoverlay=,\ndtoverlay=:\ndtparam=,=,", 4) == []


def test_the_line_is_known(tmp_path: Path):
    claimed(tmp_path, "dtparam=audio=on\ndtoverlay=w1-gpio", 4)
    machine = Machine("Raspberry Pi 4 Model B", 4)

    (claim,) = claims(read(tmp_path, machine), machine)

    assert (claim.line.number, claim.line.text) == (2, "dtoverlay=w1-gpio")


@pytest.mark.parametrize("number", ["", "seventeen", "-1", "99999999999999", "²", "40"])
def test_a_pin_that_is_none_is_no_pin(tmp_path: Path, number: str):
    assert claimed(tmp_path, f"dtoverlay=w1-gpio,gpiopin={number}", 4) == []
