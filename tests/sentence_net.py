"""A net under the catalogues: what the program says while tests run must be among the sentences to be translated."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from popout.rules.messages import Message

Sentence = str | tuple[str, str]

PROGRAM = ("popout", "popout_sim")


class SentenceNet:
    """Notes every sentence that a module of the program makes a `Message` of, from `spread` on; tests make their own.

    :ivar caught: the sentences, each with the module that said it last.
    """

    def __init__(self) -> None:
        self.caught: dict[Sentence, str] = {}

    def spread(self, kind: type[Message] = Message) -> None:
        """Begin to note."""
        kind.__init__ = self._noting(kind.__init__)  # type: ignore[method-assign]

    def unmarked(self, known: Iterable[Sentence]) -> list[str]:
        """What was said and is not known, each with the module that said it."""
        return [f"{self.caught[each]}: {each!r}" for each in sorted(self.caught.keys() - set(known), key=str)]

    def _noting(self, init: Callable[..., None]) -> Callable[..., None]:
        @wraps(init)
        def noting(message: Message, text: str, /, **values: Any) -> None:
            init(message, text, **values)
            module = str(sys._getframe(1).f_globals.get("__name__"))
            if module.partition(".")[0] in PROGRAM:
                self.caught[text if message.plural is None else (text, message.plural)] = module

        return noting
