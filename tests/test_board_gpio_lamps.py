"""The lamps of the Pi's own board, opened as the driver opens them."""

import asyncio
import subprocess
import sys
from dataclasses import replace

import msgspec
import pytest

import spi_bus
from gpio_pins import Lights
from popout.board.contacts import Leds
from popout.board.frame import Frame
from popout.board.gpio.lamps import BothLamps, ChainLamps, NoLamps, open_lamps
from popout.board.gpio.leds import TurnLeds
from popout.board.gpio.machine import NO_PI, Machine
from popout.board.gpio.writer import wait_for_the_last
from popout.board.layout import Layout
from waiting import until

PI_4 = Machine("Raspberry Pi 4 Model B Rev 1.4", 4)
PI_5 = Machine("Raspberry Pi 5 Model B Rev 1.0", 5)
LIT = Frame(((0x010203,),), (0x040506,), (0x070809, 0x0A0B0C))
SENT = bytes((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12))
SPI = "The lamps are driven by SPI on GPIO10, which needs no rights of root."


@pytest.fixture
def factory():
    from gpiozero.pins.mock import MockFactory

    made = MockFactory()
    yield made
    made.close()


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    return spi_bus.made(tmp_path, monkeypatch)


def on(pin="GPIO10", **others):
    """A board of one cell with every kind of lamp."""
    plain = Layout.plain(1, 1)
    return replace(plain, chain=msgspec.structs.replace(plain.chain, pin=pin, order="rgb"), **others)


def said(remarks):
    return [str(remark) for remark in remarks]


def test_a_board_without_lamps_plays(factory):
    lamps, remarks = open_lamps(replace(on(), chain=None), PI_4, pin_factory=factory)
    assert isinstance(lamps, NoLamps)
    assert remarks == ()
    lamps.show(LIT)
    lamps.close(dark=True)


def test_what_is_shown_leaves_on_the_wire_and_the_board_is_dark_before_and_after(tmp_path, kernel):
    """L6: dark at the start, since a crash may have left them lit, and dark at the end."""
    lamps, remarks = open_lamps(on(), PI_5, pin_factory=None, root=tmp_path)
    assert said(remarks) == [SPI]
    assert kernel.picture == bytes(12)
    lamps.show(LIT)
    lamps.close(dark=True)
    assert kernel.picture == bytes(12)
    lamps.close(dark=True)
    lamps.show(LIT)
    assert kernel.picture == bytes(12)


def test_lamps_that_are_closed_without_waiting_go_dark_meanwhile(tmp_path, kernel):
    lamps, _ = open_lamps(on(), PI_5, pin_factory=None, root=tmp_path)
    lamps.show(LIT)
    lamps.close(dark=True, wait=False)
    wait_for_the_last()
    assert kernel.picture == bytes(12)
    two = Lights(), Lights()
    BothLamps(*two).close(dark=True, wait=False)
    assert [lights.waited for lights in two] == [[False], [False]]


def test_the_last_picture_stays_if_it_is_to_stay(tmp_path, kernel):
    lamps, _ = open_lamps(on(), PI_5, pin_factory=None, root=tmp_path)
    lamps.show(LIT)
    lamps.close(dark=False)
    assert kernel.picture == SENT
    lamps.close(dark=True)
    assert kernel.picture == SENT


def test_a_picture_that_was_lost_comes_again(tmp_path, kernel):
    """L7: nothing is new, and yet it is sent a second time."""
    lamps, _ = open_lamps(on(), PI_5, pin_factory=None, root=tmp_path, repeat=0.001)
    lamps.show(LIT)
    asyncio.run(until(lambda: [spi_bus.colours_of(sent) for sent in kernel.sent].count(SENT) >= 3))
    lamps.close(dark=False)


@pytest.mark.usefixtures("kernel")
def test_a_clock_that_is_not_steady_is_said_beside_the_way(tmp_path):
    """L5: only where SPI is the way."""
    lamps, remarks = open_lamps(on(), PI_4, pin_factory=None, root=tmp_path)
    lamps.close(dark=True)
    assert said(remarks)[0] == SPI
    assert "core_freq_fixed=1" in said(remarks)[1]


