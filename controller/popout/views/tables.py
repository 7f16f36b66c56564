"""Tables of text for a terminal, in which letters of double width and letters without any stay in their columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

_GAP = "  "
_WIDE = ("W", "F")
_WITHOUT_WIDTH = ("Mn", "Me", "Cf")
_ELLIPSIS = "…"


def table(rows: Sequence[Sequence[str]], right: Sequence[bool], width: int | None = None, give: int = 0) -> list[str]:
    """Rows as lines, each column as wide as its widest text.

    :param right: for each column whether its texts stand at its right edge, as numbers do.
    :param width: how many letters a line may have; None for as many as it needs.
    :param give: the column whose texts are cut short where a line would be too long, from 0.
    """
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    if width is not None:
        over = sum(widths) + len(_GAP) * (len(widths) - 1) - width
        widths[give] = max(1, widths[give] - max(0, over))
    return [
        _GAP.join(
            _fitted(text, size, at_right) for text, size, at_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in rows
    ]


def text_width(text: str) -> int:
    """How many places a text takes in a line of a terminal."""
    return sum(_letter_width(letter) for letter in text)


def _fitted(text: str, size: int, at_right: bool) -> str:
    missing = size - text_width(text)
    if missing < 0:
        kept, room = "", size - 1
        for letter in text:
            room -= _letter_width(letter)
            if room < 0:
                break
            kept += letter
        text = kept + _ELLIPSIS
        missing = size - text_width(text)
    return " " * missing + text if at_right else text + " " * missing


def _letter_width(letter: str) -> int:
    if unicodedata.category(letter) in _WITHOUT_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(letter) in _WIDE else 1
