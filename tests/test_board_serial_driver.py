"""The driver of a board on a serial port: found, greeted, heard, lit, lost and found again. The boards are on ptys."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from popout.board.driver import BoardError, BoardLost
from popout.board.find import driver
from popout.board.frame import Frame
from popout.board.layout import Layout, path_of
from popout.board.serial import driver as driver_module
from popout.board.serial import ports as ports_module
from popout.board.serial import talking
from popout.board.serial.driver import (
    FirmwareLayoutDiffers,
    SerialBoard,
)
from popout.board.serial.hello import FirmwareProtocolError
from popout.board.serial.port import PortHeld
from popout.board.serial.ports import SerialPort
from popout.board.serial.talking import BoardNotFound, BoardSilent
from popout.board.switches import Fault, SwitchEvent, SwitchFault
from popout.link import board_end
from serial_boards import LAYOUT, PtyBoard, on_usb
from waiting import until

Plug = Callable[..., PtyBoard]


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch) -> Iterator[Plug]:
    """Make a board and plug it in; all that were made are what the computer sees on USB."""
    boards: list[PtyBoard] = []
    with ExitStack() as stack:
        for module in (driver_module, ports_module):
            monkeypatch.setattr(module, "ports", lambda: on_usb(*boards)())

        def make(**options: object) -> PtyBoard:
            boards.append(stack.enter_context(PtyBoard(**options)))  # type: ignore[arg-type]
            return boards[-1]

        yield make


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talking, "GREETED_WITHIN_S", 0.3)


def wait_for(condition: Callable[[], object]) -> None:
    asyncio.run(until(condition))


def lit(column: int, colour: int) -> Frame:
    dark = Frame.dark(7, 6)
    return Frame(dark.cells, tuple(colour if c == column else 0 for c in range(1, 8)), dark.turns)


async def heard(board: SerialBoard, count: int) -> list[SwitchEvent | SwitchFault]:
    found: list[SwitchEvent | SwitchFault] = []
    async with asyncio.timeout(20):
        async for event in board.events():
            found.append(event)
            if len(found) == count:
                break
    return found


def test_it_is_found_by_its_name():
    assert driver("serial") is SerialBoard
    assert SerialBoard.debounced


@pytest.mark.usefixtures("plug")
def test_without_a_board_nothing_is_attached():
    assert not SerialBoard.attached(LAYOUT)
    with pytest.raises(BoardNotFound) as caught:
        SerialBoard(LAYOUT)
    assert str(caught.value.message) == (
        "No board was found on USB. Plug in the Pico, or name its port, such as --device /dev/ttyACM0. If it has no "
        "firmware of this program yet, type: popout firmware install --layout 7x6-pico"
    )


def test_a_board_is_attached_that_calls_itself_nothing_as_on_windows(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("popout.board.serial.driver.ports", lambda: (SerialPort("COM5", 0x2E8A, 0x0005, "E6"),))

    assert SerialBoard.attached(LAYOUT)


def test_a_board_is_found_and_says_which_it_is(plug: Plug):
    pico = plug()

    assert SerialBoard.attached(LAYOUT)
    with SerialBoard(LAYOUT) as board:
        assert board.hello.unique == "E660AA"
        assert board.hello.switches == len(LAYOUT.switches)
        assert board.hello.lamps == 51
        assert str(board.description) == f"the board on {pico.port}"
        assert board.levels() == dict.fromkeys(LAYOUT.switches, False)


def test_presses_keep_their_times_and_their_order(plug: Plug):
    pico = plug()

    async def story() -> None:
        with SerialBoard(LAYOUT) as board:
            times = []
            hearing = asyncio.create_task(heard(board, 3))
            for switch, closed in (("bar", True), ("column 3", True), ("column 3", False)):
                await asyncio.sleep(0.06)
                times.append(board.now())
                pico.move(switch, closed)
            events = await hearing
            assert [(event.switch, getattr(event, "closed", None)) for event in events] == [
                ("bar", True),
                ("column 3", True),
                ("column 3", False),
            ]
            # The clocks were set by messages that took their time, and the board's counts whole milliseconds: a press
            # may be told a little late, but never later than it was heard, nor earlier than it was.
            assert all(at - 1 <= event.time for event, at in zip(events, times, strict=True))
            assert events[0].time < events[1].time < events[2].time <= board.now()
            assert board.levels() == dict.fromkeys(LAYOUT.switches, False) | {"bar": True}

    asyncio.run(story())


def test_a_switch_has_the_level_that_was_handed_on(plug: Plug):
    pico = plug()

    async def story() -> None:
        with SerialBoard(LAYOUT) as board:
            pico.move("column 2", True)
            await asyncio.sleep(0.1)
            assert not board.levels()["column 2"]
            await heard(board, 1)
            assert board.levels()["column 2"]

    asyncio.run(story())


def test_a_button_that_is_down_at_the_start_is_closed_and_then_opens(plug: Plug):
    """Field bug G13: nobody knows whether it was pressed."""
    pico = plug()
    pico.move("column 5", True)
    wait_for(lambda: pico.end.due() is None)

    async def story() -> None:
        with SerialBoard(LAYOUT) as board:
            assert board.levels()["column 5"]
            pico.move("column 5", False)
            assert await heard(board, 1) == [SwitchEvent("column 5", False, pytest.approx(board.now(), abs=5000))]

    asyncio.run(story())


def test_a_switch_that_chatters_is_told_as_a_fault(plug: Plug):
    pico = plug()

    async def story() -> None:
        with SerialBoard(LAYOUT) as board:
            for number in range(120):
                pico.move("column 1", number % 2 == 0)
            assert [event.fault for event in await heard(board, 1) if isinstance(event, SwitchFault)] == [Fault.FAULTY]

    asyncio.run(story())


def test_the_lamps_show_the_newest_frame(plug: Plug):
    pico = plug()
    with SerialBoard(LAYOUT) as board:
        for colour in range(1, 60):
            board.show(lit(3, colour))
        wait_for(lambda: tuple(pico.end.colours) == LAYOUT.colours(lit(3, 59)))


def test_the_lamps_are_dark_after_it_was_closed(plug: Plug):
    """Field bug L6."""
    pico = plug()
    board = SerialBoard(LAYOUT)
    board.show(lit(1, 0xFF0000))
    wait_for(lambda: pico.end.lit)
    board.close()
    board.close()
    assert not pico.end.lit
    assert not pico.end.greeted


def test_the_port_can_be_opened_again_after_it_was_closed(plug: Plug):
    """Field bug S5: nothing is assumed to be remembered."""
    plug()
    for _ in range(3):
        with SerialBoard(LAYOUT) as board:
            assert board.hello.digest


def test_rubbish_in_the_port_is_passed_over(plug: Plug):
    """Field bug S6."""
    pico = plug()
    pico.write(b"\x00\xffE0012:3:1:8ABCD\nMicroPython v1.25\r\n>>> ")
    with SerialBoard(LAYOUT) as board:
        pico.write(b"half a li")
        board.show(lit(2, 0xFF))
        wait_for(lambda: tuple(pico.end.colours) == LAYOUT.colours(lit(2, 0xFF)))


def test_a_second_program_is_refused(plug: Plug):
    """Field bug S2."""
    plug()
    with SerialBoard(LAYOUT), pytest.raises(PortHeld):
        SerialBoard(LAYOUT)


@pytest.mark.usefixtures("patience")
def test_what_does_not_answer_is_named(plug: Plug):
    pico = plug(mute=True)
    with pytest.raises(BoardSilent) as caught:
        SerialBoard(LAYOUT)
    assert str(caught.value.message) == (
        f"What is on {pico.port} does not answer as a board does. If it is a Pico, install the firmware on it: popout "
        "firmware install --layout 7x6-pico"
    )


def test_another_layout_is_refused(plug: Plug):
    pico = plug(layout_digest="12345678")
    with pytest.raises(FirmwareLayoutDiffers) as caught:
        SerialBoard(LAYOUT)
    assert str(caught.value.message) == (
        f"The firmware of the board on {pico.port} was made for another layout than “7x6-pico”. Name the layout that "
        "the board was made for, or install the firmware for this one: popout firmware install --layout 7x6-pico"
    )


def test_a_layout_file_is_named_in_commands_as_it_was_named(
    plug: Plug, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "my board.toml"
    file.write_text(path_of("7x6-pico").read_text("utf-8"), "utf-8")
    mine, command = Layout.load(str(file)), f"popout firmware install --layout '{file}'"

    plug(layout_digest="12345678")
    with pytest.raises(FirmwareLayoutDiffers, match=re.escape(f"for this one: {command}")):
        SerialBoard(mine)

    monkeypatch.setattr(board_end, "MAJOR", 0)
    with pytest.raises(FirmwareProtocolError, match=re.escape(f"Update the board: {command}")):
        SerialBoard(mine)


def test_of_two_boards_the_one_with_this_layout_is_taken(plug: Plug):
    plug(unique="OTHER", layout_digest="12345678")
    plug(unique="MINE")
    with SerialBoard(LAYOUT) as board:
        assert board.hello.unique == "MINE"


def test_a_board_is_named_by_its_port_or_its_serial_number(plug: Plug):
    first, second = plug(unique="AAAA"), plug(unique="BBBB")
    for device, unique in ((first.port, "AAAA"), (second.port, "BBBB"), ("bbbb", "BBBB")):
        with SerialBoard(LAYOUT, device=device) as board:
            assert board.hello.unique == unique


def test_a_pulled_cable_is_said_once(plug: Plug):
    """Field bug S1."""
    pico = plug()

    async def story() -> None:
        with SerialBoard(LAYOUT) as board:
            pico.unplug()
            with pytest.raises(BoardLost):
                await heard(board, 1)
            board.show(lit(1, 1))
            with pytest.raises(BoardLost):
                await heard(board, 1)

    asyncio.run(story())


def test_a_board_that_falls_silent_is_lost(plug: Plug):
    pico = plug()

    async def story() -> None:
        with SerialBoard(LAYOUT) as board:
            pico.frozen = True
            with pytest.raises(BoardLost) as caught:
                await heard(board, 1)
            assert str(caught.value.message) == "The board does not answer any more."

    asyncio.run(story())


def test_it_is_found_again_under_another_name(plug: Plug):
    """Field bug S3: by its serial number, and no other board is taken for it."""
    pico = plug(unique="MINE")
    opener = SerialBoard.opener(pico.port)
    opener(LAYOUT).close()
    before = pico.port
    pico.unplug()
    plug(unique="OTHER")
    with pytest.raises(BoardError):
        opener(LAYOUT)
    pico.plug()
    with opener(LAYOUT) as board:
        assert board.hello.unique == "MINE"
        assert str(board.description) == f"the board on {pico.port}"
    assert before  # the name may be given again by the system, or not


def test_what_was_pressed_while_it_was_away_is_not_invented(plug: Plug):
    pico = plug()
    opener = SerialBoard.opener()
    opener(LAYOUT).close()
    pico.move("column 4", True)
    time.sleep(0.06)
    pico.move("column 4", False)
    wait_for(lambda: pico.end.due() is None)

    async def story() -> None:
        with opener(LAYOUT) as board:
            pico.move("column 6", True)
            assert [event.switch for event in await heard(board, 1)] == ["column 6"]

    asyncio.run(story())


def test_other_times_of_the_debouncer_are_sent_on(plug: Plug):
    pico = plug()

    async def story() -> None:
        with SerialBoard(LAYOUT) as board:
            board.debounce(100, 150, 200)
            await until(lambda: pico.end._times == (100, 150, 200) and board._wire.conversation.ready)
            hearing = asyncio.create_task(heard(board, 1))
            pico.flicker("column 1", 30)  # shorter than the glitch limit
            await until(lambda: pico.end.due() is None)
            pico.move("column 2", True)
            assert [event.switch for event in await hearing] == ["column 2"]

    asyncio.run(story())


def test_a_layout_for_other_pins_is_refused():
    with pytest.raises(BoardError):
        SerialBoard(Layout.load("7x6-pi"))
