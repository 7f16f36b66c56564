"""The host's end of the link with a board at the other end, under a clock that a test moves: one that the test plays
itself, and a true `BoardEnd` some way off.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from link_ends import Ends
from popout.board.serial.conversation import Conversation, Report, Times
from popout.link.frames import Decoder, encode
from popout.link.words import joined

Frame = tuple[str, int, str]
"""Kind, number and payload."""
SWITCHES, LAMPS = 4, 6


def hello(protocol: str = "1.0", switches: int = SWITCHES, lamps: int = LAMPS) -> str:
    """The payload of a hello."""
    return f"{protocol}:1.2.0:E6616407E3:0a1b2c3d:{switches:X}:{lamps:X}:power-on:pico"


class Talk:
    """A conversation whose board the test plays.

    :ivar written: all that the host has written.
    """

    def __init__(self, times: Times | None = None) -> None:
        self.now = 1000.0
        self.host = Conversation(self.now, times)
        self.written = b""
        self._ear = Decoder()

    def heard(self) -> list[Frame]:
        """What the host says now."""
        data = self.host.outgoing(self.now)
        self.written += data
        return list(self._ear.feed(data, len(data)))

    def tell(self, kind: str, number: int, payload: str = "") -> list[Frame]:
        """Say something as the board: what the host says to that."""
        self.host.receive(encode(kind, number, payload), self.now)
        return self.heard()

    def wait(self, ms: int, answer: bool = False) -> list[Frame]:
        """Let time pass: what the host says meanwhile. A board that answers does so to pings."""
        found = []
        for _ in range(ms):
            self.now += 1
            for frame in self.heard():
                found.append(frame)
                if answer and frame[0] == "p":
                    self.tell("P", frame[1], "0:0:0:0")
        return found

    def event(
        self, number: int, switch: int, kind: int, closed: int, time: int = 0, *, silently: bool = False
    ) -> list[Frame]:
        """Tell of an event: what the host says to that."""
        self.host.receive(encode("E", number, joined(time, switch, kind, closed)), self.now)
        return [] if silently else self.heard()

    def greeted(self, upto: str = "s", state: str = "0:0:0:0:0") -> Talk:
        """Answer the host's questions, and that of the kind `upto` last."""
        answers = {"h": ("H", hello()), "d": ("A", ""), "s": ("S", state)}
        frames = self.heard()
        while frames:
            ((asked, number, _),) = frames
            kind, payload = answers[asked]
            frames = self.tell(kind, number, payload)
            if asked == upto:
                self.after = frames
                break
        return self

    def reports(self) -> list[tuple[int, int]]:
        """Which switches reported what."""
        return [(report.switch, report.kind) for report in self.host.reports()]


class Line:
    """A conversation with a true board's end, each byte some way under way.

    :ivar lost: asked of each frame whether it is lost. :ivar carried: all that arrived, with the time.
    """

    def __init__(self, way_ms: int = 1, times: Times | None = None, **board: object) -> None:
        self.ends = Ends(**board)  # type: ignore[arg-type]
        self.way_ms = way_ms
        self.host = Conversation(self.now, times)
        self.lost: Callable[[Frame], bool] = lambda _: False
        self.carried: list[tuple[int, Frame]] = []
        self.reports: list[Report] = []
        self._to_board: deque[tuple[int, Frame]] = deque()
        self._to_host: deque[tuple[int, Frame]] = deque()
        self._ear = Decoder()

    @property
    def now(self) -> int:
        return self.ends.now

    def wait(self, ms: int) -> None:
        """Let time pass."""
        for _ in range(ms):
            self._send(self._to_host, self.ends.wait(1, pings=False))
            for frame in self._arrived(self._to_board):
                self._send(self._to_host, self.ends.hand_in(encode(*frame)))
            for frame in self._arrived(self._to_host):
                self.host.receive(encode(*frame), self.now)
            self.reports += self.host.reports()
            data = self.host.outgoing(self.now)
            self._send(self._to_board, list(self._ear.feed(data, len(data))))

    def ready(self) -> Line:
        """Let time pass until the host has greeted the board."""
        while not self.host.ready:
            assert self.now < 10_000
            self.wait(1)
        return self

    def move(self, switch: int, closed: bool) -> None:
        """Let a contact change."""
        self._send(self._to_host, self.ends.move(switch, closed))

    def chatter(self, switch: int) -> None:
        """Let a contact flicker until the board mutes it; it is open then."""
        for edge in range(60):
            self.move(switch, edge % 2 == 0)
            self.wait(1)

    def told(self) -> list[tuple[int, int]]:
        """Which switches reported what, to the host."""
        return [(report.switch, report.kind) for report in self.reports]

    def _send(self, queue: deque[tuple[int, Frame]], frames: list[Frame]) -> None:
        queue.extend((self.now + self.way_ms, frame) for frame in frames if not self.lost(frame))

    def _arrived(self, queue: deque[tuple[int, Frame]]) -> list[Frame]:
        found = []
        while queue and queue[0][0] <= self.now:
            found.append(queue.popleft()[1])
        self.carried += [(self.now, frame) for frame in found]
        return found
