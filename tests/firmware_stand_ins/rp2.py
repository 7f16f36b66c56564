"""The module of that name, as far as the firmware uses it: what is sent to the lamps is told to the test."""

import binascii

from world import world


class PIO:
    OUT_LOW = 0
    SHIFT_LEFT = 0


def asm_pio(**settings):
    return lambda _: settings["pull_thresh"]


class StateMachine:
    def __init__(self, number, program, freq, set_base, out_base):
        self.bits = program

    def active(self, on):
        pass


class DMA:
    def pack_ctrl(self, size, inc_write, treq_sel):
        return (size, inc_write, treq_sel)

    def config(self, read, write, count, ctrl, trigger):
        wire = bytearray()
        for at in range(0, 4 * count, 4):
            # A word is in memory with its lowest byte first, and goes out with its highest.
            for place in range(write.bits // 8):
                wire.append(read[at + 3 - place])
        world.say("lamps " + binascii.hexlify(wire).decode())
