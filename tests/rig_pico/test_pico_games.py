"""Whole games on the firmware that people install: bouncing presses on pins, to the record and back to the lamps."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from pathlib import Path

from picoboard import (
    LONG,
    PICO,
    SHORT,
    SHORT_RULES,
    STRIP,
    Boot,
    Program,
    dark,
    light_of,
    playing,
    recorded,
    touch,
    turn_of,
    until,
    whole,
    written,
)

from popout.rules.outcome import Termination
from rig.pico.board import EmulatedPico

START_S = 60.0
"""How long, by the time of the board, the program may take until it has lit the lamps."""


def test_a_game_is_played_to_its_end_and_every_picture_is_right(tmp_path: Path, boot: Boot):
    pico = boot()

    async def story() -> None:
        async with playing(pico, tmp_path / "games", "popout 7x6") as seat:
            await seat.play(LONG)
            outcome = seat.table.controller.game.outcome
            assert outcome is not None
            assert outcome.termination is Termination.LINE
            before = pico.picture_count(STRIP)
            await seat.pause(2)
            pulse = set(whole(pico.pictures(STRIP, after=before), PICO))
            assert len(pulse) > 4, "the winning line does not pulse"
            assert seat.was_true()
            assert len(seat.boards) == 1

    asyncio.run(story())
    assert recorded(tmp_path / "games") == written("popout 7x6", LONG)
    assert light_of(pico, PICO) == dark(PICO)
    pulses = pico.pulses(STRIP)
    assert pulses.zero is not None
    assert pulses.one is not None
    assert pulses.zero[1] <= 400
    assert pulses.one[0] >= 600


def test_a_cable_that_flips_bits_costs_no_move_and_makes_none(tmp_path: Path, boot: Boot):
    pico = boot()

    async def story() -> None:
        async with playing(pico, tmp_path / "games", SHORT_RULES) as seat:
            pico.to_board.flip(0.01, 1)
            pico.from_board.flip(0.01, 2)
            await seat.insist(SHORT)
            pico.to_board.mend()
            pico.from_board.mend()
            await seat.until(seat.is_right, 1.0)

    asyncio.run(story())
    assert recorded(tmp_path / "games") == written(SHORT_RULES, SHORT)


def test_the_port_comes_back_under_another_name_and_the_game_goes_on(tmp_path: Path, boot: Boot):
    """Field bug S3: the port has another number after a moment without current."""
    pico = boot()

    async def story() -> None:
        async with playing(pico, tmp_path / "games", SHORT_RULES) as seat:
            await seat.play("d4 d1")
            first = pico.port
            pico.unplug()
            await seat.until(lambda: seat.table.controller.trouble)
            pico.replug()
            await seat.until(lambda: len(seat.boards) == 2 and seat.is_right())
            assert pico.port not in (None, first)
            await seat.play("d4")
            pico.power_cycle()
            await seat.until(lambda: len(seat.boards) == 3 and seat.is_right())
            assert seat.boards[-1].hello.reset == "power-on"
            await seat.play("p1 d4")

    asyncio.run(story())
    assert recorded(tmp_path / "games") == written(SHORT_RULES, SHORT)


def test_a_board_with_its_own_current_whose_cable_is_pulled_goes_dark_and_comes_back(tmp_path: Path, boot: Boot):
    pico = boot()

    async def story() -> None:
        async with playing(pico, tmp_path / "games", SHORT_RULES) as seat:
            await seat.play("d4")
            pico.unplug(powered=True)
            await seat.until(lambda: seat.table.controller.trouble)
            await seat.until(lambda: light_of(pico, PICO) == dark(PICO), 1.7)
            pico.replug()
            await seat.until(seat.is_right)
            await seat.play("d1 d4")

    asyncio.run(story())
    assert recorded(tmp_path / "games") == written(SHORT_RULES, "d4 d1 d4")


def test_the_watchdog_starts_a_hanging_board_anew_and_the_game_goes_on(tmp_path: Path, boot: Boot):
    pico = boot()

    async def story() -> None:
        async with playing(pico, tmp_path / "games", SHORT_RULES) as seat:
            await seat.play("d4 d1")
            hung = pico.now_us
            pico.hang()
            await seat.until(lambda: pico.about().resets == 1)
            assert 3.5e6 < pico.now_us - hung < 4.5e6
            await seat.until(lambda: len(seat.boards) > 1 and seat.is_right())
            assert seat.boards[-1].hello.reset == "watchdog"
            await seat.play("d4 p1 d4")

    asyncio.run(story())
    assert recorded(tmp_path / "games") == written(SHORT_RULES, SHORT)


def test_a_cable_is_cut_at_any_byte_and_the_game_goes_on(tmp_path: Path, boot: Boot):
    pico = boot()
    places = [0, 1, 7, 12, 60, 200]

    async def story() -> None:
        async with playing(pico, tmp_path / "games", "popout 7x6") as seat:
            for number, word in enumerate(LONG.split()):
                pico.to_board.mend()
                pico.from_board.mend()
                if number < 2 * len(places) - 1:
                    pico.cut([pico.to_board, pico.from_board][number % 2], places[number // 2], unplug=True)
                insisting = asyncio.create_task(seat.insist(word))
                while not insisting.done():
                    await asyncio.wait({insisting}, timeout=0.05)
                    if not pico.about().powered:
                        await seat.pause(0.05)
                        pico.replug()
                await insisting
            assert len(seat.boards) > len(places)

    asyncio.run(story())
    assert recorded(tmp_path / "games") == written("popout 7x6", LONG)


def test_a_program_that_is_killed_leaves_the_lamps_dark_and_the_next_one_goes_on(tmp_path: Path, boot: Boot):
    pico = boot()
    with Program(pico, tmp_path) as program:
        asyncio.run(until(pico, lambda: turn_of(pico) == "red", START_S))
        asyncio.run(_press_until_it_counts(pico, "column 4"))
        program.kill()
    killed = pico.now_us
    asyncio.run(until(pico, lambda: light_of(pico, PICO) == dark(PICO)))
    lit = max(picture.number for picture in pico.pictures(STRIP) if any(picture.wire))
    assert pico.pictures(STRIP, after=lit)[0].at_us - killed < 1.7e6
    with Program(pico, tmp_path):
        asyncio.run(until(pico, lambda: turn_of(pico) == "yellow", START_S))
    assert recorded(tmp_path / "games") == written("popout 7x6", "d4")


async def _press_until_it_counts(pico: EmulatedPico, switch: str) -> None:
    """Press a button, and again if the program was busy for so long that the board went dark and forgot it."""
    chance = random.Random(1)
    for closed in (True, False) * 3:
        touch(pico, PICO, switch, closed, chance)
        await asyncio.to_thread(pico.wait_until, pico.now_us + 100e3)
        if not closed:
            with suppress(TimeoutError):
                await until(pico, lambda: turn_of(pico) == "yellow")
                return
    raise AssertionError(f"three presses of {switch} have done nothing")
