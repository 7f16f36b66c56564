"""What an entry of the journal has led to: what to say about it, and which cells it changed. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from popout.record.journal import Entry, Kind
from popout.rules import (
    RED,
    YELLOW,
    Cell,
    Drop,
    Game,
    Message,
    Move,
    Pop,
    Position,
    describe,
    passed_over,
    side_to_move,
    why_ended,
)

THIRD_TIME = 3


@dataclass(frozen=True, slots=True)
class Said:
    """A stable code and a sentence."""

    code: str
    message: Message


def consequences(entry: Entry, before: Game, after: Game) -> list[Said]:
    """What to tell the players, in the order to tell it."""
    match entry.kind:
        case Kind.NEW:
            return [Said("new-game", Message(_BEGINS[after.rules.starter], game=after.rules.title))]
        case Kind.TAKE_BACK:
            return [Said("taken-back", _taken_back(before, after))]
        case Kind.CORRECTION:
            return [
                Said("corrected", Message("The game goes on from what is on the board.")),
                Said("turn", side_to_move(after.position.turn)),
            ]
        case Kind.MOVE:
            said = [Said("moved", describe(after.moves[-1], after.mover(len(after.moves))))]
        case Kind.DRAW | Kind.RESIGN:
            said = []
    ended = why_ended(after)
    if ended:
        return [*said, Said(ended.code, ended.message)]
    if after.passed:
        said.append(Said("passed", passed_over(after.passed)))
    if after.repetitions == THIRD_TIME and not after.rules.repetition:
        said.append(
            Said(
                "third-time",
                Message("This position stands for the third time. If you both like, agree on a draw."),
            )
        )
    return said


def cells_of(entry: Entry, before: Game, after: Game) -> tuple[Cell, ...]:
    """The cells with discs that a move, or its take-back, has changed."""
    if entry.kind is Kind.MOVE:
        return moved_cells(after.moves[-1], after.position)
    if entry.kind is Kind.TAKE_BACK and before.moves and len(after.moves) < len(before.moves):
        return _there(column_cells(before.moves[-1], after.position), after.position)
    return ()


def moved_cells(move: Move, after: Position) -> tuple[Cell, ...]:
    """Where a move shows, in the position after it: the disc dropped, or the column that came down.

    Of a column that a pop has emptied it is the bottom cell, so that there is something to point at.
    """
    match move:
        case Drop(column):
            return ((column, len(after.grid[column - 1])),)
        case Pop(column):
            return column_cells(move, after) or ((column, 1),)
    return ()


def column_cells(move: Move, position: Position) -> tuple[Cell, ...]:
    """The occupied cells of the move's column."""
    if not isinstance(move, Drop | Pop):
        return ()
    return tuple((move.column, row) for row in range(1, len(position.grid[move.column - 1]) + 1))


def _there(cells: tuple[Cell, ...], position: Position) -> tuple[Cell, ...]:
    return tuple(cell for cell in cells if position.disc(*cell))


def _taken_back(before: Game, after: Game) -> Message:
    side = after.position.turn
    if not before.agreed and before.moves:
        match before.moves[-1]:
            case Drop(column):
                return Message(_DROP_BACK[side], column=column)
            case Pop(column):
                return Message(_POP_BACK[side], column=column)
    return _END_BACK[side]


_BEGINS = {
    RED: "A new game of {game}. Red to move.",
    YELLOW: "A new game of {game}. Yellow to move.",
}
_DROP_BACK = {
    RED: "Taken back: red's disc in column {column}. Red to move.",
    YELLOW: "Taken back: yellow's disc in column {column}. Yellow to move.",
}
_POP_BACK = {
    RED: "Taken back: red's pop of column {column}. Red to move.",
    YELLOW: "Taken back: yellow's pop of column {column}. Yellow to move.",
}
_END_BACK = {
    RED: Message("The end of the game is taken back. Red to move."),
    YELLOW: Message("The end of the game is taken back. Yellow to move."),
}
