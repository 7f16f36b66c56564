"""What an entry of the journal has led to: what to say about it, and which cells it changed. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from popout.record.journal import Entry, Kind, Levels
from popout.rules import (
    RED,
    YELLOW,
    Cell,
    Claim,
    Drop,
    Game,
    Message,
    Move,
    Phase,
    Pop,
    Position,
    Power,
    Side,
    describe,
    passed_over,
    waiting_for,
    why_ended,
)
from popout.rules.messages import N_

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
            return [
                Said(
                    "new-game",
                    Message("A new game of {game}. {now}", game=after.rules.title, now=waiting_for(after.position)),
                )
            ]
        case Kind.TAKE_BACK:
            return [Said("taken-back", _taken_back(before, after))]
        case Kind.CORRECTION:
            return [
                Said("corrected", Message("The game goes on from what is on the board.")),
                Said("turn", waiting_for(after.position)),
            ]
        case Kind.MOVE:
            said = [Said("moved", describe(after.moves[-1], after.positions[-2]))]
        case Kind.OPPONENT:
            return [Said("opponent", who_plays(entry.levels or {}))]
        case Kind.DRAW | Kind.RESIGN:
            said = []
    ended = why_ended(after)
    if ended:
        return [*said, Said(ended.code, ended.message)]
    if after.rules.keeps and entry.kind is Kind.MOVE and _kept(after.position) != _kept(before.position):
        said.append(Said("kept", kept_so_far(*_kept(after.position), after.rules.target)))
    if after.position.phase is not Phase.PLAY and entry.kind is Kind.MOVE:
        said.append(Said("waiting", waiting_for(after.position)))
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


def kept_so_far(red: int, yellow: int, target: int) -> Message:
    """The score of Pop 10: the discs that both sides have kept, and how many win."""
    return Message("Kept: red {red}, yellow {yellow} of {target}.", red=red, yellow=yellow, target=target)


def _kept(position: Position) -> tuple[int, int]:
    return position.kept(RED), position.kept(YELLOW)


def cells_of(entry: Entry, before: Game, after: Game) -> tuple[Cell, ...]:
    """The cells with discs that a move, or its take-back, has changed."""
    if entry.kind is Kind.MOVE:
        return moved_cells(after.moves[-1], after.position)
    if entry.kind is Kind.TAKE_BACK:
        columns = {move.column: move for move in before.moves[len(after.moves) :] if not isinstance(move, Claim)}
        return tuple(cell for move in columns.values() for cell in column_cells(move, after.position))
    return ()


def moved_cells(move: Move, after: Position) -> tuple[Cell, ...]:
    """Where a move shows, in the position after it: the disc dropped, or the column that came down.

    Of a column that a pop has emptied it is the bottom cell, so that there is something to point at.
    """
    match move:
        case Drop(column) | Power(_, column):
            return ((column, len(after.grid[column - 1])),)
        case Pop(column):
            return column_cells(move, after) or ((column, 1),)
    return ()


def column_cells(move: Move, position: Position) -> tuple[Cell, ...]:
    """The occupied cells of the move's column."""
    if isinstance(move, Claim):
        return ()
    return tuple((move.column, row) for row in range(1, len(position.grid[move.column - 1]) + 1))


def who_plays(levels: Levels) -> Message:
    """Which sides an opponent plays."""
    match [side for side in Side if side in levels]:
        case []:
            return Message("People play both sides.")
        case [side]:
            return Message(_OPPONENT_PLAYS[side], level=levels[side])
    return Message(
        "Opponents play both sides: red at level {red}, yellow at level {yellow}.",
        red=levels[RED],
        yellow=levels[YELLOW],
    )


_OPPONENT_PLAYS = N_(
    {RED: "An opponent of level {level} plays red.", YELLOW: "An opponent of level {level} plays yellow."}
)


def _taken_back(before: Game, after: Game) -> Message:
    side, now = after.position.turn, waiting_for(after.position)
    count = len(before.moves) - len(after.moves)
    if count > 1:
        return Message("Taken back: the last {count} moves. {now}", count=count, now=now)
    if not before.agreed and before.moves:
        move = before.moves[-1]
        if isinstance(move, Drop):
            return Message(_DROP_BACK[side], column=move.column, now=now)
        if isinstance(move, Pop):
            return Message(_POP_BACK[side], column=move.column, now=now)
        if isinstance(move, Power):
            return Message(_POWER_BACK[side], column=move.column, now=now)
    return Message("The end of the game is taken back. {now}", now=now)


_DROP_BACK = N_(
    {
        RED: "Taken back: red's disc in column {column}. {now}",
        YELLOW: "Taken back: yellow's disc in column {column}. {now}",
    }
)
_POP_BACK = N_(
    {
        RED: "Taken back: red's pop of column {column}. {now}",
        YELLOW: "Taken back: yellow's pop of column {column}. {now}",
    }
)
_POWER_BACK = N_(
    {
        RED: "Taken back: red's power disc in column {column}. {now}",
        YELLOW: "Taken back: yellow's power disc in column {column}. {now}",
    }
)
