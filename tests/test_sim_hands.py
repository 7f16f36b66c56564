"""Hands: scripts of gestures with human times, and the recordings made of them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.board.switches import SwitchEvent
from popout.link.debounce import PRESSED, RELEASED, Debouncer
from popout_sim.contacts import PERFECT, WORN
from popout_sim.hands import GestureUnreadable, perform, recording

GESTURES = [
    "tap 4", "tap menu", "tap take back", "tap yellow column 3", "tap 3 and 4", "tap 3 and open bar",
    "tap 3 and close bar", "hold 2 for 1700", "hold 1 and 7 for 1700", "open bar", "close bar", "press 5",
    "release 5", "wait 5000",
]  # fmt: skip


def clean(*script: str, seed: int = 1) -> list[SwitchEvent]:
    return perform(script, seed=seed, contact=PERFECT)


def told(edges: list[SwitchEvent]) -> list[str]:
    """The edges without their times: ``+column 4`` closes, ``-column 4`` opens."""
    return ["-+"[edge.closed] + edge.switch for edge in edges]


def test_a_tap_is_a_press_of_human_length_after_a_human_pause():
    for seed in range(30):
        press, release = clean("tap 4", seed=seed)
        assert told([press, release]) == ["+column 4", "-column 4"]
        assert 400 <= press.time <= 1500
        assert 60 <= release.time - press.time <= 250


def test_gestures_come_one_after_the_other_with_a_pause_before_each():
    edges = clean("tap 4", "open bar", "tap 4", "close bar", "tap menu")
    assert told(edges) == [
        "+column 4", "-column 4", "+bar", "+column 4", "-column 4", "-bar", "+menu", "-menu",
    ]  # fmt: skip
    for before, after in ((1, 2), (2, 3), (4, 5), (5, 6)):
        assert 400 <= edges[after].time - edges[before].time <= 1500


def test_a_hold_lasts_as_long_as_it_says():
    press, release = clean("hold 2 for 1700")
    assert release.time - press.time == pytest.approx(1700)


def test_both_outermost_columns_can_be_held():
    edges = clean("hold 1 and 7 for 1700")
    assert told(edges) == ["+column 1", "+column 7", "-column 1", "-column 7"]
    assert edges[2].time - edges[1].time > 1600


def test_two_columns_at_once_are_at_most_30_ms_apart():
    for seed in range(30):
        edges = clean("tap 3 and 4", seed=seed)
        assert told(edges) == ["+column 3", "+column 4", "-column 3", "-column 4"]
        assert 0 < edges[1].time - edges[0].time <= 30


@pytest.mark.parametrize(("way", "bar"), [("open", "+bar"), ("close", "-bar")])
def test_the_bar_can_slip_during_a_press(way: str, bar: str):
    assert told(clean(f"tap 3 and {way} bar")) == ["+column 3", bar, "-column 3"]


def test_a_finger_can_stay_where_it_is():
    assert told(clean("press 5", "tap menu", "release 5")) == ["+column 5", "+menu", "-menu", "-column 5"]


def test_waiting_comes_on_top_of_the_usual_pause():
    assert 5400 <= clean("wait 5000", "tap 1")[0].time <= 6500


def test_times_count_from_the_start_that_is_given():
    assert perform(["tap 1"], start=10_000)[0].time >= 10_400


def test_hands_press_contacts_that_bounce():
    edges = perform(["tap 1"], contact=WORN)
    assert len(edges) == 2 * (WORN.press_bounces + WORN.release_bounces) + 2


@pytest.mark.parametrize("seed", range(10))
def test_every_tap_on_worn_contacts_is_one_press_to_the_debouncer(seed: int):
    debouncer = Debouncer()
    reports = []
    for edge in perform(["tap 4"] * 20, seed=seed, contact=WORN):
        reports += debouncer.edge(edge.closed, edge.time)
    reports += debouncer.poll(1e6)
    assert [kind for kind, _ in reports] == [PRESSED, RELEASED] * 20


@given(st.lists(st.sampled_from(GESTURES), max_size=12), st.integers(0, 50))
def test_edges_ascend_and_the_same_seed_gives_the_same_hands(script: list[str], seed: int):
    edges = perform(script, seed=seed)
    assert [edge.time for edge in edges] == sorted(edge.time for edge in edges)
    assert perform(script, seed=seed) == edges


@pytest.mark.parametrize(
    "line", ["", "tap", "tap x", "tap 3 and x", "hold 2", "hold 2 for ever", "push 4", "tap x and open bar"]
)
def test_a_line_that_is_no_gesture_is_named(line: str):
    with pytest.raises(GestureUnreadable) as caught:
        perform(["tap 4", line])
    assert str(caught.value) == (
        f"Line 2: “{line}” is no gesture. Write such as “tap 4”, “hold 2 for 1700” or “open bar”."
    )


def test_a_recording_is_a_header_and_an_edge_a_line():
    edges = [SwitchEvent("column 4", True, 1234.5), SwitchEvent("column 4", False, 1300.12345)]
    assert recording(edges, columns=7, rows=6, rules="popout 7x6 connect=4") == (
        '{"popout-recording": 1, "layout": {"columns": 7, "rows": 6}, "rules": "popout 7x6 connect=4", '
        '"actuation": "button"}\n'
        '{"t": 1234.5, "switch": "column 4", "closed": true}\n'
        '{"t": 1300.123, "switch": "column 4", "closed": false}\n'
    )


def test_a_recording_is_in_the_order_of_time():
    edges = [*clean("tap 4", "tap 5"), *clean("open bar", seed=2)]
    lines = recording(edges, columns=7, rows=6, rules="popout 7x6 connect=4").splitlines()[1:]
    times = [json.loads(line)["t"] for line in lines]
    assert len(times) == 5
    assert times == sorted(times)


def test_a_recording_says_what_was_closed_when_it_began():
    text = recording([], columns=5, rows=4, rules="standard 5x4 connect=4", actuation="disc", closed=["column 4"])
    assert json.loads(text) == {
        "popout-recording": 1,
        "layout": {"columns": 5, "rows": 4},
        "rules": "standard 5x4 connect=4",
        "actuation": "disc",
        "closed": ["column 4"],
    }
