"""Contacts: what becomes of an ideal press, the same for the same seed."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.board.switches import SwitchEvent
from popout_sim.contacts import LIGHT, PERFECT, WORN, Contact, ContactImpossible, Contacts

CONTACTS = st.builds(
    Contact,
    press_bounces=st.integers(0, 20),
    press_span_ms=st.floats(0.5, 30),
    release_bounces=st.integers(0, 20),
    release_span_ms=st.floats(0.5, 30),
    glitches=st.sampled_from([(), ((40.0, 1.0),), ((35.0, 5.0), (60.0, 0.5))]),
)


def test_a_perfect_contact_makes_one_edge_of_one_change():
    contacts = Contacts(PERFECT)
    assert contacts.edges("bar", True, 1000) == [SwitchEvent("bar", True, 1000)]
    assert contacts.edges("bar", False, 2000) == [SwitchEvent("bar", False, 2000)]


def test_a_bouncing_contact_opens_again_as_often_as_it_says():
    edges = Contacts(Contact(press_bounces=3, press_span_ms=10)).edges("column 4", True, 1000)
    assert [edge.closed for edge in edges] == [True, False, True, False, True, False, True]
    assert 1000 < edges[-1].time <= 1010


def test_press_and_release_bounce_each_in_their_own_way():
    contacts = Contacts(Contact(release_bounces=1, release_span_ms=5))
    assert len(contacts.edges("column 4", True, 0)) == 1
    assert len(contacts.edges("column 4", False, 100)) == 3


def test_a_glitch_is_a_pulse_of_the_other_level():
    edges = Contacts(Contact(glitches=((20, 1.5),))).edges("column 4", True, 100)
    assert [(edge.closed, edge.time) for edge in edges] == [(True, 100), (False, 120), (True, 121.5)]


def test_a_press_shorter_than_its_bounces_ends_open():
    edges = Contacts(WORN, seed=3).press("column 4", 0, 4)
    assert [edge.time for edge in edges] == sorted(edge.time for edge in edges)
    assert edges[-1].closed is False
    assert next(edge for edge in edges if edge.time >= 4).closed is False
    assert sum(edge.time < 4 for edge in edges) < 2 * WORN.press_bounces + 1


def test_the_same_seed_bounces_the_same_and_another_does_not():
    def three_presses(seed: int) -> list[SwitchEvent]:
        contacts = Contacts(LIGHT, seed)
        return [edge for number in range(3) for edge in contacts.press("column 1", number * 500, 100)]

    assert three_presses(5) == three_presses(5)
    assert three_presses(5) != three_presses(6)


@given(CONTACTS, st.booleans(), st.integers(0, 99), st.floats(0, 1e7))
def test_edges_ascend_alternate_and_settle_where_they_should(contact: Contact, closed: bool, seed: int, time: float):
    edges = Contacts(contact, seed).edges("column 1", closed, time)
    assert edges[0] == SwitchEvent("column 1", closed, time)
    assert edges[-1].closed is closed
    for before, after in pairwise(edges):
        assert before.time < after.time
        assert before.closed is not after.closed


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"press_bounces": 2}, "A contact cannot bounce 2 times within 0 ms."),
        ({"press_bounces": -1}, "A contact cannot bounce -1 times within 0 ms."),
        ({"release_span_ms": -3}, "A contact cannot bounce 0 times within -3 ms."),
        (
            {"press_bounces": 1, "press_span_ms": 5, "glitches": ((4, 1),)},
            "A glitch of 1 ms, 4 ms after a change, needs a length and must begin later than everything before it "
            "ends, at 5 ms.",
        ),
        (
            {"glitches": ((4, 2), (5, 2))},
            "A glitch of 2 ms, 5 ms after a change, needs a length and must begin later than everything before it "
            "ends, at 6 ms.",
        ),
    ],
)
def test_an_impossible_contact_is_refused(wrong: dict[str, int], sentence: str):
    with pytest.raises(ContactImpossible) as caught:
        Contact(**wrong)  # type: ignore[arg-type]
    assert str(caught.value) == sentence
