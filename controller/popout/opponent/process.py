"""A process of the opponent as an event loop sees it: started, asked, told to stop, ended."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from popout.opponent.errors import OpponentError
from popout.rules import Message

DEAF_AFTER_S: Final = 0.3
"""A process that goes on so long after it was told to stop is ended."""

_log = logging.getLogger(__name__)


class OpponentGone(OpponentError, RuntimeError):
    """The opponent cannot be started, or has failed."""

    code = "opponent-gone"


Answers = asyncio.Queue[dict[str, Any] | None]


class Process:
    """A process, the thread that reads what it says, and what it was asked."""

    def __init__(self, running: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop) -> None:
        self._running = running
        self._loop = loop
        self._asked: dict[int, Answers] = {}
        self._stopping: dict[int, asyncio.TimerHandle] = {}
        self._ended = asyncio.Event()
        self._is_ready = False
        threading.Thread(target=self._read, name="opponent", daemon=True).start()

    @classmethod
    async def started(cls, command: Sequence[str]) -> Process:
        """Start it, in a thread: that takes longer than a light may wait."""
        try:
            running = await asyncio.to_thread(
                subprocess.Popen,
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise OpponentGone(
                Message(
                    "The opponent cannot be started ({reason}). The game goes on without it.",
                    reason=error.strerror or str(error),
                )
            ) from None
        return cls(running, asyncio.get_running_loop())

    @property
    def number(self) -> int | None:
        """Its number in the system; None once it has ended."""
        return None if self.has_ended else self._running.pid

    @property
    def has_ended(self) -> bool:
        """Whether it has ended."""
        return self._ended.is_set()

    @property
    def reason(self) -> str:
        """How it ended."""
        code = self._running.returncode
        return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"

    @property
    def is_busy(self) -> bool:
        """Whether somebody waits for an answer."""
        return bool(self._asked)

    @property
    def is_ready(self) -> bool:
        """Whether it has said that it is ready, and has not ended."""
        return self._is_ready and not self.has_ended

    def ask(self, number: int, question: Mapping[str, Any]) -> Answers:
        """Ask something; the answers come until the last one, or None if the process has ended."""
        answers: Answers = asyncio.Queue()
        if self.has_ended:
            answers.put_nowait(None)
        else:
            self._asked[number] = answers
            self._say({"id": number, **question})
        return answers

    def withdraw(self, number: int) -> None:
        """Nobody wants the answer any more, if it has not come yet."""
        if self._asked.pop(number, None) is not None and not self.has_ended:
            self._say({"do": "stop", "id": number})
            self._stopping[number] = self._loop.call_later(DEAF_AFTER_S, self._is_deaf)

    def stop(self) -> None:
        """Nobody wants any answer."""
        for number, answers in list(self._asked.items()):
            answers.put_nowait({"stopped": True})
            self.withdraw(number)

    def kill(self) -> None:
        """End it at once."""
        self._running.kill()

    async def close(self) -> None:
        """Let it end, and if it does not, end it."""
        with suppress(OSError):
            assert self._running.stdin is not None
            self._running.stdin.close()
        try:
            async with asyncio.timeout(DEAF_AFTER_S):
                await self._ended.wait()
        except TimeoutError:
            self.kill()
            await self._ended.wait()

    def _is_deaf(self) -> None:
        _log.warning("The opponent did not stop thinking when it was told to, and is ended.")
        self.kill()

    def _say(self, said: Mapping[str, Any]) -> None:
        assert self._running.stdin is not None
        with suppress(OSError, ValueError):  # it has ended, of which the reading thread hears
            self._running.stdin.write(json.dumps(said).encode() + b"\n")
            self._running.stdin.flush()

    def _read(self) -> None:
        assert self._running.stdout is not None
        with self._running.stdout as lines:
            for line in lines:
                self._in_loop(self._hear, line)
        self._running.wait()
        self._in_loop(self._end)

    def _in_loop(self, do: Any, *arguments: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed, and nobody hears it any more
            self._loop.call_soon_threadsafe(do, *arguments)

    def _hear(self, line: bytes) -> None:
        try:
            said = json.loads(line)
            number = said["id"]
        except (ValueError, TypeError, KeyError):
            _log.warning("The opponent said what nobody understands: %.80r", line)
            return
        if number is None and said.get("ready"):
            self._is_ready = True
            return
        is_last = any(word in said for word in ("move", "done", "stopped", "error"))
        if is_last and (timer := self._stopping.pop(number, None)):
            timer.cancel()
        answers = self._asked.pop(number, None) if is_last else self._asked.get(number)
        if answers is not None:
            answers.put_nowait(said)

    def _end(self) -> None:
        self._ended.set()
        with suppress(OSError):
            assert self._running.stdin is not None
            self._running.stdin.close()
        for timer in self._stopping.values():
            timer.cancel()
        for answers in self._asked.values():
            answers.put_nowait(None)
        self._asked.clear()
