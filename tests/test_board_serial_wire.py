"""The wire to a board: its threads, and how it lets go of a port and says that it was lost."""

from __future__ import annotations

import logging
import queue
import threading
import time

import pytest

from popout.board.driver import BoardError, BoardLost
from popout.board.serial.talking import greet
from popout.board.serial.wire import Wire
from serial_boards import PtyBoard
from waiting import PATIENCE_S


class Port:
    """A port on which nothing comes, and which takes nothing: both wait until they are cancelled.

    :ivar used_when_closed: whether a thread was at it when, or after, it was closed.
    """

    in_waiting = 0

    def __init__(self) -> None:
        self.reading, self.writing, self.read_ends, self.write_ends = (threading.Event() for _ in range(4))
        self.error: OSError | None = None
        self.closed = 0
        self.used_when_closed = False

    def read(self, size: int, /) -> bytes:
        assert size == 1
        self._wait(self.reading, self.read_ends)
        return b""

    def write(self, data: bytes, /) -> int:
        self._wait(self.writing, self.write_ends)
        return len(data)

    def cancel_read(self) -> None:
        self.read_ends.set()

    def cancel_write(self) -> None:
        self.write_ends.set()

    def close(self) -> None:
        self.closed += 1
        self.read_ends.set()
        self.write_ends.set()

    def _wait(self, inside: threading.Event, ends: threading.Event) -> None:
        inside.set()
        assert ends.wait(PATIENCE_S)
        self.used_when_closed = self.used_when_closed or bool(self.closed)
        if self.error is not None:
            raise self.error


def a_wire(port: Port, lost: list[BoardError]) -> Wire:
    return Wire(port, clock=lambda: time.monotonic() * 1000, heard=lambda _: None, lost=lost.append)


def test_a_port_is_closed_only_when_no_thread_is_at_it_any_more():
    """Its descriptor may be that of the record a moment later."""
    port, lost = Port(), []
    wire = a_wire(port, lost)
    assert port.reading.wait(PATIENCE_S)
    assert port.writing.wait(PATIENCE_S)
    wire.close()
    wire.close()
    assert port.closed == 1
    assert not port.used_when_closed
    assert not lost
    assert not any(thread.name.startswith("serial") for thread in threading.enumerate())


def test_a_port_that_cannot_be_cancelled_is_waited_for():
    class Stubborn(Port):
        def cancel_read(self) -> None:
            threading.Timer(0.05, self.read_ends.set).start()
            raise OSError("not here")

    port = Stubborn()
    wire = a_wire(port, [])
    assert port.reading.wait(PATIENCE_S)
    wire.close()
    assert port.closed == 1
    assert not port.used_when_closed


def test_a_question_that_is_refused_is_not_waited_for():
    answers: list[str | None] = []
    with PtyBoard() as pico:
        wire = greet(pico.usb)
        try:
            asking = threading.Thread(
                target=lambda: answers.append(wire.ask("z", within_s=100 * PATIENCE_S)), daemon=True
            )
            asking.start()
            asking.join(PATIENCE_S)
            assert answers == [None]
        finally:
            wire.close()


def test_what_the_port_says_of_a_pulled_cable_is_for_the_log(caplog: pytest.LogCaptureFixture):
    """Field bug S1: whoever plays is told what to do, without the words of a library."""
    port = Port()
    lost: queue.Queue[BoardError] = queue.Queue()
    port.error = OSError("device reports readiness to read but returned no data")
    with caplog.at_level(logging.INFO, "popout"):
        wire = Wire(port, clock=lambda: 0, heard=lambda _: None, lost=lost.put)
        port.read_ends.set()
        error = lost.get(timeout=PATIENCE_S)
        port.write_ends.set()
        wire.close()
    assert lost.empty()
    assert isinstance(error, BoardLost)
    assert str(error) == (
        "The cable to the board was unplugged. Plug it in again, here or at another socket: a game goes on by itself."
    )
    assert "The port of the board failed (device reports readiness to read but returned no data)." in caplog.messages
