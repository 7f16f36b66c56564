"""The host's end of the link: how a board is greeted, asked and lost."""

from __future__ import annotations

import pytest

from popout.board.driver import BoardLost
from popout.board.serial.conversation import Conversation, Times
from popout.board.serial.hello import FirmwareProtocolError
from popout.link.frames import encode
from popout.link.words import joined
from serial_talks import Frame, Line, Talk, hello

LIGHT = [0xFF0000] * 6


def kinds(frames: list[Frame]) -> str:
    return "".join(kind for kind, _, _ in frames)


def problem(talk: Talk | Line) -> str:
    """The sentence with which a talk has ended."""
    assert isinstance(talk.host.problem, BoardLost)
    return str(talk.host.problem.message)


# Greeting


def test_a_conversation_begins_with_no_reports_and_no_light():
    host = Conversation(0)
    assert host.reports() == []
    assert host.lit is None
    assert host.pong is None


def test_a_newline_comes_first_and_cuts_off_what_lay_in_the_port():
    """Field bug S6."""
    talk = Talk()
    talk.heard()
    assert talk.written == b"\n" + encode("h", 1, "1.0")


def test_it_says_hello_then_the_debouncing_times_and_then_asks_how_the_switches_are():
    """Field bug S5: the board may have those of another program."""
    talk = Talk()
    assert talk.heard() == [("h", 1, "1.0")]
    assert talk.tell("H", 1, hello()) == [("d", 2, "2:1E:C8")]
    assert talk.tell("A", 2) == [("s", 3, "")]
    assert not talk.host.ready
    talk.tell("S", 3, "0:0:0:0:0")
    assert talk.host.ready
    assert talk.host.hello is not None
    assert (talk.host.hello.unique, talk.host.hello.switches, talk.host.hello.lamps) == ("E6616407E3", 4, 6)


@pytest.mark.parametrize(
    ("times", "said"),
    [
        ((7, 70, 700), (7, 70, 700)),
        ((1.2, 1.7, 200), (1, 2, 200)),
        ((2.1, 2.4, 2.2), (2, 3, 3)),
        ((0.5, 30, 200), (1, 30, 200)),
        ((0.2, 1, 1), (1, 2, 2)),
        ((0, 1, 1), (0, 1, 1)),
        ((0, 0.4, 200), (0, 1, 200)),
        ((100, 100.4, 2000), (100, 101, 2000)),
    ],
)
def test_times_are_said_in_whole_milliseconds_and_keep_their_order(times: Times, said: tuple[int, int, int]):
    talk = Talk(times)
    talk.heard()
    assert talk.tell("H", 1, hello()) == [("d", 2, joined(*said))]
    line = Line(times=times).ready()  # and a board takes them
    assert line.host.problem is None


@pytest.mark.parametrize("answered", ["", "h", "d"])
def test_a_question_is_asked_again_every_200_ms(answered: str):
    talk = Talk()
    first = talk.greeted(answered).after if answered else talk.heard()
    again = [(at, frame[0]) for at in range(1, 1001) for frame in talk.wait(1)]
    assert again == [(at, first[0][0]) for at in range(200, 1001, 200)]


def test_a_round_trip_may_take_longer_than_the_pause_between_questions():
    line = Line(125)
    line.wait(3 * 250 + 5)
    assert line.host.ready
    line.host.show(LIGHT)
    line.wait(600)
    assert line.host.lit == tuple(LIGHT) == tuple(line.ends.end.colours)
    assert line.host.problem is None


@pytest.mark.parametrize("kind", ["h", "d", "s"])
def test_an_answer_to_an_earlier_question_counts(kind: str):
    talk = Talk()
    ((_, number, _),) = talk.greeted({"d": "h", "s": "d"}[kind]).after if kind != "h" else talk.heard()
    assert kinds(talk.wait(450)) == 2 * kind
    answer = {"h": ("H", hello()), "d": ("A", ""), "s": ("S", "0:0:0:0:0")}[kind]
    talk.tell(answer[0], number, answer[1])
    assert kinds(talk.wait(1000))[:1] == {"h": "d", "d": "s", "s": "p"}[kind]


