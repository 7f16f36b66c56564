"""The named options: where published rules differ, the difference has a name, a default and a source.

Sources: the rule text of the set; manuals of electronic predecessors; programs that play by other conventions.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from popout.rules.errors import OptionValue
from popout.rules.games import FLANKS, KEEPS, POPS, POWERS
from popout.rules.messages import Message, excerpt

HIGHEST_NUMBER = 999_999_999
"""Of an option; far beyond any game, and short enough to be written."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a rule set.

    :ivar name: as written in a record, such as ``both-lines``. :ivar default: its value unless chosen otherwise.
    :ivar question: what it decides, for a person.
    :ivar choices: the values that it can have; empty for a number (whole, from 0) and for yes or no.
    :ivar parts: the parts of games (see `popout.rules.games`) of which one must be there for it to mean something;
        empty for an option of every game. :ivar least: the least value of a number.
    :ivar not_with: a part with which it means nothing.
    """

    name: str
    default: str | int | bool
    question: Message
    choices: tuple[str, ...] = ()
    parts: frozenset[str] = frozenset()
    least: int = 0
    not_with: str = ""

    def means_something(self, parts: frozenset[str]) -> bool:
        """Whether a game made of `parts` has a use for it."""
        return (not self.parts or bool(self.parts & parts)) and self.not_with not in parts

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
        else:
            for choice in self.choices:
                if text.casefold() == choice.casefold():
                    return choice
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
        if isinstance(value, int) and not self.least <= value <= HIGHEST_NUMBER:
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
        if self.least:
            return OptionValue(
                Message(
                    'The option "{option}" cannot be "{value}". Write a whole number from {least} to {highest}.',
                    option=self.name,
                    value=excerpt(value),
                    least=self.least,
                    highest=HIGHEST_NUMBER,
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


_POP = frozenset({POPS})
_POP_OR_POWER = frozenset({POPS, POWERS})
_POP10 = frozenset({KEEPS})
_FIVE = frozenset({FLANKS})
_POWER = frozenset({POWERS})

OPTIONS: tuple[Option, ...] = (
    # The rule text gives the game to the one who popped; the manual of 1979 to the other; one program calls it a draw.
    Option(
        "both-lines",
        "mover",
        Message("A pop, an anvil or a bomb makes lines for both sides: who wins?"),
        choices=("mover", "draw", "other"),
        parts=_POP_OR_POWER,
    ),
    # The rule text ends the game at once; others let the side to move claim the draw, or play on with pops.
    Option(
        "full-grid",
        "draw",
        Message("The grid is full without a line, but a pop is possible: what then?"),
        choices=("draw", "claim", "continue"),
        parts=_POP,
    ),
    # The rule text ends the game; two programs play on.
    Option(
        "empty-grid",
        "draw",
        Message("Pops have emptied the grid: what then?"),
        choices=("draw", "continue"),
        parts=_POP,
    ),
    # The sheet of 2008 says ten.
    Option("target", 10, Message("How many discs must be kept to win?"), parts=_POP10, least=1),
    # The sheets are silent; alternation goes on.
    Option(
        "first-popper",
        "next",
        Message("Who pops first, once the grid is full?"),
        choices=("next", "red", "yellow"),
        parts=_POP10,
    ),
    # One review lets the turn end; one program wants the disc back.
    Option(
        "pop10-stuck",
        "end",
        Message("A disc was kept, but there is none left to pop: does the turn end, or is the disc put back?"),
        choices=("end", "put-back"),
        parts=_POP10,
    ),
    # No source says which colour is at the bottom of the filled outer columns. Red in both looks the same from both
    # sides of the board, and gives each side three of a column's six discs.
    Option(
        "flanks",
        "RR",
        Message("Whose discs are at the bottom of the left and the right outer column (R red, Y yellow)?"),
        choices=("RR", "YY", "RY", "YR"),
        parts=_FIVE,
    ),
    # An encyclopaedia says one or more; one program has one of each.
    Option(
        "powers",
        "abwx",
        Message("Which power discs has each side (a anvil, b bomb, w wall, x x2)?"),
        choices=tuple("".join(subset) for size in range(1, 5) for subset in combinations("abwx", size)),
        parts=_POWER,
    ),
    # No source; once, after the power, unless it is to be judged where the disc lands, too.
    Option(
        "judge",
        "after",
        Message("Is an anvil's or a bomb's line judged only after its power, or also where it lands?"),
        choices=("after", "also-landing"),
        parts=_POWER,
    ),
    # An encyclopaedia calls only the second turn one that may not win.
    Option("wall-first-may-win", True, Message("May the wall itself make a line?"), parts=_POWER),
    # The rule text is silent; others end the game at the third occurrence.
    Option("repetition", 0, Message("Which occurrence of the same position is a draw (0: none)?")),
    Option("move-cap", 0, Message("After how many moves is the game a draw (0: never)?")),
    # The rule text gives no number; the sets have 21 discs a side. In Pop 10 all discs are in the grid.
    Option(
        "supply",
        0,
        Message("How many discs has each side, popped discs not coming back (0: not counted)?"),
        not_with=KEEPS,
    ),
    Option("first", "red", Message("Who makes the first move?"), choices=("red", "yellow")),
    Option(
        "allow-unwinnable",
        False,
        Message("May it be impossible to win, or the line a single disc?"),
    ),
)
