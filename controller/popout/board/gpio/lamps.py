"""The lamps of the Pi's own board: a chain of them, two LEDs, both, or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol, assert_never

from popout.board.chain import Chain
from popout.board.frame import Frame
from popout.board.gpio.leds import TurnLeds
from popout.board.gpio.machine import Machine
from popout.board.gpio.route import SPI_DEVICE, Facts, Way, choose_route, clock_remark, look
from popout.board.gpio.spi import SpiStrip
from popout.board.gpio.strip import PinStrip, Strip
from popout.board.gpio.writer import REPEAT_S, Writer
from popout.board.layout import Layout
from popout.rules.messages import Message


class Lamps(Protocol):
    """The lamps of a board, opened."""

    def show(self, frame: Frame) -> None:
        """Light the lamps that there are. Never waits, and never raises."""

    def close(self, dark: bool, *, wait: bool = True) -> None:
        """Darken the lamps if `dark`, else leave the last picture, and let go of them. May be called twice.

        :param wait: whether to wait until that is done, or for a second; else it is done meanwhile.
        """


class NoLamps:
    """No lamps at all: the board plays without."""

    def show(self, frame: Frame) -> None:
        """Nothing."""

    def close(self, dark: bool, *, wait: bool = True) -> None:
        """Nothing."""


class ChainLamps:
    """Lamps on one data line, written to by a thread of their own."""

    def __init__(self, layout: Layout, strip: Strip, *, repeat: float = REPEAT_S) -> None:
        self._layout = layout
        self._writer = Writer(lambda frame: strip.send(layout.colours(frame)), strip.close, repeat=repeat)

    def show(self, frame: Frame) -> None:
        """Hand the frame to the thread."""
        self._writer.show(frame)

    def close(self, dark: bool, *, wait: bool = True) -> None:
        """Darken the lamps if `dark`, and let go of them, within a second even if a write hangs."""
        self._writer.close(Frame.dark(self._layout.columns, self._layout.rows) if dark else None, wait=wait)


class BothLamps:
    """Lamps on a data line, and two LEDs as turn lamps."""

    def __init__(self, *lamps: Lamps) -> None:
        self._lamps = lamps

    def show(self, frame: Frame) -> None:
        """Light all of them."""
        for lamps in self._lamps:
            lamps.show(frame)

    def close(self, dark: bool, *, wait: bool = True) -> None:
        """Close all of them."""
        for lamps in self._lamps:
            lamps.close(dark, wait=wait)


def open_lamps(
    layout: Layout, machine: Machine, *, pin_factory: Any, root: Path = Path("/"), repeat: float = REPEAT_S
) -> tuple[Lamps, tuple[Message, ...]]:
    """The lamps of `layout`, and what a person should know of them: the way that lights them, or why there is no light.

    Lamps that cannot be had are no reason not to play, so this never raises for them.

    :param pin_factory: the pin factory of gpiozero on which LEDs hang.
    :param root: where the file system with the devices begins; another folder in tests.
    :param repeat: seconds after which the lamps of a chain are told again what they show.
    """
    opened: list[Lamps] = []
    remarks: list[Message] = []
    if layout.chain is not None:
        facts = look(root)
        way, remark = choose_route(layout, machine, facts)
        strip = None
        if way is not None:
            try:
                strip = _strip(way, layout.chain, len(layout.places), facts, root)
            except Exception as error:  # hardware libraries raise all kinds
                remark = _not_opened(way, layout.chain, error)
        remarks.append(remark)
        if strip is not None:
            opened.append(ChainLamps(layout, strip, repeat=repeat))
            steady = clock_remark(machine, facts) if way == "spi" else None
            remarks += [steady] if steady is not None else []
    if layout.leds is not None:
        try:
            opened.append(TurnLeds(layout.leds, layout.brightness, pin_factory))
        except Exception as error:  # of gpiozero or of the kernel: a pin is taken, a package is missing
            remarks.append(
                Message(
                    "The turn lamps on {red} and {yellow} stay dark, since they cannot be opened: {reason}. Look with "
                    "“popout doctor” who uses these pins.",
                    red=layout.leds.red,
                    yellow=layout.leds.yellow,
                    reason=_reason(error),
                )
            )
    match opened:
        case []:
            return NoLamps(), tuple(remarks)
        case [only]:
            return only, tuple(remarks)
        case _:
            return BothLamps(*opened), tuple(remarks)


def _strip(way: Way, chain: Chain, lamps: int, facts: Facts, root: Path) -> Strip:
    match way:
        case "spi":
            return SpiStrip(root / SPI_DEVICE, facts.spi_buffer, lamps, chain.order)
        case "pwm" | "pio":
            return PinStrip(way, chain.pin, lamps, chain.order)
        case _:
            assert_never(way)


def _not_opened(way: Way, chain: Chain, error: Exception) -> Message:
    return Message(
        "The lamps stay dark: {way} on {pin} could not be opened ({reason}). Type “popout doctor”, which looks for the "
        "cause.",
        way=way.upper(),
        pin=chain.pin,
        reason=_reason(error),
    )


def _reason(error: Exception) -> str:
    """What a library says, in one line."""
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__
