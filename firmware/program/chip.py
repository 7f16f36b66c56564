"""The chip itself: which it is, why it started, its watchdog, and the ways to leave the program."""

import binascii
import sys
from time import ticks_diff, ticks_ms

import machine
from machine import WDT, mem32
from micropython import const

POWER_ON = "power-on"
WATCHDOG = "watchdog"
RESTART = "restart"

WATCHDOG_MS = const(4000)
"""A program that looks after nothing for so long is started anew."""

_CONTROL_PICO = const(0x40058000)
_CONTROL_PICO_2 = const(0x400D8000)
_SCRATCH = const(0x1C)  # the register that tells the watchdog's own resets from those that a program asked for
_RAN_OUT = const(0x6AB73121)  # what the chip's library writes there when the watchdog is started
_CLEARING = const(0x3000)  # what is written to a register at this distance from it is cleared in it
_ENABLED = const(1 << 30)


class Clock:
    """The time since the start in milliseconds, which does not wrap around.

    Up to twelve days it is a number that takes no memory; from then on each is made anew, which the collector clears.
    """

    def __init__(self) -> None:
        self._ticks = ticks_ms()
        self._now = 0

    def now(self) -> int:
        """The time. Must be asked for more often than every six days."""
        ticks = ticks_ms()
        self._now += ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._now


def model() -> str:
    """The model of the board that the chip is on."""
    return "pico2" if _is_pico_2() else "pico"


def unique_id() -> str:
    """The chip's own number, which is its serial number on the USB, too."""
    return binascii.hexlify(machine.unique_id()).decode()


def reset_reason() -> str:
    """Why the program started, in one word.

    MicroPython calls it a watchdog's reset, too, when the boot loader begins a new firmware or a program asked for it.
    """
    if machine.reset_cause() != machine.WDT_RESET:
        return POWER_ON
    return WATCHDOG if mem32[_control() + _SCRATCH] == _RAN_OUT else RESTART


def start_watchdog() -> WDT:
    """From now on it must be fed."""
    return WDT(timeout=WATCHDOG_MS)


def stop_watchdog() -> None:
    """For the prompt, where nobody feeds it. MicroPython itself cannot stop it."""
    mem32[_control() + _CLEARING] = _ENABLED


def to_boot_loader() -> None:
    """Be the drive that takes a new firmware. Does not return."""
    mem32[_control() + _SCRATCH] = 0  # it starts the new firmware by the watchdog
    machine.bootloader()


def _control() -> int:
    """Where the watchdog's registers are."""
    return _CONTROL_PICO_2 if _is_pico_2() else _CONTROL_PICO


def _is_pico_2() -> bool:
    return "RP2350" in sys.implementation._machine
