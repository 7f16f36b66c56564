"""The lamps on the SPI bus, by the real library as far as the call of the kernel."""

from dataclasses import replace
from random import Random

import msgspec
import pytest

import lamp_wires
import spi_bus
from popout.board.frame import Frame
from popout.board.gpio.lamps import open_lamps
from popout.board.gpio.machine import Machine
from popout.board.gpio.route import spi_bytes
from popout.board.gpio.spi import SpiBus, SpiStrip
from popout.board.layout import Layout
from popout.board.power import within_limits

PI_3 = Machine("Raspberry Pi 3 Model B Rev 1.2", 3)


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    return spi_bus.made(tmp_path, monkeypatch, buffer=65536)


def sent_of(layout, frame, root, kernel):
    """The last picture, once it was shown."""
    lamps, remarks = open_lamps(layout, PI_3, pin_factory=None, root=root)
    assert "SPI" in str(remarks[0])
    lamps.show(frame)
    lamps.close(dark=False)
    return kernel.picture


@pytest.mark.parametrize("order", lamp_wires.ORDERS)
def test_each_lamp_gets_its_colour_whatever_way_the_chain_runs(order, tmp_path, kernel):
    """L3: the order of the colours is a setting. Every byte is compared, for all 384 ways to wire such a board."""
    for name, layout, expected in lamp_wires.chains(order):
        assert sent_of(layout, lamp_wires.FRAME, tmp_path, kernel) == expected, name


@pytest.mark.parametrize("order", lamp_wires.ORDERS)
def test_each_lamp_of_the_shipped_boards_gets_its_colour(order, tmp_path, kernel):
    boards = list(lamp_wires.shipped(order))
    assert len(boards) >= 4
    for name, layout, frame, expected in boards:
        assert sent_of(layout, frame, tmp_path, kernel) == expected, name


def test_the_line_is_low_before_the_first_lamp_and_after_the_last_one(tmp_path, kernel):
    """L5: where the line rests high, the first lamp was green; a WS2812B of today wants 280 µs for the end."""
    strip = SpiStrip(tmp_path / "dev/spidev0.0", 4096, 3, "grb")
    strip.send([0xFFFFFF] * 3)
    strip.close()
    sent = kernel.sent[-1]
    low = 280e-6 * 6_250_000 / 8  # bytes, at the clock that a Pi makes of the one asked for
    assert len(sent) - len(sent.lstrip(b"\0")) >= low
    assert len(sent) - len(sent.rstrip(b"\0")) >= low
    assert len(sent) == spi_bytes(3, 3)


def test_the_longest_chain_leaves_in_one_piece(tmp_path, kernel):
    """L5: cut in pieces, the rest of the chain began again at its first lamp."""
    layout = Layout.plain(32, 32)
    chain = msgspec.structs.replace(layout.chain, pin="GPIO10", order="rgbw")
    layout = replace(layout, chain=chain)
    sent_of(layout, Frame.dark(32, 32), tmp_path, kernel)
    assert {len(sent) for sent in kernel.sent} == {spi_bytes(1058, 4)} == {34_336}


def test_clock_and_mode_are_set_anew_for_each_picture(tmp_path, kernel):
    strip = SpiStrip(tmp_path / "dev/spidev0.0", 4096, 1, "grb")
    kernel.speed, kernel.mode, kernel.bits = 500_000, 1, 16  # another program used the bus
    strip.send([0])
    strip.close()
    assert (kernel.speed, kernel.mode, kernel.bits) == (6_400_000, 0, 8)


def test_a_lamp_reads_the_pulses_right_at_the_clocks_that_pis_have():
    """L5: what the clock really is: that of the core, divided by an even number that makes it no faster than asked."""
    for core in (250e6, 400e6, 500e6, 200e6):  # up to the Pi 2, 3, 4, and the Pi 5's own
        divisor = next(number for number in range(2, 1000, 2) if core / number <= 6_400_000)
        clock = core / divisor
        zero, one, bit = (count / clock for count in (2, 4, 8))
        assert 0.2e-6 <= zero <= 0.5e-6
        assert 0.58e-6 <= one <= 1.0e-6
        assert bit <= 2.5e-6


def test_lamps_with_white_take_no_more_than_the_supply_gives(tmp_path, kernel):
    """L8: the limit is worked out for three colours; what leaves for four of them stays within it."""
    chance = Random(8)
    for order in lamp_wires.ORDERS:
        layout = next(layout for _, layout, _ in lamp_wires.chains(order))
        layout = replace(layout, milliamps=300.0, brightness=0.7)
        for _ in range(20):
            colours = [chance.choice((0xFFFFFF, chance.getrandbits(24))) for _ in range(11)]
            frame = Frame((tuple(colours[:2]), tuple(colours[2:4]), tuple(colours[4:6])), tuple(colours[6:9]), (1, 2))
            sent = sent_of(layout, within_limits(frame, layout), tmp_path, kernel)
            assert sum(sent) / 255 * layout.channel_milliamps + 11 * layout.idle_milliamps <= 300
            assert max(sent) <= int(0.7 * 255 + 0.5)


def test_a_device_that_does_not_take_the_first_picture_is_closed_again(tmp_path, kernel, monkeypatch):
    closed = []
    monkeypatch.setattr(SpiBus, "close", lambda bus: closed.append(bus))
    kernel.error = OSError(22, "Invalid argument")
    with pytest.raises(OSError, match="Invalid argument"):
        SpiStrip(tmp_path / "dev/spidev0.0", 4096, 3, "grb")
    assert closed


@pytest.mark.usefixtures("kernel")
def test_the_bus_may_be_closed_twice(tmp_path):
    bus = SpiBus(tmp_path / "dev/spidev0.0", 4096)
    bus.close()
    bus.close()
