"""Positions that somebody writes in the plain terminal, as the fields of a command. Pure."""

from __future__ import annotations

from typing import Any

from popout.rules import Message, PopoutError
from popout.rules.messages import excerpt
from popout.views.terminal.seen import State, last_column

_LONGEST_COUNT = 4
_DISCS = {"x": "X", "r": "X", "o": "O", "y": "O", ".": ".", "-": ".", "_": "."}
_SIDES = {"x": "red", "r": "red", "red": "red", "o": "yellow", "y": "yellow", "yellow": "yellow"}


class BadPosition(PopoutError, ValueError):
    """What was written is no position of this board."""

    code = "bad-position"


class Rows:
    """The rows of a board as they are written, the top row first."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._rows: list[str] = []

    def add(self, line: str) -> bool:
        """Add a line; whether it was the last one: as many as the board has rows, or an empty one.

        :raises BadPosition: it is no row of this board.
        """
        text = "".join(line.split()).strip("|")
        if text:
            self._rows.append(self._row(text))
        return not text or len(self._rows) == self._state["rules"]["rows"]

    def grid(self) -> list[str]:
        """The playable columns, from the bottom up; rows that were not written are empty ones on top.

        :raises BadPosition: a disc has nothing under it.
        """
        rows = self._rows[::-1]
        first, last = self._state["rules"]["firstColumn"], last_column(self._state)
        columns = ["".join(row[column - 1] for row in rows).rstrip(".") for column in range(first, last + 1)]
        for column, discs in enumerate(columns, first):
            if "." in discs:
                raise BadPosition(
                    Message(
                        "Column {column} has a disc with nothing under it (row {row}). Begin again with “correct”.",
                        column=column,
                        row=discs.index(".") + 2,
                    )
                )
        return columns

    def _row(self, text: str) -> str:
        rules = self._state["rules"]
        discs = "".join(_DISCS.get(letter.lower(), "?") for letter in text)
        if len(discs) == rules["columns"] < rules["width"]:
            discs = f".{discs}."  # the filled outer columns need not be written
        if "?" in discs or len(discs) != rules["width"]:
            raise BadPosition(
                Message(
                    "“{text}” is no row of this board: write one letter of X, O or a point for each of {columns} "
                    "columns. Begin again with “correct”.",
                    text=excerpt(text),
                    columns=rules["width"],
                )
            )
        return discs


def position_of(text: str, state: State) -> dict[str, Any]:
    """A position on one line, such as ``XO/X///// yellow phase=pop kept=2,3``, as the fields of a command.

    :raises BadPosition: it cannot be read.
    """
    grid, *others = text.split()
    fields: dict[str, Any] = {"grid": _grid(grid, state)}
    for word in others:
        name, equals, value = word.lower().partition("=")
        if not equals and name in _SIDES:
            fields["turn"] = _SIDES[name]
        elif name == "phase" and value:
            fields["phase"] = value
        elif name == "source" and _is_count(value):
            fields["source"] = int(value)
        elif name in ("kept", "hands") and all(map(_is_count, value.split(","))) and value.count(",") == 1:
            fields[name] = [int(part) for part in value.split(",")]
        elif name == "powers" and value.count(",") == 1:
            fields["powers"] = value.split(",")
        else:
            raise BadPosition(
                Message(
                    "“{word}” is nothing that a position has. Write the side to move, or one of {fields}.",
                    word=excerpt(word),
                    fields="phase=pop, kept=2,3, hands=19,20, powers=abwx,ab, source=4",
                )
            )
    return fields


def _is_count(text: str) -> bool:
    """Whether a text is a number that a board can have something of; Python itself refuses to read the longest ones."""
    return text.isascii() and text.isdecimal() and len(text) <= _LONGEST_COUNT


def _grid(text: str, state: State) -> list[str]:
    rules = state["rules"]
    columns = ["".join(_DISCS.get(letter.lower(), letter) for letter in column) for column in text.split("/")]
    if len(columns) == rules["width"] > rules["columns"]:
        columns = columns[rules["firstColumn"] - 1 : last_column(state)]
    if len(columns) != rules["columns"]:
        raise BadPosition(
            Message(
                "This names {count} columns, and the board has {columns}. Write them from the left with “/” between.",
                count=len(columns),
                columns=rules["columns"],
            )
        )
    return columns
