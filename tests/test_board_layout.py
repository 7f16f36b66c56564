"""Layout files: the shipped ones, the order of their lamps, and the sentence for each way to get one wrong."""

import os
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.board import layout as layout_module
from popout.board.chain import CellLamps, CellPlace, ColumnPlace, TurnPlace
from popout.board.contacts import PINS
from popout.board.frame import Frame
from popout.board.layout import (
    Layout,
    LayoutError,
    LayoutInvalid,
    LayoutMissing,
    LayoutPinConflict,
    LayoutSizeError,
    LayoutUnreadable,
    shipped,
)

GOOD = """\
title = "Test board"
driver = "gpio"
columns = 3
rows = 2
actuation = "button"

[switches]
columns = ["GPIO5", "GPIO6", "GPIO13"]
bar = "GPIO16"

[lamps]
pin = "GPIO10"
order = "grb"

[[lamps.parts]]
kind = "cells"
start = "bottom left"
along = "column"
serpentine = true

[[lamps.parts]]
kind = "columns"
start = "right"

[supply]
milliamps = 1000
brightness = 0.5
"""


@pytest.fixture
def load(tmp_path):
    """Write a layout file and load it."""

    def write_and_load(text: str | bytes) -> Layout:
        path = tmp_path / "my.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return Layout.load(path)

    return write_and_load


@pytest.fixture
def refused(load):
    """Load `GOOD` with some of its text replaced, and give the error."""

    def replace_and_load(old: str, new: str) -> LayoutError:
        assert old in GOOD
        with pytest.raises(LayoutError) as refusal:
            load(GOOD.replace(old, new, 1))
        return refusal.value

    return replace_and_load


# The shipped layouts.


def test_four_layouts_are_shipped():
    assert shipped() == ("5x4", "7x6-club", "7x6-pi", "7x6-pico")


@pytest.mark.parametrize("name", ["5x4", "7x6-club", "7x6-pi", "7x6-pico"])
def test_a_shipped_layout_is_named_by_its_size_and_fits_its_driver(name):
    layout = Layout.load(name)
    assert layout.name == name
    assert name.startswith(f"{layout.columns}x{layout.rows}")
    assert layout.chain is not None
    used = [*layout.switches.values(), layout.chain.pin]
    assert set(used) <= set(PINS[layout.driver])
    assert len(set(used)) == len(used)


def test_the_board_on_a_pi_has_everything_and_leaves_the_pins_of_other_buses_free():
    layout = Layout.load("7x6-pi")
    assert (layout.driver, layout.columns, layout.rows, layout.actuation) == ("gpio", 7, 6, "button")
    assert list(layout.switches) == [*(f"column {n}" for n in range(1, 8)), "bar", "menu", "take back"]
    assert all(layout.has_lamps(kind) for kind in ("cells", "columns", "turns"))
    assert layout.chain is not None
    assert layout.chain.pin == "GPIO10"
    i2c, uart, spi = {2, 3}, {14, 15}, {7, 8, 9, 11}
    assert not set(layout.switches.values()) & {f"GPIO{number}" for number in i2c | uart | spi}


def test_the_board_on_a_pico_has_everything():
    layout = Layout.load("7x6-pico")
    assert layout.driver == "serial"
    assert len(layout.places) == 42 + 7 + 2


def test_the_club_board_has_a_row_of_buttons_for_each_side_and_sees_discs_go_in():
    layout = Layout.load("7x6-club")
    assert list(layout.switches) == [
        *(f"{kind} {column}" for kind in ("column", "yellow column", "drop sensor") for column in range(1, 8)),
        *("bar", "menu", "take back"),
    ]
    assert all(layout.has_lamps(kind) for kind in ("cells", "columns", "turns"))


