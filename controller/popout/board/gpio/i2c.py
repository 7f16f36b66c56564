"""The I2C bus of the header, as Adafruit's drivers want one: straight through the kernel's device, by Adafruit_PureIO.

Blinka's own bus would look for a board first; for two pins that are always the same that is not needed.
It needs Adafruit_PureIO, and imports it when a bus is opened.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from importlib import import_module
from typing import Any, Final

from popout.board.driver import BoardError
from popout.rules.messages import Message

BUS: Final = 1
"""GPIO2 and GPIO3, on every Pi."""

PATIENCE_S: Final = 1.0
"""How long a transfer of another thread is waited for: the kernel gives up on one that hangs after as long."""


class I2cUnusable(BoardError):
    """The I2C bus cannot be used."""

    code = "i2c-unusable"


class I2cBus:
    """The bus. One thread at a time has it, by `try_lock`.

    :raises I2cUnusable: it is switched off, or may not be used.
    :raises ModuleNotFoundError: Adafruit_PureIO is missing.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._given_up = False
        try:
            self._bus: Any = import_module("Adafruit_PureIO.smbus").SMBus(BUS)
        except FileNotFoundError:
            raise I2cUnusable(
                Message(
                    "I2C is switched off, and the expanders of this board hang on it. Type: sudo raspi-config nonint "
                    "do_i2c 0; then start the Raspberry Pi anew."
                )
            ) from None
        except PermissionError:
            raise I2cUnusable(
                Message(
                    "You may not use I2C, on which the expanders of this board hang, since you are not in the group "
                    "“i2c”. Type: sudo usermod -aG i2c $USER; then log out and in again."
                )
            ) from None
        except OSError as error:
            raise I2cUnusable(
                Message(
                    "I2C, on which the expanders of this board hang, cannot be opened: {reason}.",
                    reason=error.strerror or str(error),
                )
            ) from None

    def try_lock(self) -> bool:
        """Take the bus, once no other thread has it.

        :raises TimeoutError: another thread hangs in it. Adafruit's driver would ask again for ever.
        """
        if not self._lock.acquire(timeout=0 if self._given_up else PATIENCE_S):
            self._given_up = True
            raise TimeoutError("the I2C bus hangs")
        return True

    @property
    def given_up(self) -> bool:
        """Whether nothing is to be sent any more, since a transfer may take a second to fail."""
        return self._given_up

    def give_up(self) -> None:
        """Send nothing any more, and wait for no other thread."""
        self._given_up = True

    def unlock(self) -> None:
        """Give the bus back."""
        self._lock.release()

    def writeto(self, address: int, buffer: bytes | bytearray, *, start: int = 0, end: int | None = None) -> None:
        """Write bytes; none at all is a way to ask whether somebody is there.

        :raises OSError: nobody answers.
        """
        content = bytes(buffer[start:end])
        if content:
            self._bus.write_bytes(address, content)
        else:
            self._bus.write_quick(address)

    def readfrom_into(self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None) -> None:
        """Read as many bytes as there is room for.

        :raises OSError: nobody answers.
        """
        room = len(buffer[start:end])
        buffer[start : start + room] = self._bus.read_bytes(address, room)

    def writeto_then_readfrom(
        self,
        address: int,
        buffer_out: bytes | bytearray,
        buffer_in: bytearray,
        *,
        out_start: int = 0,
        out_end: int | None = None,
        in_start: int = 0,
        in_end: int | None = None,
    ) -> None:
        """Write the number of a register and read what is in it, with nothing between the two.

        :raises OSError: nobody answers.
        """
        room = len(buffer_in[in_start:in_end])
        content = self._bus.read_i2c_block_data(address, bytes(buffer_out[out_start:out_end]), room)
        buffer_in[in_start : in_start + room] = content

    def close(self) -> None:
        """Close the bus, once nobody uses it; one that hangs is closed all the same."""
        has_it = self._lock.acquire(timeout=0 if self._given_up else PATIENCE_S)
        with suppress(OSError):
            self._bus.close()
        if has_it:
            self._lock.release()
