"""An event loop whose clock is turned: time passes only when nothing is left to do, and then at once."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable
from typing import Any

_MOMENT_S = 1e-6


class NothingToCome(RuntimeError):
    """Everything waits for something that no clock brings."""


class TurnedLoop(asyncio.SelectorEventLoop):
    """A loop in which an hour of waiting takes no time, and which does the same each time.

    What would be done in a thread is done in the loop, after as long as `work_takes` says, in seconds.
    """

    def __init__(self, work_takes: Callable[[], float] = lambda: 0.0) -> None:
        self._turned = 1000.0
        self._work_takes = work_takes
        super().__init__(_Turning(self.turn))

    def time(self) -> float:
        """The turned clock, in seconds."""
        return self._turned

    def turn(self, seconds: float) -> None:
        """Turn the clock on."""
        self._turned += seconds

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:  # noqa: ARG002
        """Do it when its time has come."""
        future = self.create_future()
        self.call_later(self._work_takes(), self._work, future, func, args)
        return future

    @staticmethod
    def _work(future: asyncio.Future[Any], func: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if future.cancelled():
            return
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)


class _Turning(selectors.DefaultSelector):
    """Instead of waiting for time to pass it turns the clock."""

    def __init__(self, turn: Callable[[float], None]) -> None:
        super().__init__()
        self._turn = turn

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if not found:
            if timeout is None:
                raise NothingToCome
            self._turn(max(timeout, 0.0))
        # Whatever is done takes a moment; a clock that stands still would let loops wait for nothing for ever.
        self._turn(_MOMENT_S)
        return found
