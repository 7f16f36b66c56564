"""The serial port on the USB, which is MicroPython's prompt as well: bytes that come, lines that go, nothing waits."""

import select
import sys

import micropython

_INTERRUPT = micropython.const(3)
_NO_INTERRUPT = micropython.const(-1)


class Port:
    """The port, for the program alone."""

    def __init__(self) -> None:
        micropython.kbd_intr(_NO_INTERRUPT)  # else a byte 3 in some noise would end the program
        self._out = sys.stdout.buffer
        readable = select.poll()
        readable.register(sys.stdin, select.POLLIN)
        # Bound once: it is done for each byte.
        self._ask = readable.ipoll
        self._read = sys.stdin.buffer.readinto
        self._writable = select.poll()
        self._writable.register(sys.stdout, select.POLLOUT)
        self._byte = bytearray(1)  # a read of more would wait until so many are there
        self._rest = b""

    @micropython.native
    def read(self, buffer: bytearray) -> int:
        """Read what is there, at most to the end of a line or of the buffer: how many bytes that were."""
        ask, read, byte = self._ask, self._read, self._byte
        length = 0
        while length < len(buffer):
            there = False
            for _ in ask(0):
                there = True
            if not there or not read(byte):
                break
            buffer[length] = byte[0]
            length += 1
            if byte[0] == 10:  # a newline
                break
        return length

    def free(self) -> bool:
        """Whether a line can be written: none is under way. Goes on with the one that is."""
        if self._rest:
            for _ in self._writable.ipoll(0):
                # With room for a byte but not for the line this may wait for a second, and then not again until the
                # host reads on.
                count = self._out.write(self._rest)
                self._rest = self._rest[count or 0 :]
        return not self._rest

    def write(self, line: bytes) -> None:
        """Send a line, when the host takes it. Only when it is `free`."""
        self._rest = line

    def leave(self) -> None:
        """Give the port to the prompt."""
        micropython.kbd_intr(_INTERRUPT)
