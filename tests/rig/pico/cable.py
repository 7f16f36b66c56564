"""What a bad cable does to the bytes of one direction: it flips bits, and it breaks after so many bytes."""

from __future__ import annotations

import random


class Cable:
    """A cable that passes every byte until it is told otherwise.

    :ivar passed: count of the bytes that came out of it.
    :ivar broken: nothing comes out of it any more.
    """

    def __init__(self) -> None:
        self.passed = 0
        self.broken = False
        self._left: int | None = None
        self._chance = 0.0
        self._random = random.Random(0)

    def cut(self, after: int) -> None:
        """Break once so many more bytes have passed; at once if that is 0."""
        self._left = after
        self.broken = after == 0

    def flip(self, chance: float, seed: int) -> None:
        """From now on, flip one bit of a byte with this chance; the same seed flips the same bits of the same bytes."""
        self._chance = chance
        self._random = random.Random(seed)

    def mend(self) -> None:
        """Pass every byte again."""
        self.broken = False
        self._left = None
        self._chance = 0.0

    def through(self, data: bytes) -> bytes:
        """What comes out at the other end."""
        if self.broken:
            return b""
        if self._left is not None:
            data = data[: self._left]
            self._left -= len(data)
            self.broken = self._left == 0
        self.passed += len(data)
        return bytes(self._flipped(byte) for byte in data) if self._chance else data

    def _flipped(self, byte: int) -> int:
        if self._random.random() >= self._chance:
            return byte
        return byte ^ 1 << self._random.randrange(8)
