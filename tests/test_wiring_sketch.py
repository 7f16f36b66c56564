"""Wiring drawn in letters, compared whole."""

from __future__ import annotations

from typing import Literal

import pytest

from popout.board.chain import CellLamps, CellPlace, Corner
from popout.board.layout import Layout
from popout.wiring import sketch
from popout.wiring.plan import plan
from popout.wiring.wishes import Wishes
from popout.wiring.writing import layout_text

Along = Literal["column", "row"]


def way(columns: int, rows: int, *, symbols: bool = True, **cells: object) -> str:
    usual = {"start": "bottom left", "along": "column", "serpentine": True}
    lamps = CellLamps(**{**usual, **cells})  # type: ignore[arg-type]
    return "\n" + "\n".join(sketch.wire_way(lamps, columns, rows, symbols=symbols)) + "\n"


def test_the_header_with_what_goes_where():
    assert sketch.computer(Layout.load("5x4"), str) == [
        "                3V3  ( 1) ( 2)  5V  the lamps' supply",
        "              GPIO2  ( 3) ( 4)  5V",
        "              GPIO3  ( 5) ( 6)  GND",
        "              GPIO4  ( 7) ( 8)  GPIO14",
        "                GND  ( 9) (10)  GPIO15",
        "             GPIO17  (11) (12)  GPIO18",
        "             GPIO27  (13) (14)  GND",
        "             GPIO22  (15) (16)  GPIO23",
        "                3V3  (17) (18)  GPIO24",
        "lamps' data  GPIO10  (19) (20)  GND",
        "              GPIO9  (21) (22)  GPIO25",
        "             GPIO11  (23) (24)  GPIO8",
        "                GND  (25) (26)  GPIO7",
        "              GPIO0  (27) (28)  GPIO1",
        "    column 1  GPIO5  (29) (30)  GND",
        "    column 2  GPIO6  (31) (32)  GPIO12",
        "   column 3  GPIO13  (33) (34)  GND",
        "   column 4  GPIO19  (35) (36)  GPIO16  bar",
        "   column 5  GPIO26  (37) (38)  GPIO20",
        "                GND  (39) (40)  GPIO21",
    ]


def test_an_expander_with_what_goes_where(tmp_path):
    file = tmp_path / "board.toml"
    file.write_text(layout_text(plan(Wishes(title="t", columns=9, wiring="expanders"))), "utf-8")

    layout = Layout.load(file)
    lines = sketch.expander(layout, 1, str)

    assert lines[0] == "column 8  B0  ( 1) (28)  A7"
    assert lines[1] == "column 9  B1  ( 2) (27)  A6  column 7"
    assert lines[8:] == [
        "  3.3 V  VDD  ( 9) (20)  INTA  GPIO17",
        "    GND  VSS  (10) (19)  INTB",
        "          NC  (11) (18)  RESET  3.3 V",
        "  GPIO3  SCL  (12) (17)  ADDR2  GND",
        "  GPIO2  SDA  (13) (16)  ADDR1  GND",
        "          NC  (14) (15)  ADDR0  GND",
    ]
    assert sketch.computer(layout, str)[0].lstrip() == "the expanders' supply  3V3  ( 1) ( 2)  5V"


def test_a_driver_that_is_not_known_has_no_header():
    assert sketch.computer(Layout.plain(2, 2), str) == []


def test_the_lamps_by_their_numbers():
    assert sketch.chain_numbers(Layout.load("7x6-pi"), str) == [
        " 6  7 18 19 30 31 42",
        " 5  8 17 20 29 32 41",
        " 4  9 16 21 28 33 40",
        " 3 10 15 22 27 34 39",
        " 2 11 14 23 26 35 38",
        " 1 12 13 24 25 36 37",
        "",
        "49 48 47 46 45 44 43",
        "",
        "Turn lamps: red 50, yellow 51",
    ]


def test_the_way_of_the_wire_up_and_down():
    assert way(3, 3) == (
        """
o───o   E
│   │   │
o   o   o
│   │   │
S   o───o
"""
    )


def test_the_way_of_the_wire_along_rows_from_the_top_right_in_plain_letters():
    assert way(3, 2, start="top right", along="row", symbols=False) == (
        """
o---o---S
|
o---o---E
"""
    )


def test_a_wire_that_starts_each_run_at_the_same_edge_has_no_turns():
    assert way(2, 2, serpentine=False) == (
        """
o   E
│   │
S   o
"""
    )


def test_a_single_lamp_is_its_own_beginning():
    assert way(1, 1) == "\nS\n"


@pytest.mark.parametrize(("columns", "width"), [(12, 45), (13, 41), (32, 45)])
def test_a_large_board_is_drawn_small(columns: int, width: int):
    lines = sketch.wire_way(CellLamps(start="bottom left", along="row", serpentine=True), columns, 32, symbols=True)

    assert len(lines) == 23
    assert max(map(len, lines)) == width


@pytest.mark.parametrize("along", ["column", "row"])
@pytest.mark.parametrize("start", ["bottom left", "top right"])
@pytest.mark.parametrize(("columns", "rows"), [(12, 13), (13, 12), (13, 13), (14, 32), (31, 5)])
def test_a_wire_that_is_drawn_small_ends_in_its_corner(columns: int, rows: int, start: Corner, along: Along):
    cells = CellLamps(start=start, along=along, serpentine=True)
    *_, last = cells.places(columns, rows)
    assert isinstance(last, CellPlace)

    lines = sketch.wire_way(cells, columns, rows, symbols=True)
    width = max(map(len, lines))

    assert lines[0 if last.row == rows else -1].ljust(width)[-1 if last.column == columns else 0] == "E"


def test_a_drawing_is_smaller_only_where_the_board_is_too_large():
    assert sketch.drawn_size(12, 1) == (12, 1)
    assert sketch.drawn_size(13, 32) == (11, 12)
