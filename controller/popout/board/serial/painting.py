"""Bringing pictures to a board: the newest counts, sent whole, and again until the board has said to show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from popout.link import words
from popout.link.pictures import chunks

ARRIVES_MS: Final = 40.0
BYTE_MS: Final = 0.1
"""A picture of which the board has not said for so long, and for each of its bytes, that it shows it is sent again."""
PAUSE_MS: Final = 20.0
"""The pause after a picture that did not arrive whole."""
UNREADABLE_PAUSE_MS: Final = 1000.0
"""And after one that the board does not understand, which sending it again will hardly change."""
REPAINT_MS: Final = 5000.0
"""A picture is sent again after so long, whatever went wrong with it unnoticed."""


class Painter:
    """What the lamps are to show, what they show, and the picture that is under way. Pure; time is an argument.

    Colours are 0xRRGGBB, one a lamp.

    :ivar shown: the picture that the board has said to show; None if it has said so of none.
    """

    def __init__(self, now: float) -> None:
        """Begin with nothing to show."""
        self.shown: tuple[int, ...] | None = None
        self._shown_at = now
        self._wanted: tuple[int, ...] | None = None
        self._sent: tuple[int, ...] | None = None
        self._numbers: set[int] = set()  # of the frames that ask for the picture that was sent last to be shown
        self._chunks: set[int] = set()  # of all frames that were sent last
        self._again_at: float | None = None  # when the picture under way is sent again; None while there is none
        self._not_before = now
        self._picture = 0

    def show(self, colours: Sequence[int]) -> None:
        """Show this picture as soon as the one under way has arrived."""
        self._wanted = tuple(colours)

    def send(self, now: float, say: Callable[[str, str], tuple[int, int]]) -> None:
        """Send what is to be sent now; `say` sends a frame, and gives its number and how many bytes it took."""
        if self._again_at is not None and now >= self._again_at:
            self._again_at = None
            self.shown = None
        if self._again_at is not None or self._wanted is None or now < self._not_before:
            return
        if self._wanted == self.shown and now - self._shown_at < REPAINT_MS:
            return
        if self._wanted != self._sent or self._wanted == self.shown:
            self._picture = (self._picture + 1) % 256
            self._numbers.clear()
        # Else it did not arrive whole; what of it did, the board still has.
        self._sent = self._wanted
        number = length = 0
        self._chunks.clear()
        for payload in chunks(self._picture, self._wanted):
            number, took = say(words.LAMPS, payload)
            self._chunks.add(number)
            length += took
        self._numbers.add(number)
        self._again_at = now + ARRIVES_MS + length * BYTE_MS

    def acknowledged(self, number: int, now: float) -> None:
        """The board shows the picture that this frame completed; of one that was sent twice it may say so late."""
        if number in self._numbers:
            self._numbers.clear()
            self._chunks.clear()
            self.shown, self._shown_at = self._sent, now
            self._again_at = None

    def refused(self, number: int, now: float, *, incomplete: bool) -> None:
        """The frame of this number did not complete a picture: parts of it are missing, or it makes no sense."""
        if number in self._numbers or number in self._chunks:
            self._numbers.discard(number)
            self.shown = None
            self._again_at = None
            # Of a chunk that makes no sense the board says so, and then that it is missing.
            self._not_before = max(self._not_before, now + (PAUSE_MS if incomplete else UNREADABLE_PAUSE_MS))

    def due(self) -> float | None:
        """When `send` has something to send, unless something is heard before; None while nothing waits for it."""
        if self._again_at is not None:
            return self._again_at
        if self._wanted is not None and self._wanted != self.shown:
            return self._not_before
        return None
