"""The questions of `popout layout new`: each with its default and a line that explains it, asked until it fits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import click

from popout.board.chain import CellLamps
from popout.board.layout_checks import SIZES
from popout.commands.console import Console
from popout.rules import Message, PopoutError
from popout.rules.messages import excerpt
from popout.wiring.sketch import drawn_size, wire_way
from popout.wiring.wishes import EXTRAS, Wishes

LONGEST_TITLE = 80
MOST_AMPERES = 60.0
FEWER_PINS = ("columns", "computer", *EXTRAS)
"""The fields by whose answers fewer pins are needed."""
_CHOICE = len("expanders")


class AnswerImpossible(PopoutError, ValueError):
    """An answer that does not fit its question."""

    code = "answer-impossible"


@dataclass(frozen=True)
class Question:
    """A question about one field of `Wishes`.

    :ivar name: of the field. :ivar asked: what it explains, in one line.
    :ivar read: the value of an answer, or `AnswerImpossible`. :ivar written: a value as it is answered.
    :ivar choices: the words that answer it, where each is explained.
    :ivar fits: whether it must be asked at all, after the answers so far.
    """

    name: str
    asked: Message
    read: Callable[[str, Wishes], Any]
    written: Callable[[Any], str] = str
    choices: Mapping[str, Message] = field(default_factory=dict)
    fits: Callable[[Wishes], bool] = lambda wishes: True  # noqa: ARG005


def questions() -> tuple[Question, ...]:
    """All questions in their order, the choice among several wirings aside."""
    return (
        Question("columns", Message("How many columns? Flanks that are never played do not count."), _size),
        Question("rows", Message("How many rows?"), _size),
        Question(
            "computer",
            Message("Which computer reads the board?"),
            _one_of("pi", "pico"),
            choices={"pi": Message("a Raspberry Pi with its own pins"), "pico": Message("a Pico on USB")},
        ),
        Question("title", Message("What is the board called?"), title),
        Question(
            "actuation",
            Message("What closes a column?"),
            _one_of("button", "disc"),
            choices={"button": Message("a player presses"), "disc": Message("the disc itself trips a lever")},
        ),
        Question(
            "menu", Message("Is there a button for the menu? Without one, both outermost columns open it."), *_yes_no
        ),
        Question("take_back", Message("Is there a button to take back? Without one, a column is held."), *_yes_no),
        Question("powers", Message("Are there four buttons for the power discs of Power Up?"), *_yes_no),
        Question(
            "second_row", Message("Has yellow a row of buttons of its own? Then the board knows who pressed."), *_yes_no
        ),
        Question("drop_beams", Message("Is there a light beam under each slot, which sees a disc go in?"), *_yes_no),
        Question(
            "pop_beams",
            Message("Is there a light beam under the bar at each column, which sees a disc leave?"),
            *_yes_no,
        ),
        Question(
            "lamps",
            Message("Which lamps?"),
            _one_of("none", "turns", "columns", "cells"),
            choices={
                "none": Message("no lamps"),
                "turns": Message("two plain LEDs"),
                "columns": Message("a chain at the buttons and the turns"),
                "cells": Message("a chain behind each cell too"),
            },
        ),
        Question(
            "start",
            Message(
                "Behind which corner is the first lamp, from the front? bottom-left, bottom-right, top-left, top-right."
            ),
            _corner,
            written=lambda corner: str(corner).replace(" ", "-"),
            fits=_has_cells,
        ),
        Question(
            "along",
            Message("Does the wire run along a column first, or along a row?"),
            _one_of("column", "row"),
            fits=_has_cells,
        ),
        Question(
            "serpentine",
            Message("Does every second run go back the other way? no: each starts at the same edge."),
            *_yes_no,
            fits=_has_cells,
        ),
        Question(
            "amperes",
            Message("How many amperes can the 5 V supply give to the lamps?"),
            amperes,
            written=lambda value: f"{value:g}",
            fits=lambda wishes: wishes.chained,
        ),
    )


def title(text: str, _: Wishes) -> str:
    """A title that a layout can have.

    :raises AnswerImpossible: it is empty, too long, or has letters that cannot be printed.
    """
    if not text.strip() or len(text) > LONGEST_TITLE or not text.isprintable():
        raise AnswerImpossible(
            Message("A title has 1 to {most} letters, all of which can be printed.", most=LONGEST_TITLE)
        )
    return text.strip()


def amperes(text: str, wishes: Wishes) -> float:
    """What the supply gives: more than the dark lamps take, and not more than there are supplies for.

    :raises AnswerImpossible: it is none, too little or too much.
    """
    least = (wishes.lamp_count() + 1) / 1000
    with suppress(ValueError):
        value = float(text.replace(",", "."))
        if least <= value <= MOST_AMPERES:
            return value
    raise AnswerImpossible(
        Message(
            "Write the amperes of the supply as a number from {least}, which the dark lamps take, to {most}.",
            least=f"{least:g}",
            most=f"{MOST_AMPERES:g}",
        )
    )


class Asker:
    """Asks at a terminal. What was given as an option is not asked."""

    def __init__(self, console: Console, given: Collection[str]) -> None:
        self.console = console
        self.given = given

    def all(self, wishes: Wishes) -> Wishes:
        """Every question that is open."""
        self.console.say(Message("Enter takes the answer in brackets, Ctrl+C leaves without writing anything."))
        for question in questions():
            wishes = self._ask(question, wishes)
            if question.name == "serpentine":
                wishes = self._wire_way(wishes)
        return wishes

    def is_open(self, fields: Iterable[str]) -> bool:
        """Whether one of these questions is still to be asked, since no option answers it."""
        return any(field not in self.given for field in fields)

    def again(self, wishes: Wishes) -> Wishes:
        """The questions of `FEWER_PINS`, after more was asked for than there are pins."""
        if wishes.title == usual_title(wishes):
            wishes = replace(wishes, title="")  # its size may change
        for question in questions():
            if question.name in FEWER_PINS:
                wishes = self._ask(question, wishes)
        return wishes

    def supply_again(self, wishes: Wishes) -> Wishes:
        """The question for the supply, after more lamps were asked for than it can feed."""
        return next(self._ask(question, wishes) for question in questions() if question.name == "amperes")

    def choose(self, asked: Message, choices: Mapping[str, Message], default: str) -> str:
        """One of some words, each with what it means."""
        return str(self._until_it_fits(asked, default, lambda text: _one_of(*choices)(text, Wishes()), choices))

    def confirm(self, asked: Message, *, default: bool) -> bool:
        """Yes or no."""
        return bool(self._until_it_fits(asked, _yes_or_no(default), lambda text: _truth(text, Wishes())))

    def word(self, asked: Message, default: str) -> str:
        """Any text."""
        return str(self._until_it_fits(asked, default, lambda text: text))

    def _ask(self, question: Question, wishes: Wishes) -> Wishes:
        if question.name in self.given or not question.fits(wishes):
            return wishes
        default = question.written(_default(question.name, wishes))
        value = self._until_it_fits(question.asked, default, lambda text: question.read(text, wishes), question.choices)
        return replace(wishes, **{question.name: value})

    def _wire_way(self, wishes: Wishes) -> Wishes:
        """Show how the wire runs, and ask for it again until that is right."""
        asked = [each for each in questions() if each.name in ("start", "along", "serpentine")]
        if not _has_cells(wishes) or all(each.name in self.given for each in asked):
            return wishes
        while True:
            cells = CellLamps(start=wishes.start, along=wishes.along, serpentine=wishes.serpentine)
            if drawn_size(wishes.columns, wishes.rows) != (wishes.columns, wishes.rows):
                self.console.say(Message("The drawing is smaller than the board; the wire begins and ends as there."))
            drawing = wire_way(cells, wishes.columns, wishes.rows, symbols=self.console.style.symbols)
            self.console.write("", *(f"    {line}".rstrip() for line in drawing), "")
            if self.confirm(
                Message("Does the wire run so, from the front, from S (the first lamp) to E?"), default=True
            ):
                return wishes
            for question in asked:
                wishes = self._ask(question, wishes)

    def _until_it_fits(
        self, asked: Message, default: str, read: Callable[[str], Any], choices: Mapping[str, Message] | None = None
    ) -> Any:
        self.console.say(asked)
        for word, meaning in (choices or {}).items():
            self.console.write(f"    {word:<{_CHOICE}}  {self.console.catalogue.text(meaning)}")
        while True:
            text = self._line(f"  [{default}]: ").strip() or default
            try:
                return read(text)
            except AnswerImpossible as error:
                self.console.say(error.message)

    def _line(self, prompt: str) -> str:
        with suppress(ImportError):
            import readline  # noqa: F401  (with it, input() can be edited)
        try:
            return input(prompt)
        except (EOFError, KeyboardInterrupt):
            self.console.write("")
            raise click.Abort from None


def _default(field: str, wishes: Wishes) -> Any:
    if field == "title":
        return wishes.title or usual_title(wishes)
    if field == "amperes":
        least = (wishes.lamp_count() + 1) / 1000
        known = wishes.amperes is not None and wishes.amperes >= least
        return wishes.amperes if known else wishes.suitable_amperes()
    return getattr(wishes, field)


def usual_title(wishes: Wishes) -> str:
    """The title of a board that has not been given one; it is data of the layout, and so the same in any language."""
    computer = "Raspberry Pi" if wishes.computer == "pi" else "Pico"
    return f"{wishes.columns}x{wishes.rows} board on a {computer}"


def _has_cells(wishes: Wishes) -> bool:
    return wishes.lamps == "cells"


def _size(text: str, _: Wishes) -> int:
    if text.isascii() and text.isdecimal() and len(text) < 4 and int(text) in SIZES:
        return int(text)
    raise AnswerImpossible(Message("Write a whole number from {least} to {most}.", least=SIZES[0], most=SIZES[-1]))


def _one_of(*words: str) -> Callable[[str, Wishes], str]:
    """Reads one of these words, or as much of its beginning as tells it from the others."""

    def read(text: str, _: Wishes) -> str:
        typed = text.casefold()
        found = [word for word in words if word == typed] or [word for word in words if word.startswith(typed)]
        if len(found) != 1:
            raise AnswerImpossible(
                Message("“{answer}” is none of these: {words}.", answer=excerpt(text), words=", ".join(words))
            )
        return found[0]

    return read


def _corner(text: str, wishes: Wishes) -> str:
    corners = ("bottom-left", "bottom-right", "top-left", "top-right")
    return _one_of(*corners)("-".join(text.split()), wishes).replace("-", " ")


def _truth(text: str, wishes: Wishes) -> bool:
    return _one_of("yes", "no")(text, wishes) == "yes"


def _yes_or_no(value: Any) -> str:
    return "yes" if value else "no"


_yes_no = (_truth, _yes_or_no)
