"""The five games of the sheet and their combinations, played on the page by somebody who has never seen them.

The whole games are from the project's vectors, with every turn of a power disc written as its steps.
"""

from __future__ import annotations

import re

import pytest
from board_page import PHONE, WIDE, containing
from playwright.sync_api import expect

FIVE = "d6 d5 d8 d5 d6 d8 d5 d7 d8 d3 d3 d3 d7 d2"

WHOLE_GAMES = {
    "standard 7x6": (
        "d1 d7 d2 d6 d1 d4 d6 d5",
        "Yellow wins: 4 in a row.",
        ("XX", "X", "", "O", "O", "OX", "O"),
    ),
    "popout 7x6": (
        "d7 d5 d6 d4 d2 p5 d4 d6 d6 d5 d1 d4 d4 d7 d2 d2 d1 d5 p1 p4",
        "Yellow wins: 4 in a row.",
        ("X", "XXO", "", "XOX", "OO", "XOX", "XO"),
    ),
    "pop10 4x4 connect=3 target=3": (
        "d3 d1 d4 d2 d2 d4 d3 d1 d1 d3 d2 d4 d1 d4 d2 d3 p4 p3 p3",
        "Red wins: red has kept 3 discs.",
        ("OOXX", "OXXX", "OO", "OOO"),
    ),
    "five 7x6 flanks=YR": (
        "d7 d2 d3 d3 d8 d3 d6 d2 d5",
        "Red wins: 5 in a row.",
        ("OXOXOX", "OO", "XOO", "", "X", "X", "X", "X", "XOXOXO"),
    ),
    "power 5x4": (
        "a4 w3 d3 b4 p3 b2 p4 x5 d5 a4 d4 x1",
        "Yellow wins: 4 in a row.",
        ("O", "O", "O", "OX", "XX"),
    ),
    "five+pop 7x6": (
        "d6 d5 d8 d5 d6 d8 d5 p5 d8 d3 d3 d3 d7 p5",
        "Red wins: yellow's pop gave red 5 in a row.",
        ("XOXOXO", "", "OXO", "", "X", "XX", "X", "XOX", "XOXOXO"),
    ),
    "power+pop 7x6": (
        "a3 w3 d1 d4 p1 x5 d2",
        "Red wins: 4 in a row.",
        None,
    ),
}


@pytest.mark.parametrize("rules", WHOLE_GAMES)
def test_a_whole_game_by_clicks(open_page, hand, rules):
    moves, ending, grid = WHOLE_GAMES[rules]
    hand.begin(rules)
    board = open_page()
    expect(board.moves).to_have_count(0)

    board.play(moves)

    expect(board.status).to_have_text(ending)
    if grid:
        board.shows(*grid)
    board.picture(f"game-{rules.split()[0]}")


def test_the_bar_of_a_simulated_board_follows_the_steps_that_leave_no_choice(open_page, hand):
    """A whole game of Pop 10 with nothing but presses of columns."""
    moves, ending, grid = WHOLE_GAMES["pop10 4x4 connect=3 target=3"]
    hand.begin("pop10 4x4 connect=3 target=3")
    board = open_page()
    expect(board.columns).to_have_count(4)

    board.play(moves, slide=False)

    expect(board.status).to_have_text(ending)
    board.shows(*grid)


