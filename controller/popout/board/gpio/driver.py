"""The driver ``gpio``: a board whose switches and lamps hang on the pins of a Raspberry Pi."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from popout.board.contacts import crossing, expander_pin
from popout.board.driver import BoardDriver, BoardError, BoardLost
from popout.board.find import package_missing
from popout.board.frame import Frame
from popout.board.gpio import chips, machine
from popout.board.gpio.hearing import Heard
from popout.board.inbox import Inbox
from popout.board.layout import Layout
from popout.board.switches import SwitchEvent
from popout.rules.messages import Message

if TYPE_CHECKING:
    from popout.board.gpio.lamps import Lamps
    from popout.board.gpio.pins import Pins
    from popout.board.gpio.wirings import Wiring

WATCH_MS: Final = 3000.0
"""How often it is seen to that edges can still be heard, and that none was lost."""

_PACKAGES: Final = ("gpiozero", "lgpio")

_log = logging.getLogger(__name__)


class LayoutWithoutPins(BoardError):
    """The layout names no pins of a Raspberry Pi."""

    code = "layout-without-pins"


class GpioBoard(BoardDriver):
    """A board on the header of a Raspberry Pi.

    Wiring: as the layout says; in ``7x6-pi`` each switch lies between its pin and ground, and the lamps' data
    comes from GPIO10. ``popout layout show`` draws it::

        with GpioBoard(Layout.load("7x6-pi")) as board:
            async for event in board.events():
                ...

    :param layout: what hangs on which pin.
    :param pin_factory: a gpiozero factory other than that of the header, such as its mock one. It stays open.
    :param lamps: what shows the light, other than what the layout and the machine ask for. It is closed with the board.
    :param clock: another clock, in milliseconds; for tests.
    """

    name: ClassVar[str] = "gpio"

    def __init__(
        self,
        layout: Layout,
        *,
        pin_factory: Any = None,
        lamps: Lamps | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.layout = layout
        self._clock = _monotonic if clock is None else clock
        self._machine = machine.look()
        self._inbox: Inbox[SwitchEvent] = Inbox()
        self._closed = False
        self._gone = False
        self._remarks: tuple[Message, ...] = ()
        self._wirings: list[Wiring] = []
        self._bus: Any = None
        self._lamps: Lamps | None = None
        try:
            self._pins = _open_pins(layout, pin_factory)
            self._wire()
            self._heard = Heard(self._read(afresh=False))
            self._lamps = self._open_lamps() if lamps is None else lamps
        except ModuleNotFoundError as error:
            self._let_go()
            raise package_missing(self.name, error) from None
        except BaseException:
            self._let_go()
            raise

    @classmethod
    def attached(cls, layout: Layout) -> bool:  # noqa: ARG003 - whatever the layout
        """Whether this is a Raspberry Pi with a header: whether a board hangs on it cannot be seen.

        :raises ModuleNotFoundError: it is, and a package is missing that drives the pins.
        """
        if not machine.look().is_pi:
            return False
        try:
            if chips.header_chip() is None:
                return False
        except PermissionError:
            pass  # It is there, and opening it says what is to be done.
        for package in _PACKAGES:
            # Only looked for: importing lgpio makes a pipe in the working folder.
            if importlib.util.find_spec(package) is None:
                raise ModuleNotFoundError(f"No module named {package!r}", name=package)
        return True

    @property
    def description(self) -> Message:
        """Which pins these are."""
        model = re.sub(r" Rev [\d.]+$", "", self._machine.model)
        if not model:
            return Message("the pins of a Raspberry Pi")
        return Message("the pins of the {model}", model=model)

    @property
    def remarks(self) -> tuple[Message, ...]:
        """How the lamps are lit, or why they are not."""
        return self._remarks

    def now(self) -> float:
        """The monotonic clock of the kernel, which also times the edges, in milliseconds."""
        return self._clock()

    def levels(self) -> Mapping[str, bool]:
        """The level of every switch as its line reads now, but for those of which edges are on their way.

        A line that contradicts what was heard becomes an event if no edge comes that explains it; see `Heard`.

        :raises BoardLost: they cannot be read.
        """
        if self._closed:
            return dict(self._heard.levels)
        if not self._inbox.has_reader:
            levels = self._read(afresh=True)
            self._heard.believe(levels)
            return levels
        levels, waiting = self._read(afresh=False), self._inbox.waiting()
        doubtful = self._heard.compare(levels, waiting, self.now())
        if doubtful:
            self._inbox.ring()
        return {switch: closed for switch, closed in levels.items() if switch not in doubtful and switch not in waiting}

    async def events(self) -> AsyncIterator[SwitchEvent]:
        """The edges in the order of their times. Ends when the board is closed.

        :raises BoardLost: edges cannot be heard any more, or lines cannot be read.
        """
        news = self._inbox.listen()
        watch_at = self.now() + WATCH_MS
        try:
            while self._is_open():
                for event in self._inbox.take(news):
                    yield self._heard.deliver(event)
                    if not self._is_open():
                        return
                if self.now() >= watch_at:
                    watch_at = self.now() + WATCH_MS
                    self._watch()
                for event in self._lost():
                    yield self._heard.deliver(event)
                await self._attend()
                due = [watch_at, self._heard.due(), *(wiring.due(self.now()) for wiring in self._wirings)]
                await _until(news, (min(time for time in due if time is not None) - self.now()) / 1000)
        except Exception:
            self._gone = True
            raise
        finally:
            self._inbox.leave(news)

    def show(self, frame: Frame) -> None:
        """Light the lamps that there are."""
        if self._lamps is not None and not self._closed:
            self._lamps.show(frame)

    def close(self) -> None:
        """Darken the lamps, unless they are to keep the last picture, let go of all pins, and end the events.

        A board that was lost is closed while the game runs, so that it waits for nothing then: its lamps are darkened
        meanwhile, at the latest at the end of the program.
        """
        if self._closed:
            return
        self._closed = True
        self._let_go()
        self._inbox.ring()

    def _is_open(self) -> bool:
        return not self._closed

    def _wire(self) -> None:
        from popout.board.gpio.expander import ExpanderPins
        from popout.board.gpio.i2c import I2cBus
        from popout.board.gpio.matrix import MatrixPins
        from popout.board.gpio.wirings import SinglePins

        layout, pins, inbox = self.layout, self._pins, self._inbox
        crossings = {switch: pin for switch, pin in layout.switches.items() if crossing(pin)}
        expanded = {switch: place for switch, pin in layout.switches.items() if (place := expander_pin(pin))}
        single = {
            switch: pin for switch, pin in layout.switches.items() if switch not in crossings and switch not in expanded
        }
        if single:
            self._wirings.append(SinglePins(pins, layout, single, inbox, self._clock))
        if crossings and layout.matrix is not None:
            self._wirings.append(MatrixPins(pins, layout.matrix, crossings, layout.inverted, inbox, self._clock))
        if expanded:
            self._bus = I2cBus()
        for number, expander in enumerate(layout.expanders, start=1):
            its = {switch: layout.switches[switch] for switch, place in expanded.items() if place.expander == number}
            if its:
                self._wirings.append(ExpanderPins(pins, self._bus, number, expander, layout, its, inbox, self._clock))

    def _open_lamps(self) -> Lamps:
        from popout.board.gpio.lamps import open_lamps

        lamps, self._remarks = open_lamps(self.layout, self._machine, pin_factory=self._pins.factory)
        return lamps

    def _read(self, *, afresh: bool) -> dict[str, bool]:
        levels: dict[str, bool] = {}
        for wiring in self._wirings:
            try:
                levels |= wiring.read(afresh=afresh)
            except Exception as error:
                self._gone = True
                raise _unreadable(error) from None
        return levels

    def _watch(self) -> None:
        self._pins.check()
        for wiring in self._wirings:
            wiring.recheck()
        self.levels()

    def _lost(self) -> list[SwitchEvent]:
        now, due = self.now(), self._heard.due()
        if due is None or due > now:
            return []
        # One that has arrived meanwhile is not lost; it is handed on in the next round.
        waiting = self._inbox.waiting()
        lost = [event for event in self._heard.lost(self._read(afresh=False), now) if event.switch not in waiting]
        for event in lost:
            _log.info("An edge of the switch %r was lost, and found by reading its level.", event.switch)
        return lost

    async def _attend(self) -> None:
        for wiring in self._wirings:
            due = wiring.due(self.now())
            if due is not None and due <= self.now():
                try:
                    await wiring.attend(self.now())
                except Exception as error:
                    if self._closed:  # meanwhile, and that is why
                        return
                    raise _unreadable(error) from None

    def _let_go(self) -> None:
        """Close everything that was opened, each whatever happens to the others."""
        doors: list[Callable[[], None]] = [wiring.close for wiring in self._wirings]
        if self._lamps is not None:
            doors.insert(0, partial(self._lamps.close, self.dark_on_close, wait=not self._gone))
            if self.layout.leds is not None:
                doors += [partial(self._pins.forget, pin) for pin in (self.layout.leds.red, self.layout.leds.yellow)]
        if self._bus is not None:
            doors.append(self._bus.close)
            if self._gone:
                self._bus.give_up()
        for door in doors:
            try:
                door()
            except Exception as error:
                _log.debug("A part of the board could not be closed (%s).", error)
        self._wirings = []


def _open_pins(layout: Layout, pin_factory: Any) -> Pins:
    if not all(layout.switches.values()):
        raise LayoutWithoutPins(
            Message(
                "The layout “{layout}” does not say on which pins its switches are. Choose one that does, such as "
                "“7x6-pi”.",
                layout=layout.name,
            )
        )
    if pin_factory is None:
        from popout.board.gpio.header import HeaderPins

        return HeaderPins(layout.name)
    from popout.board.gpio.pins import Pins

    return Pins(pin_factory, layout.name)


def _unreadable(error: Exception) -> BoardLost:
    if isinstance(error, BoardLost):
        return error
    reason = str(error).strip("'\"").rstrip(".") or type(error).__name__
    return BoardLost(Message("The pins of the board cannot be read any more ({reason}).", reason=reason))


async def _until(news: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(max(0.0, seconds)):
            await news.wait()


def _monotonic() -> float:
    return time.monotonic() * 1000
