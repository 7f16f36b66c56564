"""Tells everybody what is new: made once for all who hear the same, near ones first, far ones one after the other.

The event loop that lights the lamps also feeds the pages. So what one change costs it must not grow with the number of
those who watch: a change wakes the pages of this machine and of the players, and then a round goes through the
spectators, one at each turn of the turnstile. What changes during a round is told by the next, newest only.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Protocol

import msgspec

from popout.locale import Catalogue
from popout.views.web.speaker import Say
from popout.views.web.traffic import Turnstile

ROUND_S = 0.1
"""The shortest time from the beginning of one round to that of the next."""
PAUSE_S = 1.0
"""After a fault in what is to be told."""

_log = logging.getLogger(__name__)


class Told(Protocol):
    """Somebody who is told."""

    @property
    def near(self) -> bool:
        """Whether it is woken by each change, and not in its turn of a round."""
        ...

    def behind(self) -> bool:
        """Whether it waits for what is new, and does not have it."""
        ...

    def wake(self) -> None:
        """Let it take what is new."""
        ...


class Tellable(Protocol):
    """What can be told of a table."""

    def snapshot(self, say: Say) -> Mapping[str, Any]:
        """The state message."""
        ...

    def lamps(self) -> Mapping[str, Any]:
        """The lamps message."""
        ...

    def changes(self) -> AsyncIterator[str]:
        """``"state"`` or ``"lamps"`` after each change from now on."""
        ...


class Fanout:
    """Keeps the newest messages of a table, and wakes those who have joined. While nobody has, nothing runs.

    :ivar turnstile: at which others on the network take turns.
    """

    def __init__(self, table: Tellable) -> None:
        self.turnstile = Turnstile()
        self._table = table
        self._all: dict[Told, None] = {}
        self._states: dict[str, bytes] = {}
        self._lamps = b""
        self._stale: set[str] = set()
        self._news = asyncio.Event()
        self._tasks: tuple[asyncio.Task[None], ...] = ()

    @asynccontextmanager
    async def joined(self, one: Told) -> AsyncIterator[None]:
        """Somebody is told what is new meanwhile, first of all what there is."""
        if not self._all:
            self._states.clear()
            self._stale.add("lamps")
            self._tasks = (asyncio.create_task(self._watch()), asyncio.create_task(self._go_round()))
        self._all[one] = None
        self.call(one)
        try:
            yield
        finally:
            del self._all[one]
            if not self._all:
                tasks, self._tasks = self._tasks, ()
                for task in tasks:
                    task.cancel()
                await asyncio.wait(tasks)  # unlike `gather` it passes a cancellation on as it is

    def state(self, catalogue: Catalogue) -> bytes:
        """The newest state message in a language; the same object until it changes."""
        known = self._states.get(catalogue.language, b"")
        if not known or catalogue.language in self._stale:
            self._stale.discard(catalogue.language)
            made = msgspec.json.encode(self._table.snapshot(catalogue.text))
            if made != known:
                self._states[catalogue.language] = known = made
        return known

    def lamps(self) -> bytes:
        """The newest lamps message; the same object until it changes."""
        if "lamps" in self._stale:
            self._stale.discard("lamps")
            made = msgspec.json.encode(self._table.lamps())
            if made != self._lamps:
                self._lamps = made
        return self._lamps

    def call(self, one: Told) -> None:
        """Somebody may be behind."""
        if one.near:
            one.wake()
        else:
            self._news.set()

    def call_all(self) -> None:
        """Everybody may be behind."""
        for one in self._all:
            if one.near:
                one.wake()
        self._news.set()

    async def _watch(self) -> None:
        while True:
            try:
                async for kind in self._table.changes():
                    if kind == "state":
                        self._stale.update(self._states)
                    self._stale.add("lamps")
                    self.call_all()
                return
            except Exception:
                _log.exception("What is new at the table could not be told.")
                await asyncio.sleep(PAUSE_S)

    async def _go_round(self) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            await self._news.wait()
            self._news.clear()
            began = clock()
            for one in [one for one in self._all if not one.near]:
                if one.behind():
                    await self.turnstile.turn()
                    one.wake()
            await asyncio.sleep(max(began + ROUND_S - clock(), 0))
