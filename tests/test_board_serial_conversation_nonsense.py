"""The host's end of the link and a board that says what cannot be: a sentence, no exception, and no memory for it."""

from __future__ import annotations

import pickle
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from popout.board.driver import BoardLost
from popout.link.debounce import PRESSED
from popout.link.frames import MOST_PAYLOAD, encode
from popout.link.words import joined
from serial_talks import Frame, Talk, hello


def assert_ended(talk: Talk) -> None:
    assert isinstance(talk.host.problem, BoardLost)
    assert str(talk.host.problem) == "What the board says of its switches does not fit together."


@pytest.mark.parametrize(
    ("switch", "closed"), [(4, 0x10), (0, 0x11), (64, 1), (0x3FFFFFFF, 1), (2**64 - 1, 2**64 - 1), (0, 2), (1, 1)]
)
def test_an_event_that_cannot_be_ends_the_talk_with_a_sentence_and_takes_no_memory(switch: int, closed: int):
    talk = Talk().greeted()
    tracemalloc.start()
    assert talk.event(0, switch, PRESSED, closed) == []
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert_ended(talk)
    assert most < 100_000
    assert [switch for switch, _ in talk.reports() if switch >= 4] == []


@pytest.mark.parametrize("state", ["0:0:10:0:0", "0:0:10:10:0", "0:0:0:0:10", "0:0:0:0:FFFFFFFFFFFFFFFF"])
def test_a_state_of_switches_that_the_board_has_not_ends_the_talk_with_a_sentence(state: str):
    talk = Talk().greeted(state=state)
    assert_ended(talk)
    assert talk.reports() == []


@pytest.mark.parametrize("payload", ["", "1:2", "0:0:1:1:0", "0:0:x:1", "0:0:0:0", "0:0:6:0"])
def test_an_event_that_makes_no_sense_is_passed_over(payload: str):
    talk = Talk().greeted()
    assert talk.tell("E", 0, payload) == []
    assert talk.reports() == []
    assert talk.host.problem is None


number = st.one_of(st.integers(0, 5), st.integers(0, 2**64 - 1))
payload = st.one_of(
    st.lists(number, max_size=6).map(lambda values: joined(*values)),
    st.builds(lambda protocol, *counts: hello(protocol, *counts), st.sampled_from(["1.0", "2", ""]), number, number),
    st.sampled_from(["protocol:1.0", "protocol:", "hello-first:", "unreadable:d", "incomplete:l", "unreadable:l"]),
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=MOST_PAYLOAD),
)
step = st.one_of(
    st.tuples(st.sampled_from("HARPSEGhapZ"), st.integers(0, 12), payload),
    st.tuples(st.just("E"), st.integers(0, 3), st.builds(joined, number, st.integers(0, 3), st.integers(1, 5), number)),
    st.tuples(st.sampled_from("HARPSEG"), st.integers(0, 255), payload),
    st.tuples(st.just("wait"), st.sampled_from([0, 1, 30, 200, 600, 1100]), st.just("")),
    st.tuples(st.sampled_from(["show", "ask", "times"]), st.integers(0, 9), st.just("")),
)


@settings(max_examples=200)
@given(st.sampled_from(["", "h", "d", "s", "s", "s"]), st.lists(step, max_size=60))
def test_whatever_frames_come_what_the_host_says_are_frames_and_its_memory_is_bounded(upto: str, steps: list[Frame]):
    talk = Talk()
    if upto:
        talk.greeted(upto)
    last = 0.0
    for kind, number, payload in steps:
        if kind == "wait":
            talk.now += number
        elif kind == "show":
            talk.host.show([number] * number)
        elif kind == "ask":
            talk.host.ask("g", str(number))
        elif kind == "times":
            talk.host.debounce((number, number + 1, 200))
        else:
            talk.host.receive(encode(kind, number, payload), talk.now)
        for report in talk.host.reports():
            assert 0 <= report.switch < 64
            assert last <= report.time <= talk.now
            last = report.time
        talk.heard()
        assert talk.host.problem is not None or talk.host.due(talk.now) >= talk.now - 600
        talk.host.answer(number)
        talk.host.is_unsure(talk.now)
    assert talk._ear.bad == 0
    if isinstance(talk.host.problem, BoardLost):
        assert str(talk.host.problem)


def test_a_board_that_talks_for_long_takes_no_more_memory():
    def size(rounds: int) -> int:
        talk = Talk().greeted()
        for turn in range(rounds):
            talk.now += 7
            for kind in "HARPSEG":
                talk.tell(kind, turn % 256, "0:0:1:1" if kind == "P" else "1:2:3")
            talk.host.ask("g", "0")
            talk.heard()
            talk.event(turn % 256, turn // 2 % 4, 1 + turn % 2, (turn + 1) % 2 << turn // 2 % 4)
            assert len(talk.reports()) == 1
        assert talk.host.problem is None
        return len(pickle.dumps(talk.host))

    assert size(3000) < size(600) + 200
