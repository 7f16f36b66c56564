"""Lamps on a pin of a Pi that there is not: Adafruit's real libraries, as far as the last call that needs the Pi.

Run by test_board_gpio_strip.py, each time anew, since these libraries look at the board once, when they are imported.

    pin_lamps.py pwm|pio compare|refused|closing
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import msgspec

import lamp_wires
from popout.board.gpio import lamps as lamps_module
from popout.board.gpio.lamps import NoLamps, open_lamps
from popout.board.gpio.machine import Machine

PIN = {"pwm": 13, "pio": 5}
CRASHED = 86

sent: list[bytes] = []
claimed: set[int] = set()
slept: list[float] = []
"""The seconds that were waited since something was sent last."""
waited_before_release: list[float] = []


def released(lines: dict[int, None]) -> None:
    """Lines are let go of."""
    claimed.difference_update(lines)
    waited_before_release.append(sum(slept))


def note(picture: bytes) -> None:
    """A picture leaves."""
    slept.clear()
    sent.append(picture)


class Chip:
    """The header's chip, as `gpiod` opens it: it notes which lines are held."""

    def __init__(self, path: str) -> None:
        assert path == "/dev/gpiochip0"

    def get_info(self) -> SimpleNamespace:
        return SimpleNamespace(label="pinctrl-rp1", num_lines=54)

    def request_lines(self, config: dict[int, None], **_names: str) -> SimpleNamespace:
        claimed.update(config)
        return SimpleNamespace(
            reconfigure_lines=lambda _config: None,
            set_value=lambda _line, _value: None,
            release=lambda: released(config),
        )

    def close(self) -> None: ...


class PwmLibrary(ModuleType):
    """`_rpi_ws281x`, which is C: it notes what it would clock out, and crashes where the real one does."""

    WS2811_SUCCESS = 0
    WS2811_STRIP_RGB = 0x00100800
    SK6812_STRIP_RGBW = 0x18100800

    def __init__(self) -> None:
        super().__init__("_rpi_ws281x")
        self.__spec__ = ModuleSpec("_rpi_ws281x", None)
        self.answer = 0

    def __getattr__(self, name: str):
        what = name.removeprefix("ws2811_channel_t_").removeprefix("ws2811_t_")
        if what.endswith("_set"):
            return lambda thing, value: setattr(thing, what.removesuffix("_set"), value)
        if what.endswith("_get"):
            return lambda thing: getattr(thing, what.removesuffix("_get"))
        raise AttributeError(name)

    def new_ws2811_t(self) -> SimpleNamespace:
        return SimpleNamespace(ready=False, channels=[SimpleNamespace(leds={}), SimpleNamespace(leds={})])

    def ws2811_channel_get(self, strip, number):
        return strip.channels[number]

    def ws2811_init(self, strip) -> int:
        strip.ready = self.answer == 0
        return self.answer

    def ws2811_get_return_t_str(self, answer: int) -> str:
        return {-3: "Hardware revision is not supported"}[answer]

    def ws2811_led_set(self, channel, lamp: int, colour: int) -> None:
        channel.leds[lamp] = colour

    def ws2811_render(self, strip) -> int:
        self._crash_unless_ready(strip)
        (channel,) = [channel for channel in strip.channels if channel.count]
        assert channel.gpionum == PIN["pwm"]
        shifts = (16, 8, 0) if channel.strip_type == self.WS2811_STRIP_RGB else (16, 8, 0, 24)
        note(bytes(channel.leds[lamp] >> shift & 0xFF for lamp in range(channel.count) for shift in shifts))
        return 0

    def ws2811_fini(self, strip) -> None:
        self._crash_unless_ready(strip)

    def delete_ws2811_t(self, strip) -> None:
        strip.ready = False

    def _crash_unless_ready(self, strip) -> None:
        if not strip.ready:
            os._exit(CRASHED)


def pio_write(gpio, data) -> None:
    """What the Pi 5's library is called with."""
    assert gpio._pin.id == PIN["pio"]
    note(bytes(data))


