"""The switches, each on a pin: all of them are read at once."""

from machine import Pin, mem32
from micropython import const

_LEVELS = const(0xD0000004)  # the register with the level of every pin
_PULLS = {"up": Pin.PULL_UP, "down": Pin.PULL_DOWN, "none": None}


class Switches:
    """The switches of a board, counted from 0 in the order of its description.

    :ivar closed: of each switch whether it was closed when `look` looked last; the same list for ever.
    """

    def __init__(self, told: dict) -> None:
        pull = _PULLS[told["pull"]]
        self._pins = [switch["pin"] for switch in told["switches"]]
        self._closed_levels = [switch["closed"] for switch in told["switches"]]
        self._mask = 0
        for pin in self._pins:
            Pin(pin, Pin.IN, pull)
            self._mask |= 1 << pin
        self.closed = [False] * len(self._pins)
        # Not the levels of any pins, so that the first look takes all of them in.
        self._levels = -1
        self.look()

    def look(self) -> int:
        """Read the pins: the switches that have changed since it was done last, as a mask."""
        levels = mem32[_LEVELS] & self._mask
        if levels == self._levels:
            return 0
        self._levels = levels
        changed = 0
        for switch in range(len(self._pins)):
            closed = levels >> self._pins[switch] & 1 == self._closed_levels[switch]
            if closed != self.closed[switch]:
                self.closed[switch] = closed
                changed |= 1 << switch
        return changed


def mask(told: dict, key: str) -> int:
    """The switches of which a description says yes to a key, as a mask."""
    found = 0
    for place, switch in enumerate(told["switches"]):
        if switch[key]:
            found |= 1 << place
    return found
