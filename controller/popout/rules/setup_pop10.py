"""What is impossible in a position of Pop 10 that somebody sets up."""

from __future__ import annotations

from popout.rules.errors import AlreadyDecided, DiscsMissing, SetupError, TooManyDiscs, WrongSideToMove
from popout.rules.messages import N_, Message
from popout.rules.phases import Phase
from popout.rules.pop10 import Pop10
from popout.rules.position import Position
from popout.rules.side import RED, YELLOW


def check_pop10(position: Position) -> None:
    """Refuse a position that cannot arise in Pop 10.

    :raises SetupError: the sentence names what.
    """
    if position.phase is Phase.FILL:
        _check_filling(position)
        return
    rules = position.rules
    for side in (RED, YELLOW):
        if position.kept(side) >= rules.target:
            text, plural = _HAS_KEPT[side]
            raise AlreadyDecided(Message(text, plural=plural, count=position.kept(side)))
    out = position.kept(RED) + position.kept(YELLOW) + (position.phase is Phase.PUT)
    free = (rules.grid.full & ~(position.red | position.yellow)).bit_count()
    if free != out:
        raise DiscsMissing(
            Message(
                "Cells that are free: {free}. Discs that are out of the grid, kept or to be put back: {out}. "
                "The two numbers must be the same.",
                free=free,
                out=out,
            )
        )
    if isinstance(position.extra, Pop10) and (source := position.extra.source):
        bottom, _ = rules.grid.slots[source]
        if (position.red | position.yellow) & bottom << rules.rows - 1:
            raise DiscsMissing(
                Message("Column {column} is full, so the disc to be put back cannot have come from it.", column=source)
            )


def _check_filling(position: Position) -> None:
    rules, grid = position.rules, position.rules.grid
    if position.kept(RED) or position.kept(YELLOW):
        raise DiscsMissing(Message("No disc is kept while the grid is filled. Leave kept out, or write phase=pop."))
    heights = [len(column) for column in position.playable_grid]
    row = min(heights) + 1
    if max(heights) > row:
        raise SetupError(
            Message("There are discs above row {row}, which is not full: Pop 10 fills row by row.", row=row)
        )
    if position.is_full:
        raise SetupError(Message("The grid is full, so a disc is popped now: write phase=pop."))
    red, yellow = ((discs & ~grid.flanks).bit_count() for discs in (position.red, position.yellow))
    first, second = (red, yellow) if rules.starter is RED else (yellow, red)
    if not 0 <= first - second <= 1:
        raise TooManyDiscs(Message(_DO_NOT_TAKE_TURNS[rules.starter], red=red, yellow=yellow))
    expected = rules.starter if first == second else rules.starter.other
    if position.turn is not expected:
        raise WrongSideToMove(Message(_WRONG_SIDE[expected], red=red, yellow=yellow))


_HAS_KEPT = N_(
    {
        RED: (
            "Red has kept one disc already, so this game is over.",
            "Red has kept {count} discs already, so this game is over.",
        ),
        YELLOW: (
            "Yellow has kept one disc already, so this game is over.",
            "Yellow has kept {count} discs already, so this game is over.",
        ),
    }
)
_DO_NOT_TAKE_TURNS = N_(
    {
        RED: "Discs on the grid: red {red}, yellow {yellow}. Red began and they fill the grid in turn, "
        "so red must have as many as yellow, or one more.",
        YELLOW: "Discs on the grid: red {red}, yellow {yellow}. Yellow began and they fill the grid in turn, "
        "so yellow must have as many as red, or one more.",
    }
)
_WRONG_SIDE = N_(
    {
        RED: "Discs on the grid: red {red}, yellow {yellow}. So it is red's turn, not yellow's. "
        "Let red move, or correct the discs.",
        YELLOW: "Discs on the grid: red {red}, yellow {yellow}. So it is yellow's turn, not red's. "
        "Let yellow move, or correct the discs.",
    }
)
