"""The wires of a board: in the order of the header, with where they end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from popout.board.layout import Layout
from popout.wiring.connections import Connection, connections
from popout.wiring.plan import plan
from popout.wiring.wishes import Wishes
from popout.wiring.writing import layout_text

Make = Callable[..., Layout]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def of(change: Callable[[str], str] = str, **wishes: object) -> Layout:
        file = tmp_path / "board.toml"
        file.write_text(change(layout_text(plan(Wishes(title="Test board", **wishes)))), "utf-8")
        return Layout.load(file)

    return of


def told(layout: Layout) -> list[str]:
    return [f"{wire.told()} {wire.pin} {wire.place.number if wire.place else '-'}" for wire in connections(layout)]


def by_name(layout: Layout) -> dict[str, Connection]:
    return {wire.name: wire for wire in connections(layout)}


def test_wires_are_told_along_the_header():
    assert told(Layout.load("5x4")) == [
        "lamps' data GPIO10 19",
        "column 1 GPIO5 29",
        "column 2 GPIO6 31",
        "column 3 GPIO13 33",
        "column 4 GPIO19 35",
        "bar GPIO16 36",
        "column 5 GPIO26 37",
    ]


def test_a_matrix_has_its_lines_and_its_crossings(make: Make):
    assert told(make(columns=3, wiring="matrix", lamps="none", menu=False, take_back=False)) == [
        "matrix column 1 GPIO5 29",
        "matrix column 2 GPIO6 31",
        "matrix row 1 GPIO13 33",
        "matrix row 2 GPIO19 35",
        "bar GPIO16 36",
        "column 1 R1C1 -",
        "column 2 R1C2 -",
        "column 3 R2C1 -",
    ]


def test_an_expander_has_its_bus_its_interrupt_and_its_legs(make: Make):
    assert told(make(columns=2, wiring="expanders", lamps="turns", menu=False, take_back=False)) == [
        "I2C data GPIO2 3",
        "I2C clock GPIO3 5",
        "red LED GPIO17 11",
        "yellow LED GPIO27 13",
        "interrupt of expander 1 GPIO22 15",
        "bar GPIO16 36",
        "column 1 X1.A0 21",
        "column 2 X1.A1 22",
    ]


def test_pulls_and_levels_are_those_of_the_layout(make: Make):
    usual = by_name(make())["bar"]
    turned = by_name(make(lambda text: text.replace("[switches]", '[switches]\npull = "down"\ninverted = ["bar"]')))

    assert (usual.pull, usual.closed) == ("up", "low")
    assert (turned["column 1"].pull, turned["column 1"].closed) == ("down", "high")
    assert (turned["bar"].pull, turned["bar"].closed) == ("down", "low")
    assert (turned["lamps"].pull, turned["lamps"].closed) == ("none", None)


def test_what_hangs_on_a_wire_is_a_sentence_of_its_own_for_each_kind(make: Make):
    """So that each can be said in another language."""
    layout = make(columns=1, lamps="turns", powers=True, second_row=True, drop_beams=True, pop_beams=True)
    sentences = {wire.told().text for wire in connections(layout)}

    assert sentences == {
        *("column {column}", "yellow column {column}", "drop sensor {column}", "pop sensor {column}"),
        *("bar", "menu", "take back", "anvil", "bomb", "wall", "x2", "red LED", "yellow LED"),
    }
    assert [str(wire.told()) for wire in connections(layout) if wire.kind in ("switch", "led")] == [
        wire.name for wire in connections(layout) if wire.kind in ("switch", "led")
    ]


def test_without_a_known_driver_no_place_is_known(make: Make):
    layout = make(lambda text: text.replace('driver = "gpio"', 'driver = ""'), lamps="none")

    assert all(wire.place is None for wire in connections(layout))


def test_a_board_without_wires_has_none_of_the_lamps_either():
    assert "lamps" not in by_name(Layout.plain(3, 2))
