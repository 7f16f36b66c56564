"""The terminal's main screen, by its keys: press, bar, menu, take back, look, power discs, draw; and what it says."""

from __future__ import annotations

import asyncio

import pytest

from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.journal import Source
from tabletop import with_two_rows
from terminals import Seat, at_a_terminal

WON = "d4 d5 d4 d5 d4 d5 d4"


def test_a_new_game_is_drawn_with_everything_that_a_player_needs():
    async def story(seat: Seat, _: Table) -> None:
        assert seat.screen.splitlines()[0].split("  ")[0] == " Pop Out · 7 × 6 · 4 in a row"
        assert seat.screen.splitlines()[0].endswith("The bar is closed.")
        assert seat.says("players").split("\n") == ["▶ ● Red to move", "  ○ Yellow"]
        assert seat.says("status") == "Red to move."
        assert "▲▲   ▲▲   ▲▲   ▲▲   ▲▲   ▲▲   ▲▲" in seat.board
        assert seat.shows("No move yet.")

    at_a_terminal(story)


def test_a_digit_presses_its_column_and_the_disc_has_a_shape_and_a_mark():
    async def story(seat: Seat, _: Table) -> None:
        await seat.play("d4 d4")

        assert seat.board.splitlines()[8:12] == [
            " 2 ▕ ▘  ▝ ▘  ▝ ▘  ▝>▟▀▀▙ ▘  ▝ ▘  ▝ ▘  ▝ ▏",
            "   ▕ ▖  ▗ ▖  ▗ ▖  ▗>▜▄▄▛ ▖  ▗ ▖  ▗ ▖  ▗ ▏",
            " 1 ▕ ▘  ▝ ▘  ▝ ▘  ▝ ▟██▙ ▘  ▝ ▘  ▝ ▘  ▝ ▏",
            "   ▕ ▖  ▗ ▖  ▗ ▖  ▗ ▜██▛ ▖  ▗ ▖  ▗ ▖  ▗ ▏",
        ]
        assert seat.says("notice") == "· Yellow drops a disc in column 4."
        assert seat.shows("1 ● d4       2 ○ d4")

    at_a_terminal(story)


def test_what_a_terminal_does_is_written_down_as_the_terminals():
    async def story(seat: Seat, table: Table) -> None:
        told: list[Source | None] = []
        append = table._store.append
        table._store.append = lambda entry, after: (told.append(entry.source), append(entry, after))[1]  # type: ignore[method-assign]
        await seat.play("d4")
        await seat.press("u")
        await seat.see(lambda: not seat.state["moves"])

        assert told == [Source.TERMINAL, Source.TERMINAL]

    at_a_terminal(story)


def test_arrows_choose_a_column_and_enter_presses_it():
    async def story(seat: Seat, _: Table) -> None:
        await seat.press("right", "right", "left", "enter")
        await seat.see(lambda: seat.state["moves"])

        assert seat.state["moves"][0]["text"] == "d2"

    at_a_terminal(story)


def test_a_click_on_a_column_presses_it():
    async def story(seat: Seat, _: Table) -> None:
        await seat.pilot.click("BoardWidget", offset=(4 + 5 * 2 + 1, 3))
        await seat.see(lambda: seat.state["moves"])

        assert seat.state["moves"][0]["text"] == "d3"

    at_a_terminal(story)


def test_the_space_bar_opens_the_bar_and_a_press_pops():
    async def story(seat: Seat, _: Table) -> None:
        await seat.play("d1 d2 p1")

        assert seat.screen.splitlines()[0].endswith("The bar is open.")
        assert "╴" in seat.board
        assert ">" in seat.board.splitlines()[-2][:7]  # the mark of the pop, before the column's number

    at_a_terminal(story)


def test_a_refusal_is_seen_with_its_reason():
    async def story(seat: Seat, _: Table) -> None:
        await seat.press("space", "3")
        await seat.see(lambda: seat.says("notice").startswith("✗"))

        assert seat.says("notice") == "✗ Column 3 is empty: there is nothing to pop."
        assert not seat.state["moves"]

    at_a_terminal(story)


def test_a_column_that_is_not_there_is_refused_without_a_press():
    async def story(seat: Seat, _: Table) -> None:
        await seat.press("9")
        await seat.see(lambda: seat.says("notice"))

        assert seat.says("notice") == "✗ There is no column 9. The columns are 1 to 7."

    at_a_terminal(story)


