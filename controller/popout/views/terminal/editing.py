"""What somebody says is on the board, as it is being written: discs, and what a position has beside them. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from popout.play.correction import differing_cells
from popout.rules import RED, Cell, PowerDisc, Side
from popout.views.terminal.seen import State, last_column

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Draft:
    """A position that is being said.

    :ivar grid: one text a column of the grid, each from the bottom up. :ivar rows: how many discs a column holds.
    :ivar first: the first column that can be played. :ivar last: the last one. :ivar column: the chosen one.
    :ivar turn: whose turn it is. :ivar phase: the step that is waited for, of `phases`.
    :ivar kept: how many discs red and yellow have kept. :ivar hands: how many they have in hand.
    :ivar powers: the letters of the power discs that they have left. :ivar source: the column from which a disc came
        that is to be put back. Those are None where the game has no such thing.
    """

    grid: tuple[str, ...]
    rows: int
    first: int
    last: int
    column: int
    turn: Side
    phase: str
    phases: tuple[str, ...]
    kept: Pair | None = None
    hands: Pair | None = None
    powers: tuple[str, str] | None = None
    source: int | None = None

    @classmethod
    def begun(cls, state: State, column: int) -> Draft:
        """Begin with what is known to be there, or else with what should be."""
        differs, telling, beside = state["differs"], state["telling"], state["beside"]
        known = telling["grid"] if telling else differs["seen"] if differs else None
        return cls(
            grid=tuple(known or state["grid"]),
            rows=state["rules"]["rows"],
            first=state["rules"]["firstColumn"],
            last=last_column(state),
            column=column,
            turn=Side(state["turn"] or RED.value),
            phase=beside["phase"],
            phases=tuple(phase["value"] for phase in beside["phases"]),
            kept=_pair(beside["kept"]),
            hands=_pair(beside["hands"]),
            powers=None if beside["powers"] is None else (beside["powers"][0], beside["powers"][1]),
            source=beside["source"],
        )

    def chosen(self, column: int) -> Draft:
        """With another column chosen, the nearest there is."""
        return replace(self, column=min(max(column, self.first), self.last))

    def put(self, side: Side) -> Draft:
        """With a disc on top of the chosen column, if it has room."""
        discs = self.grid[self.column - 1]
        return self._with(discs + side.letter) if len(discs) < self.rows else self

    def taken(self) -> Draft:
        """Without the top disc of the chosen column."""
        return self._with(self.grid[self.column - 1][:-1])

    @property
    def playable(self) -> list[str]:
        """The columns that can be played, as a command says them."""
        return list(self.grid[self.first - 1 : self.last])

    def differing(self, state: State) -> tuple[Cell, ...]:
        """The cells that are said to differ from what the board believes."""
        return differing_cells(self.grid, tuple(state["grid"]))

    def said(self) -> dict[str, Any]:
        """The fields of a command that considers this position, or sets it."""
        return {
            "grid": self.playable,
            "turn": self.turn.value,
            "phase": self.phase,
            "kept": self.kept and list(self.kept),
            "hands": self.hands and list(self.hands),
            "powers": self.powers and list(self.powers),
            "source": self.source if self.phase == "put" else None,
        }

    # What is beside the discs

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of what can be said beside the discs, in the order of asking."""
        names = ["turn"]
        if len(self.phases) > 1:
            names.append("phase")
        if self.phase == "put":
            names.append("source")
        for name in ("kept", "hands", "powers"):
            if getattr(self, name) is not None:
                names += [f"{name} {side.value}" for side in Side]
        return tuple(names)

    def changed(self, field: str, by: int) -> Draft:
        """With the next value of a field (`by` 1) or the one before (-1)."""
        name, _, owner = field.partition(" ")
        match name:
            case "turn":
                return replace(self, turn=self.turn.other)
            case "phase":
                index = self.phases.index(self.phase) if self.phase in self.phases else 0
                return replace(self, phase=self.phases[(index + by) % len(self.phases)])
            case "source":
                return replace(self, source=min(max((self.source or 0) + by, self.first), self.last))
            case "kept" if self.kept is not None:
                return replace(self, kept=_counted(self.kept, owner, by))
            case "hands" if self.hands is not None:
                return replace(self, hands=_counted(self.hands, owner, by))
        return self

    def toggled(self, field: str, letter: str) -> Draft:
        """With a power disc more or less for the side of a field."""
        name, _, owner = field.partition(" ")
        if name != "powers" or self.powers is None:
            return self
        red, yellow = self.powers
        if owner == RED.value:
            return replace(self, powers=(_toggled(red, letter), yellow))
        return replace(self, powers=(red, _toggled(yellow, letter)))

    def _with(self, discs: str) -> Draft:
        return replace(self, grid=(*self.grid[: self.column - 1], discs, *self.grid[self.column :]))


def _counted(counts: Pair, owner: str, by: int) -> Pair:
    red, yellow = counts
    return (max(red + by, 0), yellow) if owner == RED.value else (red, max(yellow + by, 0))


def _toggled(letters: str, letter: str) -> str:
    return "".join(each.value for each in PowerDisc if (each.value in letters) != (each.value == letter))


def _pair(values: list[int] | None) -> Pair | None:
    return None if values is None else (values[0], values[1])
