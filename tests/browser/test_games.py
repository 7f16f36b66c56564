"""Whole games on the page, by mouse, by keyboard and by touch, and how they end."""

from __future__ import annotations

import json
import re
from typing import Any

from board_page import PHONE
from playwright.sync_api import WebSocketRoute, expect

BOTH_LINES = "d3 d4 d5 d3 d4 d1 d3 d2 d2 d6 d5 d7 p3"
FULL = "d1 d2 d3 d1 d2 d3"
"""Fills a board of 3x2 without a line of three."""


def test_a_whole_game_of_pop_out_by_clicks_on_the_buttons(board):
    expect(board.status).to_have_text("Red to move.")
    board.shows("", "", "", "", "", "", "")
    board.picture("start")

    board.play("d7 d5 d6 d4 d2 p5 d4 d6 d6 d5 d1 d4")
    board.shows("X", "X", "", "OXO", "O", "XOX", "X")
    board.picture("mid-game")
    board.play("d4 d7 d2 d2 d1 d5 p1 p4")

    expect(board.status).to_have_text("Yellow wins: 4 in a row.")
    expect(board.page.locator("#player-yellow")).to_contain_text("wins")
    expect(board.lines_won).to_have_count(1)
    board.shows("X", "XXO", "", "XOX", "OO", "XOX", "XO")
    board.picture("won")


def test_after_the_end_a_press_is_refused_and_the_page_offers_a_new_game(board, hand):
    hand.play(BOTH_LINES)
    expect(board.moves).to_have_count(13)

    board.click(1)

    expect(board.notice).to_have_text("The game is over. Start a new game to play on.")
    board.page.locator("#again").click()
    board.button("Start").click()
    expect(board.status).to_have_text("Red to move.")
    board.shows("", "", "", "", "", "", "")


def test_a_whole_game_of_the_original_by_keyboard_alone(board, hand):
    hand.begin("standard 7x6")
    expect(board.page.locator("#game-title")).to_contain_text("The original")
    keyboard = board.page.keyboard

    keyboard.press("?")
    expect(board.page.get_by_role("dialog")).to_contain_text("How to play: The original")
    board.picture("help")
    keyboard.press("Escape")
    expect(board.page.get_by_role("dialog")).to_be_hidden()

    keyboard.press("Space")
    expect(board.bar).to_have_attribute("aria-checked", "true")
    # Nothing can be popped in this game, so the careful hand closes the bar before it drops.
    keyboard.press("3")
    expect(board.moves).to_have_count(1)
    expect(board.bar).to_have_attribute("aria-checked", "false")
    keyboard.press("u")
    expect(board.moves).to_have_count(0)

    board.play("d5 d3 d6 d3 d7", press=lambda column: keyboard.press(str(column)))
    keyboard.press("u")
    expect(board.moves).to_have_count(4)
    expect(board.polite).to_contain_text("Taken back")
    board.play("d7 d6 d7 d6 d6 d5", press=lambda column: keyboard.press(str(column)))

    # Back into the past and out of it again: Escape goes to now.
    board.button("One move back").focus()
    keyboard.press("Enter")
    expect(board.page.locator("#past")).to_contain_text("Move 9 of 10")
    keyboard.press("Escape")
    expect(board.page.locator("#past")).to_be_hidden()
    keyboard.press("n")
    expect(board.page.get_by_role("dialog", name="New game")).to_be_visible()
    keyboard.press("Escape")
    keyboard.press("9")  # there is no column 9: nothing happens
    expect(board.moves).to_have_count(10)

    # The last moves with the arrow keys, on the focused column.
    board.columns.first.focus()
    keyboard.press("Enter")
    expect(board.moves).to_have_count(11)
    keyboard.press("End")
    expect(board.columns.last).to_be_focused()
    board.picture("focus")
    keyboard.press("Space")
    expect(board.moves).to_have_count(12)
    for _ in range(3):
        keyboard.press("ArrowLeft")
    expect(board.columns.nth(3)).to_be_focused()
    keyboard.press("Enter")

    expect(board.status).to_have_text("Red wins: 4 in a row.")
    board.shows("X", "", "OO", "X", "XO", "XOOX", "XXO")