def test_pop_10_shows_what_is_filled_popped_kept_and_put_back(open_page, hand):
    hand.begin("pop10 4x4 target=2")
    board = open_page()
    expect(board.page.locator("#game-title")).to_have_text("Pop 10 · 4 × 4 · 4 in a row · 2 discs to keep")
    expect(board.page.locator("#board .may-drop")).to_have_count(4)

    board.play("d1")
    expect(board.page.locator("#board .may-drop")).to_have_count(3)
    expect(board.page.locator("#step-text")).to_have_text(
        "The marked cells are free. Lines count for nothing yet. Columns 2, 3, and 4 can be pressed now."
    )
    board.click(1)
    expect(board.notice).to_contain_text("Row 1 is being filled")
    board.play("d2 d3 d4 d2 d3 d1 d4 d2 d1 d3 d4 d4 d3 d1 d2")

    expect(board.status).to_have_text("Red to pop one of red's discs out of the bottom row.")
    expect(board.page.locator("#board .may-pop")).to_have_count(2)
    expect(board.columns.nth(0)).to_have_accessible_name("Column 1, 4 discs, top red. Press to pop the bottom disc.")
    board.play("p1", slide=False)
    expect(board.page.locator("#beside-red")).to_contain_text("1 of 2 kept")
    expect(board.page.locator("#beside-yellow")).to_contain_text("0 of 2 kept")
    board.picture("pop10-kept")

    board.play("p3", slide=False)
    held = board.page.locator("#board .held")
    expect(held).to_be_visible()
    expect(held).to_have_attribute("href", "#disc-red")
    expect(board.page.locator("#board .barred")).to_have_count(1)
    expect(board.columns.nth(2)).to_have_accessible_name(
        containing("Column 3", "The popped disc came out of this column and goes into another one.")
    )
    expect(board.page.locator("#step-text")).to_contain_text("The disc came out of the crossed column.")
    board.picture("pop10-put-back")
    board.click(3)
    expect(board.notice).to_have_text("The disc came out of column 3. Put it back into another one.")
    expect(board.assertive).to_contain_text("The disc came out of column 3.")
    board.play("d1", slide=False)
    expect(board.status).to_contain_text("Yellow to pop")
    expect(held).to_be_hidden()


def test_each_power_disc_is_chosen_in_the_rack_played_once_and_known_by_its_sign(open_page, hand):
    hand.begin("power 7x6", "d4 d4")
    board = open_page()
    expect(board.power("a")).to_have_accessible_name("Anvil")
    expect(board.page.get_by_role("group", name="Red's power discs")).to_be_visible()
    expect(board.page.locator("#step-text")).to_have_text("An ordinary disc is next.")

    board.power("a").click()
    expect(board.polite).to_have_text("The anvil is chosen. Press a column to drop it.")
    expect(board.columns.nth(3)).to_have_accessible_name("Column 4, 2 discs, top yellow. Press to drop the anvil.")
    board.page.mouse.move(*board.cap(4))
    expect(board.page.locator("#board .held-sign")).to_have_attribute("href", "#sign-a")
    board.page.mouse.down()
    expect(board.page.locator("#board .ghost-sign")).to_have_attribute("href", "#sign-a")
    board.picture("power-tentative")
    board.page.mouse.up()
    expect(board.moves.last).to_contain_text("a4")
    board.shows("", "", "", "X", "", "", "")
    assert board.signs() == ["a red"]
    expect(board.page.locator("#beside-red .used")).to_have_accessible_name("The anvil has been played.")

    board.play("b1")
    expect(board.status).to_have_text("Yellow's bomb: pop one of red's discs out of the bottom row.")
    expect(board.page.locator("#board .may-pop")).to_have_count(1)
    expect(board.page.locator("#step-text")).to_contain_text("Column 4 can be pressed now.")
    board.picture("power-bomb")
    board.play("p4", slide=False)
    board.shows("O", "", "", "", "", "", "")

    board.play("w6")
    expect(board.status).to_contain_text("Red's wall: drop a second disc")
    board.play("d7")
    board.play("x2")
    expect(board.status).to_have_text("Yellow's x2: drop a second disc.")
    board.play("d2")
    assert board.signs() == ["b yellow", "w red", "x yellow"]

    # Red's anvil is gone: the rack has it no more, and the key is refused.
    expect(board.power("a")).to_have_count(0)
    board.page.keyboard.press("a")
    expect(board.notice).to_have_text("You have played your anvil already: each power disc is played once.")
    expect(board.assertive).to_contain_text("You have played your anvil already")
    board.page.locator("#beside-yellow [data-power=a]").click(force=True)  # it says that it is disabled
    expect(board.notice).to_have_text("These power discs are the other side's.")
    board.picture("power-signs")

    # Taken back, the discs are in the rack again, and the grid is as it was.
    for _ in range(2):
        board.page.keyboard.press("u")
    expect(board.page.locator("#beside-yellow [data-power=x]")).to_have_count(1)
    board.shows("O", "", "", "", "", "X", "X")


