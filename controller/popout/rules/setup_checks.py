"""What is impossible in a position that somebody sets up, in any game; for Pop 10 see `popout.rules.setup_pop10`."""

from __future__ import annotations

from popout.rules.errors import (
    AlreadyDecided,
    CannotMove,
    DiscsInHand,
    FloatingDisc,
    NotThisGrid,
    SetupError,
    TooManyDiscs,
    WrongFlanks,
    WrongSideToMove,
)
from popout.rules.messages import N_, Message, excerpt
from popout.rules.moves import PowerDisc
from popout.rules.phases import Phase
from popout.rules.position import Position, flank_discs
from popout.rules.ruleset import RuleSet
from popout.rules.side import RED, YELLOW, Side

EMPTY_CELL = "."
MARKS = {"X": RED, "x": RED, "O": YELLOW, "o": YELLOW}
_TAKE_DISCS_OUT = {PowerDisc.ANVIL, PowerDisc.BOMB}


def discs_of(rules: RuleSet, grid: tuple[str, ...]) -> dict[Side, int]:
    """Each side's discs as bits, if discs can lie like that on a board of this size.

    :raises NotThisGrid, FloatingDisc, SetupError: they cannot, or something in the grid is no disc.
    """
    if len(grid) != rules.width:
        raise NotThisGrid(
            Message(
                "The position has one column, but with its filled outer columns the grid is {columns}x{rows} "
                "(columns x rows). Write every column, empty and outer ones too.",
                plural="The position has {count} columns, but with its filled outer columns the grid is "
                "{columns}x{rows} (columns x rows). Write every column, empty and outer ones too.",
                count=len(grid),
                columns=rules.width,
                rows=rules.rows,
            )
            if rules.first_column > 1
            else Message(
                "The position has one column, but the grid is {columns}x{rows} (columns x rows). "
                "Write every column, empty ones too.",
                plural="The position has {count} columns, but the grid is {columns}x{rows} (columns x rows). "
                "Write every column, empty ones too.",
                count=len(grid),
                columns=rules.width,
                rows=rules.rows,
            )
        )
    discs = {RED: 0, YELLOW: 0}
    for column, text in enumerate(grid, 1):
        cells = text.rstrip(EMPTY_CELL)
        if len(cells) > rules.rows:
            raise NotThisGrid(
                Message(
                    "Column {column} has {found} discs, but there is room for {rows}. Take the discs on top out.",
                    column=column,
                    found=len(cells),
                    rows=rules.rows,
                )
            )
        for row, mark in enumerate(cells, 1):
            if mark == EMPTY_CELL:
                raise FloatingDisc(
                    Message(
                        "A disc floats in column {column}: row {row} under it is empty. "
                        "Let the disc fall, or fill the empty cell.",
                        column=column,
                        row=row,
                    )
                )
            if mark not in MARKS:
                raise SetupError(
                    Message(
                        'Column {column}, row {row}: "{disc}" is no disc. Write X (red), O (yellow) or . (empty).',
                        column=column,
                        row=row,
                        disc=excerpt(mark),
                    )
                )
            discs[MARKS[mark]] |= rules.grid.bit(column, row)
    return discs


def hands_of(position: Position, said: tuple[int, int] | None) -> tuple[int, int] | None:
    """Red's and yellow's discs in hand, as `said`, or all that are not on the grid; None where they are not counted.

    :raises DiscsInHand: they do not fit the rules. :raises TooManyDiscs: more are on the grid than there are.
    """
    rules, supply = position.rules, position.rules.supply
    if not supply:
        if said is not None:
            raise DiscsInHand(
                Message('These rules do not count the discs in hand. Leave "hands" out, or add the option "supply=21".')
            )
        return None
    played = {side: rules.power_discs - position.powers_left(side) for side in Side}
    gone = rules.pops or any(played[side] & _TAKE_DISCS_OUT for side in Side)
    hands = {}
    for side, hand in zip(Side, said or (None, None), strict=True):
        on_grid = (discs_on(position, side) & ~rules.grid.flanks).bit_count()
        ordinary = on_grid - len(played[side])
        if ordinary > supply:
            texts = _TOO_MANY_WITH_POWERS if rules.power_discs else _TOO_MANY_ON_THE_GRID
            raise TooManyDiscs(Message(texts[side], discs=on_grid, supply=supply))
        most = supply - max(ordinary, 0)
        hands[side] = most if hand is None else hand
        if not (0 <= hands[side] <= most if gone else hands[side] == most):
            texts = _WRONG_HAND_WITH_POWERS if rules.power_discs else _WRONG_HAND
            raise DiscsInHand(Message(texts[side], hand=excerpt(hand), discs=on_grid, supply=supply))
    return hands[RED], hands[YELLOW]


def discs_on(position: Position, side: Side) -> int:
    """The discs of `side` as bits."""
    return position.red if side is RED else position.yellow


def check_flanks(rules: RuleSet, discs: dict[Side, int]) -> None:
    """Refuse outer columns that are not filled as the rules say.

    :raises WrongFlanks: see there.
    """
    red, yellow = flank_discs(rules)
    if (discs[RED] & rules.grid.flanks, discs[YELLOW] & rules.grid.flanks) != (red, yellow):
        raise WrongFlanks(
            Message(
                "The outer columns are not filled as the rules say (flanks={flanks}): "
                "alternating, from the bottom of column 1 and of column {last} on.",
                flanks=rules.flanks,
                last=rules.width,
            )
        )


