"""What is said beside the wires: to everybody, and to those who read text instead of the picture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from popout.board.contacts import crossing
from popout.board.layout import Layout
from popout.wiring.notes import drawn, notes
from popout.wiring.plan import plan
from popout.wiring.wishes import Wishes
from popout.wiring.writing import layout_text


def made(folder: Path, **wishes: Any) -> Layout:
    file = folder / "board.toml"
    file.write_text(layout_text(plan(Wishes(title="t", **wishes))), "utf-8")
    return Layout.load(file)


def only_crossings(layout: Layout) -> Layout:
    """The layout without the switches that have pins of their own, as somebody may have written it."""
    return replace(layout, switches={name: pin for name, pin in layout.switches.items() if crossing(pin) is not None})


def test_text_names_every_part_between_the_pin_and_the_lamps(tmp_path: Path):
    text = " ".join(map(str, drawn(made(tmp_path))))

    for part in ("74AHCT125", "330 to 470 ohms", "1000 microfarads", "5 V supply of their own, which gives 2 A"):
        assert part in text


def test_lamps_that_the_computer_feeds_have_no_supply_of_their_own(tmp_path: Path):
    layout = made(tmp_path, columns=2, rows=1, lamps="columns")

    assert "of their own" not in " ".join(map(str, drawn(layout)))
    assert "The lamps are fed by the computer: never more than 500 mA." in map(str, notes(layout))


def test_only_a_switch_at_a_pin_of_the_computer_has_a_wire_to_be_kept_quiet(tmp_path: Path):
    """The bar is at one with expanders and with a matrix; a crossing is none."""
    long = "A wire over a metre long"

    assert any(str(note).startswith(long) for note in notes(made(tmp_path, wiring="expanders")))
    matrix = made(tmp_path, wiring="matrix")
    assert any(str(note).startswith(long) for note in notes(matrix))
    assert not any(str(note).startswith(long) for note in notes(only_crossings(matrix)))


@pytest.mark.parametrize(("wishes", "count"), [({"wiring": "matrix"}, 2), ({}, 1)])
def test_each_kind_of_switch_is_told_where_its_other_contact_goes(tmp_path: Path, wishes: dict[str, Any], count: int):
    told = [str(each) for each in drawn(made(tmp_path, lamps="none", **wishes))]

    assert len(told) == count
    assert ("crossing" in told[0]) == ("wiring" in wishes)
    assert "goes to GND" in told[-1]


def test_nothing_is_told_of_ground_where_every_switch_is_at_a_crossing(tmp_path: Path):
    (told,) = map(str, drawn(only_crossings(made(tmp_path, lamps="none", wiring="matrix"))))

    assert "crossing" in told
    assert "GND" not in told


def test_a_board_without_wires_has_no_notes():
    assert [*drawn(Layout.plain(7, 6)), *notes(Layout.plain(7, 6))] == []
