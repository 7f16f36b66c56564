"""The module of that name, as far as the firmware uses it."""

import sys

from world import world

PWRON_RESET = 1
WDT_RESET = 3

_LEVELS = 0xD0000004
_WATCHDOG_CLEARED = 0x4005B000
_SCRATCH = 0x4005801C
_RAN_OUT = 0x6AB73121


class Pin:
    IN, OUT = 0, 1
    PULL_UP, PULL_DOWN = 1, 2

    def __init__(self, number, mode=-1, pull=-1, *, value=None):
        self.number = number
        if value is not None:
            self.value(value)

    def value(self, level):
        world.say(f"led {self.number} {level}")


class WDT:
    def __init__(self, id=0, timeout=5000):
        self._timeout = timeout
        self.feed()

    def feed(self):
        world.feed(self._timeout)


class _Memory:
    def __getitem__(self, address):
        if address == _SCRATCH:
            return _RAN_OUT if world.ran_out else 0
        if address != _LEVELS:
            raise ValueError("no such register")
        return world.look()

    def __setitem__(self, address, value):
        if (address, value) == (_WATCHDOG_CLEARED, 1 << 30):
            world.feed(None)
        elif (address, value) != (_SCRATCH, 0):
            raise ValueError("no such register")


mem32 = _Memory()


def idle():
    world.idle()


def unique_id():
    return b"\xe6\x61\x38\x52\x83\x00\x12\xab"


def reset_cause():
    return world.reset_cause


def bootloader():
    world.say("boot loader")
    sys.exit(0)
