"""The named faults of hands and discs, of lamps, and of the power, the cable and the clock."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal

from popout.board.chain import CellPlace, ColumnPlace, Place, TurnPlace
from popout.board.frame import DARK, Colour, Frame
from popout.board.layout import Layout
from popout.board.switches import SwitchEvent, column_switch, drop_sensor, numbered, second_row_switch
from popout.rules.messages import Message
from popout_sim import faults
from popout_sim.contact_faults import ColumnFault
from popout_sim.mischief import NOT_NOW_MS, Board, Fault, Mischief
from popout_sim.twin import CLOSED, DISCS, OPEN

_TO_THE_BUTTON_MS: Final = 400.0
"""From letting go of a disc to pressing its button."""

_AFTER_THE_END_MS: Final = 3000.0
"""So long after all column lamps went out somebody drops one more disc."""

_ONE_AFTER_THE_OTHER_MS: Final = 1000.0
"""How fast discs fall out of an open column when nobody closes the bar."""


@dataclass(kw_only=True)
class _ByHand(ColumnFault, ABC):
    """Something that a hand does to the discs, and that the careful hand leaves as it is."""

    def strike(self, board: Board, mischief: Mischief) -> float | None:
        columns = [
            column
            for column in range(1, board.layout.columns + 1)
            if self.column in (None, column) and self.fits(board, column, mischief)
        ]
        if not columns:
            return NOT_NOW_MS
        return self.do(board, mischief.chance.choice(columns), mischief)

    @abstractmethod
    def fits(self, board: Board, column: int, mischief: Mischief) -> bool:
        """Whether it can be done in a column now."""

    @abstractmethod
    def do(self, board: Board, column: int, mischief: Mischief) -> float | None:
        """Do it there; the answer is that of `strike`."""


@dataclass(kw_only=True)
class OutOfTurn(_ByHand):
    """A disc of the side that is not to move."""

    name: ClassVar = "out-of-turn"
    sentence: ClassVar = Message("The side that has just moved drops another disc and presses its button.")
    pace_ms: ClassVar = 30_000.0

    def fits(self, board: Board, column: int, mischief: Mischief) -> bool:
        return mischief.lit and _has_room(board, column)

    def do(self, board: Board, column: int, mischief: Mischief) -> float | None:
        _drop(board, column, mischief.mover)
        return None


@dataclass(kw_only=True)
class IntoFullColumn(_ByHand):
    """A disc that does not go in any more."""

    name: ClassVar = "into-full-column"
    sentence: ClassVar = Message("Somebody pushes a disc into a column that is full and presses its button.")
    pace_ms: ClassVar = 20_000.0

    def fits(self, board: Board, column: int, mischief: Mischief) -> bool:
        return not _has_room(board, column)

    def do(self, board: Board, column: int, mischief: Mischief) -> float | None:
        beam = drop_sensor(column)
        if beam in board.layout.switches:
            board.inject(faults.pulse(beam, board.now(), 80))
        _press(board, column, _to_move(mischief))
        return None


@dataclass(kw_only=True)
class AfterTheEnd(_ByHand):
    """A disc that comes too late."""

    name: ClassVar = "after-the-end"
    sentence: ClassVar = Message("The game is over, and somebody drops one more disc and presses its button.")
    pace_ms: ClassVar = 5_000.0

    def fits(self, board: Board, column: int, mischief: Mischief) -> bool:
        # As people see it: no column lamp has been lit for a while.
        is_over = not mischief.lit and board.now() >= mischief.columns_lit_at + _AFTER_THE_END_MS
        return is_over and any(board.twin.believed) and board.twin.bar == CLOSED and _has_room(board, column)

    def do(self, board: Board, column: int, mischief: Mischief) -> float | None:
        _drop(board, column, _to_move(mischief))
        return None


@dataclass(kw_only=True)
class WrongPop(_ByHand):
    """A pop of the other side's disc."""

    name: ClassVar = "wrong-pop"
    sentence: ClassVar = Message("With the bar open, a disc of the side that is not to move is let out.")
    pace_ms: ClassVar = 5_000.0

    def fits(self, board: Board, column: int, mischief: Mischief) -> bool:
        return board.twin.bar == OPEN and board.twin.grid[column - 1][:1] == mischief.mover

    def do(self, board: Board, column: int, mischief: Mischief) -> float | None:
        board.twin.meddle({"do": "pop", "column": column})
        return None