def test_a_whole_game_by_touch_on_a_phone(open_page):
    board = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    touch = board.page.touchscreen

    def tap(column: int) -> None:
        box = board.columns.nth(column - 1).bounding_box()
        touch.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 3)

    def slide(to: str) -> None:
        box = board.bar.bounding_box()
        if board.bar.get_attribute("aria-checked") != ("true" if to == "open" else "false"):
            touch.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    board.slide = slide
    board.play("d3 d4 d5 d3 d4 d1 d3", press=tap)
    board.picture("phone", whole=True)
    tap(3)
    expect(board.moves).to_have_count(8)
    board.button("Take back").tap()
    expect(board.moves).to_have_count(7)
    board.play("d2 d2 d6 d5 d7 p3", press=tap)

    expect(board.status).to_contain_text("Red wins")
    board.picture("phone-both-lines", whole=True)


def test_a_press_right_after_the_bar_was_slid_is_a_pop_and_waits_for_the_bar(open_page, hand):
    hand.play("d3 d4")
    board = open_page()

    board.page.evaluate("""() => {
        document.querySelector("#board .slide").click();
        document.querySelectorAll("#board .column")[2].click();
    }""")

    expect(board.moves).to_have_count(3)
    expect(board.moves.last).to_contain_text("p3")


def test_a_bar_that_is_seen_open_and_not_yet_heard_of_is_not_closed_again(open_page, hand):
    hand.play("d3 d4")
    sent: list[dict[str, Any]] = []
    held_back: list[str] = []

    def between(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def to_server(text: str) -> None:
            sent.append(json.loads(text))
            server.send(text)
            if sent[-1]["do"] == "press":
                route.send(held_back[-1])

        def to_page(text: str) -> None:
            message = json.loads(text)
            # The page does not learn yet that the board has heard of its bar, only that the bar was slid.
            if (
                message["type"] == "state"
                and message["bar"] == "open"
                and not any(each["do"] == "press" for each in sent)
            ):
                held_back.append(text)
                text = json.dumps({**message, "bar": "closed"})
            route.send(text)

        route.on_message(to_server)
        server.on_message(to_page)

    board = open_page(prepare=lambda page: page.route_web_socket(re.compile(r"/ws\b"), between))
    hand.do("bar", to="open")
    board.eventually(lambda: bool(held_back), True)
    expect(board.bar).to_have_attribute("aria-checked", "true")

    board.click(3)

    expect(board.moves).to_have_count(3)
    expect(board.moves.last).to_contain_text("p3")
    assert [each["do"] for each in sent if each["do"] in ("bar", "press", "release")] == ["press", "release"]


def test_what_is_said_does_not_move_the_board_on_a_phone(open_page, hand):
    hand.play("d3 d4")
    board = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    board.page.evaluate("scrollTo(0, 0)")
    stands = board.bar.bounding_box()["y"]

    board.play("d5")
    board.button("Take back").click()
    expect(board.notice).to_contain_text("Taken back")
    board.page.evaluate("scrollTo(0, 0)")
    assert board.bar.bounding_box()["y"] == stands
    board.slide("open")
    board.click(4)
    expect(board.notice).to_contain_text("You may pop only your own.")
    board.page.evaluate("scrollTo(0, 0)")
    assert board.bar.bounding_box()["y"] == stands


def test_on_a_phone_everything_fits_and_can_be_hit_with_a_thumb(open_page, hand):
    hand.play("d4 d4")
    board = open_page(viewport=PHONE, has_touch=True, is_mobile=True)

    assert board.page.evaluate("document.documentElement.scrollWidth") == 360
    assert board.page.locator("#board").bounding_box()["y"] < 200, "the board stands where it is seen at once"
    board.button("New game").tap()
    board.page.get_by_text("More rules").tap()
    board.picture("phone-new-game")
    board.button("Cancel").tap()
    controls = board.page.locator("button:visible, a:visible, select:visible, #modes label:visible")
    assert controls.count() > 20
    for control in controls.all():
        box = control.bounding_box()
        assert min(box["width"], box["height"]) >= 43.9, control.inner_html()


def test_a_refusal_stands_by_the_board_is_read_out_and_changes_nothing(board):
    board.play("d4 d3")
    board.slide("open")

    board.click(3)

    refusal = "Column 3: the bottom disc is yellow's. You may pop only your own."
    expect(board.notice).to_have_text(refusal)
    expect(board.notice).to_have_class("notice refused")
    expect(board.assertive).to_have_text(refusal)
    board.picture("refusal")
    expect(board.status).to_have_text("Red to move.")
    expect(board.moves).to_have_count(2)
    board.shows("", "", "O", "X", "", "", "")
    notice, picture = board.notice.bounding_box(), board.page.locator("#board").bounding_box()
    assert 0 <= picture["y"] - (notice["y"] + notice["height"]) < 40

    board.click(4)
    expect(board.moves).to_have_count(3)
    expect(board.notice).not_to_contain_text("Column 3")


def test_a_pop_that_makes_lines_for_both_shows_both_and_says_who_won_and_why(board):
    board.play(BOTH_LINES)

    expect(board.status).to_have_text(
        "Red wins: the pop made 4 in a row for both, and red popped (rule both-lines=mover)."
    )
    expect(board.lines_won).to_have_count(1)
    expect(board.lines_lost).to_have_count(1)
    expect(board.page.locator("#board .cell-won")).to_have_count(4)
    expect(board.page.locator("#board .cell-lost")).to_have_count(4)
    board.picture("both-lines")


def test_holding_a_button_takes_back_and_shows_how_far_it_is(board):
    board.play("d4 d4")
    board.page.mouse.move(*board.cap(2))

    board.page.mouse.down()

    expect(board.page.locator("#board .ghost")).to_be_visible()
    board.eventually(board.notice.inner_text, "Keep holding to take the last move back.")
    ring = board.page.locator("#board .hold").nth(1)
    board.eventually(lambda: ring.get_attribute("stroke-dasharray") == "0 100", False)
    board.picture("holding")
    expect(board.moves).to_have_count(1)
    expect(ring).to_have_attribute("stroke-dasharray", "0 100")
    board.page.mouse.up()
    board.click(1)
    expect(board.moves.last).to_contain_text("d1")
    board.shows("O", "", "", "X", "", "", "")


def test_the_disc_over_a_column_is_of_the_side_to_move_and_goes_when_the_bar_opens(board):
    held = board.page.locator("#board .held")
    expect(held).to_be_hidden()
    board.page.mouse.move(*board.cap(2))
    expect(held).to_be_visible()
    expect(held).to_have_attribute("href", "#disc-red")

    board.play("d2")
    expect(held).to_have_attribute("href", "#disc-yellow")
    board.page.keyboard.press("Space")
    expect(held).to_be_hidden()


def test_a_finger_that_slips_off_the_column_makes_no_move(board):
    board.page.mouse.move(*board.cap(2))
    board.page.mouse.down()
    expect(board.page.locator("#board .ghost")).to_be_visible()

    board.page.mouse.move(*board.cap(5), steps=4)

    expect(board.page.locator("#board .ghost")).to_be_hidden()
    expect(board.page.locator("#board .pressed")).to_have_count(0)
    board.page.mouse.up()
    board.play("d5")
    board.shows("", "", "", "", "X", "", "")


def test_a_thumb_that_glides_off_the_column_makes_no_move(open_page):
    board = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    thumb = board.page.context.new_cdp_session(board.page)

    def touch(kind: str, *columns: int) -> None:
        points = [dict(zip("xy", board.cap(column), strict=True)) for column in columns]
        thumb.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 2)
    expect(board.page.locator("#board .ghost")).to_be_visible()
    touch("touchMove", 5)
    touch("touchEnd")

    expect(board.page.locator("#board .pressed")).to_have_count(0)
    expect(board.moves).to_have_count(0)
    touch("touchStart", 5)
    touch("touchEnd")
    board.shows("", "", "", "", "X", "", "")


