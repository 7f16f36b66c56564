"""The supervisor: keeps the parts of a running board going, each on its own.

A part that fails is started again after a pause that grows for as long as it goes on failing. The other parts do not
notice, and nothing is ever half alive: a part runs, waits for its next start, or has ended.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 60.0
WELL_AFTER_S = 60.0
"""A part that ran for so long ran well: what fails then is a new fault, with the first pause again."""
STOP_WITHIN_S = 1.0
"""How long the parts may take to end when they are told to; the lamps of the board stay lit for as long."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Part:
    """Something that is to be kept going.

    :ivar name: what people call it, such as ``page``.
    :ivar start: makes the coroutine that is the running part; called anew for every start.
    :ivar ends: whether everything ends when this part ends in an ordinary way.
    :ivar final: the errors of this part after which there is nothing to start again; they end everything.
    """

    name: str
    start: Callable[[], Coroutine[Any, Any, None]]
    ends: bool = False
    final: tuple[type[Exception], ...] = ()


class State(Enum):
    """What a part is doing."""

    RUNNING = "running"
    WAITING = "waiting"
    """It failed, and will be started again."""
    ENDED = "ended"


@dataclass(slots=True)
class Health:
    """How a part is doing.

    :ivar restarts: how often it was started again.
    :ivar error: why it failed the last time; None if it never did. :ivar failed_at: when, in seconds since 1970.
    """

    name: str
    state: State = State.WAITING
    restarts: int = 0
    error: BaseException | None = None
    failed_at: float | None = None


class Supervisor:
    """Runs the parts until one of them ends everything, or until it is cancelled.

    :ivar health: how each part is doing, in the order of the parts.
    """

    def __init__(
        self,
        *,
        fault: Callable[[str, BaseException], None] | None = None,
        changed: Callable[[], None] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare, without starting anything.

        :param fault: is told which part failed and why, each time. What it raises is logged and goes no further.
        :param changed: is called after every change of `health`.
        :param sleep: waits so many seconds. :param clock: seconds that never go back.
        """
        self.health: tuple[Health, ...] = ()
        self._fault = fault
        self._changed = changed
        self._sleep = sleep
        self._clock = clock

    async def run(self, parts: Iterable[Part]) -> None:
        """Keep the parts going, until all have ended, or one whose end is everybody's; then end the others.

        :raises Exception: a part's final error, as it was raised there.
        """
        parts = tuple(parts)
        self.health = tuple(Health(part.name) for part in parts)
        keepers = {
            asyncio.create_task(self._keep(part, health), name=f"keeper of {part.name}"): part
            for part, health in zip(parts, self.health, strict=True)
        }
        try:
            while keepers:
                done, _ = await asyncio.wait(keepers, return_when=asyncio.FIRST_COMPLETED)
                ended = [(keepers.pop(task), task) for task in done]
                for _, task in ended:
                    task.result()
                if any(part.ends for part, _ in ended):
                    return
        finally:
            await self._end(keepers)

    async def _keep(self, part: Part, health: Health) -> None:
        pause = FIRST_PAUSE_S
        while True:
            began = self._clock()
            self._is(health, State.RUNNING)
            error = await _outcome(part)
            if error is None:
                self._is(health, State.ENDED)
                return
            if isinstance(error, part.final):
                self._is(health, State.ENDED, error)
                raise error
            if self._clock() - began >= WELL_AFTER_S:
                pause = FIRST_PAUSE_S
            self._tell(health, error, pause)
            self._is(health, State.WAITING, error)
            await self._sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)
            health.restarts += 1

    def _is(self, health: Health, state: State, error: BaseException | None = None) -> None:
        health.state = state
        if error is not None:
            health.error = error
            health.failed_at = time.time()
        if self._changed is not None:
            self._changed()

    def _tell(self, health: Health, error: BaseException, pause: float) -> None:
        """Log the fault and show it. Where it arose is said once: a fault that comes again and again fills no disk."""
        _log.error("The %s failed (%s) and is started again in %g s.", health.name, described(error), pause)
        if described(health.error) != described(error):
            _log.debug("Where the %s failed:", health.name, exc_info=error)
        if self._fault is not None:
            try:
                self._fault(health.name, error)
            except Exception as other:
                _log.exception("The fault of the %s could not be shown (%s).", health.name, described(other))

    async def _end(self, keepers: Iterable[asyncio.Task[None]]) -> None:
        """Cancel what still runs; what does not end soon is left behind, since it must not keep the lamps lit."""
        still = {keeper for keeper in keepers if not keeper.done()}
        for keeper in still:
            keeper.cancel()
        if not still:
            return
        done, left = await asyncio.wait(still, timeout=STOP_WITHIN_S)
        for keeper in left:
            _log.error("The %s did not end when it was told to.", keeper.get_name().removeprefix("keeper of "))
        for keeper in done:
            if not keeper.cancelled() and (error := keeper.exception()):
                name = keeper.get_name().removeprefix("keeper of ")
                _log.error("The %s failed (%s) at the end.", name, described(error))


def described(error: BaseException | None) -> str:
    """An error in one line: its kind, and what it says."""
    if error is None:
        return ""
    says = " ".join(str(error).split())
    return f"{type(error).__name__}: {says}" if says else type(error).__name__


async def _outcome(part: Part) -> BaseException | None:
    """Let a part run; how it failed, or None if it ended in an ordinary way.

    In a task of its own, so that a part that cancels itself is told apart from one that is to stop.
    """
    running = asyncio.create_task(part.start(), name=part.name)
    try:
        await asyncio.wait({running})
    except asyncio.CancelledError:
        running.cancel()
        await asyncio.wait({running})
        if not running.cancelled() and (error := running.exception()):
            raise error from None
        raise
    error = asyncio.CancelledError("it was cancelled from within") if running.cancelled() else running.exception()
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]  # a group of one says nothing that the one does not
    return error
