"""A board alone and greeted: dark without a host, its self-test, its hello, other layouts, the boot loader."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
import serial
from picoboard import (
    PICO,
    STRIP,
    Boot,
    at_prompt,
    at_rest,
    dark,
    level,
    light_of,
    playing,
    recorded,
    until,
    whole,
    written,
)

from popout import __version__
from popout.board.contacts import pin_number
from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.board.serial.description import digest
from popout.board.serial.driver import FirmwareLayoutDiffers, SerialBoard
from popout.board.serial.talking import said_by, talk_to
from popout.firmware.build import base_image
from popout.firmware.uf2 import read_uf2
from popout.link import words
from rig.pico.board import UNIQUE_ID

SMALL = """
title = "A small board of levers and plain LEDs"
driver = "serial"
columns = 4
rows = 4
actuation = "disc"

[switches]
columns = ["GP6", "GP5", "GP4", "GP3"]
bar = "GP7"
take_back = "GP8"
pull = "down"
closed = "high"
inverted = ["bar"]

[lamps]
pin = "GP16"
order = "rgb"

[[lamps.parts]]
kind = "cells"
start = "top right"
along = "row"
serpentine = false

[leds]
red = "GP14"
yellow = "GP15"
lit = "low"

[supply]
milliamps = 400
"""
MOVES = "d1 d2 d3 d1 p1 d4 d3 d4 d3"
STEP_S = 0.06
TEST_COLOURS = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255))


@pytest.fixture
def small(tmp_path: Path) -> Layout:
    """A board with other pins, levels and lamps than the one that is shipped."""
    file = tmp_path / "small.toml"
    file.write_text(SMALL)
    return Layout.load(file)


def test_it_is_dark_until_a_host_comes(boot: Boot, figure: Callable[[str], None]):
    pico = boot(mode="free")
    booted = pico.now_us
    pico.advance(3)
    first, *later = pico.pictures(STRIP)
    figure(f"Boot: dark after {first.at_us / 1e3:.0f} ms, on USB after {booted / 1e3:.0f} ms of the board's time.")
    assert booted < 1e6
    assert first.at_us < 1e6
    assert later
    assert set(whole([first, *later], PICO)) == {dark(PICO)}


def test_a_host_that_waits_for_it_is_answered_soon(boot: Boot, figure: Callable[[str], None]):
    pico = boot()
    with SerialBoard(PICO) as board:
        answered = pico.told_us
        assert board.hello.reset == "power-on"
    figure(f"Boot: a host that waits for the board is answered after {answered / 1e3:.0f} ms of the board's time.")
    assert answered < 2e6


def test_it_says_what_it_is_and_is_found_by_that(boot: Boot):
    pico = boot()
    assert pico.usb is not None
    assert (pico.usb.vid, pico.usb.product) == (0x2E8A, "Pop Out board")
    assert pico.usb.serial_number == UNIQUE_ID
    _, wire = talk_to(UNIQUE_ID.upper())
    hello = said_by(wire)
    wire.close()
    assert (hello.version, hello.unique, hello.model) == (__version__, UNIQUE_ID, "pico")
    assert (hello.digest, hello.switches, hello.lamps) == (digest(PICO), 10, 51)
    assert hello.reset == "power-on"


def test_a_program_that_closes_the_board_leaves_it_dark_at_once(boot: Boot):
    pico = boot()
    with SerialBoard(PICO) as board:
        board.show(Frame(((0x101010,) * 6,) * 7, (0x200000,) * 7, (0x10, 0x20)))
        asyncio.run(until(pico, lambda: light_of(pico, PICO) != dark(PICO)))
        closed = pico.now_us
    asyncio.run(until(pico, lambda: light_of(pico, PICO) == dark(PICO)))
    lit = max(picture.number for picture in pico.pictures(STRIP) if any(picture.wire))
    assert pico.pictures(STRIP, after=lit)[0].at_us - closed < 0.5e6


def test_another_layout_needs_no_other_base(boot: Boot, small: Layout, tmp_path: Path):
    boot(small)
    with pytest.raises(FirmwareLayoutDiffers):
        SerialBoard(PICO)

    pico = boot(small)
    at_rest(pico, small)
    lit = set()

    async def story() -> None:
        async with playing(pico, tmp_path / "games", "popout 4x4 connect=3", small) as seat:
            for word in MOVES.split():
                await seat.play(word)
                lit.add((pico.level(14), pico.level(15)))
            assert seat.was_true()

    asyncio.run(story())
    assert recorded(tmp_path / "games") == written("popout 4x4 connect=3", MOVES)
    assert {("low", "high"), ("high", "low")} <= lit
    asyncio.run(until(pico, lambda: (pico.level(14), pico.level(15)) == ("high", "high")))


def test_a_button_held_while_it_gets_current_lights_each_lamp_in_each_colour(boot: Boot, small: Layout):
    pico = boot(small, mode="free")
    at_rest(pico, small)
    button = pin_number(small.switches["take back"])
    pico.drive(button, level(small, "take back", True))
    pico.power_cycle()
    before = pico.picture_count(STRIP)
    lamps = len(small.places)
    pico.advance((4 * (lamps + 2) + 4) * STEP_S + 1)
    seen = set(whole(pico.pictures(STRIP, after=before), small))
    for colour in TEST_COLOURS:
        for lamp in range(lamps):
            assert tuple(colour if place == lamp else (0, 0, 0) for place in range(lamps)) in seen
    pico.drive(button, level(small, "take back", False))
    pico.advance(1)
    assert light_of(pico, small) == dark(small)


def test_files_that_another_program_left_on_the_flash_do_not_run(boot: Boot):
    pico = boot()
    # Those that MicroPython runs at the start, and those that the program imports: each would leave a mark.
    names = ["board.py", "boot.py", "chip.py", "failure.py", "main.py", "popout.py"]
    write = f"for name in {names}:\n with open(name, 'w') as file:\n  file.write('open(\"ran\", \"w\").close()')\n"
    look = "import os\nprint(sorted(os.listdir()))"
    assert at_prompt(pico, write + look) == repr(names)
    pico.power_cycle()
    pico.wait_for_port()
    with SerialBoard(PICO) as board:
        assert board.hello.digest == digest(PICO)
    assert at_prompt(pico, look) == repr(names)


def test_a_host_sends_it_to_the_boot_loader_and_it_takes_a_firmware(boot: Boot, image: Callable[[Layout], Path]):
    pico = boot()
    with SerialBoard(PICO) as board:
        board.show(Frame(((0x101010,) * 6,) * 7, (0x200000,) * 7, (0x10, 0x20)))
        asyncio.run(until(pico, lambda: light_of(pico, PICO) != dark(PICO)))
    _, wire = talk_to()
    assert wire.ask(words.TO_BOOT_LOADER) == ""
    asyncio.run(until(pico, lambda: pico.about().boot_loader))
    wire.close()
    assert light_of(pico, PICO) == dark(PICO)
    assert pico.port is None
    pico.write_firmware(image(PICO))
    pico.wait_for_port()
    SerialBoard(PICO).close()


def test_a_port_opened_at_1200_baud_leads_to_the_boot_loader(boot: Boot):
    pico = boot()
    serial.Serial(pico.port, 1200).close()
    asyncio.run(until(pico, lambda: pico.about().boot_loader))


def test_the_firmware_of_a_pico_2_is_compiled_from_the_same(base: Path):
    two = base_image("pico2", print)
    assert read_uf2(two.read_bytes(), two.name).model == "pico2"
    assert two.name.removesuffix("-pico2.uf2") == base.name.removesuffix("-pico.uf2")
