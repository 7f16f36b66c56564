"""Which pins of the header ``config.txt`` gives to the kernel: those of its buses, and of the overlays it loads.

Source: ``boot/overlays/README`` of the Raspberry Pi firmware, which lists each overlay with its parameters and the pins
that it takes where none is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from popout.board.gpio.machine import Machine
from popout.doctor.config import Config, Line, Overlay

_HEADER: Final = range(28)
_I2S: Final = (18, 19, 20, 21)
_SPI: Final = (9, 10, 11)
_SPI_SELECTS: Final = (8, 7)


@dataclass(frozen=True, slots=True)
class Claim:
    """A pin that the kernel has.

    :ivar pin: the GPIO's number. :ivar line: the line of ``config.txt`` that gives it to the kernel.
    """

    pin: int
    line: Line


_NAMED: Final[Mapping[str, Mapping[str, int]]] = {
    "dht11": {"gpiopin": 4},
    "enc28j60": {"int_pin": 25},
    "gpio-fan": {"gpiopin": 12},
    "gpio-ir": {"gpio_pin": 18},
    "gpio-ir-tx": {"gpio_pin": 18},
    "gpio-key": {"gpio": 3},
    "gpio-led": {"gpio": 19},
    "gpio-poweroff": {"gpiopin": 26},
    "gpio-shutdown": {"gpio_pin": 3},
    "i2c-gpio": {"i2c_gpio_sda": 23, "i2c_gpio_scl": 24},
    "mcp23017": {"gpiopin": 4},
    "mcp2515-can0": {"interrupt": 25},
    "mcp2515-can1": {"interrupt": 25},
    "pps-gpio": {"gpiopin": 18},
    "pwm": {"pin": 18},
    "pwm-2chan": {"pin": 18, "pin2": 19},
    "pwm-gpio-fan": {"fan_gpio": 12},
    "pwm-ir-tx": {"gpio_pin": 18},
    "rotary-encoder": {"pin_a": 4, "pin_b": 17},
    "spi0-1cs": {"cs0_pin": 8},
    "spi0-2cs": {"cs0_pin": 8, "cs1_pin": 7},
    "spi1-1cs": {"cs0_pin": 18},
    "spi1-2cs": {"cs0_pin": 18, "cs1_pin": 17},
    "spi1-3cs": {"cs0_pin": 18, "cs1_pin": 17, "cs2_pin": 16},
    "uart0": {"txd0_pin": 14, "rxd0_pin": 15},
    "uart1": {"txd1_pin": 14, "rxd1_pin": 15},
    "w1-gpio": {"gpiopin": 4},
    "w1-gpio-pi5": {"gpiopin": 4},
    "w1-gpio-pullup": {"gpiopin": 4, "extpullup": 5},
    "ws2812-pio": {"gpio": 4},
}
"""Overlays whose pins can be named, with the names of the parameters and the pins that they have otherwise."""

_FIXED: Final[Mapping[str, tuple[int, ...]]] = {
    "dpi18": tuple(range(22)),
    "dpi24": tuple(_HEADER),
    "sdio": tuple(range(22, 28)),
    **{f"spi1-{count}cs": (19, 20, 21) for count in (1, 2, 3)},
    **{f"spi0-{count}cs": _SPI for count in (0, 1, 2)},
    "uart2": (0, 1),
    "uart3": (4, 5),
    "uart4": (8, 9),
    "uart5": (12, 13),
    "uart0-pi5": (14, 15),
    "uart1-pi5": (0, 1),
    "uart2-pi5": (4, 5),
    "uart3-pi5": (8, 9),
    "uart4-pi5": (12, 13),
}
"""Overlays whose pins are always these."""

_CHOSEN: Final[Mapping[str, str]] = {
    "audremap": "pins_12_13",
    "i2c0": "pins_0_1",
    "i2c1": "pins_2_3",
    "i2c3": "pins_4_5",
    "i2c4": "pins_8_9",
    "i2c5": "pins_12_13",
    "i2c6": "pins_22_23",
    "i2c0-pi5": "pins_0_1",
    "i2c1-pi5": "pins_2_3",
    "i2c2-pi5": "pins_4_5",
    "i2c3-pi5": "pins_6_7",
}
"""Overlays one of whose parameters names both pins, with the one that holds where none is given."""

_SOUND_CARDS: Final = re.compile(
    r"(hifiberry|iqaudio|justboom|allo|audioinjector|dionaudio|merus|googlevoicehat|rpi-dac|rpi-proto|i2s-|max98357a"
    r"|adau|wm8960|seeed|pifi|fe-pi|applepi|akkordion|superaudio|pisound)[a-z0-9-]*"
)
"""Sound cards that hang on I2S."""


def claims(config: Config, machine: Machine) -> tuple[Claim, ...]:
    """The pins of the header that the kernel has for itself, each with the line that says so."""
    return tuple(Claim(pin, line) for pins, line in _claimed(config, machine) for pin in pins if pin in _HEADER)


def _claimed(config: Config, machine: Machine) -> Iterator[tuple[Iterable[int], Line]]:
    parameters = config.parameters
    selects = any(overlay.name in ("spi0-0cs", "spi0-1cs", "spi0-2cs") for overlay in config.overlays)
    for name, pins in (
        ("i2c_arm", (2, 3)),
        ("i2c", (2, 3)),
        ("i2c1", (2, 3)),
        ("i2c_vc", (0, 1)),
        ("i2c0", (0, 1)),
        ("i2s", _I2S),
        ("spi", _SPI if selects else (*_SPI, *_SPI_SELECTS)),
    ):
        if name in parameters and parameters[name].on:
            yield pins, parameters[name].line
    # A Pi 5 has a plug of its own for the serial line that the others have on the header.
    serial = parameters.get("uart0") if machine.generation == 5 else None
    if serial is not None and serial.on:
        yield (14, 15), serial.line
    if config.value("enable_uart") == "1" and machine.generation < 5:
        yield (14, 15), config.values["enable_uart"].line
    for overlay in config.overlays:
        yield _of_overlay(overlay), overlay.line


def _of_overlay(overlay: Overlay) -> tuple[int, ...]:
    name, given = overlay.name, overlay.parameters
    if _SOUND_CARDS.fullmatch(name):
        return _I2S
    if name.startswith("vc4-kms-dpi-"):
        return tuple(_HEADER)
    pins = _FIXED.get(name, ())
    if name in _CHOSEN:
        wanted = next((parameter for parameter in given if parameter.startswith("pins_")), _CHOSEN[name])
        pins += tuple(int(number) for number in re.findall(r"\d{1,2}", wanted))
    for parameter, usual in _NAMED.get(name, {}).items():
        number = given.get(parameter, str(usual))
        pins += (int(number),) if number.isascii() and number.isdecimal() and len(number) < 4 else ()
    if name.startswith("uart") and "ctsrts" in given and pins:
        pins += (16, 17) if name in ("uart0", "uart0-pi5") else (pins[-1] + 1, pins[-1] + 2)
    return pins
