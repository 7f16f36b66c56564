"""How quick the board is, by its own time, and that it loses no memory: the figures are printed."""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import msgspec
from picoboard import LONG, PICO, STRIP, Boot, SeenBoard, playing, touch, until

from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.board.serial.driver import SerialBoard
from popout.board.switches import SwitchEvent, column_switch
from popout.link import words
from popout.rules import RuleSet
from rig.pico.board import EmulatedPico

PRESSES = 100
PICTURES_S = 3.0
LEAST_PICTURES = 30
MINUTES = float(os.environ.get("PICO_MINUTES") or 1)
"""Of the board's time that are played."""


def test_a_press_is_told_soon_and_once(boot: Boot, figure: Callable[[str], None]):
    pico = boot()
    chance = random.Random(1)
    took: list[float] = []

    async def story() -> None:
        with SerialBoard(PICO) as board:
            heard: list[SwitchEvent] = []

            async def hear() -> None:
                async for event in board.events():
                    assert isinstance(event, SwitchEvent)
                    heard.append(event)

            hearing = asyncio.create_task(hear())
            for number in range(PRESSES):
                switch = column_switch(number % 7 + 1)
                for closed in (True, False):
                    at = touch(pico, PICO, switch, closed, chance)
                    await until(pico, lambda: heard)
                    [event] = heard
                    heard.clear()
                    assert (event.switch, event.closed) == (switch, closed)
                    if closed:
                        took.append((_told_of_a_switch(pico, at) - at) / 1e3)
                    await asyncio.to_thread(pico.wait_until, at + 40e3 + chance.uniform(0, 20e3))
                    assert not heard
            hearing.cancel()

    asyncio.run(story())
    middle, worst = statistics.median(took), statistics.quantiles(took, n=100)[98]
    figure(
        f"Press to event: median {middle:.1f} ms, 99th percentile {worst:.1f} ms, slowest {max(took):.1f} ms of "
        f"{PRESSES} that bounced."
    )


def test_lamps_show_thirty_pictures_a_second(boot: Boot, figure: Callable[[str], None]):
    layout = _sixty_three()
    pico = boot(layout)

    async def story() -> None:
        with SerialBoard(layout) as board:
            dice = random.Random(1)
            started, before = pico.now_us, pico.picture_count(STRIP)
            for number in count():
                if pico.told_us > started + PICTURES_S * 1e6:
                    break
                cells = tuple(tuple(dice.choice((0, 0x300000, 0x303000)) for _ in range(6)) for _ in range(9))
                frame = Frame(cells, tuple(0x10 if number % 9 == column else 0 for column in range(9)), (0, 0))
                board.show(frame)
                await until(pico, lambda frame=frame: board._wire.conversation.lit == layout.colours(frame))
            seconds = (pico.now_us - started) / 1e6
            rate = (pico.picture_count(STRIP) - before) / seconds
            figure(f"Lamps: {rate:.1f} pictures a second of {len(layout.places)} lamps.")
            assert number / seconds >= LEAST_PICTURES

    asyncio.run(story())


def test_playing_on_and_on_takes_no_memory(tmp_path: Path, boot: Boot, figure: Callable[[str], None]):
    pico = boot(slower=1 if MINUTES <= 5 else 2)
    began = time.monotonic()
    free: list[int] = []

    async def story() -> None:
        async with playing(pico, tmp_path / "games", "popout 7x6") as seat:
            end = pico.now_us + MINUTES * 60e6
            games = 0
            while pico.now_us < end or games < 2:
                await seat.play(LONG)
                # The board tidies up every ten seconds, and then says how much is free.
                left, lost = await asyncio.to_thread(_told, seat.boards[-1])
                free.append(left)
                await seat.table.new_game(RuleSet.parse("popout 7x6"))
                await seat.until(seat.is_right)
                seat.rest_bar()
                games += 1
            figure(
                f"Memory: after {pico.now_us / 60e6:.1f} minutes and {games} games {free[-1]} bytes are free, and "
                f"{free[0]} after the first game; {lost} lines were lost. The board's time went at "
                f"{pico.now_us / 1e6 / (time.monotonic() - began):.2f} of the wall's."
            )

    asyncio.run(story())
    assert free[-1] >= free[0] - 512


def _told_of_a_switch(pico: EmulatedPico, after_us: float) -> float:
    """When the board first told of a switch after this."""
    return next(at for at, data in list(pico.said) if at > after_us and f"\n{words.EVENT}".encode() in b"\n" + data)


def _told(board: SeenBoard) -> tuple[int, int]:
    """Bytes of memory that are free, and lines that were lost."""
    answer = board._wire.ask(words.PING, within_s=20)
    assert answer is not None
    told = words.numbers(answer, 4)
    assert told is not None
    return told[1], told[3]


def _sixty_three() -> Layout:
    """A board of 9 columns and as many lamps as it has cells and columns."""
    pins = [f"GP{pin}" for pin in range(2, 14)]
    assert PICO.chain is not None
    chain = msgspec.structs.replace(PICO.chain, parts=PICO.chain.parts[:2])
    switches = [*map(column_switch, range(1, 10)), "bar", "menu", "take back"]
    return replace(
        PICO,
        name="9x6",
        columns=9,
        switches=dict(zip(switches, pins, strict=True)),
        chain=chain,
    )
