"""What the lamps take: against sums that were done by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from popout.board.layout import Layout
from popout.wiring.current import current


def test_the_lamps_of_a_shipped_board():
    taken = current(Layout.load("7x6-pi"))

    assert taken is not None
    assert taken.lamps == 51
    assert taken.dark == pytest.approx(0.051)
    assert taken.wanted == pytest.approx(0.051 + 51 * 0.060 * 0.5)
    assert taken.supply == 2
    assert taken.allowed == pytest.approx((2 - 0.051) / (51 * 0.060))
    assert taken.taken == taken.wanted


def test_a_supply_that_is_too_weak_is_the_limit():
    """Field bug L8: what a weak supply cannot give is not asked of it."""
    taken = current(Layout.load("7x6-pico"))

    assert taken is not None
    assert taken.taken == 0.4
    assert taken.allowed == pytest.approx(0.349 / 3.06)


def test_a_strong_supply_allows_full_light_and_no_more():
    taken = current(replace(Layout.load("7x6-pi"), milliamps=60_000))

    assert taken is not None
    assert taken.allowed == 1


def test_a_board_without_a_chain_takes_nothing():
    assert current(replace(Layout.load("7x6-pi"), chain=None)) is None
