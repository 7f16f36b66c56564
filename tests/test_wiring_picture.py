"""The wiring picture: what it names is there once, nothing overlaps, it needs nothing from elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from popout.board.contacts import crossing
from popout.board.layout import Layout
from popout.wiring.connections import connections
from popout.wiring.picture import PictureImpossible, picture
from popout.wiring.pinout import PI
from popout.wiring.plan import PlanImpossible, plan
from popout.wiring.wishes import Wishes
from popout.wiring.writing import layout_text

SVG = "{http://www.w3.org/2000/svg}"
WIDEST_LETTER = 0.64
"""Of the size of the letters, in the fonts that the picture asks for."""

BOARDS: dict[str, dict[str, Any]] = {
    "a matrix": {"columns": 9, "wiring": "matrix", "second_row": True},
    "expanders": {"columns": 14, "wiring": "expanders", "drop_beams": True},
    "both": {"columns": 20, "second_row": True, "drop_beams": True, "pop_beams": True, "lamps": "none"},
    "32 columns": {"columns": 32, "rows": 32},
    "three expanders": {"columns": 24, "wiring": "expanders", "second_row": True, "lamps": "columns"},
    "32 columns on expanders": {"columns": 32, "rows": 3, "wiring": "expanders", "lamps": "columns"},
    "plain LEDs and levers": {"lamps": "turns", "actuation": "disc"},
    "plain LEDs on a Pico": {"lamps": "turns", "computer": "pico"},
    "one column": {"columns": 1, "rows": 1, "menu": False, "take_back": False},
}


WAY_OF_THE_WIRE = "#9cc4e8"
THIN = 0.01
"""A line along an axis takes a little room too."""


class Box(NamedTuple):
    text: str
    left: float
    top: float
    right: float
    bottom: float


def texts(drawn: str) -> Iterator[Box]:
    """Every text with the room that it may need."""
    for element in ElementTree.fromstring(drawn).iter(f"{SVG}text"):
        text, size, line = "".join(element.itertext()), float(element.attrib["font-size"]), element[0]
        x, y = float(line.attrib["x"]), float(element.attrib["y"]) + float(line.attrib["dy"])
        width = len(text) * size * WIDEST_LETTER
        left = x - {"start": 0.0, "middle": width / 2, "end": width}[element.attrib["text-anchor"]]
        yield Box(text, left, y - size / 2, left + width, y + size / 2)


def overlaps(drawn: str) -> list[tuple[str, str]]:
    boxes = sorted(texts(drawn), key=lambda box: box.left)
    found = []
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            if other.left >= one.right:
                break
            if other.top < one.bottom and one.top < other.bottom:
                found.append((one.text, other.text))
    return found


def crossed(drawn: str) -> set[str]:
    """The texts that a wire or a symbol runs through."""
    found = set()
    boxes = list(texts(drawn))
    for element in ElementTree.fromstring(drawn).iter(f"{SVG}path"):
        if WAY_OF_THE_WIRE in element.attrib["style"]:
            continue  # behind the lamps, which have the numbers on them
        for part in element.attrib["d"].split("M"):
            points = [tuple(map(float, pair)) for pair in re.findall(r"(-?[\d.]+),(-?[\d.]+)", part)]
            for (x, y), (to_x, to_y) in pairwise(points):
                left, right = sorted((x, to_x))
                top, bottom = sorted((y, to_y))
                found |= {
                    box.text
                    for box in boxes
                    if left < box.right and box.left < right + THIN and top < box.bottom and box.top < bottom + THIN
                }
    return found


def outside(drawn: str) -> list[str]:
    """The texts that the picture's edge cuts."""
    left, top, width, height = map(float, ElementTree.fromstring(drawn).attrib["viewBox"].split())
    return [
        box.text
        for box in texts(drawn)
        if box.left < left or box.top < top or box.right > left + width or box.bottom > top + height
    ]


def load(folder: Path, wishes: Wishes) -> Layout:
    file = folder / "board.toml"
    file.write_text(layout_text(plan(wishes)), "utf-8")
    return Layout.load(file)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("layouts")


@pytest.fixture(params=["5x4", "7x6-pi", "7x6-pico", "7x6-club", *BOARDS])
def layout(request: pytest.FixtureRequest, folder: Path) -> Layout:
    if request.param in BOARDS:
        return load(folder, Wishes(title="Test board", **BOARDS[request.param]))
    return Layout.load(request.param)


