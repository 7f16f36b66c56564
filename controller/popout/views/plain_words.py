"""What a board does, told in lines of text: the difference between what was told before and what is so now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from popout.play.consequences import kept_so_far
from popout.rules import Message, Side
from popout.views import words
from popout.views.drawing import Style, draw_grid, wrap
from popout.views.screen import in_ascii
from popout.views.terminal import seen
from popout.views.terminal.link import OFFLINE
from popout.views.terminal.seen import State

Say = Callable[[Message], str]


class Teller:
    """Tells a board in lines, each thing once.

    :param write: prints one line. :param draw: whether the board is drawn after each change.
    """

    def __init__(self, say: Say, style: Style, write: Callable[[str], None], *, draw: bool) -> None:
        self._say = say
        self._style = style
        self._write = write
        self._draws = draw
        self._told: State = {}
        self._is_lost = False

    def say(self, *messages: Message) -> None:
        """Print sentences, each on lines of its own."""
        for message in messages:
            self.line(self._say(message))

    def line(self, text: str) -> None:
        """Print a finished text, in lines that fit."""
        for line in wrap(text, self._style) or [""]:
            self._write(line if self._style.symbols else in_ascii(line))

    def hears(self, message: Mapping[str, Any]) -> bool:
        """Tell what a message brings that is new; whether anything was."""
        if message["type"] == "offline":
            was_lost, self._is_lost = self._is_lost, True
            if not was_lost:
                self.say(OFFLINE)
            return not was_lost
        found = [Message("The connection to the board is back.")] if self._is_lost else []
        self._is_lost = False
        self.say(*found)
        before, self._told = self._told, message
        texts = self._first(message) if not before else self._news(before, message)
        for text in texts:
            self.line(text)
        return bool(texts or found)

    def show(self) -> None:
        """Draw the board and say what is so now."""
        self._board(self._told)
        for text in (*self._score(self._told), self._told["status"]):
            self.line(text)

    def moves(self) -> None:
        """List the moves."""
        made = self._told["moves"]
        if not made:
            self.say(Message("No move has been made. {now}", now=self._told["status"]))
        for ply, move in enumerate(made, 1):
            self.line(f"{ply}. {move['text']}  {move['said']}")

    def _first(self, state: State) -> list[str]:
        rules = state["rules"]
        title = Message(
            "{game}, {columns} columns by {rows} rows, {connect} in a row.",
            game=rules["title"],
            columns=rules["width"],
            rows=rules["rows"],
            connect=rules["connect"],
        )
        self.say(title)
        if self._draws or any(state["grid"]):
            self._board(state)
        return [*self._score(state), state["status"], *_entries(state), *_wrong(state)]

    def _news(self, before: State, state: State) -> list[str]:
        texts: list[str] = []
        made = len(before["moves"])
        if state["moves"][:made] == before["moves"]:
            texts += [f"{ply}. {move['said']}" for ply, move in enumerate(state["moves"][made:], made + 1)]
        said = {move["said"] for move in state["moves"][made:]}
        notice, noticed = state["notice"], before["notice"]
        if notice and notice["id"] != (noticed and noticed["id"]) and notice["text"] not in {*said, state["status"]}:
            texts.append(notice["text"])
        if state["kept"] != before["kept"] and said:
            texts += self._score(state)
        if state["grid"] != before["grid"] and self._draws:
            self._board(state)
        if state["differs"] != before["differs"]:
            texts += _wrong(state)
        changed = said or state["status"] != before["status"]
        if changed and not any(text.endswith(state["status"]) for text in texts):
            texts.append(state["status"])
        if state["outcome"] and not before["outcome"]:
            texts += [
                self._say(words.line_sentence(Side(side), tuple(map(tuple, line))))
                for side, lines in state["outcome"]["lines"].items()
                for line in lines
            ]
        if state["menu"] != before["menu"]:
            texts += _entries(state)
        return list(dict.fromkeys(texts))

    def _score(self, state: State) -> list[str]:
        kept = state["kept"]
        return [self._say(kept_so_far(kept["red"], kept["yellow"], state["rules"]["target"]))] if kept else []

    def _board(self, state: State) -> None:
        drawing = draw_grid(state["grid"], state["rules"]["rows"], seen.marks(state), seen.popped(state), self._style)
        for line in ("", *drawing, ""):
            self._write(line)


def _entries(state: State) -> list[str]:
    menu = state["menu"]
    if not menu:
        return []
    return [menu["title"], *(f"  {entry['column']:>2}  {entry['text']}" for entry in menu["entries"])]


def _wrong(state: State) -> list[str]:
    return [state["differs"]["text"]] if state["differs"] else []
