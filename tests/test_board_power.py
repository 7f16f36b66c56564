"""Brightness and current of a frame."""

from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.board.contacts import Leds
from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.board.power import milliamps, within_limits

PLAIN = Layout.plain(2, 2)  # 4 cells, 2 columns and 2 turns: 8 lamps
WHITE = 0xFFFFFF


def all_in(colour: int) -> Frame:
    return Frame(((colour,) * 2,) * 2, (colour,) * 2, (colour, colour))


def test_the_dark_board_takes_what_its_idle_lamps_take():
    assert milliamps(Frame.dark(2, 2), PLAIN) == 8


def test_the_current_is_that_of_all_colours_of_all_lamps():
    assert milliamps(all_in(WHITE), PLAIN) == 8 * (1 + 3 * 20)
    assert milliamps(all_in(0x00FF00), PLAIN) == 8 * (1 + 20)


def test_lamps_that_the_board_does_not_have_take_no_current():
    layout = Layout.load("5x4")
    cells_only = Frame(((WHITE,) * 4,) * 5, (0,) * 5, (0, 0))
    assert milliamps(cells_only, layout) == 7


def test_a_frame_within_the_limits_is_shown_as_it_is():
    frame = all_in(0x123456)
    assert within_limits(frame, PLAIN) == frame


def test_the_brightness_cap_dims_all_light_alike():
    half = replace(PLAIN, brightness=0.5)
    assert within_limits(all_in(0xFF8000), half) == all_in(0x804000)


def test_no_brightness_is_the_dark():
    assert within_limits(all_in(WHITE), replace(PLAIN, brightness=0.0)) == Frame.dark(2, 2)


def test_a_frame_over_the_supplys_limit_is_scaled_down_and_not_refused():
    weak = replace(PLAIN, milliamps=8 + 240)
    shown = within_limits(all_in(WHITE), weak)
    assert shown == all_in(0x7F7F7F)
    assert milliamps(shown, weak) <= 248


def test_leds_are_not_dimmed_for_the_lamps_of_which_they_take_no_current():
    board = Layout.load("7x6-pi")
    cells = msgspec.structs.replace(board.chain, parts=board.chain.parts[:1])
    layout = replace(board, chain=cells, milliamps=80, leds=Leds(red="GPIO23", yellow="GPIO22"))
    frame = Frame(((WHITE,) * 6,) * 7, (0,) * 7, (0xFF0000, 0x400000))

    shown = within_limits(frame, layout)

    assert shown.cells[0][0] < 0x202020
    assert shown.turns == (0x800000, 0x200000), "the cap of all light is for LEDs too"


def test_the_picture_stays_the_same_when_it_is_scaled_down():
    weak = replace(PLAIN, milliamps=100)
    frame = Frame(((WHITE, 0), (WHITE, 0)), (0x808080, 0x404040), (0xFF0000, 0xFFFF00))
    shown = within_limits(frame, weak)
    assert shown.cells[0][1] == 0
    bright, half, quarter = (colour >> 16 for colour in (shown.cells[0][0], *shown.columns))
    assert bright > half > quarter > 0
    assert half == pytest.approx(bright / 2, abs=1)
    assert shown.turns[0] & 0xFFFF == 0


def test_the_cap_comes_before_the_limit():
    # Halved, the frame is just within the limit: it must not be halved again.
    layout = replace(PLAIN, brightness=0.5, milliamps=8 + 8 * 3 * 20 * 0.51)
    assert within_limits(all_in(WHITE), layout) == all_in(0x808080)


def test_full_white_on_the_pico_board_stays_within_a_usb_port():
    layout = Layout.load("7x6-pico")
    white = Frame(((WHITE,) * 6,) * 7, (WHITE,) * 7, (WHITE, WHITE))
    assert 380 < milliamps(within_limits(white, layout), layout) <= 400


colours = st.integers(0, 0xFFFFFF)
frames = st.builds(
    Frame,
    st.tuples(st.tuples(colours, colours), st.tuples(colours, colours)),
    st.tuples(colours, colours),
    st.tuples(colours, colours),
)


@given(frames, st.floats(8.1, 600), st.floats(0, 1), st.floats(1, 60))
def test_no_frame_ever_passes_the_supplys_limit_or_the_cap(frame, limit, brightness, channel):
    layout = replace(PLAIN, milliamps=limit, brightness=brightness, channel_milliamps=channel)
    shown = within_limits(frame, layout)
    assert milliamps(shown, layout) <= limit + 1e-9
    for before, after in zip(PLAIN.colours(frame), PLAIN.colours(shown), strict=True):
        for shift in (16, 8, 0):
            assert after >> shift & 0xFF <= (before >> shift & 0xFF) * brightness + 0.5
