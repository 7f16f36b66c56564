"""Switches on an MCP23017, which tells by an interrupt line that one of them has changed.

Its two interrupt outputs are joined and only ever pull down, so one pin of the Pi, pulled up, hears them. The line
stays low until the ports have been read, so that nothing can slip through between two readings. It needs Adafruit's
mcp230xx, and imports it when an expander is opened.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, Final

from popout.board.contacts import Expander, expander_pin
from popout.board.driver import BoardError, BoardLost
from popout.board.gpio.i2c import I2cBus
from popout.board.gpio.pins import Device, Pins
from popout.board.inbox import Inbox
from popout.board.layout import Layout
from popout.board.switches import SwitchEvent
from popout.rules.messages import Message

SETTLED_MS: Final = 20.0
"""So long after a change the ports are read once more."""
AGAIN_MS: Final = 4.0
"""So long until the ports are read again whose interrupt line stays low."""
TRIES: Final = 3
"""How often a transfer is tried that a disturbance on the wires may have spoiled."""

_MIRRORED_OPEN_DRAIN: Final = 0b0100_0100
"""IOCON: either interrupt output stands for both ports, and only ever pulls down."""
_ALL_INPUTS: Final = 0xFFFF


class ExpanderMissing(BoardError):
    """An expander does not answer."""

    code = "expander-missing"


class ExpanderPins:
    """The switches of one expander.

    :param number: which one of the layout, from 1.
    :param switches: the pin of each switch, such as ``X1.A0``.
    :param clock: the driver's clock, in milliseconds.
    :raises BoardError: it does not answer, or its interrupt pin cannot be had; nothing is kept then.
    :raises ModuleNotFoundError: a package is missing.
    """

    def __init__(
        self,
        pins: Pins,
        bus: I2cBus,
        number: int,
        expander: Expander,
        layout: Layout,
        switches: Mapping[str, str],
        inbox: Inbox[SwitchEvent],
        clock: Callable[[], float],
    ) -> None:
        self._pins = pins
        self._bus = bus
        self._number = number
        self._address = expander.address
        self._bits = {
            switch: place.bit + (8 if place.port == "B" else 0)
            for switch, pin in switches.items()
            if (place := expander_pin(pin)) is not None
        }
        self._closed_high = {switch: layout.closed_level(switch) == "high" for switch in switches}
        self._inbox = inbox
        self._clock = clock
        self._rang_at: float | None = None
        self._read_at: float | None = None
        used = sum(1 << bit for bit in self._bits.values())
        self._chip = self._open(bus, used, pull_ups=used if layout.pull == "up" else 0)
        self._interrupt: Device = pins.take(
            expander.interrupt, f"expander {number}", pull="up", closed="low", edge=self._heard
        )
        try:
            self._ports = self._read_ports()
        except BaseException:
            self.close()
            raise

    def read(self, *, afresh: bool) -> Mapping[str, bool]:
        """The levels of the switches as the ports were last read, or are now."""
        if afresh:
            self._ports = self._read_ports()
        elif not self._interrupt.pin.state and self._read_at is None and self._rang_at is None:
            # It tells of a change, and nobody has heard it.
            self._heard(self._clock() / 1000, 0)
        return {switch: self._closed(switch, self._ports) for switch in self._bits}

    def due(self, now: float) -> float | None:
        """When to read the ports."""
        return now if self._rang_at is not None else self._read_at

    async def attend(self, now: float) -> None:
        """Read the ports, in a thread, since that takes about a millisecond, and longer if the wires are disturbed."""
        rang, self._rang_at = self._rang_at, None
        before, self._ports = self._ports, await asyncio.to_thread(self._read_ports)
        # A change that was told of is as old as the telling, and not as the reading of it.
        seen = self._clock() if rang is None else rang
        for switch in self._bits:
            closed = self._closed(switch, self._ports)
            if closed != self._closed(switch, before):
                self._inbox.put(SwitchEvent(switch, closed, seen))
        if not self._interrupt.pin.state:
            self._read_at = now + AGAIN_MS
        elif rang is not None or self._ports != before:
            # Contacts bounce, and what changes while a port is being read may be told of or not.
            self._read_at = now + SETTLED_MS
        else:
            self._read_at = None

    def recheck(self) -> None:
        """Read the ports at the next attendance."""
        if self._read_at is None:
            self._read_at = self._clock()

    def close(self) -> None:
        """Let it tell of nothing any more, and let go of the interrupt pin. The bus is the caller's."""
        if not self._bus.given_up:
            try:
                self._chip.interrupt_enable = 0
            except (OSError, ValueError):
                self._bus.give_up()  # the others would fail as slowly
        self._pins.release(self._interrupt)

    def _heard(self, seconds: float, high: int) -> None:
        """Hear an edge of the interrupt line, in lgpio's thread. It ends with a rising one, which means nothing."""
        if not high and self._rang_at is None:
            self._rang_at = min(seconds * 1000, self._clock())
            self._inbox.ring()

    def _closed(self, switch: str, ports: int) -> bool:
        return bool(ports >> self._bits[switch] & 1) == self._closed_high[switch]

    def _open(self, bus: I2cBus, used: int, pull_ups: int) -> Any:
        # It would ask at a terminal whether to install packages.
        os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
        try:
            driver = import_module("adafruit_mcp230xx.mcp23017").MCP23017
        except ModuleNotFoundError:
            raise
        except Exception as error:  # Blinka, below it, raises all kinds of things on a computer that it does not know
            raise ExpanderMissing(
                Message("Adafruit's driver for the expanders cannot be used here: {reason}.", reason=str(error))
            ) from None
        try:
            chip: Any = driver(bus, address=self._address)
            chip.io_control = _MIRRORED_OPEN_DRAIN
            chip.iodir = _ALL_INPUTS
            chip.gppu = pull_ups
            chip.interrupt_configuration = 0
            chip.interrupt_enable = used
        except (OSError, ValueError):
            pass
        else:
            return chip
        raise ExpanderMissing(self._silent())

    def _read_ports(self) -> int:
        for _ in range(TRIES):
            with suppress(OSError):
                return int(self._chip.gpio)
        raise BoardLost(self._silent())

    def _silent(self) -> Message:
        return Message(
            "Expander X{number} does not answer at address {address} of the I2C bus. Look at its wires and its supply, "
            "and at the address that its pins A0 to A2 give it.",
            number=self._number,
            address=hex(self._address),
        )
