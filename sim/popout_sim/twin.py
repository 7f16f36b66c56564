"""What lies on the table: the discs in their columns, the bar, the fingers on the switches, the lamps.

Pure state without a clock. What a hand does and what the controller believes are two things; the twin keeps
both and shows where they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from popout.board.driver import HandError
from popout.board.frame import Colour, Frame
from popout.board.layout import Layout
from popout.board.switches import BAR, column_switch, drop_sensor, pop_sensor
from popout.rules.messages import Message, PopoutError

DISCS: Final = ("X", "O")
"""A red and a yellow disc."""

CLOSED: Final = "closed"
HALF: Final = "half"
OPEN: Final = "open"
"""Where the bar can be. Half open, no disc fits through and the bar's contact stays as it was."""

FALLEN_SHOWN: Final = 24
"""How many of the discs in the tray a snapshot shows, the newest."""

_NAME_SHOWN: Final = 40


class SizeMismatch(PopoutError, ValueError):
    """A grid or a frame is not of the size of this board."""

    code = "size-mismatch"


class Twin:
    """The discs, the bar, the fingers and the lamps of one slotted board.

    :param layout: the board's size, actuation and switches.
    :param changed: called with a switch and whether it should be closed, when a hand changes that.
    :param tripped: called with a switch and a number of discs when discs pass a lever or a beam.

    The careful hand is on at first: whatever the controller believes, the discs follow. A disc that it drops, or lets
    out through the open bar, passes the beams as any disc does; a lever that it would trip has been pressed already.
    What it sets up at the beginning, nobody watches. With it off, only `act` moves discs.

    Example::

        twin = Twin(Layout.plain(7, 6))
        twin.act({"do": "drop", "column": 4, "disc": "X"})
        twin.grid           # ("", "", "", "X", "", "", "")
        twin.differences()  # the controller does not know of that disc
    """

    def __init__(
        self,
        layout: Layout,
        *,
        changed: Callable[[str, bool], None] = lambda _switch, _closed: None,
        tripped: Callable[[str, int], None] = lambda _switch, _discs: None,
    ) -> None:
        self.attach(changed=changed, tripped=tripped)
        self.careful = True
        self.reshape(layout)

    def attach(self, *, changed: Callable[[str, bool], None], tripped: Callable[[str, int], None]) -> None:
        """Tell others from now on what hands and discs do."""
        self._changed = changed
        self._tripped = tripped

    def reshape(self, layout: Layout) -> None:
        """Be an empty board of this layout: no disc, no finger, the bar closed, the lamps dark."""
        self.layout = layout
        self.bar = CLOSED
        self._bar_closes = False
        self.fallen: list[str] = []
        self.lamps = Frame.dark(layout.columns, layout.rows)
        self._grid = [""] * layout.columns
        self._believed: tuple[str, ...] = ("",) * layout.columns
        self._is_set_up = False
        self._is_meddled = False
        self._pressed: dict[str, None] = {}  # a set that keeps the order of the fingers

    @property
    def grid(self) -> tuple[str, ...]:
        """The discs that are really there: one text a column from the left, each from the bottom up."""
        return tuple(self._grid)

    @property
    def believed(self) -> tuple[str, ...]:
        """The discs that the controller last said it believes in; none before it said anything."""
        return self._believed

    @property
    def pressed(self) -> tuple[str, ...]:
        """The switches that a hand holds down, in the order of the presses."""
        return tuple(self._pressed)

    def differences(self) -> list[dict[str, Any]]:
        """Where the discs are not what the controller believes, cell by cell from the left and from below."""
        found = []
        for column, (seen, believed) in enumerate(zip(self._grid, self._believed, strict=True), start=1):
            for row in range(1, max(len(seen), len(believed)) + 1):
                cell = {"seen": _disc(seen, row), "believed": _disc(believed, row)}
                if cell["seen"] != cell["believed"]:
                    found.append({"column": column, "row": row, **cell})
        return found

    def snapshot(self) -> dict[str, Any]:
        """Everything that can be seen, as plain data for JSON; lamps are ``#rrggbb``."""
        return {
            "grid": list(self._grid),
            "bar": self.bar,
            "pressed": list(self._pressed),
            "believed": list(self._believed),
            "differences": self.differences(),
            "careful": self.careful,
            "lamps": {
                "cells": [[_hex(lamp) for lamp in column] for column in self.lamps.cells],
                "columns": [_hex(lamp) for lamp in self.lamps.columns],
                "turns": [_hex(lamp) for lamp in self.lamps.turns],
            },
            "fallen": self.fallen[-FALLEN_SHOWN:],
        }

    def see(self, frame: Frame) -> None:
        """Light the lamps.

        :raises SizeMismatch: the frame is of another size than the board.
        """
        columns, rows = self.layout.columns, self.layout.rows
        sizes = {len(column) for column in frame.cells}
        if len(frame.cells) != columns or len(frame.columns) != columns or sizes != {rows}:
            raise SizeMismatch(
                Message("The picture for the lamps is not {columns} by {rows}.", columns=columns, rows=rows)
            )
        self.lamps = frame

    def believe(self, grid: Sequence[str]) -> None:
        """Hear what the controller believes; the careful hand, when on, makes the discs follow at once.

        :raises SizeMismatch: the grid is not one that this board can hold.
        """
        columns, rows = self.layout.columns, self.layout.rows
        if len(grid) != columns or any(len(column) > rows or set(column) - set(DISCS) for column in grid):
            raise SizeMismatch(
                Message(
                    "The board of {columns} by {rows} cannot hold the discs that it is said to hold.",
                    columns=columns,
                    rows=rows,
                )
            )
        former, self._believed = self._believed, tuple(grid)
        if self.careful:
            before = self.grid
            if self._is_meddled:
                self._go_on(former)
            else:
                self._tidy()
            if self._is_set_up:
                self._trip_beams(before)
            if not any(self._grid):
                # Before the next game somebody takes the discs out of the tray.
                self.fallen.clear()
        self._is_set_up = True

    def act(self, action: object) -> None:
        """Do what a hand would do. An act that is refused changes nothing.

        `action` is an object as it comes out of JSON, one of::

            {"do": "press", "switch": "column 4"}   lay a finger on a switch
            {"do": "release", "switch": "column 4"} lift it
            {"do": "bar", "to": "open"}             slide the bar: open, half or closed
            {"do": "drop", "column": 4, "disc": "X"}
            {"do": "pop", "column": 4}              let the bottom disc fall into the tray
            {"do": "take", "column": 4}             take the top disc out
            {"do": "tidy"}                          put every disc where the controller believes it is
            {"do": "empty"}                         pull out the bottom: every disc is back in the box
            {"do": "careful", "on": false}          let the careful hand rest, or help again

        Pressing what is pressed already and releasing what is not are nothing.

        :raises HandError: no hand can do that here; the message says why.
        """
        what = action.get("do") if isinstance(action, Mapping) else None
        if not isinstance(action, Mapping) or not isinstance(what, str):
            raise HandError(Message("An act of a hand names what it does, such as {example}.", example=_EXAMPLE))
        match what:
            case "press":
                self._press(self._switch(action.get("switch")))
            case "release":
                self._release(self._switch(action.get("switch")))
            case "bar":
                self._slide(action.get("to"))
            case "drop":
                self._drop(self._column(action.get("column")), action.get("disc"))
            case "pop":
                self._pop(self._column(action.get("column")))
            case "take":
                self._take(self._column(action.get("column")))
            case "tidy":
                self._tidy()
            case "empty":
                self._empty()
            case "careful":
                self._be_careful(action.get("on"))
            case _:
                raise HandError(Message("A hand does not know how to “{what}”.", what=_printable(what)))

    def meddle(self, action: Mapping[str, Any]) -> None:
        """Do what nobody at the table should: `act`, also past a closed bar, and the careful hand leaves it as it is.

        That one goes on with the turns that follow, until it is told to tidy.

        :raises HandError: no hand can do that here.
        """
        bar, self.bar = self.bar, OPEN
        try:
            self.act(action)
        finally:
            self.bar = bar
        self._is_meddled = True

    def _press(self, switch: str) -> None:
        if switch not in self._pressed:
            self._pressed[switch] = None
            self._changed(switch, True)

    def _release(self, switch: str) -> None:
        if switch in self._pressed:
            del self._pressed[switch]
            self._changed(switch, False)

    def _slide(self, to: object) -> None:
        if not isinstance(to, str) or to not in (CLOSED, HALF, OPEN):
            raise HandError(Message("The bar can be slid to open, half or closed, and nowhere else."))
        self.bar = to
        # The contact has a snap action: on the way, at half, it stays as it was.
        closes = self._bar_closes if to == HALF else to == OPEN
        if closes != self._bar_closes:
            self._bar_closes = closes
            if BAR in self.layout.switches:
                self._changed(BAR, closes)

    def _drop(self, column: int, disc: object) -> None:
        if not isinstance(disc, str) or disc not in DISCS:
            raise HandError(Message("A disc is X (red) or O (yellow)."))
        if len(self._grid[column - 1]) == self.layout.rows:
            raise HandError(Message("Column {column} is full: no other disc goes in.", column=column))
        self._grid[column - 1] += disc
        self._trip(drop_sensor(column))
        if self.layout.actuation == "disc":
            self._trip(column_switch(column))

    def _pop(self, column: int) -> None:
        if self.bar == HALF:
            raise HandError(Message("The bar is only half open, and no disc fits through. Slide it all the way open."))
        if self.bar == CLOSED:
            raise HandError(Message("The bar is closed, and no disc can fall out. Slide it open first."))
        discs = self._grid[column - 1]
        if not discs:
            raise HandError(Message("Column {column} is empty: there is no disc to let out.", column=column))
        self.fallen.append(discs[0])
        self._grid[column - 1] = discs[1:]
        self._trip(pop_sensor(column))

    def _take(self, column: int) -> None:
        if not self._grid[column - 1]:
            raise HandError(Message("Column {column} is empty: there is no disc to take.", column=column))
        self._grid[column - 1] = self._grid[column - 1][:-1]

    def _empty(self) -> None:
        emptied, self._grid, self.fallen = self._grid, [""] * self.layout.columns, []
        for column, discs in enumerate(emptied, start=1):
            if discs:
                self._trip(pop_sensor(column), len(discs))

    def _be_careful(self, on: object) -> None:
        if not isinstance(on, bool):
            raise HandError(Message("The careful hand is on (true) or off (false)."))
        self.careful = on
        if on:
            self._tidy()

    def _tidy(self) -> None:
        """Put every disc where the controller believes it is, past every lever and beam."""
        self._is_meddled = False
        for index, (old, new) in enumerate(zip(self._grid, self._believed, strict=True)):
            # "XX" that becomes "X" lost its bottom disc if the bar is open, and else its top one.
            if self.bar == OPEN and old.endswith(new):
                self.fallen.extend(old[: len(old) - len(new)])
            elif new.endswith(old) and not new.startswith(old):  # a pop was taken back
                for disc in new[: len(new) - len(old)]:
                    self._pick_up(disc)
            self._grid[index] = new

    def _go_on(self, former: tuple[str, ...]) -> None:
        """Do what turns the `former` belief into that of now, beside what somebody has meddled with."""
        for index, (old, new) in enumerate(zip(former, self._believed, strict=True)):
            there = self._grid[index]
            if new[:-1] == old and new != old:
                if len(there) < len(new):  # else the disc that was counted lies there already
                    self._grid[index] = there + new[-1]
            elif old[1:] == new and new != old and self.bar == OPEN:
                if len(there) > len(new):
                    self.fallen.append(there[0])
                    self._grid[index] = there[1:]
            elif old != new:
                self._grid[index] = new
        self._is_meddled = self.grid != self._believed

    def _trip_beams(self, before: tuple[str, ...]) -> None:
        """Trip the beam that a disc passes which a careful hand has dropped or let out since `before`."""
        changed = [column for column, old in enumerate(before, start=1) if old != self._grid[column - 1]]
        if len(changed) != 1:
            return  # no turn does that: the board was set up anew
        (column,) = changed
        old, new = before[column - 1], self._grid[column - 1]
        if new[:-1] == old:
            self._trip(drop_sensor(column))
        elif self.bar == OPEN and old[1:] == new:
            self._trip(pop_sensor(column))

    def _pick_up(self, disc: str) -> None:
        """Take the newest such disc out of the tray; without one the disc comes from the box."""
        for place in range(len(self.fallen) - 1, -1, -1):
            if self.fallen[place] == disc:
                del self.fallen[place]
                return

    def _trip(self, switch: str, discs: int = 1) -> None:
        if switch in self.layout.switches:
            self._tripped(switch, discs)

    def _column(self, column: object) -> int:
        # JSON's true is an int to Python, and is no column.
        if not isinstance(column, int) or isinstance(column, bool) or not 1 <= column <= self.layout.columns:
            raise HandError(
                Message("There is no such column: the columns are 1 to {columns}.", columns=self.layout.columns)
            )
        return column

    def _switch(self, switch: object) -> str:
        if not isinstance(switch, str):
            raise HandError(Message("A switch has a name, such as “{switch}”.", switch=column_switch(1)))
        if switch == BAR:
            raise HandError(Message("The bar is not pressed but slid: open, half or closed."))
        if switch not in self.layout.switches:
            raise HandError(Message("This board has no switch “{switch}”.", switch=_printable(switch)))
        return switch


_EXAMPLE: Final = '{"do": "press", "switch": "column 4"}'


def _disc(column: str, row: int) -> str | None:
    return column[row - 1] if row <= len(column) else None


def _hex(colour: Colour) -> str:
    return f"#{colour:06x}"


def _printable(name: str) -> str:
    """A name from outside, cut short and safe to print on any terminal."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in name[:_NAME_SHOWN])
    return shown + "…" if len(name) > _NAME_SHOWN else shown
