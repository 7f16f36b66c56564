"""A real Chromium at a real `popout sim`, and nothing that it may complain about."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from board_page import WIDE, BoardPage
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright
from running import ChromiumMissing, Hand, Program, launch

from popout.rules import GAMES

expect.set_options(timeout=10_000)

# A reader who has put the rule card of every game away.
_SEEN = f"localStorage.setItem('popout-games-seen', {json.dumps(json.dumps([*GAMES]))})"

OpenPage = Callable[..., BoardPage]


# One a module: a browser's event loop must not be left running under the tests of other folders.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser."""
    with sync_playwright() as playwright:
        try:
            browser = launch(playwright)
        except ChromiumMissing as missing:
            problem = str(missing)
        else:
            yield browser
            browser.close()
            return
    pytest.fail(problem, pytrace=False)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """The program, one for the tests of a module."""
    running = Program(tmp_path_factory.mktemp("program"))
    yield running
    running.stop()


@pytest.fixture
def hand(program: Program) -> Iterator[Hand]:
    """Another hand at the table; the game at hand is a new one of Pop Out."""
    with Hand(program) as hand:
        hand.begin("popout 7x6")
        yield hand


@pytest.fixture
def complaints() -> list[str]:
    """What the browser complained about. A test that expects something takes it out."""
    return []


@pytest.fixture
def open_page(chromium: Browser, program: Program, hand: Hand, complaints: list[str]) -> Iterator[OpenPage]:  # noqa: ARG001
    """Opens the page in a browser as fresh as a new one; afterwards nothing may have been complained about."""
    with ExitStack() as stack:

        def note(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                complaints.append(message.text)

        def open_page(
            prepare: Callable[[Page], Any] = lambda _: None, *, seen: bool = True, **context: Any
        ) -> BoardPage:
            given = {"viewport": WIDE, "reduced_motion": "reduce", "base_url": program.address, **context}
            page = stack.enter_context(chromium.new_context(**given)).new_page()
            page.on("console", note)
            page.on("pageerror", lambda error: complaints.append(str(error)))
            if seen:
                page.add_init_script(_SEEN)
            prepare(page)
            page.goto("/")
            expect(page.locator("#status")).not_to_be_empty()
            return BoardPage(page)

        yield open_page
    assert complaints == []


@pytest.fixture
def board(open_page: OpenPage) -> BoardPage:
    """The page in a wide window, at the new game."""
    return open_page()
