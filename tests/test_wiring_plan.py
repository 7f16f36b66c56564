"""The pins that are chosen for a board: as on the shipped ones, then a matrix, expanders, and what to give up."""

from __future__ import annotations

from typing import Any

import pytest

from popout.board.contacts import crossing
from popout.board.layout import Layout
from popout.wiring.pinout import PI
from popout.wiring.plan import Plan, PlanImpossible, plan, ways
from popout.wiring.wishes import Wishes


def planned(**wishes: Any) -> Plan:
    return plan(Wishes(**wishes))


def refused(**wishes: Any) -> str:
    with pytest.raises(PlanImpossible) as refusal:
        planned(**wishes)
    return str(refusal.value)


@pytest.mark.parametrize(
    ("shipped", "wishes"),
    [
        ("7x6-pi", {}),
        ("5x4", {"columns": 5, "rows": 4, "lamps": "columns", "menu": False, "take_back": False}),
        ("7x6-pico", {"computer": "pico"}),
        ("7x6-club", {"computer": "pico", "second_row": True, "drop_beams": True}),
    ],
)
def test_the_answers_of_a_shipped_board_give_its_pins(shipped: str, wishes: dict[str, Any]):
    layout, made = Layout.load(shipped), planned(**wishes)

    assert made.switches == dict(layout.switches)
    assert made.lamps is not None
    if made.wishes.lamps == "cells":
        assert made.wishes.chain(made.lamps) == layout.chain


@pytest.mark.parametrize(
    ("shipped", "wishes"),
    [
        ("7x6-pi", Wishes()),
        ("5x4", Wishes(columns=5, rows=4, lamps="columns")),
        ("7x6-pico", Wishes(computer="pico")),
    ],
)
def test_the_supply_suits_the_lamps(shipped: str, wishes: Wishes):
    assert wishes.suitable_amperes() == Layout.load(shipped).milliamps / 1000


def test_neighbouring_columns_are_neighbours_on_the_header():
    places = [PI.pin(pin) for switch, pin in planned(columns=8).switches.items() if switch.startswith("column")]

    assert [place.number for place in places if place] == [29, 31, 33, 35, 37, 40, 38, 32]


def test_i2c_and_the_serial_port_stay_free_as_long_as_they_can():
    assert {"GPIO2", "GPIO3", "GPIO14", "GPIO15"} <= set(planned(columns=14).free)
    assert set(planned(columns=17).free) & {"GPIO2", "GPIO3", "GPIO14", "GPIO15"} == {"GPIO2"}


def test_lamps_on_spi_keep_the_whole_bus():
    """Field bug G15: the kernel has these pins while SPI is on."""
    made = planned(columns=18)

    assert made.lamps == "GPIO10"
    assert not {"GPIO7", "GPIO8", "GPIO9", "GPIO10", "GPIO11"} & {*made.switches.values(), *made.free}


def test_without_a_chain_the_bus_is_the_last_reserve():
    made = planned(columns=20, lamps="none")

    assert {"GPIO7", "GPIO8", "GPIO9"} <= set(made.switches.values())


def test_plain_leds_have_pins_of_their_own():
    on_a_pi, on_a_pico = planned(lamps="turns"), planned(lamps="turns", computer="pico")

    assert on_a_pi.leds is not None
    assert on_a_pico.leds is not None
    assert (on_a_pi.leds.red, on_a_pi.leds.yellow, on_a_pi.lamps) == ("GPIO17", "GPIO27", None)
    assert (on_a_pico.leds.red, on_a_pico.leds.yellow, on_a_pico.lamps) == ("GP16", "GP17", None)


def test_a_small_board_on_a_pico_can_grow():
    small, usual = planned(computer="pico", columns=4), planned(computer="pico")

    assert {small.switches[name] for name in ("bar", "menu", "take back")} == {"GP9", "GP10", "GP11"}
    assert small.switches.items() <= usual.switches.items()


def test_more_switches_than_pins_become_a_matrix():
    made = planned(columns=32)

    assert made.matrix is not None
    assert (len(made.matrix.rows), len(made.matrix.columns), made.matrix.diodes) == (6, 6, True)
    assert made.switches["column 1"] == "R1C1"
    assert made.switches["take back"] == "R6C4"
    assert str(made.told()) == (
        "The 34 switches are wired as a matrix: the buttons go between its 6 rows and 6 columns, each with a diode."
    )


def test_a_matrix_has_no_row_too_many():
    made = planned(columns=18, wiring="matrix")  # 20 buttons

    assert made.matrix is not None
    assert (len(made.matrix.rows), len(made.matrix.columns)) == (4, 5)


@pytest.mark.parametrize(
    "wishes", [{"columns": 1, "menu": False, "take_back": False}, {"columns": 32}, {"pop_beams": True}]
)
def test_the_bar_is_never_in_the_matrix(wishes: dict[str, Any]):
    """It can stand open: at a crossing it would keep the matrix scanning."""
    made = planned(wiring="matrix", **wishes)

    assert made.matrix is not None
    assert made.switches["bar"] == "GPIO16"
    assert "GPIO16" not in (*made.matrix.rows, *made.matrix.columns, *made.free)


