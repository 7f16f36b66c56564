"""The terminal's editor: what is on the board is said by keys, compared, put right step by step, or taken over."""

from __future__ import annotations

from popout.play.table import Table
from terminals import Seat, at_a_terminal


async def open_editor(seat: Seat) -> None:
    await seat.press("c")
    await seat.see(lambda: seat.shows("What is on the board?"))


def test_the_cells_that_differ_are_marked_and_counted_while_they_are_said():
    async def story(seat: Seat, _: Table) -> None:
        await seat.play("d1 d2")
        await open_editor(seat)
        await seat.see(lambda: seat.says("status") == "Every cell is as the board believes.")
        await seat.press("y", "right", "backspace", "3", "r")
        await seat.see(lambda: seat.says("status") == "3 cells are not as the board believes.")

        assert [line[4:15:5] for line in seat.board.splitlines()[8:12]] == ["!  ", "!  ", " !!", " !!"]

    at_a_terminal(story)


def test_hands_are_guided_and_the_button_of_the_column_says_that_a_step_is_done():
    async def story(seat: Seat, _: Table) -> None:
        await seat.play("d1 d2")
        await open_editor(seat)
        await seat.press("backspace", "3", "x", "enter")
        await seat.see(lambda: seat.state["differs"] and not seat.shows("What is on the board?"))

        assert seat.says("status") == "Put a red disc into column 1 (row 1), then press its button."
        assert "Everything is in its place now" in " ".join(seat.says("box").split())
        await seat.press("1")
        await seat.see(lambda: seat.state["differs"]["column"] == 3)
        await seat.press("3")
        await seat.see(lambda: not seat.state["differs"])
        assert [move["text"] for move in seat.state["moves"]] == ["d1", "d2"]

    at_a_terminal(story)


def test_everything_put_right_at_once_is_said_with_f():
    async def story(seat: Seat, _: Table) -> None:
        await seat.play("d1 d2")
        await open_editor(seat)
        await seat.press("backspace", "enter")
        await seat.see(lambda: seat.state["differs"])
        await seat.press("f")
        await seat.see(lambda: not seat.state["differs"])

    at_a_terminal(story)


def test_what_is_on_the_board_is_taken_over_instead_with_the_side_to_move():
    async def story(seat: Seat, _: Table) -> None:
        await seat.play("d1 d2")
        await open_editor(seat)
        await seat.press("3", "r", "enter")
        await seat.see(lambda: seat.state["differs"])
        await seat.press("s")
        await seat.see(lambda: seat.shows("Play on from the discs as they are?"))
        await seat.press("down", "enter")
        await seat.see(lambda: not seat.state["differs"])

        assert seat.state["grid"][:3] == ["X", "O", "X"]
        assert seat.state["moves"] == []

    at_a_terminal(story)


def test_a_position_is_set_after_it_was_considered_and_confirmed():
    async def story(seat: Seat, _: Table) -> None:
        await open_editor(seat)
        await seat.press("r", "2", "y", "3", "r", "t")
        await seat.see(lambda: seat.says("notice") == "Yellow to move.")
        await seat.press("s")
        await seat.see(lambda: seat.shows("Go on from this position?"))
        await seat.press("down", "enter")
        await seat.see(lambda: seat.state["grid"][:3] == ["X", "O", "X"])

        assert seat.state["turn"] == "yellow"
        await seat.see(lambda: not seat.shows("What is on the board?"))

    at_a_terminal(story)


def test_an_impossible_position_is_refused_with_its_reason_and_cannot_be_set():
    async def story(seat: Seat, _: Table) -> None:
        await open_editor(seat)
        await seat.press("r", "r", "r", "r")
        await seat.see(lambda: seat.says("notice").startswith("✗"))
        await seat.press("s")
        assert not seat.shows("Go on from this position?")
        await seat.press("escape")
        await seat.see(lambda: not seat.shows("What is on the board?"))
        assert seat.state["grid"] == [""] * 7

    at_a_terminal(story)


def test_what_lies_beside_the_board_is_said_too():
    async def story(seat: Seat, _: Table) -> None:
        await open_editor(seat)
        fields = seat.says("fields").split("\n")
        assert [field.strip("▶ ") for field in fields if field] == [
            "To move: ● Red",
            "Step: A turn as usual",
            "● Power discs: ABWX",
            "○ Power discs: ABWX",
        ]
        await seat.press("r", "down", "down", "a", "x", "t")
        await seat.see(lambda: "● Power discs: BW" in seat.says("fields") and seat.says("notice") == "Yellow to move.")
        await seat.press("s")
        await seat.see(lambda: seat.shows("Go on from this position?"))
        await seat.press("down", "enter")
        await seat.see(lambda: seat.state["powers"]["left"]["red"] == ["b", "w"])

    at_a_terminal(story, "power 7x6")


def test_numbers_beside_the_board_are_changed_by_plus_and_minus():
    async def story(seat: Seat, _: Table) -> None:
        await open_editor(seat)
        await seat.press("down", "down", "plus", "plus", "minus")

        assert "● Kept: 1" in seat.says("fields")

    at_a_terminal(story, "pop10 7x6")


def test_a_game_that_begins_meanwhile_ends_the_editor():
    async def story(seat: Seat, table: Table) -> None:
        from popout.rules import RuleSet

        await open_editor(seat)
        await table.new_game(RuleSet.parse("popout 9x7"))
        await seat.see(lambda: not seat.shows("What is on the board?"))

        assert seat.state["rules"]["columns"] == 9

    at_a_terminal(story)


def test_on_the_widest_board_the_editor_has_room_where_the_board_has():
    async def story(seat: Seat, _: Table) -> None:
        await open_editor(seat)
        await seat.press("r")
        await seat.see(lambda: "!●" in seat.board)

    at_a_terminal(story, "popout 32x12", size=(98, 24))
