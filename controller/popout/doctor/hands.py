"""The test of the wiring on an open board: the clock, the board, and the lines that somebody types.

What is asked is decided in `popout.doctor.examination`, what it means in `popout.doctor.diagnosis`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterable, Callable
from contextlib import suppress
from typing import Final

from popout.board.driver import BoardDriver, BoardError, BoardLost
from popout.board.frame import Frame
from popout.board.power import within_limits
from popout.board.switches import SwitchEvent, SwitchFault
from popout.doctor.asking import Paces, Rest
from popout.doctor.examination import QUIT, Examination
from popout.doctor.observations import Seen
from popout.rules.messages import Message, PopoutError

_HARDLY_DEBOUNCED: Final = (0, 1, 1)
"""The times in ms with which a board that debounces its own switches hands on nearly every edge, as others do."""


class AnswersEnded(PopoutError, RuntimeError):
    """There is nobody any more who could answer."""

    code = "answers-ended"


async def examine_board(
    board: BoardDriver,
    lines: AsyncIterable[str],
    say: Callable[[Message], None],
    *,
    typed: bool = True,
    paces: Paces | None = None,
) -> Seen | None:
    """Test the wiring of an open board; its lamps are dark at the end.

    :param lines: the answers. :param say: tells a sentence to the person at the board.
    :param typed: whether a person types the lines as they are asked for; lines of a pipe are there before, and wait
        for their question.
    :return: what was seen; None if the person left before the end.
    :raises AnswersEnded: the lines ended before the test did, and no person typed them; who does has left.
    :raises BoardLost: the board went away.
    """
    return await _Shell(board, say, typed=typed, paces=paces).run(lines)


class _Shell:
    def __init__(self, board: BoardDriver, say: Callable[[Message], None], *, typed: bool, paces: Paces | None) -> None:
        self._board = board
        self._say = say
        self._typed = typed
        if board.debounced:
            board.debounce(*_HARDLY_DEBOUNCED)
        self._examination = Examination(board.layout, board.levels(), board.now(), paces)
        self._reports: deque[SwitchEvent | SwitchFault] = deque()
        self._lines: deque[str | None] = deque()  # None for their end
        self._error: Exception | None = None
        self._news = asyncio.Event()
        self._shown: Frame | None = None

    async def run(self, lines: AsyncIterable[str]) -> Seen | None:
        """Go on until the end."""
        readers = [asyncio.create_task(self._listen()), asyncio.create_task(self._read(lines))]
        asked = None
        try:
            while (question := self._examination.question) is not None:
                if question is not asked:
                    asked = question
                    for message in question.say:
                        self._say(message)
                self._light()
                if not self._is_answered():
                    await self._wait()
                self._hear()
        finally:
            for reader in readers:
                reader.cancel()
            await asyncio.gather(*readers, return_exceptions=True)
            with suppress(BoardError):
                self._board.show(Frame.dark(self._board.layout.columns, self._board.layout.rows))
        return self._examination.seen

    def _light(self) -> None:
        frame = self._examination.frame(self._board.now())
        if frame is not None and frame != self._shown:
            self._board.show(within_limits(frame, self._board.layout))
            self._shown = frame

    def _is_answered(self) -> bool:
        """Whether a line is there for the question."""
        question = self._examination.question
        if not self._lines or question is None:
            return False
        return self._typed or self._lines[0] is None or not isinstance(question.wants, Rest)

    async def _wait(self) -> None:
        now = self._board.now()
        due = self._examination.due(now)
        with suppress(TimeoutError):
            async with asyncio.timeout(None if due is None else max(0.0, due - now) / 1000):
                await self._news.wait()

    def _hear(self) -> None:
        """Hand on what has come: reports first, since they are older, and at most one line."""
        self._news.clear()
        while self._reports:
            report = self._reports.popleft()
            if isinstance(report, SwitchEvent):
                self._examination.edge(report)
            else:
                self._examination.fault(report)
        if self._error is not None:
            raise self._error
        before = self._examination.question
        self._examination.tick(self._board.now(), self._board.levels())
        if self._examination.question is before and self._is_answered():
            self._take(self._lines.popleft())

    def _take(self, line: str | None) -> None:
        question = self._examination.question
        if line is None and self._typed:
            self._examination.typed(QUIT, self._board.now())
        elif line is None:
            raise AnswersEnded(
                Message(
                    "The test of the wiring asks questions, and there is nobody to answer: its input has ended. Run it "
                    "in a terminal."
                )
            )
        elif question is not None and isinstance(question.wants, Rest) and line.strip().lower() != QUIT:
            return  # typed while nothing was asked
        else:
            self._examination.typed(line, self._board.now())

    async def _listen(self) -> None:
        """Take what comes from the board, an error too, since the loop that waits has to learn of it."""
        try:
            async for report in self._board.events():
                self._reports.append(report)
                self._news.set()
            raise BoardLost(Message("The board has fallen silent."))
        except Exception as error:
            self._error = error
            self._news.set()

    async def _read(self, lines: AsyncIterable[str]) -> None:
        async for line in lines:
            self._lines.append(line)
            self._news.set()
        self._lines.append(None)
        self._news.set()
