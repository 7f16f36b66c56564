"""What is typed at a simulated serial board, and what its hands then do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing

import pytest

from popout.board.driver import HandError
from popout.board.layout import Layout
from popout.commands.sim_hands import HandsInWords, UnknownWord
from popout.rules.messages import Message
from popout_sim.peer import SerialPeer, serial_peer

LAYOUT = Layout.load("7x6-pico")


@pytest.fixture
def peer() -> Iterator[SerialPeer]:
    with closing(serial_peer(LAYOUT, "1")) as peer:
        yield peer


def do(peer: SerialPeer, *lines: str) -> list[Message]:
    told: list[Message] = []
    hands = HandsInWords(peer, draw=lambda: None, tell=told.extend)

    async def story() -> None:
        for line in lines:
            assert await hands.obey(line)

    asyncio.run(story())
    return told


def test_hands_press_hold_and_slide(peer: SerialPeer):
    do(peer, "press 4", "PRESS menu", "press take back", "bar half  # on the way")
    assert peer.twin.pressed == ("column 4", "menu", "take back")
    assert peer.twin.bar == "half"
    do(peer, "release 04", "release take back", "", "# nothing")
    assert peer.twin.pressed == ("menu",)


def test_hands_move_discs(peer: SerialPeer):
    do(peer, "drop 4 x", "drop 4 O", "drop 4 X", "take 4", "bar open", "pop 4")
    assert peer.twin.grid[3] == "O"
    do(peer, "empty")
    assert not any(peer.twin.grid)


def test_a_pop_opens_the_bar_and_a_drop_closes_it(peer: SerialPeer):
    do(peer, "p4")
    assert peer.twin.bar == "open"
    do(peer, "bar half", "d4")
    assert peer.twin.bar == "closed"
    assert peer.twin.pressed == ()


@pytest.mark.parametrize("line", ["wait 0s", "wait 5", "wait 2h", "wait 9999s", "wait ms"])
def test_hands_wait_no_longer_than_they_can(peer: SerialPeer, line: str):
    with pytest.raises(UnknownWord, match="is no time to wait"):
        do(peer, line)


@pytest.mark.parametrize("line", ["press", "drop 4", "pop x", "d0", "d100", "take", "bar", "drop ٤ X", "\x1b[2J"])
def test_what_hands_do_not_know_is_refused(peer: SerialPeer, line: str):
    with pytest.raises(UnknownWord) as caught:
        do(peer, line)
    assert "\x1b" not in str(caught.value.message)


@pytest.mark.parametrize(
    "line", ["bar up", "drop 9 X", "drop 4 Z", "pop 4", "tap bar", "hold 77", "press " + "9" * 9000]
)
def test_what_no_hand_can_do_is_refused(peer: SerialPeer, line: str):
    with pytest.raises(HandError):
        do(peer, line)
