"""Lamps on a pin, by PWM and by the Pi 5's PIO: the real libraries as far as the last call that needs a Pi."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import lamp_wires

DARK = "00" * 33


def done(way, what):
    """What `pin_lamps` found, in a process of its own."""
    ran = subprocess.run(
        [sys.executable, "-W", "error", Path(__file__).with_name("pin_lamps.py"), way, what],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return json.loads(ran.stdout)


@pytest.mark.parametrize("way", ["pwm", "pio"])
def test_each_lamp_gets_its_colour_whatever_way_the_chain_runs(way):
    """L3: every byte is compared, for all ways to wire a board, all orders of colours and all shipped boards."""
    found = done(way, "compare")
    assert found["wrong"] == []
    assert found["compared"] == 4 * 384 + sum(len(list(lamp_wires.shipped(order))) for order in lamp_wires.ORDERS)


def test_a_board_that_the_library_for_pwm_does_not_know_is_played_without_lamps():
    """L4: it said that the revision is not supported, and at the next picture or the clean-up the process crashed."""
    found = done("pwm", "refused")
    assert found["none"]
    assert found["said"] == [
        "The lamps stay dark: PWM on GPIO13 could not be opened (ws2811_init failed with code -3 (Hardware revision is "
        "not supported)). Type “popout doctor”, which looks for the cause."
    ]
    assert found["held"] == []
    assert found["later"], "a later start must not stumble over what the failed one left"


@pytest.mark.parametrize(
    ("way", "pin", "said"),
    [
        (
            "pwm",
            13,
            "The lamps are driven by PWM on GPIO13, with rights of root. The Pi's headphone jack cannot be used "
            "meanwhile; with the lamps on GPIO10 it could.",
        ),
        ("pio", 5, "The lamps are driven by the Pi 5's PIO on GPIO5, which needs no rights of root."),
    ],
)
def test_lamps_are_dark_from_the_start_and_at_the_end_and_the_pin_is_let_go_of(way, pin, said):
    """L6: what stayed lit from a crash goes dark, and so does a board that is closed, to its last lamp."""
    found = done(way, "closing")
    assert found.pop("waited") >= 64 * 8 / 800_000, "64 bytes are on their way when the Pi 5's library returns"
    assert found == {"said": [said], "first": DARK, "held": [pin], "last": DARK, "left": []}
