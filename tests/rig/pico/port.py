"""The serial port of an emulated board as programs see it: a pseudo-terminal that knows who has it open."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import termios
import threading
import tty
from collections.abc import Callable

LOOK_S = 0.004
"""How often it is looked whether somebody has opened a port that nobody had open."""
AT_FIRST = 9600

_BAUDS = {getattr(termios, name): int(name[1:]) for name in dir(termios) if name[0] == "B" and name[1:].isdigit()}


class Port:
    """A port; it is gone for whoever has it open once it is closed.

    :ivar name: its device.
    """

    def __init__(
        self, said: Callable[[bytes], None], line: Callable[[bool, int], None], *, not_named: str | None = None
    ) -> None:
        """Let there be a port.

        :param said: called with what is written into it.
        :param line: called with whether somebody has it open and with its baud rate, whenever that changes.
        :param not_named: the name that it must not have.
        """
        self._said, self._line = said, line
        self._master, self.name = _open_other_than(not_named)
        self._baud = AT_FIRST
        self._waiting = bytearray()
        self._taken: Callable[[int], None] = lambda _: None
        self._lock = threading.Lock()
        self._wake_out, self._wake = os.pipe()
        self._closing = False
        self._thread = threading.Thread(target=self._pump, daemon=True)

    def start(self, taken: Callable[[int], None]) -> None:
        """Pass bytes.

        :param taken: called with how many of the bytes that were sent the port has room for.
        """
        self._taken = taken
        self._thread.start()

    def send(self, data: bytes) -> None:
        """Let whoever has the port open read this, when there is room for it."""
        with self._lock:
            self._waiting += data
        os.write(self._wake, b".")

    def close(self) -> None:
        """Let the port be gone."""
        self._closing = True
        os.write(self._wake, b".")
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()
        for each in (self._master, self._wake, self._wake_out):
            os.close(each)

    def _pump(self) -> None:
        opened = False
        while not self._closing:
            if not opened:
                opened = self._look_closed()
            elif not self._pass_bytes():
                opened = False
                self._baud = self._asked_baud()
                self._line(False, self._baud)

    def _look_closed(self) -> bool:
        """Whether somebody has opened it now; one who has opened and closed it in between shows by the baud rate."""
        with contextlib.suppress(OSError):
            select.select([self._wake_out], [], [], LOOK_S)[0] and os.read(self._wake_out, 4096)
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        gone = any(event & select.POLLHUP for _, event in poll.poll(0))
        baud = self._asked_baud()
        if not gone or baud != self._baud:
            self._baud = baud
            self._line(True, baud)
            return True
        with self._lock:
            self._waiting.clear()
        return False

    def _pass_bytes(self) -> bool:
        """Pass what there is; False if nobody has the port open any more."""
        with self._lock:
            waiting = bool(self._waiting)
        readable, writable, _ = select.select(
            [self._master, self._wake_out], [self._master] if waiting else [], [], 0.5
        )
        if self._wake_out in readable:
            os.read(self._wake_out, 4096)
        try:
            if self._master in readable:
                data = os.read(self._master, 4096)
                baud = self._asked_baud()
                if baud != self._baud:
                    self._baud = baud
                    self._line(True, baud)
                self._said(data)
            if writable:
                with self._lock:
                    count = os.write(self._master, self._waiting)
                    del self._waiting[:count]
                self._taken(count)
        except BlockingIOError:
            pass
        except OSError:
            return False
        return True

    def _asked_baud(self) -> int:
        return _BAUDS.get(termios.tcgetattr(self._master)[5], AT_FIRST)


def _open_other_than(name: str | None) -> tuple[int, str]:
    tried = []
    try:
        while True:
            master, slave = pty.openpty()
            tried.append(master)
            mine = os.ttyname(slave)
            tty.setraw(slave)
            settings = termios.tcgetattr(slave)
            settings[4] = settings[5] = termios.B9600
            termios.tcsetattr(slave, termios.TCSANOW, settings)
            os.close(slave)
            if mine != name:
                os.set_blocking(master, False)
                tried.remove(master)
                return master, mine
    finally:
        for each in tried:
            os.close(each)
