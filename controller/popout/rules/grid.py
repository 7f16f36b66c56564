"""The geometry of a grid: its cells as bits of one integer, and the lines on it.

Bit ``(column - 1) * (rows + 1) + (row - 1)`` is a cell. Each column has one spare bit above its top that is never
set, so that a shift along a row or a diagonal cannot wrap into the next column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from popout.rules.moves import Drop, Pop, Power, PowerDisc

Cell = tuple[int, int]
"""A place: ``(column, row)``, from 1 at the left and from 1 at the bottom."""

Line = tuple[Cell, ...]
"""The cells of a straight run, from its left (or lower) end."""

CACHED_MOVE_LISTS = 4096


class Grid:
    """The masks of a grid of `columns` x `rows` on which `connect` discs make a line. Made by `grid()`.

    :ivar slots: for each playable column the bit of its bottom cell and the mask of its cells; with `flanked` that is
        all but the first and the last. :ivar every_slot: the same for all columns.
    :ivar full: all cells. :ivar flanks: the cells of columns that are not playable.
    :ivar tops: the top cell of every playable column. :ivar bottoms: the bottom cells.
    :ivar has_line: whether a set of discs contains a line.
    :ivar drops: the drops where the given top cells are occupied; :ivar powers: those of power discs.
    :ivar pops: the pops of the given bottom cells.
    """

    def __init__(self, columns: int, rows: int, connect: int, flanked: bool) -> None:
        self.columns, self.rows, self.connect = columns, rows, connect
        height = rows + 1
        self.every_slot: dict[int, tuple[int, int]] = {
            column: (1 << (column - 1) * height, ((1 << rows) - 1) << (column - 1) * height)
            for column in range(1, columns + 1)
        }
        self.slots = {column: slot for column, slot in self.every_slot.items() if not flanked or 1 < column < columns}
        self.bottoms = sum(bottom for bottom, _ in self.slots.values())
        self.tops = self.bottoms << rows - 1
        self.full = sum(cells for _, cells in self.every_slot.values())
        self.flanks = self.full - sum(cells for _, cells in self.slots.values())
        # How far apart neighbouring bits are: in a column, in a row, on a rising and on a falling diagonal.
        self._ways = (1, height, height + 1, height - 1)
        self.has_line = _line_finder(self._ways, connect)
        self.drops = lru_cache(CACHED_MOVE_LISTS)(self._drops)
        self.pops = lru_cache(CACHED_MOVE_LISTS)(self._pops)
        self.powers = lru_cache(CACHED_MOVE_LISTS)(self._powers)

    def bit(self, column: int, row: int) -> int:
        """The mask of one cell."""
        return self.every_slot[column][0] << row - 1

    def lines(self, discs: int) -> tuple[Line, ...]:
        """Every line in `discs`: each longest straight run of at least `connect` of them.

        Runs are ordered by direction (column, row, rising, falling diagonal), then by their first cell. With
        ``connect = 1`` each disc is one line by itself.
        """
        if self.connect == 1:
            return tuple(((column, row),) for column, row in self.cells(discs))
        return tuple(line for way in self._ways for line in self._lines_along(discs, way))

    def in_line(self, discs: int, disc: int) -> bool:
        """Whether the cell `disc` is part of a line in `discs`."""
        for way in self._ways:
            run = disc
            for direction in (1, -1):
                last = disc
                while last := (last << way if direction > 0 else last >> way) & discs:
                    run |= last
            if run.bit_count() >= self.connect:
                return bool(disc & discs)
        return False

    def cells(self, discs: int) -> Iterator[Cell]:
        """The cells of `discs`, by columns from the left, each from the bottom up."""
        while discs:
            lowest = discs & -discs
            column, row = divmod(lowest.bit_length() - 1, self.rows + 1)
            yield column + 1, row + 1
            discs ^= lowest

    def _lines_along(self, discs: int, way: int) -> Iterator[Line]:
        starts = discs
        for step in _doublings(self.connect):
            starts &= starts >> step * way
        # A start that follows another one along the way lies inside the same run.
        starts &= ~(starts << way)
        while starts:
            run = last = first = starts & -starts
            while last := last << way & discs:
                run |= last
            yield tuple(self.cells(run))
            starts ^= first

    def _drops(self, occupied_tops: int) -> tuple[Drop, ...]:
        return tuple(
            Drop(column) for column, (bottom, _) in self.slots.items() if not occupied_tops & bottom << self.rows - 1
        )

    def _powers(self, discs: frozenset[PowerDisc], occupied_tops: int) -> tuple[Power, ...]:
        drops = self.drops(occupied_tops)
        return tuple(Power(disc, drop.column) for disc in PowerDisc if disc in discs for drop in drops)

    def _pops(self, own_bottoms: int) -> tuple[Pop, ...]:
        return tuple(Pop(column) for column, (bottom, _) in self.slots.items() if own_bottoms & bottom)


@lru_cache(256)
def grid(columns: int, rows: int, connect: int, flanked: bool = False) -> Grid:
    """The one `Grid` of these measures; `columns` with the filled outer ones."""
    return Grid(columns, rows, connect, flanked)


def _line_finder(ways: tuple[int, int, int, int], connect: int) -> Callable[[int], object]:
    """A function that is true for a set of discs with a line in it.

    Shifting a set over itself leaves the starts of runs of two, shifting what is left by two those of runs of four,
    and so on: the number of shifts grows with the logarithm of `connect`.
    """
    vertical, horizontal, rising, falling = ways
    if connect == 1:
        return bool
    if connect <= 4:
        # The common lengths, written out: two shifts a direction and no loop.
        rest = connect - 2
        vertical_2, horizontal_2, rising_2, falling_2 = (
            vertical * rest, horizontal * rest, rising * rest, falling * rest
        )  # fmt: skip

        def short(discs: int) -> object:
            return (
                ((run := discs & discs >> vertical) and run & run >> vertical_2)
                or ((run := discs & discs >> horizontal) and run & run >> horizontal_2)
                or ((run := discs & discs >> rising) and run & run >> rising_2)
                or ((run := discs & discs >> falling) and run & run >> falling_2)
            )

        return short

    shifts = tuple(tuple(step * way for step in _doublings(connect)) for way in ways)

    def long(discs: int) -> object:
        for way in shifts:
            run = discs
            for shift in way:
                run &= run >> shift
            if run:
                return run
        return 0

    return long


def _doublings(connect: int) -> list[int]:
    """The steps after which only the starts of runs of `connect` are left: 1, 2, 4 … and the rest."""
    steps: list[int] = []
    reached = 1
    while reached < connect:
        steps.append(min(reached, connect - reached))
        reached += steps[-1]
    return steps
