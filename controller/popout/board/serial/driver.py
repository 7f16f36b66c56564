"""The driver ``serial``: a board behind a Raspberry Pi Pico on a USB cable."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from typing import ClassVar

from popout.board.driver import BoardDriver, BoardError
from popout.board.frame import Frame
from popout.board.inbox import Inbox
from popout.board.layout import Layout
from popout.board.serial import DRIVER
from popout.board.serial.conversation import Report, Times
from popout.board.serial.description import digest
from popout.board.serial.ear import Ear, Heard
from popout.board.serial.hello import Hello
from popout.board.serial.ports import SerialPort, may_be_board, ports
from popout.board.serial.talking import (
    BoardNotFound,
    first_that_answers,
    greet,
    install_command,
    likely,
    monotonic_ms,
    said_by,
)
from popout.board.serial.wire import Wire
from popout.board.switches import SwitchEvent, SwitchFault
from popout.rules.messages import Message


class FirmwareLayoutDiffers(BoardError):
    """The firmware was made for another layout."""

    code = "firmware-layout-differs"


class SerialBoard(BoardDriver):
    """A board behind a microcontroller on a serial link.

    Wiring: a Pico or Pico 2 with the firmware of this project (`popout firmware install`), on USB. It is found by its
    USB ids under whatever name its port has::

        with SerialBoard(Layout.load("7x6-pico")) as board:
            async for event in board.events():
                ...

    A Pico goes dark by itself when no program talks to it, so its lamps never keep the last picture.

    :param layout: what hangs on which pin; the firmware must have been made for the same.
    :param device: a port such as ``/dev/ttyACM0``, or a board's serial number; without it the board is looked for.
    :param unique: accept the board with this id alone, whatever its port is called.
    :param clock: another clock, in milliseconds; for tests.
    :param times: the debouncing times to begin with, see `debounce`: to change them under a finger costs its press.
    """

    name: ClassVar[str] = DRIVER
    debounced: ClassVar[bool] = True

    def __init__(
        self,
        layout: Layout,
        *,
        device: str | None = None,
        unique: str | None = None,
        clock: Callable[[], float] | None = None,
        times: Times | None = None,
    ) -> None:
        self.layout = layout
        self._times = times
        self._digest = digest(layout)
        self._named = layout.source or layout.name
        self._clock = monotonic_ms if clock is None else clock
        self._switches = tuple(layout.switches)
        self._inbox: Inbox[Heard] = Inbox()
        self._problem: BoardError | None = None
        self._closed = False
        self._port, self._wire = self._open(device, unique)
        self._ear = Ear(self._switches, self._wire.conversation.closed_at_first)

    @classmethod
    def attached(cls, layout: Layout) -> bool:  # noqa: ARG003 - whatever the layout
        """Whether a Pico that may have this project's firmware shows itself on USB."""
        return any(may_be_board(port) for port in ports())

    @classmethod
    def opener(cls, device: str | None = None) -> Callable[[Layout], SerialBoard]:
        """What opens the board on `device`; once it has, it opens the same board again on whatever port it is."""
        return _Opener(device)

    @property
    def times(self) -> Times | None:
        """The debouncing times that the board was given; None for the usual ones."""
        return self._times

    @property
    def hello(self) -> Hello:
        """What the board said of itself."""
        return said_by(self._wire)

    @property
    def description(self) -> Message:
        """Which port the board is on."""
        return Message("the board on {port}", port=self._port.device)

    def now(self) -> float:
        """The monotonic clock of this computer, in milliseconds."""
        return self._clock()

    def levels(self) -> Mapping[str, bool]:
        """The level of every switch as it was handed on, but for those of which a report waits to be.

        None is known while the board owes an answer: whoever held a button may have let go.
        """
        if self._wire.is_unsure():
            return {}
        if not self._inbox.has_reader:
            return dict(self._ear.levels)
        waiting = self._inbox.waiting()
        return {switch: closed for switch, closed in self._ear.levels.items() if switch not in waiting}

    async def events(self) -> AsyncIterator[SwitchEvent | SwitchFault]:
        """The reports of the switches as they come. Ends when the board is closed.

        :raises BoardError: the cable was pulled, or the board does not answer any more.
        """
        news = self._inbox.listen()
        try:
            while self._is_open():
                problem = self._problem  # looked at first: what was heard before it still counts
                for heard in self._inbox.take(news):
                    yield self._ear.understood(heard)
                    if not self._is_open():
                        return
                if problem is not None:
                    raise problem
                if self._problem is None:
                    await news.wait()
        finally:
            self._inbox.leave(news)

    def debounce(self, glitch_ms: float, lockout_ms: float, disc_lockout_ms: float) -> None:
        """Let the board debounce its switches with these times, in whole milliseconds."""
        self._times = (glitch_ms, lockout_ms, disc_lockout_ms)
        self._wire.debounce(self._times)

    def show(self, frame: Frame) -> None:
        """Light the lamps; the newest frame is the one that counts."""
        if self._closed:
            return
        colours = self.layout.colours(frame)
        self._wire.show((*colours, *frame.turns) if self.layout.leds is not None else colours)

    def close(self) -> None:
        """Darken the lamps, let go of the port, and end the events."""
        if self._closed:
            return
        self._closed = True
        self._wire.close()
        self._inbox.ring()

    def _is_open(self) -> bool:
        return not self._closed

    def _open(self, device: str | None, unique: str | None) -> tuple[SerialPort, Wire]:
        """The first port on which the board answers.

        :raises BoardError: there is none; what was wrong with the first that may have been the board.
        """
        return first_that_answers(likely(device, unique), lambda port: self._greet(port, unique), self._named)

    def _greet(self, port: SerialPort, unique: str | None) -> Wire:
        # What another board said is none of ours.
        self._inbox, self._problem = Inbox(), None
        wire = greet(port, clock=self._clock, heard=self._hear, lost=self._lose, layout=self._named, times=self._times)
        try:
            hello = said_by(wire)
            if unique is not None and hello.unique != unique:
                raise BoardNotFound(Message("The board on {port} is another one.", port=port.device))
            if hello.digest != self._digest:
                raise FirmwareLayoutDiffers(
                    Message(
                        "The firmware of the board on {port} was made for another layout than “{layout}”. Name the "
                        "layout that the board was made for, or install the firmware for this one: {command}",
                        port=port.device,
                        layout=self.layout.name,
                        command=install_command(self._named),
                    )
                )
        except BaseException:
            wire.close()
            raise
        return wire

    def _hear(self, reports: list[Report]) -> None:
        """Take what the switches reported; in the wire's thread."""
        for report in reports:
            if report.switch < len(self._switches):
                self._inbox.put(Heard(self._switches[report.switch], report.kind, report.time))

    def _lose(self, problem: BoardError) -> None:
        self._problem = problem
        self._inbox.ring()


class _Opener:
    """Opens a board, and then always the same one, with the times that it had."""

    def __init__(self, device: str | None) -> None:
        self._device = device
        self._last: SerialBoard | None = None

    def __call__(self, layout: Layout) -> SerialBoard:
        last = self._last
        unique, times = (last.hello.unique, last.times) if last is not None else (None, None)
        self._last = SerialBoard(layout, device=self._device, unique=unique, times=times)
        return self._last
