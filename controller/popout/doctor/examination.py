"""The test of a board's wiring as a state machine: what is seen and typed goes in, what to say and to light comes out.

Pure: it owns no clock and no board. `popout.doctor.hands` runs it on one.
"""

from __future__ import annotations

from collections.abc import Mapping

from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.board.switches import Fault, SwitchEvent, SwitchFault
from popout.doctor.asking import Paces, Question, Reply, Script, Typed
from popout.doctor.ear import Ear
from popout.doctor.lamp_steps import try_chain, try_leds
from popout.doctor.observations import LampsSeen, Seen, SwitchesSeen
from popout.doctor.switch_steps import rest, try_all

QUIT = "q"


class Examination:
    """One test of one board, from the first question to what was seen.

    :param layout: how the board is thought to be wired. :param levels: its switches as the test begins.
    :param now: when that is, in milliseconds; all times are on this clock.

    :ivar question: what is asked now; None at the end.
    :ivar seen: what was seen; None before the end, and if the person left.
    """

    def __init__(self, layout: Layout, levels: Mapping[str, bool], now: float, paces: Paces | None = None) -> None:
        self._paces = paces or Paces()
        self._script = examine(layout)
        self.seen: Seen | None = None
        self.question: Question | None = next(self._script)
        self._listen(levels, {}, now)

    def edge(self, event: SwitchEvent) -> None:
        """A switch changed."""
        self._ear.edge(event)

    def fault(self, told: SwitchFault) -> None:
        """The board says what is the matter with a switch."""
        self._ear.fault(told)

    def tick(self, now: float, levels: Mapping[str, bool]) -> None:
        """Find out what has come of the question by now, with the levels read at that time."""
        self._ear.read(levels, now)
        reply = self._ear.heard(now)
        if reply is not None:
            self._answer(reply, now)

    def typed(self, line: str, now: float) -> None:
        """Somebody typed a line. A ``q`` leaves the test."""
        text = line.strip().lower()
        if text == QUIT:
            self._script.close()
            self.question = None
        elif self.question is not None:
            self._answer(Typed(text), now)

    def frame(self, now: float) -> Frame | None:
        """The light that belongs to the question now; None at the end."""
        if self.question is None:
            return None
        frames = self.question.frames
        return frames[int((now - self._asked) // self._paces.blink_ms) % len(frames)]

    def due(self, now: float) -> float | None:
        """When `tick` has something to find out or the light changes, unless something else comes before."""
        if self.question is None:
            return None
        times = [self._ear.due()]
        if len(self.question.frames) > 1:
            times.append(self._asked + ((now - self._asked) // self._paces.blink_ms + 1) * self._paces.blink_ms)
        return min((time for time in times if time is not None), default=None)

    def _answer(self, reply: Reply, now: float) -> None:
        try:
            self.question = self._script.send(reply)
        except StopIteration as end:
            self.question, self.seen = None, end.value
            return
        self._listen(self._ear.levels, self._ear.faults, now)

    def _listen(self, levels: Mapping[str, bool], faults: Mapping[str, Fault], now: float) -> None:
        assert self.question is not None
        self._asked = now
        self._ear = Ear(self.question.wants, levels, now, self._paces, faults)


def examine(layout: Layout) -> Script[Seen]:
    """The whole test: the switches, then the lamps."""
    switches = SwitchesSeen()
    yield from rest(layout, switches)
    yield from try_all(layout, switches)
    leds = None
    if layout.leds is not None:
        leds = yield from try_leds(layout)
    lamps = None
    if layout.chain is not None:
        lamps = LampsSeen()
        yield from try_chain(layout, layout.chain, switches, lamps)
    return Seen(switches, lamps, leds)
