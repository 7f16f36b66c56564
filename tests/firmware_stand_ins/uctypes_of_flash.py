"""The module `uctypes`, as far as the firmware uses it: the sector of the flash memory that has the description."""

from world import world

_ADDRESS = 0x1009F000


def bytearray_at(address, length):
    start = address - _ADDRESS
    return bytearray(world.flash[start : start + length])