def test_the_small_board_has_buttons_the_bar_and_few_lamps():
    layout = Layout.load("5x4")
    assert list(layout.switches) == [*(f"column {n}" for n in range(1, 6)), "bar"]
    assert [layout.has_lamps(kind) for kind in ("cells", "columns", "turns")] == [False, True, True]
    assert len(layout.places) == 7


def test_an_installed_package_reads_the_layouts_beside_its_module(tmp_path, monkeypatch):
    (tmp_path / "layouts").mkdir()
    (tmp_path / "layouts" / "tiny.toml").write_text(GOOD)
    monkeypatch.setattr(layout_module, "__file__", str(tmp_path / "layout.py"))
    assert shipped() == ("tiny",)
    assert Layout.load("tiny").title == "Test board"


# What a layout is.


def test_a_file_is_read_by_its_path_and_named_after_it(load):
    layout = load(GOOD)
    assert (layout.name, layout.title, layout.driver) == ("my", "Test board", "gpio")
    assert dict(layout.switches) == {"column 1": "GPIO5", "column 2": "GPIO6", "column 3": "GPIO13", "bar": "GPIO16"}
    assert (layout.milliamps, layout.brightness) == (1000, 0.5)
    assert (layout.channel_milliamps, layout.idle_milliamps) == (20, 1)
    assert not layout.has_lamps("turns")


def test_a_byte_order_mark_is_passed_over(load):
    assert load("\ufeff" + GOOD) == load(GOOD)


