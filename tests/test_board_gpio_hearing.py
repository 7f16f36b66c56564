"""The doubts about levels."""

from __future__ import annotations

from popout.board.gpio.hearing import GRACE_MS, Heard
from popout.board.switches import SwitchEvent


def edge(switch: str, closed: bool, time: float) -> SwitchEvent:
    return SwitchEvent(switch, closed, time)


def test_a_line_that_is_ahead_of_its_edge_is_believed_only_when_the_edge_stays_away_g2():
    heard = Heard({"bar": False})
    assert heard.compare({"bar": True}, set(), 100)
    assert heard.levels == {"bar": False}
    assert heard.due() == 100 + GRACE_MS
    assert heard.lost({"bar": True}, 100 + GRACE_MS - 1) == []
    assert heard.lost({"bar": True}, 100 + GRACE_MS) == [edge("bar", True, 100)]
    assert heard.due() is None


def test_the_edge_that_comes_late_ends_the_doubt():
    heard = Heard({"bar": False})
    heard.compare({"bar": True}, set(), 100)
    heard.deliver(edge("bar", True, 99))
    assert heard.due() is None
    assert heard.lost({"bar": True}, 100 + 2 * GRACE_MS) == []


def test_a_doubt_that_has_gone_by_itself_was_none():
    heard = Heard({"bar": False, "menu": False})
    heard.compare({"bar": True, "menu": True}, set(), 100)
    assert heard.compare({"bar": False, "menu": True}, set(), 110)
    assert heard.lost({"bar": False, "menu": False}, 100 + 2 * GRACE_MS) == []


def test_there_is_no_doubt_while_an_edge_of_the_switch_waits():
    heard = Heard({"bar": False})
    assert not heard.compare({"bar": True}, {"bar"}, 100)
