"""The board in lines of text: moves, words, refusals, corrections, and what somebody else does meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from popout.play.table import Table
from popout.views.drawing import Style
from popout.views.plain import Plain
from popout.views.plain_words import Teller
from popout.views.terminal.link import SocketLink, TableLink
from popout.views.web.state import TableView
from terminals import a_table, served

BOARD = Style(symbols=False)


async def given(*lines: str) -> AsyncIterator[str]:
    for line in lines:
        yield line


def said_to(
    *lines: str, rules: str = "popout 7x6", before: Callable[[Table], Awaitable[None]] | None = None
) -> list[str]:
    """What is printed while the lines are obeyed, after the first two lines that every session has."""
    printed: list[str] = []

    async def run() -> None:
        async with a_table(rules) as table:
            if before:
                await before(table)
            teller = Teller(str, BOARD, printed.append, draw=False)
            await Plain(TableLink(TableView(table), str), teller, prompt=False).run(given(*lines))

    asyncio.run(run())
    return printed[2:]


def test_moves_are_made_by_the_boards_own_buttons_and_bar_and_told():
    assert said_to("1. d1 d2", "p1 # and so on", "", "moves") == [
        "1. Red drops a disc in column 1.",
        "Yellow to move.",
        "2. Yellow drops a disc in column 2.",
        "Red to move.",
        "3. Red pops a disc out of column 1.",
        "Yellow to move.",
        "1. d1  Red drops a disc in column 1.",
        "2. d2  Yellow drops a disc in column 2.",
        "3. p1  Red pops a disc out of column 1.",
    ]


def test_a_refused_move_says_why_and_leaves_the_rest_of_the_line_out():
    assert said_to("p3 d4 d5") == [
        "Column 3 is empty: there is nothing to pop.",
        "The rest of the line was not looked at: d4 d5",
    ]


def test_what_is_no_move_and_no_word_is_said():
    (said,) = said_to("fly")
    assert said.endswith('Write "help" for the commands.')


def test_what_is_refused_is_counted():
    async def run() -> int:
        async with a_table() as table:
            teller = Teller(str, BOARD, lambda _: None, draw=False)
            plain = Plain(TableLink(TableView(table), str), teller, prompt=False)
            await plain.run(given("p3", "d4", "fly", "done", "d9", "new nonsense", "choose 1"))
            return plain.refused

    assert asyncio.run(run()) == 6


def test_a_won_game_says_why_and_where_the_line_is():
    said = said_to("d4 d5 d4 d5 d4 d5 d4")

    assert "Red wins" in said[-2]
    assert said[-1] == "Red's line: column 4, rows 1 to 4."


@pytest.mark.parametrize(
    ("rules", "moves", "last"),
    [
        ("standard 7x6", "d4 d4", "2. Yellow drops a disc in column 4."),
        ("popout 7x6", "d4 d3 p4", "3. Red pops a disc out of column 4."),
        ("pop10 3x2 connect=2 target=2", "d1 d2 d3 d1 d2 d3 p1", "7. Red "),
        ("five 7x6", "d2 d8", "2. Yellow drops a disc in column 8."),
        ("power 7x6", "a4 d4 x2 d3", "4. Red drops a second disc in column 3."),
        ("power+pop 7x6", "d1 b2p1", "3. Yellow's bomb pops a disc of red's out of column 1."),
    ],
)
def test_every_game_is_played(rules: str, moves: str, last: str):
    assert any(line.startswith(last) for line in said_to(moves, rules=rules))


def test_an_ordinary_disc_is_dropped_after_a_power_disc_was_chosen_elsewhere():
    async def before(table: Table) -> None:
        from popout.rules import PowerDisc

        await table.order(lambda controller: controller.arm(PowerDisc.ANVIL))

    assert said_to("d4", rules="power 7x6", before=before)[0] == "1. Red drops a disc in column 4."


def test_power_discs_where_there_are_none():
    assert said_to("a4") == ["There are no power discs in this game."]


def test_back_new_draw_and_show():
    said = said_to("d4", "back", "new popout 4x3 connect=3", "d1", "draw", "show")

    assert said == [
        "1. Red drops a disc in column 4.",
        "Yellow to move.",
        "Taken back: red's disc in column 4. Red to move.",
        "A new game of Pop Out. Red to move.",
        "1. Red drops a disc in column 1.",
        "Yellow to move.",
        "Draw: the players agreed.",
        *("", " 3 | . . . . |", " 2 | . . . . |", " 1 |>X . . . |", "   +---------+", "     1 2 3 4", ""),
        "Draw: the players agreed.",
    ]


def test_the_menu_is_told_and_chosen_from():
    said = said_to("d4", "menu", "d5", "choose 9", "choose 4")

    assert said[2] == "Menu: tap a lit column"
    assert "   4  Take back" in said
    assert 'The menu is open. Write "choose" and a number, or "menu" to leave it.' in said
    assert 'Write "choose" and one of the numbers: 1, 2, 3, 4, 5, 6, 7.' in said
    assert said[-1] == "Taken back: red's disc in column 4. Red to move."


def ask_to_resume(table: Table) -> None:
    from popout.play.menu import Menu

    table.controller.overlay = Menu("resume", 0, table.board.now())
    table.controller.revision += 1
    table.touched()


async def resumed(table: Table) -> None:
    ask_to_resume(table)


def test_the_resume_question_is_answered_by_a_word_or_by_a_move():
    question = "Go on with the last game, or begin a new one?"

    assert said_to("continue", "d4", before=resumed)[0] == question
    assert said_to("d4", before=resumed)[-2:] == ["1. Red drops a disc in column 4.", "Yellow to move."]


def test_a_board_is_put_right_row_by_row():
    said = said_to("d1 d2", "correct", ". . . . . . .", "O . . . . . .", "", "d3", "done", "done", "done", "done")

    take = "Take the top disc (row 1) out of column 1, then press its button."
    assert said[4:] == [
        "Write the rows as you see them, the top row first: X red, O yellow, a point for an empty cell. "
        "An empty line ends them.",
        f"2 cells are not as they should be. {take}",
        f'{take} Then write "done"; or "repaired" when everything is in its place.',
        "2 cells are not as they should be. Put a red disc into column 1 (row 1), then press its button.",
        "2 cells are not as they should be. Put a yellow disc into column 2 (row 1), then press its button.",
        "The board is right again.",
        "Red to move.",
        "There is nothing to put right and nothing to answer now.",
    ]


def test_what_is_on_the_board_is_adopted():
    said = said_to("d1 d2", "correct X/O/X////", "adopt", "adopt yellow", "moves")

    assert "The game can go on from what is on the board with one of these to move: yellow." in said
    assert said[-1] == "No move has been made. Yellow to move."


def test_everything_repaired_at_once():
    said = said_to("d1 d2", "correct X//////", "repaired")

    assert said[-2:] == ["The board is right.", "Red to move."]


def test_a_position_is_set_up_with_what_is_beside_it():
    said = said_to("setup X/O/X//// yellow powers=ab,wx", "moves", rules="power 7x6")

    assert said[-1] == "No move has been made. Yellow to move."


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("setup", "Write the columns from the left"),
        ("setup X/O//", "This names 4 columns, and the board has 7."),
        ("setup X/O///// green", '"green" is nothing that a position has.'),
        ("setup X/O/////", "Write who is to move after the columns: red or yellow."),
        ("setup XXXX/////// red", "This names 8 columns"),
        ("setup XXXX////// red", "Red"),
    ],
)
def test_positions_that_cannot_be_are_refused(line: str, why: str):
    assert any(text.startswith(why) for text in said_to(line))


def test_a_floating_disc_and_a_bad_row_end_the_rows():
    assert said_to("correct", "X......", ".......", "", "d4")[1].startswith("Column 1 has a disc with nothing under it")
    assert said_to("correct", "abc", "d4")[1].startswith('"abc" is no row of this board')


def test_what_somebody_else_does_is_told_too():
    printed: list[str] = []

    async def run() -> None:
        async with a_table() as table, served(table) as port:
            link = SocketLink(f"127.0.0.1:{port}", "en")
            await link.connect()
            made = asyncio.Event()

            def write(line: str) -> None:
                printed.append(line)
                if line.startswith("1."):
                    made.set()

            async def lines() -> AsyncIterator[str]:
                from popout.rules import Drop

                await table.order(lambda controller: controller.play(Drop(6)))
                await asyncio.wait_for(made.wait(), 10)
                yield "d5"
                yield "quit"
                yield "d5"

            await Plain(link, Teller(str, BOARD, write, draw=True), prompt=False).run(lines())

    asyncio.run(run())
    assert "1. Red drops a disc in column 6." in printed
    assert " 1 | . . . .>O X . |" in printed
    assert not any(line.startswith("3.") for line in printed)
