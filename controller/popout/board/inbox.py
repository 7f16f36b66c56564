"""What other threads hear of a board's switches, on its way to the event loop."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import Final, Generic, Protocol, TypeVar

MOST_WAITING: Final = 10_000
"""Edges that nobody reads are kept up to so many, and then the newest; levels that are read again mend the rest."""


class FromSwitch(Protocol):
    """What was heard of a switch, and when, in milliseconds."""

    @property
    def switch(self) -> str:
        """The switch's name."""
        ...

    @property
    def time(self) -> float:
        """When it was."""
        ...


Edge = TypeVar("Edge", bound=FromSwitch)


class Inbox(Generic[Edge]):
    """Edges, put in by any thread and taken out in the event loop."""

    def __init__(self) -> None:
        self._edges: deque[Edge] = deque(maxlen=MOST_WAITING)
        self._waiting: list[Edge] = []  # those that the reader's own thread has seen and not handed on yet
        self._reader: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None
        self._rung = False

    def put(self, event: Edge) -> None:
        """Put an edge in. Never raises, and never waits."""
        self._edges.append(event)
        self.ring()

    def ring(self) -> None:
        """Wake the reader, if there is one. Never raises, and never waits."""
        reader = self._reader
        if reader is None or self._rung:
            return
        self._rung = True
        loop, news = reader
        with suppress(RuntimeError):  # the loop has ended, and nobody wants to know any more
            loop.call_soon_threadsafe(news.set)

    def listen(self) -> asyncio.Event:
        """Become the reader, in the running loop; returns what is set when there are news. Another one is forgotten."""
        news = asyncio.Event()
        self._reader = (asyncio.get_running_loop(), news)
        self._rung = False
        return news

    def leave(self, news: asyncio.Event) -> None:
        """Be the reader no longer. Another one, who may have come since, is not made deaf."""
        if self._reader is not None and self._reader[1] is news:
            self._reader = None

    @property
    def has_reader(self) -> bool:
        """Whether somebody takes out what is put in."""
        return self._reader is not None

    def take(self, news: asyncio.Event) -> list[Edge]:
        """Take out all edges, in the order of their times. What comes from now on rings again."""
        news.clear()
        self._rung = False
        self._collect()
        edges, self._waiting = self._waiting, []
        return sorted(edges, key=lambda edge: edge.time)

    def waiting(self) -> set[str]:
        """The switches of which edges wait to be taken out. For the reader's thread only."""
        self._collect()
        return {edge.switch for edge in self._waiting}

    def _collect(self) -> None:
        # One by one: going through a deque fails when another thread puts something in meanwhile.
        with suppress(IndexError):
            while True:
                self._waiting.append(self._edges.popleft())
