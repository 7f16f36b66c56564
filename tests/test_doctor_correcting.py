from __future__ import annotations

import os
import stat
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from popout.board.chain import CellLamps, ColumnLamps, TurnLamps
from popout.board.contacts import Leds
from popout.board.layout import Layout, LayoutInvalid, path_of, shipped
from popout.doctor.correcting import (
    CorrectionFailed,
    LayoutNotWritten,
    LayoutThere,
    difference,
    edited,
    layout_text,
    place_of,
    write_corrected,
)
from popout.doctor.edits import Edits, corrected

PI = Layout.load("7x6-pi")
TEXT = layout_text(path_of("7x6-pi"))


def read(text: str, folder: Path, name: str = "7x6-pi") -> Layout:
    file = folder / f"{name}.toml"
    file.write_text(text, encoding="utf-8")
    return Layout.load(file)


def changed(text: str, edits: Edits) -> list[str]:
    """The lines that change, without the places where they are."""
    return [line for line in difference(text, edited(text, edits), "x")[2:] if line[0] in "-+"]


def test_exchanged_pins_change_one_line_and_keep_everything_else():
    edits = Edits(pins={"column 1": "GPIO6", "column 2": "GPIO5"})

    assert changed(TEXT, edits) == [
        '-columns = ["GPIO5", "GPIO6", "GPIO13", "GPIO19", "GPIO26", "GPIO21", "GPIO20"]',
        '+columns = ["GPIO6", "GPIO5", "GPIO13", "GPIO19", "GPIO26", "GPIO21", "GPIO20"]',
    ]


def test_a_comment_behind_a_value_stays():
    edits = Edits(pins={"bar": "GPIO25", "menu": "GPIO16"}, order="rgb")

    lines = changed(TEXT, edits)

    assert '+bar = "GPIO25"           # closed while the bar is open' in lines
    assert any(line.startswith('+order = "rgb"            # the order in which') for line in lines)


def test_a_list_over_several_lines_keeps_its_comments():
    text = TEXT.replace('["GPIO5", "GPIO6",', '[\n  "GPIO5", # left\n  "GPIO6",')

    assert changed(text, Edits(pins={"column 1": "GPIO6", "column 2": "GPIO5"})) == [
        '-  "GPIO5", # left',
        '-  "GPIO6", "GPIO13", "GPIO19", "GPIO26", "GPIO21", "GPIO20"]',
        '+  "GPIO6", # left',
        '+  "GPIO5", "GPIO13", "GPIO19", "GPIO26", "GPIO21", "GPIO20"]',
    ]


def test_the_inverted_switches_are_added_and_taken_away():
    with_bar = edited(TEXT, Edits(inverted=frozenset({"bar"})))
    assert 'inverted = ["bar"]' in with_bar

    assert 'inverted = ["columns"]' in edited(with_bar, Edits(inverted=frozenset({"columns"})))
    assert "inverted" not in edited(with_bar, Edits(inverted=frozenset())).replace("# inverted", "")


EVERYTHING = Edits(
    pins={"column 1": "GPIO25", "menu": "GPIO5"},
    closed="high",
    inverted=frozenset({"bar", "columns"}),
    order="rgbw",
    parts=(
        TurnLamps(start="yellow"),
        CellLamps(start="top right", along="row", serpentine=False),
        ColumnLamps(start="left"),
    ),
)


def test_all_corrections_at_once_read_back_as_they_are_meant(tmp_path: Path):
    assert read(edited(TEXT, EVERYTHING), tmp_path) == corrected(PI, EVERYTHING)


def test_parts_that_change_places_take_their_comments_along():
    text = edited(TEXT, EVERYTHING)

    assert text.index('kind = "turns"') < text.index('kind = "cells"') < text.index('kind = "columns"')
    assert 'start = "top right"      # the corner of the first lamp' in text
    assert 'along = "row"            # or "row": where the wire runs' in text
    assert "serpentine = false       # every second column" in text
    assert 'order = "rgbw"           # the order in which' in text
    assert "\n\n\n" not in text
    assert text.endswith(TEXT[TEXT.index("\n[supply]") :])


@pytest.mark.parametrize("name", shipped())
def test_every_shipped_layout_can_be_corrected(name: str, tmp_path: Path):
    layout = Layout.load(name)
    switches = dict(zip(layout.switches, reversed(layout.switches.values()), strict=True))
    edits = Edits(pins=switches, inverted=frozenset({"bar"}))
    if layout.chain is not None:
        edits = replace(edits, order="rgb", parts=layout.chain.parts[::-1])

    text = edited(layout_text(path_of(name)), edits)

    assert read(text, tmp_path, name) == corrected(layout, edits)


def test_parts_in_square_brackets(tmp_path: Path):
    start, end = TEXT.index("[[lamps.parts]]"), TEXT.index("[supply]")
    parts = 'parts = [\n  {kind = "columns", start = "right"}, # below\n  {kind = "turns", start = "red"},\n]\n\n'
    text = TEXT[:start] + parts + TEXT[end:]
    edits = Edits(parts=(TurnLamps(start="red"), ColumnLamps(start="left")))

    after = edited(text, edits)

    assert '  {kind = "turns", start = "red"}, # below\n' in after
    assert read(after, tmp_path) == corrected(read(text, tmp_path), edits)


def test_plain_leds(tmp_path: Path):
    text = TEXT[: TEXT.index("[lamps]")] + '[leds]\nred = "GPIO17" # left\nyellow = "GPIO27"\n'
    edits = Edits(leds=Leds(red="GPIO27", yellow="GPIO17", lit="low"))

    after = edited(text, edits)

    assert 'red = "GPIO27" # left\nyellow = "GPIO17"\nlit = "low"\n' in after
    assert read(after, tmp_path) == corrected(read(text, tmp_path), edits)


