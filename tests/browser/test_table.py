"""What else can be done at the board from the page: its menu, new games, the hands, the moves so far, the record."""

from __future__ import annotations

import re

import pytest
from board_page import containing
from playwright.sync_api import expect

KEYS = {"new-game": "n", "help": "?"}


def test_the_menu_of_the_board_changes_the_rules(board):
    board.play("d4")

    board.button("Menu of the board").click()
    expect(board.polite).to_have_text(containing("The menu is open.", "Column 1: Continue."))
    board.picture("menu")
    board.click(3)  # other rules, by the column on the board itself
    board.page.locator("#menu-entries").get_by_text("The original").click()

    expect(board.page.locator("#game-title")).to_have_text("The original · 7 × 6 · 4 in a row")
    expect(board.page.locator("#menu")).to_be_hidden()
    board.shows("", "", "", "", "", "", "")


def test_the_menu_is_left_as_it_was_opened(board):
    board.button("Menu of the board").click()
    expect(board.page.locator("#menu")).to_be_visible()

    board.button("Menu of the board").click()

    expect(board.page.locator("#menu")).to_be_hidden()
    board.play("d1")


def test_a_new_game_of_a_size_that_cannot_be_is_refused_in_the_dialog(board):
    board.play("d4")
    board.button("New game").click()
    expect(board.page.get_by_text("The game at hand ends here")).to_be_visible()
    refused = board.page.locator("#new-game-refused")

    board.page.get_by_label("Columns", exact=True).fill("33")
    board.button("Start").click()
    expect(refused).to_have_text(containing("33", "32"))
    board.page.get_by_label("Columns", exact=True).fill("7")
    board.page.get_by_label("In a row", exact=True).fill("9")
    board.button("Start").click()
    expect(refused).to_have_text(containing("9"))
    board.picture("new-game-refused")
    board.page.get_by_label("Rows", exact=True).fill("")
    board.button("Start").click()
    expect(refused).not_to_be_empty()

    board.button("Cancel").click()
    board.shows("", "", "", "X", "", "", "")


@pytest.mark.parametrize(("opener", "closer"), [("New game", "Start"), ("Statistics", "Close")])
def test_after_a_dialog_that_the_mouse_closed_the_space_bar_slides_the_bar(board, opener: str, closer: str):
    board.button(opener).click()
    board.page.get_by_role("dialog").get_by_role("button", name=closer, exact=True).click()
    expect(board.page.get_by_role("dialog")).to_be_hidden()

    board.eventually(lambda: board.page.evaluate("document.activeElement.tagName"), "BODY")
    board.page.keyboard.press("Space")

    expect(board.bar).to_have_attribute("aria-checked", "true")
    expect(board.page.get_by_role("dialog")).to_be_hidden()


def test_a_new_game_by_other_rules_is_told_in_the_help(board):
    board.button("New game").click()
    board.page.get_by_text("More rules").click()
    board.page.get_by_label("A pop, an anvil or a bomb makes lines for both sides: who wins?").select_option(
        "It is a draw"
    )
    board.page.get_by_label("Who makes the first move?").select_option("Yellow")
    board.picture("new-game-more-rules")
    board.button("Start").click()

    expect(board.status).to_have_text("Yellow to move.")
    board.page.keyboard.press("?")
    expect(board.page.locator("#help")).to_contain_text("If a move makes lines for both sides at once, it is a draw.")
    expect(board.page.locator("#help")).to_contain_text("Yellow starts.")


def test_a_disc_without_its_button_shows_both_pictures_and_can_be_put_right(board):
    board.play("d4 d5")
    board.page.get_by_label("Only the disc: let it in or out, press no button").check()

    board.click(4)
    board.shows("", "", "", "XX", "O", "", "")
    expect(board.page.locator("#board .too-much")).to_have_count(1)
    expect(board.page.locator("#differs")).to_contain_text("The discs on the board are not where the game has them.")
    expect(board.moves).to_have_count(2)
    board.page.get_by_label("Take the top disc out").check()
    board.click(5)
    board.shows("", "", "", "XX", "", "", "")
    expect(board.page.locator("#board .believed")).to_have_count(1)
    board.picture("mismatch")

    board.page.locator("#differs").get_by_role("button", name="Put the discs right").click()
    board.shows("", "", "", "X", "O", "", "")
    expect(board.page.locator("#differs")).to_be_hidden()


def test_a_button_without_its_disc_counts_and_the_discs_can_be_taken_over(board):
    board.play("d4")
    board.page.get_by_label("Only the button: press it, leave the discs alone").check()

    board.click(7)
    expect(board.moves).to_have_count(2)
    board.shows("", "", "", "X", "", "", "")
    expect(board.page.locator("#board .outline-yellow")).to_have_count(1)
    board.button("Play on from these discs").click()
    board.page.locator("#set-up").get_by_label("Yellow", exact=True).check()
    expect(board.page.locator("#considered")).to_have_text("Yellow to move. One cell is not as the board believes.")
    board.picture("adopt")
    board.button("Play on like this").click()

    expect(board.page.locator("#differs")).to_be_hidden()
    expect(board.status).to_have_text("Yellow to move.")
    board.page.get_by_label("Careful hand: the discs follow each move").check()
    board.click(1)
    board.shows("O", "", "", "X", "", "", "")


def test_a_disc_of_the_chosen_colour_is_let_in_and_all_are_let_out(board):
    board.page.get_by_label("Only the disc: let it in or out, press no button").check()
    board.page.get_by_label("Disc in hand").select_option("Yellow")
    board.click(2)
    board.shows("", "O", "", "", "", "", "")

    board.button("Let all discs out").click()

    board.shows("", "", "", "", "", "", "")
    expect(board.page.locator("#differs")).to_be_hidden()


