"""What is told in lines of text, and what is not told twice."""

from __future__ import annotations

from typing import Any

from popout.rules import Message
from popout.views.drawing import Style
from popout.views.plain_words import Teller

OFFLINE = {"type": "offline", "again": 1}


def state(*moves: str, **changes: Any) -> dict[str, Any]:
    """What a board of 4x3 says after these moves."""
    return {
        "type": "state",
        "rules": {"title": "Pop Out", "width": 4, "rows": 3, "connect": 3},
        "grid": ["X" if moves else "", "", "", ""],
        "kept": None,
        "moves": [{"text": text, "said": f"{text} is made."} for text in moves],
        "status": "Yellow to move." if moves else "Red to move.",
        "last": None,
        "notice": None,
        "menu": None,
        "differs": None,
        "outcome": None,
        **changes,
    }


class Heard:
    """Somebody who reads what is told."""

    def __init__(self, *, draw: bool = False, symbols: bool = True) -> None:
        self.lines: list[str] = []
        self.teller = Teller(str, Style(symbols=symbols), self.lines.append, draw=draw)

    def after(self, *messages: dict[str, Any]) -> list[str]:
        """What is told of these messages alone."""
        self.lines.clear()
        for message in messages:
            self.teller.hears(message)
        return list(self.lines)


def test_the_first_state_says_which_game_it_is_and_whose_turn():
    assert Heard().after(state()) == ["Pop Out, 4 columns by 3 rows, 3 in a row.", "Red to move."]


def test_a_state_that_brings_nothing_new_is_not_told():
    heard = Heard()
    heard.after(state())
    assert heard.teller.hears(state()) is False
    assert heard.after(state()) == []


def test_a_move_is_told_with_its_number_and_its_notice_only_once():
    heard = Heard()
    heard.after(state())
    told = heard.after(state("d1", notice={"id": 1, "text": "d1 is made."}))
    assert told == ["1. d1 is made.", "Yellow to move."]


def test_moves_that_were_replaced_are_not_told_as_new_ones():
    heard = Heard()
    heard.after(state("d1", "d2"))
    taken_back = {"id": 2, "text": "Taken back. Yellow to move."}
    assert heard.after(state("d1", notice=taken_back)) == ["Taken back. Yellow to move."]


def test_a_board_is_drawn_where_that_is_wanted_and_only_if_discs_have_moved():
    heard = Heard(draw=True, symbols=False)
    heard.after(state())
    assert heard.after(state("d1"))[:2] == ["", " 3 | . . . . |"]
    assert heard.after(state("d1", notice={"id": 3, "text": "Column 2 is full."})) == ["Column 2 is full."]


def test_a_lost_connection_is_told_once_and_that_it_is_back():
    heard = Heard()
    heard.after(state())
    assert heard.after(OFFLINE, OFFLINE, OFFLINE) == [
        "The connection to the board is lost. It is tried again until it is back."
    ]
    assert heard.after(state("d1")) == ["The connection to the board is back.", "1. d1 is made.", "Yellow to move."]


def test_a_menu_is_told_with_the_number_of_each_entry():
    heard = Heard()
    heard.after(state())
    menu = {"title": "Menu", "entries": [{"column": 1, "text": "Go on"}, {"column": 12, "text": "New game"}]}
    assert heard.after(state(menu=menu)) == ["Menu", "   1  Go on", "  12  New game"]


def test_where_a_screen_has_few_letters_all_that_is_told_is_written_in_them():
    heard = Heard(symbols=False)
    heard.teller.say(Message("“Größe” – 7×6…"))
    assert heard.lines == ['"Grosse" - 7x6...'] or heard.lines == ['"Gro?e" - 7x6...']
