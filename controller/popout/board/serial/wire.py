"""The wire to a board: a port, the talk over it, and the two threads that read and write."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from popout.board.driver import BoardError, BoardLost
from popout.board.serial.conversation import Conversation, Report, Times
from popout.board.serial.hello import INSTALL
from popout.link import words
from popout.rules.messages import Message

LAST_WORDS_S: Final = 0.3
"""How long the lamps may take to go dark when the wire is closed."""

_log = logging.getLogger(__name__)


class Port(Protocol):
    """What is needed of an open serial port; pyserial's are such."""

    @property
    def in_waiting(self) -> int:
        """How many bytes can be read at once."""
        ...

    def read(self, size: int, /) -> bytes:
        """So many bytes, or fewer after the port's time-out."""
        ...

    def write(self, data: bytes, /) -> int | None:
        """Write all of it.

        :raises OSError: the port is gone, or takes nothing for longer than its time-out.
        """
        ...

    def cancel_read(self) -> None:
        """Let a `read` of another thread return at once. Not every system can; then it returns after its time-out."""
        ...

    def cancel_write(self) -> None:
        """The same for a `write`."""
        ...

    def close(self) -> None:
        """Let go of it, when no other thread uses it."""
        ...


class Wire:
    """Talks with the board on an open port until it is closed or lost.

    :param heard: is called in another thread with what the switches reported.
    :param lost: is called in another thread, once, when the talk is over without `close`.
    :param install: the command that installs the firmware for this board's layout.
    :param times: those of the debouncer to begin with; by default the usual ones.
    """

    def __init__(
        self,
        port: Port,
        *,
        clock: Callable[[], float],
        heard: Callable[[list[Report]], None],
        lost: Callable[[BoardError], None],
        install: str = INSTALL,
        times: Times | None = None,
    ) -> None:
        self.conversation = Conversation(clock(), times, install=install)
        self._port = port
        self._clock = clock
        self._heard = heard
        self._lost = lost
        self._closing = False
        self._told = False  # whether `lost` was called
        # Guards the conversation; told whenever there may be something to write or to know.
        self._news = threading.Condition()
        self._threads = [
            threading.Thread(target=run, name=f"serial {name}", daemon=True)
            for name, run in (("reader", self._read), ("writer", self._write))
        ]
        for thread in self._threads:
            thread.start()

    def greeted(self, within_s: float) -> bool:
        """Wait until the board was greeted; False if it has not answered in time.

        :raises BoardError: it is lost, or cannot be talked with.
        """
        ends = time.monotonic() + within_s
        with self._news:
            while not self.conversation.ready:
                if self.conversation.problem is not None:
                    raise self.conversation.problem
                left = ends - time.monotonic()
                if left <= 0:
                    return False
                self._news.wait(left)
            return True

    def is_unsure(self) -> bool:
        """Whether the board owes an answer for so long that a press may have ended meanwhile."""
        with self._news:
            return self.conversation.is_unsure(self._clock())

    def show(self, colours: tuple[int, ...]) -> None:
        """Let the lamps show this picture; never waits."""
        with self._news:
            self.conversation.show(colours)
            self._news.notify_all()

    def debounce(self, times: Times) -> None:
        """Let the board debounce with these times."""
        with self._news:
            self.conversation.debounce(times)
            self._news.notify_all()

    def ask(self, kind: str, payload: str = "", *, within_s: float = 1.0) -> str | None:
        """Say something else of `popout.link.words`, and wait for the answer's payload; None if none comes or it is no.

        :raises BoardError: the board is lost.
        """
        ends = time.monotonic() + within_s
        with self._news:
            number = self.conversation.ask(kind, payload)
            self._news.notify_all()
            while (answer := self.conversation.answer(number)) is None:
                if self.conversation.problem is not None:
                    raise self.conversation.problem
                left = ends - time.monotonic()
                if left <= 0 or self.conversation.was_refused(number):
                    return None
                self._news.wait(left)
            return answer

    def close(self) -> None:
        """Darken the lamps if the board still answers, and let go of the port. May be called twice."""
        if self._closing:
            return
        if self.conversation.ready and self.conversation.problem is None:
            with suppress(BoardError):
                self.ask(words.BYE, within_s=LAST_WORDS_S)
        with self._news:
            self._closing = True
            self._news.notify_all()
        for cancel in (self._port.cancel_read, self._port.cancel_write):
            with suppress(OSError):
                cancel()
        # Only then: a descriptor that is closed under a thread may already be that of another file when it is used.
        # They end by themselves, since neither reading nor writing waits for longer than its time-out.
        for thread in self._threads:
            thread.join()
        with suppress(OSError):
            self._port.close()

    def _read(self) -> None:
        while not self._is_over():
            try:
                data = self._port.read(max(1, self._port.in_waiting))
            except Exception as error:  # of a port that is gone pyserial raises whatever it stumbles over
                self._end(error)
                return
            if not data:
                continue
            try:
                with self._news:
                    self.conversation.receive(data, self._clock())
                    reports = self.conversation.reports()
                    self._news.notify_all()
            except Exception as error:  # a fault of ours; the board is opened anew rather than deaf
                _log.exception("What the board said could not be dealt with.")
                self._end(error)
                return
            if reports:
                self._heard(reports)
        self._end(None)

    def _write(self) -> None:
        while not self._is_over():
            with self._news:
                data = self.conversation.outgoing(self._clock())
                if not data:
                    wait_ms = self.conversation.due(self._clock()) - self._clock()
                    if self.conversation.problem is None and not self._closing:
                        self._news.wait(max(wait_ms, 1.0) / 1000)
                    continue
            try:
                self._port.write(data)
            except Exception as error:
                self._end(error)
                return
        self._end(None)

    def _is_over(self) -> bool:
        return self._closing or self.conversation.problem is not None

    def _end(self, error: Exception | None) -> None:
        """The talk is over; say so once, unless it was we who ended it."""
        with self._news:
            if self._closing or self._told:
                self._news.notify_all()
                return
            self._told = True
            if self.conversation.problem is None:
                _log.info("The port of the board failed (%s).", _reason(error))
                self.conversation.problem = BoardLost(
                    Message(
                        "The cable to the board was unplugged. Plug it in again, here or at another socket: a game "
                        "goes on by itself."
                    )
                )
            problem = self.conversation.problem
            self._news.notify_all()
        self._lost(problem)


def _reason(error: Exception | None) -> str:
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__
