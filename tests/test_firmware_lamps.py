"""The firmware of the board on MicroPython's unix port: what its lamps show."""

from __future__ import annotations

import pytest

from firmware_boards import DARK, LAMPS, OPEN, Start, board_of, chain, grb
from firmware_on_unix import Firmware
from popout.link.pictures import chunks


def test_the_lamps_are_dark_before_anything_is_said(start: Start):
    board = start()
    board.hello()
    assert board.wire == [DARK]


def test_a_picture_is_shown_whole_in_the_order_of_the_chain(start: Start):
    board = start()
    board.hello()
    board.pass_time(5)
    assert board.show(*chunks(1, [0x7F0000, 0x007F00, 0x00007F] + [0] * (LAMPS - 3))) == ("A", "")
    board.pass_time(5)
    assert board.wire[-1] == grb(0x7F0000, 0x007F00, 0x00007F) + bytes(3 * (LAMPS - 3))


def test_of_a_picture_without_a_chunk_nothing_is_shown(start: Start):
    board = start()
    board.hello()
    board.pass_time(5)
    colours, _, show = chunks(1, [0x112233] * LAMPS)
    assert board.show(colours, show) == ("R", "incomplete:l")
    board.pass_time(5)
    assert set(board.wire) == {DARK}


def test_pictures_keep_the_rest_between_them_and_the_newest_is_shown(start: Start):
    board = start()
    board.hello()
    board.pass_time(5)
    shown = len(board.wire)
    for number in range(1, 6):  # no time passes: the first is still on the wire
        assert board.show(*chunks(number, [number] * LAMPS)) == ("A", "")
    board.pass_time(20)
    assert board.wire[shown:] == [grb(*[1] * LAMPS), grb(*[5] * LAMPS)]


def test_the_board_keeps_to_its_brightness_and_its_current_whatever_it_is_told(start: Start):
    board = start(board_of(lamps=chain(brightness=0.5), picture=2))
    board.hello()
    board.pass_time(5)
    board.show(*chunks(1, [0xFF0000, 0x000080]))
    board.pass_time(5)
    assert board.wire[-1] == grb(0x800000, 0x000040)
    weak = start(board_of(lamps=chain(milliamps=32), picture=2))
    weak.hello()
    weak.pass_time(5)
    weak.show(*chunks(1, [0xFF00FF, 0xFF00FF]))  # would take 82 mA
    weak.pass_time(5)
    assert 20 * sum(weak.wire[-1]) / 255 + 2 <= 32
    assert weak.wire[-1] == grb(0x5F005F, 0x5F005F)


@pytest.mark.parametrize(
    ("order", "wire"), [("rgb", "ff800010203f"), ("grb", "80ff0020103f"), ("rgbw", "ff80000010203f00")]
)
def test_chains_take_colours_in_their_own_order(start: Start, order: str, wire: str):
    board = start(board_of(lamps=chain(order=order), picture=2))
    board.hello()
    board.pass_time(5)
    board.show(*chunks(1, [0xFF8000, 0x10203F]))
    board.pass_time(5)
    assert board.wire[-1].hex() == wire


def test_lamps_with_white_show_white_and_grey_by_that_alone(start: Start):
    board = start(board_of(lamps=chain(order="grbw"), picture=2))
    board.hello()
    board.pass_time(5)
    board.show(*chunks(1, [0x404040, 0x10203F]))
    board.pass_time(5)
    assert board.wire[-1].hex() == "00000040" + "20103f00"


def test_plain_turn_lamps_are_the_last_two_and_are_lit_or_dark(start: Start):
    board = start(board_of(lamps=chain(brightness=0.5), leds={"red": 14, "yellow": 15, "lit": 0}, picture=4))
    board.hello()
    board.pass_time(5)
    assert board.leds == {14: 1, 15: 1}
    board.show(*chunks(1, [0, 0x000001, 0x800000, 0x0A0A00]))
    board.pass_time(5)
    assert board.leds == {14: 0, 15: 1}
    assert board.wire[-1] == grb(0, 1)


def test_a_picture_is_painted_again_each_second_so_that_no_disturbance_lasts(start: Start):
    board = start()
    board.pass_time(5)
    shown = len(board.wire)
    board.pass_time(3100)
    assert board.wire[shown:] == [DARK] * 3


# The self-test


def lit(board: Firmware, since: int) -> list[tuple[int, bytes]]:
    """Each step that the lamps went: which one was lit, and how."""
    steps = []
    for wire in board.wire[since:]:
        lamps = [wire[at : at + 3] for at in range(0, len(wire), 3)]
        found = [(lamp, colour) for lamp, colour in enumerate(lamps) if any(colour)]
        assert len(found) <= 1
        if found and steps[-1:] != found:
            steps += found
    return steps


def all_colours(lamps: int) -> list[tuple[int, bytes]]:
    return [(lamp, grb(colour)) for colour in (0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF) for lamp in range(lamps)]


def test_a_button_held_at_the_start_lights_each_lamp_in_each_colour_until_it_is_released(start: Start):
    board = start(board_of(lamps=chain(), picture=2), levels=OPEN & ~(1 << 2))
    board.pass_time(4 * 2 * 60 + 100)
    assert lit(board, 0)[:9] == [*all_colours(2), (0, grb(0xFF0000))]
    board.put(2, 1)
    board.pass_time(20)
    shown = len(board.wire)
    board.pass_time(1100)
    assert lit(board, shown) == []
    assert board.wire[-1] == bytes(6)


def test_a_button_released_early_still_lights_all_lamps_once(start: Start):
    board = start(board_of(lamps=chain(), picture=2), levels=OPEN & ~(1 << 2))
    board.pass_time(1)
    board.put(2, 1)
    board.pass_time(2000)
    assert lit(board, 0) == all_colours(2)


def test_a_button_that_is_jammed_gives_way_to_a_host(start: Start):
    board = start(board_of(lamps=chain(), picture=2), levels=OPEN & ~(1 << 2))
    board.pass_time(100)
    board.hello()
    board.show(*chunks(1, [0x000001, 0]))
    board.pass_time(20)
    assert board.wire[-1] == grb(1, 0)


def test_neither_the_bar_nor_a_disc_on_its_lever_begins_a_test(start: Start):
    lever = {"name": "sensor", "pin": 2, "closed": 0, "rests": False, "disc": True}
    bar = {"name": "bar", "pin": 3, "closed": 0, "rests": True, "disc": False}
    board = start(board_of(switches=[lever, bar], lamps=chain(), picture=2), levels=0)
    board.pass_time(300)
    assert lit(board, 0) == []


def test_a_test_that_the_host_asks_for_ends_with_the_picture_that_was_there(start: Start):
    board = start(board_of(lamps=chain(), picture=2))
    board.hello()
    board.pass_time(5)
    board.show(*chunks(1, [0x000001, 0]))
    board.pass_time(5)
    shown = len(board.wire)
    assert board.ask("t") == ("A", "")
    for _ in range(8):
        board.ask("p")
        board.pass_time(100)
    assert lit(board, shown)[:8] == all_colours(2)
    assert board.wire[-1] == grb(1, 0)


def test_a_test_ends_in_the_dark_when_the_host_that_asked_for_it_has_gone(start: Start):
    board = start()
    board.hello()
    board.ask("t")
    board.pass_time(1000)
    assert lit(board, 0)
    board.pass_time(600)
    assert board.wire[-1] == DARK
