"""The layout file that is written: it loads, whatever was asked for, and is what was asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.board.layout import Layout
from popout.wiring.plan import PlanImpossible, plan
from popout.wiring.wishes import Wishes
from popout.wiring.writing import layout_text

YES_OR_NO = st.booleans()
BOARDS = st.builds(
    Wishes,
    title=st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=40).filter(
        lambda title: title.isprintable() and bool(title.strip())
    ),
    columns=st.integers(1, 32),
    rows=st.integers(1, 32),
    computer=st.sampled_from(("pi", "pico")),
    actuation=st.sampled_from(("button", "disc")),
    lamps=st.sampled_from(("none", "turns", "columns", "cells")),
    start=st.sampled_from(("bottom left", "bottom right", "top left", "top right")),
    along=st.sampled_from(("column", "row")),
    serpentine=YES_OR_NO,
    menu=YES_OR_NO,
    take_back=YES_OR_NO,
    powers=YES_OR_NO,
    second_row=YES_OR_NO,
    drop_beams=YES_OR_NO,
    pop_beams=YES_OR_NO,
    amperes=st.none() | st.floats(1.1, 60),
    wiring=st.sampled_from(("auto", "auto", "pins", "matrix", "expanders")),
)


def load(wishes: Wishes, folder: Path) -> Layout:
    file = folder / "board.toml"
    file.write_text(layout_text(plan(wishes)), encoding="utf-8")
    return Layout.load(file)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("layouts")


@given(wishes=BOARDS)
def test_every_board_that_can_be_asked_for_loads_and_is_that_board(wishes: Wishes, folder: Path):
    try:
        made = plan(wishes)
    except PlanImpossible as refusal:
        assert str(refusal).startswith(("There are not enough pins", "A Pico "))
        return

    layout = load(wishes, folder)

    assert (layout.title, layout.columns, layout.rows) == (wishes.title, wishes.columns, wishes.rows)
    assert layout.actuation == wishes.actuation
    assert layout.driver == {"pi": "gpio", "pico": "serial"}[wishes.computer]
    assert dict(layout.switches) == made.switches
    assert set(layout.switches) == {*wishes.buttons(), *wishes.beams()}
    assert (layout.matrix, layout.expanders, layout.leds) == (made.matrix, made.expanders, made.leds)
    assert layout.chain == (None if made.lamps is None else wishes.chain(made.lamps))
    assert layout.has_lamps("turns") == (wishes.lamps != "none")
    if layout.chain is not None:
        asked = wishes.suitable_amperes() if wishes.amperes is None else wishes.amperes
        assert layout.milliamps == round(asked * 1000)


@given(wishes=BOARDS)
def test_no_line_is_too_long_to_read(wishes: Wishes):
    try:
        text = layout_text(plan(wishes))
    except PlanImpossible:
        return

    assert all(len(line) <= 120 for line in text.splitlines() if not line.startswith("title"))


@pytest.mark.parametrize("shipped", ["7x6-pi", "7x6-pico"])
def test_a_shipped_board_comes_out_as_it_is_shipped(shipped: str, folder: Path):
    layout = Layout.load(shipped)

    made = load(Wishes(title=layout.title, computer="pico" if shipped == "7x6-pico" else "pi"), folder)

    for field in ("title", "driver", "columns", "rows", "actuation", "switches", "chain", "milliamps", "brightness"):
        assert getattr(made, field) == getattr(layout, field)


def test_the_keys_are_explained():
    text = layout_text(plan(Wishes(title="Sunday board")))

    assert text.startswith("# A 7x6 board on the 40-pin header of a Raspberry Pi. A switch connects its pin to ground;")
    assert 'title = "Sunday board"\n' in text
    assert (
        "# From the left, as the player with the buttons sees the columns.\n"
        "# Pins 29, 31, 33, 35, 37, 40, 38.\n"
        'columns = ["GPIO5", "GPIO6", "GPIO13", "GPIO19", "GPIO26", "GPIO21", "GPIO20"]\n'
        'bar = "GPIO16"           # closed while the bar is open, pin 36\n'
        'menu = "GPIO25"          # pin 22\n'
        'take_back = "GPIO24"     # pin 18\n'
        "# Can be added: yellow_columns, drop_sensors, pop_sensors, anvil, bomb, wall, x2.\n"
    ) in text
    assert "milliamps = 2000         # what the supply can give to the lamps, besides the computer\n" in text


def test_the_order_of_a_second_row_and_of_beams_is_said():
    text = " ".join(layout_text(plan(Wishes(title="t", second_row=True, drop_beams=True))).replace("#", "").split())

    assert "for yellow, in the same order as columns also where yellow sits on the other side." in text
    assert "The beams under the slots, in the same order:" in text


@pytest.mark.parametrize(
    ("wishes", "told"),
    [
        ({}, "The bar, which can stand open, has a pin of its own, which it connects to ground."),
        ({"pop_beams": True}, "The bar and the beams have pins of their own, which they connect to ground."),
    ],
)
def test_what_is_not_in_a_matrix_is_said(wishes: dict[str, Any], told: str):
    text = " ".join(layout_text(plan(Wishes(title="t", wiring="matrix", **wishes))).replace("#", "").split())

    assert f"The buttons lie between the rows and the columns of a matrix, each with a diode. {told} " in text


def test_an_expander_s_address_is_told_as_it_is_soldered():
    text = layout_text(plan(Wishes(title="t", columns=32, wiring="expanders")))

    assert "address = 0x21           # its legs A2, A1, A0 at ground, ground, 3.3 V\n" in text


def test_quotation_marks_in_a_title_do_no_harm(folder: Path):
    assert load(Wishes(title='The "big" one \\ 100 %'), folder).title == 'The "big" one \\ 100 %'


@pytest.mark.parametrize(
    ("answers", "side"),
    [
        ({}, "right"),
        ({"columns": 8, "rows": 6}, "right"),
        ({"start": "bottom right"}, "left"),
        ({"along": "row", "rows": 6}, "left"),
        ({"along": "row", "rows": 5}, "right"),
    ],
)
def test_the_lamps_of_the_buttons_follow_on_where_the_cells_end(answers: dict[str, Any], side: str):
    chain = Wishes(title="t", **answers).chain("GPIO10")

    assert chain is not None
    assert chain.parts[1].start == side
    assert chain.parts[2].start == ("red" if side == "right" else "yellow")


def test_a_wire_without_cells_begins_at_the_right_and_ends_at_the_turn_lamp_of_the_left():
    chain = Wishes(title="t", lamps="columns").chain("GPIO10")

    assert chain is not None
    assert [part.start for part in chain.parts] == ["right", "red"]
