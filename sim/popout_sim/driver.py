"""The simulator as a board: what hands do to the twin comes out as switch events, frames light its lamps."""

from __future__ import annotations

import asyncio
import heapq
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar, Final

from popout.board.driver import BoardDriver, BoardLost
from popout.board.frame import DARK, Frame
from popout.board.layout import Layout
from popout.board.switches import BAR, SwitchEvent
from popout.rules.messages import Message
from popout_sim.contacts import LIGHT, PERFECT, Contact, Contacts
from popout_sim.mischief import Mischief
from popout_sim.named import FAULTS, parse_faults
from popout_sim.twin import OPEN, Twin

PASSING_MS: Final = 80.0
"""How long a disc keeps a lever down or a beam interrupted."""

FOLLOWING_MS: Final = 120.0
"""When several discs fall out of a column, how long after each other they pass the beam."""


class SimulatedBoard(BoardDriver):
    """A board that is not there: its discs, hands and contacts are simulated.

    Wiring: none. Hands act through `twin`; the edges of its contacts come out of `events` when they are due,
    or, without an event loop, out of `drain`::

        with SimulatedBoard(Layout.plain(7, 6), clock=clock) as board:
            board.twin.act({"do": "press", "switch": "column 4"})
            board.drain()  # [SwitchEvent("column 4", True, clock())]

    :param layout: the board to simulate; it has the lamps and the switches that the layout names.
    :param clock: another clock, in milliseconds that never go back; for tests.
    :param contact: how its contacts behave. Without one they bounce lightly as real ones do, except with
        a clock of a test: then they are perfect.
    :param seed: of the bounces' times.
    :param mischief: what goes wrong with it; the same for a board that is opened again after it went away.
    :raises FaultNotHere: it has nothing that one of the faults could be at.
    :raises BoardLost: it has gone away and is not back yet.
    """

    name: ClassVar[str] = "sim"
    resizable: ClassVar[bool] = True

    def __init__(
        self,
        layout: Layout,
        *,
        clock: Callable[[], float] | None = None,
        contact: Contact | None = None,
        seed: int = 0,
        mischief: Mischief | None = None,
    ) -> None:
        self.layout = layout
        self._mischief = mischief or Mischief()
        self._clock = _monotonic if clock is None else clock
        if contact is None:
            contact = LIGHT if clock is None else PERFECT
        self._contacts = Contacts(contact, seed)
        self._wires = _Wires(layout.switches)
        self._closed = False
        if self._is_away():
            raise BoardLost(_AWAY)
        self._twin = self._found_again() or Twin(layout)
        self._twin.attach(changed=self._change, tripped=self._trip)
        self._mischief.begin(self)
        self._wires.forget(self.now())

    @classmethod
    def attached(cls, layout: Layout) -> bool:  # noqa: ARG003 - whatever the layout
        """Never: the simulator is what is played on when nothing is found."""
        return False

    @classmethod
    def faults(cls) -> Mapping[str, Message]:
        """The faults that it can make, by name, and what goes wrong with each."""
        return {fault.name: fault.sentence for fault in FAULTS}

    @classmethod
    def with_faults(cls, faults: str, seed: int) -> Callable[[Layout], SimulatedBoard]:
        """What opens boards that misbehave as a text such as ``bounce,stuck:3@20s`` says.

        :raises FaultUnreadable: the text asks for no fault that there is.
        """
        mischief = Mischief(parse_faults(faults), seed=seed)
        return lambda layout: cls(layout, seed=seed, mischief=mischief)

    @property
    def description(self) -> Message:
        """Which board this is, for a person."""
        return Message("the simulator")

    @property
    def twin(self) -> Twin:
        """The hands and eyes; the same object for as long as the board is open."""
        return self._twin

    @property
    def lamps(self) -> Frame:
        """The light of the lamps now; a lamp that the layout does not have is dark."""
        return self._twin.lamps

    def now(self) -> float:
        """The clock of the events, in milliseconds."""
        return self._clock() - self._mischief.clock_back_ms

    def levels(self) -> Mapping[str, bool]:
        """The level of every switch now, by name; also of edges that nobody has read yet.

        :raises BoardLost: a fault has made the board go away.
        """
        self._be_there()
        return self._wires.levels(self.now())

    async def events(self) -> AsyncIterator[SwitchEvent]:
        """The edges as they become due, each with its own time. Ends when the board is closed.

        :raises BoardLost: a fault has made the board go away.
        """
        loop = asyncio.get_running_loop()
        news = asyncio.Event()

        def listener() -> None:
            loop.call_soon_threadsafe(news.set)

        self._wires.listener = listener
        try:
            while not self._closed:
                news.clear()
                self._mischief.strike(self)
                self._be_there()
                event = self._wires.next(self.now())
                if event is not None:
                    yield event
                    continue
                due = self.due()
                wait = None if due is None else max(0.0, due - self.now()) / 1000
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await news.wait()
        finally:
            # Another reader may have come since, and it must not become deaf.
            if self._wires.listener is listener:
                self._wires.listener = None

    def drain(self) -> list[SwitchEvent]:
        """All edges that are due and unread, for tests without an event loop."""
        self._mischief.strike(self)
        now = self.now()
        return list(iter(lambda: self._wires.next(now), None))

    def due(self) -> float | None:
        """When the next edge or fault comes, in milliseconds; None while none is on its way."""
        times = (self._wires.due(), self._mischief.due())
        return min((time for time in times if time is not None), default=None)

    def inject(self, edges: Iterable[SwitchEvent]) -> None:
        """Put raw edges on the wires, as a fault would (see `popout_sim.faults`), past all hands.

        :raises ValueError: the board has no such switch.
        """
        faulty = list(edges)
        if unknown := {edge.switch for edge in faulty} - set(self.layout.switches):
            raise ValueError(f"no such switch on this board: {', '.join(sorted(unknown))}")
        self._wires.add(faulty)

    def lose_edge(self, switch: str) -> None:
        """Let the next edge of `switch` change its level without being reported."""
        self._wires.lose(switch, self.now())

    def go_away(self, length: float) -> None:
        """Be out of reach for `length` milliseconds, as with a cable that was pulled; the discs stay where they are."""
        self._mischief.away_until = self.now() + length
        self._mischief.left = self._twin
        self._wires.ring()

    def set_back(self, length: float) -> None:
        """Set the clock back by `length` milliseconds, as of a board that was switched off and on."""
        self._mischief.set_back(length)
        self._wires.shift(-length)

    def show(self, frame: Frame) -> None:
        """Light the lamps that the layout has.

        :raises SizeMismatch: the frame is of another size than the board.
        :raises BoardLost: a fault has made the board go away.
        """
        self._be_there()
        if not self._closed:
            self._twin.see(self._with_lamps_there(self._mischief.seen(frame, self.layout, self.now())))

    def believe(self, grid: tuple[str, ...]) -> None:
        """Hear what the controller believes; the careful hand, when on, makes the discs follow at once.

        :raises SizeMismatch: the grid is not one that this board can hold.
        """
        self._twin.believe(grid)
        self._mischief.believed(grid, self.now())

    @property
    def discs_follow(self) -> bool:
        """Whether the careful hand is on."""
        return self._twin.careful

    def reshape(self, columns: int, rows: int) -> None:
        """Become an empty board of this size, with no finger on it, the bar closed and the lamps dark.

        Of its present size the board keeps its layout; of another it is a plain one. What was closed opens,
        and edges that were still to come do not.

        :raises LayoutError: no board is of that size; nothing has changed then.
        """
        if (columns, rows) != (self.layout.columns, self.layout.rows):
            self.layout = Layout.plain(columns, rows)
        self._twin.reshape(self.layout)
        self._wires.reshape(self.layout.switches, self.now())

    def close(self) -> None:
        """Darken the lamps, unless they are to keep the last picture, and end the events."""
        self._closed = True
        if self.dark_on_close:
            self._twin.see(Frame.dark(self.layout.columns, self.layout.rows))
        self._wires.ring()

    def _with_lamps_there(self, frame: Frame) -> Frame:
        dark = Frame.dark(self.layout.columns, self.layout.rows)
        has = self.layout.has_lamps
        return Frame(
            cells=frame.cells if has("cells") else dark.cells,
            columns=frame.columns if has("columns") else dark.columns,
            turns=frame.turns if has("turns") else (DARK, DARK),
        )

    def _is_away(self) -> bool:
        until = self._mischief.away_until
        return until is not None and self.now() < until

    def _be_there(self) -> None:
        if self._is_away():
            raise BoardLost(_AWAY)

    def _found_again(self) -> Twin | None:
        """What was left on the table when the board went away, with its fingers and its bar."""
        twin, self._mischief.left = self._mischief.left, None
        if twin is not None:
            self.layout = twin.layout
            self._wires.reshape(self.layout.switches, self.now())
            closed = [*twin.pressed, *([BAR] if twin.bar == OPEN and BAR in self.layout.switches else [])]
            self._wires.add(SwitchEvent(switch, True, self.now()) for switch in closed)
        return twin

    def _change(self, switch: str, closed: bool) -> None:
        now = self.now()
        edges = self._mischief.changed(self, self._contacts.edges(switch, closed, now))
        if edges:
            self._wires.instead(now, switch, edges)

    def _trip(self, switch: str, discs: int) -> None:
        if switch in self._twin.pressed:
            return  # a finger holds the lever down already
        now = self.now()
        edges: list[SwitchEvent] = []
        for number in range(discs):
            edges += self._contacts.press(switch, now + number * FOLLOWING_MS, PASSING_MS)
        if changed := self._mischief.changed(self, edges):
            self._wires.instead(now, switch, changed)


