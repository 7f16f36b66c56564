"""The picture fits: every size of board and of window, light and dark, moving and still, with forced colours."""

from __future__ import annotations

import pytest
from board_page import PHONE, WIDE
from playwright.sync_api import expect

# Which of the parts of the page, and which of the drawn buttons, lie over each other; the page wider than the window.
_OVERLAPS = """() => {
  const found = [];
  const over = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.5;
  const page = ".top, .rule-card, .score, .beside, .strip, .stage, .side > *";
  for (const kind of [page, ".own, .step", ".player, .words, .saying", ".cap", ".column"]) {
    const parts = [...document.querySelectorAll(kind)].filter((part) => part.checkVisibility());
    const boxes = parts.map((part) => part.getBoundingClientRect());
    for (let one = 0; one < boxes.length; one++) {
      for (let other = one + 1; other < boxes.length; other++) {
        if (over(boxes[one], boxes[other])) found.push(`${kind}: ${one} and ${other}`);
      }
    }
  }
  const board = document.getElementById("board").getBoundingClientRect();
  const stage = document.querySelector(".stage").getBoundingClientRect();
  if (board.left < -0.5 || board.right > innerWidth + 0.5) found.push("the board is wider than the window");
  if (board.top < stage.top - 0.5 || board.bottom > stage.bottom + 0.5) found.push("the board leaves its stage");
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page is wider than the window");
  return found;
}"""

# Text that has less contrast to what is behind it than 4.5 to 1, or 3 to 1 where it is large.
_FAINT = """() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b]
    .map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const mix = (over, under, part) => over.map((value, index) => value * part + under[index] * (1 - part));
  const faint = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || element.closest("svg, .aloud, [aria-disabled=true], noscript") || !element.checkVisibility()) continue;
    let behind = null, opacity = 1;
    for (let up = element; up && !behind; up = up.parentElement) {
      const style = getComputedStyle(up);
      const [r, g, b, a = 1] = parse(style.backgroundColor);
      if (a === 1) behind = [r, g, b];
      else opacity *= style.opacity;
    }
    behind ??= parse(getComputedStyle(document.documentElement).backgroundColor).slice(0, 3);
    const style = getComputedStyle(element);
    const [light, dark] = [luminance(mix(parse(style.color).slice(0, 3), behind, opacity)), luminance(behind)]
      .sort((one, other) => other - one);
    const least = parseFloat(style.fontSize) >= 24 ? 3 : 4.5;
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < least) faint.push(`${element.textContent.trim()}: ${contrast.toFixed(2)}`);
  }
  return faint;
}"""

WINDOWS = {
    "wide": WIDE,
    "very-wide": {"width": 1920, "height": 1080},
    "tablet": {"width": 820, "height": 1180},
    "phone": PHONE,
    "phone-on-its-side": {"width": 740, "height": 360},
}


@pytest.mark.parametrize(
    ("rules", "moves"),
    [
        ("popout 1x2 connect=2", "d1"),
        ("popout 7x6", "d4 d4 d3 d5 p4"),
        ("popout 12x10 connect=5", "d1 d12 d10 d11 d6 d6"),
        ("popout 32x32 connect=6", "d1 d32 d16 d16"),
        ("popout 32x1 connect=4", "d1 d2"),
        ("standard 1x32 connect=4", "d1 d1"),
        ("five+power+pop 7x6", "d2 d8 w5"),
        ("pop10 7x6", "d1"),
    ],
)
def test_a_board_of_every_size_fits_every_window_and_nothing_overlaps(open_page, hand, rules, moves):
    hand.begin(rules, moves)
    board = open_page()
    size = rules.split()[1]
    columns = int(size.split("x")[0])
    expect(board.columns).to_have_count(columns)

    for name, window in WINDOWS.items():
        board.page.set_viewport_size(window)

        assert board.page.evaluate(_OVERLAPS) == [], name
        board.picture(f"size-{size}-{name}", whole=window is PHONE)

    board.page.set_viewport_size(WIDE)
    board.columns.last.scroll_into_view_if_needed()
    board.click(int(board.columns.last.get_attribute("data-column")))
    expect(board.moves).to_have_count(len(moves.split()) + 1)


def test_a_large_board_is_chosen_on_the_page_and_played(board):
    board.button("New game").click()
    board.button("12 × 10").click()
    board.picture("new-game")
    board.button("Start").click()

    expect(board.columns).to_have_count(12)
    board.play("d12 d11 d1")
    board.page.keyboard.press("0")  # the tenth
    expect(board.moves.last).to_contain_text("d10")
    board.shows("X", "", "", "", "", "", "", "", "", "O", "O", "X")
    board.picture("large")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_can_both_be_read(open_page, hand, scheme):
    hand.play("d4 d4 d3")
    board = open_page(color_scheme=scheme)
    board.slide("open")
    board.click(3)
    expect(board.notice).to_contain_text("Column 3")

    assert board.page.evaluate(_FAINT) == []
    board.picture(scheme)
    board.button("New game").click()
    assert board.page.evaluate(_FAINT) == []
    board.picture(f"{scheme}-new-game")


def test_with_forced_colours_the_page_still_says_whose_turn_it_is(open_page, hand):
    hand.play("d4 d4 d3")
    board = open_page(forced_colors="active")

    board.play("d5")

    expect(board.page.locator("#player-red")).to_have_css("outline-style", "solid")
    expect(board.page.locator("#player-yellow")).to_have_css("outline-style", "none")
    board.picture("forced-colours")


@pytest.mark.parametrize(("wish", "moving"), [("no-preference", True), ("reduce", False)])
def test_discs_fall_unless_the_reader_wants_no_motion(open_page, wish, moving):
    def count_animations(page):
        page.add_init_script("""
            window.moved = 0;
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (...given) { window.moved++; return animate.apply(this, given); };
        """)

    board = open_page(prepare=count_animations, reduced_motion=wish)

    board.play("d4 d4 d3 d5 p4")

    board.shows("", "", "X", "O", "O", "", "")
    assert (board.page.evaluate("window.moved") > 0) == moving
    board.eventually(lambda: board.page.evaluate("document.getAnimations().length"), 0)
