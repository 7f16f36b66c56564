"""Taking pins and letting go of them, on gpiozero's mock factory."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from gpio_pins import PI, Wires
from popout.board.gpio import pins as pins_module
from popout.board.gpio.chips import Chip, Line
from popout.board.gpio.pins import RETRIES, PinBusy, Pins, PinUnusable
from popout.board.processes import Process

CHIP = Chip(0, Path("/dev/gpiochip0"), "pinctrl-bcm2711", 58)


class Listener:
    def __init__(self) -> None:
        self.edges: list[int] = []

    def heard(self, seconds: float, high: int) -> None:  # noqa: ARG002
        self.edges.append(high)


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pins_module, "RETRY_S", 0)


@pytest.mark.parametrize(
    ("pull", "pulled", "active"), [("up", "up", False), ("down", "down", True), ("none", "floating", False)]
)
def test_a_pin_is_pulled_and_counts_as_the_layout_says(pull: str, pulled: str, active: bool):
    pins = Pins(Wires(), "7x6-pi")
    device = pins.take("GPIO5", "column 1", pull=pull, closed="low")  # type: ignore[arg-type]
    assert device.pin.pull == pulled
    assert device.pin.function == "input"
    assert device._active_state == active
    pins.release(device)


def test_both_edges_are_heard_raw_until_the_pin_is_let_go_of():
    wires, listener = Wires(), Listener()
    pins = Pins(wires, "7x6-pi")
    device = pins.take("GPIO5", "column 1", pull="up", edge=listener.heard)
    assert device.pin.bounce is None
    wire = wires.wire("GPIO5")
    wire.force(False)
    wire.force(True)
    pins.release(device)
    wire.force(False)
    assert listener.edges == [0, 1]


def test_a_pin_that_was_let_go_of_can_be_taken_at_once_and_twice_does_no_harm():
    wires = Wires()
    pins = Pins(wires, "7x6-pi")
    for _ in range(3):
        device = pins.take("GPIO5", "column 1", pull="up")
        pins.release(device)
        pins.release(device)
    assert wires.reserved() == []
    assert not wires.pins


def test_a_pin_that_was_just_let_go_of_by_another_is_tried_again_g8():
    wires = Wires()
    wires.busy = {5: RETRIES - 1}
    pins = Pins(wires, "7x6-pi")
    pins.release(pins.take("GPIO5", "column 1", pull="up"))
    assert wires.busy == {5: 0}


def test_a_pin_that_another_program_holds_is_named_with_that_program_g8(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pins_module, "holders", lambda: (Process(812, "fan-control"), Process(900, "python3")))
    monkeypatch.setattr(pins_module, "line", lambda chip, offset: Line(f"GPIO{offset}", chip == CHIP, "fan"))
    wires = Wires()
    wires.busy = {17: 10_000}
    pins = Pins(wires, "7x6-pi")
    pins.chip = CHIP
    with pytest.raises(PinBusy) as caught:
        pins.take("GPIO17", "column 3", pull="up")
    assert str(caught.value) == (
        "Pin GPIO17 (column 3) is held by another program, known to the kernel as “fan”: stop it (of the programs that "
        "run, these hold pins: fan-control (812), python3 (900)), or give column 3 another pin in the layout 7x6-pi."
    )
    wires.busy = {}
    pins.release(pins.take("GPIO17", "column 3", pull="up"))


def test_a_pin_whose_holder_cannot_be_seen_is_named_with_what_the_kernel_says_g8_g15(monkeypatch: pytest.MonkeyPatch):
    """Field bugs G8 and G15: the pin is the SPI bus's since that was switched on."""
    monkeypatch.setattr(pins_module, "holders", lambda: ())
    monkeypatch.setattr(pins_module, "line", lambda _chip, offset: Line(f"GPIO{offset}", True, "spi0 CS0"))
    wires = Wires()
    wires.busy = {8: 10_000}
    pins = Pins(wires, "mine")
    pins.chip = CHIP
    with pytest.raises(PinBusy) as caught:
        pins.take("GPIO8", "menu", pull="up")
    assert str(caught.value) == (
        "Pin GPIO8 (menu) is held by another program or by the kernel itself, known as “spi0 CS0”: stop that program "
        "or switch that part off in /boot/firmware/config.txt, or give menu another pin in the layout mine."
    )


