"""What is worth knowing of a layout that is no error, each as the whole sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from popout.board.layout import Layout
from popout.wiring.remarks import remarks

BOARD = """\
title = "Test board"
driver = "gpio"
columns = 2
rows = 2
actuation = "button"

[switches]
columns = ["GPIO5", "GPIO6"]
bar = "GPIO16"
"""
LAMPS = """
[lamps]
pin = "GPIO10"
order = "grb"

[[lamps.parts]]
kind = "cells"
start = "bottom left"
along = "column"
serpentine = true

[supply]
milliamps = 1000
brightness = 0.5
"""


@pytest.fixture
def said(tmp_path: Path) -> Callable[..., list[str]]:
    def of(*changes: tuple[str, str], text: str = BOARD) -> list[str]:
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        file = tmp_path / "board.toml"
        file.write_text(text, "utf-8")
        return [str(remark) for remark in remarks(Layout.load(file))]

    return of


def test_an_ordinary_board_needs_no_remark(said):
    assert said() == []
    assert said(text=BOARD + LAMPS) == []
    assert [remarks(Layout.load(name)) for name in ("7x6-pi", "5x4", "7x6-club")] == [(), (), ()]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            [("GPIO5", "GPIO14"), ("GPIO6", "GPIO15")],
            "GPIO14, GPIO15: the serial console of the Pi uses these too. Turn it off with: sudo raspi-config "
            "(Interface Options, Serial Port).",
        ),
        (
            [("GPIO5", "GPIO7"), ("GPIO6", "GPIO11")],
            "GPIO7, GPIO11: the bus SPI0 has these while it is on. Turn it off with: sudo raspi-config (Interface "
            "Options, SPI).",
        ),
        (
            [("GPIO16", "GPIO3")],
            "“bar” at GPIO3 also starts a Pi that was shut down: that pin wakes it when it goes low.",
        ),
        (
            [("[switches]", '[switches]\npull = "none"')],
            "With pull = “none” each switch needs a resistor of its own, such as 10 kΩ, from its pin to 3.3 V.",
        ),
        (
            [("[switches]", '[switches]\npull = "none"\nclosed = "high"')],
            "With pull = “none” each switch needs a resistor of its own, such as 10 kΩ, from its pin to GND.",
        ),
        (
            [
                ('"gpio"', '"serial"'),
                ("GPIO", "GP"),
                ("[switches]", '[switches]\npull = "down"'),
            ],
            "The inputs of a Pico 2 of the first revision stay high in spite of its pull-downs (its erratum E9): wire "
            "switches to ground with pull = “up”, or give each an outer resistor of 8.2 kΩ or less.",
        ),
        (
            [
                ('["GPIO5", "GPIO6"]', '["R1C1", "R1C2"]'),
                (
                    'bar = "GPIO16"\n',
                    'bar = "GPIO16"\n[matrix]\nrows = ["GPIO5"]\ncolumns = ["GPIO6", "GPIO13"]\ndiodes = false\n',
                ),
            ],
            "The matrix has no diodes: while three switches at the corners of a rectangle are closed, the fourth seems "
            "to be too. A diode such as 1N4148 at each switch cures it.",
        ),
    ],
)
def test_pins_and_resistors(said, changes: list[tuple[str, str]], sentence: str):
    """Field bug G15: a pin that is busy once SPI is enabled is named."""
    assert said(*changes) == [sentence]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            ('pin = "GPIO10"', 'pin = "GPIO18"\nroute = "pwm"'),
            "The lamps at GPIO18 are lit by PWM, which needs the rights of root and the Pi's analogue sound off. "
            "GPIO10 needs neither.",
        ),
        (
            ('pin = "GPIO10"', 'pin = "GPIO12"'),
            "The lamps at GPIO12 can be lit by a Pi 5, else at most by PWM with the rights of root. GPIO10 suits any "
            "Pi.",
        ),
        (
            ('pin = "GPIO10"', 'pin = "GPIO17"'),
            "The lamps at GPIO17 can be lit by a Pi 5 only. GPIO10 suits any Pi.",
        ),
        (
            ('pin = "GPIO10"', 'pin = "GPIO12"\nroute = "pio"'),
            "The lamps at GPIO12 can be lit by a Pi 5 only. GPIO10 suits any Pi.",
        ),
        (
            ("milliamps = 1000", "milliamps = 40"),
            "The supply of 0.04 A lets all lamps together be white at a part of full light only (15 %), while the cap "
            "is 50 %: bright pictures are dimmed. 0.1 A would reach the cap.",
        ),
    ],
)
def test_lamps(said, change: tuple[str, str], sentence: str):
    """Field bugs L1, L2 and L8: sound and root with PWM, and a supply that is too weak, are told before they hurt."""
    assert said(change, text=BOARD + LAMPS) == [sentence]


@pytest.mark.parametrize(
    ("order", "rows", "sentence"),
    [
        ("grb", 15, None),  # 150 lamps
        (
            "grb",
            16,
            "A picture of all 160 lamps is 4320 bytes on SPI, and the kernel sends only 4096 in one piece. Append "
            "spidev.bufsiz=32768 to the one line of /boot/firmware/cmdline.txt and restart the Pi.",
        ),
        ("grbw", 11, None),
        (
            "grbw",
            12,
            "A picture of all 120 lamps is 4320 bytes on SPI, and the kernel sends only 4096 in one piece. Append "
            "spidev.bufsiz=32768 to the one line of /boot/firmware/cmdline.txt and restart the Pi.",
        ),
    ],
)
def test_a_chain_that_is_too_long_for_the_usual_buffer(said, order: str, rows: int, sentence: str | None):
    """Told while the board is planned, not when it stays dark."""
    pins = ", ".join(f'"GPIO{number}"' for number in (5, 6, 13, 19, 26, 21, 20, 12, 23, 18))
    changes = [
        ("columns = 2", "columns = 10"),
        ("rows = 2", f"rows = {rows}"),
        ('["GPIO5", "GPIO6"]', f"[{pins}]"),
        ('order = "grb"', f'order = "{order}"'),
        ("milliamps = 1000", "milliamps = 9000"),
    ]

    assert said(*changes, text=BOARD + LAMPS) == ([] if sentence is None else [sentence])
    changes += [("GPIO12", "GPIO22"), ('pin = "GPIO10"', 'pin = "GPIO12"\nroute = "pwm"')]
    assert [remark.split(",")[0] for remark in said(*changes, text=BOARD + LAMPS)] == [
        "The lamps at GPIO12 are lit by PWM"
    ]
