"""Putting the board right: where what is on it differs from what should be, and the hand's steps to repair it. Pure."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

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
    PowerDisc,
    Side,
    set_up,
)
from popout.rules.beside import Beside
from popout.rules.errors import CannotMove
from popout.rules.messages import N_
from popout.rules.pop10 import Pop10
from popout.rules.power import FOLLOWING, PowerUp
from popout.rules.setup import checked_grid

UNKNOWN = "?"
"""A disc that only a beam has seen, which knows no colours."""

Grid = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing for a hand to do.

    Take the top disc out of a cell (`disc` None), put one into it, or with `pop` let the bottom disc of its column out.
    """

    cell: Cell
    disc: Side | None = None
    pop: bool = False

    @property
    def message(self) -> Message:
        """What to do, for a person."""
        column, row = self.cell
        if self.pop:
            return Message(
                "Open the bar, let the bottom disc of column {column} out, then press its button.", column=column
            )
        if self.disc is None:
            return Message(
                "Take the top disc (row {row}) out of column {column}, then press its button.", column=column, row=row
            )
        return Message(_PUT[self.disc], column=column, row=row)

    def done_by(self, move: Drop | Pop) -> bool:
        """Whether what a beam saw go by does it: on the way out at the top, a disc passes the same beam as going in."""
        return move.column == self.cell[0] and self.pop == isinstance(move, Pop)


@dataclass(frozen=True, slots=True)
class Correction:
    """A board that is being put right.

    :ivar why: what is wrong, for a person.
    :ivar there: what is on the board as far as that is known: grid texts, with `UNKNOWN` discs.
    :ivar position: what should be there, and is not.
    :ivar since: when the step at hand began, in milliseconds.
    :ivar may_take_back: taking back the last move would put it right as well.
    """

    why: Message
    there: Grid
    position: Position
    since: float
    may_take_back: bool = False

    @property
    def steps(self) -> tuple[Step, ...]:
        """What is still to be done, in order; never empty."""
        return steps_to_repair(self.there, self.position)

    @property
    def reason(self) -> Message:
        """What is wrong and what to do next."""
        step = self.steps[0].message
        if self.may_take_back:
            return Message("{why} {step} Or take the move back.", why=self.why, step=step)
        return Message("{why} {step}", why=self.why, step=step)

    @property
    def seen(self) -> Grid | None:
        """What is on the board, where every colour is known."""
        return None if any(UNKNOWN in column for column in self.there) else self.there

    def after_step(self, now: float) -> Correction | None:
        """The correction after the first step is done; None after the last."""
        step = self.steps[0]
        column = self.there[step.cell[0] - 1]
        if step.pop:
            column = column[1:]
        elif step.disc is None:
            column = column[:-1]
        else:
            column += step.disc.letter
        return _between(self.why, _with(self.there, step.cell[0], column), self.position, now)

    def after_disc(self, move: Drop | Pop, now: float) -> Correction | None:
        """The correction after a beam saw yet another disc go by; None if that has put the board right."""
        why = Message("Another disc was seen in column {column}.", column=move.column)
        return _between(why, _after(self.there, move), self.position, now)

    def towards(self, position: Position, now: float) -> Correction | None:
        """The correction after moves were taken back; None if what is on the board is right now."""
        why = self.why if self.why.count is None else _how_many_differ(self.there, position.grid)
        return _between(why, self.there, position, now)


def compared(seen: Grid, position: Position, now: float) -> Correction | None:
    """The correction that turns what is `seen` into the position; None if they are the same.

    :raises SetupError: `seen` is no grid of this size, a disc floats in it, or something in it is no disc.
    """
    seen = checked_grid(position.rules, seen)
    return _between(_how_many_differ(seen, position.grid), seen, position, now)


def _how_many_differ(there: Grid, wanted: Grid) -> Message:
    return Message(
        "One cell is not as it should be.",
        plural="{count} cells are not as they should be.",
        count=len(differing_cells(there, wanted)),
    )


def adopted(position: Position, seen: Grid, turn: Side, said: Beside = Beside()) -> Position:  # noqa: B008
    """The position with the discs that are `seen` and with `turn` to move.

    What the sides have beside the board stays as it is in `position`, where `said` does not say otherwise. Of its own
    turn a side still has to do the step that was waited for, unless that cannot be done any more.

    :raises SetupError: it is impossible.
    """
    beside = replace(said, hands=said.hands or _hands(position, seen))
    match position.extra:
        case Pop10() if said.phase is not Phase.FILL:
            beside = _kept_on(position, turn, beside)
        case PowerUp(phase=phase):
            beside = replace(beside, powers=said.powers or _powers_left(position, turn, said.phase))
            if said.phase is None and phase.follows and turn is position.turn:
                with suppress(CannotMove):
                    return set_up(position.rules, seen, turn, replace(beside, phase=phase))
    return set_up(position.rules, seen, turn, beside)


