"""What must leave on the lamps' wire, worked out apart from the program: by drawings, and by a place's own formula."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path

from popout.board.chain import CellLamps, Chain, ColumnLamps, TurnLamps
from popout.board.frame import Frame
from popout.board.layout import Layout

BOARDS = Path(__file__).parent.parent / "hardware/boards"
ORDERS = ("rgb", "grb", "rgbw", "grbw")

# A board of three columns and two rows: when the wire comes to each cell, seen from the front.
CELLS = {
    ("bottom left", "column", True): "2 3 6 / 1 4 5",
    ("bottom left", "column", False): "2 4 6 / 1 3 5",
    ("bottom left", "row", True): "6 5 4 / 1 2 3",
    ("bottom left", "row", False): "4 5 6 / 1 2 3",
    ("bottom right", "column", True): "6 3 2 / 5 4 1",
    ("bottom right", "column", False): "6 4 2 / 5 3 1",
    ("bottom right", "row", True): "4 5 6 / 3 2 1",
    ("bottom right", "row", False): "6 5 4 / 3 2 1",
    ("top left", "column", True): "1 4 5 / 2 3 6",
    ("top left", "column", False): "1 3 5 / 2 4 6",
    ("top left", "row", True): "1 2 3 / 6 5 4",
    ("top left", "row", False): "1 2 3 / 4 5 6",
    ("top right", "column", True): "5 4 1 / 6 3 2",
    ("top right", "column", False): "5 3 1 / 6 4 2",
    ("top right", "row", True): "3 2 1 / 4 5 6",
    ("top right", "row", False): "3 2 1 / 6 5 4",
}
COLUMNS = {"left": "1 2 3", "right": "3 2 1"}
TURNS = {"red": "1 2", "yellow": "2 1"}

# Every lamp in a colour of its own; the turn lamps and a cell are grey, which lamps with white make of their white.
FRAME = Frame(
    cells=((0x110022, 0x120023), (0x210044, 0x404040), (0x310066, 0x320067)),
    columns=(0x00A1FF, 0x00A2FE, 0x00A3FD),
    turns=(0x555555, 0x666666),
)
FRONT = (((0x120023, 0x404040, 0x320067), (0x110022, 0x210044, 0x310066)), FRAME.columns, FRAME.turns)
"""The same, as the drawings are: the upper row of cells and the lower one, the columns, the turn lamps."""


def chains(order: str) -> Iterator[tuple[str, Layout, bytes]]:
    """Every way to wire that board: a name, its layout, and the bytes that `FRAME` is on the wire."""
    for parts in permutations(("cells", "columns", "turns")):
        for cells, cells_drawn in CELLS.items():
            for columns, columns_drawn in COLUMNS.items():
                for turns, turns_drawn in TURNS.items():
                    in_order = {
                        "cells": _in_order(cells_drawn, (*FRONT[0][0], *FRONT[0][1])),
                        "columns": _in_order(columns_drawn, FRONT[1]),
                        "turns": _in_order(turns_drawn, FRONT[2]),
                    }
                    made = {
                        "cells": CellLamps(start=cells[0], along=cells[1], serpentine=cells[2]),
                        "columns": ColumnLamps(start=columns),
                        "turns": TurnLamps(start=turns),
                    }
                    chain = Chain(pin="GPIO10", order=order, parts=tuple(made[part] for part in parts))
                    expected = wire([colour for part in parts for colour in in_order[part]], order)
                    yield f"{order} {parts} {cells} {columns} {turns}", with_chain(3, 2, chain), expected


def shipped(order: str) -> Iterator[tuple[str, Layout, Frame, bytes]]:
    """Every shipped board with lamps: its name, its layout, a frame, and the bytes that this is on the wire."""
    for path in sorted(BOARDS.glob("*.toml")):
        layout = Layout.load(path.stem)
        if layout.chain is None:
            continue
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        columns, rows = table["columns"], table["rows"]
        frame = numbered(columns, rows)
        places: dict[tuple[int, int], int] = {}  # (part, place in it): colour
        for number, part in enumerate(table["lamps"]["parts"]):
            if part["kind"] == "cells":
                for column in range(columns):
                    for row in range(rows):
                        places[number, _place(part, column, row, columns, rows)] = frame.cells[column][row]
            elif part["kind"] == "columns":
                for column in range(columns):
                    at = column if part["start"] == "left" else columns - 1 - column
                    places[number, at] = frame.columns[column]
            else:
                places[number, part["start"] != "red"] = frame.turns[0]
                places[number, part["start"] == "red"] = frame.turns[1]
        chain = Chain(pin="GPIO10", order=order, parts=layout.chain.parts)
        colours = [places[place] for place in sorted(places)]
        yield f"{path.stem} {order}", with_chain(columns, rows, chain), frame, wire(colours, order)


def wire(colours: list[int], order: str) -> bytes:
    """The colours of the lamps as bytes. A lamp with white shows grey by it alone."""
    sent = bytearray()
    for colour in colours:
        levels = dict(zip("rgb", colour.to_bytes(3, "big"), strict=True)) | {"w": 0}
        if "w" in order and levels["r"] == levels["g"] == levels["b"]:
            levels = {"r": 0, "g": 0, "b": 0, "w": levels["r"]}
        sent += bytes(levels[letter] for letter in order)
    return bytes(sent)


def numbered(columns: int, rows: int) -> Frame:
    """A frame in which no two lamps have the same colour."""
    cells = tuple(tuple((column + 1) << 16 | (row + 1) << 8 for row in range(rows)) for column in range(columns))
    return Frame(cells, tuple(0x80 + column for column in range(columns)), (0x0F0F0F, 0xF00000))


def with_chain(columns: int, rows: int, chain: Chain) -> Layout:
    """A board with these lamps."""
    return replace(Layout.plain(columns, rows), chain=chain)


def _in_order(drawn: str, colours: tuple[int, ...]) -> list[int]:
    numbers = [int(number) for number in drawn.replace("/", " ").split()]
    return [colour for _, colour in sorted(zip(numbers, colours, strict=True))]


def _place(part: dict[str, object], column: int, row: int, columns: int, rows: int) -> int:
    corner = str(part["start"])
    across = columns - 1 - column if "right" in corner else column
    up = rows - 1 - row if "top" in corner else row
    run, step, length = (across, up, rows) if part["along"] == "column" else (up, across, columns)
    return run * length + (length - 1 - step if part["serpentine"] and run % 2 else step)