def test_two_thumbs_on_the_outermost_buttons_open_the_menu(open_page):
    board = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    thumbs = board.page.context.new_cdp_session(board.page)
    points = [dict(zip("xy", board.cap(column), strict=True)) for column in (1, 7)]

    thumbs.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    board.eventually(board.notice.inner_text, "Keep holding to open the menu.")
    expect(board.page.locator("#menu")).to_be_visible()
    thumbs.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    board.picture("phone-menu")
    board.page.locator("#menu-entries").get_by_text("Continue").tap()
    expect(board.page.locator("#menu")).to_be_hidden()
    expect(board.moves).to_have_count(0)


def test_both_sides_agree_a_draw(board):
    board.play("d4 d4")

    board.button("Agree a draw").click()
    board.picture("agree")
    board.button("Play on").click()
    expect(board.status).to_have_text("Red to move.")
    board.button("Agree a draw").click()
    board.button("Both agree").click()

    expect(board.status).to_have_text("Draw: the players agreed.")
    board.button("Take back").click()
    expect(board.status).to_have_text("Red to move.")


def test_a_draw_is_claimed_on_a_full_grid_where_the_rules_give_that(board, hand):
    hand.begin("popout 3x2 connect=3 full-grid=claim", FULL)
    expect(board.moves).to_have_count(6)

    board.button("Claim the draw").click()

    expect(board.status).to_have_text("Draw: claimed on a full grid (rule full-grid=claim).")
    board.picture("claimed")