class _Wires:
    """The levels of the switches and the edges that are on their way, in the order of their times.

    Guarded by a lock, since hands may act in another thread than the one that reads the events.
    """

    def __init__(self, switches: Iterable[str]) -> None:
        self.listener: Callable[[], object] | None = None
        self._lock = threading.Lock()
        self._levels = dict.fromkeys(switches, False)
        self._coming: list[tuple[float, int, SwitchEvent]] = []
        self._come: deque[SwitchEvent] = deque()
        self._losing: set[str] = set()
        self._added = 0

    def levels(self, now: float) -> dict[str, bool]:
        with self._lock:
            self._advance(now)
            return dict(self._levels)

    def next(self, now: float) -> SwitchEvent | None:
        with self._lock:
            self._advance(now)
            return self._come.popleft() if self._come else None

    def due(self) -> float | None:
        """When the next edge is due."""
        with self._lock:
            return self._coming[0][0] if self._coming else None

    def add(self, edges: Iterable[SwitchEvent]) -> None:
        with self._lock:
            self._add(edges)
        self.ring()

    def instead(self, now: float, switch: str, edges: Iterable[SwitchEvent]) -> None:
        """Add edges of one switch, in place of those still to come from an earlier change of it."""
        with self._lock:
            self._advance(now)
            self._coming = [entry for entry in self._coming if entry[2].switch != switch]
            heapq.heapify(self._coming)
            self._add(edges)
        self.ring()

    def lose(self, switch: str, now: float) -> None:
        with self._lock:
            self._advance(now)
            self._losing.add(switch)

    def shift(self, length: float) -> None:
        """Move what is to come in time."""
        with self._lock:
            self._coming = [
                (time + length, number, replace(edge, time=edge.time + length)) for time, number, edge in self._coming
            ]
        self.ring()

    def forget(self, now: float) -> None:
        """What has come until now, nobody was there to hear; the levels stay."""
        with self._lock:
            self._advance(now)
            self._come.clear()

    def reshape(self, switches: Iterable[str], now: float) -> None:
        with self._lock:
            self._advance(now)
            self._coming.clear()
            self._losing.clear()
            self._come.extend(SwitchEvent(switch, False, now) for switch, closed in self._levels.items() if closed)
            self._levels = dict.fromkeys(switches, False)
        self.ring()

    def ring(self) -> None:
        if (listener := self.listener) is not None:
            listener()

    def _add(self, edges: Iterable[SwitchEvent]) -> None:
        for edge in edges:
            self._added += 1  # edges of the same time stay in the order in which they were added
            heapq.heappush(self._coming, (edge.time, self._added, edge))

    def _advance(self, now: float) -> None:
        """Let the edges come that are due; one that changes nothing is none."""
        while self._coming and self._coming[0][0] <= now:
            edge = heapq.heappop(self._coming)[2]
            if self._levels.get(edge.switch) == edge.closed:
                continue
            self._levels[edge.switch] = edge.closed
            if edge.switch in self._losing:
                self._losing.remove(edge.switch)
            else:
                self._come.append(edge)


_AWAY: Final = Message("The board does not answer.")


def _monotonic() -> float:
    return time.monotonic() * 1000