def test_power_discs_by_keyboard_and_back_to_an_ordinary_one(open_page, hand):
    hand.begin("power 7x6", "d4 d3")
    board = open_page()
    keyboard = board.page.keyboard

    keyboard.press("x")
    expect(board.power("x")).to_have_attribute("aria-pressed", "true")
    keyboard.press("Escape")
    expect(board.power("x")).to_have_attribute("aria-pressed", "false")
    expect(board.polite).to_have_text("An ordinary disc is next.")
    keyboard.press("w")
    keyboard.press("w")
    expect(board.power("w")).to_have_attribute("aria-pressed", "false")
    keyboard.press("b")
    expect(board.power("b")).to_have_attribute("aria-pressed", "true")
    keyboard.press("1")
    expect(board.moves.last).to_contain_text("b1")
    keyboard.press("4")
    expect(board.notice).to_contain_text("the bottom disc is red's own")

    board.power("w").focus()
    keyboard.press("Enter")
    expect(board.notice).to_contain_text("Red's bomb takes a disc first")


def test_a_chosen_power_disc_is_dropped_and_the_press_closes_a_bar_that_is_open(open_page, hand):
    hand.begin("power+pop 7x6", "d4 d4")
    board = open_page()
    keyboard = board.page.keyboard
    board.slide("open")

    keyboard.press("x")
    expect(board.power("x")).to_have_attribute("aria-pressed", "true")
    keyboard.press("5")

    expect(board.moves.last).to_contain_text("x5")
    expect(board.bar).to_have_attribute("aria-checked", "false")


def test_a_second_disc_that_would_make_a_line_beside_a_wall_is_refused(open_page, hand):
    hand.begin("power 7x6", "d4 d1 d5 d1 d6 d2 w4")
    board = open_page()
    expect(board.page.locator("#board .barred")).to_have_count(2)
    expect(board.columns.nth(2)).to_have_accessible_name(containing("would make a line here, and may not."))

    board.click(3)

    expect(board.notice).to_have_text("The second disc of a wall may not make a line, and in column 3 it would.")
    expect(board.moves).to_have_count(7)
    board.picture("wall-barred")


def test_filled_outer_columns_have_discs_and_numbers_and_no_buttons(open_page, hand):
    hand.begin("five 7x6")
    board = open_page()
    alternating = "XOXOXO"
    board.shows(alternating, "", "", "", "", "", "", "", alternating)
    expect(board.columns).to_have_count(7)
    expect(board.columns.first).to_have_accessible_name("Column 2, empty. Press to drop.")
    expect(board.page.locator("#board .number")).to_have_text(list("2345678"))
    expect(board.page.locator("#board .tower-number")).to_have_text(["1", "9"])
    expect(board.page.get_by_role("img", name="Outer column 9, filled. Its discs stay.")).to_be_visible()
    refusal = "is a filled outer column: its discs stay. Choose a column from 2 to 8."

    board.page.keyboard.press("1")
    expect(board.notice).to_have_text(f"Column 1 {refusal}")
    expect(board.assertive).to_have_text(f"Column 1 {refusal}")
    board.page.locator("[data-outer='9']").click()
    expect(board.notice).to_have_text(f"Column 9 {refusal}")
    board.page.keyboard.press("8")
    expect(board.moves.last).to_contain_text("d8")
    board.columns.first.focus()
    board.page.keyboard.press("ArrowLeft")
    expect(board.columns.first).to_be_focused()
    board.page.keyboard.press("End")
    expect(board.columns.last).to_be_focused()
    board.shows(alternating, "", "", "", "", "", "", "X", alternating)


def test_a_line_with_an_outer_disc_is_drawn_to_it(open_page, hand):
    hand.begin("five 7x6 flanks=YR", "d7 d2 d3 d3 d8 d3 d6 d2")
    board = open_page()

    board.play("d5")

    expect(board.page.locator("#board .cell-won")).to_have_count(5)
    box = board.page.locator("#board .line-won").bounding_box()
    tower = board.page.locator("[data-outer='9']").bounding_box()
    assert box["x"] + box["width"] > tower["x"] + tower["width"] / 4


