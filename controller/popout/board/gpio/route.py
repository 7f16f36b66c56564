"""Which way the lamps' data takes out of the Pi at hand, and why; or why there is none, and what to type.

A chain of lamps hangs on one pin. SPI needs no rights of root but only sends on GPIO10; PWM needs root; PIO is there on
a Pi 5 only.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal

from popout.board.chain import Chain
from popout.board.contacts import PWM_PINS
from popout.board.files import text
from popout.board.gpio.machine import Machine
from popout.board.layout import Layout
from popout.rules.messages import Message

Way = Literal["spi", "pwm", "pio"]
Device = Literal["open", "denied", "missing"]
"""Whether a device may be opened by us, may not, or is not there."""

SPI_DEVICE: Final = "dev/spidev0.0"
PIO_DEVICE: Final = "dev/pio0"
SPI_PIN: Final = "GPIO10"
SPI_HERTZ: Final = 6_400_000
"""The clock that is asked for. One bit of a colour is a byte on the bus, so a lamp reads 800,000 bits in a second.

The clocks of all Pis give 6.25 MHz for it: 250, 400 or 500 MHz, and the Pi 5's 200 MHz, divided by an even number. That
makes pulses of 0.32 µs for 0 and 0.64 µs for 1 in 1.28 µs, which a WS2812 and its kin read right.
"""
RESET_SECONDS: Final = 300e-6
"""How long the line is low before and after the data; a WS2812B of today wants 280 µs.

Before, since a line that rests high would make the first bit a 1 and the first lamp green.
"""

_RESET_BYTES: Final = round(SPI_HERTZ * RESET_SECONDS / 8)
_USUAL_BUFFER: Final = 4096
_GPIO_PACKAGES: Final = ("gpiod", "neopixel")
_PWM_PACKAGE: Final = "_rpi_ws281x"
_PIO_PACKAGE: Final = "adafruit_raspberry_pi5_neopixel_write"
_SPI_PACKAGES: Final = ("Adafruit_PureIO", "neopixel_spi")
_KNOWN_PACKAGES: Final = (*_GPIO_PACKAGES, *_SPI_PACKAGES, _PWM_PACKAGE, _PIO_PACKAGE)
# Any of these keeps the core's clock from changing, or says that somebody has thought about it.
_FIXED_CLOCK: Final = re.compile(
    r"^\s*(core_freq_fixed=1|force_turbo=1|enable_uart=1|core_freq=\d+|core_freq_min=\d+)\s*(#.*)?$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What of the computer decides on the way.

    :ivar spi: the device of the SPI bus whose data leave at GPIO10.
    :ivar spi_buffer: how many bytes the kernel sends on it in one piece.
    :ivar pio: the device of the Pi 5's PIO.
    :ivar packages: the Python modules that are installed, of those that a way needs.
    :ivar root: whether the program has the rights of root.
    :ivar clock_fixed: whether the settings of the firmware keep the core's clock from changing.
    """

    spi: Device
    spi_buffer: int
    pio: Device
    packages: frozenset[str]
    root: bool
    clock_fixed: bool


def look(root: Path = Path("/")) -> Facts:
    """The facts of this computer. Never raises.

    :param root: where the file system begins; another folder in tests.
    """
    return Facts(
        spi=_device(root / SPI_DEVICE),
        spi_buffer=_spi_buffer(root),
        pio=_device(root / PIO_DEVICE),
        packages=frozenset(name for name in _KNOWN_PACKAGES if find_spec(name) is not None),
        root=hasattr(os, "geteuid") and os.geteuid() == 0,
        clock_fixed=any(
            _FIXED_CLOCK.search(text(root / file) or "") for file in ("boot/firmware/config.txt", "boot/config.txt")
        ),
    )


def choose_route(layout: Layout, machine: Machine, facts: Facts) -> tuple[Way | None, Message]:
    """The way for the chain of lamps of `layout`, and the reason in a sentence; None if it cannot be lit here."""
    chain = layout.chain
    if chain is None:
        return None, Message("The board has no chain of lamps.")
    lamps = len(layout.places)
    if chain.route == "pwm":
        return _pwm(chain, machine, facts)
    if chain.route == "pio":
        return _pio(chain, machine, facts)
    if chain.route == "spi":
        return _spi(chain, lamps, facts)
    if machine.generation == 5:
        way, reason = _pio(chain, machine, facts)
        return (way, reason) if way or chain.pin != SPI_PIN else _spi(chain, lamps, facts)
    if chain.pin == SPI_PIN:
        return _spi(chain, lamps, facts)
    if chain.pin in PWM_PINS:
        return _pwm(chain, machine, facts)
    return None, Message(
        "The lamps stay dark: this computer cannot send their data on {pin}. Wire it to GPIO10 (pin 19 of the header) "
        'and write pin = "GPIO10" under [lamps] in the layout.',
        pin=chain.pin,
    )


def spi_bytes(lamps: int, colours: int) -> int:
    """How many bytes one picture is on the SPI bus, for lamps of so many colours each."""
    return 8 * colours * lamps + 2 * _RESET_BYTES


