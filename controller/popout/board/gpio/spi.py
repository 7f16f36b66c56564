"""A chain of lamps on the Pi's SPI bus: each bit of a colour is a byte on the bus, whose high part is short or long."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from popout.board.chain import Order
from popout.board.frame import DARK, Colour
from popout.board.gpio.route import RESET_SECONDS, SPI_HERTZ


class SpiStrip:
    """Lamps on the SPI bus, by Adafruit's library for them, which needs no rights of root. Opening it darkens them.

    :param device: the kernel's device of the bus.
    :param buffer: how many bytes the kernel takes in one piece.
    :raises Exception: whatever the library raises if the device cannot be opened and written to.
    """

    def __init__(self, device: Path, buffer: int, lamps: int, order: Order) -> None:
        self._bus = SpiBus(device, buffer)
        try:
            self._lamps = import_module("neopixel_spi").NeoPixel_SPI(
                self._bus,
                lamps,
                pixel_order=order.upper(),
                frequency=SPI_HERTZ,
                reset_time=RESET_SECONDS,
                auto_write=False,
            )
            self.send([DARK] * lamps)
        except BaseException:
            self._bus.close()
            raise

    def send(self, colours: Sequence[Colour]) -> None:
        """Light the lamps, the one next to the pin first.

        :raises OSError: the bus does not take them.
        """
        self._lamps[:] = list(colours)  # a tuple of three would be one colour
        self._lamps.show()

    def close(self) -> None:
        """Let go of the bus. The lamps stay as they are."""
        self._bus.close()


class SpiBus:
    """What Adafruit's library wants of a bus, on a device of the kernel's ``spidev``.

    A picture has to leave in one piece: a lamp takes a pause for the end of it. So it is never cut to less than
    `buffer`, what the kernel takes at once.
    """

    def __init__(self, device: Path, buffer: int) -> None:
        self._spi = import_module("Adafruit_PureIO.spi").SPI(str(device))
        self._spi.chunk_size = buffer
        self._closed = False

    def try_lock(self) -> bool:
        """There is one user, a thread, so that the bus is always free."""
        return True

    def unlock(self) -> None:
        """See `try_lock`."""

    def configure(self, *, baudrate: int, polarity: int, phase: int) -> None:
        """Set the clock, in hertz, and its mode, before each picture: another program may have used the bus."""
        self._spi.max_speed_hz = baudrate
        self._spi.bits_per_word = 8
        self._spi.polarity = polarity
        self._spi.phase = phase

    def write(self, data: bytes) -> None:
        """Send `data`."""
        self._spi.writebytes(data)

    def close(self) -> None:
        """Close the device; may be called twice."""
        if not self._closed:
            self._closed = True
            os.close(self._spi.handle)