def test_an_answer_to_the_question_before_is_none_to_this_one():
    talk = Talk().greeted("d")
    talk.tell("A", 2)
    talk.tell("S", 2, "0:0:0:0:0")
    assert not talk.host.ready


def test_a_board_of_a_newer_protocol_is_refused_and_this_program_is_to_be_updated():
    talk = Talk()
    talk.heard()
    assert talk.tell("H", 1, hello("2.0")) == []
    assert isinstance(talk.host.problem, FirmwareProtocolError)
    assert str(talk.host.problem.message) == (
        "The board's firmware speaks protocol 2.0, this program 1.0. Update this program."
    )


@pytest.mark.parametrize(("kind", "payload"), [("H", hello("0.9")), ("R", "protocol:0.9")])
def test_a_board_of_an_older_protocol_is_refused_and_is_to_be_updated(kind: str, payload: str):
    talk = Talk()
    talk.heard()
    assert talk.tell(kind, 1, payload) == []
    assert isinstance(talk.host.problem, FirmwareProtocolError)
    assert str(talk.host.problem.message) == (
        "The board's firmware speaks protocol 0.9, this program 1.0. Update the board: popout firmware install"
    )


@pytest.mark.parametrize("minor", ["1", "1.9"])
def test_another_minor_protocol_is_welcome(minor: str):
    talk = Talk()
    talk.heard()
    assert kinds(talk.tell("H", 1, hello(minor))) == "d"


@pytest.mark.parametrize(
    "payload", [hello(switches=65), hello(lamps=65537), hello() + ":", hello()[:-5], "", hello().replace(":4:", ":x:")]
)
def test_a_hello_that_no_board_says_is_none(payload: str):
    talk = Talk()
    talk.heard()
    assert talk.tell("H", 1, payload) == []
    assert talk.host.hello is None
    assert kinds(talk.wait(200)) == "h"


def test_the_largest_board_is_one():
    talk = Talk()
    talk.heard()
    assert kinds(talk.tell("H", 1, hello(switches=64, lamps=65536))) == "d"


def test_refused_times_end_the_talk_with_a_sentence():
    talk = Talk((7, 70, 700)).greeted("h")
    talk.tell("R", 1, "unreadable:d")  # to something else
    assert talk.host.problem is None
    talk.tell("R", 2, "unreadable:d")
    assert problem(talk) == "The board refuses the debouncing times 7, 70, 700 ms."


def test_what_a_ping_of_the_last_program_is_told_does_not_disturb_a_greeting():
    talk = Talk()
    talk.heard()
    talk.tell("R", 1, "hello-first:")
    assert talk.host.problem is None
    assert kinds(talk.tell("H", 1, hello())) == "d"


@pytest.mark.parametrize("upto", ["h", "d", "s"])
def test_a_board_that_wants_a_hello_in_the_middle_of_the_talk_has_begun_anew(upto: str):
    """Field bug S5."""
    talk = Talk().greeted(upto)
    assert talk.tell("R", 77, "hello-first:") == []
    assert problem(talk) == "The board has begun anew."


# Whether it is there


def test_before_a_hello_silence_is_no_loss():
    talk = Talk()
    assert kinds(talk.heard() + talk.wait(10_000)) == "h" * 51
    assert talk.host.problem is None


@pytest.mark.parametrize("upto", ["h", "d"])
def test_a_board_that_said_hello_and_is_silent_for_two_seconds_is_lost(upto: str):
    talk = Talk().greeted(upto)
    assert talk.wait(1999)
    assert talk.host.problem is None
    assert talk.wait(1) == []
    assert problem(talk) == "The board does not answer any more."
    assert talk.wait(5000) == []


def test_a_board_that_is_silent_for_two_seconds_after_a_ping_is_lost():
    talk = Talk().greeted()
    assert [at for at in range(1, 2500) for _ in talk.wait(1)] == [500, 1000, 1500, 2000]
    assert talk.host.problem is None
    talk.wait(1)
    assert problem(talk) == "The board does not answer any more."


def test_a_host_that_has_nothing_to_say_pings_every_half_second():
    talk = Talk().greeted()
    assert [at for at in range(1, 5001) for _ in talk.wait(1, answer=True)] == [*range(500, 5001, 500)]
    assert talk.host.problem is None


