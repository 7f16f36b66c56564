"""The module of that name, as far as the firmware uses it, on the clock of the world."""

from world import world

_PERIOD = 1 << 30


def ticks_ms():
    return world.now_ms % _PERIOD


def ticks_us():
    return world.now_ms * 1000 % _PERIOD


def ticks_diff(later, earlier):
    return (later - earlier + _PERIOD // 2) % _PERIOD - _PERIOD // 2


def sleep_ms(ms):
    world.wait(ms)
