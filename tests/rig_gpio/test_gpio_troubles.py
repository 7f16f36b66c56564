"""What goes wrong with chips and with lgpio while a game is on the table: said, mended, and the game goes on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hands import Fingers, Hands
from pinboard import PI, in_time, playing, said

from popout.board.gpio import chips
from popout.board.gpio.driver import GpioBoard
from popout.board.gpio.pins import PinBusy
from popout.board.switches import column_switch
from rig.gpio.chips import Chip
from tables import moves
from waiting import until

FOURTH, FIFTH = column_switch(4), column_switch(5)
DEAF = "The buttons are not heard any more: the part of lgpio that listens has stopped."


@pytest.fixture
def other_chip(chip: Chip) -> Iterator[Chip]:
    """Another chip, which was there first, so that the header's has a higher number."""
    chip.unplug()
    other = Chip.make("other", "some-expander", 8)
    Chip.plug(chip.name)
    yield other
    Chip(chip.name).unplug()
    other.remove()
    Chip.plug(chip.name)


def test_the_chip_of_the_header_is_found_whatever_its_number(tmp_path: Path, other_chip: Chip):
    """Field bug G6: after an update of the kernel the chip has another number."""
    found = chips.header_chip()
    assert found is not None
    assert found.path == Chip("pi").device
    assert found.number > other_chip.number

    async def story() -> None:
        with Hands() as hands:
            async with playing(tmp_path / "games", "popout 7x6") as table:
                await Fingers(hands, PI).tap(FOURTH)
                await until(lambda: moves(table) == "d4")

    in_time(story)


def test_a_chip_that_goes_away_and_comes_back_costs_no_move(tmp_path: Path, chip: Chip):
    async def story() -> None:
        async with playing(tmp_path / "games", "popout 7x6") as table:
            with Hands() as hands:
                await Fingers(hands, PI).tap(FOURTH)
                await until(lambda: moves(table) == "d4")
            chip.unplug()
            await until(lambda: table.controller.trouble)
            first = table.board
            Chip.plug(chip.name)
            await until(lambda: table.board is not first and not table.controller.trouble)
            with Hands() as hands:
                await Fingers(hands, PI).tap(FIFTH)
                await until(lambda: moves(table) == "d4 d5")

    in_time(story)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_lgpios_only_thread_dies_and_the_buttons_live_again(tmp_path: Path, hands: Hands):
    """Field bug G10: an error in a callback leaves the program half alive."""

    def bug(*_: object) -> None:
        raise ValueError("a bug in a callback")

    async def story() -> None:
        async with playing(tmp_path / "games", "popout 7x6") as table:
            fingers = Fingers(hands, PI)
            lgpio = sys.modules["lgpio"]
            dead = lgpio._notify_thread
            for each in dead.callbacks:
                each.func = bug
            await fingers.tap(FOURTH)
            await until(lambda: table.controller.trouble)
            assert not dead.is_alive()
            assert DEAF in said(table)
            await until(lambda: not table.controller.trouble)
            await fingers.tap(FIFTH)
            await until(lambda: moves(table) == "d5")

    in_time(story)


def test_a_board_that_is_open_already_is_no_riddle():
    with GpioBoard(PI), pytest.raises(PinBusy) as caught:
        GpioBoard(replace(PI, name="mine"))

    assert str(caught.value) == ("Pin GPIO5 (column 1) is in use already by this very program, which has a board open.")
    for _ in range(3):  # again and again, at once
        GpioBoard(PI).close()
