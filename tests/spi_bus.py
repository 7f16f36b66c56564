"""A stand-in for the kernel's side of an SPI device: what the real library hands to the last call is taken here."""

from __future__ import annotations

import array
import ctypes
import struct
from pathlib import Path

import pytest

TRANSFER = struct.Struct("=QQIIHBBxxxx")
WRITE_MODE, READ_MODE, WRITE_BITS, WRITE_SPEED = 0x40016B01, 0x80016B01, 0x40016B03, 0x40046B04
SEND = 0x40206B00


class SpiKernel:
    """Takes what is sent on the device, and fails as a kernel does when it is told to."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.speed = 0
        self.mode = 3  # as another program may have left it
        self.bits = 0
        self.error: OSError | None = None

    def ioctl(self, _handle: int, request: int, argument: object, _mutate: bool = False) -> int:
        """What `fcntl.ioctl` does on such a device."""
        if request == READ_MODE:
            assert isinstance(argument, array.array)
            argument[0] = self.mode
        elif request == WRITE_MODE:
            (self.mode,) = struct.unpack("=B", argument)
        elif request == WRITE_BITS:
            (self.bits,) = struct.unpack("=B", argument)
        elif request == WRITE_SPEED:
            (self.speed,) = struct.unpack("=I", argument)
        elif request == SEND:
            if self.error is not None:
                raise self.error
            address, _, length, _, _, _, _ = TRANSFER.unpack(argument)
            self.sent.append(ctypes.string_at(address, length))
        else:
            raise AssertionError(f"no such request of an SPI device: {request:#x}")
        return 0

    @property
    def picture(self) -> bytes:
        """What was sent last, as the lamps read it: the bytes of their colours."""
        return colours_of(self.sent[-1])


def colours_of(sent: bytes) -> bytes:
    """The bytes of colour in what was sent on the bus: a bit of them is one byte, between times of low level."""
    bits = sent.strip(b"\0")
    assert set(bits) <= {0b11000000, 0b11110000}, "a pulse that is neither a 0 nor a 1"
    assert len(bits) % 8 == 0
    number = int(bits.translate(bytes.maketrans(b"\xc0\xf0", b"01")) or b"0", 2)
    return number.to_bytes(len(bits) // 8, "big")


def made(root: Path, monkeypatch: pytest.MonkeyPatch, *, buffer: int = 4096) -> SpiKernel:
    """A device `dev/spidev0.0` under `root`, and what takes its calls."""
    from Adafruit_PureIO import spi

    kernel = SpiKernel()
    monkeypatch.setattr(spi, "ioctl", kernel.ioctl)
    (root / "dev").mkdir()
    (root / "dev/spidev0.0").touch()
    (root / "sys/module/spidev/parameters").mkdir(parents=True)
    (root / "sys/module/spidev/parameters/bufsiz").write_text(f"{buffer}\n")
    return kernel
