"""The page's words: every one that the page asks for is there, none is there for nothing."""

from __future__ import annotations

import re
from pathlib import Path

import popout.views.web
from popout.rules import Phase, PowerDisc, Side
from popout.views.web.texts import page_texts

STATIC = Path(popout.views.web.__file__).parent / "static"
SCRIPTS = "\n".join(path.read_text("utf-8") for path in sorted(STATIC.glob("*.js")))
PAGE = (STATIC / "index.html").read_text("utf-8")


def test_every_text_that_the_page_asks_for_is_there():
    asked = set(re.findall(r'\bt\("([^"]+)"', SCRIPTS)) | set(re.findall(r'data-(?:text|label)="([^"]+)"', PAGE))

    assert asked - page_texts(str).keys() == set()
    assert len(asked) > 50


def test_no_text_is_there_for_nothing():
    built = re.compile(r" ")  # put together from what the state says: a phase, a power disc
    unused = {
        key for key in page_texts(str) if not built.search(key) and f'"{key}"' not in SCRIPTS and f'"{key}"' not in PAGE
    }

    assert unused == set()


def test_every_phase_and_every_power_disc_has_its_words():
    texts = page_texts(str)

    for phase in Phase:
        assert phase is Phase.PLAY or f"phase {phase.value}" in texts
    for disc in PowerDisc:
        for what in ("power", "drop", "chosen", "used"):
            assert f"{what} {disc.value}" in texts
    named = {f"phase {phase.value}" for phase in Phase} | {"phase put barred", "phase wall barred"}
    named |= {f"{what} {disc.value}" for what in ("power", "drop", "chosen", "used") for disc in PowerDisc}
    named |= {f"{what} {side.value}" for what in ("plays", "device") for side in Side}
    named |= {f"{what} {side}" for what in ("cell", "game") for side in ("red", "yellow", "empty")}
    assert {key for key in texts if " " in key} <= named


def test_places_stay_open_for_the_page_and_counts_have_a_form_each():
    texts = page_texts(str)

    assert texts["playedOn"] == "Played on {board}."
    assert texts["columnTopRed"][1] == "Column {column}, 1 disc, top red."
    assert texts["columnTopRed"][2] == "Column {column}, 2 discs, top red."
    assert len(texts["columnTopYellow"]) == 33


def test_nothing_on_the_page_is_made_from_markup_in_text():
    for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
        assert forbidden not in SCRIPTS
    assert not re.search(r"<(?:script|style)(?![^>]*\bsrc=)[^>]*>|\son\w+=|\sstyle=", PAGE)