def test_a_path_can_be_a_text(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(GOOD)
    assert Layout.load(str(path)) == Layout.load(path)


def test_every_optional_switch_gets_its_name(load):
    more = """\
menu = "GPIO17"
take_back = "GPIO18"
yellow_columns = ["GPIO19", "GPIO20", "GPIO21"]
drop_sensors = ["GPIO22", "GPIO23", "GPIO24"]
pop_sensors = ["GPIO25", "GPIO26", "GPIO27"]
"""
    switches = load(GOOD.replace('bar = "GPIO16"\n', 'bar = "GPIO16"\n' + more)).switches
    assert (switches["menu"], switches["take back"]) == ("GPIO17", "GPIO18")
    assert switches["yellow column 1"] == "GPIO19"
    assert switches["drop sensor 3"] == "GPIO24"
    assert switches["pop sensor 2"] == "GPIO26"


def test_a_board_of_another_driver_names_its_pins_as_it_likes(load):
    text = GOOD.replace('driver = "gpio"\n', "").replace("GPIO", "expander/")
    layout = load(text)
    assert layout.driver == ""
    assert layout.switches["bar"] == "expander/16"


def test_a_board_without_lamps_is_a_board(load):
    layout = load(GOOD[: GOOD.index("[lamps]")])
    assert layout.chain is None
    assert layout.places == ()
    assert not layout.has_lamps("cells")
    assert layout.colours(Frame.dark(3, 2)) == ()


def test_a_layout_cannot_be_changed_and_can_be_a_key():
    layout = Layout.load("5x4")
    with pytest.raises(AttributeError):
        layout.columns = 6  # type: ignore[misc]
    with pytest.raises(TypeError):
        layout.switches["menu"] = "GPIO2"  # type: ignore[index]
    assert {layout: 1}[Layout.load("5x4")] == 1


def test_two_sizes_in_one_process_do_not_mix():
    first, second = Layout.plain(7, 6), Layout.plain(4, 9)
    assert len(first.places) == 42 + 7 + 2
    assert len(second.places) == 36 + 4 + 2
    assert len(Layout.plain(7, 6).switches) == 14


# The plain board.


def test_the_plain_board_has_every_lamp_and_switch_and_no_pins():
    layout = Layout.plain(12, 10)
    assert (layout.columns, layout.rows, layout.driver) == (12, 10, "")
    assert list(layout.switches) == [
        *(f"column {n}" for n in range(1, 13)),
        *("bar", "menu", "take back", "anvil", "bomb", "wall", "x2"),
    ]
    assert set(layout.switches.values()) == {""}
    assert all(layout.has_lamps(kind) for kind in ("cells", "columns", "turns"))


@pytest.mark.parametrize(
    ("columns", "rows", "sentence"),
    [
        (33, 6, "A board has 1 to 32 columns, not 33."),
        (0, 6, "A board has 1 to 32 columns, not 0."),
        (7, 33, "A board has 1 to 32 rows, not 33."),
        (7, -1, "A board has 1 to 32 rows, not -1."),
    ],
)
def test_a_plain_board_of_another_size_is_refused(columns, rows, sentence):
    with pytest.raises(LayoutSizeError) as refusal:
        Layout.plain(columns, rows)
    assert str(refusal.value) == sentence


# The chain of lamps.


def cells(start: str, along: str, serpentine: bool) -> list[tuple[int, int]]:
    part = CellLamps(start=start, along=along, serpentine=serpentine)  # type: ignore[arg-type]
    return [tuple(place) for place in part.places(2, 3)]  # type: ignore[misc]


def test_the_wire_runs_up_and_down_behind_the_columns():
    assert cells("bottom left", "column", True) == [(1, 1), (1, 2), (1, 3), (2, 3), (2, 2), (2, 1)]


def test_the_wire_runs_from_the_top_of_each_column_from_the_right():
    assert cells("top right", "column", False) == [(2, 3), (2, 2), (2, 1), (1, 3), (1, 2), (1, 1)]


def test_the_wire_runs_to_and_fro_along_the_rows():
    assert cells("top left", "row", True) == [(1, 3), (2, 3), (2, 2), (1, 2), (1, 1), (2, 1)]


def test_the_wire_runs_along_the_rows_from_the_right_below():
    assert cells("bottom right", "row", False) == [(2, 1), (1, 1), (2, 2), (1, 2), (2, 3), (1, 3)]


def test_the_kinds_come_in_the_order_of_the_file(load):
    layout = load(GOOD)
    assert layout.chain is not None
    assert layout.chain.kinds == ("cells", "columns")
    assert layout.places[0] == CellPlace(1, 1)
    assert layout.places[-3:] == (ColumnPlace(3), ColumnPlace(2), ColumnPlace(1))


def test_a_frame_is_laid_along_the_chain():
    layout = Layout.load("5x4")
    frame = Frame(((9,) * 4,) * 5, (0x010000, 0x020000, 0x030000, 0x040000, 0x050000), (0xFF0000, 0xFFFF00))
    assert layout.colours(frame) == (0x050000, 0x040000, 0x030000, 0x020000, 0x010000, 0xFF0000, 0xFFFF00)


def test_yellows_turn_lamp_may_come_first(load):
    part = '[[lamps.parts]]\nkind = "turns"\nstart = "yellow"\n\n[supply]'
    layout = load(GOOD.replace("[supply]", part))
    assert layout.places[-2:] == (TurnPlace("yellow"), TurnPlace("red"))
    assert layout.colours(Frame(((0, 0),) * 3, (0,) * 3, (1, 2)))[-2:] == (2, 1)


@given(
    st.integers(1, 32),
    st.integers(1, 32),
    st.sampled_from(["bottom left", "bottom right", "top left", "top right"]),
    st.sampled_from(["column", "row"]),
    st.booleans(),
)
def test_every_cell_has_its_lamp_and_a_serpentine_never_jumps(columns, rows, start, along, serpentine):
    places = list(CellLamps(start=start, along=along, serpentine=serpentine).places(columns, rows))
    assert sorted(places) == [(column, row) for column in range(1, columns + 1) for row in range(1, rows + 1)]
    first = (columns if "right" in start else 1, rows if "top" in start else 1)
    assert places[0] == first
    if serpentine:
        for (column, row), (next_column, next_row) in pairwise(places):
            assert abs(column - next_column) + abs(row - next_row) == 1


# What is wrong with a file, and the sentence for it.


def test_a_pin_used_for_two_switches_names_both(refused):
    error = refused('bar = "GPIO16"', 'bar = "GPIO6"')
    assert isinstance(error, LayoutPinConflict)
    assert isinstance(error, ValueError)
    assert error.code == "layout-pin-conflict"
    assert str(error) == (
        "my.toml: the pin GPIO6 is used twice, for “column 2” and for “bar”. Give one of them another pin."
    )


def test_a_pin_used_for_a_switch_and_the_lamps_names_both(refused):
    error = refused('pin = "GPIO10"', 'pin = "GPIO5"')
    assert isinstance(error, LayoutPinConflict)
    assert str(error) == (
        "my.toml: the pin GPIO5 is used twice, for “column 1” and for “lamps”. Give one of them another pin."
    )


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("columns = 3", "columns = 33", "my.toml, key columns: a board has 1 to 32 columns."),
        ("columns = 3", "columns = 0", "my.toml, key columns: a board has 1 to 32 columns."),
        ("columns = 3", "columns = 0x" + "f" * 9000, "my.toml, key columns: a board has 1 to 32 columns."),
        ("rows = 2", "rows = 40", "my.toml, key rows: a board has 1 to 32 rows."),
        ("rows = 2", "rows = -6", "my.toml, key rows: a board has 1 to 32 rows."),
    ],
)
def test_a_size_out_of_range_is_refused_and_never_replaced(refused, old, new, sentence):
    error = refused(old, new)
    assert isinstance(error, LayoutSizeError)
    assert error.code == "layout-size"
    assert str(error) == sentence


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            'columns = ["GPIO5", "GPIO6", "GPIO13"]',
            'columns = ["GPIO5", "GPIO6"]',
            "my.toml, key switches.columns: it must list one pin for each column. The board has columns = 3, but the "
            "number of pins is 2.",
        ),
        (
            'bar = "GPIO16"',
            'bar = "GPIO16"\npop_sensors = ["GPIO20", "GPIO21", "GPIO22", "GPIO23"]',
            "my.toml, key switches.pop_sensors: it must list one pin for each column. The board has columns = 3, but "
            "the number of pins is 4.",
        ),
        (
            'driver = "gpio"',
            'driver = "i2c"',
            "my.toml, key driver: there is no driver “i2c” whose pins are known. Write “gpio” for the pins of a "
            "Raspberry Pi or “serial” for those of a Pico, or leave the key out if the board has another driver.",
        ),
        (
            "GPIO16",
            "GPIO28",
            "my.toml, pin of “bar”: a Raspberry Pi has no pin “GPIO28” for it. Write GPIO2 to GPIO27, the GPIO's own "
            "number and not its place on the header.",
        ),
        (
            "GPIO13",
            "13",
            "my.toml, pin of “column 3”: a Raspberry Pi has no pin “13” for it. Write GPIO2 to GPIO27, the GPIO's own "
            "number and not its place on the header.",
        ),
        (
            'driver = "gpio"',
            'driver = "serial"',
            "my.toml, pin of “column 1”: a Pico has no pin “GPIO5” for it. Write GP0 to GP22 or GP26 to GP28, the "
            "GP's own number and not its place on the edge.",
        ),
        ('title = "Test board"', 'title = " "', None),
        (
            "milliamps = 1000",
            "milliamps = -5",
            "my.toml, key supply.milliamps: -5 mA is not possible. It must be from 1 to 60000 mA.",
        ),
        (
            "milliamps = 1000",
            "milliamps = 2e6",
            "my.toml, key supply.milliamps: 2e+06 mA is not possible. It must be from 1 to 60000 mA.",
        ),
        (
            "milliamps = 1000",
            "milliamps = nan",
            "my.toml, key supply.milliamps: nan mA is not possible. It must be from 1 to 60000 mA.",
        ),
        (
            "milliamps = 1000",
            "milliamps = 1000\nchannel_milliamps = 0",
            "my.toml, key supply.channel_milliamps: 0 mA is not possible. It must be from 1 to 100 mA.",
        ),
        (
            "milliamps = 1000",
            "milliamps = 9",
            "my.toml, key supply.milliamps: 9 mA leave nothing for light, since the dark lamps alone (9) take 9 mA. "
            "Use a stronger supply or fewer lamps.",
        ),
        (
            "brightness = 0.5",
            "brightness = 1.01",
            "my.toml, key supply.brightness: 1.01 is not possible. It must be from 0 (dark) to 1 (full light).",
        ),
        (
            "brightness = 0.5",
            "brightness = nan",
            "my.toml, key supply.brightness: nan is not possible. It must be from 0 (dark) to 1 (full light).",
        ),
        (
            'kind = "columns"\nstart = "right"',
            'kind = "cells"\nstart = "top left"\nalong = "row"\nserpentine = false',
            "my.toml, key lamps.parts: the kind “cells” is there twice. Each can be in the chain once.",
        ),
        (
            GOOD[GOOD.index("[supply]") :],
            "",
            "my.toml: the table [supply] is missing. Say in it how many milliamps the lamps may take together.",
        ),
        (
            GOOD[GOOD.index("[[lamps.parts]]") : GOOD.index("[supply]")],
            "parts = []\n",
            "my.toml, key lamps.parts: it is empty. Describe the lamps, or leave out [lamps] on a board without.",
        ),
        # What the decoding itself finds.
        (
            'bar = "GPIO16"',
            'bar = "GPIO16"\nmenue = "GPIO17"',
            "my.toml: the key switches.menue is unknown. The keys that can stand there are columns, bar, menu, "
            "take_back, anvil, bomb, wall, x2, yellow_columns, drop_sensors, pop_sensors, pull, closed, inverted.",
        ),
        (
            "rows = 2",
            "rows = 2\nrow = 2",
            "my.toml: the key row is unknown. The keys that can stand there are title, columns, rows, actuation, "
            "switches, driver, matrix, expanders, lamps, leds, supply.",
        ),
        (
            'start = "right"',
            'start = "right"\nserpentine = true',
            "my.toml: the key lamps.parts[2].serpentine is unknown. The keys that can stand there are kind, start.",
        ),
        ("rows = 2\n", "", "my.toml: the key rows is missing."),
        ('bar = "GPIO16"\n', "", "my.toml: the key switches.bar is missing."),
        ('kind = "columns"\n', "", "my.toml: the key lamps.parts[2].kind is missing."),
        ("serpentine = true\n", "", "my.toml: the key lamps.parts[1].serpentine is missing."),
        ("rows = 2", 'rows = "2"', "my.toml, key rows: this must be a whole number."),
        ("rows = 2", "rows = 2.5", "my.toml, key rows: this must be a whole number."),
        ("rows = 2", "rows = true", "my.toml, key rows: this must be a whole number."),
        ('bar = "GPIO16"', "bar = 16", "my.toml, key switches.bar: this must be a text in quotation marks."),
        ('"GPIO13"]', "13]", "my.toml, key switches.columns[3]: this must be a text in quotation marks."),
        (
            'columns = ["GPIO5", "GPIO6", "GPIO13"]',
            'columns = "GPIO5"',
            "my.toml, key switches.columns: this must be a list in square brackets.",
        ),
        ("brightness = 0.5", 'brightness = "half"', "my.toml, key supply.brightness: this must be a number."),
        ("serpentine = true", "serpentine = 1", "my.toml, key lamps.parts[1].serpentine: this must be true or false."),
        (
            'actuation = "button"',
            'actuation = "buton"',
            'my.toml, key actuation: this value is not possible. It must be one of "button", "disc".',
        ),
        (
            'kind = "columns"',
            'kind = "buttons"',
            'my.toml, key lamps.parts[2].kind: this value is not possible. It must be one of "cells", "columns", '
            '"turns".',
        ),
        (
            'start = "right"',
            'start = "middle"',
            'my.toml, key lamps.parts[2].start: this value is not possible. It must be one of "left", "right".',
        ),
        (
            'order = "grb"',
            'order = "bgr"',
            'my.toml, key lamps.order: this value is not possible. It must be one of "rgb", "grb", "rgbw", "grbw".',
        ),
        ("milliamps = 1000", "milliamps = 0x" + "f" * 9000, None),
        ("[supply]\nmilliamps = 1000\nbrightness = 0.5\n", "[[supply]]\nmilliamps = 1000\n", None),
    ],
)
def test_what_is_wrong_is_said_with_file_and_key(refused, old, new, sentence):
    error = refused(old, new)
    assert isinstance(error, LayoutInvalid)
    assert isinstance(error, ValueError)
    assert error.code == "layout-invalid"
    if sentence is None:
        assert str(error).startswith("my.toml, key ")
    else:
        assert str(error) == sentence


