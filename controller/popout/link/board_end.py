"""The board's end of the link: what its switches report, what its lamps are to show, and all that is said.

The file runs unchanged on CPython and on MicroPython: it is the heart of the firmware and of the simulated serial
board. It owns no clock and no port: time is an argument, in milliseconds on a clock that does not wrap around.
"""

from popout.link.debounce import (
    BUTTON_LOCKOUT_MS,
    DISC_LOCKOUT_MS,
    GLITCH_MS,
    STUCK,
    Debouncer,
    check_times,
)
from popout.link.frames import MOST_PAYLOAD, Decoder, encode
from popout.link.pictures import Easel
from popout.link.reports import Levels
from popout.link.words import (
    ACK,
    ACK_EVENT,
    ASK_LOG,
    ASK_STATE,
    BYE,
    CLOCK_MODULUS,
    DEBOUNCE,
    EVENT,
    HELLO,
    HELLO_BACK,
    HELLO_FIRST,
    INCOMPLETE,
    LAMPS,
    LOG,
    MAJOR,
    MINOR,
    MOST_EVENTS,
    PING,
    PONG,
    REFUSAL,
    RESEND_MS,
    SELF_TEST,
    SILENCE_MS,
    STATE,
    TO_BOOT_LOADER,
    TO_PROMPT,
    UNKNOWN_KIND,
    UNREADABLE,
    WRONG_PROTOCOL,
    joined,
    number,
    numbers,
    plain,
)

_MOST_ANSWERS = 8
_MOST_LOG_LINES = 32
_LOG_LETTERS = MOST_PAYLOAD - 8


