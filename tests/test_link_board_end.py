"""A board's end of the link as a host finds it: greeting, silence, light, times, log."""

import pytest

from link_ends import ABOUT, Ends, Listener, events
from popout.link.debounce import HEALED, PRESSED, RELEASED, STUCK
from popout.link.frames import MOST_PAYLOAD, encode
from popout.link.words import CLOCK_MODULUS

LIGHT = [0xFF0000, 0, 0, 0xFFFF00, 0, 0]


def greeted(**setting: object) -> Ends:
    ends = Ends(**setting)  # type: ignore[arg-type]
    ends.hello()
    return ends


# Greeting


def test_the_greeting_tells_all_about_the_board():
    ends = Ends(switches=12, lamps=63)
    assert ends.say("h", "1.0", 0x2A) == [("H", 0x2A, "1.0:" + ":".join(ABOUT[:3]) + ":C:3F:power-on:pico")]
    assert ends.end.greeted


@pytest.mark.parametrize("minor", ["1", "1.0", "1.FF", "1.0.3", "1.x"])
def test_a_host_of_another_minor_protocol_is_welcome(minor):
    assert [kind for kind, _, _ in Ends().say("h", minor)] == ["H"]


@pytest.mark.parametrize("protocol", ["2.0", "0.9", "11.0", "", ".", "x", "-1.0"])
def test_a_host_of_another_protocol_is_told_ours(protocol):
    ends = Ends()
    assert ends.say("h", protocol, 7) == [("R", 7, "protocol:1.0")]
    assert not ends.end.greeted


def test_a_host_of_another_protocol_does_not_keep_the_light_of_the_one_before():
    ends = greeted()
    ends.picture(1, LIGHT)
    ends.say("h", "2.0")
    assert not ends.end.lit
    assert ends.say("p", "", 9) == [("R", 9, "hello-first:")]


@pytest.mark.parametrize("kind", list("dlpsatqbgxz"))
def test_before_a_greeting_nothing_else_is_heard(kind):
    ends = Ends()
    assert ends.say(kind, "", 5) == [("R", 5, "hello-first:")]
    assert ends.end.wish == ""


@pytest.mark.parametrize("kind", list("zkmu"))
def test_an_unknown_kind_is_refused_by_name(kind):
    assert greeted().say(kind, "whatever", 6) == [("R", 6, f"unknown-kind:{kind}")]


@pytest.mark.parametrize("kind", list("HARPSEGZ"))
def test_an_echo_of_what_the_board_said_is_not_answered(kind):
    assert greeted().say(kind, "1:2:3") == []


def test_an_echo_does_not_keep_the_light_on():
    ends = greeted()
    ends.picture(1, LIGHT)
    for _ in range(20):
        ends.wait(100, pings=False)
        ends.hand_in(encode("E", 0, "1:2:3:4"))
    assert not ends.end.lit
    assert not ends.end.greeted


def test_noise_is_counted_and_told_with_the_pong():
    ends = greeted()
    ends.hand_in(b"\x00\xffnoise\np01FFFF\n")
    ends.end.free_bytes, ends.end.loop_us = 0x30000, 0x5DC
    assert ends.say("p", "", 3) == [("P", 3, "3E8:30000:5DC:2")]
    assert ends.end.bad_lines == 2
    assert ends.say("p", "", 4) == [("P", 4, "3E8:30000:0:2")]  # the longest turn since the last pong


def test_the_clock_on_the_wire_begins_anew_and_the_boards_own_does_not():
    ends = greeted()
    ends.now = CLOCK_MODULUS + 5
    assert ends.say("p")[0][2].startswith("5:")
    assert events(ends.move(0, True) + ends.wait(2, pings=False)) == [(0, [5, 0, PRESSED, 1])]


def test_answers_that_nobody_fetches_do_not_pile_up_and_the_last_greeting_is_answered():
    ends = greeted()
    for _ in range(100):
        line = encode("p", 1)
        ends.end.receive(line, len(line), ends.now)
    assert len(ends.heard()) < 20
    for number in range(50):
        line = encode("h", number, "1.0")
        ends.end.receive(line, len(line), ends.now)
    assert [number for _, number, _ in ends.heard()] == [49]


# Silence