def test_an_empty_pin_is_refused_for_any_driver(load):
    with pytest.raises(LayoutInvalid) as refusal:
        load(GOOD.replace('driver = "gpio"\n', "").replace('bar = "GPIO16"', 'bar = ""'))
    assert str(refusal.value) == "my.toml, pin of “bar”: it is empty. Write the name of the pin."


def test_a_missing_layout_lists_those_that_are_shipped():
    with pytest.raises(LayoutMissing) as refusal:
        Layout.load("8x8")
    assert isinstance(refusal.value, FileNotFoundError)
    assert refusal.value.code == "layout-missing"
    assert str(refusal.value) == (
        "There is no board layout “8x8”. Name one of the shipped ones (5x4, 7x6-club, 7x6-pi, 7x6-pico) "
        "or the path of a layout file."
    )


def test_text_that_is_not_toml_names_line_and_column(load):
    with pytest.raises(LayoutUnreadable) as refusal:
        load('title = "Test"\nthis is not toml\n')
    assert str(refusal.value) == (
        "my.toml, line 2, column 6: this is not TOML. Compare it with one of the shipped layouts."
    )


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\x00", b"title = ", b"x = " + b"[" * 20_000, b"x = " + b"9" * 20_000, b"\x00" * 50]
)
def test_a_file_of_any_bytes_is_refused_in_a_sentence(load, content):
    with pytest.raises(LayoutUnreadable) as refusal:
        load(content)
    assert str(refusal.value).startswith("my.toml")
    assert "not TOML" in str(refusal.value)