def test_a_board_whose_lamps_cannot_be_had_plays_and_says_why(tmp_path):
    """L2, L4: no lamps are no reason to stop."""
    for machine in (NO_PI, PI_4, PI_5):
        lamps, remarks = open_lamps(on(), machine, pin_factory=None, root=tmp_path)
        assert isinstance(lamps, NoLamps)
        assert said(remarks) == [
            "The lamps stay dark: SPI, which drives them on GPIO10, is switched off. Type “sudo raspi-config nonint "
            "do_spi 0” and restart the Pi."
        ]


def test_a_device_that_fails_when_it_is_opened_is_said(tmp_path, kernel):
    kernel.error = OSError(90, "Message too long")
    lamps, remarks = open_lamps(on(), PI_5, pin_factory=None, root=tmp_path)
    assert isinstance(lamps, NoLamps)
    assert said(remarks) == [
        "The lamps stay dark: SPI on GPIO10 could not be opened ([Errno 90] Message too long). Type “popout doctor”, "
        "which looks for the cause."
    ]


def test_a_device_that_fails_later_is_logged_and_the_game_goes_on(tmp_path, kernel, caplog):
    lamps, _ = open_lamps(on(), PI_5, pin_factory=None, root=tmp_path)
    kernel.error = OSError(5, "Input/output error")
    lamps.show(LIT)
    lamps.close(dark=False)
    assert "The lamps cannot be lit ([Errno 5] Input/output error)." in caplog.text


def test_two_leds_are_the_lamps_of_a_board_without_a_chain(factory):
    board = replace(on(), chain=None, leds=Leds(red="GPIO17", yellow="GPIO27"))
    lamps, remarks = open_lamps(board, PI_4, pin_factory=factory)
    assert isinstance(lamps, TurnLeds)
    assert remarks == ()
    lamps.show(Frame(((0,),), (0,), (0xFF0000, 0)))
    assert factory.pin(17).state
    assert not factory.pin(27).state
    lamps.close(dark=True)


def test_leds_shine_beside_a_chain(factory, tmp_path, kernel):
    board = on(leds=Leds(red="GPIO17", yellow="GPIO27"))
    board = replace(board, chain=msgspec.structs.replace(board.chain, parts=board.chain.parts[:2]))
    lamps, remarks = open_lamps(board, PI_5, pin_factory=factory, root=tmp_path)
    assert isinstance(lamps, BothLamps)
    assert said(remarks) == [SPI]
    lamps.show(replace(LIT, turns=(0, 0xFFB000)))
    assert factory.pin(27).state
    lamps.close(dark=False)
    assert kernel.picture == SENT[:6]
    assert factory.pin(27).function == "input"


@pytest.mark.usefixtures("kernel")
def test_leds_on_a_pin_that_is_taken_leave_the_chain_to_shine(factory, tmp_path):
    from gpiozero import LED

    board = on(leds=Leds(red="GPIO17", yellow="GPIO27"))
    with LED(17, pin_factory=factory):
        lamps, remarks = open_lamps(board, PI_5, pin_factory=factory, root=tmp_path)
    lamps.close(dark=True)
    assert isinstance(lamps, ChainLamps)
    assert said(remarks)[1].startswith("The turn lamps on GPIO17 and GPIO27 stay dark, since they cannot be opened: ")
    assert said(remarks)[1].endswith(". Look with “popout doctor” who uses these pins.")


def test_no_package_of_the_hardware_is_imported_for_a_board_without_lamps():
    code = (
        "import sys; from popout.board.gpio import lamps, machine; from popout.board.layout import Layout; "
        "from dataclasses import replace; board = replace(Layout.plain(7, 6), chain=None); "
        "lamps.open_lamps(board, machine.NO_PI, pin_factory=None); "
        "print(*sorted({'gpiozero', 'lgpio', 'neopixel', 'neopixel_spi', 'board', 'busio', 'Adafruit_PureIO'} "
        "& set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "\n"
