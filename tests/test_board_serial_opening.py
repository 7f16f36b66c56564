"""The driver of a board on a serial port, over a wire that a test holds in its hands: no thread, and its own time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from popout.board.driver import BoardError, BoardLost
from popout.board.layout import Layout
from popout.board.serial import driver as driver_module
from popout.board.serial.conversation import Report, Times
from popout.board.serial.description import digest
from popout.board.serial.driver import SerialBoard
from popout.board.serial.ports import SerialPort
from popout.board.serial.wire import Wire
from popout.board.switches import Fault, SwitchEvent, SwitchFault
from popout.link.debounce import HEALED, PRESSED, RELEASED
from popout.link.words import joined
from popout.rules.messages import Message
from serial_talks import Talk

LAYOUT = Layout.load("7x6-pico")
SWITCHES = list(LAYOUT.switches)
ONE, TWO, BAR = (SWITCHES.index(switch) for switch in ("column 1", "column 2", "bar"))


class HeldWire(Wire):
    """A wire without threads and without a port, which the board has greeted.

    :ivar talk: with the board, which the test plays. :ivar times: the debouncing times that it was opened with.
    """

    def __init__(self, state: tuple[int, int, int], times: Times | None, heard: Callable[[list[Report]], None]) -> None:
        self.talk = Talk(times)
        self.times = times
        self.closed = 0
        self._board_heard = heard
        told = f"1.0:1.2.0:E660AA:{digest(LAYOUT)}:{len(SWITCHES):X}:{len(LAYOUT.places):X}:power-on:pico"
        self.talk.heard()
        ((_, number, _),) = self.talk.tell("H", 1, told)
        ((_, number, _),) = self.talk.tell("A", number)
        self.talk.tell("S", number, f"0:0:{joined(*state)}")
        self.conversation = self.talk.host
        self.pass_on()

    def pass_on(self) -> None:
        """Do what the thread that reads does with what was told."""
        if reports := self.conversation.reports():
            self._board_heard(reports)

    def is_unsure(self) -> bool:
        return self.conversation.is_unsure(self.talk.now)

    def debounce(self, times: Times) -> None:
        self.conversation.debounce(times)

    def close(self) -> None:
        self.closed += 1


class Desk:
    """What opens boards here.

    :ivar state: of the switches when a board is greeted: masks of the closed, the stuck and the muted ones.
    :ivar wires: those to the boards that were opened. :ivar lose: tells the last board that it is lost.
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.state = (0, 0, 0)
        self.wires: list[HeldWire] = []
        self.lose: Callable[[BoardError], None] = lambda _: None
        port = SerialPort("/dev/ttyACM0", 0x2E8A, 0x0005, "E660AA", "Pop Out board")
        patch.setattr(driver_module, "likely", lambda *_: [port])
        patch.setattr(driver_module, "greet", self._greet)

    def _greet(self, _: SerialPort, **how: Any) -> HeldWire:
        self.lose = how["lost"]
        self.wires.append(HeldWire(self.state, how["times"], how["heard"]))
        return self.wires[-1]


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(monkeypatch)


def heard(board: SerialBoard, count: int) -> list[SwitchEvent | SwitchFault]:
    """The next events, which have come already."""

    async def listen() -> list[SwitchEvent | SwitchFault]:
        found = []
        async for event in board.events():
            found.append(event)
            if len(found) == count:
                break
        return found

    return asyncio.run(asyncio.wait_for(listen(), 20))


def test_a_switch_that_was_muted_before_is_a_fault_at_once(desk: Desk):
    desk.state = (0, 0, 1 << TWO)
    with SerialBoard(LAYOUT) as board:
        assert heard(board, 1) == [SwitchFault("column 2", Fault.FAULTY, 1000.0)]


def test_a_button_that_was_down_before_is_closed_and_opens_and_the_bar_is_where_it_is(desk: Desk):
    """Field bug G13."""
    desk.state = (1 << ONE | 1 << BAR, 1 << ONE, 0)
    with SerialBoard(LAYOUT) as board:
        assert {switch for switch, closed in board.levels().items() if closed} == {"column 1", "bar"}
        desk.wires[0].talk.event(0, ONE, HEALED, 1 << BAR)
        desk.wires[0].pass_on()
        assert heard(board, 1) == [SwitchEvent("column 1", False, 1000.0)]
        assert {switch for switch, closed in board.levels().items() if closed} == {"bar"}


def test_no_level_is_known_while_the_board_is_mute(desk: Desk):
    """Field bug G9: whoever held a button may have let go."""
    with SerialBoard(LAYOUT) as board:
        talk = desk.wires[0].talk
        assert len(board.levels()) == len(SWITCHES)
        ((_, ping, _),) = talk.wait(500)
        talk.wait(249)
        assert len(board.levels()) == len(SWITCHES)
        talk.wait(1)
        assert board.levels() == {}
        talk.tell("P", ping, "0:0:0:0")
        assert len(board.levels()) == len(SWITCHES)


def test_what_was_heard_before_the_board_was_lost_is_handed_on_first(desk: Desk):
    with SerialBoard(LAYOUT) as board:
        wire = desk.wires[0]
        found: list[SwitchEvent | SwitchFault] = []

        async def listen() -> None:
            async for event in board.events():
                found.append(event)

        async def story() -> None:
            listening = asyncio.create_task(listen())
            await asyncio.sleep(0)
            wire.talk.event(0, ONE, PRESSED, 1 << ONE)
            wire.talk.event(1, ONE, RELEASED, 0)
            wire.pass_on()
            desk.lose(BoardLost(Message("The board has begun anew.")))
            with pytest.raises(BoardLost):
                await asyncio.wait_for(listening, 20)

        asyncio.run(story())
        assert [(event.switch, getattr(event, "closed", None)) for event in found] == [
            ("column 1", True),
            ("column 1", False),
        ]


def test_a_board_that_is_opened_again_has_the_times_that_it_had(desk: Desk):
    """To change them would cost the press of whoever holds a button just then."""
    opener = SerialBoard.opener()
    first = opener(LAYOUT)
    assert (first.times, desk.wires[0].times) == (None, None)
    first.debounce(7, 70, 700)
    first.close()
    second = opener(LAYOUT)
    assert (second.times, desk.wires[1].times) == ((7, 70, 700), (7, 70, 700))
    assert b"7:46:2BC" in desk.wires[1].talk.written
    second.close()
    third = opener(LAYOUT)
    assert desk.wires[2].times == (7, 70, 700)
    third.close()


def test_a_button_that_got_stuck_while_the_times_changed_is_a_fault_that_heals(desk: Desk):
    with SerialBoard(LAYOUT) as board:
        talk = desk.wires[0].talk
        board.debounce(7, 70, 700)
        ((_, number, _),) = talk.heard()
        ((_, number, _),) = talk.tell("A", number)
        talk.tell("S", number, f"0:0:{1 << ONE:X}:{1 << ONE:X}:0")
        talk.event(0, ONE, HEALED, 0)
        desk.wires[0].pass_on()
        assert [getattr(event, "fault", None) for event in heard(board, 2)] == [Fault.STUCK, Fault.HEALED]
