"""What a real contact makes of an ideal press: it bounces when it closes and when it opens, and glitches."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from popout.board.switches import SwitchEvent
from popout.rules.messages import Message, PopoutError


class ContactImpossible(PopoutError, ValueError):
    """A contact cannot be like that."""

    code = "contact-impossible"


@dataclass(frozen=True, slots=True)
class Contact:
    """How one kind of contact behaves. Without arguments it is perfect: one clean edge for every change.

    :ivar press_bounces: how many times it opens again after closing.
    :ivar press_span_ms: within what time after closing it does so, in milliseconds.
    :ivar release_bounces: how many times it closes again after opening.
    :ivar release_span_ms: within what time after opening.
    :ivar glitches: noise caught by a long wire: after every change, pulses of the other level, as pairs (how
        long after the change, how long) in milliseconds.
    :raises ContactImpossible: a number is negative, bounces have no time, or glitches overlap them.
    """

    press_bounces: int = 0
    press_span_ms: float = 0
    release_bounces: int = 0
    release_span_ms: float = 0
    glitches: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        for bounces, span in (
            (self.press_bounces, self.press_span_ms),
            (self.release_bounces, self.release_span_ms),
        ):
            if bounces < 0 or span < 0 or (bounces > 0 and span == 0):
                raise ContactImpossible(
                    Message(
                        "A contact cannot bounce {bounces} times within {span} ms.",
                        bounces=bounces,
                        span=str(span),
                    )
                )
        calm = max(self.press_span_ms, self.release_span_ms)
        for after, length in self.glitches:
            if after <= calm or length <= 0:
                raise ContactImpossible(
                    Message(
                        "A glitch of {length} ms, {after} ms after a change, needs a length and must begin "
                        "later than everything before it ends, at {calm} ms.",
                        length=str(length),
                        after=str(after),
                        calm=str(calm),
                    )
                )
            calm = after + length


PERFECT: Final = Contact()
"""Never bounces."""

LIGHT: Final = Contact(press_bounces=2, press_span_ms=2.5, release_bounces=1, release_span_ms=1.5)
"""A good new push button."""

WORN: Final = Contact(press_bounces=4, press_span_ms=18, release_bounces=3, release_span_ms=14)
"""An old one that still plays: quick taps on it do not come near to chattering."""


class Contacts:
    """Makes the raw edges of contacts that are all of one kind.

    The same seed and the same changes in the same order give the same edges.

    Example::

        Contacts(LIGHT, seed=7).edges("column 4", True, 1000.0)
        # closed at 1000.0, then open, closed, open, closed within 2.5 ms
    """

    def __init__(self, contact: Contact = PERFECT, seed: int = 0) -> None:
        self._contact = contact
        self._random = random.Random(seed)

    def edges(self, switch: str, closed: bool, time: float) -> list[SwitchEvent]:
        """The edges, in ascending time, when `switch` should become `closed` at `time` (milliseconds).

        The first is at `time`, the last has the level `closed`, and levels alternate.
        """
        contact = self._contact
        if closed:
            bounces, span = contact.press_bounces, contact.press_span_ms
        else:
            bounces, span = contact.release_bounces, contact.release_span_ms
        edges = [SwitchEvent(switch, closed, time)]
        level = closed
        for number in range(2 * bounces):
            level = not level
            # One edge in each equal slice of the span, so that they cannot overtake each other.
            slice_ms = span / (2 * bounces)
            edges.append(SwitchEvent(switch, level, time + slice_ms * (number + self._random.uniform(0.1, 0.9))))
        for after, length in contact.glitches:
            edges.append(SwitchEvent(switch, not closed, time + after))
            edges.append(SwitchEvent(switch, closed, time + after + length))
        return edges

    def press(self, switch: str, time: float, length: float) -> list[SwitchEvent]:
        """The edges when `switch` should close at `time` and open again `length` milliseconds later."""
        closing = self.edges(switch, True, time)
        opening = self.edges(switch, False, time + length)
        # A press shorter than the bounces is over before they are.
        return [edge for edge in closing if edge.time < time + length] + opening
