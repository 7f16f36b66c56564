"""The sentences are found where they are written, and bringing the catalogues up to date loses no translation."""

from __future__ import annotations

import pytest

import catalogues
from catalogues import NotWrittenOut, Sentences, compiled, read, sentences_of, updated, written
from popout.rules import Message
from sentence_net import SentenceNet


def catalogue_of(*sentences: catalogues.Sentence) -> Sentences:
    catalogue = Sentences()
    for sentence in sentences:
        catalogue.add(sentence, locations=[("a.py", 0)])
    return catalogue


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('Message("Red to move.")', ["Red to move."]),
        ('Message(\n    "Red "\n    "to move."\n)', ["Red to move."]),
        (
            'Message("{count} move", plural="{count} moves", count=len(moves))',
            [("{count} move", "{count} moves")],
        ),
        ('Message("Red." if side is RED else "Yellow.", disc=disc)', ["Red.", "Yellow."]),
        ('_NAMES = N_({RED: "Red", YELLOW: "Yellow"})', ["Red", "Yellow"]),
        ('_NAMES = N_({PUT: {RED: "Red", "yellow": "Yellow"}})', ["Red", "Yellow"]),
        ('_GOES_ON = N_({RED: ("one", "many")})', [("one", "many")]),
        ('_AIM = N_("Be the first.")', ["Be the first."]),
        ("Message(_NAMES[side])", []),
        ('"""Message("no")"""\nprint("Red")', []),
        ('f(Message("outer {what}", what=Message("inner")))', ["outer {what}", "inner"]),
    ],
)
def test_a_sentence_is_found_where_it_is_written(source: str, found: list[catalogues.Sentence]):
    assert sentences_of(source) == found


@pytest.mark.parametrize("source", ["N_(sentence)", "N_({RED: sentence})", 'N_(f"{name}")', 'N_(("one", many))'])
def test_what_is_marked_must_be_written_out(source: str):
    with pytest.raises(NotWrittenOut):
        sentences_of(source)


def test_a_translation_stays_and_a_new_sentence_comes_without_one():
    known = Sentences(locale="nl")
    known.add("Red to move.", "Rood is aan zet.")

    catalogue = updated("nl", catalogue_of("Red to move.", "Yellow to move."), known)

    assert catalogue["Red to move."].string == "Rood is aan zet."
    assert not catalogue["Yellow to move."].string


def test_a_sentence_that_comes_back_has_its_translation(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    known = Sentences(locale="nl")
    known.add("Red to move.", "Rood is aan zet.")
    without = updated("nl", catalogue_of("Yellow to move."), known)
    file = catalogues.file_of("nl")
    file.parent.mkdir(parents=True)
    file.write_bytes(written(without))

    again = updated("nl", catalogue_of("Red to move."), read("nl"))

    assert again["Red to move."].string == "Rood is aan zet."


def test_what_has_no_translation_is_not_compiled():
    catalogue = updated("nl", catalogue_of("Red to move.", ("{count} move", "{count} moves")), Sentences(locale="nl"))

    assert b"move" not in compiled(catalogue)


def test_the_same_catalogue_is_always_written_in_the_same_way():
    one, other = (updated("fr", catalogue_of("Red to move.", ("a", "b")), Sentences(locale="fr")) for _ in range(2))

    assert written(one) == written(other)
    assert compiled(one) == compiled(other)


# The net


class Said(Message):
    """Messages of these tests alone, so that the net of the whole run is not asked twice."""

    __slots__ = ()


def test_the_net_catches_what_the_program_says_and_nothing_else():
    net = SentenceNet()
    net.spread(Said)
    program, test = {"Message": Said, "__name__": "popout.play.desk"}, {"Message": Said, "__name__": "test_it"}

    for module in (program, test):
        exec('Message("a"); Message("b", plural="c", count=2); Message("d")', module)

    assert net.unmarked(["d"]) == ["popout.play.desk: ('b', 'c')", "popout.play.desk: 'a'"]
