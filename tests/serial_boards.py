"""Boards on pseudo terminals: a `BoardEnd` in a thread, whose cable a test can pull, freeze and plug in elsewhere."""

from __future__ import annotations

import os
import select
import threading
import time
import tty
from collections.abc import Callable
from types import TracebackType
from typing import Self

from popout.board.layout import Layout
from popout.board.serial.description import digest
from popout.board.serial.ports import SerialPort
from popout.board.switches import rests
from popout.link.board_end import BoardEnd

LAYOUT = Layout.load("7x6-pico")


class PtyBoard:
    """A board with the switches and lamps of a layout.

    :param about: the version of its firmware, the reason of its last reset, and its model.
    :ivar port: the name of its port now. :ivar end: its end of the link; look at it, and move contacts by `move`.
    """

    def __init__(
        self,
        layout: Layout = LAYOUT,
        *,
        unique: str = "E660AA",
        layout_digest: str | None = None,
        mute: bool = False,
        about: tuple[str, str, str] = ("0.0", "power-on", "pico"),
    ) -> None:
        self.layout = layout
        self.names = list(layout.switches)
        self.contacts = [False] * len(self.names)
        self.unique = unique
        self.mute = mute
        self.frozen = False
        self.about = about
        self._digest = digest(layout) if layout_digest is None else layout_digest
        self._lock = threading.RLock()
        self._running = True
        self.end = self._new_end()
        self._master, self._slave = -1, -1
        self.plug()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _new_end(self) -> BoardEnd:
        resting = sum(1 << place for place, name in enumerate(self.names) if rests(name))
        version, reset, model = self.about
        about = (version, self.unique, self._digest, reset, model)
        return BoardEnd(about, len(self.layout.places), list(self.contacts), self.now(), resting)

    @staticmethod
    def now() -> float:
        """Its own clock, in milliseconds: not that of the computer."""
        return time.monotonic() * 1000 + 1_234_567

    @property
    def usb(self) -> SerialPort:
        """How it shows itself on USB."""
        return SerialPort(self.port, 0x2E8A, 0x0005, self.unique, "Pop Out board")

    @property
    def plugged(self) -> bool:
        return self._master >= 0

    def plug(self) -> None:
        """Plug the cable in; the port has a name that it did not have before."""
        with self._lock:
            self._master, self._slave = os.openpty()
            tty.setraw(self._slave)
            self.port = os.ttyname(self._slave)

    def unplug(self) -> None:
        """Pull the cable: the board loses its power."""
        with self._lock:
            for opened in (self._master, self._slave):
                os.close(opened)
            self._master = self._slave = -1
            self.end = self._new_end()

    def move(self, switch: str, closed: bool) -> None:
        with self._lock:
            place = self.names.index(switch)
            self.contacts[place] = closed
            self.end.edge(place, closed, self.now())

    def flicker(self, switch: str, length_ms: float) -> None:
        """Let a contact close for so long, by the times of its edges: nobody waits for that."""
        with self._lock:
            place, now = self.names.index(switch), self.now()
            self.end.edge(place, True, now)
            self.end.edge(place, False, now + length_ms)

    def write(self, data: bytes) -> None:
        """Let something arrive at the host that the board has not said."""
        os.write(self._master, data)

    def close(self) -> None:
        self._running = False
        self._thread.join()
        if self.plugged:
            self.unplug()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self) -> None:
        while self._running:
            time.sleep(0.001)
            with self._lock:
                if self.plugged and not self.frozen:
                    self._turn()

    def _turn(self) -> None:
        now = self.now()
        if select.select([self._master], [], [], 0)[0]:
            data = os.read(self._master, 4096)
            if not self.mute:
                self.end.receive(data, len(data), now)
        self.end.poll(now, self.contacts)
        self.end.tick(now)
        while (line := self.end.outgoing(now)) is not None:
            if select.select([], [self._master], [], 0)[1]:
                os.write(self._master, line)


def on_usb(*boards: PtyBoard) -> Callable[[], tuple[SerialPort, ...]]:
    """What the computer sees on USB: those of the boards that are plugged in."""
    return lambda: tuple(board.usb for board in boards if board.plugged)
