"""Two plain LEDs as turn lamps, each on a pin of its own, which can only be lit or dark."""

from __future__ import annotations

import logging
from importlib import import_module
from typing import Any

from popout.board.contacts import Leds, pin_number
from popout.board.frame import Colour, Frame

# Just below the dimmest light that says something by itself, a quarter. The winner's pulse and the slow breath of a
# draw go below it, so that they blink.
_LIT = 0.24
_FULL = 255

_log = logging.getLogger(__name__)


def lit(colour: Colour, brightness: float) -> bool:
    """Whether a lamp of this colour is to be lit, where `brightness` is full light."""
    brightest = max(colour >> 16, colour >> 8 & _FULL, colour & _FULL)
    return brightest > 0 and brightest >= _LIT * _FULL * brightness


class TurnLeds:
    """The turn lamps as two LEDs.

    Wiring: the pin, a resistor of 330 ohms, the LED, ground; or from 3.3 V to the pin, for those that are lit low.

    :param brightness: the cap that is on the frames already.
    :param pin_factory: a pin factory of gpiozero.
    :raises Exception: a pin cannot be had; whatever gpiozero and its factory raise. Nothing is left open.
    """

    def __init__(self, leds: Leds, brightness: float, pin_factory: Any) -> None:
        led = import_module("gpiozero").LED
        self._brightness = brightness
        self._leds: list[Any] = []
        self._failing: list[Any] = []
        try:
            for pin in (leds.red, leds.yellow):
                self._leds.append(led(pin_number(pin), active_high=leds.lit == "high", pin_factory=pin_factory))
        except BaseException:
            self._close_devices()
            raise

    def show(self, frame: Frame) -> None:
        """Light the LEDs whose turn lamps are bright enough. A pin is set at once, so this does not wait."""
        for led, colour in zip(self._leds, frame.turns, strict=False):  # none once it is closed
            try:
                led.value = lit(colour, self._brightness)
            except Exception as error:  # whatever the factory raises: the game goes on
                if led not in self._failing:
                    _log.warning("The LED on %s cannot be switched (%s).", led.pin, error or type(error).__name__)
                    self._failing.append(led)
            else:
                if led in self._failing:
                    _log.warning("The LED on %s can be switched again.", led.pin)
                    self._failing.remove(led)

    def close(self, dark: bool, *, wait: bool = True) -> None:  # noqa: ARG002 - a pin that is let go of lights no LED
        """Let go of the pins, which darkens the LEDs in any case; may be called twice."""
        self._close_devices()

    def _close_devices(self) -> None:
        while self._leds:
            led = self._leds.pop()
            try:
                led.off()
                led.close()
            except Exception as error:  # the other one is still to be closed
                _log.warning("The LED on %s could not be let go of (%s).", led.pin, error or type(error).__name__)
