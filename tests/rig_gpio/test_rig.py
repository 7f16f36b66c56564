"""The rig itself: it is a Raspberry Pi to those who look, its lines move, and nothing of the host can be written."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from types import ModuleType

import gpiozero
import pytest
from hands import Edge, Hands, contact

from popout.board.gpio import chips, machine
from rig.gpio.chips import Chip

# One for each test: a line that was let go of is busy for a moment.
LINE, BUTTON, PULLED, OUTPUT = 5, 6, 13, 19


@pytest.fixture
def lgpio() -> ModuleType:
    """The library, imported where it can make its pipe."""
    with chdir(tempfile.gettempdir()):
        import lgpio
    return lgpio


def test_it_is_a_raspberry_pi_4_with_its_chip(chip: Chip):
    assert machine.look() == machine.Machine("Raspberry Pi 4 Model B Rev 1.1", 4)
    found = chips.header_chip()
    assert found is not None
    assert (found.path, found.label, found.lines) == (chip.device, "pinctrl-bcm2711", 28)
    assert chips.line(found, LINE).name == "GPIO5"


def test_the_files_of_the_host_cannot_be_written():
    with pytest.raises(OSError, match="Read-only file system"):
        (Path(__file__).parent / "note").write_text("")


def test_every_edge_of_a_bouncing_contact_comes_with_its_time(lgpio: ModuleType, chip: Chip, hands: Hands):
    heard = []
    handle = lgpio.gpiochip_open(chip.number)
    lgpio.gpio_claim_alert(handle, LINE, lgpio.BOTH_EDGES, lgpio.SET_PULL_UP)
    hearing = lgpio.callback(handle, LINE, lgpio.BOTH_EDGES, lambda *edge: heard.append(edge))

    moved = hands.do(contact(LINE, 0, True, random.Random(1)) + contact(LINE, 100, False, random.Random(2)))

    _wait_until(lambda: len(heard) == len(moved))
    hearing.cancel()
    lgpio.gpiochip_close(handle)
    assert [level for _, _, level, _ in heard] == [0, 1] * (len(moved) // 2)
    # The kernel's own times: after the wire began to move, and before the next move.
    for (before, after), (_, _, _, at_ns) in zip(moved, heard, strict=True):
        assert before <= at_ns / 1e6 <= after


@pytest.mark.usefixtures("lgpio")
def test_a_button_of_gpiozero_is_pressed_and_let_go(chip: Chip, hands: Hands):
    from gpiozero.pins.lgpio import LGPIOFactory

    heard = []
    factory = LGPIOFactory(chip=chip.number)
    with gpiozero.Button(BUTTON, pin_factory=factory) as button:
        button.when_pressed = lambda: heard.append("pressed")
        button.when_released = lambda: heard.append("released")
        assert not button.is_pressed
        hands.do([Edge(0, BUTTON, False)])
        _wait_until(lambda: heard == ["pressed"])
        assert button.is_pressed
        hands.do([Edge(0, BUTTON, True)])
        _wait_until(lambda: heard == ["pressed", "released"])
    assert factory.board_info.model == "4B"


def test_a_pull_of_whoever_claims_a_line_outweighs_the_finger_and_no_pull_does_not(
    lgpio: ModuleType, chip: Chip, hands: Hands
):
    """What this rig differs in from a Pi, where a button to ground outweighs the pull."""
    hands.do([Edge(0, PULLED, False)])
    handle = lgpio.gpiochip_open(chip.number)
    try:
        lgpio.gpio_claim_input(handle, PULLED, lgpio.SET_PULL_NONE)
        assert lgpio.gpio_read(handle, PULLED) == 0
        lgpio.gpio_free(handle, PULLED)
        lgpio.gpio_claim_input(handle, PULLED, lgpio.SET_PULL_UP)
        assert lgpio.gpio_read(handle, PULLED) == 1
    finally:
        lgpio.gpiochip_close(handle)
    assert chip.level(PULLED)


def test_an_output_can_be_seen_from_outside(lgpio: ModuleType, chip: Chip):
    handle = lgpio.gpiochip_open(chip.number)
    try:
        lgpio.gpio_claim_output(handle, OUTPUT, 1)
        assert chip.level(OUTPUT)
        lgpio.gpio_write(handle, OUTPUT, 0)
        assert not chip.level(OUTPUT)
    finally:
        lgpio.gpiochip_close(handle)


def _wait_until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.002)
