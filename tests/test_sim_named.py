"""The names of the faults, and the text in which they are asked for."""

from __future__ import annotations

import pytest

from popout.board.switches import SwitchEvent
from popout_sim.board_faults import DeadLamp, PowerCut
from popout_sim.contact_faults import BounceOnPress, BounceOnRelease, Glitch, LostEdge, Stuck
from popout_sim.mischief import Fault
from popout_sim.named import FAULTS, ONLY_ON_WIRES, FaultUnreadable, parse_faults


def test_a_name_alone_is_the_fault_as_it_usually_is():
    for kind in FAULTS:
        assert parse_faults(kind.name) == [kind()]


def test_names_and_sentences_are_all_different():
    assert len({kind.name for kind in FAULTS}) == len({str(kind.sentence) for kind in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("bounce", [BounceOnPress(), BounceOnRelease()]),
        ("bounce:10%", [BounceOnPress(chance=0.1), BounceOnRelease(chance=0.1)]),
        ("glitch:5ms, lost-edge:0.1", [Glitch(length_ms=5), LostEdge(chance=0.1)]),
        ("glitch:3:1.5s", [Glitch(column=3, length_ms=1500)]),
        ("lost-edge:0.5%", [LostEdge(chance=0.005)]),
        ("stuck:3@20s", [Stuck(column=3, at_ms=20_000)]),
        ("stuck@2min", [Stuck(at_ms=120_000)]),
        ("glitch:5ms@~500ms", [Glitch(length_ms=5, about_every_ms=500)]),
        ("dead-lamp:3:2", [DeadLamp(column=3, row=2)]),
        ("power-cut:before", [PowerCut(moment="before")]),
    ],
)
def test_what_a_fault_takes_is_known_by_the_look_of_it(text: str, faults: list[Fault]):
    assert parse_faults(text) == faults


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("bonce", "There is no fault “bonce”. Is “bounce” meant?"),
        ("xyzzy", "There is no fault “xyzzy”. “list” names all."),
        (
            "bytes-flipped",
            "The fault “bytes-flipped” is one of a serial link, and the simulator has none. "
            "“board-away” is the nearest.",
        ),
        (
            "",
            "“” asks for no fault. Write such as “bounce”, “glitch:5ms”, “stuck:3@20s” or “top-taken@~10s”.",
        ),
        ("stuck:0.1", "The fault “stuck” does not take “0.1”. Write such as “stuck:3”."),
        ("stuck:1:2", "The fault “stuck” does not take “2”. Write such as “stuck:3”."),
        ("glitch:quick", "The fault “glitch” does not take “quick”. Write such as “glitch:3:5ms”."),
        ("glitch:5ms:6ms", "The fault “glitch” does not take “6ms”. Write such as “glitch:3:5ms”."),
        ("tray-emptied:3", "The fault “tray-emptied” takes nothing, and not “3”."),
        ("stuck@soon", "The time in “stuck@soon” is to be such as 500ms, 20s or 2min."),
        ("bounce@~2s", "The fault “bounce-on-press” does not come by itself, so “bounce@~2s” cannot be."),
        ("stuck@~0s", "The time in “stuck@~0s” is to be such as 500ms, 20s or 2min."),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_to_write(text: str, sentence: str):
    with pytest.raises(FaultUnreadable) as refused:
        parse_faults(text)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("name", ONLY_ON_WIRES)
def test_the_faults_of_a_link_are_known_and_not_here(name: str):
    with pytest.raises(FaultUnreadable, match="serial link"):
        parse_faults(name)


def test_faults_of_the_same_name_are_two():
    assert [fault.name for fault in parse_faults("stuck:1,stuck:2")] == ["stuck", "stuck"]


def test_a_fault_spoils_nothing_at_a_door_that_is_not_its_own():
    edges = [SwitchEvent("column 1", True, 0)]
    for kind in (DeadLamp, PowerCut):
        assert kind().changed(None, edges, None) == edges  # type: ignore[arg-type]
