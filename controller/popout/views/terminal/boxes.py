"""What stands beside the board besides the players: the menu, a question, a correction; and the keys under it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.style import Style
from rich.text import Text

from popout.rules import Message
from popout.views.terminal.seen import State, last_column
from popout.views.terminal.words import DISCS, Words

_STRONG: Final = Style(bold=True)
_DIM: Final = Style(dim=True)
_KEY: Final = Style(reverse=True)
_ALARM: Final = Style(color="#ffb454", bold=True)

_ENTER = Message("Enter")
_FINISHED = Message("Everything is in its place now")
_ADOPT = Message("Play on from what is on the board")
_MENU = Message("Menu")
_CORRECT = Message("Say what is on the board")
_CORRECT_SHORT = Message("Correct")
_QUIT = Message("Quit")
_PHONES = Message("Phones: where they find the board, and which may play")
_BAR = Message("Bar")
_PRESS = Message("Press")
_TWO_DIGITS = Message("Choose a column by its number in two digits, such as 07")
_LOOK_BACK = Message("Look at earlier moves, and back to now")


def box(state: State, looked: State | None, words: Words) -> Text:
    """What asks for attention now; empty if nothing does."""
    if looked:
        return key_list([("Esc", words("backToNow"))])
    menu, differs, telling = state["menu"], state["differs"], state["telling"]
    if menu:
        drawn = _title(menu["title"], _ALARM if menu["level"] == "resume" else _STRONG)
        entries = [(str(entry["column"]), entry["text"]) for entry in menu["entries"]]
        return drawn.append_text(key_list(entries))
    if telling:
        drawn = _title(words.say(Message("Hands at the board are saying what is on it.")), _ALARM)
        return drawn.append(words.say(_NEXT[telling["disc"]]))
    if differs:
        drawn = _title(differs["text"], _ALARM)
        keys = [("F", words.say(_FINISHED))]
        if differs["canAdopt"] and differs["choices"]:
            keys.append(("S", words.say(_ADOPT)))
        return drawn.append_text(key_list(keys))
    return Text()


def keys_line(state: State, words: Words, width: int) -> Text:
    """The keys that are used most, in at most two lines of that width."""
    last = last_column(state)
    columns = "←→" if state["rules"]["width"] > 10 else f"{state['rules']['firstColumn']}–{last if last < 10 else 0}"
    wanted = [
        (columns, words.say(_PRESS)),
        ("Space", words.say(_BAR)),
        ("↑↓", words("moves")),
        ("U", words("takeBack")),
        ("M", words.say(_MENU)),
        ("N", words("newGame")),
        ("C", words.say(_CORRECT_SHORT)),
        ("?", words("help")),
        ("Q", words.say(_QUIT)),
    ]
    drawn, at, lines = Text(no_wrap=True), 0, 1
    for key, does in wanted:
        wide = len(key) + len(does) + 5
        if at and at + wide > width + 2:
            if lines == 2:
                break
            drawn.append("\n")
            at, lines = 0, lines + 1
        drawn.append(f" {key} ", _KEY)
        drawn.append(f" {does}  ", _DIM)
        at += wide
    return drawn


def keys_of(state: State, words: Words) -> list[tuple[str, str]]:
    """Every key and what it does in this game."""
    wide = state["rules"]["width"] > 10
    keys = [
        ("01 02 …", words.say(_TWO_DIGITS)) if wide else ("1 2 … 0", words("keyColumn")),
        (f"← → {words.say(_ENTER)}", words("keyArrows")),
        (words("space"), words("keyBar")),
        ("U", words("takeBack")),
        ("↑ ↓ Home End", words.say(_LOOK_BACK)),
        ("Esc", words("keyOrdinary")),
        ("M", words("menuButton")),
        ("N", words("newGame")),
        ("C", words.say(_CORRECT)),
        ("D", words("agreeDraw")),
        ("P", words.say(_PHONES)),
        ("Q", words.say(_QUIT)),
    ]
    if state["powers"]:
        keys.insert(3, (" ".join(disc["disc"].upper() for disc in state["powers"]["discs"]), words("keyPower")))
    return keys


def key_list(keys: Sequence[tuple[str, str]]) -> Text:
    """Keys one below the other, each with what it does."""
    wide = max(len(key) for key, _ in keys)
    drawn = Text()
    for number, (key, does) in enumerate(keys):
        drawn.append("\n" if number else "")
        drawn.append(f" {key:>{wide}} ", _KEY)
        drawn.append(f" {does}")
    return drawn


def _title(text: str, style: Style) -> Text:
    drawn = Text()
    return drawn.append(f"▌{text}\n", style)


_NEXT = {
    "red": Message("The next disc that they name is red ({disc}).", disc=DISCS["red"]),
    "yellow": Message("The next disc that they name is yellow ({disc}).", disc=DISCS["yellow"]),
}