@pytest.mark.parametrize(
    ("cgroup", "way"),
    [
        ("0::/system.slice/popout.service\n", "as the service of the system. Stop it by “sudo systemctl stop popout”."),
        ("0::/user.slice/user-1000.slice\n", "in process 900. End it with Ctrl+C where it runs."),
    ],
)
def test_a_pin_that_another_popout_holds_is_told_with_the_way_to_stop_it_g8(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cgroup: str, way: str
):
    (tmp_path / "proc/900").mkdir(parents=True)
    (tmp_path / "proc/900/cgroup").write_text(cgroup, encoding="utf-8")
    monkeypatch.setattr(pins_module, "_ROOT", tmp_path)
    monkeypatch.setattr(pins_module, "holders", lambda: (Process(812, "fan-control"), Process(900, "popout")))
    monkeypatch.setattr(pins_module, "line", lambda *_: Line("GPIO17", True, "lg"))
    wires = Wires()
    wires.busy = {17: 10_000}
    pins = Pins(wires, "7x6-pi")
    pins.chip = CHIP
    with pytest.raises(PinBusy) as caught:
        pins.take("GPIO17", "column 3", pull="up")
    assert str(caught.value) == f"Pin GPIO17 (column 3) is in use: popout plays on this board already, {way}"


def test_a_pin_of_a_board_that_is_open_already_is_named():
    wires = Wires()
    pins = Pins(wires, "7x6-pi")
    device = pins.take("GPIO5", "column 1", pull="up")
    with pytest.raises(PinBusy) as caught:
        pins.take("GPIO5", "column 1", pull="up")
    assert str(caught.value) == "Pin GPIO5 (column 1) is in use already by this very program, which has a board open."
    pins.release(device)


def test_a_pin_that_cannot_be_pulled_as_the_layout_says_is_named():
    pins = Pins(Wires(), "mine")
    with pytest.raises(PinUnusable) as caught:
        pins.take("GPIO2", "menu", pull="down")
    assert str(caught.value) == (
        "Pin GPIO2 (menu) cannot be used: GPIO2 has a fixed pull resistor. Give menu another pin in the layout mine, "
        "or try again."
    )


def test_a_failed_claim_keeps_nothing_reserved_even_while_its_error_is_looked_at_g8():
    wires = Wires()
    wires.busy = {5: 10_000}
    pins = Pins(wires, PI.name)
    gc.disable()
    try:
        with pytest.raises(PinUnusable) as caught:
            pins.take("GPIO5", "column 1", pull="up")
        assert caught.value.__context__ is None
        assert wires.reserved() == []
    finally:
        gc.enable()


def test_an_edge_that_cannot_be_listened_to_leaves_the_pin_free(monkeypatch: pytest.MonkeyPatch):
    wires = Wires()

    def fail(wire: object) -> None:  # noqa: ARG001
        raise RuntimeError("'bad event request'")

    monkeypatch.setattr("gpio_pins.Wire._enable_event_detect", fail)
    pins = Pins(wires, "7x6-pi")
    with pytest.raises(PinUnusable):
        pins.take("GPIO5", "column 1", pull="up", edge=Listener().heard)
    assert wires.reserved() == []
    assert not wires.pins


def test_a_pin_whose_closing_fails_is_let_go_of_all_the_same(monkeypatch: pytest.MonkeyPatch):
    wires = Wires()
    pins = Pins(wires, "7x6-pi")
    device = pins.take("GPIO5", "column 1", pull="up")

    def fail(wire: object) -> None:  # noqa: ARG001
        raise RuntimeError("the chip is gone")

    monkeypatch.setattr("gpio_pins.Wire.close", fail)
    pins.release(device)
    assert device.closed
    assert wires.reserved() == []
