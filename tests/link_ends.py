"""A board's end of the link and a small scripted host, under a clock that the test moves; on MicroPython too."""

from popout.link.board_end import BoardEnd
from popout.link.frames import Decoder, encode
from popout.link.pictures import chunks
from popout.link.reports import Levels
from popout.link.words import numbers

ABOUT = ("1.2.0", "E6616407E3", "0a1b2c3d", "power-on", "pico")


class Ends:
    """A board, and what a host would hear of it. Frames are triples of a kind, a number and a payload."""

    def __init__(
        self,
        switches: int = 4,
        lamps: int = 6,
        closed: tuple[int, ...] = (),
        resting: int = 0,
        levers: int = 0,
    ) -> None:
        self.now = 1000
        self.contacts = [switch in closed for switch in range(switches)]
        self.end = BoardEnd(ABOUT, lamps, list(self.contacts), self.now, resting, levers)
        self.ear = Decoder()
        self.number = 0

    def say(self, kind: str, payload: str = "", number: int | None = None) -> list[tuple[str, int, str]]:
        """Say something as the host; what the board answers at once."""
        self.number = (self.number + 1) % 256 if number is None else number
        return self.hand_in(encode(kind, self.number, payload))

    def hand_in(self, data: bytes) -> list[tuple[str, int, str]]:
        """Let these bytes come to the board."""
        self.end.receive(data, len(data), self.now)
        return self.heard()

    def heard(self) -> list[tuple[str, int, str]]:
        """What the board has to say."""
        found = []
        while True:
            line = self.end.outgoing(self.now)
            if line is None:
                return found
            found += list(self.ear.feed(line, len(line)))

    def hello(self) -> list[tuple[str, int, str]]:
        return self.say("h", "1.0")

    def move(self, switch: int, closed: bool) -> list[tuple[str, int, str]]:
        """Let a contact change."""
        self.contacts[switch] = closed
        self.end.edge(switch, closed, self.now)
        return self.heard()

    def wait(self, milliseconds: int, pings: bool = True) -> list[tuple[str, int, str]]:
        """Let time pass; a host that `pings` is there, its pongs are left out."""
        found = []
        for _ in range(milliseconds):
            self.now += 1
            self.end.poll(self.now, self.contacts)
            self.end.tick(self.now)
            found += self.heard()
            if pings and self.now % 500 == 0:
                found += [frame for frame in self.say("p") if frame[0] != "P"]
        return found

    def tap(self, switch: int) -> list[tuple[str, int, str]]:
        """Press a switch for 50 ms and let it go for 50 ms."""
        found = self.move(switch, True) + self.wait(50)
        return found + self.move(switch, False) + self.wait(50)

    def picture(self, number: int, colours: list[int]) -> list[tuple[str, int, str]]:
        """Send a picture; what the board answers."""
        found = []
        for payload in chunks(number, colours):
            found += self.say("l", payload)
        return found


class Listener:
    """What a host makes of the events: it takes the one that it expects, and acknowledges that and older ones."""

    def __init__(self, state: str) -> None:
        _, self.expected, closed, stuck, muted = _numbers(state, 5)
        self.levels = Levels(closed, stuck, muted)
        self.told: list[tuple[int, int, int]] = []

    def hear(self, frame: tuple[str, int, str]) -> int | None:
        """The number of the event that is to be acknowledged."""
        kind, number, payload = frame
        ahead = (number - self.expected) % 256
        if kind != "E" or 0 < ahead < 128:
            return None
        if ahead == 0:
            time, switch, report, closed = _numbers(payload, 4)
            self.levels.report(switch, report)
            self.told.append((time, switch, report))
            if closed != self.levels.closed:
                raise ValueError("what the board says of its switches does not fit together")
            self.expected = (number + 1) % 256
        return number


def events(frames: list[tuple[str, int, str]]) -> list[tuple[int, list[int]]]:
    """The events among the frames: their numbers, and time, switch, report and levels."""
    return [(number, _numbers(payload, 4)) for kind, number, payload in frames if kind == "E"]


def play(setting: dict[str, object], steps: list[list[object]]) -> list[str]:
    """Let both ends do a scenario: all that the board said, a frame a line, and what it shows in between."""
    ends = Ends(**setting)  # type: ignore[arg-type]
    lines = []
    for step in steps:
        frames = getattr(ends, str(step[0]))(*step[1:])
        lines += [f"{ends.now} {kind}{number:02X}{payload}" for kind, number, payload in frames]
        if ends.end.picture_is_new():
            lines.append(f"{ends.now} shows {ends.end.colours}")
    return lines


def _numbers(payload: str, count: int) -> list[int]:
    found = numbers(payload, count)
    if found is None:
        raise ValueError(payload)
    return found