def test_hands_on_the_board_know_their_columns_between_the_outer_ones(open_page, hand):
    hand.begin("five+pop 7x6", "d2 d8")
    board = open_page()
    outer = "XOXOXO"
    board.page.get_by_label("Only the disc: let it in or out, press no button").check()

    board.click(8)
    board.shows(outer, "X", "", "", "", "", "", "OX", outer)
    expect(board.page.locator("#board .too-much")).to_have_count(1)
    board.page.get_by_label("Take the top disc out").check()
    board.click(2)
    board.shows(outer, "", "", "", "", "", "", "OX", outer)
    board.page.locator("#differs").get_by_role("button", name="Put the discs right").click()
    board.shows(outer, "X", "", "", "", "", "", "O", outer)


def test_the_menu_of_the_board_stands_over_the_columns_that_choose_in_it(open_page, hand):
    hand.begin("five 7x6", "d2")
    board = open_page()
    board.button("Menu of the board").click()
    expect(board.polite).to_contain_text("Column 2: Continue.")
    board.picture("menu-between-outer-columns")

    board.click(2)

    expect(board.page.locator("#menu")).to_be_hidden()
    expect(board.moves).to_have_count(1)


# The rule card


def test_the_rules_of_a_game_that_is_new_to_this_browser_stand_beside_the_board_until_they_are_put_away(
    open_page, hand
):
    hand.begin("power 7x6")
    board = open_page(seen=False)
    card = board.page.locator("#card")
    expect(card).to_be_visible()
    expect(card).to_contain_text("Be the first to get 4 of your own discs in a straight line")
    expect(card).to_contain_text("Bomb: in the same turn, pop one of the other side's discs out of the bottom row.")
    board.picture("card-power")

    board.play("d4")
    expect(card).to_be_visible()
    board.button("All the rules").click()
    expect(board.page.get_by_role("dialog")).to_contain_text("Good to know")
    board.page.keyboard.press("Escape")
    board.button("Got it").click()
    expect(card).to_be_hidden()

    hand.begin("five+pop 7x6")
    expect(card).to_be_visible()
    expect(card.locator("h3")).to_have_text(["5-in-a-Row", "Pop Out"])
    expect(board.polite).to_contain_text("Be the first to get 5 of your own discs")
    hand.begin("power 7x6")
    expect(card).to_be_hidden()
    board.page.reload()
    expect(board.status).to_have_text("Red to move.")
    expect(card).to_be_hidden()
    board.page.keyboard.press("?")
    expect(board.page.locator("#help")).to_contain_text("Each side has power discs.")


