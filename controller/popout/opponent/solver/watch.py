"""By what a long computation is watched: a deadline, a request to stop, somebody who wants to see progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from time import monotonic
from typing import Final, NamedTuple

BREATH_S: Final = 0.05
"""How often a computation is looked after."""


class Progress(NamedTuple):
    """How far a computation has come.

    :ivar positions: looked at so far, all questions together. :ivar turns: how far ahead the question of now looks.
    :ivar share: how much of that question is done, from 0 to 1; None where that cannot be said.
    """

    positions: int
    turns: int
    share: float | None = None


class Watch:
    """The one who says when it is enough.

    :param deadline: by `time.monotonic`; None for no limit.
    :param progress: is told how far it has come, some times a second. What it raises ends the computation.
    """

    def __init__(self, deadline: float | None = None, progress: Callable[[Progress], None] | None = None) -> None:
        self.deadline = deadline
        self.progress = progress
        self._stopped = Event()
        self._told = 0.0

    def stop(self) -> None:
        """End the computation, from any thread."""
        self._stopped.set()

    @property
    def is_over(self) -> bool:
        """Whether it is enough."""
        return self._stopped.is_set() or (self.deadline is not None and monotonic() >= self.deadline)

    @contextmanager
    def no_longer_than(self, seconds: float) -> Iterator[None]:
        """Let what is done meanwhile be over after so many seconds, if not before."""
        deadline = self.deadline
        sooner = monotonic() + seconds
        self.deadline = sooner if deadline is None else min(deadline, sooner)
        try:
            yield
        finally:
            self.deadline = deadline

    @property
    def seconds(self) -> float | None:
        """How long the computation may still take; None for as long as it needs."""
        return None if self.deadline is None else max(0.0, self.deadline - monotonic())

    def tell(self, positions: int, turns: int, share: float | None = None) -> None:
        """Say how far it is, unless that was said just now."""
        now = monotonic()
        if self.progress and now - self._told >= BREATH_S:
            self._told = now
            self.progress(Progress(positions, turns, share))