def test_a_won_game_marks_its_line_and_says_why():
    async def story(seat: Seat, _: Table) -> None:
        await seat.play(WON)

        assert seat.board.count("*▟██▙") == 4
        assert "Red wins" in seat.says("status")
        assert "Red wins" in seat.says("players")

    at_a_terminal(story)


def test_taking_back_and_the_menu_by_keys():
    async def story(seat: Seat, _: Table) -> None:
        await seat.play("d4 d4")
        await seat.press("u")
        await seat.see(lambda: len(seat.state["moves"]) == 1)
        await seat.press("m")
        await seat.see(lambda: seat.state["menu"])
        entries = {entry["code"]: entry["column"] for entry in seat.state["menu"]["entries"]}

        assert "Take back" in seat.says("box")

        await seat.press(str(entries["take-back"]))
        await seat.see(lambda: not seat.state["moves"])
        assert seat.state["menu"] is None

        await seat.press("m")
        await seat.see(lambda: seat.state["menu"])
        await seat.press("escape")
        await seat.see(lambda: not seat.state["menu"])

    at_a_terminal(story)


def test_looking_at_an_earlier_position_makes_no_move_there():
    async def story(seat: Seat, _: Table) -> None:
        await seat.play("d1 d2 d3")
        await seat.press("up", "up")
        await seat.see(lambda: seat.says("status").startswith("Move 1 of 3"))

        assert "▟▀▀▙" not in seat.board
        assert "Moves · 1 of 3" in seat.screen
        await seat.press("5")
        assert seat.says("notice") == "✗ You are looking at an earlier position. Go back to now to play."

        await seat.press("home")
        await seat.see(lambda: seat.says("status") == "The beginning of the game.")
        await seat.press("escape")
        await seat.see(lambda: seat.says("status") == "Yellow to move.")
        assert len(seat.state["moves"]) == 3

    at_a_terminal(story)


def test_what_is_looked_at_is_left_when_it_is_taken_back():
    async def story(seat: Seat, table: Table) -> None:
        await seat.play("d1 d2 d3")
        await seat.press("up")
        await seat.see(lambda: seat.app.board.looked)
        await table.order(lambda controller: controller.take_back())
        await seat.see(lambda: len(seat.state["moves"]) == 2)

        assert seat.app.board.looked is None

    at_a_terminal(story)


def test_power_discs_are_chosen_by_their_letters_and_shown_where_they_lie():
    async def story(seat: Seat, _: Table) -> None:
        await seat.press("a")
        await seat.see(lambda: seat.state["powers"]["chosen"] == "a")
        await seat.press("4")
        await seat.see(lambda: seat.state["moves"])

        assert seat.state["moves"][0]["text"] == "a4"
        assert "▟A█▙" in seat.board
        assert seat.says("players").split("\n")[1].split() == ["–", "B", "Bomb"]

        await seat.press("w")
        await seat.see(lambda: seat.state["powers"]["chosen"] == "w")
        await seat.press("escape")
        await seat.see(lambda: seat.state["powers"]["chosen"] is None)

    at_a_terminal(story, "power 7x6")


def test_pop_10_shows_what_is_kept_and_moves_the_bar_itself_in_a_step_that_can_only_be_one():
    async def story(seat: Seat, _: Table) -> None:
        for column in "1 2 3 1 2 3".split():
            made = len(seat.state["moves"])
            await seat.press(column)
            await seat.see(lambda made=made: len(seat.state["moves"]) == made + 1)
        assert seat.state["phase"] == "pop"
        pop = seat.state["legal"]["pop"][0]
        await seat.press(str(pop))
        await seat.see(lambda: len(seat.state["moves"]) == 7)

        assert "of 1 kept" in seat.says("players")
        assert seat.state["bar"] == "open"

    at_a_terminal(story, "pop10 3x2 connect=2 target=1")


def test_filled_outer_columns_have_no_button():
    async def story(seat: Seat, _: Table) -> None:
        await seat.press("1")
        await seat.see(lambda: seat.says("notice"))
        assert seat.says("notice") == "✗ Column 1 is filled and has no button: its discs stay."

        await seat.press("2")
        await seat.see(lambda: seat.state["moves"])
        assert seat.state["moves"][0]["text"] == "d2"

    at_a_terminal(story, "five 7x6")