def test_what_a_pong_tells_is_kept():
    talk = Talk().greeted()
    ((_, number, _),) = talk.wait(500)
    talk.tell("P", number, "1F4:30000:5DC:2")
    assert talk.host.pong is not None
    assert (talk.host.pong.free, talk.host.pong.loop_us, talk.host.pong.bad_lines) == (0x30000, 0x5DC, 2)


def test_an_echo_is_no_board():
    talk = Talk()
    before = b""
    for _ in range(5000):
        talk.now += 1
        talk.heard()
        talk.host.receive(talk.written[len(before) :], talk.now)
        before = talk.written
    assert talk.host.hello is None
    assert not talk.host.ready

    talk = Talk().greeted()
    for _ in range(2501):
        talk.now += 1
        for frame in talk.heard():
            talk.tell(*frame)
    assert problem(talk) == "The board does not answer any more."


def test_an_echo_leaves_it_open_whether_a_button_is_still_held():
    talk = Talk().greeted()
    talk.tell(*talk.wait(500)[0])
    talk.wait(250)
    assert talk.host.is_unsure(talk.now)


def test_nobody_knows_how_the_switches_are_when_an_answer_is_owed_for_a_quarter_of_a_second():
    """Field bug G9."""
    talk = Talk().greeted()
    talk.wait(499)
    assert not talk.host.is_unsure(talk.now)
    ((_, number, _),) = talk.wait(1)
    talk.wait(249)
    assert not talk.host.is_unsure(talk.now)
    talk.wait(1)
    assert talk.host.is_unsure(talk.now)
    talk.tell("P", number, "0:0:0:0")
    assert not talk.host.is_unsure(talk.now)


def test_a_program_that_stood_still_does_not_lose_the_board():
    talk = Talk().greeted()
    ((_, number, _),) = talk.wait(500)
    talk.now += 60_000
    assert kinds(talk.heard()) == "p"
    assert talk.host.problem is None
    talk.tell("P", number, "0:0:0:0")
    assert kinds(talk.wait(5000, answer=True)) == "p" * 10
    # But the board that is still silent two seconds later is lost.
    talk = Talk().greeted()
    talk.wait(500)
    talk.now += 60_000
    talk.heard()
    talk.wait(1999)
    assert talk.host.problem is None
    talk.wait(1)
    assert talk.host.problem is not None


def test_after_a_standstill_nobody_knows_how_the_switches_are_until_the_board_has_answered():
    """Field bug G9: what lies in the port is read a moment later than the clock."""
    for asked_before in (True, False):
        talk = Talk().greeted()
        talk.wait(500 if asked_before else 499)
        talk.now += 1200
        assert talk.host.is_unsure(talk.now)
        talk.heard()
        assert talk.host.is_unsure(talk.now)
        talk.tell("P", talk.host.ask("p"), "0:0:0:0")
        assert not talk.host.is_unsure(talk.now)


def test_a_program_that_is_only_slow_loses_a_board_that_is_silent():
    talk = Talk().greeted()
    for _ in range(4):
        talk.now += 900
        talk.heard()
    assert talk.host.problem is not None


# Other questions


def test_what_was_asked_is_answered_once():
    talk = Talk().greeted()
    number = talk.host.ask("g", "0")
    assert talk.heard() == [("g", number, "0")]
    assert talk.host.answer(number) is None
    talk.tell("G", number, "1:started")
    assert talk.host.answer(number) == "1:started"
    assert talk.host.answer(number) is None


def test_a_refusal_is_no_answer():
    talk = Talk().greeted()
    number = talk.host.ask("z")
    talk.heard()
    assert not talk.host.was_refused(number)
    talk.tell("R", number, "unknown-kind:z")
    assert talk.host.answer(number) is None
    assert talk.host.was_refused(number)
    assert not talk.host.was_refused(number)
    assert talk.host.problem is None


def test_a_refusal_that_came_too_late_is_none_of_what_is_asked_under_that_number_later():
    talk = Talk().greeted()
    number = talk.host.ask("z")
    talk.heard()
    talk.tell("R", number, "unknown-kind:z")  # and nobody waits for it any more
    for _ in range(255):
        talk.host.ask("p")
    assert talk.host.ask("g", "0") == number
    assert not talk.host.was_refused(number)
