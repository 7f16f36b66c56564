"""Bring the message catalogues up to date: `make catalogues`.

Collects the sentences of the sources into the template, adds those that are new to every language, without a
translation, and compiles the languages. A translation that is there is never changed. One whose sentence has gone
stays at the end of its file as obsolete, and comes back with the sentence.
"""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
SOURCES = (ROOT / "controller/popout", ROOT / "sim/popout_sim")
FOLDER = ROOT / "controller/popout/locale"
TEMPLATE = FOLDER / "popout.pot"
LANGUAGES = {"da": "Danish", "el": "Greek", "fr": "French", "nl": "Dutch", "pt": "Portuguese"}
NONE_IS_SINGULAR = {"fr"}
"""Where none is counted as one is."""

Sentence = str | tuple[str, str]
"""One sentence, or the one for one and the one for any other count."""


class NotWrittenOut(ValueError):
    """A sentence is marked that is not written out in the source."""


class Sentences(Catalog):
    """A catalogue without dates in its header, so that it is the same whenever it is made.

    Its plurals have two forms, as all these languages have below a million.
    """

    @property
    def num_plurals(self) -> int:
        """How many forms a sentence with a count has."""
        return 2

    @property
    def plural_expr(self) -> str:
        """Which form is for a count `n`, in C."""
        return "(n > 1)" if self.locale_identifier in NONE_IS_SINGULAR else "(n != 1)"

    @property  # type: ignore[misc]  # nobody sets it
    def mime_headers(self) -> list[tuple[str, str]]:
        """The lines of the header that say how to read the file."""
        headers = [
            ("Project-Id-Version", "popout"),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=UTF-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]
        if self.locale_identifier:
            headers += [("Language", self.locale_identifier), ("Plural-Forms", self.plural_forms)]
        return headers


def sentences_of(source: str) -> list[Sentence]:
    """Every sentence in a source, in the order in which they stand.

    :raises NotWrittenOut: what is marked with ``N_`` is not written out.
    """
    found: list[tuple[int, int, Sentence]] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and node.args and isinstance(node.func, ast.Name):
            if node.func.id == "Message":
                plural = next((word.value for word in node.keywords if word.arg == "plural"), None)
                found += _given(node.args[0], plural)
            elif node.func.id == "N_":
                found += _marked(node.args[0])
    return [sentence for *_, sentence in sorted(found, key=lambda each: each[:2])]


def template() -> Catalog:
    """Every sentence of the project, in the order of the files and of what stands in them; without translations."""
    catalogue = Sentences(
        header_comment="# The sentences of popout. Made by `make catalogues`; do not edit.", fuzzy=False
    )
    for file in sorted(file for folder in SOURCES for file in folder.rglob("*.py")):
        for sentence in sentences_of(file.read_text("utf-8")):
            # No line numbers: they would change with every change of a source.
            catalogue.add(sentence, locations=[(file.relative_to(ROOT).as_posix(), 0)])
    return catalogue


def updated(language: str, sentences: Catalog, known: Catalog) -> Catalog:
    """The sentences with the translations that are `known`; new ones without, those that are gone as obsolete."""
    catalogue = Sentences(
        locale=language,
        header_comment=f"# The sentences of popout in {LANGUAGES[language]}.",
        fuzzy=False,
    )
    before = {message.id: message for message in (*known, *known.obsolete.values()) if message.id}
    for message in sentences:
        if message.id:
            old = before.pop(message.id, None)
            catalogue.add(
                message.id,
                old.string if old else "",
                locations=message.locations,
                flags=old.flags if old else (),
                user_comments=old.user_comments if old else (),
            )
    for key, old in before.items():
        if is_translated(old):
            catalogue.obsolete[key if isinstance(key, str) else key[0]] = old
    return catalogue


def file_of(language: str) -> Path:
    """Where a language's translations are; compiled they are beside it, as ``.mo``."""
    return FOLDER / language / "LC_MESSAGES/popout.po"


def read(language: str) -> Catalog:
    """A language's catalogue as it is, empty if there is none."""
    file = file_of(language)
    return read_po(io.BytesIO(file.read_bytes() if file.exists() else b""), locale=language)


def compiled(catalogue: Catalog) -> bytes:
    """A catalogue as `gettext` reads it; what has no translation is left out and comes in English."""
    translated = Sentences(locale=catalogue.locale_identifier, fuzzy=False)
    for message in catalogue:
        if message.id and is_translated(message) and not message.fuzzy:
            translated.add(message.id, message.string)
    output = io.BytesIO()
    write_mo(output, translated)
    return output.getvalue()


def written(catalogue: Catalog) -> bytes:
    """A catalogue as a translator reads it, a sentence a line."""
    output = io.BytesIO()
    write_po(output, catalogue, width=0, include_lineno=False)
    return output.getvalue()


def is_translated(message: Message) -> bool:
    """Whether nothing of a sentence is without a translation."""
    return all([message.string] if isinstance(message.string, str) else message.string or [""])


def main() -> None:
    """Write all files and say what is still to be translated."""
    sentences = template()
    TEMPLATE.write_bytes(written(sentences))
    print(f"{len(sentences)} sentences")
    for language, name in LANGUAGES.items():
        catalogue = updated(language, sentences, read(language))
        file = file_of(language)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(written(catalogue))
        file.with_suffix(".mo").write_bytes(compiled(catalogue))
        missing = sum(bool(message.id) and not is_translated(message) for message in catalogue)
        print(f"{name}: {missing} without a translation" if missing else f"{name}: complete")


def _given(text: ast.expr, plural: ast.expr | None) -> Iterator[tuple[int, int, Sentence]]:
    """What a `Message` is given. What it gets from elsewhere is marked there, and a choice has two sentences."""
    if isinstance(text, ast.IfExp):
        yield from _given(text.body, plural)
        yield from _given(text.orelse, plural)
    elif one := _text(text):
        many = _text(plural)
        yield text.lineno, text.col_offset, (one, many) if many else one


def _marked(node: ast.expr | None) -> Iterator[tuple[int, int, Sentence]]:
    """The sentences in what is marked: a text, a pair of texts, a dictionary of these."""
    if isinstance(node, ast.Dict):
        for value in node.values:
            yield from _marked(value)
    elif isinstance(node, ast.Tuple) and len(node.elts) == 2 and all(map(_text, node.elts)):
        yield node.lineno, node.col_offset, (str(_text(node.elts[0])), str(_text(node.elts[1])))
    elif text := _text(node):
        assert node is not None
        yield node.lineno, node.col_offset, text
    else:
        raise NotWrittenOut(f"line {getattr(node, 'lineno', 0)}: mark texts, pairs of texts or dictionaries of these")


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


if __name__ == "__main__":
    main()
