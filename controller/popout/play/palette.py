"""Colours of the lamps, and the rhythms in which they change.

Every rhythm is a function of time that also says until when its answer holds. Its times are whole milliseconds,
multiples of `STEP_MS`, which makes that end exact: a `Light` that stays until t is another one at t, and not before.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from popout.board.frame import DARK, Colour
from popout.play.settings import Palette
from popout.rules.moves import PowerDisc
from popout.rules.side import RED, YELLOW, Side

Light = tuple[Colour, float]
"""A lamp's colour and the time until which it stays, in milliseconds; `math.inf` if it stays for good."""

WHITE: Colour = 0xFFFFFF
VIOLET: Colour = 0x8000FF
OUT: Light = (DARK, inf)
"""A lamp that stays dark."""

# How bright a lamp is.
FULL = 1.0
"""What matters now."""
LAST = 0.6
"""The last move."""
DIM = 0.25
"""What is there, and what may be done."""
FAINT = 0.07
"""What is there beside something that matters more."""

COLOURS: dict[Palette, dict[Side, Colour]] = {
    "classic": {RED: 0xFF0000, YELLOW: 0xFFB000},
    "colour-blind": {RED: 0x0048FF, YELLOW: 0xFF7000},
    "mono": {RED: WHITE, YELLOW: WHITE},
}
MENU_COLOURS: tuple[Colour, ...] = (
    0x00FF00,
    0x0000FF,
    0xFFFFFF,
    0x00FFFF,
    0xFF00FF,
    0xFF8000,
    0xFF0000,
    0x80FF00,
)

STEP_MS = 40
"""Light changes at multiples of this time only, so that no more than 25 frames are drawn in a second, whatever moves
together. Every time below is a multiple of it."""

YELLOW_PERIOD_MS = 4_000
YELLOW_DARK_MS = 320
"""Yellow's sign for eyes that do not see it: all of yellow goes dark for a moment. Two changes in four seconds wake an
idle game once in two seconds."""

# No light flashes more than three times in a second: that can harm people with photosensitive epilepsy.
BLINK_MS: dict[Side | None, tuple[int, ...]] = {
    RED: (320, 320),
    YELLOW: (160, 120, 160, 360),
    None: (520, 520),
}
"""Light, dark, and so on: red blinks evenly, yellow twice and a pause, what belongs to nobody slowly."""
POWER_MS: dict[PowerDisc, tuple[int, ...]] = {
    disc: (200, 200) * (flashes - 1) + (200, 1_200) for flashes, disc in enumerate(PowerDisc, 1)
}
"""The turn lamp while a power disc is at work: one flash for the anvil, two, three and four for bomb, wall and x2."""
REFUSED_MS = (200, 160, 200, 160, 200)
"""Light, dark, light, dark, light, and over."""
COMMITTED_MS = 240

# Squares of even steps, since the eye sees a ratio where the lamp has a difference; no two neighbours are equal.
PULSE_STEP_MS = STEP_MS
PULSE = tuple((1 - 0.55 * (15 - abs(15 - step)) / 15) ** 2 for step in range(30))
BREATH_STEP_MS = 2 * STEP_MS
BREATH = tuple(LAST * (1 - 0.65 * (25 - abs(25 - step)) / 25) ** 2 for step in range(50))


def step_at(time: float) -> int:
    """The last multiple of `STEP_MS` that is not after `time`, in milliseconds."""
    return int(time // STEP_MS) * STEP_MS


def scaled(colour: Colour, level: float) -> Colour:
    """`colour` at `level`, from 0 (dark) to 1."""
    return (
        round((colour >> 16) * level) << 16 | round((colour >> 8 & 0xFF) * level) << 8 | round((colour & 0xFF) * level)
    )


def blink(colour: Colour, lengths: Sequence[int], since: int, now: int) -> Light:
    """`colour` light and dark in turn for `lengths`, over and over, beginning with light at `since`."""
    time = (now - since) % sum(lengths)
    light = True
    for length in lengths:
        if time < length:
            break
        time -= length
        light = not light
    return (colour if light else DARK), now - time + length


def wave(levels: Sequence[float], step_ms: int, since: int, now: int) -> tuple[float, float]:
    """The level of a wave that begins with its first level at `since`, and until when it stays."""
    step = (now - since) // step_ms
    return levels[step % len(levels)], since + (step + 1) * step_ms


def yellow_moment(now: int) -> tuple[bool, float]:
    """Whether yellow is in its dark moment at `now`, and until when it stays as it is."""
    time = now % YELLOW_PERIOD_MS
    dark = time < YELLOW_DARK_MS
    return dark, now - time + (YELLOW_DARK_MS if dark else YELLOW_PERIOD_MS)