def test_no_text_overlaps_another_or_a_wire_or_the_edge(layout: Layout):
    drawn = picture(layout, str)

    assert overlaps(drawn) == []
    assert crossed(drawn) == set()
    assert outside(drawn) == []


def test_every_pin_of_the_computer_and_every_switch_is_named_once(layout: Layout):
    named = Counter(box.text for box in texts(picture(layout, str)))

    for wire in connections(layout):
        if not wire.chip and wire.place is not None:
            assert named[wire.pin] == 1
        label = f"{wire.told()}, 330 Ω" if wire.kind == "led" else str(wire.told())
        assert named[label] == 1


def test_every_lamp_has_its_number(layout: Layout):
    named = {box.text for box in texts(picture(layout, str))}

    assert {str(number) for number in range(1, len(layout.places) + 1)} <= named


def test_the_same_layout_gives_the_same_picture_without_anything_from_elsewhere(layout: Layout):
    drawn = picture(layout, str)

    assert drawn == picture(layout, str)
    for element in ElementTree.fromstring(drawn).iter():
        assert not any(name.endswith("href") for name in element.attrib)
        assert "url(" not in "".join(element.attrib.values())
        assert element.tag.removeprefix(SVG) not in ("image", "script", "style", "foreignObject", "use")


@settings(max_examples=25)
@given(
    wishes=st.builds(
        Wishes,
        title=st.just("Test board"),
        columns=st.integers(1, 32),
        rows=st.integers(1, 6),
        computer=st.sampled_from(("pi", "pico")),
        lamps=st.sampled_from(("none", "turns", "columns", "cells")),
        along=st.sampled_from(("column", "row")),
        powers=st.booleans(),
        second_row=st.booleans(),
        drop_beams=st.booleans(),
        pop_beams=st.booleans(),
        wiring=st.sampled_from(("auto", "matrix", "expanders")),
    )
)
def test_nothing_overlaps_on_any_board(wishes: Wishes, folder: Path):
    try:
        layout = load(folder, wishes)
    except PlanImpossible:
        return

    drawn = picture(layout, str)

    assert overlaps(drawn) == []
    assert crossed(drawn) == set()
    assert outside(drawn) == []


@pytest.mark.parametrize("title", ["Tom & <Jerry>", "5 $ and 6 $", 'a "quoted" one', "Ω → ●"])
def test_any_letter_in_a_title_is_drawn_as_it_is(folder: Path, title: str):
    drawn = picture(load(folder, Wishes(title=title)), str)

    assert title in {box.text for box in texts(drawn)}


def test_what_cannot_be_drawn_in_xml_is_replaced(folder: Path):
    layout = load(folder, Wishes(title="title"))
    object.__setattr__(layout, "title", "a\x01b\xa0: c")

    assert "a?b\xa0: c" in {box.text for box in texts(picture(layout, str))}


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("7x6-pi", {"Supply of 5 V", "2 A", "74AHCT125", "330–470 Ω", "1000 µF", "DATA"}),
        ("5x4", {"5 V of the computer", "pin 2, 400 mA", "the lamps' supply"}),
        ("7x6-pico", {"pin 40, 400 mA", "USB"}),
        ("a matrix", {"Matrix", "R1", "C1", "The diodes are 1N4148 or alike, the ring towards the row."}),
        ("expanders", {"Expander 2: MCP23017", "From above, address 0x21", "INT2", "pulled up on the Pi"}),
    ],
)
def test_what_belongs_to_a_board_is_on_its_picture(folder: Path, board: str, words: set[str]):
    layout = load(folder, Wishes(title="t", **BOARDS[board])) if board in BOARDS else Layout.load(board)

    assert words <= {box.text for box in texts(picture(layout, str))}


def test_the_address_of_an_expander_is_wired(folder: Path):
    drawn = picture(load(folder, Wishes(title="t", **BOARDS["three expanders"])), str)
    boxes = list(texts(drawn))

    levels = []
    for leg in ("ADDR2", "ADDR1", "ADDR0"):
        for pin in [box for box in boxes if box.text == leg]:
            beside = [
                box for box in boxes if box.top == pytest.approx(pin.top + (9 - 7.5) / 2) and box.left > pin.right
            ]
            levels.append(min((box for box in beside if box.text in ("GND", "3.3 V")), key=lambda box: box.left).text)
    assert levels == ["GND", "GND", "GND", "GND", "GND", "3.3 V", "GND", "3.3 V", "GND"]


def test_a_switch_that_is_closed_at_rest_says_so(folder: Path):
    layout = load(folder, Wishes(title="t"))
    object.__setattr__(layout, "inverted", frozenset({"bar"}))

    assert "bar (closed at rest)" in {box.text for box in texts(picture(layout, str))}


