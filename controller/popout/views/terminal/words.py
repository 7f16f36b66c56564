"""The words of the terminal: those that the page has too are the page's, so that both say the same."""

from __future__ import annotations

from collections.abc import Callable

from popout.rules import RED, YELLOW, Message
from popout.views.web.texts import page_texts

DISCS = {RED.value: "●", YELLOW.value: "○"}
"""The sign of each side in a line of text."""


class Words:
    """Says things in one language.

    :ivar say: turns a message into a text.
    """

    def __init__(self, say: Callable[[Message], str]) -> None:
        self.say = say
        self._page = page_texts(say)

    def __call__(self, key: str, **places: str | int) -> str:
        """The page's text of that key, with its places filled in."""
        text = self._page[key]
        assert isinstance(text, str), f"{key} is counted"
        return text.format_map(places)