def test_a_board_with_two_rows_of_buttons_is_pressed_on_the_side_to_move():
    async def story(seat: Seat, _: Table) -> None:
        await seat.play("d4 d4")

        assert [move["side"] for move in seat.state["moves"]] == ["red", "yellow"]

    at_a_terminal(story, layout=with_two_rows())


def test_a_draw_is_agreed_only_when_it_is_confirmed():
    async def story(seat: Seat, _: Table) -> None:
        await seat.play("d4")
        await seat.press("d")
        await seat.see(lambda: seat.shows("Do both sides agree to a draw?"))
        await seat.press("escape")
        assert seat.state["outcome"] is None

        await seat.press("d")
        await seat.see(lambda: seat.shows("Do both sides agree to a draw?"))
        await seat.press("down", "enter")
        await seat.see(lambda: seat.state["outcome"])
        assert seat.says("status") == "Draw: the players agreed."

    at_a_terminal(story)


def test_a_draw_that_cannot_be_is_refused_by_the_board():
    async def story(seat: Seat, _: Table) -> None:
        await seat.play(WON)
        await seat.press("d")
        await seat.see(lambda: seat.says("notice").startswith("✗"))

    at_a_terminal(story)


def test_on_a_wide_board_two_digits_choose_a_column():
    async def story(seat: Seat, _: Table) -> None:
        await seat.press("1", "2")
        assert not seat.state["moves"]
        await seat.press("enter")
        await seat.see(lambda: seat.state["moves"])
        assert seat.state["moves"][0]["text"] == "d12"

        await seat.press("9", "9")
        assert seat.says("notice") == "✗ There is no column 99. The columns are 1 to 12."

    at_a_terminal(story, "popout 12x6")


@pytest.mark.parametrize(("columns", "rows", "size"), [(32, 12, (100, 24)), (7, 15, (80, 26)), (1, 1, (80, 24))])
def test_boards_of_other_sizes_are_drawn_in_the_size_that_fits(columns: int, rows: int, size: tuple[int, int]):
    async def story(seat: Seat, _: Table) -> None:
        await seat.press("right", "enter")
        await seat.see(lambda: seat.state["moves"])

        assert "●" in seat.board or "▟██▙" in seat.board
        assert seat.board.splitlines()[0].startswith(f"{rows:>2} ▕")

    at_a_terminal(story, f"popout {columns}x{rows} connect=2 allow-unwinnable=yes", size=size)


def test_without_colours_red_and_yellow_and_empty_cells_differ_t4(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NO_COLOR", "1")

    async def story(seat: Seat, _: Table) -> None:
        await seat.play("d1 d2")
        last = seat.board.splitlines()[10]

        assert seat.app.no_color
        assert (last[5:9], last[10:14], last[15:19]) == ("▟██▙", "▟▀▀▙", "▘  ▝")
        assert all(span.style.color is None for span in seat.app.screen.query_one("BoardWidget").render().spans)

    at_a_terminal(story)


def test_the_resume_question_is_asked_and_answered_by_a_column():
    async def story(seat: Seat, table: Table) -> None:
        from popout.play.menu import Menu

        await seat.play("d4")
        table.controller.overlay = Menu("resume", 0, table.board.now())
        table.controller.revision += 1
        table.touched()
        await seat.see(lambda: seat.state["menu"])

        assert "Go on with the last game, or begin a new one?" in " ".join(seat.says("box").split())
        await seat.press(str(next(e["column"] for e in seat.state["menu"]["entries"] if e["code"] == "new")))
        await seat.see(lambda: not seat.state["moves"])

    at_a_terminal(story)


def test_trouble_of_the_board_is_told_in_its_status():
    async def story(seat: Seat, table: Table) -> None:
        from popout.rules import Message

        table.controller.save_failed(Message("The disk is full."), table.board.now())
        table.touched()
        await seat.see(lambda: seat.state["trouble"])

        assert seat.says("status") == "‼ The disk is full."

    at_a_terminal(story)


def test_leaving_is_asked_where_it_stops_the_board():
    async def story(seat: Seat, _: Table) -> None:
        await seat.press("q")
        await seat.see(lambda: seat.shows("Stop the board?"))
        await seat.press("escape")
        assert seat.app.is_running
        await seat.press("q", "down", "enter")
        async with asyncio.timeout(5):
            while seat.app._exit is False:
                await asyncio.sleep(0.01)

    at_a_terminal(story, settings=Settings())
