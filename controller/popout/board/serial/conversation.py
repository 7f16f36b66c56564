"""The host's end of the link: greeting a board, hearing its events, sending it pictures. Pure; time is an argument.

The board's end is `popout.link.board_end`; `firmware/README.md` explains what both say. What comes out of here depends
on what was handed in alone, so that a test can cut, flip and repeat at every byte.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from popout.board.driver import BoardError, BoardLost
from popout.board.serial.clock import BoardClock
from popout.link import words
from popout.link.debounce import (
    BUTTON_LOCKOUT_MS,
    DISC_LOCKOUT_MS,
    FAULTY,
    GLITCH_MS,
    HEALED,
    PRESSED,
    RELEASED,
    STUCK,
)
from popout.link.frames import Decoder, encode
from popout.link.pictures import chunks
from popout.link.reports import Levels
from popout.rules.messages import Message

AGAIN_MS: Final = 200.0
"""A question without an answer is asked again after so long."""
SILENT_MS: Final = 2000.0
"""A board that says nothing for so long, though it was asked, is lost."""
PICTURE_MS: Final = 40.0
BYTE_MS: Final = 0.1
"""A picture of which the board has not said for so long, and for each of its bytes, that it shows it is sent again."""
PAUSE_MS: Final = 20.0
"""The pause after a picture that did not arrive whole."""
HELD_UP_MS: Final = 1000.0
"""A program that looked after the talk so long ago stood still meanwhile."""
REPAINT_MS: Final = 5000.0
"""A picture is sent again after so long, whatever went wrong with it unnoticed."""

_KINDS: Final = (PRESSED, RELEASED, STUCK, FAULTY, HEALED)


class FirmwareProtocolError(BoardError):
    """The firmware speaks another protocol."""

    code = "firmware-protocol"


@dataclass(frozen=True, slots=True)
class Hello:
    """What a board says of itself.

    :ivar version: of its firmware. :ivar unique: its id, also its serial number on USB. :ivar digest: of its layout.
    :ivar switches, lamps: how many it has. :ivar reset: why it started. :ivar model: ``pico`` or ``pico2``.
    """

    protocol: str
    version: str
    unique: str
    digest: str
    switches: int
    lamps: int
    reset: str
    model: str


@dataclass(frozen=True, slots=True)
class Pong:
    """How a board is: bytes of memory that are free, the longest turn of its loop in microseconds, lines it lost."""

    free: int
    loop_us: int
    bad_lines: int


@dataclass(frozen=True, slots=True)
class Report:
    """A switch, counted from 0, reported something of `popout.link.debounce` at a time of the host's clock."""

    switch: int
    kind: int
    time: float


class _Stage(Enum):
    HELLO = auto()
    TIMES = auto()
    STATE = auto()
    READY = auto()


@dataclass(slots=True)
class _Picture:
    """A picture that is under way.

    :ivar asked: the number of the frame that asks for it to be shown. :ivar again_at: when it is sent again.
    """

    colours: tuple[int, ...]
    asked: int
    again_at: float


