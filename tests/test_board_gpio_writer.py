"""The thread that writes to the lamps. Threads are waited for by what they do, never by the clock."""

import logging
import subprocess
import sys
from queue import Queue
from threading import Event

import pytest

from popout.board.frame import Frame
from popout.board.gpio import writer
from popout.board.gpio.writer import Writer

LONG = 5
"""Seconds; only a test that fails waits for them."""


def picture(number):
    return Frame(((number,),), (0,), (0, 0))


ONE, TWO, THREE = map(picture, (1, 2, 3))


class Wire:
    """Notes what is written; it can be made to fail, or to hang until it is let go."""

    def __init__(self):
        self.written = Queue()
        self.ended = Event()
        self.free = Event()
        self.free.set()
        self.error = None

    def write(self, frame):
        self.written.put(frame)
        self.free.wait(LONG)
        if self.error is not None:
            raise self.error

    def end(self):
        self.ended.set()

    def next(self):
        return self.written.get(timeout=LONG)


@pytest.fixture
def wire():
    made = Wire()
    yield made
    made.free.set()


def test_a_frame_is_written():
    wire = Wire()
    one = Writer(wire.write, wire.end)
    one.show(ONE)
    assert wire.next() == ONE
    one.close(None)
    assert wire.ended.is_set()
    assert wire.written.empty()


def test_whoever_shows_a_frame_does_not_wait_and_the_wire_gets_the_newest_one(wire):
    wire.free.clear()
    one = Writer(wire.write, wire.end)
    one.show(ONE)
    assert wire.next() == ONE  # and hangs
    one.show(TWO)
    one.show(THREE)
    wire.free.set()
    assert wire.next() == THREE
    one.close(None)
    assert wire.written.empty()


def test_the_last_picture_is_repeated_when_nothing_is_new(wire):
    """L7: a picture that a lamp lost comes again."""
    one = Writer(wire.write, wire.end, repeat=0.01)
    one.show(ONE)
    assert [wire.next() for _ in range(3)] == [ONE] * 3
    one.close(None)


def test_nothing_is_written_before_there_is_a_picture(wire):
    one = Writer(wire.write, wire.end, repeat=0.001)
    assert not wire.ended.wait(0.02)  # several repetitions
    one.close(None)
    assert wire.written.empty()


def test_a_write_that_fails_is_reported_once_and_tried_again(wire, caplog):
    wire.error = OSError(5, "Input/output error")
    one = Writer(wire.write, wire.end, repeat=0.01)
    one.show(ONE)
    for _ in range(4):
        assert wire.next() == ONE
    wire.error = None
    one.show(TWO)
    while wire.next() != TWO:
        pass
    one.close(None)
    assert [record.getMessage() for record in caplog.records] == [
        "The lamps cannot be lit ([Errno 5] Input/output error). It is tried again.",
        "The lamps can be lit again.",
    ]


def test_lamps_that_fail_now_and_then_are_reported_now_and_then(wire, caplog):
    one = Writer(wire.write, wire.end)
    for number in range(20):
        wire.error = OSError(5, "Input/output error") if number % 2 else None
        one.show(picture(number))
        assert wire.next() == picture(number)
    one.close(None)
    assert [record.getMessage()[:19] for record in caplog.records] == ["The lamps cannot be", "The lamps can be li"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_however_its_thread_ends_the_device_is_let_go_of(wire):
    class Unheard(BaseException):
        pass

    wire.error = Unheard()
    one = Writer(wire.write, wire.end)
    one.show(ONE)
    assert wire.ended.wait(LONG)
    one.close(None)


def test_what_was_shown_last_is_still_written_at_the_end(wire):
    wire.free.clear()
    one = Writer(wire.write, wire.end)
    one.show(ONE)
    assert wire.next() == ONE
    one.show(TWO)
    wire.free.set()
    one.close(None)
    assert wire.next() == TWO


def test_the_end_has_its_own_picture(wire):
    """L6: nothing that was still to be shown comes after the dark."""
    wire.free.clear()
    one = Writer(wire.write, wire.end)
    one.show(ONE)
    assert wire.next() == ONE
    one.show(TWO)
    wire.free.set()
    one.close(THREE)
    assert wire.next() == THREE
    one.show(ONE)
    one.close(TWO)
    assert wire.written.empty()


def test_a_write_that_hangs_does_not_hold_up_the_end(wire, monkeypatch, caplog):
    monkeypatch.setattr(writer, "CLOSE_S", 0.01)
    wire.free.clear()
    one = Writer(wire.write, wire.end)
    one.show(ONE)
    assert wire.next() == ONE
    one.close(TWO)
    assert not wire.ended.is_set(), "nothing is closed under a write"
    assert "The lamps did not take their last picture in time." in caplog.text
    assert one._thread.daemon, "the process ends without it"
    wire.free.set()
    assert wire.next() == TWO, "and if it goes on after all, the lamps go dark"
    assert wire.ended.wait(LONG)


def test_a_close_that_does_not_wait_returns_while_a_write_hangs_and_the_lamps_go_dark_nevertheless(wire, monkeypatch):
    def joined(*_arguments):
        raise AssertionError("it waited")

    wire.free.clear()
    one = Writer(wire.write, wire.end)
    one.show(ONE)
    assert wire.next() == ONE
    with monkeypatch.context() as patch:
        patch.setattr(one._thread, "join", joined)
        one.close(TWO, wait=False)
    assert not wire.ended.is_set()
    wire.free.set()
    assert wire.next() == TWO
    writer.wait_for_the_last()
    assert wire.ended.is_set()
    assert not writer._ending


def test_the_end_of_the_program_waits_for_a_picture_that_nobody_waited_for():
    """L6: the thread of a daemon is cut short otherwise, and the lamps stay lit."""
    story = """
import time
from popout.board.frame import Frame
from popout.board.gpio.writer import Writer

def write(frame):
    time.sleep(0.2)
    print(frame.columns, flush=True)

one = Writer(write, lambda: print("ended", flush=True))
one.show(Frame(((1,),), (1,), (0, 0)))
one.close(Frame(((0,),), (0,), (0, 0)), wait=False)
"""
    ran = subprocess.run([sys.executable, "-c", story], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-2:] == ["(0,)", "ended"]
    assert ran.stderr == ""


def test_the_end_of_the_program_is_not_held_up_by_a_write_that_hangs(wire, monkeypatch):
    monkeypatch.setattr(writer, "CLOSE_S", 0.01)
    wire.free.clear()
    two = [Writer(wire.write, wire.end) for _ in range(2)]
    for one in two:
        one.show(ONE)
        one.close(TWO, wait=False)
    writer.wait_for_the_last()
    assert len(writer._ending) == 2
    wire.free.set()
    for one in two:
        one.close(None)
    assert not writer._ending


def test_a_device_that_cannot_be_closed_is_only_reported(wire, caplog):
    def end():
        raise OSError(9, "Bad file descriptor")

    Writer(wire.write, end).close(None)
    assert caplog.records[0].levelno == logging.WARNING
    assert "Bad file descriptor" in caplog.text


def test_the_end_is_near_enough_for_a_second():
    assert writer.CLOSE_S < 1
