"""The wire of a chain of lamps, WS2812 or SK6812: bits of the right lengths by the PIO, fed with words by the DMA."""

import rp2
from machine import Pin
from micropython import const

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rp2.asm_pio import mov, out, pins, set, wrap, wrap_target, x

_TICKS_A_SECOND = const(10_000_000)
_BIT_NS = const(1200)
_FEED = const(0)  # by which the DMA paces itself: that of the first state machine of the first PIO
_MACHINE = const(0)
_REST_US = const(300)
"""The lamps take what comes after so long a pause as the next picture."""


def _bits():
    # A bit takes 12 ticks of 100 ns. Its light is in how long the wire is high: 300 ns for a 0, 700 ns for a 1, which
    # all kinds of lamps tell apart. Without words it waits where the wire is low.
    wrap_target()
    out(x, 1)[3]
    set(pins, 1)[2]
    mov(pins, x)[3]
    set(pins, 0)
    wrap()


class Wire:
    """The wire on a pin.

    :param bits: of the words that are sent, the upper ones: 24 or 32.
    """

    def __init__(self, pin: int, bits: int) -> None:
        program = rp2.asm_pio(
            set_init=rp2.PIO.OUT_LOW,
            out_init=rp2.PIO.OUT_LOW,
            out_shiftdir=rp2.PIO.SHIFT_LEFT,
            autopull=True,
            pull_thresh=bits,
        )(_bits)
        self._machine = rp2.StateMachine(_MACHINE, program, freq=_TICKS_A_SECOND, set_base=Pin(pin), out_base=Pin(pin))
        self._machine.active(1)
        self._dma = rp2.DMA()
        self._control = self._dma.pack_ctrl(size=2, inc_write=False, treq_sel=_FEED)
        self._bits = bits

    def send(self, words: bytearray, count: int) -> None:
        """Begin to send, and return. The bytes must stay as they are for as long as it `takes_us`."""
        self._dma.config(read=words, write=self._machine, count=count, ctrl=self._control, trigger=True)

    def takes_us(self, count: int) -> int:
        """How long so many words take, with the rest after them, in microseconds."""
        return count * self._bits * _BIT_NS // 1000 + _REST_US