def test_only_the_buttons_are_counted_as_switches_of_the_matrix():
    made = planned(columns=9, pop_beams=True, wiring="matrix")

    assert sum(crossing(pin) is not None for pin in made.switches.values()) == 11
    assert str(made.told()).startswith("The 11 switches are wired as a matrix:")


def test_beams_are_never_in_the_matrix():
    made = planned(columns=12, second_row=True, drop_beams=True, lamps="turns")

    assert made.matrix is not None
    assert all(made.switches[f"drop sensor {column}"].startswith("GPIO") for column in range(1, 13))


def test_expanders_have_addresses_and_interrupts_of_their_own():
    made = planned(columns=32, wiring="expanders")

    assert [(each.address, each.interrupt) for each in made.expanders] == [
        (0x20, "GPIO17"),
        (0x21, "GPIO27"),
    ]
    assert made.switches["column 15"] == "X2.A0"
    assert made.switches["bar"] == "GPIO16"
    assert str(made.told()) == "The 35 switches are wired to the Pi's pins and to 2 MCP23017 expanders on I2C."


@pytest.mark.parametrize(
    ("wishes", "chips", "on_pins"),
    [
        ({"columns": 15, "second_row": True, "drop_beams": True, "wiring": "matrix"}, 1, ["bar", "drop sensor 15"]),
        ({"columns": 15, "wiring": "expanders"}, 1, ["column 15", "bar", "menu", "take back"]),
        (
            {"columns": 12, "second_row": True, "drop_beams": True, "pop_beams": True, "wiring": "expanders"},
            3,
            ["bar", "menu", "take back", *(f"pop sensor {column}" for column in range(7, 13))],
        ),
    ],
)
def test_free_pins_are_taken_before_another_expander(wishes: dict[str, Any], chips: int, on_pins: list[str]):
    made = planned(**wishes)

    assert len(made.expanders) == chips
    assert [switch for switch, pin in made.switches.items() if pin.startswith("GPIO")] == on_pins


def test_an_expander_is_not_saved_at_the_price_of_pins_that_are_missed_elsewhere():
    made = planned(columns=29, wiring="expanders")  # 15 columns and 3 others would need the serial port

    assert len(made.expanders) == 2
    assert {"GPIO14", "GPIO15"} <= set(made.free)


def test_nothing_is_read_from_the_legs_that_can_only_be_outputs():
    pins = planned(columns=32, wiring="expanders").switches.values()

    assert not [pin for pin in pins if pin.endswith(("A7", "B7"))]


def test_a_matrix_and_expanders_together():
    made = planned(columns=20, second_row=True, drop_beams=True, pop_beams=True, lamps="none", take_back=False)

    assert made.matrix is not None
    assert len(made.expanders) == 3
    assert str(made.told()) == (
        "Of the 82 switches the buttons go between the 6 rows and 7 columns of a matrix, each with a diode, and the "
        "beams to 3 MCP23017 expanders on I2C."
    )
    assert str(planned(columns=15, second_row=True, drop_beams=True).told()) == (
        "Of the 48 switches the buttons go between the 6 rows and 6 columns of a matrix, each with a diode, and the "
        "beams to the Pi's pins and to 1 MCP23017 expander on I2C."
    )


def test_a_pin_each_says_how_many_are_left():
    assert str(planned().told()) == "Each of the 10 switches has a pin of its own; 11 pins are left."
    assert str(planned(computer="pico", second_row=True, drop_beams=True).told()) == (
        "Each of the 24 switches has a pin of its own; 1 pin is left."
    )


def test_there_is_a_choice_only_with_more_switches_than_pins():
    assert ways(Wishes()) == ()
    assert ways(Wishes(columns=32, wiring="matrix")) == ()
    matrix, expanders = ways(Wishes(columns=32))
    assert matrix.matrix is not None
    assert expanders.expanders


@pytest.mark.parametrize(
    ("wishes", "sentence"),
    [
        (
            {"columns": 32, "second_row": True, "drop_beams": True, "pop_beams": True},
            "There are not enough pins for the 131 switches of this board. It can be wired if one of these is given "
            "up: pop-beams, drop-beams, second-row.",
        ),
        (
            {"computer": "pico", "columns": 32},
            "A Pico has not enough pins for the 35 switches of this board. A Raspberry Pi can read them.",
        ),
        (
            {"columns": 26, "wiring": "pins"},
            "There are not enough pins for the 29 switches of this board. With all that is wanted it can have 18 "
            "columns at the most.",
        ),
        (
            {"computer": "pico", "wiring": "matrix"},
            "A Pico reads one pin a switch, no matrix and no expanders. Choose another wiring, or a Raspberry Pi.",
        ),
    ],
)
def test_what_cannot_be_had_says_what_to_give_up(wishes: dict[str, Any], sentence: str):
    assert refused(**wishes) == sentence


def test_what_it_says_to_give_up_is_enough():
    too_much: dict[str, Any] = {"columns": 32, "second_row": True, "drop_beams": True, "pop_beams": True}

    for extra in ("pop_beams", "drop_beams", "second_row"):
        assert planned(**{**too_much, extra: False}).switches
    assert len(planned(columns=18, wiring="pins").switches) == 21
    refused(columns=19, wiring="pins")
