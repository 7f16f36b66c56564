"""The message catalogue: which language, and what it says when a translation is missing or broken."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from popout.locale import Catalogue, choose_language, find_language, languages, negotiate
from popout.rules import Message

FULL = Message("Column {column} is full.", column=3)
DUTCH = {
    "": "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n",
    "Column {column} is full.": "Kolom {column} is vol.",
    "{count} move\0{count} moves": "{count} zet\0{count} zetten",
    "The record says: {truth}": "Het verslag zegt: {truth}",
}


def write_catalogue(folder: Path, language: str, texts: dict[str, str]) -> Path:
    """A compiled catalogue as gettext reads it, at the place where it is looked for."""
    pairs = [(key.encode(), value.encode()) for key, value in sorted(texts.items())]
    table, strings = [], b""
    at = 28 + 16 * len(pairs)
    for column in range(2):
        for pair in pairs:
            table.append(struct.pack("<II", len(pair[column]), at + len(strings)))
            strings += pair[column] + b"\0"
    header = struct.pack("<IIIIIII", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, 0)
    file = folder / language / "LC_MESSAGES" / "popout.mo"
    file.parent.mkdir(parents=True)
    file.write_bytes(header + b"".join(table) + strings)
    return file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_catalogue(tmp_path, "nl", DUTCH)
    write_catalogue(tmp_path, "pt_BR", {"": "Content-Type: text/plain; charset=UTF-8\n"})
    return tmp_path


def test_english_is_the_message_itself():
    assert Catalogue("en").text(FULL) == "Column 3 is full."
    assert Catalogue().text(Message("{count} move", plural="{count} moves", count=2)) == "2 moves"


def test_a_language_is_a_file_and_nothing_else(folder: Path):
    dutch = Catalogue("nl", folder)

    assert dutch.language == "nl"
    assert dutch.text(FULL) == "Kolom 3 is vol."


def test_plurals_follow_the_language(folder: Path):
    dutch = Catalogue("nl", folder)

    assert dutch.text(Message("{count} move", plural="{count} moves", count=1)) == "1 zet"
    assert dutch.text(Message("{count} move", plural="{count} moves", count=5)) == "5 zetten"


def test_a_sentence_within_a_sentence_is_translated_too(folder: Path):
    assert Catalogue("nl", folder).text(Message("The record says: {truth}", truth=FULL)) == (
        "Het verslag zegt: Kolom 3 is vol."
    )


def test_a_sentence_without_a_translation_comes_in_english(folder: Path):
    assert Catalogue("nl", folder).text(Message("Red to move.")) == "Red to move."


@pytest.mark.parametrize("broken", ["{nobody} wint", "{column", "{column.name}", "{column!x}", "{column[0]}", "{}"])
def test_a_broken_translation_comes_in_english(tmp_path: Path, broken: str):
    write_catalogue(tmp_path, "nl", {"": DUTCH[""], "Column {column} is full.": broken})

    assert Catalogue("nl", tmp_path).text(FULL) == "Column 3 is full."


def test_an_empty_sentence_is_not_the_header_of_the_catalogue(folder: Path):
    assert Catalogue("nl", folder).text(Message("")) == ""


@pytest.mark.parametrize("content", [b"", b"no catalogue", b"\xde\x12\x04\x95" + b"\xff" * 40])
def test_a_file_that_is_no_catalogue_leaves_english(folder: Path, content: bytes):
    (folder / "nl/LC_MESSAGES/popout.mo").write_bytes(content)

    dutch = Catalogue("nl", folder)

    assert dutch.language == "en"
    assert dutch.text(FULL) == "Column 3 is full."


@pytest.mark.parametrize("rule", ["(n !!= 1)", "(1 / 0)", "7"])
def test_a_nonsensical_plural_rule_leaves_english(tmp_path: Path, rule: str):
    write_catalogue(tmp_path, "nl", {**DUTCH, "": f"Plural-Forms: nplurals=2; plural={rule};\n"})

    assert Catalogue("nl", tmp_path).text(Message("{count} move", plural="{count} moves", count=2)) == "2 moves"


def test_a_language_that_is_not_there_leaves_english(tmp_path: Path):
    assert Catalogue("xx", tmp_path).language == "en"
    assert Catalogue("../../etc", tmp_path).text(FULL) == "Column 3 is full."


def test_the_languages_are_those_that_have_a_file(folder: Path):
    (folder / "da").mkdir()

    assert languages(folder) == ("en", "nl", "pt_BR")


@pytest.mark.parametrize(
    ("argument", "setting", "environ", "chosen"),
    [
        (None, None, {}, "en"),
        ("nl", "en", {"LANG": "pt_BR.UTF-8"}, "nl"),
        (None, "nl", {"LANG": "pt_BR.UTF-8"}, "nl"),
        (None, None, {"LANG": "nl_BE.UTF-8"}, "nl"),
        (None, None, {"LANG": "pt_BR.UTF-8@euro"}, "pt_BR"),
        (None, "pt-br", {}, "pt_BR"),
        (None, None, {"LANGUAGE": "fr:nl:en", "LANG": "pt_BR"}, "nl"),
        (None, None, {"LANGUAGE": "", "LC_ALL": "nl", "LANG": "pt_BR"}, "nl"),
        (None, None, {"LC_MESSAGES": "nl_NL", "LANG": "pt_BR"}, "nl"),
        (None, None, {"LC_ALL": "C", "LANG": "nl"}, "en"),
        (None, None, {"LC_ALL": "C.UTF-8", "LANG": "nl"}, "en"),
        (None, None, {"LANG": "POSIX"}, "en"),
        (None, None, {"LANG": "fr_FR.UTF-8"}, "en"),
        ("fr", None, {"LANG": "nl"}, "nl"),
        ("../nl", None, {}, "en"),
    ],
)
def test_the_language_is_the_first_that_there_is(
    folder: Path, argument: str | None, setting: str | None, environ: dict[str, str], chosen: str
):
    assert choose_language(argument, setting, environ, folder) == chosen


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        ("", "en"),
        ("nl", "nl"),
        ("nl-BE, nl;q=0.9, en;q=0.8", "nl"),
        ("en-GB, nl;q=0.9", "en"),
        ("en;q=0.1, nl;q=0.9", "nl"),
        ("pt-br", "pt_BR"),
        ("fr, de;q=0.9, nl;q=0.3", "nl"),
        ("fr", "en"),
        ("nl;q=0, pt-BR;q=0.001", "pt_BR"),
        ("*", "en"),
        ("*;q=0.5, nl;q=0.4", "en"),
        ("fr, *;q=0.1", "en"),
        ("nl;q=0.5, pt-BR;q=0.5", "nl"),
        ("nl; Q=1.0 , en", "nl"),
        ("nl;q=2, nl;q=-1, nl;q=x, nl;r=1, pt-BR;q=0.2", "pt_BR"),
        (",;,;;q=1,=,\x00", "en"),
        ("../nl", "en"),
    ],
)
def test_a_browser_gets_the_language_that_it_likes_most(folder: Path, accepted: str, chosen: str):
    assert negotiate(accepted, folder) == chosen


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("nl", "nl"), ("nl-BE", "nl"), ("NL_nl.UTF-8", "nl"), ("en", "en"), ("fr", None), ("", None), ("../nl", None)],
)
def test_a_language_is_found_by_its_name_or_not_at_all(folder: Path, wanted: str, found: str | None):
    assert find_language(wanted, folder) == found
