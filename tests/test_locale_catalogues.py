"""The translations: complete, with the same places, in the same shape, and compiled from what the translators wrote."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from gettext import c2py  # what gettext itself reads the rule with
from string import Formatter

import pytest
from babel import Locale
from babel.messages.catalog import Catalog, Message

import catalogues
from catalogues import LANGUAGES, NONE_IS_SINGULAR
from popout.cli import COMMANDS
from popout.locale import NAMES, languages

NAMES_THAT_STAY = {
    *("Pop Out", "Pop 10", "Power Up", "Power Up with Pop Out", "x2", "Menu", "Pop Out board"),
    *("Pico", "Pico 2", "Expert", "Champion"),
    *("Enter", "OK", "{status} – Pop Out", "http", "> ", "{game} {columns}x{rows}", "terminal"),
    *("menu", "Pull", "Pin", "Matrix", "PROBLEM", "Expander {number}: MCP23017", "{amperes} A", "{led}, 330 Ω"),
    *("pin {number}, {milliamps} mA", "{model}, {system}, {bits} bit, kernel {kernel}, Python {python}."),
}
"""English that other languages may keep as it is."""

SPOKEN_AS = {"pt": "pt_PT"}
"""Which of its kinds a language is written in here."""

LOOKS_LIKE_A_SENTENCE = re.compile(r"[A-Z][^`]*\s[^`]*|.*\{[a-z_]+\}.*", re.DOTALL)
NO_SENTENCES = {
    *("Invalid value", "Invalid enum value", "X/O///// X", "Created-By: Packages"),
    r"Could not configure port: \((\d+), ",
    *(text for _, text in COMMANDS.values()),
}
"""Beginnings of other libraries' messages, a position, a filter of apt's, and the commands' help, which is English."""
NAMES_OF_THINGS = re.compile(r"(Raspberry )?Pi\b.*|Compute Module .*|Zero .*|SUBSYSTEM==.*|DejaVu Sans, .*")
"""Models, a rule for a file of the system, and fonts."""
OF_THINGS = {"pinout.py", "writing.py"}
"""What pins can do, as data sheets call it; and the comments in a layout file, English as in those that are shipped."""

NEVER_NONE = {
    "Draw: one move has been made (rule move-cap=1).",
    "Only one move can be taken back, not {wanted}.",
    "You play in column {first}.",
    "One game was imported into {path}, as game {first}.",
}
"""Sentences that are never said of none."""

ENDINGS = ".?!:…"
GREEK_QUESTION = (";", "\u037e")

AS_TYPED = re.compile(
    r"--[a-z][\w-]*|\b[a-z][a-z0-9-]*=(?:[\w-]+|\{\w+\})|\b[dpabwx]\d\b|\bpopout (?:" + "|".join(COMMANDS) + r")\b"
)
"""What a person types or reads as it is: options of commands, options of rules with a value, commands, moves."""
COMMAND = re.compile(r"  (\S.*?)\s{2,}(?=\S)")
"""A line of the referee's help: what is typed, and after a gap what it does."""


@pytest.fixture(params=sorted(LANGUAGES))
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def catalogue(language: str) -> Catalog:
    return catalogues.read(language)


def pairs(catalogue: Catalog) -> Iterator[tuple[str, str, int | None]]:
    """Each translation with the English that it stands for: the sentence, its translation, which plural form it is."""
    for message in catalogue:
        if isinstance(message.id, str):
            if message.id and message.string:
                yield message.id, str(message.string), None
        else:
            for form, string in enumerate(message.string):
                if string:
                    yield message.id[min(form, 1)], string, form