def no_pi_needed(way: str) -> PwmLibrary:
    """Put what needs a Pi out of the way, and nothing else."""
    os.environ |= {
        "BLINKA_FORCECHIP": "BCM2XXX",
        "BLINKA_FORCEBOARD": "RASPBERRY_PI_4B" if way == "pwm" else "RASPBERRY_PI_5",
    }
    import gpiod

    gpiod.Chip = Chip
    pwm = PwmLibrary()
    pio = ModuleType("adafruit_raspberry_pi5_neopixel_write")
    pio.__spec__ = ModuleSpec(pio.__name__, None)
    pio.neopixel_write = pio_write
    sys.modules |= {"_rpi_ws281x": pwm, pio.__name__: pio}
    os.environ["BLINKA_SKIP_DEPENDENCY_CHECK"] = "1"  # as the program does, which imports this later
    from adafruit_platformdetect.board import Board

    Board._pi_rev_code = lambda _board: "c03114"
    from adafruit_blinka.microcontroller.generic_linux import raspberry_pi_pin

    raspberry_pi_pin._chip_paths = lambda: [Path("/dev/gpiochip0")]
    facts = replace(lamps_module.look(), pio="open", root=True)
    lamps_module.look = lambda _root: facts
    time.sleep = slept.append  # they wait for their hardware
    return pwm


def on_pin(layout, way: str):
    """The same board, its lamps on the pin of this way."""
    return replace(layout, chain=msgspec.structs.replace(layout.chain, pin=f"GPIO{PIN[way]}", route="auto"))


def opened(layout, way: str):
    machine = Machine("Raspberry Pi 4 Model B Rev 1.4", 4) if way == "pwm" else Machine("Raspberry Pi 5", 5)
    return open_lamps(on_pin(layout, way), machine, pin_factory=None)


def compare(way: str) -> dict[str, object]:
    """Every chain and order of colours, and every shipped board."""
    wrong, compared = [], 0
    for order in lamp_wires.ORDERS:
        drawn = [(name, layout, lamp_wires.FRAME, expected) for name, layout, expected in lamp_wires.chains(order)]
        for name, layout, frame, expected in (*drawn, *lamp_wires.shipped(order)):
            lamps, _ = opened(layout, way)
            lamps.show(frame)
            lamps.close(dark=False)
            compared += 1
            if sent[-1] != expected:
                wrong.append(name)
    return {"wrong": wrong, "compared": compared}


def refused(way: str, pwm: PwmLibrary) -> dict[str, object]:
    """The library does not know the board; then it does."""
    _, layout, expected = next(lamp_wires.chains("grb"))
    pwm.answer = -3
    dark, said = opened(layout, way)
    held = sorted(claimed)
    dark.show(lamp_wires.FRAME)
    dark.close(dark=True)
    pwm.answer = 0
    lamps, _ = opened(layout, way)
    lamps.show(lamp_wires.FRAME)
    lamps.close(dark=False)
    return {
        "none": isinstance(dark, NoLamps),
        "said": [str(remark) for remark in said],
        "held": held,
        "later": sent[-1] == expected,
    }


def closing(way: str) -> dict[str, object]:
    """What is sent at the start and at the end, and whether the pin is let go of."""
    _, layout, _ = next(lamp_wires.chains("grb"))
    lamps, said = opened(layout, way)
    first, held = sent[-1], sorted(claimed)
    lamps.show(lamp_wires.FRAME)
    lamps.close(dark=True)
    return {
        "said": [str(remark) for remark in said],
        "first": first.hex(),
        "held": held,
        "last": sent[-1].hex(),
        "left": sorted(claimed),
        "waited": waited_before_release[-1],
    }


def main(way: str, what: str) -> None:
    """Do it, and print what came of it."""
    pwm = no_pi_needed(way)
    found = {"compare": lambda: compare(way), "refused": lambda: refused(way, pwm), "closing": lambda: closing(way)}
    print(json.dumps(found[what]()))


if __name__ == "__main__":
    main(*sys.argv[1:])
