"""The page speaks its browser's language, or the one that is chosen on it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import catalogues

STATUS = "Red to move."


def said(language: str, sentence: str) -> str:
    """A sentence as its translators wrote it."""
    return str(catalogues.read(language)[sentence].string)


@pytest.mark.parametrize(("browser", "language"), [("el-GR", "el"), ("pt-PT", "pt"), ("nl", "nl")])
def test_the_page_is_in_the_language_of_its_browser(open_page, browser: str, language: str):
    page = open_page(locale=browser).page

    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("#status")).to_have_text(said(language, STATUS))
    expect(page.locator("#open-new-game")).to_have_text(said(language, "New game"))


def test_two_pages_of_one_table_have_a_language_each(open_page):
    danish, french = open_page(locale="da").page, open_page(locale="fr").page

    danish.get_by_role("button", name=said("da", "New game")).first.wait_for()
    expect(danish.locator("#status")).to_have_text(said("da", STATUS))
    expect(french.locator("#status")).to_have_text(said("fr", STATUS))


def test_another_language_is_chosen_on_the_page(open_page):
    page = open_page(locale="en-GB").page

    page.locator("#language").select_option(label="Nederlands")

    expect(page.locator("html")).to_have_attribute("lang", "nl")
    expect(page.locator("#status")).to_have_text(said("nl", STATUS))
    expect(page.locator("#language")).to_have_value("nl")