def _kept_on(position: Position, turn: Side, beside: Beside) -> Beside:
    """Of Pop 10, what was not said: the step, the column that a popped disc came from, the discs kept."""
    assert isinstance(position.extra, Pop10)
    phase, source = position.extra.phase, position.extra.source
    if beside.phase is None and phase is not Phase.FILL:
        still = phase is Phase.PUT and turn is position.turn
        beside = replace(beside, phase=Phase.PUT if still else Phase.POP, source=source if still else None)
    if beside.phase is None or beside.kept is not None:
        return beside
    return replace(beside, kept=(position.kept(RED), position.kept(YELLOW)))


def _powers_left(
    position: Position, turn: Side, phase: Phase | None
) -> tuple[frozenset[PowerDisc], frozenset[PowerDisc]]:
    """The power discs left, without the one whose follow-up step is said to be waited for."""
    at_work = {disc for disc, following in FOLLOWING.items() if following is phase}
    red, yellow = (position.powers_left(side) - (at_work if side is turn else set()) for side in (RED, YELLOW))
    return red, yellow


def _hands(position: Position, seen: Grid) -> tuple[int, int] | None:
    """The discs in hand: whatever is on the board now and was not before came out of a hand, or went back into it."""
    if position.hands is None:
        return None
    own, other = position.hands if position.turn is RED else position.hands[::-1]
    before, after = "".join(position.grid), "".join(seen)
    red, yellow = (
        max(hand + before.count(side.letter) - after.count(side.letter), 0)
        for side, hand in ((RED, own), (YELLOW, other))
    )
    return red, yellow


def surprised(move: Drop | Pop, position: Position, why: Message, now: float) -> Correction | None:
    """The correction after a beam saw a disc that may not have gone there; `why` says why not.

    None for a disc that came out of a column that should have been empty: then nothing is wrong any more.
    """
    return _between(why, _after(position.grid, move), position, now)


def asked(move: Drop | Pop, game: Game, now: float) -> Correction | None:
    """The question after a press that made `move`, whose disc no beam saw; None if it has left the game since."""
    column, grid = move.column, game.position.grid
    ply = max(ply for ply, made in enumerate(game.moves) if _disc_of(made) == move)
    there = (
        game.positions[ply].grid[column - 1][0] + grid[column - 1] if isinstance(move, Pop) else grid[column - 1][:-1]
    )
    correction = _between(
        Message("Column {column} was pressed, but no disc was seen.", column=column),
        _with(grid, column, there),
        game.position,
        now,
    )
    is_last = ply == len(game.moves) - 1
    return replace(correction, may_take_back=is_last) if correction else None


def _disc_of(move: Move) -> Drop | Pop | None:
    """What a beam sees of a move."""
    return Drop(move.column) if isinstance(move, Power) else None if isinstance(move, Claim) else move


def steps_to_repair(there: Grid, position: Position) -> tuple[Step, ...]:
    """What a hand must do so that what is `there` becomes what the position has.

    A column can be reached from its top, and from its bottom with the bar open. Where that does not take just one disc
    out, everything on the lowest wrong disc comes out first.
    """
    steps: list[Step] = []
    for column, (discs, right) in enumerate(zip(there, position.grid, strict=True), 1):
        kept = 0
        while kept < min(len(discs), len(right)) and discs[kept] == right[kept]:
            kept += 1
        if discs[1:] == right and kept < len(right):
            steps.append(Step((column, 1), pop=True))
            continue
        # A disc that was seen above a full column has no row of its own.
        steps += [Step((column, min(row, position.rules.rows))) for row in range(len(discs), kept, -1)]
        steps += [Step((column, row), Side.of_letter(right[row - 1])) for row in range(kept + 1, len(right) + 1)]
    return tuple(steps)


def differing_cells(there: Grid, wanted: Grid) -> tuple[Cell, ...]:
    """The cells in which two grids differ, from the left, each column from the bottom up."""
    return tuple(
        (column, row)
        for column, (discs, right) in enumerate(zip(there, wanted, strict=True), 1)
        for row in range(1, max(len(discs), len(right)) + 1)
        if discs[row - 1 : row] != right[row - 1 : row]
    )


def _between(why: Message, there: Grid, position: Position, now: float) -> Correction | None:
    return None if there == position.grid else Correction(why, there, position, now)


def _after(there: Grid, move: Drop | Pop) -> Grid:
    """What is there after a disc was seen to go by."""
    discs = there[move.column - 1]
    return _with(there, move.column, discs + UNKNOWN if isinstance(move, Drop) else discs[1:])


def _with(grid: Grid, column: int, discs: str) -> Grid:
    return (*grid[: column - 1], discs, *grid[column:])


_PUT = N_(
    {
        RED: "Put a red disc into column {column} (row {row}), then press its button.",
        YELLOW: "Put a yellow disc into column {column} (row {row}), then press its button.",
    }
)
