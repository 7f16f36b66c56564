"""The one message catalogue: sentences in the reader's language.

The sentences are written in English where they arise, as `popout.rules.messages.Message`; the English is also the key.
A language is a file ``popout/locale/<language>/LC_MESSAGES/popout.mo`` beside this module, and needs nothing else::

    catalogue = Catalogue(choose_language())
    catalogue.text(Message("Column {column} is full.", column=3))
"""

from __future__ import annotations

import gettext
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from popout.rules.messages import Message

ENGLISH = "en"
DOMAIN = "popout"
NAMES = {
    "da": "Dansk",
    "el": "Ελληνικά",
    "en": "English",
    "fr": "Français",
    "nl": "Nederlands",
    "pt": "Português",
}
"""What a language is called by those who speak it; one that is missing here goes by its code."""
FOLDER = Path(__file__).parent
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


class Catalogue:
    """Every sentence of the project in one language.

    A sentence that has no translation, or one whose translation is broken, comes in English; so does everything if
    the language's file is missing or unreadable. Nothing here raises.

    :ivar language: the language that is spoken, such as ``nl`` or ``pt_BR``.
    """

    def __init__(self, language: str | None = None, folder: Path = FOLDER) -> None:
        self.language = ENGLISH
        self._translations = gettext.NullTranslations()
        if language is None or language == ENGLISH:
            return
        try:
            self._translations = gettext.translation(DOMAIN, folder, [language])
        except Exception:
            return  # not there, or not a catalogue, for which gettext has as many errors as there are ways to be none
        self.language = language

    def text(self, message: Message) -> str:
        """The sentence, with its values in their places; a value that is a sentence itself is translated too."""
        values = {
            name: self.text(value) if isinstance(value, Message) else value for name, value in message.values.items()
        }
        try:
            return self._pattern(message).format_map(values)
        except Exception:  # a translation can be wrong in any way; the English sentence is ours
            return _english(message).format_map(values)

    def _pattern(self, message: Message) -> str:
        if not message.text:
            return ""  # the key of a catalogue's own header
        if message.plural is None or message.count is None:
            return self._translations.gettext(message.text)
        return self._translations.ngettext(message.text, message.plural, message.count)


def choose_language(
    argument: str | None = None,
    setting: str | None = None,
    environ: Mapping[str, str] = os.environ,
    folder: Path = FOLDER,
) -> str:
    """The language to speak: the first that there is, of the argument, the setting and the environment; else English.

    The environment's is the first that is set of ``LANGUAGE`` (which may name several, between colons), ``LC_ALL``,
    ``LC_MESSAGES`` and ``LANG``.
    """
    from_environment = next((environ[name] for name in VARIABLES if environ.get(name)), "")
    wanted = (argument, setting, *from_environment.split(":"))
    return _first(wanted, folder) or ENGLISH


def negotiate(accepted: str, folder: Path = FOLDER) -> str:
    """The language for a reader whose browser accepts these, as its Accept-Language header says.

    Of the languages that there are it is the one that is liked most, of equals the first; English if there is none.
    What cannot be read in the header is passed over.
    """
    liked: list[tuple[float, str]] = []
    for part in accepted.split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        quality = _quality(parameters)
        if name and quality:
            liked.append((quality, ENGLISH if name == "*" else name))
    liked.sort(key=lambda each: -each[0])  # equals keep their order
    return _first((name for _, name in liked), folder) or ENGLISH


def find_language(wanted: str, folder: Path = FOLDER) -> str | None:
    """The language that is called so, such as ``nl`` for ``nl-BE.UTF-8``; None if there is none."""
    return _first((wanted,), folder)


def languages(folder: Path = FOLDER) -> tuple[str, ...]:
    """Every language that there is, English first."""
    files = folder.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")
    return (ENGLISH, *sorted(file.parts[-3] for file in files))


def _first(wanted: Iterable[str | None], folder: Path) -> str | None:
    """The first that there is."""
    known = {language.casefold(): language for language in languages(folder)}
    names = (name for each in wanted if each for name in _names(each))
    return next((known[name] for name in names if name in known), None)


def _quality(parameters: list[str]) -> float:
    """How much a language is liked, from 0 to 1; 0 also if that cannot be read."""
    if not parameters:
        return 1
    found = re.fullmatch(r"[qQ] *= *([01](?:\.\d{0,3})?)", parameters[0], re.ASCII)
    return min(float(found[1]), 1) if found else 0


def _names(wanted: str) -> Iterator[str]:
    """What a catalogue for e.g. ``pt-BR.UTF-8`` may be called, the closest first."""
    name = wanted.partition(".")[0].partition("@")[0].replace("-", "_").casefold()
    yield ENGLISH if name in ("c", "posix") else name
    yield name.partition("_")[0]


def _english(message: Message) -> str:
    return message.plural if message.plural is not None and message.count != 1 else message.text
