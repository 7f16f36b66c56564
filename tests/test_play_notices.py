"""What was said, and what is still known of it."""

from __future__ import annotations

from popout.play.notices import KEPT, Notices
from popout.rules import Message


def test_nothing_has_been_said_at_first():
    notices = Notices()
    assert notices.newest is None
    assert notices.since(0) == ()


def test_numbers_grow_and_what_came_after_one_can_be_asked_for():
    notices = Notices()
    for code in ("a", "b", "c"):
        notices.say("info", code, Message("{code}", code=code), 5.0, 3)
    assert [(notice.number, notice.code) for notice in notices.since(1)] == [(2, "b"), (3, "c")]
    newest = notices.newest
    assert newest is not None
    assert (newest.number, newest.importance, newest.column, newest.time) == (3, "info", 3, 5.0)


def test_the_oldest_are_forgotten_and_no_number_is_used_twice():
    notices = Notices()
    for _ in range(KEPT + 3):
        notices.say("fault", "x", Message("x"), 0)
    kept = notices.since(0)
    assert len(kept) == KEPT
    assert (kept[0].number, kept[-1].number) == (4, KEPT + 3)
