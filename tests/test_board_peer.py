"""A simulated board behind a serial port, and the package that it comes from."""

from __future__ import annotations

import importlib.metadata
from contextlib import closing

import pytest

from popout.board.layout import Layout
from popout.board.peer import PeerMissing, peer_maker
from popout_sim.peer import SerialPeer


def test_the_simulator_brings_one():
    with closing(peer_maker()(Layout.load("7x6-pico"), "1")) as peer:
        assert isinstance(peer, SerialPeer)


def test_without_a_package_that_brings_one_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: ())
    with pytest.raises(PeerMissing) as caught:
        peer_maker()
    assert str(caught.value.message) == (
        "Nothing is installed that simulates a board on a serial port. Install the package popout-board again."
    )
