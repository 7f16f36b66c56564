"""What the reports of debounced switches make of their levels, the same at both ends of the link.

The file runs unchanged on CPython and on MicroPython. Switches are counted from 0; in a mask the bit of that number
is theirs.
"""

from popout.link.debounce import FAULTY, HEALED, PRESSED, RELEASED, STUCK


class Levels:
    """The switches of a board as far as they were reported.

    :ivar closed: those that are closed, as a mask. :ivar stuck: those that are closed without having been pressed.
    :ivar muted: those that chattered, and are not listened to.
    """

    def __init__(self, closed: int = 0, stuck: int = 0, muted: int = 0) -> None:
        self.closed = closed
        self.stuck = stuck
        self.muted = muted

    def report(self, switch: int, kind: int) -> None:
        """Take note of a report of `popout.link.debounce`."""
        bit = 1 << switch
        if kind == PRESSED:
            self.closed |= bit
        elif kind == RELEASED:
            self.closed &= ~bit
        elif kind == STUCK:
            self.closed |= bit
            self.stuck |= bit
        elif kind == FAULTY:
            self.muted |= bit
        elif kind == HEALED:
            self.muted &= ~bit
            if self.stuck & bit:
                self.stuck &= ~bit
                self.closed &= ~bit