class Conversation:
    """Talk with one board over one opening of its port.

    Hand in what was read and the time; write what comes out::

        conversation = Conversation(now)
        while True:
            port.write(conversation.outgoing(now))
            conversation.receive(port.read(), now)
            for report in conversation.reports():
                ...

    :ivar hello: what the board said of itself; None until it has. :ivar pong: what it said last of how it is.
    :ivar levels: its switches as reported; right once `ready`.
    :ivar closed_at_first: those that were closed when it was greeted, as a mask: reports come on top of that.
    :ivar problem: why the talk is over; None while it is not.
    """

    def __init__(self, now: float, times: tuple[float, float, float] | None = None) -> None:
        """Begin with a greeting. `times` are the debouncer's: glitch limit, lock-out, lock-out of discs; in ms."""
        self.hello: Hello | None = None
        self.pong: Pong | None = None
        self.levels = Levels()
        self.closed_at_first = 0
        self.problem: BoardError | None = None
        self._stage = _Stage.HELLO
        self._times = times or (GLITCH_MS, BUTTON_LOCKOUT_MS, DISC_LOCKOUT_MS)
        self._decoder = Decoder()
        # An end of what may lie in the port from before.
        self._out = bytearray(b"\n")
        self._reports: deque[Report] = deque()
        self._number = 0
        self._asked = -1  # the number of the question of this stage
        self._asked_at = float("-inf")
        self._seen = False  # whether a state was told before
        self._event = 0  # the number of the event that comes next
        self._said_at = now
        self._waiting_since: float | None = None  # since when something was said and nothing heard
        self._looked_at = now
        self._clock = BoardClock()
        self._ping = (-1, now)  # the number of the last one, and when it was said
        self._wanted: tuple[int, ...] | None = None
        self._sent: tuple[int, ...] | None = None
        self._shown: tuple[int, ...] | None = None
        self._shown_at = now
        self._paint_at = now  # no picture is sent before
        self._under_way: _Picture | None = None
        self._picture = 0
        self._answers: dict[int, str | None] = {}

    @property
    def ready(self) -> bool:
        """Whether the board was greeted and said how its switches are."""
        return self._stage is _Stage.READY

    @property
    def lit(self) -> tuple[int, ...] | None:
        """The picture that the board has said to show; None if it has said so of none."""
        return self._shown

    def receive(self, data: bytes, now: float) -> None:
        """Understand what was read."""
        for kind, number, payload in self._decoder.feed(data, len(data)):
            if self.problem is None:
                self._waiting_since = None
                self._understand(kind, number, payload, now)

    def reports(self) -> list[Report]:
        """What the switches have reported since this was asked last."""
        found = list(self._reports)
        self._reports.clear()
        return found

    def show(self, colours: Sequence[int]) -> None:
        """Let the lamps show this picture, 0xRRGGBB each, as soon as the one under way has arrived."""
        self._wanted = tuple(colours)

    def debounce(self, times: tuple[float, float, float]) -> None:
        """Let the board debounce with other times."""
        if times != self._times:
            self._times = times
            if self._stage not in (_Stage.HELLO, _Stage.TIMES):
                self._stage = _Stage.TIMES
            self._asked_at = float("-inf")

    def ask(self, kind: str, payload: str = "") -> int:
        """Say something else of `popout.link.words`; what comes back is in `answer` under the number given here."""
        number = self._say(kind, payload)
        self._answers[number] = None
        return number

    def answer(self, number: int) -> str | None:
        """The payload of the answer to what was asked; None while there is none. It is told once."""
        if self._answers.get(number) is None:
            return None
        return self._answers.pop(number)

    def outgoing(self, now: float) -> bytes:
        """What is to be written now."""
        if self.problem is not None:
            return b""
        if now - self._looked_at >= HELD_UP_MS and self._waiting_since is not None:
            self._waiting_since = now  # it was this program that stood still, and the answer may lie in the port
        self._looked_at = now
        if self._waiting_since is not None and now - self._waiting_since >= SILENT_MS:
            self.problem = BoardLost(Message("The board does not answer any more."))
            return b""
        if self._stage is not _Stage.READY and now - self._asked_at >= AGAIN_MS:
            self._ask_for_stage(now)
        if self.ready:
            self._send_picture(now)
        if self.ready and now - self._said_at >= words.PING_MS:
            self._ping = (self._say(words.PING), now)
        data = bytes(self._out)
        self._out.clear()
        if data:
            self._said_at = now
            if self._waiting_since is None:
                self._waiting_since = now
        return data

    def due(self, now: float) -> float:
        """When `outgoing` has something to say, unless something happens before."""
        if self._out:
            return now
        if not self.ready:
            return self._asked_at + AGAIN_MS
        times = [self._said_at + words.PING_MS]
        if self._under_way is not None:
            times.append(self._under_way.again_at)
        elif self._wanted is not None and self._wanted != self._shown:
            times.append(self._paint_at)
        return min(times)

    # What we say

    def _say(self, kind: str, payload: str = "") -> int:
        self._number = (self._number + 1) % 256
        self._out += encode(kind, self._number, payload)
        return self._number

    def _ask_for_stage(self, now: float) -> None:
        self._asked_at = now
        match self._stage:
            case _Stage.HELLO:
                self._asked = self._say(words.HELLO, f"{words.MAJOR:X}.{words.MINOR:X}")
            case _Stage.TIMES:
                self._asked = self._say(words.DEBOUNCE, words.joined(*map(int, self._times)))
            case _Stage.STATE:
                self._asked = self._say(words.ASK_STATE)

    def _go_on(self, stage: _Stage) -> None:
        self._stage = stage
        self._asked_at = float("-inf")

    def _send_picture(self, now: float) -> None:
        way = self._under_way
        if way is not None and now >= way.again_at:
            way = self._under_way = None
            self._shown = None
        if way is not None or self._wanted is None or now < self._paint_at:
            return
        if self._wanted == self._shown and now - self._shown_at < REPAINT_MS:
            return
        if self._wanted != self._sent or self._wanted == self._shown:
            self._picture = (self._picture + 1) % 256
        # Else it did not arrive whole; what of it did, the board still has.
        self._sent = self._wanted
        number, before = 0, len(self._out)
        for payload in chunks(self._picture, self._wanted):
            number = self._say(words.LAMPS, payload)
        takes_ms = PICTURE_MS + (len(self._out) - before) * BYTE_MS
        self._under_way = _Picture(self._wanted, number, now + takes_ms)

    # What the board says

    def _understand(self, kind: str, number: int, payload: str, now: float) -> None:
        if kind == words.EVENT:
            self._hear(number, payload, now)
        elif kind == words.REFUSAL:
            self._refused(number, payload, now)
        elif kind == words.HELLO_BACK:
            if self._stage is _Stage.HELLO and number == self._asked:
                self._meet(payload)
        elif kind == words.PONG:
            self._hear_pong(number, payload, now)
        elif kind == words.STATE:
            if self._stage is _Stage.STATE and number == self._asked:
                self._see(payload, now)
        elif kind == words.ACK:
            self._acknowledged(number, now)
        if number in self._answers and kind not in (words.EVENT, words.HELLO_BACK):
            self._answers[number] = payload

    def _meet(self, payload: str) -> None:
        fields = words.fields(payload, 8)
        switches, lamps = (words.number(field) for field in fields[4:6]) if fields else (None, None)
        if fields is None or switches is None or lamps is None:
            self._decoder.bad += 1
            return
        protocol, version, unique, digest, _, _, reset, model = fields
        self.hello = Hello(protocol, version, unique, digest, switches, lamps, reset, model)
        self._go_on(_Stage.TIMES)

    def _see(self, payload: str, now: float) -> None:
        state = words.numbers(payload, 5)
        if state is None:
            self._decoder.bad += 1
            return
        time, self._event, closed, stuck, muted = state
        at = self._clock.told(time, now)
        if self._seen:
            self._catch_up(closed, at)
        else:
            self.closed_at_first = closed
        self._seen = True
        self.levels = Levels(closed, stuck, muted)
        self._go_on(_Stage.READY)

    def _catch_up(self, closed: int, at: float) -> None:
        """Report what the switches did while the times were changed; nobody can say that what is closed was pressed."""
        for switch in range((self.levels.closed | closed).bit_length()):
            before, after = self.levels.closed >> switch & 1, closed >> switch & 1
            if before != after:
                self._reports.append(Report(switch, STUCK if after else RELEASED, at))

    def _hear(self, number: int, payload: str, now: float) -> None:
        event = words.numbers(payload, 4)
        if event is None or self._stage is not _Stage.READY or event[2] not in _KINDS:
            return  # what was before the state, the state tells
        ahead = (number - self._event) % 256
        if ahead:
            if ahead >= 128:  # said again: our acknowledgement was lost
                self._acknowledge(number)
            return
        time, switch, kind, closed = event
        self._event = (number + 1) % 256
        self._acknowledge(number)
        self.levels.report(switch, kind)
        self._reports.append(Report(switch, kind, self._clock.told(time, now)))
        if self.levels.closed != closed:
            self.problem = BoardLost(Message("What the board says of its switches does not fit together."))

    def _acknowledge(self, number: int) -> None:
        self._out += encode(words.ACK_EVENT, number)

    def _hear_pong(self, number: int, payload: str, now: float) -> None:
        pong = words.numbers(payload, 4)
        if pong is not None:
            asked, asked_at = self._ping
            self._clock.told(pong[0], now, asked_at if number == asked else None)
            self.pong = Pong(*pong[1:])

    def _acknowledged(self, number: int, now: float) -> None:
        if self._stage is _Stage.TIMES and number == self._asked:
            self._go_on(_Stage.STATE)
        elif self._under_way is not None and number == self._under_way.asked:
            self._shown, self._shown_at = self._under_way.colours, now
            self._under_way = None

    def _refused(self, number: int, payload: str, now: float) -> None:
        reason, _, detail = payload.partition(":")
        if reason == words.WRONG_PROTOCOL and self._stage is _Stage.HELLO:
            self.problem = _wrong_protocol(detail)
        elif reason == words.HELLO_FIRST and self._stage is not _Stage.HELLO:
            self.problem = BoardLost(Message("The board has begun anew."))
        elif self._under_way is not None and number == self._under_way.asked:
            self._under_way = None
            self._shown = None
            self._paint_at = now + PAUSE_MS


def _wrong_protocol(theirs: str) -> FirmwareProtocolError:
    major = words.number(theirs.split(".")[0]) or 0
    if major < words.MAJOR:
        return FirmwareProtocolError(
            Message(
                "The board's firmware speaks protocol {theirs}, this program {ours}. Update the board: popout firmware "
                "install.",
                theirs=theirs,
                ours=f"{words.MAJOR}.{words.MINOR}",
            )
        )
    return FirmwareProtocolError(
        Message(
            "The board's firmware speaks protocol {theirs}, this program {ours}. Update this program.",
            theirs=theirs,
            ours=f"{words.MAJOR}.{words.MINOR}",
        )
    )