def test_the_moves_are_stepped_through_and_now_is_a_step_away(board, hand):
    hand.play("d4 d4 d3 d5 p4")
    now = ("", "", "X", "O", "O", "", "")
    board.shows(*now)

    board.button("To the start of the game").click()
    board.shows("", "", "", "", "", "", "")
    expect(board.page.locator("#past-text")).to_have_text("The beginning of the game.")
    board.button("One move on").click()
    board.shows("", "", "", "X", "", "", "")
    board.button("Move 4: Yellow drops a disc in column 5.").click()
    board.shows("", "", "X", "XO", "O", "", "")
    board.picture("past")
    board.click(1)
    expect(board.notice).to_have_text("You are looking at an earlier position. Go back to now to play.")

    # Somebody plays on meanwhile: the past stays in sight.
    hand.play("d1")
    expect(board.page.locator("#past-text")).to_have_text("Move 4 of 6: Yellow drops a disc in column 5.")
    board.button("Back to now").click()
    board.shows("O", *now[1:])
    expect(board.page.locator("#past")).to_be_hidden()


def test_a_game_that_has_ended_is_stepped_through_with_and_without_its_lines(board, hand):
    hand.play("d1 d2 d1 d2 d1 d2 d1")
    expect(board.lines_won).to_have_count(1)

    board.button("One move back").click()
    expect(board.lines_won).to_have_count(0)
    board.button("One move on").click()
    expect(board.lines_won).to_have_count(1)


def test_the_record_is_copied_to_the_clipboard(open_page, hand):
    hand.play("d4 d4 p4")
    board = open_page(permissions=["clipboard-read", "clipboard-write"])

    board.button("Copy game").click()

    expect(board.page.locator("#copied")).to_have_text("Copied.")
    copied = board.page.evaluate("navigator.clipboard.readText()")
    assert copied.splitlines() == board.record().splitlines()
    assert "d4 d4 p4" in copied


def test_where_the_browser_has_no_clipboard_the_record_is_shown_to_be_copied(open_page, hand):
    """So it is on a page that is neither on loopback nor encrypted."""
    hand.play("d4 d4 p4")
    without = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
    board = open_page(prepare=lambda page: page.add_init_script(without))

    board.button("Copy game").click()

    shown = board.page.get_by_label("The game as text").and_(board.page.locator("textarea"))
    expect(shown).to_be_focused()
    assert shown.input_value() == board.record()
    assert board.page.evaluate("getSelection().toString()") == board.record()
    board.picture("record")


def test_the_record_is_saved_as_a_file(board, hand, tmp_path):
    hand.play("d4 d4")
    expect(board.moves).to_have_count(2)

    with board.page.expect_download() as download:
        board.page.get_by_role("link", name="Save as a file").click()

    assert download.value.suggested_filename == "popout-game.txt"
    download.value.save_as(tmp_path / "game.txt")
    assert (tmp_path / "game.txt").read_text("utf-8") == board.record()


# For people who hear the page


def test_a_screen_reader_hears_each_move_and_what_a_press_would_do(board):
    expect(board.polite).to_have_text("Red to move.")
    expect(board.columns.nth(3)).to_have_accessible_name("Column 4, empty. Press to drop.")

    board.play("d4")
    expect(board.polite).to_have_text("Red drops a disc in column 4. Yellow to move.")
    expect(board.columns.nth(3)).to_have_accessible_name("Column 4, 1 disc, top red. Press to drop.")
    board.slide("open")
    expect(board.polite).to_have_text("The bar is open.")
    expect(board.columns.nth(3)).to_have_accessible_name(
        "Column 4, 1 disc, top red. The bottom disc is red's and may not be popped."
    )
    board.click(4)
    expect(board.assertive).to_contain_text("You may pop only your own.")
    assert board.polite.get_attribute("aria-live") == "polite"
    assert board.assertive.get_attribute("aria-live") == "assertive"


def test_a_screen_reader_presses_a_column_and_slides_the_bar(board):
    """It clicks without a pointer, which is neither a press nor a release."""
    board.columns.nth(3).evaluate("(button) => button.click()")
    expect(board.moves).to_have_count(1)
    board.bar.evaluate("(button) => button.click()")
    expect(board.bar).to_have_attribute("aria-checked", "true")


@pytest.mark.parametrize("opened", [None, "new-game", "help", "agree", "adopt", "record", "editor", "history", "stats"])
def test_every_control_has_a_name_and_every_dialog_a_title(board, hand, opened):
    hand.play("d4 d4")
    expect(board.moves).to_have_count(2)
    if opened in KEYS:
        board.page.keyboard.press(KEYS[opened])
    elif opened:
        board.page.evaluate("(id) => document.getElementById(id).showModal()", opened)
    if opened:
        expect(board.page.get_by_role("dialog")).to_have_accessible_name(re.compile(r"\w"))
        board.page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")

    tree = board.page.context.new_cdp_session(board.page).send("Accessibility.getFullAXTree")["nodes"]

    controls = {"button", "link", "switch", "radio", "spinbutton", "combobox", "textbox", "checkbox", "dialog"}
    met = [node for node in tree if not node["ignored"] and node["role"]["value"] in controls]
    assert len(met) >= (2 if opened else 20)
    assert [node["role"]["value"] for node in met if not node["name"]["value"].strip()] == []
    ids = board.page.evaluate("[...document.querySelectorAll('[id]')].map((each) => each.id)")
    assert len(ids) == len(set(ids))
