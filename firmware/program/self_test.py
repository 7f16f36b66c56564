"""The lamps one after the other in each colour, so that a person sees whether all of them work."""

from micropython import const

COLOURS = (0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF)
_STEP_MS = const(60)


class SelfTest:
    """A test under way, which goes round until nobody steps on.

    :ivar colours: what the lamps are to show; the same list for ever.
    :ivar whole: whether each lamp was lit in each colour.
    """

    def __init__(self, lamps: int, now: int) -> None:
        self.colours = [0] * lamps
        self.whole = not lamps
        self._steps = 0
        self._next_at = now

    def step(self, now: int) -> bool:
        """Let time pass: whether there is something new to show."""
        lamps = len(self.colours)
        if now < self._next_at or not lamps:
            return False
        if self._steps == lamps * len(COLOURS):
            # Only now has the last one had its time. Whether it goes on is up to whoever looks at that.
            self._steps = 0
            self.whole = True
            return False
        self._next_at = now + _STEP_MS
        lamp = self._steps % lamps
        self.colours[lamp - 1] = 0
        self.colours[lamp] = COLOURS[self._steps // lamps]
        self._steps += 1
        return True
