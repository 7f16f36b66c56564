"""Something is wrong on the board: saying what is there, being guided back, or playing on from it."""

from __future__ import annotations

import pytest
from board_page import PHONE, BoardPage, containing
from playwright.sync_api import Locator, expect


class Editor:
    """The dialog in which somebody says what is on the board."""

    def __init__(self, board: BoardPage) -> None:
        self.board = board
        self.dialog = board.page.locator("#editor")
        self.count = board.page.locator("#editor-count")
        self.considered = board.page.locator("#considered")
        self.refused = board.page.locator("#editor-refused")
        board.button("Something is wrong on the board").click()
        expect(self.dialog).to_be_visible()

    def cell(self, column: int, row: int) -> Locator:
        return self.dialog.locator(f".cell[data-column='{column}'][data-row='{row}']")

    def tap(self, brush: str, *cells: tuple[int, int]) -> None:
        self.dialog.locator(".brushes").get_by_text(brush, exact=True).click()
        for cell in cells:
            self.cell(*cell).click()

    def press(self, name: str) -> None:
        self.dialog.get_by_role("button", name=name, exact=True).click()


def test_hands_are_guided_back_step_by_step(open_page, hand):
    hand.play("d4 d4 d3")
    board = open_page()
    editor = Editor(board)
    expect(editor.count).to_have_text("This is what the game has.")

    editor.tap("Take it out", (4, 2))
    editor.tap("Yellow", (1, 5))
    expect(editor.cell(1, 1)).to_have_accessible_name("Column 1, row 1: yellow. The game has no disc there.")
    expect(editor.cell(4, 2)).to_have_accessible_name("Column 4, row 2: empty. The game has a yellow disc there.")
    expect(editor.count).to_have_text("Cells that differ from the game: 2. They are marked.")
    board.picture("editor")
    editor.press("Guide me back")

    expect(editor.dialog).to_be_hidden()
    expect(board.status).to_have_text("Take the top disc (row 1) out of column 1, then press its button.")
    expect(board.page.locator("#differs-text")).to_have_text("2 cells are not as they should be.")
    expect(board.page.locator("#board .asked")).to_have_count(2)
    board.picture("guided")
    board.button("Done").click()
    expect(board.status).to_have_text("Put a yellow disc into column 4 (row 2), then press its button.")
    board.click(4)  # the button of the column is the same
    expect(board.notice).to_have_text("The board is right again.")
    expect(board.page.locator("#differs")).to_be_hidden()
    expect(board.moves).to_have_count(3)


def test_whoever_has_put_all_right_at_once_says_so(open_page, hand):
    hand.play("d4 d4 d3")
    board = open_page()
    editor = Editor(board)
    editor.press("Empty board")
    editor.press("Guide me back")
    expect(board.page.locator("#differs-text")).to_have_text("3 cells are not as they should be.")

    board.button("Everything is right now").click()

    expect(board.page.locator("#differs")).to_be_hidden()
    expect(board.status).to_have_text("Yellow to move.")
    board.play("d1")


def test_while_being_guided_the_discs_can_be_taken_over_after_all(open_page, hand):
    hand.play("d4 d4 d3")
    board = open_page()
    editor = Editor(board)
    editor.tap("Red", (7, 1))
    editor.press("Guide me back")

    board.button("Play on from these discs").click()
    dialog = board.page.locator("#adopt")
    expect(dialog.get_by_role("button")).to_have_text(["Red to move.", "Cancel"])
    board.picture("adopt-choices")
    dialog.get_by_role("button", name="Red to move.").click()

    board.shows("", "", "X", "XO", "", "", "X")
    expect(board.status).to_have_text("Red to move.")


def test_the_board_is_taken_as_it_is_once_turn_and_difference_are_confirmed(board):
    board.play("d4 d4")
    editor = Editor(board)
    editor.tap("Red", (4, 2))

    editor.press("Take it as it is")
    expect(editor.considered).to_have_text("Red to move. One cell is not as the board believes.")
    editor.dialog.locator("#set-up").get_by_label("Yellow", exact=True).check()
    expect(editor.considered).to_have_text(containing("With 2 discs on the grid it is red's turn, not yellow's."))
    editor.press("Back")
    editor.tap("Yellow", (1, 1))
    editor.press("Take it as it is")
    editor.dialog.locator("#set-up").get_by_label("Yellow", exact=True).check()
    expect(editor.considered).to_have_text("Yellow to move. 2 cells are not as the board believes.")
    board.picture("set-up")
    editor.press("Play on like this")

    expect(editor.dialog).to_be_hidden()
    board.shows("O", "", "", "XX", "", "", "")
    expect(board.status).to_have_text("Yellow to move.")
    expect(board.page.locator("#differs")).to_be_hidden()


def test_a_position_that_cannot_be_is_named_and_cannot_be_set(board):
    editor = Editor(board)
    editor.tap("Red", (1, 1), (2, 1), (3, 1), (4, 1))

    editor.press("Take it as it is")
    expect(editor.considered).to_have_text(containing("row 1"))
    expect(editor.dialog.get_by_role("button", name="Play on like this")).to_be_disabled()
    board.picture("set-up-refused")

    editor.press("Back")
    editor.tap("Yellow", (2, 1), (4, 1))
    editor.press("Take it as it is")
    expect(editor.considered).to_have_text("Red to move. 4 cells are not as the board believes.")
    editor.press("Play on like this")
    board.shows("X", "O", "X", "O", "", "", "")


