"""Closing a board on a Raspberry Pi's pins: what it lets go of, what it waits for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from gpio_pins import PI, Ear, Lights, Wires, listening
from popout.board.contacts import Leds
from popout.board.driver import BoardLost
from popout.board.frame import Frame
from popout.board.gpio.driver import WATCH_MS, GpioBoard
from popout.board.gpio.pins import Pins
from popout.rules import Message

DARK = Frame.dark(7, 6)


def opened(wires: Wires | None = None, lights: Lights | None = None) -> GpioBoard:
    return GpioBoard(PI, pin_factory=wires or Wires(), lamps=lights or Lights())


@pytest.mark.parametrize("dark", [True, False])
def test_closing_darkens_the_lamps_unless_it_is_to_leave_them_l6(dark: bool):
    lights = Lights()
    board = opened(lights=lights)
    board.dark_on_close = dark
    board.show(DARK)
    board.close()
    board.close()
    board.show(DARK)
    assert lights.closed == [dark]
    assert lights.shown == [DARK]


def test_closing_ends_the_events():
    async def story(ear: Ear) -> None:
        await ear.wait(10)
        ear.board.close()
        await ear.wait(10)
        assert ear.ended
        assert ear.error is None
        assert ear.board.levels() == dict.fromkeys(PI.switches, False)

    listening(story)


def test_closing_while_edges_wait_hands_on_no_more_of_them():
    async def story(ear: Ear) -> None:
        ear.wires.tap("column 4")
        heard = []
        async for event in ear.board.events():
            heard.append(event)
            ear.board.close()
        assert len(heard) == 1

    listening(story, listen=False)


def test_closing_lets_go_of_everything_even_if_a_part_of_it_fails():
    class Broken(Lights):
        def close(self, dark: bool, *, wait: bool = True) -> None:
            super().close(dark, wait=wait)
            raise OSError("the lamps are gone")

    wires, lights = Wires(), Broken()
    opened(wires, lights).close()
    assert lights.closed
    assert wires.reserved() == []
    opened(wires).close()


def test_closing_gives_back_the_pins_of_leds_too_g8():
    """Field bug G8: the line would stay busy for other programs as long as this one runs."""
    layout, wires = replace(PI, leds=Leds(red="GPIO17", yellow="GPIO27")), Wires()
    board = GpioBoard(layout, pin_factory=wires)
    assert {"GPIO17", "GPIO27"} <= {pin.name for pin in wires.pins}
    board.close()
    assert not wires.pins


def test_a_board_that_the_program_closes_waits_for_its_lamps_l6():
    """Field bug L6: the picture of the end is dark, and the program must not end before it."""
    lights = Lights()
    opened(lights=lights).close()
    assert (lights.closed, lights.waited) == ([True], [True])


def deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(pins: Pins) -> None:  # noqa: ARG001
        raise BoardLost(Message("It has stopped."))

    monkeypatch.setattr(Pins, "check", check)


def unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(wire: object) -> bool:  # noqa: ARG001
        raise RuntimeError("'bad GPIO read'")

    monkeypatch.setattr("gpio_pins.Wire._get_state", read)


def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    def look(board: GpioBoard) -> None:  # noqa: ARG001
        raise ValueError("a bug")

    monkeypatch.setattr(GpioBoard, "_watch", look)


@pytest.mark.parametrize("break_it", [deaf, unreadable, faulty])
def test_a_board_that_was_lost_is_closed_in_the_running_game_and_waits_for_nothing(
    break_it: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
):
    async def story(ear: Ear) -> None:
        break_it(monkeypatch)
        await ear.wait(WATCH_MS + 10)
        assert ear.error is not None
        ear.board.close()
        assert (ear.lights.closed, ear.lights.waited) == ([True], [False])

    listening(story)


def test_a_board_whose_levels_cannot_be_read_is_lost_too(monkeypatch: pytest.MonkeyPatch):
    lights = Lights()
    board = opened(lights=lights)
    with monkeypatch.context() as patch:
        unreadable(patch)
        with pytest.raises(BoardLost):
            board.levels()
    board.close()
    assert (lights.closed, lights.waited) == ([True], [False])
