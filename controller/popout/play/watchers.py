"""Who watches a table, and is woken when anything that can be seen there has changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator


class Watchers:
    """Those who wait for changes."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Event] = set()

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def tell(self) -> None:
        """Something has changed."""
        for changed in self._waiting:
            changed.set()

    async def changes(self) -> AsyncIterator[None]:
        """Once at the beginning, and again after `tell`; a slow reader misses what was in between."""
        changed = asyncio.Event()
        changed.set()
        self._waiting.add(changed)
        try:
            while True:
                await changed.wait()
                changed.clear()
                yield
        finally:
            self._waiting.discard(changed)
