"""Earlier games and statistics, and the question whether the last game goes on."""

from __future__ import annotations

import pytest
from board_page import PHONE, WIDE, BoardPage, containing
from playwright.sync_api import expect
from running import Hand, Program

WON = "d1 d7 d2 d6 d3 d5 d4"  # no button twice, so that hands may be quick


@pytest.fixture
def played(hand: Hand) -> Hand:
    """Two games that ended, and one that has just begun."""
    hand.begin("popout 7x6", WON)
    hand.begin("power 7x6", "a1 d7 d2 d6 d3 d5 d4")
    hand.begin("popout 7x6", "d4")
    return hand


@pytest.mark.usefixtures("played")
def test_an_earlier_game_is_found_and_stepped_through(open_page):
    board = open_page()
    board.button("Earlier games").click()
    games = board.page.locator("#history-list button")
    expect(games.nth(0)).to_contain_text("Goes on at the board")
    expect(games.nth(1)).to_contain_text("Power Up")
    expect(games.nth(1)).to_contain_text("Red won")
    expect(games.nth(2)).to_contain_text("Moves: 7")
    board.picture("history")

    games.nth(1).click()
    expect(board.page.locator("#history-title")).to_have_text(containing("Game", ": Power Up"))
    expect(board.page.locator("#replay-result")).to_have_text("Red wins: 4 in a row.")
    expect(board.page.locator("#replay-board .line-won")).to_have_count(1)
    expect(board.page.locator("#replay-board .disc-sign")).to_have_count(1)
    expect(board.page.locator("#replay-place")).to_have_text("7 of 7")
    board.picture("replay")
    board.page.keyboard.press("ArrowLeft")
    expect(board.page.locator("#replay-said")).to_have_text("Yellow drops a disc in column 5.")
    expect(board.page.locator("#replay-board .line-won")).to_have_count(0)
    expect(board.page.locator("#replay-board .disc")).to_have_count(6)
    board.page.get_by_role("dialog").get_by_role("button", name="To the start of the game").click()
    expect(board.page.locator("#replay-board .disc")).to_have_count(0)

    board.button("All games").click()
    expect(games.nth(1)).to_be_focused()
    # The game at the board was not touched.
    board.page.keyboard.press("Escape")
    board.shows("", "", "", "X", "", "", "")


@pytest.mark.usefixtures("played")
def test_an_earlier_game_is_copied_and_saved(open_page, tmp_path):
    board = open_page(permissions=["clipboard-read", "clipboard-write"])
    board.button("Earlier games").click()
    board.page.locator("#history-list button").nth(2).click()

    board.page.locator("#replay-copy").click()
    expect(board.page.locator("#replay-copied")).to_have_text("Copied.")
    with board.page.expect_download() as download:
        board.page.locator("#replay-download").click()

    download.value.save_as(tmp_path / "game.txt")
    assert WON in (tmp_path / "game.txt").read_text("utf-8")
    assert WON in board.page.evaluate("navigator.clipboard.readText()")


@pytest.mark.usefixtures("played")
def test_statistics_show_numbers_and_bars_and_the_same_as_a_table(open_page):
    board = open_page()
    board.button("Statistics").click()
    stats = board.page.locator("#stats")

    expect(stats.locator(".tile").nth(1)).to_contain_text("Red won")
    expect(stats.get_by_role("img", name=containing("Games by day"))).to_be_visible()
    expect(stats.get_by_role("img", name=containing("How long the games were"))).to_be_visible()
    board.picture("statistics")
    stats.locator("summary").first.click()
    expect(stats.get_by_role("table", name="Games by day").get_by_role("columnheader").nth(1)).to_have_text("Red won")
    red = int(stats.locator(".tile dd b").nth(1).inner_text())
    assert int(stats.get_by_role("table", name="Games by day").locator("td").first.inner_text()) == red >= 2


@pytest.mark.usefixtures("played")
def test_what_cannot_be_fetched_is_said_in_the_dialog(open_page, complaints):
    board = open_page(prepare=lambda page: page.route("**/games.json*", lambda route: route.abort()))

    board.button("Earlier games").click()

    expect(board.page.locator("#history-refused")).to_have_text(
        "This could not be fetched. Wait for the connection and try again."
    )
    assert len(complaints) == 1
    complaints.clear()


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("window", [WIDE, PHONE])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("dialog", ["history", "stats"])
def test_the_dialogs_fit_every_window(open_page, window, scheme, dialog):
    board = open_page(viewport=window, color_scheme=scheme)
    board.page.locator(f"#open-{dialog}").click()
    shown = board.page.locator(f"#{dialog}")
    expect(shown.locator(".past-game, .plot").first).to_be_visible()

    assert shown.evaluate("(dialog) => dialog.scrollWidth <= dialog.clientWidth")
    board.picture(f"{dialog}-{scheme}-{window['width']}")


# After the power came back


@pytest.fixture
def again(program: Program, hand: Hand, open_page) -> BoardPage:
    """The page after the program was started again in the middle of a game."""
    hand.play("d4 d5 d3")
    program.stop()
    program.start()
    board: BoardPage = open_page()
    expect(board.page.locator("#menu.question")).to_be_visible()
    return board


def test_the_last_game_goes_on_if_somebody_says_so(again):
    expect(again.page.locator("#menu-title")).to_have_text("Go on with the last game, or begin a new one?")
    again.shows("", "", "X", "X", "O", "", "")
    again.picture("resume")

    again.button("1 Continue").click()

    expect(again.page.locator("#menu")).to_be_hidden()
    expect(again.moves).to_have_count(3)
    again.play("d1")


def test_or_a_new_one_is_begun(again):
    again.click(2)  # the button on the board itself

    expect(again.page.locator("#menu")).to_be_hidden()
    again.shows("", "", "", "", "", "", "")
    expect(again.moves).to_have_count(0)
