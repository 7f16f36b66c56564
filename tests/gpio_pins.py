"""Boards on gpiozero's mock pins: a test moves the wires, and the driver hears them as it would on a Pi."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin

from popout.board.contacts import PINS, crossing, pin_number
from popout.board.frame import Frame
from popout.board.gpio.driver import GpioBoard
from popout.board.layout import Layout
from popout.board.switches import SwitchEvent, drop_sensor, pop_sensor, second_row_switch
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.store import Store
from turned_clock import TurnedLoop

PI = replace(Layout.load("7x6-pi"), chain=None)


def with_switches(layout: Layout, switches: Iterable[str]) -> Layout:
    """A layout with more switches, on pins that are free."""
    free = [pin for pin in PINS["gpio"] if pin not in layout.switches.values()]
    return replace(layout, switches={**layout.switches, **dict(zip(switches, free, strict=False))})


def with_beams(layout: Layout = PI) -> Layout:
    """A layout with a drop sensor and a pop sensor in every column."""
    return with_switches(layout, [sensor(column) for sensor in (drop_sensor, pop_sensor) for column in range(1, 8)])


def with_two_rows(layout: Layout = PI) -> Layout:
    """A layout on which each side has its own row of buttons."""
    return with_switches(layout, map(second_row_switch, range(1, 8)))


class Wire(MockPin):
    """A pin at a wire: what the wire does to it is stronger than its own pull, also while nobody has the pin."""

    forced: bool | None = None
    floated = 0
    """How often it was made an input; a row of the matrix is at each scan."""

    def _change_state(self, value: bool) -> bool:
        if self.forced is not None and self._function == "input":
            value = self.forced
        changed = super()._change_state(value)
        if changed and self._function == "output":
            self._factory.driven()
        return changed

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        self.floated += value == "input"
        self._factory.driven()

    def _call_when_changed(self) -> None:
        PiPin._call_when_changed(self, self._factory.clock() / 1000, self._state)

    def tell(self, milliseconds: float) -> None:
        """Let an edge to the present level be heard only now, though it was at another time."""
        PiPin._call_when_changed(self, milliseconds / 1000, self._state)

    def force(self, high: bool, *, silently: bool = False) -> None:
        """Let the wire be high or low; `silently` loses the edge."""
        self.forced = high
        if silently:
            self._state = high
        elif high:
            self.drive_high()
        else:
            self.drive_low()


class Wires(MockFactory):
    """All wires of a board, and the hands that move its switches.

    :param busy: how often taking a pin finds it busy, by its number.
    """

    def __init__(self, layout: Layout = PI, clock: Callable[[], float] | None = None) -> None:
        super().__init__(pin_class=Wire)
        self.layout = layout
        self.clock = clock or (lambda: time.monotonic() * 1000)
        self.busy: dict[int, int] = {}
        self.taken: list[int] = []
        self.conducting: set[str] = set()
        self._driving = False

    def pin(self, name: Any, *args: Any, **kwargs: Any) -> Any:
        number = name if isinstance(name, int) else int(name.removeprefix("GPIO"))
        if self.busy.get(number, 0):
            self.busy[number] -= 1
            raise RuntimeError("'GPIO busy'")
        return super().pin(number, *args, **kwargs)

    def wire(self, pin: str) -> Wire:
        """The wire at a pin, whether or not a board has it."""
        return super().pin(pin_number(pin))

    def move(self, switch: str, closed: bool, *, silently: bool = False) -> None:
        """Close or open a switch."""
        pin = self.layout.switches[switch]
        if crossing(pin) is not None:
            (self.conducting.add if closed else self.conducting.discard)(pin)
            self.driven()
        else:
            high = (self.layout.closed_level(switch) == "high") == closed
            self.wire(pin).force(high, silently=silently)

    def tap(self, switch: str) -> None:
        """Close and open a switch at once."""
        self.move(switch, True)
        self.move(switch, False)

    def reserved(self) -> list[str]:
        """The pins that some device still claims for itself."""
        return sorted(pin.name for pin, devices in self._reservations.items() for device in devices if device())

    def driven(self) -> None:
        """A row of the matrix is driven, or is not any more: let the columns follow."""
        matrix = self.layout.matrix
        if matrix is None or self._driving:
            return
        self._driving = True
        rows = [self.wire(pin) for pin in matrix.rows]
        low = self._pulled_low([row._function == "output" and not row._state for row in rows])
        for number, pin in enumerate(matrix.columns, start=1):
            self.wire(pin).force(number not in low)
        self._driving = False

    def _pulled_low(self, driven: Sequence[bool]) -> set[int]:
        """The columns that reach a row which is driven low: through diodes directly, without them by any way round."""
        assert self.layout.matrix is not None
        places = [place for pin in self.conducting if (place := crossing(pin)) is not None]
        rows = {number for number, is_low in enumerate(driven, start=1) if is_low}
        columns: set[int] = set()
        while True:
            reached = columns | {column for row, column in places if row in rows}
            if self.layout.matrix.diodes or reached == columns:
                return reached
            columns = reached
            rows |= {row for row, column in places if column in columns}


class Lights:
    """Lamps that remember what they were told."""

    def __init__(self) -> None:
        self.shown: list[Frame] = []
        self.closed: list[bool] = []
        self.waited: list[bool] = []

    def show(self, frame: Frame) -> None:
        self.shown.append(frame)

    def close(self, dark: bool, *, wait: bool = True) -> None:
        self.closed.append(dark)
        self.waited.append(wait)


class PinTable:
    """A table at a board on mock pins, in a loop whose clock is turned."""

    def __init__(self, wires: Wires, settings: Settings) -> None:
        self.wires = wires
        self.store = Store(None)
        self.boards: list[GpioBoard] = []
        self.lights = Lights()
        self.table = Table(self.open(), self.store, settings, reopen=self.open)

    def open(self) -> GpioBoard:
        """A board on these wires."""
        self.boards.append(
            GpioBoard(self.wires.layout, pin_factory=self.wires, lamps=self.lights, clock=self.wires.clock)
        )
        return self.boards[-1]

    async def wait(self, milliseconds: float) -> None:
        await asyncio.sleep(milliseconds / 1000)

    async def play_edges(self, edges: Iterable[SwitchEvent]) -> None:
        """Let the wires do what a fault makes, at its times; see `popout_sim.faults`."""
        for edge in edges:
            await self.wait(max(0.0, edge.time - self.now))
            self.wires.move(edge.switch, edge.closed)

    async def tap(self, *columns: int | str, length: float = 100) -> None:
        """Press and let go, one column after the other."""
        for column in columns:
            switch = column if isinstance(column, str) else f"column {column}"
            self.wires.move(switch, True)
            await self.wait(length)
            self.wires.move(switch, False)
            await self.wait(200)

    async def slide(self, opened: bool) -> None:
        self.wires.move("bar", opened)
        await self.wait(200)

    @property
    def now(self) -> float:
        return self.wires.clock()

    @property
    def moves(self) -> str:
        return " ".join(map(str, self.table.controller.game.moves))

    @property
    def codes(self) -> list[str]:
        return [notice.code for notice in self.table.controller.notices.since(0)]

    @property
    def said(self) -> list[str]:
        return [str(notice.message) for notice in self.table.controller.notices.since(0)]


def at_a_table(
    story: Callable[[PinTable], Awaitable[None]],
    layout: Layout = PI,
    *,
    settings: Settings | None = None,
    held: Mapping[str, bool] | None = None,
) -> None:
    """Play a story at a table; `held` are the switches that are moved already before the board is opened."""
    loop = TurnedLoop()

    async def whole() -> None:
        wires = Wires(layout, clock=lambda: loop.time() * 1000)
        for switch in layout.switches:
            wires.move(switch, (held or {}).get(switch, False))
        table = PinTable(wires, settings or Settings())
        running = asyncio.create_task(table.table.run())
        await table.table.started.wait()
        try:
            await story(table)
            assert not running.done(), "the table has ended"
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            table.table.board.close()
            table.store.close()
        assert wires.reserved() == []

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(whole())


class Ear:
    """A board on mock pins and what comes out of its events, in a loop whose clock is turned.

    :ivar error: what ended the events, if something did. :ivar ended: whether they have ended.
    """

    def __init__(self, wires: Wires, *, listen: bool = True) -> None:
        self.wires = wires
        self.lights = Lights()
        self.board = GpioBoard(wires.layout, pin_factory=wires, lamps=self.lights, clock=wires.clock)
        self.events: list[SwitchEvent] = []
        self.error: Exception | None = None
        self.ended = False
        self.reading: asyncio.Task[None] | None = None
        if listen:
            self.listen()

    def listen(self) -> None:
        """Begin to read the events."""
        self.reading = asyncio.create_task(self._read())

    async def wait(self, milliseconds: float) -> None:
        await asyncio.sleep(milliseconds / 1000)

    @property
    def now(self) -> float:
        return self.wires.clock()

    @property
    def heard(self) -> list[tuple[str, bool]]:
        """The switches and levels of the events so far."""
        return [(event.switch, event.closed) for event in self.events]

    async def _read(self) -> None:
        try:
            async for event in self.board.events():
                self.events.append(event)
        except Exception as error:
            self.error = error
        self.ended = True


def listening(
    story: Callable[[Ear], Awaitable[None]], layout: Layout = PI, *, listen: bool = True, held: Iterable[str] = ()
) -> None:
    """Play a story at a board; `held` are the switches that are closed already before it is opened."""
    loop = TurnedLoop()

    async def whole() -> None:
        wires = Wires(layout, clock=lambda: loop.time() * 1000)
        for switch, pin in layout.switches.items():
            if not pin.startswith("X"):
                wires.move(switch, switch in held)
        ear = Ear(wires, listen=listen)
        try:
            await asyncio.sleep(0)
            await story(ear)
        finally:
            ear.board.close()
            if ear.reading is not None:
                await ear.reading
        assert wires.reserved() == []

    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(whole())
