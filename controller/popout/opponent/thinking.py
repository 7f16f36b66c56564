"""Asking the opponent's own process from an event loop, which never waits for it.

The process is started at the first question, and again if it ends by itself. One that does not stop when it is told to
is ended from outside. Where numba is installed, a second one compiles what it needs meanwhile, and then takes over.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, suppress
from importlib.util import find_spec
from typing import Any, Final

from popout.opponent.process import Answers, OpponentGone, Process
from popout.opponent.verdicts import Analysis, Verdict, Worth
from popout.opponent.worker import told
from popout.rules import Game, Message, Move, PopoutError, parse_move
from popout.rules.messages import excerpt

WORKER: Final = (sys.executable, "-P", "-m", "popout.opponent.worker")
"""The process, without the folder in which somebody happens to be among those it imports from."""
PLAIN: Final = (*WORKER, "plain")
"""It is there at once, and nothing in it is compiled."""
COMPILED: Final = (*WORKER, "compiled")
"""It takes a while, the first time on a machine a long one, and is faster then."""

HUNG_AFTER_S: Final = 10.0
"""A process that answers so much later than it should is ended."""
TRIES: Final = 2

_log = logging.getLogger(__name__)


class Thinker:
    """The opponent's process, asked one or more things at a time.

    To stop something that it thinks about, cancel the task that waits for it, or close the iterator: nothing waits for
    the process then either. Belongs to one event loop.

    Example::

        thinker = Thinker()
        move = await thinker.choose(game, 5, seconds=1.0)
        await thinker.close()
    """

    def __init__(self, command: Sequence[str] | None = None, better: Sequence[str] | None = None) -> None:
        """Prepare; nothing is started.

        :param command: another process that answers as `popout.opponent.worker` does.
        :param better: one that thinks faster, and takes longer until it says that it is ready. It takes over then.
        """
        if command is None:
            command, better = PLAIN, COMPILED if find_spec("numba") else None
        self._command = tuple(command)
        self._better_command = None if better is None else tuple(better)
        self._numbers = itertools.count(1)
        self._starting: asyncio.Task[Process] | None = None
        self._better: asyncio.Task[Process] | None = None

    @property
    def process(self) -> int | None:
        """The number of the process, None while none runs."""
        running = self._best()
        return running.number if running else None

    async def start(self) -> None:
        """Start the process, so that the first answer does not wait for that.

        :raises OpponentGone: it cannot be started.
        """
        await self._running()

    async def choose(self, game: Game, level: int, *, player: str = "", seconds: float | None = None) -> Move:
        """The move that a player of this level (1 to 10) makes.

        :param player: which player it is; the same one remembers what it did.
        :param seconds: for how long it may think; None leaves it to the player.
        :raises OpponentGone: there is no answer, or one that the rules do not allow.
        """
        question = {"do": "choose", **told(game), "level": level, "player": player, "seconds": seconds}
        async with aclosing(self._ask(question, (seconds or 0.0) + HUNG_AFTER_S)) as answers:
            async for answer in answers:
                with suppress(PopoutError, TypeError, AttributeError, KeyError):
                    move = parse_move(answer["move"])
                    if move in game.legal_moves:
                        return move
                raise _failed(excerpt(str(answer.get("move"))))
        raise _failed("")

    async def analyse(self, game: Game, *, seconds: float | None = None) -> AsyncGenerator[Analysis, None]:
        """What the legal moves are worth, again and again and better known each time; close it to stop.

        :raises OpponentGone: there is no answer.
        """
        question = {"do": "analyse", **told(game), "seconds": seconds}
        async with aclosing(self._ask(question, None if seconds is None else seconds + HUNG_AFTER_S)) as answers:
            async for answer in answers:
                yield _analysis(answer)

    def stop(self) -> None:
        """Stop all that is being thought about: its iterators end, and who waits for a move is told `OpponentGone`."""
        for process in (_found(self._starting), _found(self._better)):
            if process:
                process.stop()

    async def close(self) -> None:
        """End the process. Asked again later, there will be another one. May be called twice."""
        started, self._starting, self._better = (self._starting, self._better), None, None
        for starting in started:
            if starting is not None:
                with suppress(OpponentGone):
                    await (await asyncio.shield(starting)).close()

    async def _ask(self, question: Mapping[str, Any], patience_s: float | None) -> AsyncGenerator[dict[str, Any], None]:
        """The answers until the last one; asked again of another process where the first one ends.

        :param patience_s: for how long to wait for an answer; None waits as long as it takes.
        """
        reason, failures = "", 0
        while failures < TRIES:
            process = await self._running()
            number = next(self._numbers)
            answers = process.ask(number, question)
            try:
                while (answer := await _next(answers, patience_s)) is not None:
                    if "error" in answer:
                        raise _failed(excerpt(str(answer["error"])))
                    if "done" in answer or "stopped" in answer:
                        return
                    yield answer
                reason = process.reason
            except TimeoutError:
                reason = "no answer"
                process.kill()
                await process.close()
            finally:
                process.withdraw(number)
            _log.warning("The opponent's process has ended (%s).", reason)
            failures += process is not _found(self._better)
        raise _failed(reason)

    async def _running(self) -> Process:
        """The process to ask now; the better one is told to get ready beside the first one, and takes over."""
        plain, better = _found(self._starting), self._better_one()
        if better is not None:
            if plain is not None and not plain.is_busy:
                self._starting = None
                await plain.close()
            return better
        if plain is not None and plain.has_ended:
            self._starting = None
        if self._starting is None:
            self._starting = asyncio.create_task(Process.started(self._command))
        try:
            # Whoever stops waiting for it leaves a process that is known, and is ended in the end.
            running = await asyncio.shield(starting := self._starting)
        except OpponentGone:
            if self._starting is starting:
                self._starting = None
            raise
        if self._better is None and self._better_command is not None:
            self._better = asyncio.create_task(Process.started(self._better_command))
        return running

    def _better_one(self) -> Process | None:
        """The better process if it is ready; one that has ended is not started again before the end of all."""
        better = _found(self._better)
        return better if better is not None and better.is_ready else None

    def _best(self) -> Process | None:
        return self._better_one() or _found(self._starting)


def _found(starting: asyncio.Task[Process] | None) -> Process | None:
    """The process, if it could be started and has been."""
    if starting is None or not starting.done() or starting.cancelled() or starting.exception():
        return None
    return starting.result()


async def _next(answers: Answers, patience_s: float | None) -> dict[str, Any] | None:
    async with asyncio.timeout(patience_s):
        return await answers.get()


def _analysis(answer: Mapping[str, Any]) -> Analysis:
    try:
        moves = {parse_move(text): _verdict(verdict) for text, verdict in answer["moves"].items()}
        return Analysis(moves, _verdict(answer["best"]), answer["positions"], answer["final"])
    except (PopoutError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise _failed(excerpt(f"{type(error).__name__}: {error}")) from None


def _verdict(said: Mapping[str, Any]) -> Verdict:
    return Verdict(**{**said, "worth": Worth(said["worth"])})


def _failed(reason: str) -> OpponentGone:
    return OpponentGone(
        Message("The opponent has failed ({reason}). The game goes on without it.", reason=reason or "no answer")
    )
