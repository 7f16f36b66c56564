"""The lamps: a chain of WS2812 or SK6812 on one wire, and the two turn lamps if those are plain LEDs."""

from time import sleep_ms, ticks_diff, ticks_us

import micropython
from machine import Pin

from popout.link.pictures import FULL, least_lit, limits, within_limits
from wire import Wire

_WORD_BYTES = micropython.const(4)


class Lamps:
    """The lamps of a board. They are dark when it is made."""

    def __init__(self, told: dict) -> None:
        self._chain = Chain(told["lamps"]) if told["lamps"] else None
        self._leds = Leds(told["leds"], told["lamps"]) if told["leds"] else None
        self._dark = [0] * told["picture"]
        self.show(self._dark)

    def darken(self) -> None:
        """Be dark, after the picture that is under way."""
        while not self.ready():
            sleep_ms(1)
        self.show(self._dark)
        while not self.ready():
            sleep_ms(1)

    def ready(self) -> bool:
        """Whether a picture can be shown now."""
        return self._chain is None or self._chain.ready()

    def show(self, colours: list) -> None:
        """Show a picture, 0xRRGGBB for each lamp: those of the chain, then the plain LEDs. Only when it is `ready`."""
        if self._chain is not None:
            self._chain.show(colours)
        if self._leds is not None:
            self._leds.show(colours)


class Chain:
    """Lamps on a wire, kept within the brightness and the current of the board, whatever they are to show."""

    def __init__(self, told: dict) -> None:
        order = told["order"]
        self._count = told["count"]
        # Of a word the first colour on the wire is the highest byte, and lies last in memory. A word for lamps without
        # white is sent without its lowest byte.
        places = [_WORD_BYTES - 1 - order.find(colour) for colour in "rgb"]
        self._red, self._green, self._blue = places
        self._white = _WORD_BYTES - 1 - order.find("w") if "w" in order else -1
        self._words = bytearray(_WORD_BYTES * self._count)
        self._most_level, self._most_sum = limits(
            self._count, told["brightness"], told["milliamps"], told["idle_milliamps"], told["channel_milliamps"]
        )
        self._wire = Wire(told["pin"], 8 * len(order))
        self._takes_us = self._wire.takes_us(self._count)
        self._began_us = 0
        self._busy = False

    def ready(self) -> bool:
        """Whether the last picture is shown. To be asked often, since its clock wraps around within minutes."""
        if self._busy and ticks_diff(ticks_us(), self._began_us) >= self._takes_us:
            self._busy = False
        return not self._busy

    def show(self, colours: list) -> None:
        """Begin to show the first colours, which takes a while."""
        if len(colours) > self._count:
            colours = colours[: self._count]
        numerator, denominator = within_limits(colours, self._most_level, self._most_sum)
        _spread(colours, self._words, self._red, self._green, self._blue, self._white, numerator, denominator)
        self._began_us = ticks_us()
        self._busy = True
        self._wire.send(self._words, self._count)


class Leds:
    """The turn lamps as plain LEDs, which can only be lit or dark."""

    def __init__(self, leds: dict, lamps) -> None:
        dark = 1 - leds["lit"]
        self._lit = leds["lit"]
        self._leds = [Pin(leds[name], Pin.OUT, value=dark) for name in ("red", "yellow")]
        self._least = least_lit(lamps["brightness"] if lamps else 1)

    def show(self, colours: list) -> None:
        """Light those of the last two colours that are bright enough."""
        for place in range(2):
            colour = colours[place - 2]
            lit = max(colour >> 16, colour >> 8 & FULL, colour & FULL) >= self._least
            self._leds[place].value(self._lit if lit else 1 - self._lit)


@micropython.native
def _spread(
    colours: list,
    words: bytearray,
    red_at: int,
    green_at: int,
    blue_at: int,
    white_at: int,
    numerator: int,
    denominator: int,
) -> None:
    """Write the colours as words, in machine code: it is done for each lamp of each picture, and takes no memory."""
    at = 0
    for colour in colours:
        red = colour >> 16
        green = colour >> 8 & 255
        blue = colour & 255
        if numerator != denominator:
            red = red * numerator // denominator
            green = green * numerator // denominator
            blue = blue * numerator // denominator
        if white_at >= 0:
            # What is neither red nor green nor blue is the light of the white lamp alone.
            white = 0
            if red == green and green == blue:
                white = red
                red = green = blue = 0
            words[at + white_at] = white
        words[at + red_at] = red
        words[at + green_at] = green
        words[at + blue_at] = blue
        at += 4
