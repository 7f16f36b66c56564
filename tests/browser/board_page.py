"""The page as a person meets it: where to press, and what is to be seen."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

PICTURES = Path(__file__).parents[2] / "test-results"

WIDE = {"width": 1280, "height": 860}
PHONE = {"width": 360, "height": 740}

# The drawn discs, as grid texts, read from where they are in the picture.
_GRID = """() => {
  const columns = document.querySelectorAll(".column").length;
  const holes = [...document.querySelectorAll("#board use[href='#rim']")];
  const rows = holes.length / columns;
  const near = (x, y) => holes.findIndex((hole) =>
    Math.hypot(hole.getAttribute("x") - x, hole.getAttribute("y") - y) < 1);
  const grid = Array.from({ length: columns }, () => Array(rows).fill(""));
  for (const disc of document.querySelectorAll("#board .disc")) {
    const [x, y] = disc.style.transform.match(/-?[\\d.]+/g).map(Number);
    const hole = near(x, y);
    if (hole < 0) return [`a disc at ${x}, ${y} is in no hole`];
    const letter = disc.firstChild.getAttribute("href") === "#disc-red" ? "X" : "O";
    grid[Math.floor(hole / rows)][hole % rows] += letter;
  }
  return grid.map((column) => column.join(""));
}"""


class BoardPage:
    """One tab with the board in it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.status = page.locator("#status")
        self.notice = page.locator("#notice")
        self.moves = page.locator("#moves > li")
        self.columns = page.locator("#board .column")
        self.bar = page.locator("#board .slide")
        self.polite = page.locator("#polite")
        self.assertive = page.locator("#assertive")
        self.lines_won = page.locator("#board .line-won")
        self.lines_lost = page.locator("#board .line-lost")

    def button(self, name: str) -> Locator:
        """The visible button of exactly that name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def cap(self, column: int) -> tuple[float, float]:
        """The middle of the drawn button of a column, in pixels of the window."""
        cap = self.page.locator("#board .cap").nth(column - 1)
        cap.scroll_into_view_if_needed()
        box = cap.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click(self, column: int) -> None:
        """Click the drawn button of a column."""
        self.page.mouse.click(*self.cap(column))

    def slide(self, to: str) -> None:
        """Click the bar, if it is not there yet."""
        checked = "true" if to == "open" else "false"
        if self.bar.get_attribute("aria-checked") != checked:
            self.bar.click()
        expect(self.bar).to_have_attribute("aria-checked", checked)

    def play(self, moves: str, press: Callable[[int], None] | None = None) -> None:
        """Make moves with the mouse, or by another way to `press` a column; see each appear in the list."""
        for word in moves.split():
            self.slide("open" if word[0] == "p" else "closed")
            made = self.moves.count()
            (press or self.click)(int(word[1:]))
            expect(self.moves).to_have_count(made + 1)
            expect(self.moves.last).to_contain_text(word)

    def shows(self, *grid: str) -> None:
        """The drawn discs are, or soon come to be, these: a text a column from the left, each from the bottom up."""
        self.eventually(lambda: self.page.evaluate(_GRID), list(grid))

    def eventually(self, look: Callable[[], Any], expected: Any) -> None:
        """`look` gives, or soon comes to give, what is expected."""
        for _ in range(200):
            if look() == expected:
                return
            self.page.wait_for_timeout(30)
        assert look() == expected

    def record(self) -> str:
        """The game as text, as the server gives it."""
        return self.page.request.get("/record.txt").text()

    def picture(self, name: str, *, whole: bool = False) -> None:
        """Save what is to be seen, for people to judge."""
        PICTURES.mkdir(exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png", full_page=whole)


def containing(*words: str) -> re.Pattern[str]:
    """Matches a text with these words in this order."""
    return re.compile(".*".join(map(re.escape, words)), re.DOTALL)