def test_a_second_and_a_half_of_silence_darkens_and_forgets():
    ends = greeted()
    ends.picture(1, LIGHT)
    ends.wait(1499, pings=False)
    assert ends.end.colours == LIGHT
    ends.end.picture_is_new()
    ends.wait(1, pings=False)
    assert ends.end.colours == [0] * 6
    assert ends.end.picture_is_new()
    assert ends.say("s", "", 8) == [("R", 8, "hello-first:")]


def test_any_word_of_the_host_keeps_the_light_on_and_noise_does_not():
    ends = greeted()
    ends.picture(1, LIGHT)
    for _ in range(5):
        ends.wait(1400, pings=False)
        ends.say("a")
    assert ends.end.lit
    for _ in range(5):
        ends.wait(400, pings=False)
        ends.hand_in(b"noise\n")
    assert not ends.end.lit


def test_goodbye_darkens_at_once():
    ends = greeted()
    ends.picture(1, LIGHT)
    assert ends.say("x", "", 9) == [("A", 9, "")]
    assert not ends.end.lit
    assert not ends.end.greeted


# Light


def test_a_board_is_dark_at_first_and_says_so_once():
    ends = Ends()
    assert ends.end.picture_is_new()
    assert ends.end.colours == [0] * 6
    assert not ends.end.picture_is_new()


def test_a_picture_is_shown_whole_and_acknowledged_once():
    ends = greeted()
    ends.end.picture_is_new()
    assert ends.picture(1, LIGHT) == [("A", ends.number, "")]
    assert ends.end.picture_is_new()
    assert ends.end.colours == LIGHT
    assert ends.end.lit


def test_a_picture_with_a_chunk_lost_is_refused_and_the_one_before_stays():
    ends = greeted()
    ends.picture(1, LIGHT)
    ends.end.picture_is_new()
    assert ends.say("l", "0200C0000FF00") == []
    assert ends.say("l", "0202S02", 4) == [("R", 4, "incomplete:l")]
    assert ends.end.colours == LIGHT
    assert not ends.end.picture_is_new()


@pytest.mark.parametrize("payload", ["", "0100", "0100Q", "0100R0006FF0000", "zz00S00"])
def test_what_is_no_picture_for_these_lamps_is_refused(payload):
    ends = greeted()
    assert ends.say("l", payload, 4) == [("R", 4, "unreadable:l")]


def test_the_next_host_finishes_no_picture_of_the_last_one():
    ends = greeted()
    ends.say("l", "0100C00FF0000000000")
    ends.hello()
    ends.say("l", "0101I0000000000")
    assert ends.say("l", "0102S02", 4) == [("R", 4, "incomplete:l")]
    assert not ends.end.lit


# What else a host may ask


@pytest.mark.parametrize("kind", ["t", "q", "b"])
def test_a_wish_is_acknowledged_and_left_to_the_program_around(kind):
    ends = greeted()
    assert ends.say(kind, "", 4) == [("A", 4, "")]
    assert ends.end.wish == kind


def test_the_log_is_told_line_by_line():
    ends = greeted()
    assert ends.say("g", "0", 4) == [("G", 4, "0:")]
    ends.end.note("first: ü")
    ends.end.note("second")
    assert ends.say("g", "0", 5) == [("G", 5, "2:first: ?")]
    assert ends.say("g", "1", 6) == [("G", 6, "2:second")]
    for beyond in ("2", "FFFFFFFF", "", "x"):
        assert ends.say("g", beyond, 7) == [("G", 7, "2:")]


def test_the_log_keeps_its_last_lines_and_no_longer_ones_than_a_frame_takes():
    ends = greeted()
    for number in range(1000):
        ends.end.note(f"{number} " + "x" * 300)
    lines = [ends.say("g", f"{line:X}")[0][2] for line in range(33)]
    assert lines[32] == "20:"
    assert [line.split()[0] for line in lines[:32]] == [f"20:{number}" for number in range(968, 1000)]
    assert all(len(line) <= MOST_PAYLOAD for line in lines)


def test_the_log_says_that_a_host_fell_silent():
    ends = greeted()
    ends.wait(1500, pings=False)
    ends.hello()
    assert ends.say("g", "0")[0][2] == "1:the host fell silent"


# Times


