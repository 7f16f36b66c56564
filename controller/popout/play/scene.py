"""The scene: everything that the light of the lamps is computed from, as frozen values.

Cells are ``(column, row)``, columns from 1 at the left and rows from 1 at the bottom. Times are milliseconds on one
clock; ``since`` is when something began.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from popout.rules.moves import PowerDisc
from popout.rules.side import Side

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A move is waited for; or nothing is, where the turn is nobody's."""


@dataclass(frozen=True, slots=True)
class Pressing:
    """A column is pressed and its move is tentative.

    :ivar pop: whether it is the pop of the column's bottom disc.
    :ivar side: who makes the move.
    :ivar landing_row: where a dropped disc will land; None for a pop, and for a press that makes no legal drop.
    """

    column: int
    pop: bool
    side: Side
    landing_row: int | None
    since: float


@dataclass(frozen=True, slots=True)
class Announced:
    """A move is shown that a hand may make, or is to make for the opponent.

    :ivar pop: whether it is the pop of the column's bottom disc.
    :ivar side: whose move it is.
    :ivar landing_row: where a dropped disc will land; None for a pop.
    """

    column: int
    pop: bool
    side: Side
    landing_row: int | None
    since: float


@dataclass(frozen=True, slots=True)
class CountingDown:
    """Columns are held, and at `until` that becomes a take-back (one column) or the menu (both outermost)."""

    columns: tuple[int, ...]
    since: float
    until: float


@dataclass(frozen=True, slots=True)
class Won:
    """The game is won.

    :ivar lines: every line of the winner, each a tuple of its cells.
    :ivar other_lines: the lines of the other side that the same move made.
    """

    winner: Side
    lines: tuple[tuple[Cell, ...], ...]
    other_lines: tuple[tuple[Cell, ...], ...]
    since: float


@dataclass(frozen=True, slots=True)
class Drawn:
    """The game is a draw."""

    since: float


@dataclass(frozen=True, slots=True)
class MenuShown:
    """The menu is open; each of `columns` offers an entry.

    A column has its own sign, see `popout.play.lights.menu_sign`: an entry that always has the same column is known
    again.

    :ivar outer: how many filled columns stand before the first one; they have no sign.
    """

    columns: tuple[int, ...]
    outer: int = 0


@dataclass(frozen=True, slots=True)
class LampTest:
    """Every lamp is shown to work; it lasts `popout.play.lights.lamp_test_ms`."""

    since: float


@dataclass(frozen=True, slots=True)
class ShowingLast:
    """The last move is shown.

    :ivar cells: the cells that it changed, empty ones too.
    """

    cells: tuple[Cell, ...]
    since: float


@dataclass(frozen=True, slots=True)
class KeptShown:
    """Pop 10: so many cells are lit as discs were kept, red's from the top left, yellow's from the bottom left on."""

    red: int
    yellow: int
    since: float


@dataclass(frozen=True, slots=True)
class Correcting:
    """The hands are asked to put one cell right; `should_be` is whose disc belongs there, None for nobody's."""

    cell: Cell
    should_be: Side | None
    since: float


@dataclass(frozen=True, slots=True)
class TellingShown:
    """Hands say what is on the board, which the grid of the scene shows.

    :ivar cells: where that differs from what should be there.
    :ivar disc: whose disc the next tap puts on top.
    """

    cells: tuple[Cell, ...]
    disc: Side
    since: float


Mode = (
    Waiting
    | Pressing
    | Announced
    | CountingDown
    | Won
    | Drawn
    | MenuShown
    | LampTest
    | ShowingLast
    | KeptShown
    | Correcting
    | TellingShown
)


@dataclass(frozen=True, slots=True)
class Flash:
    """A short light over the picture, which ends by itself.

    :ivar kind: white three times for what was refused, once in the disc's colour for what was committed.
    :ivar cells: the cells concerned.
    :ivar columns: the columns whose lamps flash.
    """

    kind: Literal["refused", "committed"]
    cells: tuple[Cell, ...]
    columns: tuple[int, ...]
    since: float


@dataclass(frozen=True, slots=True)
class Scene:
    """What is on the table.

    :ivar grid: one text a column from the left, each from the bottom up, ``X`` red and ``O`` yellow.
    :ivar rows: the height of the grid.
    :ivar turn: the side to move; None when the game is over.
    :ivar last: the cells of the last move.
    :ivar legal_drops: the columns into which the side to move may drop.
    :ivar legal_pops: the columns that it may pop.
    :ivar power: the power disc that is chosen, or whose next step is waited for.
    :ivar trouble_since: since when the board or the record has been out of reach; None if all is well.
    """

    grid: tuple[str, ...]
    rows: int
    turn: Side | None
    last: tuple[Cell, ...]
    legal_drops: tuple[int, ...]
    legal_pops: tuple[int, ...]
    bar_open: bool
    mode: Mode
    flash: Flash | None = None
    trouble_since: float | None = None
    power: PowerDisc | None = None
