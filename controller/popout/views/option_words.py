"""The values of options in words, beside the questions of `popout.rules.options`."""

from __future__ import annotations

from collections.abc import Iterator

from popout.play.menu import POWER_TITLES
from popout.rules import Message, PowerDisc, RuleSet
from popout.rules.options import OPTIONS, Option


def value_words(option: Option, value: str | int | bool) -> Message:
    """What a value of an option means, as an answer to its question."""
    if isinstance(value, bool):
        return Message("Yes") if value else Message("No")
    if isinstance(value, int):
        return Message("{number}", number=value)
    if option.name == "powers":
        return powers_words(value)
    return _WORDS[option.name, value]


def powers_words(letters: str) -> Message:
    """Several power discs by their names."""
    first, *others = (POWER_TITLES[PowerDisc(letter)] for letter in letters)
    said = first
    for title in others:
        said = Message("{discs}, {disc}", discs=said, disc=title)
    return said


def in_force(rules: RuleSet) -> Iterator[tuple[Option, str | int | bool]]:
    """Every option that means something in a game, with its value."""
    for option in OPTIONS:
        if option.means_something(rules.kind.parts):
            yield option, getattr(rules, option.attribute)


_WORDS = {
    ("both-lines", "mover"): Message("The side that moved wins"),
    ("both-lines", "draw"): Message("It is a draw"),
    ("both-lines", "other"): Message("The other side wins"),
    ("full-grid", "draw"): Message("It is a draw at once"),
    ("full-grid", "claim"): Message("The side to move may claim a draw"),
    ("full-grid", "continue"): Message("The game goes on with pops"),
    ("empty-grid", "draw"): Message("It is a draw"),
    ("empty-grid", "continue"): Message("The game goes on"),
    ("first-popper", "next"): Message("The side whose turn it is"),
    ("first-popper", "red"): Message("Red"),
    ("first-popper", "yellow"): Message("Yellow"),
    ("pop10-stuck", "end"): Message("The turn ends"),
    ("pop10-stuck", "put-back"): Message("The disc is put back"),
    ("flanks", "RR"): Message("Red on both sides"),
    ("flanks", "YY"): Message("Yellow on both sides"),
    ("flanks", "RY"): Message("Red at the left, yellow at the right"),
    ("flanks", "YR"): Message("Yellow at the left, red at the right"),
    ("judge", "after"): Message("Only after its power"),
    ("judge", "also-landing"): Message("Also where it lands"),
    ("first", "red"): Message("Red"),
    ("first", "yellow"): Message("Yellow"),
}
