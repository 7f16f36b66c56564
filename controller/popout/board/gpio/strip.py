"""A chain of lamps on a pin of the Pi itself, by PWM or by the PIO of a Pi 5: Adafruit's library chooses by the board.

Only `popout.board.gpio.route` knows where these work; on other boards the library for PWM crashes the process.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol

from popout.board.chain import Order
from popout.board.contacts import pin_number
from popout.board.frame import DARK, Colour
from popout.board.gpio.route import Way

# The Pi 5's library returns while its hardware still holds 64 bytes, which take 640 µs.
_LAST_BITS_SECONDS = 0.002


class Strip(Protocol):
    """Lamps in a row, to which a thread sends whole pictures."""

    def send(self, colours: Sequence[Colour]) -> None:
        """Light the lamps, the one next to the pin first. May raise any exception."""

    def close(self) -> None:
        """Let go of the device. The lamps stay as they are."""


class PinStrip:
    """Lamps on a pin, lit by PWM or by the PIO. They are dark when it is open.

    :raises Exception: whatever the libraries raise if they cannot.
    """

    def __init__(self, way: Way, pin: str, lamps: int, order: Order) -> None:
        # Without this it asks, on a terminal, whether to install packages.
        os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
        neopixel = import_module("neopixel")
        number = f"D{pin_number(pin)}"
        self._lamps = neopixel.NeoPixel(
            getattr(import_module("board"), number), lamps, pixel_order=order.upper(), auto_write=False
        )
        try:
            self.send([DARK] * lamps)
        except BaseException:
            if way == "pwm":
                _forget_failed_start()
            self.close()
            raise

    def send(self, colours: Sequence[Colour]) -> None:
        """Light the lamps, the one next to the pin first.

        :raises Exception: whatever the libraries raise if they cannot.
        """
        self._lamps[:] = list(colours)
        self._lamps.show()

    def close(self) -> None:
        """Let go of the pin, after the last bit has left. The lamps stay as they are."""
        time.sleep(_LAST_BITS_SECONDS)
        # Not its own deinit(), which darkens the lamps first.
        self._lamps.pin.deinit()


def _forget_failed_start() -> None:
    """Drop what the library for PWM keeps after a failed start: using it or cleaning it up crashes the process."""
    library: Any = import_module("adafruit_blinka.microcontroller.bcm283x.neopixel")
    library._led_strip = None
