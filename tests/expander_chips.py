"""MCP23017 expanders as registers, below Adafruit's real driver and our bus, and a board on two of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gpio_pins import PI, Ear
from popout.board.contacts import Expander

IODIR, IPOL, GPINTEN, INTCON, IOCON, GPPU, INTF, INTCAP, GPIO = 0x00, 0x02, 0x04, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12

LAYOUT = replace(
    PI,
    name="expanded",
    switches={
        "column 1": "X1.A0",
        "column 2": "X1.A6",
        "column 3": "X1.B0",
        "column 4": "X2.B6",
        "bar": "GPIO16",
    },
    expanders=(Expander(address=0x20, interrupt="GPIO17"), Expander(address=0x27, interrupt="GPIO27")),
)


class Mcp23017:
    """The registers of one chip, as its data sheet has them, with interrupts on change and both outputs joined."""

    def __init__(self) -> None:
        self.registers = bytearray(0x16)
        self.registers[IODIR] = self.registers[IODIR + 1] = 0xFF
        self.levels = 0xFFFF
        self._before = 0xFFFF
        self.tells: Callable[[bool], None] = lambda _low: None
        self.on_read: Callable[[int], None] = lambda _register: None
        self.failing = 0
        self.reads = 0
        self.asked = 0

    def word(self, register: int) -> int:
        return self.registers[register] | self.registers[register + 1] << 8

    def set(self, bit: int, high: bool) -> None:
        """Let a pin become high or low."""
        self.levels = self.levels | 1 << bit if high else self.levels & ~(1 << bit)
        changed = (self.levels ^ self._before) & self.word(GPINTEN)
        flags = self.word(INTF) | changed
        self.registers[INTF], self.registers[INTF + 1] = flags & 0xFF, flags >> 8
        self.tells(bool(flags))

    def write(self, register: int, content: bytes) -> None:
        self._answer()
        self.registers[register : register + len(content)] = content

    def read(self, register: int, length: int) -> bytes:
        self._answer()
        self.reads += 1
        found = bytearray()
        for number in range(register, register + length):
            if number in (GPIO, GPIO + 1):
                shift = 8 * (number - GPIO)
                mask = 0xFF << shift
                self._before = self._before & ~mask | self.levels & mask
                self.registers[number] = self.levels >> shift & 0xFF
                self.registers[INTF + number - GPIO] = 0
            found.append(self.registers[number])
        self.on_read(register)
        self.tells(bool(self.word(INTF)))
        return bytes(found)

    def _answer(self) -> None:
        self.asked += 1
        if self.failing:
            self.failing -= 1
            raise OSError(121, "Remote I/O error")


class FakeSmbus:
    """The kernel's device of the bus, with chips on it."""

    chips: dict[int, Mcp23017]
    closed = 0

    def __init__(self, bus: int) -> None:
        assert bus == 1

    def _chip(self, address: int) -> Mcp23017:
        if address not in self.chips:
            raise OSError(121, "Remote I/O error")
        return self.chips[address]

    def write_quick(self, address: int) -> None:
        self._chip(address)

    def write_bytes(self, address: int, content: bytes) -> None:
        self._chip(address).write(content[0], content[1:])

    def read_bytes(self, address: int, length: int) -> bytes:
        return self._chip(address).read(0, length)

    def read_i2c_block_data(self, address: int, register: bytes, length: int) -> bytes:
        return self._chip(address).read(register[0], length)

    def close(self) -> None:
        type(self).closed += 1


def fake_bus(monkeypatch: pytest.MonkeyPatch) -> type[FakeSmbus]:
    """Put a bus with two chips in place of the kernel's."""
    # Off a Pi, Blinka below Adafruit's driver refuses to be imported without it.
    monkeypatch.setenv("BLINKA_OS_AGNOSTIC", "1")

    class Bus(FakeSmbus):
        chips = {0x20: Mcp23017(), 0x27: Mcp23017()}  # noqa: RUF012 - one for each test

    monkeypatch.setattr("Adafruit_PureIO.smbus.SMBus", Bus)
    return Bus


def wired(ear: Ear, bus: type[FakeSmbus]) -> tuple[Mcp23017, Mcp23017]:
    """Let the interrupt outputs of the chips reach the Pi."""
    first, second = bus.chips[0x20], bus.chips[0x27]
    first.tells = lambda low: ear.wires.wire("GPIO17").force(not low)
    second.tells = lambda low: ear.wires.wire("GPIO27").force(not low)
    return first, second
