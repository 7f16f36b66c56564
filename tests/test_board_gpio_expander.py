"""Switches on MCP23017 expanders: Adafruit's real driver over our bus, and below it the registers of chips."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

import pytest

from expander_chips import (
    GPINTEN,
    GPIO,
    GPPU,
    INTCON,
    IOCON,
    IODIR,
    IPOL,
    LAYOUT,
    FakeSmbus,
    Mcp23017,
    fake_bus,
    wired,
)
from gpio_pins import Ear, Lights, Wires, listening
from popout.board.driver import BoardLost
from popout.board.gpio.driver import WATCH_MS, GpioBoard
from popout.board.gpio.expander import AGAIN_MS, SETTLED_MS, ExpanderMissing
from popout.board.switches import SwitchEvent
from turned_clock import TurnedLoop


@pytest.fixture(autouse=True)
def bus(monkeypatch: pytest.MonkeyPatch) -> type[FakeSmbus]:
    return fake_bus(monkeypatch)


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


@pytest.mark.parametrize("break_it", ["silent", "levels"])
def test_a_board_that_was_lost_sends_nothing_more_on_its_bus(break_it: str, bus: type[FakeSmbus]):
    """Each transfer on a bus that hangs takes a second, and the game waits meanwhile."""

    async def story(ear: Ear) -> None:
        first, second = wired(ear, bus)
        await ear.wait(1000)
        second.failing = 10_000
        if break_it == "silent":
            await ear.wait(WATCH_MS + 100)
            assert isinstance(ear.error, BoardLost)
        else:
            assert ear.reading is not None
            ear.reading.cancel()
            await asyncio.gather(ear.reading, return_exceptions=True)
            ear.reading = None
            with pytest.raises(BoardLost):
                ear.board.levels()
        asked = (first.asked, second.asked)
        ear.board.close()
        assert (first.asked, second.asked) == asked
        assert bus.closed == 1

    listening(story, LAYOUT)


def test_a_bus_that_fails_while_the_board_is_closed_is_left_alone_from_then_on(bus: type[FakeSmbus]):
    first, second = bus.chips[0x20], bus.chips[0x27]
    board = GpioBoard(LAYOUT, pin_factory=Wires(LAYOUT), lamps=Lights())
    first.failing = second.failing = 10_000
    asked = second.asked
    board.close()
    assert second.asked == asked
    assert bus.closed == 1
