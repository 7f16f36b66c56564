"""Waiting for what must come about, however slow the machine is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PATIENCE_S = 20.0
"""How long a test waits before it fails."""


async def until(condition: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    """Wait until something has come about.

    :raises TimeoutError: it has not come about in `patience_s` seconds.
    """
    async with asyncio.timeout(patience_s):
        while not condition():
            await asyncio.sleep(0.002)