@dataclass(kw_only=True)
class PopWithBarClosed(_ByHand):
    """A disc that leaves past a closed bar."""

    name: ClassVar = "pop-with-bar-closed"
    sentence: ClassVar = Message("A disc is pushed out at the bottom although the bar is closed.")
    pace_ms: ClassVar = 30_000.0

    def fits(self, board: Board, column: int, mischief: Mischief) -> bool:
        return board.twin.bar == CLOSED and bool(board.twin.grid[column - 1])

    def do(self, board: Board, column: int, mischief: Mischief) -> float | None:
        board.twin.meddle({"do": "pop", "column": column})
        return None


@dataclass(kw_only=True)
class BarLeftOpen(_ByHand):
    """A column that runs out of the open board."""

    name: ClassVar = "bar-left-open"
    sentence: ClassVar = Message("The bar is left open, and up to three discs fall out of a column.")
    pace_ms: ClassVar = 5_000.0
    _falling: list[int] = field(default_factory=list, init=False)

    def strike(self, board: Board, mischief: Mischief) -> float | None:
        if not self._falling or board.twin.bar != OPEN:
            return super().strike(board, mischief)
        column = self._falling.pop()
        if board.twin.grid[column - 1]:
            board.twin.meddle({"do": "pop", "column": column})
        return _ONE_AFTER_THE_OTHER_MS if self._falling else None

    def fits(self, board: Board, column: int, mischief: Mischief) -> bool:
        return board.twin.bar == OPEN and len(board.twin.grid[column - 1]) > 1

    def do(self, board: Board, column: int, mischief: Mischief) -> float | None:
        self._falling = [column] * min(3, len(board.twin.grid[column - 1]))
        return self.strike(board, mischief)


@dataclass(kw_only=True)
class TopTaken(_ByHand):
    """A disc that a hand takes away."""

    name: ClassVar = "top-taken"
    sentence: ClassVar = Message("Somebody takes the top disc out of a column.")
    pace_ms: ClassVar = 30_000.0

    def fits(self, board: Board, column: int, mischief: Mischief) -> bool:
        return bool(board.twin.grid[column - 1])

    def do(self, board: Board, column: int, mischief: Mischief) -> float | None:
        board.twin.meddle({"do": "take", "column": column})
        return None


@dataclass(kw_only=True)
class TrayEmptied(Fault):
    """A game that is swept off the table."""

    name: ClassVar = "tray-emptied"
    sentence: ClassVar = Message("In mid-game somebody pulls out the bottom, and every disc falls.")
    pace_ms: ClassVar = 60_000.0

    def strike(self, board: Board, mischief: Mischief) -> float | None:
        if not any(board.twin.grid) or not mischief.lit:
            return NOT_NOW_MS
        board.twin.meddle({"do": "empty"})
        return None


@dataclass(kw_only=True)
class DeadLamp(ColumnFault):
    """A lamp that does not light."""

    name: ClassVar = "dead-lamp"
    sentence: ClassVar = Message("A lamp stays dark: a cell's, or without a row the one of a column's button.")
    column: int = 1
    row: int | None = None

    def why_not(self, layout: Layout) -> Message | None:
        if self.row is not None and not 1 <= self.row <= layout.rows:
            return Message(
                "The fault “{fault}” is to be in row {row}, and the board has the rows 1 to {rows}.",
                fault=self.name,
                row=self.row,
                rows=layout.rows,
            )
        return super().why_not(layout)

    def seen(self, frame: Frame, layout: Layout) -> Frame:
        place = ColumnPlace(self.column) if self.row is None else CellPlace(self.column, self.row)
        return lit(frame, {place: DARK})


@dataclass(kw_only=True)
class SwappedColours(Fault):
    """Lamps that were told their colours in another order."""

    name: ClassVar = "swapped-colours"
    sentence: ClassVar = Message("The lamps take green for red and red for green.")

    def seen(self, frame: Frame, layout: Layout) -> Frame:
        return lit(
            frame,
            {
                place: colour >> 8 & 0xFF00 | (colour & 0xFF00) << 8 | colour & 0xFF
                for place, colour in zip(layout.places, layout.colours(frame), strict=True)
            },
        )


