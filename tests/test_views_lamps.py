"""The lamps of a board in letters."""

from __future__ import annotations

from dataclasses import replace

import pytest

from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.play.palette import COLOURS
from popout.rules import RED, YELLOW
from popout.views.lamps import draw_lamps, letter


def drawn(frame: Frame, layout: Layout) -> str:
    lines, said = draw_lamps(frame, layout)
    return "\n".join([*lines, *map(str, said)])


def test_every_lamp_is_a_letter_where_it_is():
    frame = Frame(((0xFF0000, 0xFFB000, 0), (0, 0, 0), (0xFFFFFF, 0, 0x0000FF)), (0, 0x00FF00, 0), (0x400000, 0))

    assert drawn(frame, Layout.plain(3, 3)) == "\n".join(
        [
            "3  . . B",
            "2  Y . .",
            "1  R . W",
            "   1 2 3",
            "   . G .",
            "Turn lamp of red: r   of yellow: .",
        ]
    )


def test_a_wide_board_has_room_for_its_numbers():
    lines, _ = draw_lamps(Frame.dark(12, 10), Layout.plain(12, 10))

    assert lines[0] == "10   .  .  .  .  .  .  .  .  .  .  .  ."
    assert lines[9] == "1    .  .  .  .  .  .  .  .  .  .  .  ."
    assert lines[10] == "     1  2  3  4  5  6  7  8  9 10 11 12"


def test_lamps_that_are_not_there_are_not_drawn():
    board = Layout.plain(3, 3)

    assert drawn(Frame.dark(3, 3), replace(board, chain=None)) == ""


@pytest.mark.parametrize("palette", ["classic", "colour-blind"])
def test_both_sides_and_white_are_told_apart_by_their_letters(palette: str):
    sides = COLOURS[palette]  # type: ignore[index]

    assert len({letter(sides[RED]), letter(sides[YELLOW]), letter(0xFFFFFF)}) == 3


def test_beside_a_bright_lamp_a_dim_one_is_a_small_letter():
    assert letter(0x200000, 0x80) == "r"
    assert letter(0x200000, 0x20) == "R"
