"""The named options: where published rules differ, the difference has a name, a default and a source.

Sources: the rule text of the set; manuals of electronic predecessors; programs that play by other conventions.
"""

from __future__ import annotations

from dataclasses import dataclass

from popout.rules.errors import OptionValue
from popout.rules.messages import Message, excerpt

HIGHEST_NUMBER = 999_999_999
"""Of an option; far beyond any game, and short enough to be written."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a rule set.

    :ivar name: as written in a record, such as ``both-lines``. :ivar default: its value unless chosen otherwise.
    :ivar question: what it decides, for a person.
    :ivar choices: the values that it can have; empty for a number (whole, from 0) and for yes or no.
    :ivar needs_pops: it means something only where discs can be popped.
    """

    name: str
    default: str | int | bool
    question: Message
    choices: tuple[str, ...] = ()
    needs_pops: bool = False

    @property
    def attribute(self) -> str:
        """The name of the field of `RuleSet`."""
        return self.name.replace("-", "_")

    def read(self, text: str) -> str | int | bool:
        """The value that `text` writes.

        :raises OptionValue: it writes none.
        """
        if isinstance(self.default, bool):
            if text in ("yes", "no"):
                return text == "yes"
        elif isinstance(self.default, int):
            if text.isascii() and text.isdecimal() and len(text) <= len(str(HIGHEST_NUMBER)):
                return int(text)
        elif text in self.choices:
            return text
        raise self._refusal(text)

    def write(self, value: str | int | bool) -> str:
        """The text that `read` reads as `value`."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        return str(value)

    def check(self, value: object) -> None:
        """Refuse a value that the option cannot have.

        :raises OptionValue: see there.
        """
        if type(value) is not type(self.default) or (self.choices and value not in self.choices):
            raise self._refusal(value)
        if isinstance(value, int) and not 0 <= value <= HIGHEST_NUMBER:
            raise self._refusal(value)
        if self.name == "repetition" and value == 1:
            raise OptionValue(
                Message(
                    'The option "repetition" cannot be 1: the first position would end the game. '
                    "Write 0 (off), 2, 3 or more."
                )
            )

    def _refusal(self, value: object) -> OptionValue:
        if self.choices or isinstance(self.default, bool):
            return OptionValue(
                Message(
                    'The option "{option}" cannot be "{value}". Choose one of: {choices}.',
                    option=self.name,
                    value=excerpt(value),
                    choices=", ".join(self.choices or ("yes", "no")),
                )
            )
        return OptionValue(
            Message(
                'The option "{option}" cannot be "{value}". Write a whole number from 0 (off) to {highest}.',
                option=self.name,
                value=excerpt(value),
                highest=HIGHEST_NUMBER,
            )
        )


OPTIONS: tuple[Option, ...] = (
    # The rule text gives the game to the one who popped; the manual of 1979 to the other; one program calls it a draw.
    Option(
        "both-lines",
        "mover",
        Message("A pop makes lines for both sides: who wins?"),
        choices=("mover", "draw", "other"),
        needs_pops=True,
    ),
    # The rule text ends the game at once; others let the side to move claim the draw, or play on with pops.
    Option(
        "full-grid",
        "draw",
        Message("The grid is full without a line, but a pop is possible: what then?"),
        choices=("draw", "claim", "continue"),
        needs_pops=True,
    ),
    # The rule text ends the game; two programs play on.
    Option(
        "empty-grid",
        "draw",
        Message("Pops have emptied the grid: what then?"),
        choices=("draw", "continue"),
        needs_pops=True,
    ),
    # The rule text is silent; others end the game at the third occurrence.
    Option("repetition", 0, Message("Which occurrence of the same position is a draw (0: none)?")),
    Option("move-cap", 0, Message("After how many moves is the game a draw (0: never)?")),
    # The rule text gives no number; the sets have 21 discs a side.
    Option("supply", 0, Message("How many discs has each side, popped discs not coming back (0: not counted)?")),
    Option("first", "red", Message("Who makes the first move?"), choices=("red", "yellow")),
    Option(
        "allow-unwinnable",
        False,
        Message("May the line be longer than the grid, so that nobody can win, or be a single disc?"),
    ),
)
