"""Makes the picture of the page for the README: `python tests/browser/make_picture.py`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from board_page import WIDE, BoardPage
from playwright.sync_api import expect, sync_playwright
from running import Hand, Program, launch

PICTURE = Path(__file__).parents[2] / "docs" / "board.png"
MOVES = "d4 d4 d3 d5 d3 d2 d4 d3 d5 d5 p3 d4 d6 d3 d2 p2"


def main() -> None:
    """Play to a position in the middle of a game, hold the next disc over a column, take the picture."""
    with tempfile.TemporaryDirectory() as folder:
        program = Program(Path(folder))
        with Hand(program) as hand, sync_playwright() as playwright:
            hand.begin("popout 7x6", MOVES)
            browser = launch(playwright)
            page = browser.new_page(viewport=WIDE, reduced_motion="reduce", base_url=program.address)
            page.goto("/")
            board = BoardPage(page)
            expect(board.moves).to_have_count(len(MOVES.split()))
            page.mouse.move(*board.cap(6))
            expect(page.locator("#board .held")).to_be_visible()
            page.wait_for_timeout(1000)  # the lamps of the last move have flashed
            PICTURE.parent.mkdir(exist_ok=True)
            page.screenshot(path=PICTURE)
            browser.close()
        program.stop()


if __name__ == "__main__":
    main()
