"""What a screen can do, as its user and its system say."""

from __future__ import annotations

import io

import pytest

from popout.views.screen import in_ascii, speaks_utf8, why_plain


class Screen(io.TextIOWrapper):
    def __init__(self, encoding: str = "utf-8", *, terminal: bool = True) -> None:
        super().__init__(io.BytesIO(), encoding)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("environ", "encoding", "speaks"),
    [
        ({"LANG": "en_GB.UTF-8"}, "utf-8", True),
        ({"LANG": "C.utf8"}, "UTF-8", True),
        ({"LANG": "C"}, "utf-8", False),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, "utf-8", False),  # what Python makes of LANG=C for itself
        ({"LC_CTYPE": "C.UTF-8"}, "utf-8", False),
        ({"LANG": "POSIX"}, "utf-8", False),
        ({}, "utf-8", False),
        ({"LC_ALL": "nl_NL.UTF-8", "LANG": "C"}, "utf-8", True),
        ({"LC_ALL": "C", "LANG": "nl_NL.UTF-8"}, "utf-8", False),
        ({"LC_CTYPE": "UTF-8"}, "utf-8", True),
        ({"LANG": "en_GB.ISO-8859-1"}, "utf-8", False),
        ({"LANG": "en_GB.UTF-8"}, "latin-1", False),
        ({"LANG": "C", "PYTHONIOENCODING": "utf-8"}, "utf-8", True),
    ],
)
def test_utf_8_is_what_the_user_says(environ: dict[str, str], encoding: str, speaks: bool):
    assert speaks_utf8(Screen(encoding), environ) is speaks


def test_no_stream_speaks_nothing():
    assert not speaks_utf8(None, {"LANG": "C.UTF-8"})


GOOD = {"TERM": "xterm", "LANG": "C.UTF-8"}


def test_a_good_terminal_is_drawn_on():
    assert why_plain([Screen(), Screen(), Screen()], GOOD) is None


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_a_pipe_in_any_place_is_told_in_lines(missing: int):
    for other in (Screen(terminal=False), None):
        streams = [Screen(), Screen(), Screen()]
        streams[missing] = other  # type: ignore[call-overload]
        assert "is no terminal" in str(why_plain(streams, GOOD))


def test_a_dumb_terminal_and_one_without_utf_8_say_why():
    streams = [Screen(), Screen(), Screen()]

    assert str(why_plain(streams, {**GOOD, "TERM": "dumb"})) == (
        "This terminal cannot be drawn on: the board is told in lines of text."
    )
    assert str(why_plain(streams, {**GOOD, "LANG": "C"})) == (
        "This terminal is not set to UTF-8, so the board is told in lines of text. "
        "To have it drawn, set LANG to a language in UTF-8, such as C.UTF-8."
    )


def test_sentences_in_letters_that_every_screen_has():
    assert in_ascii("“café” – 3 × 4…") == '"cafe" - 3 x 4...'
    assert in_ascii("Ελ") == "??"
