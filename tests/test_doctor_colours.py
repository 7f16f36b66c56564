from __future__ import annotations

from itertools import product

import pytest

from popout.doctor.colours import ORDERS, Probe, answer, best_probe, shown, stream


@pytest.mark.parametrize(
    ("declared", "real", "seen"),
    [
        ("grb", "grb", "r"),
        ("grb", "rgb", "g"),
        ("rgb", "grb", "g"),
        ("grb", "bgr", "g"),
        ("grb", "brg", "r"),
        ("grb", "gbr", "b"),
    ],
)
def test_a_red_lamp_in_another_order(declared: str, real: str, seen: str):
    """Field bug L3: red and green exchanged."""
    assert answer(declared, real, 10, Probe(0, "r")) == seen


def test_lamps_with_a_white_of_their_own_show_shifted_colours():
    sent = stream("grb", ["r"] * 4)

    assert shown("grbw", sent, 4) == ["r", "gw", "b", ""]


def test_lamps_without_white_that_are_sent_it():
    sent = stream("grbw", ["r"] * 3)

    assert shown("grb", sent, 3) == ["r", "b", ""]


def found(declared: str, real: str, lamps: int) -> list[str]:
    """The orders that are left when nothing can be asked any more, and how many questions it took."""
    orders = list(ORDERS)
    for _ in range(5):
        probe = best_probe(declared, orders, lamps, ())
        if probe is None:
            return orders
        said = answer(declared, real, lamps, probe)
        orders = [order for order in orders if answer(declared, order, lamps, probe) == said]
    raise AssertionError("too many questions")


@pytest.mark.parametrize(("declared", "real"), list(product(["rgb", "grb", "rgbw", "grbw"], ORDERS)))
def test_a_few_lamps_tell_any_order_from_all_others(declared: str, real: str):
    assert found(declared, real, 7) == [real]


def test_one_lamp_alone_cannot_tell_whether_it_has_white():
    assert found("rgbw", "rgb", 1) == ["rgb", "rgbw"]


def test_where_no_order_is_left_nothing_is_asked():
    assert best_probe("grb", [], 5, ()) is None


def test_a_dark_lamp_is_not_asked_for_again():
    probe = best_probe("grb", ORDERS, 5, [0, 1])

    assert probe is not None
    assert probe.lamp not in (0, 1)
