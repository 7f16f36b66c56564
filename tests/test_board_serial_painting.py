"""Pictures on their way to a board: the newest, whole, and again until the board shows it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from popout.board.serial.painting import Painter
from popout.link.frames import MOST_PAYLOAD, encode
from popout.link.pictures import Easel
from serial_talks import Line

RED, GREEN, BLUE = ((colour,) * 6 for colour in (0xFF0000, 0x00FF00, 0x0000FF))


class Studio:
    """A painter, and all that it has sent.

    :ivar sent: the payloads of each sending. :ivar numbers: of the frame that asks to show each.
    """

    def __init__(self) -> None:
        self.now = 1000.0
        self.painter = Painter(self.now)
        self.sent: list[list[str]] = []
        self.numbers: list[int] = []
        self.number = 0

    def send(self) -> bool:
        """Whether it sends a picture now."""
        payloads: list[str] = []

        def say(kind: str, payload: str) -> tuple[int, int]:
            self.number = (self.number + 1) % 256
            payloads.append(payload)
            return self.number, len(encode(kind, self.number, payload))

        self.painter.send(self.now, say)
        if payloads:
            self.sent.append(payloads)
            self.numbers.append(self.number)
        return bool(payloads)

    def show(self, picture: tuple[int, ...]) -> bool:
        self.painter.show(picture)
        return self.send()

    def acknowledge(self, sending: int = -1) -> None:
        self.painter.acknowledged(self.numbers[sending], self.now)

    def refuse(self, sending: int = -1, *, incomplete: bool = True, before: int = 0) -> None:
        """Refuse the frame that many before the last one of a sending."""
        self.painter.refused(self.numbers[sending] - before, self.now, incomplete=incomplete)

    def waits_ms(self) -> int:
        """How long it waits until it sends again."""
        for waited in range(20_000):
            if self.send():
                return waited
            self.now += 1
        raise AssertionError("nothing is sent any more")


def test_a_picture_is_sent_at_once_and_shown_when_the_board_says_so():
    studio = Studio()
    assert not studio.send()
    assert studio.painter.due() is None
    assert studio.show(RED)
    assert studio.painter.shown is None
    studio.acknowledge()
    assert studio.painter.shown == RED
    assert not studio.send()
    assert studio.painter.due() is None


def test_only_the_newest_picture_is_sent_after_the_one_that_is_under_way():
    studio = Studio()
    studio.show(RED)
    assert not studio.show(GREEN)
    assert not studio.show(BLUE)
    studio.acknowledge()
    assert studio.send()
    studio.acknowledge()
    assert studio.painter.shown == BLUE
    assert len(studio.sent) == 2
    assert [payloads[0][4:] for payloads in studio.sent] == ["C00FF0000", "C000000FF"]


def test_a_picture_that_is_wanted_no_more_is_not_sent():
    studio = Studio()
    studio.show(RED)
    studio.show(GREEN)
    studio.show(RED)
    studio.acknowledge()
    assert not studio.send()


@pytest.mark.parametrize("lamps", [1, 38, 39, 233, 234, 300, 466, 467, 2048])
@pytest.mark.parametrize("colours", [1, 64, 65, 2048])
def test_pictures_of_any_size_and_number_of_colours_go_through_frames_and_arrive(lamps: int, colours: int):
    picture = tuple(0x10000 + lamp % colours for lamp in range(lamps))
    studio = Studio()
    studio.show(picture)  # each chunk becomes a frame
    easel = Easel(lamps)
    assert [easel.take(payload) for payload in studio.sent[0]] == [False] * (len(studio.sent[0]) - 1) + [True]
    assert easel.colours == list(picture)
    assert max(map(len, studio.sent[0])) <= MOST_PAYLOAD


def test_a_picture_is_painted_anew_after_five_seconds():
    """Field bug L7: whatever went wrong with it unnoticed."""
    studio = Studio()
    studio.show(RED)
    studio.acknowledge()
    assert studio.waits_ms() == 5000
    # It is a new one to the board, whose chunks count all again.
    first, again = (payloads[0][:2] for payloads in studio.sent)
    assert int(again, 16) == int(first, 16) + 1
    studio.acknowledge()
    assert studio.waits_ms() == 5000


def test_a_picture_without_an_answer_is_sent_again_as_the_same_one_when_it_must_have_arrived():
    studio = Studio()
    studio.show(RED)
    length = sum(len(payload) + 8 for payload in studio.sent[0])
    due = studio.painter.due()
    assert due is not None
    assert studio.now + 40 <= due <= studio.now + 40 + length * 0.1
    assert 40 <= studio.waits_ms() <= 41 + length * 0.1
    assert studio.sent[0] == studio.sent[1]


def test_a_large_picture_is_given_more_time():
    studio = Studio()
    studio.show(tuple(range(2048)))
    assert studio.waits_ms() > 1000


def test_an_answer_to_an_earlier_sending_counts():
    studio = Studio()
    studio.show(RED)
    studio.waits_ms()
    studio.waits_ms()
    studio.acknowledge(0)
    assert studio.painter.shown == RED
    assert not studio.send()


def test_an_answer_to_another_picture_does_not_count():
    studio = Studio()
    studio.show(RED)
    studio.painter.show(GREEN)
    studio.waits_ms()
    studio.acknowledge(0)
    studio.painter.acknowledged(99, studio.now)
    assert studio.painter.shown is None
    studio.acknowledge(1)
    assert studio.painter.shown == GREEN


def test_a_picture_that_did_not_arrive_whole_is_sent_again_after_20_ms():
    studio = Studio()
    studio.show(RED)
    studio.refuse()
    assert studio.painter.due() == studio.now + 20
    assert studio.waits_ms() == 20
    assert studio.sent[0] == studio.sent[1]  # what of it arrived, the board still has


@pytest.mark.parametrize("before", [0, 1, 2])
def test_a_picture_that_the_board_does_not_understand_is_sent_again_after_a_second(before: int):
    studio = Studio()
    studio.show(RED)
    studio.refuse(incomplete=False, before=before)
    if before:
        studio.refuse()  # a chunk that was refused is missing when the picture is to be shown
    assert studio.painter.due() == studio.now + 1000
    assert studio.waits_ms() == 1000


def test_a_refusal_of_something_else_changes_nothing():
    studio = Studio()
    studio.show(RED)
    studio.painter.refused(99, studio.now, incomplete=True)
    studio.painter.refused(99, studio.now, incomplete=False)
    studio.acknowledge()
    for before in (0, 1, 2):
        studio.refuse(before=before)  # what is shown is shown
    assert studio.painter.shown == RED


def test_what_is_wanted_after_a_refusal_is_the_newest():
    studio = Studio()
    studio.show(RED)
    studio.show(GREEN)
    studio.refuse()
    studio.waits_ms()
    studio.acknowledge()
    assert studio.painter.shown == GREEN


# With a board


def loses(kind: str, count: int) -> Callable[[tuple[str, int, str]], bool]:
    """Lose the first frames of a kind."""
    left = [count]

    def lost(frame: tuple[str, int, str]) -> bool:
        if frame[0] != kind or not left[0]:
            return False
        left[0] -= 1
        return True

    return lost


@pytest.mark.parametrize(("kind", "count"), [("l", 1), ("l", 3), ("l", 10), ("A", 1), ("A", 4), ("R", 3)])
def test_a_picture_arrives_whatever_is_lost(kind: str, count: int):
    """Field bug L7."""
    line = Line().ready()
    line.lost = loses(kind, count)
    line.host.show(RED)
    line.wait(500)
    assert line.host.lit == RED == tuple(line.ends.end.colours)


def test_a_board_that_has_not_so_many_lamps_is_not_flooded():
    line = Line().ready()
    line.host.show((0xFF0000,) * 7)
    line.wait(5000)
    assert 0 < len([1 for _, (kind, _, payload) in line.carried if kind == "l" and payload[4] == "S"]) <= 6
    line.host.show(GREEN)
    line.wait(1100)
    assert line.host.lit == GREEN == tuple(line.ends.end.colours)


def test_a_picture_is_painted_anew_on_a_line_that_is_quiet_otherwise():
    """Field bug L7."""
    line = Line().ready()
    line.host.show(RED)
    line.wait(100)
    line.ends.end.colours[2] = 0x123456
    line.wait(5600)
    assert tuple(line.ends.end.colours) == RED
