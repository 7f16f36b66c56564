"""The self-test of the lamps: every lamp in every colour, and who ends it."""

from __future__ import annotations

from popout.link.self_test import COLOURS, STEP_MS, SelfTest


def test_each_lamp_is_lit_alone_in_each_colour_for_a_while():
    test = SelfTest(3, 1000)
    seen = []
    for now in range(1000, 1000 + 12 * STEP_MS, STEP_MS):
        assert test.step(now)
        assert not test.step(now + STEP_MS - 1)
        assert not test.whole
        seen.append(list(test.colours))
    assert seen == [[colour if place == lamp else 0 for place in range(3)] for colour in COLOURS for lamp in range(3)]
    assert not test.step(1000 + 12 * STEP_MS)
    assert test.whole


def test_one_that_a_host_began_ends_when_it_is_whole_or_the_host_is_gone():
    test = SelfTest(1, 0)
    assert not test.is_over(greeted=True, held=False)
    assert test.is_over(greeted=False, held=True)
    test.whole = True
    assert test.is_over(greeted=True, held=True)


def test_one_that_a_button_began_goes_round_until_it_is_released_or_a_host_comes():
    test = SelfTest(1, 0, by_hand=True)
    assert not test.is_over(greeted=False, held=False), "once round, however short the press was"
    assert test.is_over(greeted=True, held=True)
    test.whole = True
    assert not test.is_over(greeted=False, held=True)
    assert test.is_over(greeted=False, held=False)


def test_without_lamps_there_is_nothing_to_test():
    test = SelfTest(0, 0)
    assert not test.step(0)
    assert test.is_over(greeted=True, held=False)