def check_not_decided(position: Position) -> None:
    """Refuse a position with a line in it, or with a full grid that ends the game.

    :raises AlreadyDecided: see there.
    """
    for side in Side:
        if position.phase is Phase.BOMB and side is position.turn and position.rules.judge == "after":
            continue  # a bomb that has landed is judged only after it has taken a disc
        if lines := position.lines(side):
            (first_column, first_row), (last_column, last_row) = lines[0][0], lines[0][-1]
            raise AlreadyDecided(
                Message(
                    _HAS_A_LINE[side],
                    length=len(lines[0]),
                    first_column=first_column,
                    first_row=first_row,
                    last_column=last_column,
                    last_row=last_row,
                )
            )
    if position.is_full and position.rules.full_grid == "draw" and position.phase is not Phase.BOMB:
        raise AlreadyDecided(
            Message("The grid is full, so this game is over. Take a disc out of the position, or begin a new game.")
        )


def check_counts(position: Position) -> None:
    """Refuse a number of discs that alternate moves do not give. Not for games in which a turn is more than a disc.

    :raises TooManyDiscs, WrongSideToMove: see there.
    """
    rules = position.rules
    red, yellow = ((discs & ~rules.grid.flanks).bit_count() for discs in (position.red, position.yellow))
    if not rules.pops:
        first, second = (red, yellow) if rules.starter is RED else (yellow, red)
        if not 0 <= first - second <= 1:
            raise TooManyDiscs(Message(_DOES_NOT_ALTERNATE[rules.starter], red=red, yellow=yellow))
    elif rules.turn_may_pass:
        return  # a side that was passed over made fewer moves: the counts say nothing
    # Every move puts one disc in or takes one out, so an even number of discs means an even number of moves.
    expected = rules.starter if (red + yellow) % 2 == 0 else rules.starter.other
    if position.turn is not expected:
        text, plural = _WRONG_SIDE[expected]
        raise WrongSideToMove(Message(text, plural=plural, count=red + yellow))


def check_can_move(position: Position) -> None:
    """Refuse a position in which the side to move has no move.

    :raises CannotMove, AlreadyDecided: the other side has one; nobody has.
    """
    if position.legal_moves:
        return
    if position.phase is not Phase.PLAY and position.rules.power_discs:
        raise CannotMove(
            Message('Nothing can follow the power disc in this position, so the turn is over. Leave "phase" out.')
        )
    if not position.turned().legal_moves:
        raise AlreadyDecided(Message("Neither side can move, so this game is over. Set up another position."))
    raise CannotMove(Message(_CANNOT_MOVE[position.turn]))


_HAS_A_LINE = N_(
    {
        RED: "Red has {length} in a row already, from column {first_column}, row {first_row} "
        "to column {last_column}, row {last_row}, so this game is over. Take one of these discs out of the position.",
        YELLOW: "Yellow has {length} in a row already, from column {first_column}, row {first_row} "
        "to column {last_column}, row {last_row}, so this game is over. Take one of these discs out of the position.",
    }
)
_TOO_MANY_ON_THE_GRID = N_(
    {
        RED: "Red has {discs} discs on the grid, but only {supply} in all (rule supply={supply}). Take some out.",
        YELLOW: "Yellow has {discs} discs on the grid, but only {supply} in all (rule supply={supply}). Take some out.",
    }
)
_TOO_MANY_WITH_POWERS = N_(
    {
        RED: "Red has {discs} discs on the grid, more than the power discs that it has played and {supply} others "
        "(rule supply={supply}). Take some out.",
        YELLOW: "Yellow has {discs} discs on the grid, more than the power discs that it has played "
        "and {supply} others (rule supply={supply}). Take some out.",
    }
)
_WRONG_HAND_WITH_POWERS = N_(
    {
        RED: "Red cannot have {hand} in hand and {discs} on the grid: there are {supply} in all "
        "beside the power discs (rule supply={supply}).",
        YELLOW: "Yellow cannot have {hand} in hand and {discs} on the grid: there are {supply} in all "
        "beside the power discs (rule supply={supply}).",
    }
)
_WRONG_HAND = N_(
    {
        RED: "Red cannot have {hand} in hand and {discs} on the grid: there are {supply} in all "
        "(rule supply={supply}).",
        YELLOW: "Yellow cannot have {hand} in hand and {discs} on the grid: there are {supply} in all "
        "(rule supply={supply}).",
    }
)
_DOES_NOT_ALTERNATE = N_(
    {
        RED: "Discs on the grid: red {red}, yellow {yellow}. Red began and discs never leave this game, "
        "so red must have as many as yellow, or one more.",
        YELLOW: "Discs on the grid: red {red}, yellow {yellow}. Yellow began and discs never leave this game, "
        "so yellow must have as many as red, or one more.",
    }
)
_WRONG_SIDE = N_(
    {
        RED: (
            "With one disc on the grid it is red's turn, not yellow's. Let red move, or correct the discs.",
            "With {count} discs on the grid it is red's turn, not yellow's. Let red move, or correct the discs.",
        ),
        YELLOW: (
            "With one disc on the grid it is yellow's turn, not red's. Let yellow move, or correct the discs.",
            "With {count} discs on the grid it is yellow's turn, not red's. Let yellow move, or correct the discs.",
        ),
    }
)
_CANNOT_MOVE = N_(
    {
        RED: "Red cannot move in this position. Give the turn to yellow.",
        YELLOW: "Yellow cannot move in this position. Give the turn to red.",
    }
)
