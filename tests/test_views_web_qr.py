"""The code that a phone's camera reads."""

from __future__ import annotations

import segno

from popout.views.web import qr

ADDRESS = "http://192.168.1.7:8407/"


def test_the_lines_are_the_code_itself():
    """Each letter is two modules one over the other; light letters on a dark screen are the light modules."""
    drawn = qr.lines(ADDRESS)
    rows = [row for line in drawn for row in ([letter in "█▀" for letter in line], [letter in "█▄" for letter in line])]
    expected = [[not dark for dark in row] for row in segno.make_qr(ADDRESS).matrix_iter(border=2)]

    assert set("".join(drawn)) <= {*qr.BLOCKS, " "}
    assert rows[: len(expected)] == expected


def test_the_drawing_is_an_svg_that_carries_no_script_and_fits_any_size():
    drawn = qr.drawing(ADDRESS).decode()

    assert "<svg" in drawn
    assert "viewBox" in drawn
    assert "<script" not in drawn
    assert qr.drawing("http://192.168.1.8:8407/") != qr.drawing(ADDRESS)
