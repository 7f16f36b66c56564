"""The clock of a board, seen from here."""

from __future__ import annotations

from popout.board.serial.clock import BoardClock
from popout.link.words import CLOCK_MODULUS


def test_the_shortest_way_is_the_true_difference():
    clock = BoardClock()
    assert clock.told(1000, 5030.0) == 5030  # was 30 ms under way, which nobody knows yet
    assert clock.told(2000, 6002.0) == 6002
    # Now it is known that the difference is 4002 at the most: this one was 498 ms under way.
    assert 6501 < clock.told(2500, 7000.0) < 6504


def test_an_event_that_is_read_late_keeps_its_time_g12():
    """Field bug G12."""
    clock = BoardClock()
    clock.told(0, 100.0)
    assert 599 < clock.told(500, 3000.0) < 601
    assert 899 < clock.told(800, 3000.0) < 901


def test_no_time_is_before_an_earlier_one_or_in_the_future():
    clock = BoardClock()
    assert clock.told(100, 500.0) == 500
    assert clock.told(90, 501.0) == 500
    assert clock.told(10_000, 502.0) == 502


def test_the_clock_of_the_board_begins_anew_after_twelve_days():
    clock = BoardClock()
    clock.told(CLOCK_MODULUS - 10, 1000.0)
    assert clock.told(5, 1015.0) == 1015
    assert clock.told(105, 1115.0) == 1115


def test_clocks_that_drift_apart_are_followed():
    clock = BoardClock()
    for second in range(10_000):
        # The board's clock loses 50 microseconds a second, half a second in all.
        told = clock.told(int(second * 1000 * (1 - 50e-6)), second * 1000.0 + 1)
        assert abs(told - (second * 1000.0 + 1)) < 12


def test_a_clock_that_goes_wrong_is_never_far_off():
    clock = BoardClock()
    clock.told(0, 0.0)
    for second in range(1, 60):
        # The board's clock goes at a quarter of its speed; it is asked each half second.
        asked_at = second * 500.0
        clock.told(int((asked_at + 5) / 4), asked_at + 10, asked_at)
        at = asked_at + 250
        assert at - 250 <= clock.told(int(at / 4), at + 1) <= at + 1
