"""The words of the link: numbers and fields of payloads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.link import words
from popout.link.frames import is_printable
from popout.link.words import fields, joined, number, numbers, plain

HOST = ("HELLO", "DEBOUNCE", "LAMPS", "PING", "ASK_STATE", "ACK_EVENT", "SELF_TEST", "TO_PROMPT", "TO_BOOT_LOADER")
BOARD = ("HELLO_BACK", "ACK", "REFUSAL", "PONG", "STATE", "EVENT", "LOG")


def test_a_host_speaks_in_small_letters_a_board_in_capitals_and_each_means_one_thing():
    host = [getattr(words, name) for name in (*HOST, "ASK_LOG", "BYE")]
    board = [getattr(words, name) for name in BOARD]
    assert all(letter.islower() for letter in host)
    assert all(letter.isupper() for letter in board)
    assert len({*host, *board}) == len(host) + len(board)


@given(st.integers(0, 2**64 - 1))
def test_a_number_is_read_as_it_is_written(value):
    assert number(joined(value)) == value


@pytest.mark.parametrize("text", ["", "a", "0x1", "-1", "+1", " 1", "1 ", "1_0", "G", "é", "1" * 17, "١"])
def test_what_is_no_number(text):
    assert number(text) is None


def test_zeros_before_a_number_do_not_matter():
    assert number("00FF") == 255


@given(st.text(max_size=30))
def test_a_number_of_any_text_is_none_or_one(text):
    value = number(text)
    assert value is None or value == int(text, 16)


@given(st.lists(st.integers(0, 2**30), min_size=1, max_size=8))
def test_numbers_are_read_as_they_are_joined(values):
    assert numbers(joined(*values), len(values)) == values
    assert numbers(joined(*values), len(values) + 1) is None
    assert numbers(joined(*values, 0), len(values)) is None


@pytest.mark.parametrize("payload", ["", ":", "1:", ":1", "1:x", "1::2"])
def test_fields_that_are_no_numbers(payload):
    assert numbers(payload, 2) is None


def test_fields_are_as_many_as_they_must_be():
    assert fields("1.0:x:", 3) == ["1.0", "x", ""]
    assert fields("1.0:x", 3) is None
    assert fields("", 1) == [""]


@given(st.text(max_size=50), st.integers(0, 50))
def test_any_text_is_made_plain_enough_for_a_payload(text, most):
    found = plain(text, most)
    assert is_printable(found)
    assert len(found) == min(len(text), most)
    assert all(after in (before, "?") for before, after in zip(text, found, strict=False))


def test_a_plain_text_stays_as_it_is():
    assert plain("the host fell silent: ~5 s", 80) == "the host fell silent: ~5 s"
    assert plain("zwölf\n", 80) == "zw?lf?"