def places(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_the_template_has_what_the_sources_say():
    assert catalogues.TEMPLATE.read_bytes() == catalogues.written(catalogues.template()), "run: make catalogues"


def test_every_text_of_the_sources_that_looks_like_a_sentence_is_in_the_template():
    ids = [message.id for message in catalogues.template()]
    known = {text for each in ids for text in ([each] if isinstance(each, str) else each)}
    found = {
        text
        for folder in catalogues.SOURCES
        for file in folder.rglob("*.py")
        if file.name not in OF_THINGS
        for text in _texts(file.read_text("utf-8"))
        if LOOKS_LIKE_A_SENTENCE.fullmatch(text) and not NAMES_OF_THINGS.fullmatch(text)
    }

    assert found - known - NO_SENTENCES == set()


FOR_NO_PLAYER = re.compile(r"click\.\w+|\w+\.(command|group)|(_log|logging\.getLogger\(.*\))\.\w+|Route")
"""Calls whose texts stay English: the help, which is made of click's own words, the log, and addresses."""


def _is_for_no_player(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and FOR_NO_PLAYER.fullmatch(ast.unparse(node.func)) is not None


def _texts(source: str) -> Iterator[str]:
    """Every text that is written in a source; not its documentation, not what is written for no player."""
    tree, passed_over = ast.parse(source), set()
    for node in ast.walk(tree):
        if (
            _is_for_no_player(node)
            or isinstance(node, ast.JoinedStr)
            or (isinstance(node, ast.Expr) and _is_text(node.value))
        ):
            passed_over |= {id(part) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in passed_over:
            yield node.value


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_a_sentence_that_is_not_marked_is_seen():
    source = '''"""About this."""
@click.option("--x", help="Do it.")
def f():
    """Say something."""
    print(f"{name} and {other}", _SAID["Red has no move."])'''

    assert list(_texts(source)) == ["Red has no move."]


def test_each_language_has_the_sentences_of_the_template(language: str, catalogue: Catalog):
    file = catalogues.file_of(language)

    assert file.read_bytes() == catalogues.written(catalogues.updated(language, catalogues.template(), catalogue)), (
        "run: make catalogues"
    )


def test_what_is_read_at_run_time_is_what_the_translators_wrote(language: str, catalogue: Catalog):
    file = catalogues.file_of(language).with_suffix(".mo")

    assert file.read_bytes() == catalogues.compiled(catalogue), "run: make catalogues"


def test_no_sentence_is_without_a_translation(catalogue: Catalog):
    assert [message.id for message in catalogue if message.id and not catalogues.is_translated(message)] == []


def test_no_translation_is_a_guess(catalogue: Catalog):
    assert [message.id for message in catalogue if message.fuzzy] == []


def test_every_translation_has_the_places_of_its_sentence(language: str, catalogue: Catalog):
    wrong = [
        (english, translated)
        for message in catalogue
        if message.id
        for english, translated in _forms(message, language)
        if translated and places(translated) not in map(places, english)
    ]

    assert wrong == []


def _forms(message: Message, language: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """The translations of a sentence, each after the English of which one must have the same places."""
    if isinstance(message.id, str):
        yield (message.id,), str(message.string)
        return
    one, many = message.id
    # Where none is counted as one is, the form for one has to name the number, unless that is never none.
    only_many = language in NONE_IS_SINGULAR and one not in NEVER_NONE
    yield ((many,) if only_many else (one, many)), message.string[0]
    yield (many,), message.string[1]


def test_the_plural_of_a_number_is_the_languages_own(language: str):
    names, ours = (
        Locale.parse(SPOKEN_AS.get(language, language)).plural_form,
        c2py(catalogues.Sentences(locale=language).plural_expr),
    )
    form_of = {"one": 0, "other": 1}

    assert [ours(n) for n in range(1000)] == [form_of[names(n)] for n in range(1000)]


def test_every_plural_has_as_many_forms_as_its_language(catalogue: Catalog):
    assert catalogue.num_plurals == 2
    assert [message.id for message in catalogue if message.pluralizable and len(message.string) != 2] == []


def test_nothing_stays_english_by_mistake(catalogue: Catalog):
    same = {english for english, translated, _ in pairs(catalogue) if english == translated}
    words = {english for english in same if re.search(r"[^\W\d_]", re.sub(r"\{\w+\}", "", english))}

    assert words - NAMES_THAT_STAY == set()


def test_spaces_around_and_the_mark_at_the_end_are_kept(language: str, catalogue: Catalog):
    wrong = [pair for *pair, _ in pairs(catalogue) if _shape(pair[0]) != _shape(pair[1], language)]

    assert wrong == []


def _shape(text: str, language: str = "en") -> tuple[str, str, str]:
    """The space before, the mark at the end, the space after."""
    bare = text.strip()
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    last = bare[-1:]
    if language == "el" and last in GREEK_QUESTION:
        last = "?"
    return before, last if last in ENDINGS else "", after


def test_what_is_typed_or_stands_in_a_record_is_not_translated(catalogue: Catalog):
    wrong = [
        (english, translated)
        for english, translated, _ in pairs(catalogue)
        if set(AS_TYPED.findall(english)) != set(AS_TYPED.findall(translated))
    ]

    assert wrong == []


def test_the_words_of_the_referee_are_listed_as_they_are_typed(catalogue: Catalog):
    listed = {
        english: (found[0], COMMAND.match(translated))
        for english, translated, _ in pairs(catalogue)
        if (found := COMMAND.match(english))
    }

    for english, (typed, translated) in listed.items():
        assert translated, english
        assert _words(translated[0]) == _words(typed)
        assert len(translated[0]) == len(typed), "the second column stays where it is"


def _words(text: str) -> list[str]:
    """What is typed itself; what stands for a number or a name may be translated."""
    return re.findall(r"(?<![\[\w])[a-z]+!?(?![\w\]])", text)


def test_no_language_is_missing_and_each_has_a_name():
    assert languages() == ("en", *sorted(LANGUAGES))
    assert NAMES.keys() == set(languages())
