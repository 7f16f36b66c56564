from itertools import pairwise

import pytest

from popout.board.frame import DARK
from popout.play import palette
from popout.play.palette import BLINK_MS, BREATH, COLOURS, PULSE, STEP_MS, blink, scaled, step_at, wave, yellow_moment
from popout.rules.side import RED, YELLOW


def test_every_time_is_a_multiple_of_the_step_of_light():
    lengths = [length for blinks in BLINK_MS.values() for length in blinks]
    times = [value for name, value in vars(palette).items() if name.endswith("_MS") and isinstance(value, int)]
    assert len(times) > 4
    assert all(time % STEP_MS == 0 for time in (*lengths, *palette.REFUSED_MS, *times))


@pytest.mark.parametrize("levels", [PULSE, BREATH])
@pytest.mark.parametrize("colours", COLOURS.values(), ids=COLOURS)
def test_every_step_of_a_wave_is_another_light(levels, colours):
    for colour in colours.values():
        lights = [scaled(colour, level) for level in (*levels, levels[0])]
        assert all(one != next_one for one, next_one in pairwise(lights))


@pytest.mark.parametrize(
    ("time", "step"), [(0, 0), (39.999, 0), (40, 40), (1234.5, 1200), (-1, -40), (86_400_000_040.0, 86_400_000_040)]
)
def test_light_steps_at_multiples(time, step):
    assert step_at(time) == step


def test_a_colour_is_scaled_part_by_part():
    assert scaled(0xFF8040, 0.5) == 0x804020
    assert scaled(0xFF8040, 1.0) == 0xFF8040
    assert scaled(0xFF8040, 0.0) == DARK


def test_a_blink_begins_with_light_and_says_until_when():
    assert blink(0xFF, (80, 40), 1000, 1000) == (0xFF, 1080)
    assert blink(0xFF, (80, 40), 1000, 1080) == (DARK, 1120)
    assert blink(0xFF, (80, 40), 1000, 1120) == (0xFF, 1200)


def test_a_wave_goes_round_and_says_until_when():
    assert wave((1.0, 0.5), 40, 1000, 1000) == (1.0, 1040)
    assert wave((1.0, 0.5), 40, 1000, 1040) == (0.5, 1080)
    assert wave((1.0, 0.5), 40, 1000, 1080) == (1.0, 1120)


def test_yellow_has_a_dark_moment_in_every_period():
    assert yellow_moment(8_000) == (True, 8_320)
    assert yellow_moment(8_320) == (False, 12_000)


@pytest.mark.parametrize("colours", COLOURS.values(), ids=COLOURS)
def test_each_palette_has_a_colour_for_each_side(colours):
    assert set(colours) == {RED, YELLOW}
    assert DARK not in colours.values()