def test_a_browser_that_keeps_nothing_shows_the_card_and_can_put_it_away(open_page):
    without = (
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    board = open_page(prepare=lambda page: page.add_init_script(without), seen=False)
    expect(board.page.locator("#card")).to_be_visible()

    board.button("Got it").click()

    expect(board.page.locator("#card")).to_be_hidden()
    board.play("d4")


# A new game


def test_every_game_can_be_started_with_its_usual_line(board):
    usual = {
        "The original": "4 in a row",
        "5-in-a-Row": "5 in a row",
        "Power Up": "4 in a row",
        "Pop 10": "4 in a row · 10 discs to keep",
        "Pop Out": "4 in a row",
    }
    for title, line in usual.items():
        board.button("New game").click()
        board.page.locator("#games").get_by_text(title, exact=True).click()
        board.button("Start").click()

        expect(board.page.locator("#new-game")).to_be_hidden()
        expect(board.page.locator("#game-title")).to_have_text(f"{title} · 7 × 6 · {line}")


def test_games_are_combined_and_only_what_goes_together_can_be(board):
    board.button("New game").click()
    dialog = board.page.get_by_role("dialog")
    games = board.page.locator("#games")

    games.get_by_text("The original", exact=True).click()
    expect(dialog.get_by_role("checkbox", name="Power Up")).to_be_hidden()
    games.get_by_text("Pop 10", exact=True).click()
    expect(dialog.get_by_role("checkbox", name="Power Up")).to_be_hidden()
    dialog.get_by_role("checkbox", name="5-in-a-Row").check()
    expect(board.page.locator("#combined")).to_contain_text("Pop 10 with 5-in-a-Row")
    games.get_by_text("5-in-a-Row", exact=True).click()
    dialog.get_by_role("checkbox", name="Power Up").check()
    expect(dialog.get_by_role("checkbox", name="Pop 10")).to_be_disabled()
    dialog.get_by_role("checkbox", name="Pop Out").check()
    expect(dialog.get_by_label("In a row", exact=True)).to_have_value("5")
    board.picture("new-game-combined")
    board.button("Start").click()

    expect(board.page.locator("#game-title")).to_have_text("5-in-a-Row with Power Up and Pop Out · 7 × 6 · 5 in a row")
    board.button("New game").click()
    expect(dialog.get_by_role("checkbox", name="Power Up")).to_be_checked()


def test_the_options_that_mean_something_are_asked_and_kept(board):
    board.button("New game").click()
    dialog = board.page.get_by_role("dialog")
    board.page.locator("#games").get_by_text("Pop 10", exact=True).click()
    dialog.get_by_text("More rules").click()
    expect(dialog.get_by_label("How many discs has each side")).to_be_hidden()
    expect(dialog.get_by_label("May the wall itself make a line?")).to_be_hidden()
    dialog.get_by_label("Who pops first, once the grid is full?").select_option("Yellow")
    board.button("5 × 4").click()
    board.button("Start").click()
    expect(board.page.locator("#new-game-refused")).to_contain_text("Nobody can keep 10 discs on a grid of 5x4.")
    dialog.get_by_label("How many discs must be kept to win?").fill("3")
    board.button("Start").click()

    expect(board.page.locator("#game-title")).to_have_text("Pop 10 · 5 × 4 · 4 in a row · 3 discs to keep")
    assert "target=3 first-popper=yellow" in board.record()
    board.page.keyboard.press("?")
    expect(board.page.locator("#help")).to_contain_text("When the grid is full, yellow pops first.")
    board.page.keyboard.press("Escape")

    board.button("New game").click()
    board.page.locator("#games").get_by_text("Power Up", exact=True).click()
    dialog.get_by_text("More rules").click()
    dialog.get_by_role("checkbox", name="Wall", exact=True).uncheck()
    dialog.get_by_role("checkbox", name="Anvil").uncheck()
    dialog.get_by_label("How many discs has each side").fill("9")
    board.button("Start").click()
    expect(board.page.locator("#beside-red button")).to_have_count(2)
    assert re.search(r"powers=bx .*supply=9", board.record())
    expect(board.page.locator("#player-red .in-hand")).to_have_text("9 in hand")


# Small screens


@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        ("five 7x6", "d5 d4"),
        ("power 7x6", "d4 d4 w5"),
        ("pop10 7x6", "d1 d2"),
        ("five+power+pop 7x6", "d4 d5"),
        ("pop10+five 4x4 target=3 connect=4", "d2"),
    ],
)
def test_on_a_phone_everything_fits_and_can_be_hit(open_page, hand, rules, moves):
    hand.begin(rules, moves)
    board = open_page(viewport=PHONE, has_touch=True, is_mobile=True, seen=False)
    expect(board.page.locator("#card")).to_be_visible()
    assert board.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    board.button("Got it").tap()
    picture = board.page.locator("#board").bounding_box()
    assert picture["y"] + picture["height"] <= PHONE["height"]
    for control in board.page.locator(".at-turn button.power:visible, .column:visible").all():
        box = control.bounding_box()
        assert box["width"] >= 34, control.get_attribute("aria-label")
        assert box["height"] >= 43.9, control.get_attribute("aria-label")
    board.picture(f"phone-{rules.split()[0]}", whole=True)

    board.page.set_viewport_size(WIDE)
    assert board.page.evaluate("document.documentElement.scrollWidth") == WIDE["width"]
