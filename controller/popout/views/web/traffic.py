"""How much of this program's time and memory others on the network may take: turns, rates, and open connections.

The board and its page come first. What is done for others takes turns at one `Turnstile`, which lets one of them
through at a time and gives all of them together a fixed part of the event loop's time, however many they are.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque

SHARE = 0.25
"""The part of the event loop's time that others on the network get."""
SPELL_S = 0.001
"""How long the turnstile goes on before it rests."""


class Turnstile:
    """Lets those who wait through one by one, with all other work of the event loop done in between.

    Nobody holds it: who is let through and then waits for a slow network delays nobody else.
    """

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._turning: asyncio.Task[None] | None = None

    async def turn(self) -> None:
        """Wait for one's turn."""
        mine = asyncio.get_running_loop().create_future()
        self._waiting.append(mine)
        if self._turning is None or self._turning.done():
            self._turning = asyncio.create_task(self._turn())
        await mine

    async def _turn(self) -> None:
        began = time.perf_counter()
        while self._waiting:
            next_one = self._waiting.popleft()
            if next_one.done():  # it gave up
                continue
            next_one.set_result(None)
            await asyncio.sleep(0)
            taken = time.perf_counter() - began
            if taken > SPELL_S:
                await asyncio.sleep(taken * (1 - SHARE) / SHARE)
                began = time.perf_counter()


class Bucket:
    """A rate with a reserve: `rate` a second for long, and up to `burst` at once. Times are seconds."""

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self.rate = rate
        self.burst = burst
        self._left = burst
        self._at = now

    def take(self, now: float, amount: float = 1) -> float:
        """Take some out; how many seconds to wait until it is paid for, 0 if it is at once."""
        self._left = min(self.burst, self._left + (now - self._at) * self.rate) - amount
        self._at = now
        return max(-self._left / self.rate, 0)


class Crowd:
    """Counts the open connections of other machines, and says when there are too many.

    :param most: at once, of all together. :param most_each: of one address.
    """

    def __init__(self, most: int, most_each: int) -> None:
        self.most = most
        self.most_each = most_each
        self._of: Counter[str] = Counter()

    def enter(self, address: str, *, counted: bool = True) -> bool:
        """Whether another connection of this address is let in; if so, `leave` must be called when it ends.

        :param counted: whether `most_each` holds for this address.
        """
        if self._of.total() >= self.most or (counted and self._of[address] >= self.most_each):
            return False
        self._of[address] += 1
        return True

    def leave(self, address: str) -> None:
        """A connection that was let in has ended."""
        self._of[address] -= 1
        if self._of[address] <= 0:
            del self._of[address]