def clock_remark(machine: Machine, facts: Facts) -> Message | None:
    """What there is to say of the clock of the SPI bus; None if it is steady.

    Up to the Pi 4 it is a part of the core's clock. The firmware lowers that while there is little to do, and the
    kernel does not know.
    """
    if not 1 <= machine.generation <= 4 or facts.clock_fixed:
        return None
    return Message(
        "The clock of the lamps follows that of the processor's core. If they flicker or show wrong colours, add the "
        "line core_freq_fixed=1 to /boot/firmware/config.txt and restart the Pi."
    )


def _spi(chain: Chain, lamps: int, facts: Facts) -> tuple[Way | None, Message]:
    if not facts.packages.issuperset(_SPI_PACKAGES):
        return None, _package_missing("adafruit-circuitpython-neopixel-spi")
    if facts.spi == "missing":
        return None, Message(
            "The lamps stay dark: SPI, which drives them on GPIO10, is switched off. Type "
            "“sudo raspi-config nonint do_spi 0” and restart the Pi."
        )
    if facts.spi == "denied":
        return None, Message(
            "The lamps stay dark: /dev/spidev0.0 may not be opened. Type “sudo usermod -aG spi $USER”, then log out "
            "and in again."
        )
    needed = spi_bytes(lamps, len(chain.order))
    if needed > facts.spi_buffer:
        return None, Message(
            "The lamps stay dark: a picture of the whole chain is {needed} bytes on SPI, and the kernel sends only "
            "{buffer} in one piece. Append spidev.bufsiz={size} to the one line of /boot/firmware/cmdline.txt and "
            "restart the Pi.",
            needed=needed,
            buffer=facts.spi_buffer,
            size=65536 if needed > 32768 else 32768,
        )
    return "spi", Message("The lamps are driven by SPI on GPIO10, which needs no rights of root.")


def _pwm(chain: Chain, machine: Machine, facts: Facts) -> tuple[Way | None, Message]:
    # On any other board its library says that it does not know the hardware, and then crashes the process.
    if not 1 <= machine.generation <= 4:
        return None, Message(
            "The lamps stay dark: PWM can drive them up to the Raspberry Pi 4 only. Wire their data to GPIO10 (pin 19 "
            'of the header), and write pin = "GPIO10" and route = "auto" under [lamps] in the layout.'
        )
    if not facts.root:
        return None, Message(
            "The lamps stay dark: {pin} is driven by PWM, which needs rights of root, and a game should not have them. "
            'Wire the lamps\' data to GPIO10 (pin 19 of the header), and write pin = "GPIO10" and route = "auto" '
            "under [lamps] in the layout.",
            pin=chain.pin,
        )
    if not facts.packages.issuperset(_GPIO_PACKAGES):
        return None, _package_missing("adafruit-circuitpython-neopixel")
    if _PWM_PACKAGE not in facts.packages:
        return None, Message(
            "The lamps stay dark: PWM on {pin} needs the Python package “rpi_ws281x”, which is missing. “popout "
            "doctor” says how to install it.",
            pin=chain.pin,
        )
    return "pwm", Message(
        "The lamps are driven by PWM on {pin}, with rights of root. The Pi's headphone jack cannot be used meanwhile; "
        "with the lamps on GPIO10 it could.",
        pin=chain.pin,
    )


def _pio(chain: Chain, machine: Machine, facts: Facts) -> tuple[Way | None, Message]:
    if machine.generation != 5:
        return None, Message(
            'The lamps stay dark: only a Raspberry Pi 5 has the PIO that the layout asks for. Write route = "auto" '
            "under [lamps] in the layout."
        )
    if facts.pio == "missing":
        return None, Message(
            "The lamps stay dark: {pin} is driven by the Pi 5's PIO, and there is no /dev/pio0. Type "
            "“sudo apt full-upgrade” and “sudo rpi-eeprom-update -a”, then restart the Pi.",
            pin=chain.pin,
        )
    if facts.pio == "denied":
        return None, Message(
            "The lamps stay dark: /dev/pio0 may not be opened. Write the line {rule} into "
            "/etc/udev/rules.d/99-pio.rules, type “sudo usermod -aG gpio $USER” and restart the Pi.",
            rule='SUBSYSTEM=="*-pio", GROUP="gpio", MODE="0660"',
        )
    if not facts.packages.issuperset(_GPIO_PACKAGES):
        return None, _package_missing("adafruit-circuitpython-neopixel")
    if _PIO_PACKAGE not in facts.packages:
        return None, Message(
            "The lamps stay dark: {pin} is driven by the Pi 5's PIO, for which a Python package is missing. “popout "
            "doctor” says how to install it.",
            pin=chain.pin,
        )
    return "pio", Message(
        "The lamps are driven by the Pi 5's PIO on {pin}, which needs no rights of root.", pin=chain.pin
    )


def _package_missing(package: str) -> Message:
    return Message(
        "The lamps stay dark: the Python package “{package}” or one that it needs is missing. “popout doctor” "
        "says how to install it.",
        package=package,
    )


def _device(path: Path) -> Device:
    if not os.access(path, os.F_OK):
        return "missing"
    return "open" if os.access(path, os.R_OK | os.W_OK) else "denied"


def _spi_buffer(root: Path) -> int:
    try:
        return int(text(root / "sys/module/spidev/parameters/bufsiz") or "")
    except ValueError:
        return _USUAL_BUFFER