def test_a_lever_is_locked_out_for_longer_than_a_button():
    ends = greeted(levers=0b10)
    told: dict[int, list[int]] = {}
    for switch in (0, 1):
        found = []
        for closed in (True, False, True, False):
            found += events(ends.move(switch, closed) + ends.wait(45))
        found += events(ends.wait(300))
        told[switch] = list({number: kind for number, (_, of, kind, _) in found if of == switch}.values())
    assert told == {0: [PRESSED, RELEASED, PRESSED, RELEASED], 1: [PRESSED, RELEASED]}


def test_times_that_the_host_sets_count():
    ends = greeted(levers=0b10)
    assert ends.say("d", "A:28:64", 4) == [("A", 4, "")]
    assert events(ends.move(0, True) + ends.wait(9)) == []
    assert events(ends.wait(1)) == [(0, [1000, 0, PRESSED, 1])]
    ends.say("a", "", 0)
    ends.move(1, True)
    assert events(ends.wait(10)) == [(1, [1010, 1, PRESSED, 3])]
    ends.say("a", "", 1)
    ends.move(1, False)
    assert events(ends.wait(99)) == []
    assert events(ends.wait(1)) == [(2, [1020, 1, RELEASED, 1])]


@pytest.mark.parametrize("payload", ["", "2", "2:1E", "2:1E:C8:1", "65:66:67", "2:2:C8", "2:1E:7D1", "x:1E:C8"])
def test_times_that_make_no_sense_are_refused_and_the_old_ones_stay(payload):
    ends = greeted()
    assert ends.say("d", payload, 4) == [("R", 4, "unreadable:d")]
    assert events(ends.move(0, True) + ends.wait(2)) == [(0, [1000, 0, PRESSED, 1])]


def test_the_same_times_again_change_nothing():
    ends = greeted()
    ends.move(0, True)
    ends.wait(50)
    ends.say("a", "", 0)
    assert ends.say("d", "2:1E:C8", 4) == [("A", 4, "")]
    assert ends.wait(50) == []
    ends.move(0, False)
    assert [event[1][2] for event in events(ends.wait(50))] == [RELEASED]


def test_other_times_find_a_pressed_button_stuck_and_a_state_says_so():
    ends = greeted()
    ends.move(0, True)
    ends.wait(50)
    ends.say("a", "", 0)
    ends.say("d", "3:1E:C8")
    assert ends.say("s", "", 4)[0] == ("S", 4, "41A:2:1:1:0")
    ends.say("a", "", 1)
    ends.move(0, False)
    assert [event[1][2:] for event in events(ends.wait(10))] == [[HEALED, 0]]


# A bar stays as it is put


def test_a_bar_that_is_open_at_the_start_is_told_as_closed_and_not_as_stuck():
    ends = greeted(closed=(1,), resting=0b10)
    assert ends.say("s", "", 4) == [("S", 4, "3E8:0:2:0:0")]


def test_a_bar_that_is_open_is_closed_throughout_a_change_of_times():
    ends = greeted(closed=(1,), resting=0b10)
    ends.wait(100)
    ends.say("d", "14:1E:C8")
    state = ends.say("s", "", 4)[0]
    assert state[2].split(":")[2:] == ["2", "0", "0"]
    listener = Listener(state[2])
    for frame in ends.wait(200):
        listener.hear(frame)
    assert listener.told == []


def test_a_bar_that_is_open_at_the_start_and_put_back_is_heard():
    ends = greeted(closed=(1,), resting=0b10)
    ends.wait(100)
    ends.move(1, False)
    assert events(ends.wait(2)) == [(0, [1100, 1, RELEASED, 0])]


def test_a_bar_that_flickered_is_where_it_is_when_it_is_quiet():
    ends = greeted(resting=0b1)
    listener = Listener(ends.say("s")[0][2])

    def heard(frames):
        for frame in frames:
            number = listener.hear(frame)
            if number is not None:
                ends.say("a", "", number)

    for flip in range(61):
        heard(ends.move(0, flip % 2 == 0))
        heard(ends.wait(1))
    heard(ends.wait(6000))
    assert listener.levels.closed == 1
    assert not listener.levels.stuck
    assert STUCK not in [kind for _, _, kind in listener.told]
    heard(ends.move(0, False))
    heard(ends.wait(50))
    assert listener.told[-1][1:] == (0, RELEASED)
