"""What the firmware gets to know of a board, and the fingerprint by which the host knows it again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from popout.board.contacts import Leds
from popout.board.layout import Layout
from popout.board.serial.description import LayoutNotForPico, canonical, description, digest

PICO = Layout.load("7x6-pico")


def layout(folder: Path, *lines: str) -> Layout:
    """A board of two columns and one row with these further lines in its file."""
    file = folder / "small.toml"
    head = ('title = "Small"', 'driver = "serial"', "columns = 2", "rows = 1")
    file.write_text("\n".join((*head, *lines)), "utf-8")
    return Layout.load(file)


def test_a_board_is_described():
    assert description(PICO) == {
        "digest": digest(PICO),
        "name": "7x6-pico",
        "title": "7x6 board on a Pico",
        "pull": "up",
        "switches": [
            *({"name": f"column {n}", "pin": n + 1, "closed": 0, "rests": False, "disc": False} for n in range(1, 8)),
            {"name": "bar", "pin": 9, "closed": 0, "rests": True, "disc": False},
            {"name": "menu", "pin": 10, "closed": 0, "rests": False, "disc": False},
            {"name": "take back", "pin": 11, "closed": 0, "rests": False, "disc": False},
        ],
        "lamps": {
            "pin": 16,
            "count": 51,
            "order": "grb",
            "brightness": 0.5,
            "milliamps": 400,
            "channel_milliamps": 20,
            "idle_milliamps": 1,
        },
        "leds": None,
        "picture": 51,
    }


def test_switches_are_in_the_order_of_the_layout():
    assert [switch["name"] for switch in description(PICO)["switches"]] == list(PICO.switches)


def test_levers_and_beams_are_moved_by_discs_and_an_inverted_bar_is_closed_when_high(tmp_path: Path):
    told = description(
        layout(
            tmp_path,
            'actuation = "disc"',
            "[switches]",
            'columns = ["GP2", "GP3"]',
            'bar = "GP4"',
            'pop_sensors = ["GP5", "GP26"]',
            'pull = "none"',
            'inverted = ["bar"]',
        )
    )

    assert told["pull"] == "none"
    assert [tuple(switch.values()) for switch in told["switches"]] == [
        ("column 1", 2, 0, False, True),
        ("column 2", 3, 0, False, True),
        ("pop sensor 1", 5, 0, False, True),
        ("pop sensor 2", 26, 0, False, True),
        ("bar", 4, 1, True, False),
    ]
    assert (told["lamps"], told["leds"], told["picture"]) == (None, None, 0)


def test_plain_turn_leds_are_the_last_two_lamps_of_a_picture(tmp_path: Path):
    told = description(
        layout(
            tmp_path,
            'actuation = "button"',
            "[switches]",
            'columns = ["GP2", "GP3"]',
            'bar = "GP4"',
            "[lamps]",
            'pin = "GP16"',
            'order = "grbw"',
            "[[lamps.parts]]",
            'kind = "columns"',
            'start = "left"',
            "[leds]",
            'red = "GP17"',
            'yellow = "GP18"',
            'lit = "low"',
            "[supply]",
            "milliamps = 100.5",
        )
    )

    assert told["leds"] == {"red": 17, "yellow": 18, "lit": 0}
    assert (told["lamps"]["count"], told["lamps"]["order"], told["lamps"]["milliamps"]) == (2, "grbw", 100.5)
    assert told["picture"] == 4


def test_a_digest_is_eight_digits_and_the_same_in_every_run():
    assert digest(PICO) == "457f842b"


@pytest.mark.parametrize(
    "other",
    [
        replace(PICO, milliamps=401),
        replace(PICO, closed="high"),
        replace(PICO, switches={**PICO.switches, "bar": "GP22"}),
        replace(PICO, switches=dict(reversed(PICO.switches.items()))),
        replace(PICO, leds=Leds(red="GP17", yellow="GP18")),
    ],
    ids=("supply", "level", "pin", "order", "leds"),
)
def test_another_board_has_another_digest(other: Layout):
    assert digest(other) != digest(PICO)


def test_a_whole_number_is_the_same_however_it_is_written():
    assert digest(replace(PICO, milliamps=400)) == digest(replace(PICO, milliamps=400.0))


def test_the_same_description_is_the_same_bytes():
    told = description(PICO)

    assert canonical(dict(reversed(told.items()))) == canonical(told)


def test_a_layout_for_a_raspberry_pi_is_refused():
    with pytest.raises(LayoutNotForPico) as caught:
        description(Layout.load("7x6-pi"))

    assert str(caught.value) == (
        "The layout “7x6-pi” is for the driver “gpio”, whose pins a Pico does not have. Choose a layout for the driver "
        "“serial”, such as 7x6-pico."
    )


def test_a_board_without_wires_is_refused():
    with pytest.raises(LayoutNotForPico) as caught:
        digest(Layout.plain(7, 6))

    assert str(caught.value) == (
        "The layout “7x6” does not say which pins of a Pico its switches and lamps are on. Choose a layout for the "
        "driver “serial”, such as 7x6-pico."
    )


def test_a_board_that_is_called_something_else_has_the_same_digest():
    assert digest(replace(PICO, name="mine", title="Another")) == digest(PICO)
