"""Keeping a frame within the brightness and the current that the board's layout allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from popout.board.frame import Colour, Frame
from popout.board.layout import Layout

_FULL = 255


def milliamps(frame: Frame, layout: Layout) -> float:
    """What all lamps of the board take together to show `frame` as it is, the dark ones included."""
    return layout.idle_milliamps * len(layout.places) + layout.channel_milliamps * _levels(frame, layout) / _FULL


def within_limits(frame: Frame, layout: Layout) -> Frame:
    """The frame that may be sent: at the brightness cap, and scaled down as a whole if it takes too much current.

    Colours are scaled alike, so that the picture stays the same and only its light changes. Lamps that the board
    does not have are scaled too, but take no current.
    """
    cap = layout.brightness
    if cap < 1:
        frame = _scaled(frame, lambda level: int(level * cap + 0.5))
    # In whole levels of one colour, so that no rounding can lift the sum over the limit.
    levels = _levels(frame, layout)
    left = layout.milliamps - layout.idle_milliamps * len(layout.places)
    allowed = int(max(0.0, left) * _FULL / layout.channel_milliamps)
    if levels > allowed:
        dimmed = _scaled(frame, lambda level: level * allowed // levels)
        # Plain LEDs take none of this current, and can only be lit or dark.
        frame = dimmed if layout.leds is None else replace(dimmed, turns=frame.turns)
    return frame


def _levels(frame: Frame, layout: Layout) -> int:
    """The sum of the levels, 0 to 255, of all colours of the lamps that are there."""
    return sum(
        times * ((colour >> 16) + (colour >> 8 & _FULL) + (colour & _FULL))
        for colour, times in Counter(layout.colours(frame)).items()
    )


def _scaled(frame: Frame, scale: Callable[[int], int]) -> Frame:
    # A frame has many lamps but few colours.
    known: dict[Colour, Colour] = {}

    def dimmed(colour: Colour) -> Colour:
        if colour not in known:
            red, green, blue = (scale(level) for level in (colour >> 16, colour >> 8 & _FULL, colour & _FULL))
            known[colour] = red << 16 | green << 8 | blue
        return known[colour]

    return Frame(
        tuple(tuple(map(dimmed, column)) for column in frame.cells),
        tuple(map(dimmed, frame.columns)),
        (dimmed(frame.turns[0]), dimmed(frame.turns[1])),
    )
