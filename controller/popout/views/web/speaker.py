"""Which language each page is spoken to in: the one that it asks for, the one that is set, or its browser's."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path

from starlette.requests import HTTPConnection

from popout.locale import NAMES, Catalogue, find_language, languages, negotiate
from popout.rules.messages import Message

Say = Callable[[Message], str]

_PAGE = Path(__file__).parent / "static/index.html"
NO_SCRIPT = Message("This page needs JavaScript. The terminal needs none: start it with “popout referee”.")


class Speaker:
    """Finds the language for a page.

    :ivar language: the language of a page that names none itself; None leaves it to its browser.
    """

    def __init__(self, language: str | None = None) -> None:
        self.language = language
        self._catalogues: dict[str, Catalogue] = {}

    def to(self, connection: HTTPConnection) -> Catalogue:
        """The language for a request or a WebSocket.

        It is ``?lang=`` of its address, else the one that is set, else the best of those that its browser accepts.
        """
        asked = find_language(connection.query_params.get("lang", ""))
        language = asked or self.language or negotiate(connection.headers.get("accept-language", ""))
        if language not in self._catalogues:
            self._catalogues[language] = Catalogue(language)
        return self._catalogues[language]

    @staticmethod
    def headers(catalogue: Catalogue) -> dict[str, str]:
        """What an answer in this language says of itself."""
        return {"Content-Language": catalogue.language.replace("_", "-"), "Vary": "Accept-Language"}


def names() -> dict[str, str]:
    """What each language is called by those who speak it."""
    return {language: NAMES.get(language, language) for language in languages()}


def page_of(catalogue: Catalogue) -> str:
    """The page. Its script writes all its words but those for readers without scripts."""
    tag = catalogue.language.replace("_", "-")
    page = _PAGE.read_text("utf-8").replace('<html lang="en">', f'<html lang="{tag}">', 1)
    return page.replace(html.escape(str(NO_SCRIPT)), html.escape(catalogue.text(NO_SCRIPT)), 1)
