"""Recordings of raw switch events, read and played."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.board.switches import SwitchEvent
from popout.play.recording import RecordingError, parse_recording, replay
from popout.play.settings import Settings
from popout.rules import RuleSet
from popout_sim import faults
from popout_sim.contacts import WORN
from popout_sim.hands import perform, recording

HEADER = '{"popout-recording": 1, "layout": {"columns": 7, "rows": 6}, "rules": "popout 7x6"}\n'


def edge(time: float, switch: str, closed: bool) -> str:
    return json.dumps({"t": time, "switch": switch, "closed": closed}) + "\n"


def played(text: str) -> str:
    return " ".join(map(str, replay(parse_recording(text)).game.moves))


def refusal(text: str) -> tuple[int, str]:
    with pytest.raises(RecordingError) as caught:
        parse_recording(text)
    return caught.value.line, str(caught.value)


def test_a_recording_tells_the_board_the_rules_and_the_edges():
    read = parse_recording(HEADER + edge(5, "column 4", True) + "\n" + edge(90.5, "column 4", False))
    assert (read.layout.columns, read.layout.rows, read.layout.actuation) == (7, 6, "button")
    assert read.rules == RuleSet.parse("popout 7x6")
    assert read.edges == (SwitchEvent("column 4", True, 5), SwitchEvent("column 4", False, 90.5))
    assert read.closed == frozenset()


def test_the_twin_s_hands_write_what_is_read():
    edges = perform(["tap 4", "open bar", "hold 3 for 700"], seed=1)
    text = recording(edges, columns=5, rows=4, rules="standard 5x4", actuation="disc", closed=["column 2"])
    read = parse_recording(text)
    assert [event.switch for event in read.edges] == [event.switch for event in edges]
    assert read.layout.actuation == "disc"
    assert read.closed == {"column 2"}


def test_windows_line_ends_and_a_byte_order_mark_are_read_too():
    text = "\ufeff" + (HEADER + edge(5, "column 4", True) + edge(90, "column 4", False)).replace("\n", "\r\n")
    assert played(text) == "d4"


def test_years_of_silence_are_passed_over_at_once():
    taps = (edge(time + down, "column 4", not down) for time in (5, 900_000_000_000) for down in (0, 85))
    assert played(HEADER + "".join(taps)) == "d4 d4"


def test_a_tap_is_a_move():
    assert played(HEADER + edge(5, "column 4", True) + edge(90, "column 4", False)) == "d4"


def test_a_recording_without_edges_is_a_game_without_moves():
    assert played(HEADER) == ""


def test_a_finger_that_is_still_down_at_the_end_takes_back():
    moves = edge(5, "column 4", True) + edge(90, "column 4", False) + edge(500, "column 3", True)
    assert played(HEADER + moves) == ""


def test_a_button_that_was_down_at_the_start_makes_no_move_g13():
    header = HEADER.replace('"rules"', '"closed": ["column 4"], "rules"')
    edges = [*faults.held_across_start("column 4", 2000), *faults.pulse("column 5", 3000, 90)]
    controller = replay(parse_recording(header + "".join(edge(e.time, e.switch, e.closed) for e in edges)))
    assert [str(move) for move in controller.game.moves] == ["d5"]
    assert [notice.code for notice in controller.notices.since(0)] == ["switch-stuck", "switch-healed", "moved"]


def test_settings_can_be_tried_on_a_recording():
    text = HEADER + edge(5, "column 4", True) + edge(1000, "column 4", False)
    quick = Settings(take_back_hold_ms=800)
    assert replay(parse_recording(text), quick).notices.since(0)[0].code == "nothing-to-take-back"


def test_playing_a_recording_twice_is_playing_the_same_game():
    edges = perform(["tap 4", "tap 4", "tap 3 and 4", "tap 3"], seed=3, contact=WORN)
    read = parse_recording(recording(edges, columns=7, rows=6, rules="popout 7x6"))
    first, second = replay(read), replay(read)
    assert first.game == second.game
    assert first.notices.since(0) == second.notices.since(0)


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("", 1, "The recording is empty. Its first line says which board it is of."),
        ("\n\n", 1, "The recording is empty. Its first line says which board it is of."),
        (
            "popout 7x6\nd4",
            1,
            "This line is no part of a recording (JSON is malformed: invalid character (byte 0)). Write such as "
            '{"popout-recording": 1, "layout": {"columns": 7, "rows": 6}, "rules": "popout 7x6"}',
        ),
        (
            HEADER.replace('recording": 1', 'recording": 2'),
            1,
            "This line is no part of a recording (Invalid enum value 2 - at `$.popout-recording`). Write such as "
            '{"popout-recording": 1, "layout": {"columns": 7, "rows": 6}, "rules": "popout 7x6"}',
        ),
        (
            HEADER.replace('"columns": 7', '"columns": 40'),
            1,
            "This line is no part of a recording (Expected `int` <= 32 - at `$.layout.columns`). Write such as "
            '{"popout-recording": 1, "layout": {"columns": 7, "rows": 6}, "rules": "popout 7x6"}',
        ),
        (
            "\n" + HEADER.replace("popout 7x6", "popout 8x6"),
            2,
            "The rules are for a grid of 8x6, but the board is 7x6.",
        ),
        (
            HEADER + "\n" + edge(5, "column 8", True),
            3,
            'This board has no switch "column 8".',
        ),
        (
            HEADER + edge(5, "column 4", True) + edge(4.9, "column 4", False),
            3,
            "This edge is older than the one before it. Sort the lines by their times.",
        ),
        (
            HEADER + edge(5, "column 4", True) + '{"t": 9, "switch": "column 4"}',
            3,
            "This line is no part of a recording (Object missing required field `closed`). Write such as "
            '{"t": 1203.4, "switch": "column 4", "closed": true}',
        ),
    ],
)
def test_what_is_no_recording_is_refused_with_its_line(text: str, line: int, sentence: str):
    assert refusal(text) == (line, sentence)


def test_rules_that_cannot_be_read_are_refused_with_their_own_sentence():
    line, sentence = refusal(HEADER.replace("popout 7x6", "chess 8x8"))
    assert line == 1
    assert "chess" in sentence


@pytest.mark.parametrize("closed", ["column 8", "nonsense"])
def test_a_closed_switch_that_is_not_there_is_refused(closed: str):
    assert refusal(HEADER.replace('"rules"', f'"closed": ["{closed}"], "rules"')) == (
        1,
        f'This board has no switch "{closed}".',
    )


@given(st.text())
def test_whatever_text_comes_it_is_read_or_refused(text: str):
    for candidate in (text, HEADER + text):
        try:
            replay(parse_recording(candidate))
        except RecordingError as error:
            assert str(error)


TIMES = st.lists(st.floats(0, 4000), max_size=40).map(sorted)


@given(TIMES, st.data())
def test_whatever_edges_come_the_game_is_a_legal_one(times: list[float], data: st.DataObject):
    switches = st.sampled_from(["column 1", "column 2", "column 7", "bar", "menu", "take back"])
    edges = "".join(edge(time, data.draw(switches), data.draw(st.booleans())) for time in times)
    assert replay(parse_recording(HEADER + edges)).unsaved is None
