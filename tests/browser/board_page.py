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

# The drawn discs, as grid texts, read from where they are in the picture; filled outer columns too.
_GRID = """() => {
  const holes = [...document.querySelectorAll("#board use[data-column]")];
  const columns = {};
  for (const hole of holes) (columns[hole.dataset.column] ??= []).push({ hole, letters: "" });
  for (const disc of document.querySelectorAll("#board .disc")) {
    const [x, y] = disc.style.transform.match(/-?[\\d.]+/g).map(Number);
    const cell = Object.values(columns).flat().find(({ hole }) =>
      Math.hypot(hole.getAttribute("x") - x, hole.getAttribute("y") - y) < 1);
    if (!cell) return [`a disc at ${x}, ${y} is in no hole`];
    cell.letters += disc.firstChild.getAttribute("href") === "#disc-red" ? "X" : "O";
  }
  return Object.keys(columns).map(Number).sort((one, other) => one - other)
    .map((column) => columns[column].map((cell) => cell.letters).join(""));
}"""

# Where signs of power discs are drawn on discs in the grid: the letter and the disc's side.
_SIGNS = """() => [...document.querySelectorAll("#board .disc .disc-sign")].map((sign) =>
  sign.getAttribute("href").at(-1) + sign.previousSibling.getAttribute("href").replace("#disc-", " ")).sort()"""


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
        first = int(self.columns.first.get_attribute("data-column") or 1)
        cap = self.page.locator("#board .cap").nth(column - first)
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

    def power(self, disc: str) -> Locator:
        """The button of a power disc in the rack of the side to move."""
        return self.page.locator(f".at-turn [data-power={disc}]")

    def play(self, moves: str, press: Callable[[int], None] | None = None, *, slide: bool = True) -> None:
        """Make moves with the mouse, or by another way to `press` a column; see each appear in the list.

        Power discs are chosen in the rack first; without `slide` the bar is left to itself.
        """
        for word in moves.split():
            if slide:
                self.slide("open" if word[0] == "p" else "closed")
            if word[0] in "abwx":
                self.power(word[0]).click()
                expect(self.power(word[0])).to_have_attribute("aria-pressed", "true")
            made = self.moves.count()
            (press or self.click)(int(word[1:]))
            expect(self.moves).to_have_count(made + 1)
            expect(self.moves.last).to_contain_text(word)

    def shows(self, *grid: str) -> None:
        """The drawn discs are, or soon come to be, these: a text a column from the left, each from the bottom up."""
        self.eventually(lambda: self.page.evaluate(_GRID), list(grid))

    def signs(self) -> list[str]:
        """The power discs in the grid, such as ``a red``."""
        found: list[str] = self.page.evaluate(_SIGNS)
        return found

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
