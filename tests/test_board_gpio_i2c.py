"""The I2C bus of the header: why it cannot be opened, and one that hangs."""

from __future__ import annotations

import pytest

from expander_chips import LAYOUT, FakeSmbus, fake_bus
from gpio_pins import Lights, Wires
from popout.board.gpio.driver import GpioBoard
from popout.board.gpio.i2c import I2cBus, I2cUnusable


@pytest.fixture(autouse=True)
def bus(monkeypatch: pytest.MonkeyPatch) -> type[FakeSmbus]:
    return fake_bus(monkeypatch)


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


def test_a_bus_that_was_given_up_is_waited_for_no_more(bus: type[FakeSmbus], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("popout.board.gpio.i2c.PATIENCE_S", 1e6)  # it would take days
    hanging = I2cBus()
    assert hanging.try_lock()
    hanging.give_up()
    with pytest.raises(TimeoutError):
        hanging.try_lock()
    hanging.close()
    assert bus.closed == 1


def test_a_bus_that_hangs_is_closed_all_the_same(bus: type[FakeSmbus], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("popout.board.gpio.i2c.PATIENCE_S", 0.01)
    hanging = I2cBus()
    assert hanging.try_lock()
    with pytest.raises(TimeoutError):
        hanging.try_lock()
    hanging.close()
    assert bus.closed == 1
