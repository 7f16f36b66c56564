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
from popout.board.serial.hello import INSTALL, MOST_SWITCHES, Hello, read_hello, wrong_protocol
from popout.board.serial.painting import Painter
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
from popout.link.reports import Levels
from popout.rules.messages import Message

AGAIN_MS: Final = 200.0
"""A question without an answer is asked again after so long."""
SILENT_MS: Final = 2000.0
"""A board that says nothing for so long, though it was asked, is lost."""
UNSURE_MS: Final = 250.0
"""After so long without an answer, nobody knows any more whether a button is still held."""
HELD_UP_MS: Final = 1000.0
"""A program that looked after the talk so long ago stood still meanwhile."""
Times = tuple[float, float, float]
"""The debouncer's: glitch limit, lock-out, lock-out of what a disc moves; in ms."""

_KINDS: Final = (PRESSED, RELEASED, STUCK, FAULTY, HEALED)


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

    def __init__(self, now: float, times: Times | None = None, *, install: str = INSTALL) -> None:
        """Begin with a greeting.

        :param times: the debouncer's; by default the usual ones.
        :param install: the command that installs the firmware for this board's layout.
        """
        self.hello: Hello | None = None
        self.pong: Pong | None = None
        self.levels = Levels()
        self.closed_at_first = 0
        self.problem: BoardError | None = None
        self._install = install
        self._stage = _Stage.HELLO
        self._times = times or (GLITCH_MS, BUTTON_LOCKOUT_MS, DISC_LOCKOUT_MS)
        self._decoder = Decoder()
        # An end of what may lie in the port from before.
        self._out = bytearray(b"\n")
        self._reports: deque[Report] = deque()
        self._number = 0
        self._asked: set[int] = set()  # the numbers of the questions of this stage: an answer may come late
        self._asked_at = float("-inf")
        self._seen = False  # whether a state was told before
        self._event = 0  # the number of the event that comes next
        self._said_at = now
        self._waiting_since: float | None = None  # since when something was said and nothing heard
        self._looked_at = now
        self._stood_still_until = now
        self._clock = BoardClock()
        self._ping = (-1, now)  # the number of the last one, and when it was said
        self._held = 0  # the buttons that were pressed and not let go, as a mask
        self._painter = Painter(now)
        self._answers: dict[int, str | None] = {}
        self._refusals: set[int] = set()

    @property
    def ready(self) -> bool:
        """Whether the board was greeted and said how its switches are."""
        return self._stage is _Stage.READY

    @property
    def lit(self) -> tuple[int, ...] | None:
        """The picture that the board has said to show; None if it has said so of none."""
        return self._painter.shown

    def receive(self, data: bytes, now: float) -> None:
        """Understand what was read."""
        for kind, number, payload in self._decoder.feed(data, len(data)):
            if kind >= "a":
                continue  # an echo of what we said ourselves: nobody is there for that
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
        self._painter.show(colours)

    def debounce(self, times: Times) -> None:
        """Let the board debounce with other times."""
        if times != self._times:
            self._times = times
            if self._stage is not _Stage.HELLO:
                self._go_on(_Stage.TIMES)  # an answer about others that is under way is none to these

    def ask(self, kind: str, payload: str = "") -> int:
        """Say something else of `popout.link.words`; what comes back is in `answer` under the number given here."""
        number = self._say(kind, payload)
        self._answers[number] = None
        self._refusals.discard(number)  # of what had this number before
        return number

    def is_unsure(self, now: float) -> bool:
        """Whether the board owes an answer for so long that a press may have ended meanwhile."""
        if now - self._looked_at >= HELD_UP_MS:
            return True
        return self._waiting_since is not None and now - self._waiting_since >= UNSURE_MS

    def was_refused(self, number: int) -> bool:
        """Whether the board has refused what was asked. It is told once."""
        if number not in self._refusals:
            return False
        self._refusals.discard(number)
        return True

    def answer(self, number: int) -> str | None:
        """The payload of the answer to what was asked; None while there is none. It is told once."""
        if self._answers.get(number) is None:
            return None
        return self._answers.pop(number)

    def outgoing(self, now: float) -> bytes:
        """What is to be written now."""
        if self.problem is not None:
            return b""
        if now - self._looked_at >= HELD_UP_MS:
            # It was this program that stood still. What the board said meanwhile may lie in the port.
            self._stood_still_until = now
            if self._waiting_since is None:
                self._waiting_since = self._looked_at
        self._looked_at = now
        # Whoever has never answered is no board; for how long to ask it, the caller knows.
        waiting_since = self._waiting_since
        silent = waiting_since is not None and now - max(waiting_since, self._stood_still_until) >= SILENT_MS
        if silent and self.hello is not None:
            self.problem = BoardLost(Message("The board does not answer any more."))
            return b""
        if self._stage is not _Stage.READY and now - self._asked_at >= AGAIN_MS:
            self._ask_for_stage(now)
        if self.ready:
            self._painter.send(now, self._say_lamps)
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
        ping = self._said_at + words.PING_MS
        picture = self._painter.due()
        return ping if picture is None else min(ping, picture)

    # What we say

    def _say(self, kind: str, payload: str = "") -> int:
        self._number = (self._number + 1) % 256
        self._out += encode(kind, self._number, payload)
        return self._number

    def _say_lamps(self, kind: str, payload: str) -> tuple[int, int]:
        before = len(self._out)
        return self._say(kind, payload), len(self._out) - before

    def _ask_for_stage(self, now: float) -> None:
        self._asked_at = now
        match self._stage:
            case _Stage.HELLO:
                self._asked.add(self._say(words.HELLO, f"{words.MAJOR:X}.{words.MINOR:X}"))
            case _Stage.TIMES:
                self._asked.add(self._say(words.DEBOUNCE, words.joined(*_whole(self._times))))
            case _Stage.STATE:
                self._asked.add(self._say(words.ASK_STATE))

    def _go_on(self, stage: _Stage) -> None:
        self._stage = stage
        self._asked.clear()
        self._asked_at = float("-inf")

    # What the board says

    def _understand(self, kind: str, number: int, payload: str, now: float) -> None:
        if kind == words.EVENT:
            self._hear(number, payload, now)
        elif kind == words.REFUSAL:
            self._refused(number, payload, now)
        elif kind == words.HELLO_BACK:
            if self._stage is _Stage.HELLO and number in self._asked:
                self._meet(payload)
        elif kind == words.PONG:
            self._hear_pong(number, payload, now)
        elif kind == words.STATE:
            if self._stage is _Stage.STATE and number in self._asked:
                self._see(payload, now)
        elif kind == words.ACK:
            self._acknowledged(number, now)
        if number in self._answers and kind not in (words.EVENT, words.HELLO_BACK):
            if kind == words.REFUSAL:
                del self._answers[number]
                self._refusals.add(number)
            else:
                self._answers[number] = payload

    def _meet(self, payload: str) -> None:
        hello = read_hello(payload)
        if hello is None:
            self._decoder.bad += 1
            return
        if words.number(hello.protocol.split(".")[0]) != words.MAJOR:
            self.problem = wrong_protocol(hello.protocol, self._install)
            return
        self.hello = hello
        self._go_on(_Stage.TIMES)

    def _see(self, payload: str, now: float) -> None:
        state = words.numbers(payload, 5)
        if state is None:
            self._decoder.bad += 1
            return
        time, self._event, closed, stuck, muted = state
        if not self._has_switches(closed | stuck | muted):
            return
        at = self._clock.told(time, now)
        if self._seen:
            self._catch_up(closed, at)
        else:
            self.closed_at_first = closed
        self._tell_of_muted(muted, at)
        self._seen = True
        self.levels = Levels(closed, stuck, muted)
        self._go_on(_Stage.READY)

    def _catch_up(self, closed: int, at: float) -> None:
        """Report what the switches did while the times were changed; nobody can say that what is closed was pressed."""
        self._held &= closed
        for switch in range((self.levels.closed | closed).bit_length()):
            before, after = self.levels.closed >> switch & 1, closed >> switch & 1
            if before != after:
                self._reports.append(Report(switch, STUCK if after else RELEASED, at))

    def _tell_of_muted(self, muted: int, at: float) -> None:
        """Report the switches that the board had muted, or has given back, before it said so."""
        for switch in range((self.levels.muted | muted).bit_length()):
            before, after = self.levels.muted >> switch & 1, muted >> switch & 1
            if before != after:
                self._reports.append(Report(switch, FAULTY if after else HEALED, at))

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
        if not self._has_switches(1 << min(switch, MOST_SWITCHES) | closed):
            return
        self._event = (number + 1) % 256
        self._acknowledge(number)
        self.levels.report(switch, kind)
        bit = 1 << switch
        if kind == HEALED and self._held & bit:
            kind = RELEASED  # the times were changed under the finger, which made the button a stuck one to the board
        self._held = self._held | bit if kind == PRESSED else self._held & ~bit
        self._reports.append(Report(switch, kind, self._clock.told(time, now)))
        if self.levels.closed != closed:
            self.problem = _does_not_fit()

    def _has_switches(self, mask: int) -> bool:
        """Whether the board has the switches of a mask; else the talk is over."""
        assert self.hello is not None
        if mask >> self.hello.switches:
            self.problem = _does_not_fit()
        return self.problem is None

    def _acknowledge(self, number: int) -> None:
        self._out += encode(words.ACK_EVENT, number)

    def _hear_pong(self, number: int, payload: str, now: float) -> None:
        pong = words.numbers(payload, 4)
        if pong is not None:
            asked, asked_at = self._ping
            self._clock.told(pong[0], now, asked_at if number == asked else None)
            self.pong = Pong(*pong[1:])

    def _acknowledged(self, number: int, now: float) -> None:
        if self._stage is _Stage.TIMES and number in self._asked:
            self._go_on(_Stage.STATE)
        else:
            self._painter.acknowledged(number, now)

    def _refused(self, number: int, payload: str, now: float) -> None:
        reason, _, detail = payload.partition(":")
        if reason == words.WRONG_PROTOCOL and self._stage is _Stage.HELLO:
            self.problem = wrong_protocol(detail, self._install)
        elif reason == words.HELLO_FIRST and self._stage is not _Stage.HELLO:
            self.problem = BoardLost(Message("The board has begun anew."))
        elif self._stage is _Stage.TIMES and number in self._asked:
            self.problem = BoardLost(
                Message("The board refuses the debouncing times {times} ms.", times=_listed(_whole(self._times)))
            )
        else:
            self._painter.refused(number, now, incomplete=reason == words.INCOMPLETE)


def _whole(times: Times) -> tuple[int, int, int]:
    """Debouncing times in the whole milliseconds that a board takes: a glitch limit is none only if it is 0."""
    glitch, button, disc = (round(time) for time in times)
    if times[0] > 0:
        glitch = max(glitch, 1)
    return glitch, max(button, glitch + 1), max(disc, glitch + 1)


def _listed(times: tuple[int, ...]) -> str:
    return ", ".join(map(str, times))


def _does_not_fit() -> BoardLost:
    return BoardLost(Message("What the board says of its switches does not fit together."))
