"""Sentences for people, kept apart from their language.

A `Message` is an English sentence with named places and the values that belong there. The sentence is also the key
of the message catalogues (see `popout.locale`), so that a rule can say what is wrong without knowing who reads it.
Write whole sentences: nothing that a player reads is glued together from pieces.
"""

from __future__ import annotations

from typing import ClassVar, TypeVar

_Sentences = TypeVar("_Sentences")

QUOTED_LETTERS = 40
QUOTED_BITS = 128
"""Beyond these Python may refuse to write a number in digits."""


class Message:
    """One sentence: ``Message("Column {column} is full.", column=3)``.

    With `plural`, `text` is the sentence for one and `plural` the one for any other `count`, which is also a place::

        Message("{count} move", plural="{count} moves", count=5)

    `str()` gives the English sentence. Two messages are equal if they say the same.
    """

    __slots__ = ("count", "plural", "text", "values")

    def __init__(
        self,
        text: str,
        /,
        *,
        plural: str | None = None,
        count: int | None = None,
        **values: str | int | Message,
    ) -> None:
        self.text = text
        self.plural = plural
        self.count = count
        self.values: dict[str, str | int | Message] = values if count is None else {"count": count, **values}

    def __str__(self) -> str:
        chosen = self.plural if self.plural is not None and self.count != 1 else self.text
        return chosen.format_map(self.values)

    def __repr__(self) -> str:
        return f"Message({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return (self.text, self.plural, self.values) == (other.text, other.plural, other.values)

    def __hash__(self) -> int:
        return hash((self.text, self.plural, tuple(sorted((k, str(v)) for k, v in self.values.items()))))


def N_(sentences: _Sentences) -> _Sentences:  # noqa: N802 (the name that gettext's tools know)
    """Mark sentences of which a `Message` is made elsewhere, so that they get into the catalogues.

    A sentence stands by itself or as a value of a dictionary; a pair is the sentence for one and for any other count::

        _DROPS = N_({RED: "Red drops a disc.", YELLOW: "Yellow drops a disc."})
        _GOES_ON = N_({RED: ("Red to move after {count} move.", "Red to move after {count} moves.")})

    What is given must be written out right there, and is returned unchanged. A sentence that is written in the call
    of `Message` needs no mark.
    """
    return sentences


def excerpt(value: object) -> str:
    """`value` as a sentence may quote it: 40 letters at most, and nothing in it that a terminal would obey."""
    if isinstance(value, str):
        text = value
    elif isinstance(value, int):
        text = str(value) if value.bit_length() < QUOTED_BITS else hex(value)
    else:
        text = repr(value)
    start = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text[:QUOTED_LETTERS])
    return start if len(text) <= QUOTED_LETTERS else f"{start}…"


class PopoutError(Exception):
    """What went wrong, as a sentence for a person and a stable code for a program.

    Every error that this project raises on purpose derives from it and from the fitting builtin.
    """

    code: ClassVar[str] = "error"

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return str(self.message)
