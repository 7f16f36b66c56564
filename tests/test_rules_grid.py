"""Lines: every one is found, nothing else is, on any size, and two sizes do not disturb each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.rules import Cell, Drop, Game, Line, Position, RuleSet
from popout.rules.grid import Grid, grid

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

SIZES = [
    *((7, 6, connect) for connect in range(2, 8)),
    *((6, 7, connect) for connect in (2, 4, 7)),
    *((columns, rows, connect) for columns, rows in product((1, 2, 3, 5), repeat=2) for connect in (2, 3, 5)),
    (1, 1, 2), (4, 4, 5), (1, 32, 4), (32, 1, 4), (2, 32, 32), (32, 3, 17), (9, 9, 5), (12, 10, 4), (16, 16, 8),
    (8, 8, 4), (31, 32, 6), (32, 31, 12), (32, 32, 4), (32, 32, 17), (32, 32, 32),
]  # fmt: skip


def formula(columns: int, rows: int, connect: int) -> int:
    """r(c-n+1) + c(r-n+1) + 2(c-n+1)(r-n+1), a negative term counting as none."""
    across, up = max(0, columns - connect + 1), max(0, rows - connect + 1)
    return rows * across + columns * up + 2 * across * up


def windows(columns: int, rows: int, connect: int) -> Iterator[Line]:
    """Every straight run of exactly `connect` cells, found by walking over cells."""
    for column, row, (step_column, step_row) in product(range(1, columns + 1), range(1, rows + 1), DIRECTIONS):
        window = tuple((column + step * step_column, row + step * step_row) for step in range(connect))
        if all(1 <= each_column <= columns and 1 <= each_row <= rows for each_column, each_row in window):
            yield window


def bits(shape: Grid, cells: Iterable[Cell]) -> int:
    return sum(shape.bit(column, row) for column, row in cells)


@pytest.mark.parametrize(("columns", "rows", "connect"), SIZES)
def test_there_are_as_many_lines_as_the_formula_says_and_none_is_shorter(columns: int, rows: int, connect: int) -> None:
    shape = grid(columns, rows, connect)
    found = 0
    for window in windows(columns, rows, connect):
        discs = bits(shape, window)
        assert shape.has_line(discs), window
        assert not any(shape.has_line(discs ^ shape.bit(*cell)) for cell in window), window
        found += 1
    assert found == formula(columns, rows, connect)


@pytest.mark.parametrize(
    ("columns", "rows", "connect"), [size for size in SIZES if size[0] * size[1] <= 81 or size[2] == 32]
)
def test_each_line_is_reported_with_exactly_its_cells(columns: int, rows: int, connect: int) -> None:
    shape = grid(columns, rows, connect)
    for window in windows(columns, rows, connect):
        assert [sorted(line) for line in shape.lines(bits(shape, window))] == [sorted(window)]


@pytest.mark.parametrize(
    ("columns", "rows", "connect"),
    [(3, 3, 1), (3, 3, 2), (3, 3, 3), (4, 3, 3), (3, 4, 3), (12, 1, 4), (1, 12, 4), (2, 6, 3), (6, 2, 3), (2, 2, 3)],
)
def test_every_set_of_discs_of_a_small_grid_has_a_line_exactly_if_a_line_is_in_it(
    columns: int, rows: int, connect: int
) -> None:
    shape = grid(columns, rows, connect)
    masks = [bits(shape, window) for window in windows(columns, rows, connect)]
    cells = list(product(range(1, columns + 1), range(1, rows + 1)))
    for number in range(1 << len(cells)):
        discs = bits(shape, {cell for place, cell in enumerate(cells) if number >> place & 1})
        has_one = any(mask & discs == mask for mask in masks)
        assert bool(shape.has_line(discs)) is has_one
        assert bool(shape.lines(discs)) is has_one


@given(st.data())
def test_any_discs_on_any_grid_have_a_line_exactly_if_a_line_is_in_them(data: st.DataObject) -> None:
    columns, rows = data.draw(st.integers(1, 32), "columns"), data.draw(st.integers(1, 32), "rows")
    connect = data.draw(st.integers(2, 6) | st.integers(2, 32), "connect")
    shape = grid(columns, rows, connect)
    discs = data.draw(st.integers(0, shape.full), "discs") & shape.full
    discs |= data.draw(st.integers(0, shape.full), "more discs") & shape.full
    expected = any(bits(shape, window) & ~discs == 0 for window in windows(columns, rows, connect))
    assert bool(shape.has_line(discs)) is expected
    assert bool(shape.lines(discs)) is expected


@pytest.mark.parametrize(("columns", "rows"), [(7, 6), (6, 7), (4, 4), (5, 1), (1, 5), (4, 2), (32, 32)])
def test_no_line_goes_over_an_edge_and_on_at_the_opposite_one(columns: int, rows: int) -> None:
    """R1: runs of four that are even steps apart when cells are numbered through, but not on the grid."""
    shape = grid(columns, rows, 4)
    real = {frozenset(window) for window in windows(columns, rows, 4)}
    by_columns = [(column, row) for column in range(1, columns + 1) for row in range(1, rows + 1)]
    by_rows = [(column, row) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    wrapped = {
        frozenset(cells[first + step * times] for times in range(4))
        for cells, side in ((by_columns, rows), (by_rows, columns))
        for step in {1, side - 1, side, side + 1} - {0}
        for first in range(len(cells) - 3 * step)
    } - real
    assert wrapped or 1 in (columns, rows)
    for run in wrapped:
        assert not shape.has_line(bits(shape, run)), run
        assert not shape.lines(bits(shape, run)), run


def test_a_run_that_is_longer_is_one_line_with_all_its_cells() -> None:
    shape = grid(7, 6, 4)
    run = tuple((column, 2) for column in range(1, 7))
    assert shape.lines(bits(shape, run)) == (run,)


def test_crossing_lines_are_each_reported_column_first_then_row_then_rising_then_falling() -> None:
    shape = grid(7, 7, 4)
    star = {(4 + step * across, 4 + step * up) for across, up in DIRECTIONS for step in range(-3, 4)}
    assert shape.lines(bits(shape, star)) == (
        tuple((4, row) for row in range(1, 8)),
        tuple((column, 4) for column in range(1, 8)),
        tuple((place, place) for place in range(1, 8)),
        tuple((place, 8 - place) for place in range(1, 8)),
    )


def test_two_runs_in_one_row_with_a_gap_are_two_lines() -> None:
    shape = grid(7, 6, 3)
    assert shape.lines(bits(shape, {(column, 1) for column in (1, 2, 3, 5, 6, 7)})) == (
        ((1, 1), (2, 1), (3, 1)),
        ((5, 1), (6, 1), (7, 1)),
    )


def test_with_lines_of_one_every_disc_is_a_line() -> None:
    shape = grid(3, 2, 1)
    assert not shape.has_line(0)
    assert shape.lines(0) == ()
    assert shape.lines(bits(shape, {(3, 1), (1, 2)})) == (((1, 2),), ((3, 1),))


def test_cells_come_by_columns_from_the_left_each_from_the_bottom_up() -> None:
    shape = grid(3, 2, 2)
    assert list(shape.cells(shape.full)) == [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)]


def test_two_sizes_in_one_process_played_alternately_do_not_disturb_each_other() -> None:
    """R4: the second size must not use the lines of the first, and columns are not rows."""
    wide = Game.start(RuleSet.parse("popout 9x3 connect=5"))
    high = Game.start(RuleSet.parse("popout 3x9 connect=5"))
    for column in (1, 2, 3, 4):
        wide = wide.play(Drop(column)).play(Drop(column))
        high = high.play(Drop(1)).play(Drop(2))
    assert wide.outcome is None
    assert high.outcome is None
    assert wide.play(Drop(5)).outcome is not None
    assert high.play(Drop(1)).outcome is not None
    assert wide.play(Drop(6)).outcome is None
    assert high.play(Drop(3)).outcome is None


def test_the_same_size_with_another_line_length_is_another_grid() -> None:
    three, four = (Position.start(RuleSet.parse(f"standard 7x6 connect={connect}")) for connect in (3, 4))
    for column in (1, 1, 2, 2, 3):
        three, four = three.drop(column), four.drop(column)
    assert three.outcome is not None
    assert four.outcome is None
