"""Frames: the lines of which all talk between a host and a board is made.

The file runs unchanged on CPython and on MicroPython, so it imports nothing. A frame is one line of printable ASCII::

    <kind><number, 2 hex><payload><check sum, 4 hex>\\n

The kind is a letter: a small one from the host, a capital from the board, so that an echo is never taken for an answer.
The number is 0 to 255. The check sum is the CRC-16/CCITT-FALSE of all that stands before it (polynomial 0x1021, begun
with 0xFFFF, neither reflected nor inverted; its check value, that of "123456789", is 0x29B1). Hex digits are capitals.

Lines are printable because MicroPython's prompt shares the port: a byte 3 would stop the program. Whatever is no
frame is counted and dropped; the newline after it begins anew.
"""

MOST_BYTES = 250
"""The longest line, its newline included. A longer one is dropped whole."""

MOST_PAYLOAD = MOST_BYTES - 8
"""The longest payload: a line less its kind, number, check sum and newline."""

_NEWLINE = 10


def _entry(byte: int) -> int:
    value = byte << 8
    for _ in range(8):
        value = (value << 1 ^ 0x1021 if value & 0x8000 else value << 1) & 0xFFFF
    return value


_TABLE = tuple(_entry(byte) for byte in range(256))


def checksum(data: bytes | bytearray, length: int) -> int:
    """The CRC-16/CCITT-FALSE of the first `length` bytes."""
    value = 0xFFFF
    table = _TABLE
    for place in range(length):
        value = (value << 8 ^ table[value >> 8 ^ data[place]]) & 0xFFFF
    return value


def encode(kind: str, number: int, payload: str = "") -> bytes:
    """The line of a frame.

    :param kind: one letter.
    :param number: 0 to 255.
    :param payload: printable ASCII, at most `MOST_PAYLOAD` characters.
    :raises ValueError: it is none of these, and no frame.
    """
    if not is_kind(kind) or not 0 <= number <= 255 or len(payload) > MOST_PAYLOAD or not is_printable(payload):
        raise ValueError("a frame has one letter, a number from 0 to 255 and a short payload of printable ASCII")
    line = f"{kind}{number:02X}{payload}".encode()
    return line + f"{checksum(line, len(line)):04X}\n".encode()


def is_kind(kind: str) -> bool:
    """Whether this can be the kind of a frame: one letter."""
    return len(kind) == 1 and ("A" <= kind <= "Z" or "a" <= kind <= "z")


def is_printable(text: str) -> bool:
    """Whether all of a text may stand in a payload."""
    # Looked at without a loop, which takes MicroPython a tenth of the time.
    return not text or _all_printable(text.encode())


class Decoder:
    """Finds the frames in whatever comes over the wire.

    Nothing that comes makes it raise, and its memory never grows::

        for kind, number, payload in decoder.feed(data, len(data)):
            ...

    :ivar bad: how many lines were no frames; those of a cut or a noise among them.
    """

    def __init__(self) -> None:
        self.bad = 0
        self._line = bytearray(MOST_BYTES)
        self._length = 0
        self._too_long = False

    def feed(self, data: bytes | bytearray, length: int) -> tuple[tuple[str, int, str], ...]:
        """The frames that the next `length` bytes of `data` complete, each as kind, number and payload.

        Without any bytes it costs no memory. Those there are are moved by the line, since a loop over them takes
        MicroPython ten times as long.
        """
        found: tuple[tuple[str, int, str], ...] = ()
        if not length:
            return found
        piece = bytes(data[:length])
        start, have = 0, self._length
        while True:
            end = piece.find(b"\n", start)
            some = piece[start:] if end < 0 else piece[start:end]
            if have + len(some) > MOST_BYTES - 1:
                some = some[: MOST_BYTES - 1 - have]
                self._too_long = True
            self._line[have : have + len(some)] = some
            have += len(some)
            if end < 0:
                break
            # An empty line is no fault: a newline before a frame cuts off what noise has left there.
            if have:
                frame = None if self._too_long else self._frame(have)
                if frame is None:
                    self.bad += 1
                else:
                    found += (frame,)
            have = 0
            self._too_long = False
            start = end + 1
        self._length = have
        return found

    def _frame(self, length: int) -> tuple[str, int, str] | None:
        """The frame that a line of so many bytes is; None if it is none."""
        line = self._line
        if length < 7 or not _all_printable(line[:length]):
            return None
        expected = _hex(line, length - 4, length)
        number = _hex(line, 1, 3)
        if expected is None or number is None or expected != checksum(line, length - 4):
            return None
        text = bytes(line[:length]).decode()
        return (text[0], number, text[3 : length - 4]) if is_kind(text[0]) else None


def _all_printable(data: bytes | bytearray) -> bool:
    return min(data) >= 32 and max(data) <= 126


def _hex(line: bytearray, start: int, end: int) -> int | None:
    """The number that these capital hex digits are; None if they are no such digits."""
    value = 0
    for place in range(start, end):
        digit = line[place]
        if 48 <= digit <= 57:
            digit -= 48
        elif 65 <= digit <= 70:
            digit -= 55
        else:
            return None
        value = value << 4 | digit
    return value
