"""The board in the firmware: put in, read back, and refused where it does not fit."""

from __future__ import annotations

import json
import struct
import zlib
from typing import Any

import pytest

from popout.board.layout import Layout
from popout.board.serial.description import description
from popout.firmware.image import (
    DescriptionMissing,
    DescriptionTooLong,
    FirmwareTooLarge,
    NotOurFirmware,
    description_in,
    with_description,
)
from popout.firmware.uf2 import FLASH, SECTOR, Image

PLACE = 0x1009F000
BASE = Image.of("pico", b"code " * 1000 + b"Pop Out board\0" + b"more code " * 1000)
TOLD: dict[str, Any] = {"digest": "12345678", "title": "Größe 7×6"}


def test_a_description_is_a_sector_of_its_own_behind_the_program():
    image = with_description(BASE, TOLD, "base.uf2")

    assert {**image.sectors, PLACE: b""} == {**BASE.sectors, PLACE: b""}
    sector = image.sectors[PLACE]
    magic, length, checksum = struct.unpack_from("<8sII", sector)
    assert magic == b"POPOUT1\n"
    content = sector[16 : 16 + length]
    assert json.loads(content) == TOLD
    assert zlib.crc32(content) == checksum
    assert sector[16 + length :] == b"\xff" * (SECTOR - 16 - length)


def test_a_description_is_read_back():
    told = description(Layout.load("7x6-pico"))

    assert description_in(with_description(BASE, told, "base.uf2"), "made.uf2") == told


def test_a_description_is_found_by_its_name_across_the_edge_of_a_sector():
    base = Image.of("pico", b"x" * (SECTOR - 5) + b"Pop Out board")

    assert description_in(with_description(base, TOLD, "base.uf2"), "made.uf2") == TOLD


def test_a_description_that_is_there_is_replaced():
    first = with_description(BASE, {"title": "another board, with a longer name"}, "base.uf2")

    assert with_description(first, TOLD, "made.uf2") == with_description(BASE, TOLD, "base.uf2")


def test_a_program_that_reaches_into_the_sector_is_refused():
    base = Image.of("pico", b"Pop Out board".ljust(PLACE - FLASH + 1, b"x"))

    with pytest.raises(FirmwareTooLarge) as caught:
        with_description(base, TOLD, "base.uf2")

    assert str(caught.value) == (
        "The program in base.uf2 is too large: it reaches into the sector for the board's description. Take another "
        "base file."
    )


def test_a_program_up_to_the_sector_is_not():
    base = Image.of("pico", b"Pop Out board".ljust(PLACE - FLASH, b"x"))

    assert description_in(with_description(base, TOLD, "base.uf2"), "made.uf2") == TOLD


def test_a_description_may_fill_the_sector_and_no_more():
    most = SECTOR - 16 - len('{"title":""}')
    assert len(with_description(BASE, {"title": "x" * most}, "base.uf2").sectors[PLACE]) == SECTOR

    with pytest.raises(DescriptionTooLong) as caught:
        with_description(BASE, {"title": "x" * (most + 1)}, "base.uf2")

    assert str(caught.value) == (
        "The description of the board takes 4081 bytes, and the firmware has room for 4080. Give the board a shorter "
        "title in its layout."
    )


def test_another_firmware_is_refused():
    with pytest.raises(NotOurFirmware) as caught:
        with_description(Image.of("pico", b"MicroPython" * 1000), TOLD, "base.uf2")

    assert str(caught.value) == (
        "base.uf2 is not the firmware of a Pop Out board. Take a file that “popout firmware build” has made."
    )


def damaged(place: int) -> Image:
    made = with_description(BASE, TOLD, "base.uf2")
    sector = bytearray(made.sectors[PLACE])
    sector[place] ^= 1
    return Image("pico", {**made.sectors, PLACE: bytes(sector)})


@pytest.mark.parametrize(
    "image",
    [BASE, damaged(0), damaged(8), damaged(9), damaged(12), damaged(20)],
    ids=("none", "magic", "length", "great length", "checksum", "text"),
)
def test_an_image_with_no_whole_description_is_refused(image: Image):
    with pytest.raises(DescriptionMissing) as caught:
        description_in(image, "made.uf2")

    assert str(caught.value) == (
        "made.uf2 has no board described in it, so it is no firmware that can be used. Make one with “popout firmware "
        "build”."
    )
