"""What reports make of the levels of switches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.link.debounce import FAULTY, HEALED, PRESSED, RELEASED, STUCK, Debouncer
from popout.link.reports import Levels


def after(*reports: tuple[int, int]) -> tuple[int, int, int]:
    levels = Levels()
    for switch, kind in reports:
        levels.report(switch, kind)
    return levels.closed, levels.stuck, levels.muted


@pytest.mark.parametrize(
    ("kinds", "closed", "stuck", "muted"),
    [
        ([PRESSED], 1, 0, 0),
        ([PRESSED, RELEASED], 0, 0, 0),
        ([STUCK], 1, 1, 0),
        ([STUCK, HEALED], 0, 0, 0),
        ([FAULTY], 0, 0, 1),
        ([FAULTY, HEALED], 0, 0, 0),
        ([FAULTY, HEALED, STUCK], 1, 1, 0),
        ([PRESSED, FAULTY], 1, 0, 1),
        ([PRESSED, FAULTY, HEALED], 1, 0, 0),
        ([PRESSED, FAULTY, HEALED, RELEASED], 0, 0, 0),
        ([STUCK, FAULTY, HEALED], 0, 0, 0),
        ([STUCK, FAULTY, HEALED, STUCK], 1, 1, 0),
    ],
)
def test_what_reports_amount_to(kinds, closed, stuck, muted):
    assert after(*((0, kind) for kind in kinds)) == (closed, stuck, muted)
    assert after(*((40, kind) for kind in kinds)) == (closed << 40, stuck << 40, muted << 40)


def test_each_switch_has_its_own_bit():
    assert after((0, PRESSED), (2, STUCK), (5, FAULTY), (0, RELEASED), (1, PRESSED)) == (0b110, 0b100, 0b100000)


@given(
    st.lists(st.booleans(), min_size=3, max_size=3),
    st.lists(
        st.one_of(
            st.tuples(st.integers(0, 2), st.just("edge"), st.integers(0, 40)),
            st.tuples(st.integers(0, 2), st.just("chatter"), st.integers(51, 55)),
            st.tuples(st.integers(0, 2), st.just("quiet"), st.integers(50, 6000)),
        ),
        max_size=25,
    ),
)
def test_the_masks_are_what_the_debouncers_hold_true_after_any_edges(first, steps):
    debouncers = [Debouncer(closed) for closed in first]
    contacts, levels, now = list(first), Levels(), 0

    def heard(switch: int, reports: tuple[tuple[int, float], ...]) -> None:
        for kind, _ in reports:
            levels.report(switch, kind)

    for switch, debouncer in enumerate(debouncers):
        heard(switch, debouncer.poll(0))
    for switch, what, amount in steps:
        for _ in range({"edge": 1, "chatter": amount, "quiet": 0}[what]):
            now += 1 if what == "chatter" else amount
            contacts[switch] = not contacts[switch]
            heard(switch, debouncers[switch].edge(contacts[switch], now))
        if what == "quiet":
            now += amount
        for other, debouncer in enumerate(debouncers):
            heard(other, debouncer.poll(now, contacts[other]))
            bit = 1 << other
            assert bool(levels.muted & bit) == debouncer.muted
            if not debouncer.muted:
                assert bool(levels.stuck & bit) == debouncer.stuck
                assert bool(levels.closed & bit) == (debouncer.pressed or debouncer.stuck)
