"""The lamps: which way their data takes, what clashes with it, and whether the supply is enough for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from popout.board.chain import Chain
from popout.board.gpio import route
from popout.board.gpio.route import choose_route, clock_remark, spi_bytes
from popout.board.layout import Layout
from popout.doctor import config
from popout.doctor.facts import Facts
from popout.doctor.finding import (
    RESTART,
    Finding,
    advice,
    edit,
    fine,
    install,
    named,
    popout,
    problem,
    switch_on,
)
from popout.rules import Message
from popout.wiring.current import current

_HEADER_MILLIAMPS: Final = {1: 850, 2: 980, 3: 660, 4: 1750, 5: 1750}
"""What the 5 V pins can give besides the Pi: what the recommended supply has left while the Pi works hard.

From the tables in "Power supply" and "Typical power requirements" of the Raspberry Pi documentation: Zero 1.2 - 0.35 A,
Pi 2 1.8 - 0.82 A, Zero 2 (which works like a Pi 3) 2.0 - 1.34 A, Pi 4 3.0 - 1.25 A. It has no such figure for the Pi 5;
that of the Pi 4 is taken.
"""

_PACKAGES: Final = {
    "spi": "adafruit-circuitpython-neopixel-spi",
    "blinka": "adafruit-circuitpython-neopixel",
    "pwm": "rpi-ws281x",
    "pio": "Adafruit-Blinka-Raspberry-Pi5-Neopixel",
}


def of_the_lamps(facts: Facts, layout: Layout) -> Iterator[Finding]:
    """Everything about the lamps of a board on the header."""
    if layout.chain is None:
        yield fine("no-chain", Message("The layout “{layout}” has no chain of lamps.", layout=layout.name))
        return
    yield from _way(facts, layout, layout.chain)
    yield fine(
        "colour-order",
        Message(
            "The lamps are sent their colours in the order {order}. If red and green come out exchanged, change the "
            "key order under [lamps] in the layout “{layout}”, or type this: the test of the wiring asks what you see, "
            "and corrects the layout.",
            order=layout.chain.order.upper(),
            layout=layout.name,
        ),
        popout(facts, "doctor", "--hands", *named(facts)),
    )
    yield from _supply(facts, layout)
    yield advice(
        "level-shifter",
        Message(
            "The Pi sends data at 3.3 V, and lamps on 5 V want 3.5 V or more. If they flicker or stay dark, put a "
            "level shifter such as a 74AHCT125 between {pin} and the first lamp.",
            pin=layout.chain.pin,
        ),
    )


def _way(facts: Facts, layout: Layout, chain: Chain) -> Iterator[Finding]:
    way, reason = choose_route(layout, facts.machine, facts.lamps)
    if way is None:
        yield from _no_light(facts, layout, chain)
        return
    yield fine(f"light-by-{way}", reason)
    if way == "pwm" and (facts.config.is_on("audio") or facts.sound):
        yield problem(
            "sound-on-pwm",
            Message(
                "The Pi's own sound uses the same PWM as the lamps on {pin}: they would show random colours. Switch "
                "the sound off by dtparam=audio=off in {file}, or wire the lamps to GPIO10.",
                pin=chain.pin,
                file=facts.config.file or "/boot/firmware/config.txt",
            ),
            *edit(facts),
        )
    if way == "spi" and (remark := clock_remark(facts.machine, facts.lamps)) is not None:
        file = facts.config.file or "/boot/firmware/config.txt"
        yield advice("spi-clock", remark, f"echo core_freq_fixed=1 | sudo tee -a {file}", RESTART)


def _no_light(facts: Facts, layout: Layout, chain: Chain) -> Iterator[Finding]:
    """All that keeps the lamps dark, one thing after the other as if each were put right, with one restart for all."""
    found: list[tuple[Message, tuple[str, ...]]] = []
    for put_right in _steps(facts, chain):
        way, reason = choose_route(layout, facts.machine, facts.lamps)
        if way is not None:
            break
        if not found or reason != found[-1][0]:
            found.append((reason, _cure(facts, chain, len(layout.places))))
        facts = replace(facts, lamps=put_right)
    restarts = [number for number, (_, cure) in enumerate(found) if RESTART in cure]
    for number, (reason, cure) in enumerate(found):
        yield problem("no-light", reason, *(each for each in cure if each != RESTART or number == restarts[-1]))


def _steps(facts: Facts, chain: Chain) -> Iterator[route.Facts]:
    """What decides on the way to light the chain, after one thing more was put right each time."""
    lamps = facts.lamps
    if _by_spi(chain):
        lamps = replace(lamps, packages=lamps.packages | {"neopixel_spi", "Adafruit_PureIO"})
        yield lamps
        if lamps.spi == "missing":
            # The kernel's module is not there either, and takes its setting when it is.
            lamps = replace(lamps, spi_buffer=max(lamps.spi_buffer, facts.next_buffer or 0))
        lamps = replace(lamps, spi="open")
        yield lamps
    elif _by_pio(facts, chain):
        lamps = replace(lamps, pio="open")
        yield lamps
    yield lamps


def _by_spi(chain: Chain) -> bool:
    return chain.route == "spi" or (chain.route == "auto" and chain.pin == "GPIO10")


def _by_pio(facts: Facts, chain: Chain) -> bool:
    return facts.machine.generation == 5 and chain.route in ("auto", "pio")


def _cure(facts: Facts, chain: Chain, count: int) -> tuple[str, ...]:
    """What to type against the darkness that `choose_route` explains. What the user may not open is told elsewhere."""
    lamps = facts.lamps
    if _by_spi(chain):
        if "neopixel_spi" not in lamps.packages or "Adafruit_PureIO" not in lamps.packages:
            return (install(facts, _PACKAGES["spi"]),)
        if lamps.spi == "missing":
            return (RESTART,) if facts.config.is_on("spi") else switch_on(facts, "spi")
        needed = spi_bytes(count, len(chain.order))
        return _larger_buffer(facts, needed) if lamps.spi == "open" and needed > lamps.spi_buffer else ()
    if _by_pio(facts, chain):
        if lamps.pio == "missing":
            return ("sudo apt update && sudo apt full-upgrade", "sudo rpi-eeprom-update -a", RESTART)
        return () if lamps.pio == "denied" else (install(facts, _PACKAGES["blinka"], _PACKAGES["pio"]),)
    if 1 <= facts.machine.generation <= 4 and lamps.root and chain.route in ("auto", "pwm"):
        return (install(facts, _PACKAGES["blinka"], _PACKAGES["pwm"]),)
    return ()


def _larger_buffer(facts: Facts, needed: int) -> tuple[str, ...]:
    """How to let the kernel send longer chains in one piece: its setting is a word of the one line of a file."""
    if facts.next_buffer is not None and facts.next_buffer >= needed:
        return (RESTART,)
    size = 32_768 if needed <= 32_768 else 65_536
    return (f"sudo sed -i '1 s/$/ spidev.bufsiz={size}/' {config.beside(facts.config, 'cmdline.txt')}", RESTART)


def _supply(facts: Facts, layout: Layout) -> Iterator[Finding]:
    taken = current(layout)
    if taken is None or not taken.lamps:
        return
    white = taken.lamps * (layout.idle_milliamps + 3 * layout.channel_milliamps)
    yield fine(
        "current",
        Message(
            "{count} lamp takes {white} A at full white; the supply gives {supply} A. popout gives it "
            "at most this share of that light: {share} %.",
            plural="{count} lamps take {white} A if all are white at full light; the supply gives them {supply} A. "
            "popout holds a white picture at a share of that light ({share} %), so that it never takes more.",
            count=taken.lamps,
            white=f"{white / 1000:.1f}",
            supply=f"{taken.supply:g}",
            share=int(min(taken.allowed, taken.cap) * 100),
        ),
    )
    header = _HEADER_MILLIAMPS.get(facts.machine.generation)
    most = round(taken.taken * 1000)
    if header is not None and most > header:
        yield advice(
            "supply-cable",
            Message(
                "Do not feed the lamps from the 5 V pins of the header: besides a Pi like this these give about "
                "{header} mA, and the lamps may take {most} mA. Run a cable from the supply to the lamps, and join "
                "its ground to the Pi's.",
                header=header,
                most=most,
            ),
        )