class BoardEnd:
    """A board as the host sees it.

    Hand it the edges of the switches, the bytes that come and the time; it hands out lines to send and pictures to
    show. What has become certain before an edge is polled before it is handed in, so that reports keep their order::

        end.poll(now, closed)
        end.edge(3, True, now)
        end.receive(data, len(data), now)
        end.tick(now)
        while (line := end.outgoing(now)) is not None:
            port.write(line)
        if end.picture_is_new():
            lamps.show(end.colours)

    :ivar colours: what the lamps are to show, 0xRRGGBB each; the same list for ever.
    :ivar greeted: whether a host has said hello and is still there.
    :ivar wish: what the host wants of the program around this, once: `SELF_TEST`, `TO_PROMPT` or `TO_BOOT_LOADER` of
        `popout.link.words`; empty if nothing. Whoever does it sets it back.
    """

    def __init__(
        self,
        about: tuple[str, str, str, str, str],
        lamps: int,
        closed: list[bool],
        now: float,
        resting: int = 0,
        levers: int = 0,
    ) -> None:
        """Begin, with no host and no light.

        :param about: the firmware's version, the board's unique id, the layout's digest, the reason of the last reset,
            the model; none with a colon in it.
        :param closed: the level of each switch `now`.
        :param resting: the switches that stay as they are put, as the bar does, as a mask.
        :param levers: those that a disc moves, as a mask; the others are buttons.
        """
        self.greeted = False
        self.wish = ""
        self._about = about
        self._easel = Easel(lamps)
        self.colours = self._easel.colours
        self._news = True
        self._resting = resting
        self._levers = levers
        self._times: tuple[float, float, float] = (GLITCH_MS, BUTTON_LOCKOUT_MS, DISC_LOCKOUT_MS)
        self._debouncers: list[Debouncer] = []
        self._due: float | None = None
        self._decoder = Decoder()
        self._answers: list[bytes] = []
        self._events: list[tuple[int, bytes]] = []  # not acknowledged
        self._sent = 0  # how many of them are under way
        self._next = 0
        self._sent_at = now
        self._heard_at = now
        self._log: list[str] = []
        self.free_bytes = 0
        """Of memory, as the program around this measures it, for the host."""
        self.loop_us = 0
        """The longest turn of the program's loop since the host asked last, in microseconds."""
        self._watch(closed, now)

    @property
    def bad_lines(self) -> int:
        """How many lines came that were no frames."""
        return self._decoder.bad

    @property
    def lit(self) -> bool:
        """Whether any lamp is to be lit."""
        return any(self.colours)

    # Switches

    def edge(self, switch: int, closed: bool, now: float) -> None:
        """The contact of a switch, counted from 0, changed to `closed`."""
        for kind, time in self._debouncers[switch].edge(closed, now):
            self._report(switch, kind, time)
        self._look_ahead()

    def poll(self, now: float, closed: list[bool]) -> None:
        """Let time pass, with the level of each switch as read at that time."""
        if self._due is None or now < self._due:
            return
        found: list[tuple[float, int, int, int]] = []
        for switch in range(len(self._debouncers)):
            debouncer = self._debouncers[switch]
            due = debouncer.due()
            if due is not None and due <= now:
                for kind, time in debouncer.poll(now, closed[switch]):
                    found.append((time, len(found), switch, kind))
        found.sort()  # after a long turn of the loop: a bar that was slid before a button went down counts before it
        for time, _, switch, kind in found:
            self._report(switch, kind, time)
        self._look_ahead()

    def due(self) -> float | None:
        """When `poll` has something to decide; None while nothing does."""
        return self._due

    # Talk

    def receive(self, data: bytes | bytearray, length: int, now: float) -> None:
        """Understand the first `length` bytes of `data`."""
        for kind, sequence, payload in self._decoder.feed(data, length):
            if kind < "a":
                continue  # an echo of what we said ourselves: nobody is there for that
            self._heard_at = now
            self._understand(kind, sequence, payload, now)

    def tick(self, now: float) -> None:
        """Let time pass: be dark where no host is, and say again what was not acknowledged."""
        if self.greeted and now - self._heard_at >= SILENCE_MS:
            self.note("the host fell silent")
            self._part()
        if self._sent and now - self._sent_at >= RESEND_MS:
            self._sent = 0

    def outgoing(self, now: float) -> bytes | None:
        """The next line to send; None while there is none."""
        if self._answers:
            return self._answers.pop(0)
        if self._sent < len(self._events):
            if not self._sent:
                self._sent_at = now  # the oldest one's: later events do not put off its being sent again
            self._sent += 1
            return self._events[self._sent - 1][1]
        return None

    def picture_is_new(self) -> bool:
        """Whether `colours` have changed since this was asked last."""
        news, self._news = self._news, False
        return news

    def note(self, line: str) -> None:
        """Write a line into the log, of which the last ones are kept."""
        self._log.append(plain(line, _LOG_LETTERS))
        if len(self._log) > _MOST_LOG_LINES:
            self._log.pop(0)

    def _part(self) -> None:
        self.greeted = False
        self._forget_events()
        self._easel.darken()
        self._news = True

    def _forget_events(self) -> None:
        self._events.clear()
        self._sent = 0
        self._next = 0

    def _watch(self, closed: list[bool], now: float) -> None:
        """Listen to the switches anew."""
        self._levels = Levels()
        self._debouncers = [self._debouncer(switch, closed[switch], now) for switch in range(len(closed))]
        for switch in range(len(closed)):
            if closed[switch] and self._resting >> switch & 1:
                self._find_at_rest(switch, now)
            else:
                for kind, time in self._debouncers[switch].poll(now):
                    self._report(switch, kind, time)
        self._look_ahead()

    def _look_ahead(self) -> None:
        self._due = None
        for debouncer in self._debouncers:
            due = debouncer.due()
            if due is not None and (self._due is None or due < self._due):
                self._due = due

    def _find_at_rest(self, switch: int, now: float) -> None:
        """A switch that stays as it is put is closed: that counts at once, since nobody pressed it."""
        debouncer = self._debouncers[switch]
        for kind, time in debouncer.edge(True, now) + debouncer.poll(now + self._times[0]):
            self._report(switch, kind, time)

    def _debouncer(self, switch: int, closed: bool, now: float) -> Debouncer:
        glitch, lockout, disc_lockout = self._times
        rests = bool(self._resting >> switch & 1)
        lever = bool(self._levers >> switch & 1)
        return Debouncer(closed and not rests, now, glitch, disc_lockout if lever else lockout)

    def _report(self, switch: int, kind: int, time: float) -> None:
        if kind == STUCK and self._resting >> switch & 1:
            # It flickered, and is quiet again: where it stands now is where it was put.
            self._debouncers[switch] = self._debouncer(switch, True, time)
            self._find_at_rest(switch, time)
            return
        self._levels.report(switch, kind)
        if not self.greeted:
            return  # the host asks how the switches are when it comes
        if len(self._events) == MOST_EVENTS:
            self.note("too many events were not acknowledged")
            self._part()
            return
        payload = joined(int(time) % CLOCK_MODULUS, switch, kind, self._levels.closed)
        self._events.append((self._next, encode(EVENT, self._next, payload)))
        self._next = (self._next + 1) % 256

    # What the host says

    def _understand(self, kind: str, sequence: int, payload: str, now: float) -> None:
        if kind == HELLO:
            self._greet(sequence, payload)
        elif not self.greeted:
            self._answer(REFUSAL, sequence, HELLO_FIRST + ":")
        elif kind == ACK_EVENT:
            self._acknowledged(sequence, now)
        elif kind == LAMPS:
            self._take_light(sequence, payload)
        elif kind == PING:
            self._answer(
                PONG, sequence, joined(int(now) % CLOCK_MODULUS, self.free_bytes, self.loop_us, self._decoder.bad)
            )
            self.loop_us = 0
        elif kind == ASK_STATE:
            levels = self._levels
            self._answer(
                STATE,
                sequence,
                joined(int(now) % CLOCK_MODULUS, self._next, levels.closed, levels.stuck, levels.muted),
            )
        elif kind == DEBOUNCE:
            self._set_times(sequence, payload, now)
        elif kind == ASK_LOG:
            self._tell_log(sequence, payload)
        elif kind == BYE:
            self._part()
            self._answer(ACK, sequence, "")
        elif kind in (SELF_TEST, TO_PROMPT, TO_BOOT_LOADER):
            self.wish = kind
            self._answer(ACK, sequence, "")
        else:
            self._answer(REFUSAL, sequence, f"{UNKNOWN_KIND}:{kind}")

    def _greet(self, sequence: int, payload: str) -> None:
        major = number(payload.split(".")[0])
        if major != MAJOR:
            self._part()  # whoever was there before is not there any more
            self._answer(REFUSAL, sequence, f"{WRONG_PROTOCOL}:{MAJOR:X}.{MINOR:X}")
            return
        self.greeted = True
        self._forget_events()
        self._easel.forget()
        self._answers.clear()
        version, unique, digest, reset, model = self._about
        counts = joined(len(self._debouncers), len(self.colours))
        self._answer(HELLO_BACK, sequence, f"{MAJOR:X}.{MINOR:X}:{version}:{unique}:{digest}:{counts}:{reset}:{model}")

    def _acknowledged(self, sequence: int, now: float) -> None:
        """The host has heard an event, and with it all before it."""
        for place in range(len(self._events)):
            if self._events[place][0] == sequence:
                for _ in range(place + 1):
                    self._events.pop(0)
                self._sent = max(0, self._sent - place - 1)  # some may just be about to be sent again
                self._sent_at = now
                return

    def _take_light(self, sequence: int, payload: str) -> None:
        try:
            shown = self._easel.take(payload)
        except ValueError:
            self._answer(REFUSAL, sequence, UNREADABLE + ":" + LAMPS)
            return
        if shown is None:
            self._answer(REFUSAL, sequence, INCOMPLETE + ":" + LAMPS)
        elif shown:
            self._news = True
            self._answer(ACK, sequence, "")

    def _set_times(self, sequence: int, payload: str, now: float) -> None:
        times = numbers(payload, 3)
        try:
            if times is None:
                raise ValueError("three numbers are wanted")
            check_times(times[0], times[1], times[2])
        except ValueError:
            self._answer(REFUSAL, sequence, UNREADABLE + ":" + DEBOUNCE)
            return
        if (times[0], times[1], times[2]) != self._times:
            self._times = (times[0], times[1], times[2])
            self._watch([debouncer.closed for debouncer in self._debouncers], now)
        self._answer(ACK, sequence, "")

    def _tell_log(self, sequence: int, payload: str) -> None:
        """Answer with one line of the log; line 0 is the oldest that is kept."""
        line = number(payload)
        if line is None or line >= len(self._log):
            self._answer(LOG, sequence, f"{len(self._log):X}:")
        else:
            self._answer(LOG, sequence, f"{len(self._log):X}:{self._log[line]}")

    def _answer(self, kind: str, sequence: int, payload: str) -> None:
        # What does not fit is left out: the host asks again.
        if len(self._answers) < _MOST_ANSWERS:
            self._answers.append(encode(kind, sequence, payload))
