"""Switches on MCP23017 expanders: Adafruit's real driver over our bus, and below it the registers of chips."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from gpio_pins import PI, Ear, Lights, Wires, listening
from popout.board.contacts import Expander
from popout.board.driver import BoardLost
from popout.board.gpio.driver import WATCH_MS, GpioBoard
from popout.board.gpio.expander import AGAIN_MS, SETTLED_MS, ExpanderMissing
from popout.board.gpio.i2c import I2cBus, I2cUnusable
from popout.board.switches import SwitchEvent
from turned_clock import TurnedLoop

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


@pytest.fixture(autouse=True)
def bus(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[FakeSmbus]]:
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


def test_the_chip_is_set_up_for_the_pins_that_the_layout_names(bus: type[FakeSmbus]):
    with GpioBoard(LAYOUT, pin_factory=Wires(LAYOUT), lamps=Lights()) as board:
        chip = bus.chips[0x20]
        used = 1 << 0 | 1 << 6 | 1 << 8
        assert chip.word(IODIR) == 0xFFFF
        assert chip.word(IPOL) == 0
        assert chip.word(GPPU) == used
        assert chip.word(GPINTEN) == used
        assert chip.word(INTCON) == 0, "compared with what was read before"
        assert chip.registers[IOCON] & 0b0100_0000, "either interrupt output tells of both ports"
        assert chip.registers[IOCON] & 0b0000_0100, "and only ever pulls down"
        assert set(board.levels()) == set(LAYOUT.switches)
    assert chip.word(GPINTEN) == 0, "it tells of nothing any more"
    assert bus.closed == 1


def test_no_resistor_is_switched_on_where_the_layout_has_an_outer_one(bus: type[FakeSmbus]):
    layout = replace(LAYOUT, pull="none")
    with GpioBoard(layout, pin_factory=Wires(layout), lamps=Lights()):
        assert bus.chips[0x20].word(GPPU) == 0


@pytest.mark.parametrize(
    ("switch", "chip", "bit"), [("column 1", 0, 0), ("column 2", 0, 6), ("column 3", 0, 8), ("column 4", 1, 14)]
)
def test_a_press_is_heard_with_the_time_of_the_interrupt(switch: str, chip: int, bit: int, bus: type[FakeSmbus]):
    async def story(ear: Ear) -> None:
        pressed = wired(ear, bus)[chip]
        await ear.wait(1000)
        at = ear.now
        loop = asyncio.get_running_loop()
        assert isinstance(loop, TurnedLoop)
        for high in (False, True):
            pressed.set(bit, high)
            loop.turn(0.01)  # so late are the ports read
            await ear.wait(50)
        await ear.wait(1000)
        assert ear.heard == [(switch, True), (switch, False)]
        assert [event.time - at for event in ear.events] == pytest.approx([0, 60], abs=0.5)
        assert ear.wires.wire("GPIO17").state, "the interrupt line is released"

    listening(story, LAYOUT)


def test_an_idle_expander_is_not_read_but_for_the_watch(bus: type[FakeSmbus]):
    async def story(ear: Ear) -> None:
        chip, _ = wired(ear, bus)
        await ear.wait(1000)
        reads = chip.reads
        await ear.wait(10 * WATCH_MS)
        assert chip.reads - reads <= 10

    listening(story, LAYOUT)


def test_a_change_while_the_ports_are_being_read_is_not_lost(bus: type[FakeSmbus]):
    async def story(ear: Ear) -> None:
        chip, _ = wired(ear, bus)
        await ear.wait(1000)

        def meanwhile(register: int) -> None:
            chip.on_read = lambda _register: None
            assert register == GPIO
            tells, chip.tells = chip.tells, lambda _low: None  # the line is low already, and stays so
            chip.set(8, False)
            chip.tells = tells

        chip.on_read = meanwhile
        chip.set(0, False)
        await ear.wait(AGAIN_MS + 1)
        assert ear.heard == [("column 1", True), ("column 3", True)]
        assert ear.wires.wire("GPIO17").state

    listening(story, LAYOUT)


def test_a_change_that_nobody_told_of_is_found_by_the_second_reading_g2(bus: type[FakeSmbus]):
    async def story(ear: Ear) -> None:
        chip, _ = wired(ear, bus)
        await ear.wait(1000)
        chip.set(0, False)
        await ear.wait(1)
        chip.levels |= 1  # let go of, and the interrupt is lost
        await ear.wait(SETTLED_MS + 1)
        assert ear.heard == [("column 1", True), ("column 1", False)]

    listening(story, LAYOUT)


def test_a_change_that_nobody_told_of_is_found_by_the_watch_g2(bus: type[FakeSmbus]):
    async def story(ear: Ear) -> None:
        _, chip = wired(ear, bus)
        await ear.wait(1000)
        chip.levels &= ~(1 << 14)
        await ear.wait(WATCH_MS + 100)
        assert ear.heard == [("column 4", True)]

    listening(story, LAYOUT)


def test_an_interrupt_whose_edge_was_lost_is_found_when_the_table_reads_the_levels_g2(bus: type[FakeSmbus]):
    async def story(ear: Ear) -> None:
        chip, _ = wired(ear, bus)
        await ear.wait(1000)
        tells, chip.tells = chip.tells, lambda low: ear.wires.wire("GPIO17").force(not low, silently=True)
        chip.set(0, False)
        chip.tells = tells
        assert not ear.board.levels()["column 1"]
        await ear.wait(1)
        assert ear.heard == [("column 1", True)]

    listening(story, LAYOUT)


def test_a_switch_held_at_the_start_is_in_the_levels_and_makes_no_event_g13(bus: type[FakeSmbus]):
    bus.chips[0x27].levels &= ~(1 << 14)

    async def story(ear: Ear) -> None:
        _, chip = wired(ear, bus)
        assert ear.board.levels()["column 4"]
        await ear.wait(10_000)
        assert ear.events == []
        chip.set(14, True)
        await ear.wait(10)
        assert ear.heard == [("column 4", False)]

    listening(story, LAYOUT)


def test_levels_are_read_while_nobody_listens(bus: type[FakeSmbus]):
    async def story(ear: Ear) -> None:
        chip, _ = wired(ear, bus)
        for closed in (True, False):
            chip.set(0, not closed)
            assert ear.board.levels()["column 1"] is closed

    listening(story, LAYOUT, listen=False)


def test_a_level_counts_the_other_way_round_where_the_layout_says_so(bus: type[FakeSmbus]):
    async def story(ear: Ear) -> None:
        chip, _ = wired(ear, bus)
        assert ear.board.levels()["column 2"]
        chip.set(6, False)
        await ear.wait(1)
        assert ear.heard == [("column 2", False)]

    listening(story, replace(LAYOUT, inverted=frozenset({"column 2"})))


def test_the_ports_are_read_beside_the_event_loop(bus: type[FakeSmbus]):
    threads: set[threading.Thread] = set()

    async def read(board: GpioBoard, chip: Mcp23017) -> SwitchEvent:
        events = board.events()
        task = asyncio.ensure_future(anext(events))
        await asyncio.sleep(0)
        chip.on_read = lambda _register: threads.add(threading.current_thread())
        chip.set(0, False)
        async with asyncio.timeout(20):
            found = await task
        await events.aclose()
        return found

    wires = Wires(LAYOUT)
    with GpioBoard(LAYOUT, pin_factory=wires, lamps=Lights()) as board:
        chip = bus.chips[0x20]
        chip.tells = lambda low: wires.wire("GPIO17").force(not low)
        assert asyncio.run(read(board, chip)).switch == "column 1"
    assert threading.main_thread() not in threads


def test_closing_while_the_ports_are_being_read_is_no_loss(bus: type[FakeSmbus], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("popout.board.gpio.i2c.PATIENCE_S", 0.01)

    async def story(ear: Ear) -> None:
        chip, _ = wired(ear, bus)
        await ear.wait(1000)
        chip.on_read = lambda _register: ear.board.close()
        chip.set(0, False)
        await ear.wait(100)
        assert ear.ended
        assert ear.error is None

    listening(story, LAYOUT)


def test_a_disturbance_on_the_bus_is_tried_again(bus: type[FakeSmbus]):
    async def story(ear: Ear) -> None:
        chip, _ = wired(ear, bus)
        await ear.wait(1000)
        chip.failing = 2
        chip.set(0, False)
        await ear.wait(10)
        assert ear.heard == [("column 1", True)]

    listening(story, LAYOUT)


def test_an_expander_that_goes_silent_is_a_board_that_is_lost(bus: type[FakeSmbus]):
    async def story(ear: Ear) -> None:
        wired(ear, bus)
        await ear.wait(1000)
        del bus.chips[0x27]
        await ear.wait(WATCH_MS + 100)
        assert isinstance(ear.error, BoardLost)
        assert str(ear.error) == (
            "Expander X2 does not answer at address 0x27 of the I2C bus. Look at its wires and its supply, and at the "
            "address that its pins A0 to A2 give it."
        )

    listening(story, LAYOUT)


def test_an_expander_that_is_not_there_is_named_and_nothing_stays_open(bus: type[FakeSmbus]):
    del bus.chips[0x27]
    wires = Wires(LAYOUT)
    with pytest.raises(ExpanderMissing) as caught:
        GpioBoard(LAYOUT, pin_factory=wires, lamps=Lights())
    assert str(caught.value).startswith("Expander X2 does not answer at address 0x27 of the I2C bus.")
    assert wires.reserved() == []
    assert bus.closed == 1
    bus.chips[0x27] = Mcp23017()
    GpioBoard(LAYOUT, pin_factory=wires, lamps=Lights()).close()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError(2, "No such file"), "I2C is switched off, and the expanders of this board hang on it."),
        (PermissionError(13, "No"), "You may not use I2C, on which the expanders of this board hang,"),
        (OSError(5, "Input/output error"), "I2C, on which the expanders of this board hang, cannot be opened: Input/"),
    ],
)
def test_a_bus_that_cannot_be_opened_says_why_and_what_to_type(
    error: OSError, said: str, monkeypatch: pytest.MonkeyPatch
):
    def fail(bus: int) -> None:  # noqa: ARG001
        raise error

    monkeypatch.setattr("Adafruit_PureIO.smbus.SMBus", fail)
    wires = Wires(LAYOUT)
    with pytest.raises(I2cUnusable) as caught:
        GpioBoard(LAYOUT, pin_factory=wires, lamps=Lights())
    assert str(caught.value).startswith(said)
    assert wires.reserved() == []


def test_a_bus_that_hangs_is_closed_all_the_same(bus: type[FakeSmbus], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("popout.board.gpio.i2c.PATIENCE_S", 0.01)
    hanging = I2cBus()
    assert hanging.try_lock()
    with pytest.raises(TimeoutError):
        hanging.try_lock()
    hanging.close()
    assert bus.closed == 1