def test_what_lies_on_a_simulated_board_is_where_the_editor_begins(board):
    board.play("d4")
    board.page.get_by_label("Only the disc: let it in or out, press no button").check()
    board.click(2)
    board.shows("", "O", "", "X", "", "", "")

    editor = Editor(board)

    expect(editor.cell(2, 1)).to_have_accessible_name(containing("Column 2, row 1: yellow."))
    editor.press("As the game has it")
    expect(editor.count).to_have_text("This is what the game has.")


def test_the_editor_is_used_with_the_keyboard_alone(board):
    board.play("d4")
    board.page.locator("#open-editor").focus()
    keyboard = board.page.keyboard
    keyboard.press("Enter")
    cell = board.page.locator(".cell:focus")
    expect(cell).to_have_accessible_name("Column 1, row 1: empty.")

    keyboard.press("Enter")
    expect(cell).to_have_accessible_name(containing("Column 1, row 1: red."))
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowUp", "ArrowLeft", "ArrowDown"):
        keyboard.press(key)
    expect(cell).to_have_accessible_name("Column 2, row 1: empty.")
    keyboard.press("ArrowLeft")
    keyboard.press("Delete")
    expect(cell).to_have_accessible_name("Column 1, row 1: empty.")
    expect(board.page.locator("#editor-count")).to_have_text("This is what the game has.")


def test_discs_above_one_that_is_taken_out_come_down(open_page, hand):
    hand.play("d4 d4 d4")
    editor = Editor(open_page())

    editor.tap("Take it out", (4, 1))

    expect(editor.cell(4, 1)).to_have_accessible_name(containing("row 1: yellow."))
    expect(editor.cell(4, 2)).to_have_accessible_name(containing("row 2: red."))
    expect(editor.cell(4, 3)).to_have_accessible_name(containing("row 3: empty."))


@pytest.mark.parametrize(
    ("rules", "moves", "fields"),
    [
        ("pop10 4x4 connect=3 target=3", "d3", ["phase", "kept-red", "kept-yellow"]),
        ("power 7x6", "d4", ["phase", "powers-red", "powers-yellow"]),
        ("five+pop 7x6", "d4", []),
        ("popout 7x6 supply=21", "d4", ["hands-red", "hands-yellow"]),
    ],
)
def test_what_a_game_has_beside_the_board_is_asked_for(open_page, hand, rules, moves, fields):
    hand.begin(rules, moves)
    board = open_page()
    editor = Editor(board)

    editor.press("Take it as it is")

    for field in fields:
        expect(editor.dialog.locator(f"[name=set-{field}]").first).to_be_visible()
    expect(editor.considered).to_have_text(containing("Every cell is as the board believes."))
    board.picture(f"set-up-{rules.split()[0]}")
    editor.press("Play on like this")
    expect(editor.dialog).to_be_hidden()


def test_a_disc_that_was_popped_and_waits_to_be_put_back_is_said_with_its_column(open_page, hand):
    hand.begin("pop10 4x4 connect=3 target=3", "d3 d1 d4 d2 d2 d4 d3 d1 d1 d3 d2 d4 d1 d4 d2 d3")
    board = open_page()
    editor = Editor(board)
    editor.press("Take it as it is")
    editor.dialog.locator("[name=set-phase]").select_option("put")
    expect(editor.considered).to_have_class(containing("considered", "refused"))  # every column is full

    editor.press("Back")
    editor.tap("Take it out", (2, 1))
    editor.press("Take it as it is")
    editor.dialog.locator("[name=set-phase]").select_option("put")
    expect(editor.dialog.locator("[name=set-source]")).to_have_value("2")  # the one with room
    expect(editor.considered).to_have_class(containing("considered", "ready"))
    editor.press("Play on like this")

    expect(board.status).to_contain_text("put")


def test_on_a_phone_all_of_the_editor_can_be_reached(open_page, hand):
    hand.begin("power 12x10")
    board = open_page(viewport=PHONE, has_touch=True)
    editor = Editor(board)

    editor.tap("Yellow", (12, 1))
    expect(editor.cell(12, 1)).to_have_accessible_name(containing("Column 12, row 1: yellow."))
    board.picture("phone-editor")
    editor.press("Take it as it is")
    board.picture("phone-set-up")

    assert editor.dialog.evaluate("(dialog) => dialog.scrollWidth <= dialog.clientWidth")


def test_another_game_closes_the_editor(open_page, hand):
    board = open_page()
    editor = Editor(board)

    hand.begin("standard 7x6")

    expect(editor.dialog).to_be_hidden()


def test_what_hands_tell_at_the_board_is_seen_on_the_page(open_page, hand):
    hand.play("d4")
    board = open_page()
    board.button("Menu of the board").click()
    board.page.locator("#menu-entries").get_by_text("More").click()
    board.page.locator("#menu-entries").get_by_text("Something is wrong on the board").click()
    telling = board.page.locator("#telling")
    expect(telling).to_contain_text("Cells that differ from the game: 0.")

    board.click(2)

    expect(telling).to_contain_text("Cells that differ from the game: 1.")
    board.shows("", "O", "", "X", "", "", "")
    board.picture("telling")