def test_lines_that_end_as_on_windows_stay_so():
    assert edited(TEXT.replace("\n", "\r\n"), Edits(order="rgb")).count("\r\n") == TEXT.count("\n")


def test_without_tomlkit_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "tomlkit", None)

    with pytest.raises(CorrectionFailed) as caught:
        edited(TEXT, Edits(order="rgb"))

    assert str(caught.value) == (
        "Writing a corrected layout needs the Python package “tomlkit”, which is missing. Install it with: "
        "pip install tomlkit"
    )


# Writing


def test_what_was_read_back_is_written(tmp_path: Path):
    target = tmp_path / "mine.toml"

    write_corrected(edited(TEXT, EVERYTHING), target, PI, EVERYTHING, may_replace=False)

    assert replace(Layout.load(target), name=PI.name) == corrected(PI, EVERYTHING)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.toml"]


def test_a_file_that_is_there_is_not_replaced_without_asking(tmp_path: Path):
    target = tmp_path / "mine.toml"
    target.write_text("precious", encoding="utf-8")

    with pytest.raises(LayoutThere) as caught:
        write_corrected(edited(TEXT, EVERYTHING), target, PI, EVERYTHING, may_replace=False)

    assert str(caught.value) == f"{target} is there already, and was left as it is."
    assert target.read_text(encoding="utf-8") == "precious"


def test_a_text_that_does_not_say_what_it_should_is_not_written(tmp_path: Path):
    target = tmp_path / "mine.toml"
    target.write_text("precious", encoding="utf-8")

    with pytest.raises(CorrectionFailed):
        write_corrected(TEXT, target, PI, EVERYTHING, may_replace=True)

    assert target.read_text(encoding="utf-8") == "precious"
    assert [file.name for file in tmp_path.iterdir()] == ["mine.toml"]


def test_a_text_that_is_no_layout_is_not_written(tmp_path: Path):
    with pytest.raises(LayoutInvalid):
        write_corrected("title = 1", tmp_path / "mine.toml", PI, EVERYTHING, may_replace=True)

    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(tmp_path: Path):
    target = tmp_path / "nowhere" / "mine.toml"

    with pytest.raises(LayoutNotWritten) as caught:
        write_corrected(edited(TEXT, EVERYTHING), target, PI, EVERYTHING, may_replace=False)

    assert str(caught.value) == (
        f"The corrected layout cannot be written to {target}: No such file or directory. Choose another place."
    )


def write(target: Path) -> None:
    write_corrected(edited(TEXT, EVERYTHING), target, PI, EVERYTHING, may_replace=True)


def test_where_a_link_leads_is_written_and_the_link_stays(tmp_path: Path):
    target, link = tmp_path / "mine.toml", tmp_path / "link.toml"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)

    write(link)

    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == edited(TEXT, EVERYTHING)


def test_who_may_read_a_file_that_is_replaced_stays_so(tmp_path: Path):
    target = tmp_path / "mine.toml"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o600)

    write(target)

    assert stat.S_IMODE(target.stat().st_mode) == 0o600


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_that_root_replaces_stays_its_owners(tmp_path: Path):
    target = tmp_path / "mine.toml"
    target.write_text("old", encoding="utf-8")
    os.chown(target, 1234, 1235)

    write(target)

    assert (target.stat().st_uid, target.stat().st_gid) == (1234, 1235)


def test_what_is_no_file_is_left_as_it_is(tmp_path: Path):
    target = tmp_path / "mine.toml"
    os.mkfifo(target)

    with pytest.raises(LayoutThere) as caught:
        write(target)

    assert str(caught.value) == f"{target} is there already, and was left as it is."
    assert target.is_fifo()


def test_files_beside_it_are_left_as_they_are(tmp_path: Path):
    other = tmp_path / ".mine.new.toml"
    other.write_text("precious", encoding="utf-8")

    write(tmp_path / "mine.toml")

    assert other.read_text(encoding="utf-8") == "precious"
    assert sorted(file.name for file in tmp_path.iterdir()) == [".mine.new.toml", "mine.toml"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (".", "Is a directory"),
        ("/", "Is a directory"),
        ("~nobodyhere/x.toml", "Could not determine home directory"),
        ("x" * 300, "File name too long"),
        ("nowhere/x.toml", "No such file or directory"),
        ("a\0b", "embedded null byte"),
    ],
)
def test_a_place_where_nothing_can_be_written(name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)

    with pytest.raises(LayoutNotWritten) as caught:
        place_of(Path(name))

    assert str(caught.value) == (
        f"The corrected layout cannot be written to {Path(name)}: {reason}. Choose another place."
    )


def test_a_folder_in_which_nothing_may_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "access", lambda *_: False)  # which root never sees

    with pytest.raises(LayoutNotWritten, match="Permission denied"):
        place_of(tmp_path / "mine.toml")


def test_a_layout_file_that_has_gone(tmp_path: Path):
    with pytest.raises(CorrectionFailed) as caught:
        layout_text(tmp_path / "gone.toml")

    assert "cannot be read: No such file or directory." in str(caught.value)


def test_no_edits_are_false_and_change_nothing():
    assert not Edits()
    assert corrected(PI, Edits()) == PI
    assert edited(TEXT, Edits()) == TEXT
    assert Edits(inverted=frozenset())


def test_another_order_leaves_the_rest_of_the_chain():
    assert corrected(PI, Edits(order="rgb")).chain == msgspec.structs.replace(PI.chain, order="rgb")
