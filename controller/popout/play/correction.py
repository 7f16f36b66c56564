"""Putting the board right: where what is on it differs from what should be, and the hand's steps to repair it. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from popout.rules import RED, YELLOW, Cell, Drop, Game, Message, Pop, Position, Side
from popout.rules.setup import checked_grid


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
            return Message("Open the bar and let the bottom disc of column {column} out.", column=column)
        if self.disc is None:
            return Message("Take the top disc (row {row}) out of column {column}.", column=column, row=row)
        return Message(_PUT[self.disc], column=column, row=row)

    def done_by(self, move: Drop | Pop) -> bool:
        """Whether a disc that a beam saw go by does it. (A beam does not see a disc that is taken from the top.)"""
        if move.column != self.cell[0]:
            return False
        return self.pop if isinstance(move, Pop) else self.disc is not None


@dataclass(frozen=True, slots=True)
class Correction:
    """A board that is being put right.

    :ivar reason: what went wrong and what to do first, for a person.
    :ivar steps: what is still to be done, in order; never empty.
    :ivar since: when the step at hand began, in milliseconds.
    :ivar seen: what is on the board, as grid texts, where that is known.
    """

    reason: Message
    steps: tuple[Step, ...]
    since: float
    seen: tuple[str, ...] | None = None

    def after_step(self, now: float) -> Correction | None:
        """The correction after the first step is done; None after the last.

        What was seen at the beginning is no longer there then, so it cannot be taken over any more.
        """
        return Correction(self.reason, self.steps[1:], now) if len(self.steps) > 1 else None


def compared(seen: tuple[str, ...], position: Position, now: float) -> Correction | None:
    """The correction that turns what is `seen` into the position; None if they are the same.

    :raises SetupError: `seen` is no grid of this size, a disc floats in it, or something in it is no disc.
    """
    seen = checked_grid(position.rules, seen)
    steps = steps_to_repair(seen, position.grid)
    if not steps:
        return None
    reason = Message(
        "One cell is not as it should be. {step}",
        plural="{count} cells are not as they should be. {step}",
        count=len(differing_cells(seen, position.grid)),
        step=steps[0].message,
    )
    return Correction(reason, steps, now, seen)


def surprised(move: Drop | Pop, position: Position, reason: Message, now: float) -> Correction:
    """The correction after a beam saw a disc that may not have gone there; `reason` says why not."""
    grid, column = position.grid, move.column
    if isinstance(move, Drop):
        step = Step((column, min(len(grid[column - 1]) + 1, position.rules.rows)))
        return Correction(Message("{reason} {step}", reason=reason, step=step.message), (step,), now)
    seen = tuple(discs[1:] if number == column else discs for number, discs in enumerate(grid, 1))
    steps = steps_to_repair(seen, grid)
    if not steps:
        # A disc came out of a column that should be empty; there is nothing to put back.
        steps = (Step((column, 1)),)
    return Correction(Message("{reason} {step}", reason=reason, step=steps[0].message), steps, now, seen)


def asked(move: Drop | Pop, game: Game, now: float) -> Correction:
    """The question after a press whose disc no beam saw."""
    column = move.column
    if isinstance(move, Pop):
        step = Step((column, 1), pop=True)
    else:
        discs = game.position.grid[column - 1]
        step = Step((column, max(len(discs), 1)), Side.of_letter(discs[-1]) if discs else game.position.turn.other)
    reason = Message(
        "Column {column} was pressed, but no disc was seen. {step} Or take the move back.",
        column=column,
        step=step.message,
    )
    return Correction(reason, (step,), now)


def steps_to_repair(seen: tuple[str, ...], should_be: tuple[str, ...]) -> tuple[Step, ...]:
    """What a hand must do to turn one grid into the other.

    A column can only be reached from its top: what lies on the lowest wrong disc comes out first.
    """
    steps: list[Step] = []
    for column, (there, wanted) in enumerate(zip(seen, should_be, strict=True), 1):
        right = 0
        while right < min(len(there), len(wanted)) and there[right] == wanted[right]:
            right += 1
        steps += [Step((column, row), None) for row in range(len(there), right, -1)]
        steps += [Step((column, row), Side.of_letter(wanted[row - 1])) for row in range(right + 1, len(wanted) + 1)]
    return tuple(steps)


def differing_cells(seen: tuple[str, ...], should_be: tuple[str, ...]) -> tuple[Cell, ...]:
    """The cells in which two grids differ, from the left, each column from the bottom up."""
    return tuple(
        (column, row)
        for column, (there, wanted) in enumerate(zip(seen, should_be, strict=True), 1)
        for row in range(1, max(len(there), len(wanted)) + 1)
        if there[row - 1 : row] != wanted[row - 1 : row]
    )


_PUT = {
    RED: "Put a red disc into column {column} (row {row}).",
    YELLOW: "Put a yellow disc into column {column} (row {row}).",
}