@pytest.mark.parametrize(
    ("board", "crossings_only", "pin"),
    [
        ("a matrix", False, None),
        ("a matrix", True, "6"),
        ("plain LEDs and levers", False, None),
        ("nothing but a matrix on a Pi", True, "6"),
    ],
)
def test_a_pin_of_ground_is_marked_on_every_board(folder: Path, board: str, crossings_only: bool, pin: str | None):
    """Beams, the lamps' supply and expanders need it where no switch does; elsewhere a switch shows it."""
    layout = load(folder, Wishes(title="t", **BOARDS.get(board, {"columns": 9, "wiring": "matrix", "lamps": "none"})))
    if crossings_only:
        crossings = {name: at for name, at in layout.switches.items() if crossing(at) is not None}
        layout = replace(layout, switches=crossings)
    boxes = list(texts(picture(layout, str)))
    assert any(box.text == "GND" for box in boxes)

    flags = [box for box in boxes if box.text == "GND" and box.bottom - box.top < 9]  # in small letters
    beside = [box.text for flag in flags for box in boxes if abs(box.top - flag.top) < 1 and box.text.isdecimal()]
    assert beside == ([] if pin is None else ["5", pin])


def test_switches_to_3_3_volts_leave_ground_to_be_marked(folder: Path):
    layout = load(folder, Wishes(title="t"))
    object.__setattr__(layout, "pull", "down")
    object.__setattr__(layout, "closed", "high")
    drawn = {(box.text, round(box.bottom - box.top, 1)) for box in texts(picture(layout, str))}

    assert {("GND", 7.5), ("3.3 V", 7.5)} <= drawn


def test_a_contact_that_conducts_at_rest_is_known_by_its_level_and_its_resistor(folder: Path):
    layout = load(folder, Wishes(title="t", columns=1))
    object.__setattr__(layout, "closed", "high")  # with the pull-up: each opens when it is pressed

    assert "column 1 (closed at rest)" in {box.text for box in texts(picture(layout, str))}


def bare(drawn: str) -> float:
    """The share of the page, over the notes, in whose lower left quarter nothing is."""
    notes = min(box.top for box in texts(drawn) if box.text == "•")
    boxes = [box for box in texts(drawn) if box.bottom < notes]
    right = max(box.right for box in boxes)
    return (notes - max(box.bottom for box in boxes if box.left < right / 4)) / notes


def test_expanders_fill_the_page_under_the_computer_too(folder: Path):
    layout = load(folder, Wishes(title="t", columns=20, wiring="expanders", second_row=True, drop_beams=True))

    assert bare(picture(layout, str)) < 0.2


def ways_of_the_wire(drawn: str) -> list[tuple[bool, bool]]:
    """Of each piece of the lamps' wire: whether it is long, and whether it is thin and dashed."""
    found = []
    for element in ElementTree.fromstring(drawn).iter(f"{SVG}path"):
        style = element.attrib["style"]
        if WAY_OF_THE_WIRE in style:
            (x, y), (to_x, to_y) = (
                tuple(map(float, pair)) for pair in re.findall(r"(-?[\d.]+),(-?[\d.]+)", element.attrib["d"])
            )
            long = abs(to_x - x) + abs(to_y - y) > 80
            found.append((long, "dasharray" in style and re.search(r"stroke-width:\s*1\b", style) is not None))
    return found


def test_a_wire_that_goes_back_behind_the_numbers_is_thin_and_dashed(folder: Path):
    drawn = ways_of_the_wire(picture(load(folder, Wishes(title="t", serpentine=False, along="row")), str))

    assert len(drawn) == 50
    assert [dashed for long, dashed in drawn] == [long for long, dashed in drawn]
    assert sum(long for long, _ in drawn) == 7  # after each row, and from one turn lamp to the other


def test_pins_of_an_unknown_driver_cannot_be_drawn():
    with pytest.raises(PictureImpossible) as refusal:
        picture(Layout.plain(7, 6), str)
    assert str(refusal.value) == (
        "The wiring of “7x6” cannot be drawn: its key driver does not say whose pins these are. Write “gpio” for a "
        "Raspberry Pi or “serial” for a Pico."
    )


def test_every_pin_of_the_header_is_drawn_with_its_number():
    named = Counter(box.text for box in texts(picture(Layout.load("5x4"), str)))

    for pin in PI.pins:
        assert named[pin.name] >= 1
        assert named[str(pin.number)] >= 1
