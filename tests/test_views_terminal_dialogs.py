"""The terminal's dialogs: a new game, the rule card and the keys."""

from __future__ import annotations

from popout.play.table import Table
from terminals import Seat, at_a_terminal


async def new_game(seat: Seat) -> None:
    await seat.press("n")
    await seat.see(lambda: seat.shows("Or write the rules"))


def test_a_game_is_chosen_with_its_usual_line():
    async def story(seat: Seat, _: Table) -> None:
        await new_game(seat)
        await seat.press("down", "down")
        await seat.see(lambda: seat.shows("five 7x6 connect=5"))
        await seat.press("enter")
        await seat.see(lambda: seat.state["rules"]["game"] == "five")

        assert seat.shows("5-in-a-Row · 9 × 6 · 5 in a row")

    at_a_terminal(story)


def test_a_size_is_typed():
    async def story(seat: Seat, _: Table) -> None:
        await new_game(seat)
        await seat.press("tab", "end", "backspace", "9", "enter")
        await seat.see(lambda: seat.state["rules"]["columns"] == 9)

    at_a_terminal(story)


def test_what_is_refused_is_said_in_the_dialog_and_nothing_begins():
    async def story(seat: Seat, _: Table) -> None:
        await seat.play("d4")
        await new_game(seat)
        assert seat.shows("The game at hand ends here; it stays in the record.")
        await seat.press("tab", "end", "backspace", "0", "enter")
        await seat.see(lambda: not seat.shows("it stays in the record"))

        assert "columns" in seat.says("refusal")
        await seat.press("escape")
        await seat.see(lambda: not seat.shows("Or write the rules"))
        assert len(seat.state["moves"]) == 1

    at_a_terminal(story)


def test_a_dialog_fits_into_the_smallest_window():
    async def story(seat: Seat, _: Table) -> None:
        await new_game(seat)
        assert seat.shows("Start")
        assert seat.shows("Cancel")

    at_a_terminal(story)


def test_the_rule_card_and_the_keys_of_every_game():
    async def story(seat: Seat, _: Table) -> None:
        await seat.press("question_mark")
        await seat.see(lambda: seat.shows("How to play: "))
        assert seat.shows("Be the first to get 4 of your own discs")
        await seat.press("end")
        await seat.see(lambda: seat.shows("A B W X"))
        await seat.press("escape")
        await seat.see(lambda: not seat.shows("How to play: "))

    at_a_terminal(story, "power+pop 7x6")
