"""Lines, drops and pops as shifts of bits."""

from __future__ import annotations

from popout.opponent.kernel.compiling import compiled
from popout.opponent.kernel.shape import Shape


@compiled
def has_line(shape: Shape, discs: int) -> bool:
    """Whether there is a line in `discs`."""
    return (
        _runs(shape, discs, 1) != 0
        or _runs(shape, discs, shape.height) != 0
        or _runs(shape, discs, shape.height - 1) != 0
        or _runs(shape, discs, shape.height + 1) != 0
    )


@compiled
def _runs(shape: Shape, discs: int, way: int) -> int:
    run = discs & discs >> way
    run &= run >> shape.second * way
    if shape.third:
        run &= run >> shape.third * way
    return run


@compiled
def line_cells(shape: Shape, discs: int) -> int:
    """The free cells on which one more of `discs` would make a line, and maybe some that are not free."""
    if shape.connect == 4:
        height = shape.height
        return (
            discs << 1 & discs << 2 & discs << 3
            | _gaps_of_four(discs, height)
            | _gaps_of_four(discs, height - 1)
            | _gaps_of_four(discs, height + 1)
        ) & shape.cells
    found = 0
    for way in (1, shape.height, shape.height - 1, shape.height + 1):
        for before in range(shape.connect):
            run = shape.cells
            for step in range(1, before + 1):
                run &= discs << step * way
            for step in range(1, shape.connect - before):
                run &= discs >> step * way
            found |= run
    return found & shape.cells


@compiled
def _gaps_of_four(discs: int, way: int) -> int:
    before = discs << way
    two_before = before & discs << 2 * way
    after = discs >> way
    two_after = after & discs >> 2 * way
    return two_before & discs << 3 * way | two_before & after | before & two_after | two_after & discs >> 3 * way


@compiled
def popped(shape: Shape, discs: int, column: int) -> int:
    """`discs` after the bottom cell of a column (from 0) was emptied and the column fell."""
    start = column * shape.height
    cells = ((1 << shape.height - 1) - 1) << start
    return discs & ~cells | (discs & cells) >> 1 & cells


@compiled
def mirrored(shape: Shape, discs: int) -> int:
    """`discs` seen from the other side of the board."""
    column = (1 << shape.height) - 1
    seen = 0
    for _ in range(shape.columns):
        seen = seen << shape.height | discs & column
        discs >>= shape.height
    return seen


@compiled
def count(discs: int) -> int:
    """How many discs there are."""
    discs -= discs >> 1 & 0x5555555555555555
    discs = (discs & 0x3333333333333333) + (discs >> 2 & 0x3333333333333333)
    discs = discs + (discs >> 4) & 0x0F0F0F0F0F0F0F0F
    discs += discs >> 8
    discs += discs >> 16
    discs += discs >> 32
    return discs & 0x7F
