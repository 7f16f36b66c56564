"""Pictures on the link: the light of all lamps of a board, sent whole in chunks that are shown together.

The file runs unchanged on CPython and on MicroPython. A chunk's payload is the picture's number and the chunk's, 2 hex
each, a letter, and what the letter says:

- ``C``, the first colour's number (2 hex), colours (6 hex each, RRGGBB): what the indexes mean, at most 64;
- ``I``, the first lamp's number (4 hex), one character a lamp: the index of its colour, "0" being 0, up to "o", 63;
- ``R``, the first lamp's number (4 hex), colours (6 hex each): for a picture of more than 64 colours;
- ``S``, how many chunks there were before this one (2 hex): show the picture, if it is whole.
"""

from binascii import unhexlify

from popout.link.frames import MOST_PAYLOAD
from popout.link.words import number

MOST_COLOURS = 64
MOST_LAMPS = 2048

FULL = 255
"""The level of a colour of a lamp that is at its brightest."""
REPAINT_MS = 1000
"""A picture is shown again after so long, whatever noise on the wire, or lamps that got their current late, show."""

_HEAD = 5  # picture, chunk, letter
_FIRST_INDEX = 48  # of the character that means colour 0
_INDEXES_A_CHUNK = MOST_PAYLOAD - _HEAD - 4
_COLOURS_A_CHUNK = (MOST_PAYLOAD - _HEAD - 4) // 6


def chunks(picture: int, colours: tuple[int, ...] | list[int]) -> list[str]:
    """The payloads that send a picture.

    :param picture: its number, 0 to 255; the next picture has another one.
    :param colours: 0xRRGGBB for each lamp, at most `MOST_LAMPS` of them.
    :raises ValueError: there are more.
    """
    if len(colours) > MOST_LAMPS:
        raise ValueError("a picture of too many lamps")
    known: dict[int, int] = {}
    palette: list[int] = []  # beside it, since dicts of MicroPython have no order
    for colour in colours:
        if colour not in known:
            known[colour] = len(palette)
            palette.append(colour)
    payloads = []
    if len(palette) <= MOST_COLOURS:
        for first in range(0, len(palette), _COLOURS_A_CHUNK):
            some = "".join([f"{colour:06X}" for colour in palette[first : first + _COLOURS_A_CHUNK]])
            payloads.append(f"C{first:02X}{some}")
        for first in range(0, len(colours), _INDEXES_A_CHUNK):
            some = "".join([chr(_FIRST_INDEX + known[colour]) for colour in colours[first : first + _INDEXES_A_CHUNK]])
            payloads.append(f"I{first:04X}{some}")
    else:
        for first in range(0, len(colours), _COLOURS_A_CHUNK):
            some = "".join([f"{colour:06X}" for colour in colours[first : first + _COLOURS_A_CHUNK]])
            payloads.append(f"R{first:04X}{some}")
    payloads.append(f"S{len(payloads):02X}")
    return [f"{picture:02X}{place:02X}{payload}" for place, payload in enumerate(payloads)]


class Easel:
    """Where a board puts a picture together.

    Chunks count in their order only: one that is too early, because another was lost, or that comes again is dropped.

    :ivar colours: the picture that is shown, 0xRRGGBB for each lamp. It is the same list for ever.
    """

    def __init__(self, lamps: int) -> None:
        self.colours = [0] * lamps
        self._coming = [0] * lamps
        self._palette = [0] * MOST_COLOURS
        self._picture = -1
        self._taken = 0  # how many of its chunks have come

    def take(self, payload: str) -> bool | None:
        """Take the payload of a chunk: True if the picture is to be shown now, None if it is not whole.

        :raises ValueError: it is no chunk of a picture for these lamps. What was shown stays.
        """
        picture, chunk = _number(payload[0:2]), _number(payload[2:4])
        letter, rest = payload[4:5], payload[5:]
        if picture != self._picture:
            self._picture = picture
            self._taken = 0
            for lamp in range(len(self._coming)):
                self._coming[lamp] = 0
        if letter == "S":
            if self._taken != _number(rest):
                return None
            for lamp in range(len(self._coming)):
                self.colours[lamp] = self._coming[lamp]
            return True
        if chunk != self._taken:
            return False
        if letter == "C":
            self._put_colours(self._palette, _number(rest[:2]), rest[2:])
        elif letter == "R":
            self._put_colours(self._coming, _number(rest[:4]), rest[4:])
        elif letter == "I":
            self._put_indexes(_number(rest[:4]), rest[4:])
        else:
            raise ValueError("no chunk of a picture")
        self._taken += 1
        return False

    def forget(self) -> None:
        """Forget the picture that is coming: whoever sends next begins with numbers of their own."""
        self._picture = -1

    def darken(self) -> None:
        """Show no light, and forget the picture that is coming."""
        self.forget()
        for lamp in range(len(self.colours)):
            self.colours[lamp] = 0

    def _put_colours(self, place: list[int], first: int, text: str) -> None:
        levels = unhexlify(text)
        count = len(levels) // 3
        if len(levels) != 3 * count or first + count > len(place):
            raise ValueError("colours out of place")
        for at in range(0, len(levels), 3):
            place[first] = levels[at] << 16 | levels[at + 1] << 8 | levels[at + 2]
            first += 1

    def _put_indexes(self, first: int, text: str) -> None:
        if first + len(text) > len(self._coming):
            raise ValueError("lamps out of place")
        for letter in text:
            index = ord(letter) - _FIRST_INDEX
            if not 0 <= index < MOST_COLOURS:
                raise ValueError("no colour of that number")
            self._coming[first] = self._palette[index]
            first += 1


def limits(
    count: int, brightness: float, milliamps: float, idle_milliamps: float, channel_milliamps: float
) -> tuple[int, int]:
    """The limits that a board's lamps are to be kept `within_limits` of: the most of a level, and of their sum.

    :param count: how many lamps there are. :param brightness: the cap, a fraction of full light.
    :param milliamps: what the supply gives. :param idle_milliamps: what a dark lamp takes.
    :param channel_milliamps: what one colour of a lamp takes at full light.
    """
    left = milliamps - idle_milliamps * count
    return int(FULL * brightness + 0.5), int(max(0, left) * FULL / channel_milliamps)


def least_lit(brightness: float) -> int:
    """From which level on a plain LED is lit, which can only be lit or dark.

    It is just below a quarter of full light, the dimmest that says something by itself.
    """
    return max(1, int(0.24 * FULL * brightness))


def within_limits(colours: list[int], most_level: int, most_sum: int) -> tuple[int, int]:
    """By which fraction, at most 1, all levels must be multiplied so that none is over a cap, nor their sum.

    The host keeps to the supply's limits already; this is the board's own look, whoever talks to it.

    :param most_level: of one colour of one lamp, 0 to 255. :param most_sum: of all colours of all lamps.
    :return: numerator and denominator.
    """
    total = 0
    highest = 0
    for colour in colours:
        if colour:
            red, green, blue = colour >> 16, colour >> 8 & 255, colour & 255
            total += red + green + blue
            highest = max(highest, red, green, blue)
    if highest > most_level and most_level * total <= most_sum * highest:
        return most_level, highest
    if total > most_sum:
        return most_sum, total
    return 1, 1


def _number(text: str) -> int:
    value = number(text)
    if value is None:
        raise ValueError("no number")
    return value