@dataclass(kw_only=True)
class ReversedChain(Fault):
    """A chain of lamps that was connected at its wrong end."""

    name: ClassVar = "reversed-chain"
    sentence: ClassVar = Message(
        "The chain of lamps is connected at its other end, so that every lamp shows another's light."
    )

    def seen(self, frame: Frame, layout: Layout) -> Frame:
        return lit(frame, dict(zip(reversed(layout.places), layout.colours(frame), strict=True)))


@dataclass(kw_only=True)
class BoardAway(Fault):
    """A board that goes away and comes back."""

    name: ClassVar = "board-away"
    sentence: ClassVar = Message("The board is out of reach for three seconds, as with a cable that was pulled.")
    pace_ms: ClassVar = 60_000.0
    length_ms: float = 3_000.0

    def strike(self, board: Board, mischief: Mischief) -> float | None:
        board.go_away(self.length_ms)
        return None


Moment = Literal["before", "during", "after"]


@dataclass(kw_only=True)
class PowerCut(Fault):
    """A program that ends in the middle of a word."""

    name: ClassVar = "power-cut"
    sentence: ClassVar = Message("The power goes before, during or after a move is written: the program is killed.")
    once: ClassVar = True
    moment: Moment = "during"
    _waits: bool = field(default=True, init=False)

    def changed(self, board: Board, edges: Sequence[SwitchEvent], mischief: Mischief) -> Sequence[SwitchEvent]:
        last = edges[-1]
        if self._waits and not last.closed and numbered(last.switch) and self.moment != "after":
            if self.moment == "before":
                mischief.cut_power()
                return ()
            self._waits = False
            # Letting go has become certain by then, and the disk is at work.
            mischief.strike_in(self, mischief.chance.uniform(2, 8), board.now())
        return edges

    def strike(self, board: Board, mischief: Mischief) -> float | None:
        mischief.cut_power()
        return None

    def committed(self, mischief: Mischief) -> None:
        if self.moment == "after":
            mischief.cut_power()


@dataclass(kw_only=True)
class ClockBack(Fault):
    """A board whose clock starts anew."""

    name: ClassVar = "clock-back"
    sentence: ClassVar = Message("The clock of the board is set back by five seconds.")
    pace_ms: ClassVar = 60_000.0
    length_ms: float = 5_000.0

    def strike(self, board: Board, mischief: Mischief) -> float | None:
        board.set_back(self.length_ms)
        return None


def lit(frame: Frame, lamps: dict[Place, Colour]) -> Frame:
    """The frame with other light in some lamps."""
    cells = [list(column) for column in frame.cells]
    columns, turns = list(frame.columns), list(frame.turns)
    for place, colour in lamps.items():
        match place:
            case CellPlace(column, row):
                cells[column - 1][row - 1] = colour
            case ColumnPlace(column):
                columns[column - 1] = colour
            case TurnPlace(side):
                turns[0 if side == "red" else 1] = colour
    return Frame(tuple(map(tuple, cells)), tuple(columns), (turns[0], turns[1]))


def _to_move(mischief: Mischief) -> str:
    """The disc of the side that has not moved last."""
    return DISCS[1] if mischief.mover == DISCS[0] else DISCS[0]


def _has_room(board: Board, column: int) -> bool:
    return len(board.twin.grid[column - 1]) < board.layout.rows


def _drop(board: Board, column: int, disc: str) -> None:
    """Drop a disc and, where it trips no lever, press its button."""
    board.twin.meddle({"do": "drop", "column": column, "disc": disc})
    if board.layout.actuation == "button":
        _press(board, column, disc)


def _press(board: Board, column: int, disc: str) -> None:
    """Press the button of a column, on a board with two rows the one of the disc's side."""
    switch = second_row_switch(column)
    if disc != DISCS[1] or switch not in board.layout.switches:
        switch = column_switch(column)
    board.inject(faults.pulse(switch, board.now() + _TO_THE_BUTTON_MS, 120))
