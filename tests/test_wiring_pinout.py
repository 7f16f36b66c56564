"""The pins of the header, the Pico and the expander, against drawings and facts that were noted independently."""

from __future__ import annotations

import pytest

from popout.board.contacts import PINS
from popout.wiring.pinout import EXPANDER, PI, PICO, Pinout

HEADER = """
3V3    1  2  5V
GPIO2  3  4  5V
GPIO3  5  6  GND
GPIO4  7  8  GPIO14
GND    9  10 GPIO15
GPIO17 11 12 GPIO18
GPIO27 13 14 GND
GPIO22 15 16 GPIO23
3V3    17 18 GPIO24
GPIO10 19 20 GND
GPIO9  21 22 GPIO25
GPIO11 23 24 GPIO8
GND    25 26 GPIO7
GPIO0  27 28 GPIO1
GPIO5  29 30 GND
GPIO6  31 32 GPIO12
GPIO13 33 34 GND
GPIO19 35 36 GPIO16
GPIO26 37 38 GPIO20
GND    39 40 GPIO21
"""

EDGES = """
GP0  1  40 VBUS
GP1  2  39 VSYS
GND  3  38 GND
GP2  4  37 3V3_EN
GP3  5  36 3V3
GP4  6  35 ADC_VREF
GP5  7  34 GP28
GND  8  33 AGND
GP6  9  32 GP27
GP7  10 31 GP26
GP8  11 30 RUN
GP9  12 29 GP22
GND  13 28 GND
GP10 14 27 GP21
GP11 15 26 GP20
GP12 16 25 GP19
GP13 17 24 GP18
GND  18 23 GND
GP14 19 22 GP17
GP15 20 21 GP16
"""

CASE = """
B0  1  28 A7
B1  2  27 A6
B2  3  26 A5
B3  4  25 A4
B4  5  24 A3
B5  6  23 A2
B6  7  22 A1
B7  8  21 A0
VDD 9  20 INTA
VSS 10 19 INTB
NC  11 18 RESET
SCL 12 17 ADDR2
SDA 13 16 ADDR1
NC  14 15 ADDR0
"""


def drawn(pinout: Pinout) -> list[list[str]]:
    return [
        [left.name, str(left.number), str(right.number), right.name]
        for left, right in zip(pinout.left, pinout.right, strict=True)
    ]


@pytest.mark.parametrize(
    ("pinout", "picture"), [(PI, HEADER), (PICO, EDGES), (EXPANDER, CASE)], ids=["Pi", "Pico", "MCP23017"]
)
def test_every_pin_is_where_the_data_sheet_draws_it(pinout: Pinout, picture: str):
    assert drawn(pinout) == [line.split() for line in picture.strip().splitlines()]


def test_the_header_is_as_gpiozero_knows_it():
    from gpiozero.pins.pi import PiBoardInfo

    header = PiBoardInfo.from_revision(0xB03111).headers["J8"]  # a Pi 4

    assert {number: pin.name for number, pin in header.pins.items()} == {pin.number: pin.name for pin in PI.pins}


@pytest.mark.parametrize(
    ("pin", "function"),
    [
        ("GPIO2", "SDA"),
        ("GPIO3", "SCL"),
        ("GPIO14", "TXD"),
        ("GPIO15", "RXD"),
        ("GPIO10", "MOSI"),
        ("GPIO9", "MISO"),
        ("GPIO11", "SCLK"),
        ("GPIO8", "CE0"),
        ("GPIO7", "CE1"),
        ("GPIO12", "PWM0"),
        ("GPIO18", "PWM0"),
        ("GPIO13", "PWM1"),
        ("GPIO19", "PWM1"),
    ],
)
def test_what_else_a_pin_of_the_header_is_for(pin: str, function: str):
    found = PI.pin(pin)

    assert found is not None
    assert function in found.functions


@pytest.mark.parametrize(("pinout", "driver"), [(PI, "gpio"), (PICO, "serial")])
def test_every_pin_that_a_layout_may_name_is_there(pinout: Pinout, driver: str):
    assert all(pinout.pin(name) is not None for name in PINS[driver])


def test_pins_are_counted_from_one_without_a_gap():
    for pinout, count in ((PI, 40), (PICO, 40), (EXPANDER, 28)):
        assert [pin.number for pin in pinout.pins] == list(range(1, count + 1))


def test_a_pin_that_is_not_there_is_none():
    assert PI.pin("GP0") is None
