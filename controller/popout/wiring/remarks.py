"""What is no error in a layout, and yet worth knowing before somebody solders."""

from __future__ import annotations

from collections.abc import Iterator

from popout.board.contacts import PWM_PINS, SPI_PINS
from popout.board.gpio.route import SPI_PIN, spi_bytes
from popout.board.layout import Layout
from popout.rules.messages import Message
from popout.wiring.connections import Connection, connections
from popout.wiring.current import current

_SERIAL_PORT = ("GPIO14", "GPIO15")
# Below this share of the cap an ordinary picture is dimmed too, not only a white one.
_DIM = 0.5
# Of the kernel, unless somebody has told it otherwise.
_SPI_BUFFER = 4096


def remarks(layout: Layout) -> tuple[Message, ...]:
    """Sentences about pins that are for something else as well, resistors that are missing, and a weak supply."""
    return (*_of_the_pins(layout), *_of_the_lamps(layout))


def _of_the_pins(layout: Layout) -> Iterator[Message]:
    wires = connections(layout)
    if layout.driver == "gpio":
        yield from _of_the_header({wire.pin: wire for wire in wires if not wire.chip})
    if layout.driver == "serial" and layout.pull == "down" and layout.switches:
        yield Message(
            "The inputs of a Pico 2 of the first revision stay high in spite of its pull-downs (its erratum E9): wire "
            "switches to ground with pull = “up”, or give each an outer resistor of 8.2 kΩ or less."
        )
    if layout.pull == "none" and any(wire.kind == "switch" and wire.place is not None for wire in wires):
        yield Message(
            "With pull = “none” each switch needs a resistor of its own, such as 10 kΩ, from its pin to {level}.",
            level="3.3 V" if layout.closed == "low" else "GND",
        )
    if layout.matrix is not None and not layout.matrix.diodes:
        yield Message(
            "The matrix has no diodes: while three switches at the corners of a rectangle are closed, the fourth seems "
            "to be too. A diode such as 1N4148 at each switch cures it."
        )


def _of_the_header(wires: dict[str, Connection]) -> Iterator[Message]:
    if (woken := wires.get("GPIO3")) is not None and woken.kind == "switch":
        yield Message(
            "“{use}” at GPIO3 also starts a Pi that was shut down: that pin wakes it when it goes low.",
            use=woken.told(),
        )
    if serial := [pin for pin in _SERIAL_PORT if pin in wires]:
        yield Message(
            "{pins}: the serial console of the Pi uses these too. Turn it off with: sudo raspi-config (Interface "
            "Options, Serial Port).",
            pins=", ".join(serial),
        )
    spi = [pin for pin in SPI_PINS if pin in wires and wires[pin].kind != "lamps"]
    if spi:
        yield Message(
            "{pins}: the bus SPI0 has these while it is on. Turn it off with: sudo raspi-config (Interface Options, "
            "SPI).",
            pins=", ".join(spi),
        )


def _of_the_lamps(layout: Layout) -> Iterator[Message]:
    chain, taken = layout.chain, current(layout)
    if chain is not None and layout.driver == "gpio" and chain.pin != SPI_PIN:
        if chain.route == "pwm":
            yield Message(
                "The lamps at {pin} are lit by PWM, which needs the rights of root and the Pi's analogue sound off. "
                "GPIO10 needs neither.",
                pin=chain.pin,
            )
        elif chain.route == "auto" and chain.pin in PWM_PINS:
            yield Message(
                "The lamps at {pin} can be lit by a Pi 5, else at most by PWM with the rights of root. GPIO10 suits "
                "any Pi.",
                pin=chain.pin,
            )
        else:
            yield Message("The lamps at {pin} can be lit by a Pi 5 only. GPIO10 suits any Pi.", pin=chain.pin)
    if chain is not None and layout.driver == "gpio" and chain.pin == SPI_PIN and chain.route in ("auto", "spi"):
        needed = spi_bytes(len(layout.places), len(chain.order))
        if needed > _SPI_BUFFER:
            yield Message(
                "A picture of all {lamps} lamps is {needed} bytes on SPI, and the kernel sends only {buffer} in one "
                "piece. Append spidev.bufsiz={size} to the one line of /boot/firmware/cmdline.txt and restart the Pi.",
                lamps=len(layout.places),
                needed=needed,
                buffer=_SPI_BUFFER,
                size=65536 if needed > 32768 else 32768,
            )
    if taken is not None and taken.allowed < _DIM * taken.cap:
        yield Message(
            "The supply of {amperes} A lets all lamps together be white at a part of full light only ({allowed} %), "
            "while the cap is {cap} %: bright pictures are dimmed. {wanted} A would reach the cap.",
            amperes=f"{taken.supply:g}",
            allowed=int(taken.allowed * 100),
            cap=round(taken.cap * 100),
            wanted=f"{taken.wanted:.1f}",
        )