@given(st.binary(max_size=60))
def test_no_bytes_at_all_make_anything_but_a_layout_error(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes(content)
    with pytest.raises(LayoutError):
        Layout.load(path)


def test_a_file_far_too_large_is_not_read_to_its_end(load):
    with pytest.raises(LayoutUnreadable) as refusal:
        load(b"#" * 70_000)
    assert str(refusal.value) == "my.toml is too large to be a board layout: the limit is 64 KiB."


def test_a_folder_is_no_layout(tmp_path: Path):
    with pytest.raises(LayoutUnreadable) as refusal:
        Layout.load(tmp_path)
    assert str(refusal.value) == f"The board layout {tmp_path} cannot be read: Is a directory."


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_is_no_layout_and_is_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(LayoutUnreadable) as refusal:
        Layout.load(tmp_path / "pipe.toml")
    assert str(refusal.value) == f"{tmp_path / 'pipe.toml'} is no file, so it cannot be a board layout."


def test_a_path_may_begin_with_the_home_folder(tmp_path: Path, monkeypatch):
    (tmp_path / "my.toml").write_text(GOOD, encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert Layout.load("~/my.toml").name == "my"
    with pytest.raises(LayoutMissing, match=r"“~nobody-is-called-so/my\.toml”"):
        Layout.load("~nobody-is-called-so/my.toml")
