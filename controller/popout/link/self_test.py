"""The lamps one after the other in each colour, so that a person sees whether all of them work.

The file runs unchanged on CPython and on MicroPython.
"""

COLOURS = (0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF)
STEP_MS = 60


class SelfTest:
    """A test under way, which goes round until somebody looks at whether it `is_over`.

    :ivar colours: what the lamps are to show; the same list for ever.
    :ivar whole: whether each lamp was lit in each colour.
    :ivar by_hand: whether a button began it that was held while the board got its current, and not a host.
    """

    def __init__(self, lamps: int, now: float, by_hand: bool = False) -> None:
        self.colours = [0] * lamps
        self.whole = not lamps
        self.by_hand = by_hand
        self._steps = 0
        self._next_at = now

    def is_over(self, greeted: bool, held: bool) -> bool:
        """Whether it ends. One that a button began, when that is released, or a host comes; one that a host began, when
        that is gone.

        :param greeted: whether a host is there. :param held: whether a button is closed.
        """
        if self.by_hand:
            return greeted or (self.whole and not held)
        return self.whole or not greeted

    def step(self, now: float) -> bool:
        """Let time pass: whether there is something new to show."""
        lamps = len(self.colours)
        if now < self._next_at or not lamps:
            return False
        if self._steps == lamps * len(COLOURS):
            # Only now has the last one had its time. Whether it goes on is up to whoever looks at that.
            self._steps = 0
            self.whole = True
            return False
        self._next_at = now + STEP_MS
        lamp = self._steps % lamps
        self.colours[lamp - 1] = 0
        self.colours[lamp] = COLOURS[self._steps // lamps]
        self._steps += 1
        return True
