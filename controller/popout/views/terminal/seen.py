"""What the messages of a board mean for somebody who reads it in letters. Pure functions of state and look messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from popout.board.switches import column_switch, second_row_switch
from popout.rules import YELLOW, Cell
from popout.views.drawing import LAST, LOSING, WINNING

State = Mapping[str, Any]


def switch_of(state: State, column: int) -> str | None:
    """The button of a column of the grid, of the side to move where each has its own; None if it has none."""
    rules = state["rules"]
    number = column - rules["firstColumn"] + 1
    if not 1 <= number <= rules["columns"]:
        return None
    second = state["board"]["twoRows"] and state["turn"] == YELLOW.value
    return second_row_switch(number) if second else column_switch(number)


def last_column(state: State) -> int:
    """The last column of the grid that can be played."""
    return int(state["rules"]["firstColumn"] + state["rules"]["columns"] - 1)


def legal_columns(state: State) -> frozenset[int]:
    """The columns whose buttons do something now."""
    if state["menu"]:
        return frozenset(entry["column"] for entry in state["menu"]["entries"])
    if state["telling"]:
        return frozenset(range(state["rules"]["firstColumn"], last_column(state) + 1))
    if state["differs"]:
        return frozenset((state["differs"]["column"],))
    return frozenset(state["legal"]["pop" if state["bar"] == "open" else "drop"])


def only_bar(state: State) -> str | None:
    """How the bar must stand for a step that can only be a pop (``open``) or a drop (``closed``); None for either."""
    if state["outcome"] or state["menu"] or state["differs"] or state["telling"]:
        return None
    if state["phase"] == "play":
        return None if state["rules"]["pops"] else "closed"
    drops, pops = bool(state["legal"]["drop"]), bool(state["legal"]["pop"])
    return None if drops == pops else "open" if pops else "closed"


def marks(message: State) -> dict[Cell, str]:
    """The mark of each cell that a position has something to say of: its lines, else its last disc."""
    outcome, last = message["outcome"], message["last"]
    lines = outcome["lines"] if outcome else {}
    if any(lines.values()):
        winner = outcome["winner"]
        return {
            (column, row): WINNING if side == winner or winner is None else LOSING
            for side in sorted(lines, key=lambda each: each == winner)  # the winner last: its mark is the stronger one
            for line in lines[side]
            for column, row in line
        }
    if last and last["kind"] == "drop":
        return {(last["column"], last["row"]): LAST}
    return {}


def popped(message: State) -> int | None:
    """The column of the last move, if it was a pop."""
    last = message["last"]
    return int(last["column"]) if last and last["kind"] == "pop" else None
