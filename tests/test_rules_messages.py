"""Sentences: whole, with named places, equal if they say the same; and what of a stranger's text they quote."""

from __future__ import annotations

import pickle

import pytest

from popout.rules import Message, PopoutError
from popout.rules.errors import ColumnFull, NotationError
from popout.rules.messages import excerpt


def test_a_message_says_its_sentence_with_its_values() -> None:
    assert str(Message("Column {column} is full.", column=3)) == "Column 3 is full."
    assert repr(Message("Column {column} is full.", column=3)) == "Message('Column 3 is full.')"


def test_a_message_may_hold_another_one() -> None:
    inner = Message("Red wins: {connect} in a row.", connect=4)
    assert str(Message("The game is over. {why}", why=inner)) == "The game is over. Red wins: 4 in a row."


@pytest.mark.parametrize(("count", "said"), [(0, "0 moves"), (1, "one move"), (2, "2 moves"), (21, "21 moves")])
def test_a_message_about_a_number_has_a_sentence_for_one_and_one_for_others(count: int, said: str) -> None:
    assert str(Message("one move", plural="{count} moves", count=count)) == said


def test_braces_in_a_value_are_only_text() -> None:
    assert str(Message('"{word}" is no move.', word="{column}")) == '"{column}" is no move.'


def test_messages_are_equal_if_they_say_the_same() -> None:
    one, same = Message("Column {column}.", column=3), Message("Column {column}.", column=3)
    assert (one, hash(one)) == (same, hash(same))
    assert one != Message("Column {column}.", column=4)
    assert one != Message("Row {column}.", column=3)
    assert Message("a", plural="b", count=1) != Message("a", plural="c", count=1)
    assert one != "Column 3."


def test_an_error_says_its_message_and_has_a_code() -> None:
    error = ColumnFull(Message("Column {column} is full.", column=3))
    assert (str(error), error.code) == ("Column 3 is full.", "column-full")
    assert isinstance(error, PopoutError)
    assert isinstance(error, ValueError)


def test_an_error_can_be_sent_to_another_process() -> None:
    error = pickle.loads(pickle.dumps(NotationError(Message("No."), line=3, column=5, reason="floating-disc")))
    assert (str(error), error.line, error.column, error.reason) == ("No.", 3, 5, "floating-disc")


@pytest.mark.parametrize(
    ("value", "quoted"),
    [
        ("d4", "d4"),
        ("σειρά", "σειρά"),
        ("x" * 40, "x" * 40),
        ("x" * 41, "x" * 40 + "…"),
        ("a\x1b[2Jb\x00\n", "a\\x1b[2Jb\\x00\\n"),
        ("\u202egpj\u2028", "\\u202egpj\\u2028"),
        ("\udcff", "\\udcff"),
        (33, "33"),
        (-1, "-1"),
        (None, "None"),
        (["7"], "['7']"),
        pytest.param(10**5000, "0x31e20801036510f3c591fde5361dc619987896…", id="more digits than Python writes"),
    ],
)
def test_what_a_sentence_quotes_is_short_and_cannot_steer_a_terminal(value: object, quoted: str) -> None:
    assert excerpt(value) == quoted
