"""What contacts close to, what feeds what, and the legs of an expander that never change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from popout.board.layout import Layout
from popout.wiring.plan import plan
from popout.wiring.supplies import fed_by_the_computer, feeds, fixed_legs, rail
from popout.wiring.wishes import Wishes
from popout.wiring.writing import layout_text


@pytest.mark.parametrize(
    ("pull", "closed", "expected"),
    [
        ("up", "low", "GND"),
        ("up", "high", "GND"),
        ("down", "high", "3V3"),
        ("down", "low", "3V3"),
        ("none", "low", "GND"),
        ("none", "high", "3V3"),
    ],
)
def test_a_contact_closes_to_what_its_resistor_does_not_hold(pull, closed, expected: str):
    assert rail(replace(Layout.load("5x4"), pull=pull, closed=closed)) == expected


def test_few_lamps_are_fed_by_the_computer_and_many_are_not():
    few, many, none = Layout.load("5x4"), Layout.load("7x6-pi"), replace(Layout.load("5x4"), chain=None)

    assert [fed_by_the_computer(layout) for layout in (few, many, none)] == [True, False, False]
    assert {number: str(fed) for number, fed in feeds(few).items()} == {2: "the lamps' supply"}
    assert {number: str(fed) for number, fed in feeds(Layout.load("7x6-pico")).items()} == {40: "the lamps' supply"}
    assert feeds(many) == {}
    assert feeds(Layout.plain(2, 2)) == {}


def test_expanders_are_fed_by_the_computer(tmp_path: Path):
    file = tmp_path / "board.toml"
    file.write_text(layout_text(plan(Wishes(title="t", wiring="expanders"))), "utf-8")

    assert {number: str(fed) for number, fed in feeds(Layout.load(file)).items()} == {1: "the expanders' supply"}


def test_the_address_is_tied_at_the_legs_of_an_expander():
    assert fixed_legs(0x25) == {
        "VDD": "3.3 V",
        "VSS": "GND",
        "RESET": "3.3 V",
        "ADDR0": "3.3 V",
        "ADDR1": "GND",
        "ADDR2": "3.3 V",
    }
