"""UF2 files: whole sectors, numbered blocks, and a sentence for a file that is none."""

from __future__ import annotations

import struct

import pytest

from popout.firmware.uf2 import FAMILIES, FLASH, PAGE, SECTOR, Image, Uf2Invalid, read_uf2, write_uf2

PROGRAM = bytes(range(256)) * 20  # a sector and a quarter


def words(file: bytes, number: int) -> tuple[int, ...]:
    """The nine numbers of a block: its first eight and its last."""
    block = file[number * 512 : (number + 1) * 512]
    return struct.unpack("<8I", block[:32]) + struct.unpack("<I", block[-4:])


def changed(file: bytes, number: int, place: int, value: int) -> bytes:
    """The file with the word at this place of a block replaced."""
    at = number * 512 + place
    return file[:at] + struct.pack("<I", value) + file[at + 4 :]


def refusal(data: bytes) -> str:
    with pytest.raises(Uf2Invalid) as caught:
        read_uf2(data, "some.uf2")
    return str(caught.value)


@pytest.mark.parametrize(("model", "family"), [("pico", 0xE48BFF56), ("pico2", 0xE48BFF59)])
def test_a_file_is_blocks_with_numbers_and_addresses_for_one_model(model: str, family: int):
    file = write_uf2(Image.of(model, PROGRAM))

    assert len(file) == 32 * 512
    for number in range(32):
        assert words(file, number) == (
            *(0x0A324655, 0x9E5D5157, 0x2000, FLASH + number * PAGE, PAGE, number, 32, family),
            0x0AB16F30,
        )


def test_the_last_sector_is_filled_up_as_if_erased():
    file = write_uf2(Image.of("pico", PROGRAM))

    pages = b"".join(file[number * 512 + 32 : number * 512 + 32 + PAGE] for number in range(32))
    assert pages == PROGRAM + b"\xff" * (2 * SECTOR - len(PROGRAM))


@pytest.mark.parametrize("model", FAMILIES)
def test_what_was_written_is_read(model: str):
    image = Image(model, {FLASH + 9 * SECTOR: b"b" * SECTOR, FLASH: b"a" * SECTOR})

    read = read_uf2(write_uf2(image), "some.uf2")

    assert read == image
    assert list(read.sectors) == [FLASH, FLASH + 9 * SECTOR]


def test_a_sector_of_which_a_file_has_a_part_is_read_as_erased_for_the_rest():
    whole = write_uf2(Image.of("pico", PROGRAM))
    part = b"".join(changed(whole[n * 512 : (n + 1) * 512], 0, 24, 20) for n in range(20))

    assert read_uf2(part, "some.uf2") == Image.of("pico", PROGRAM)


def test_pieces_are_what_stands_without_a_gap():
    image = Image("pico", {FLASH: b"a" * SECTOR, FLASH + SECTOR: b"b" * SECTOR, FLASH + 9 * SECTOR: b"c" * SECTOR})

    assert list(image.pieces()) == [b"a" * SECTOR + b"b" * SECTOR, b"c" * SECTOR]


def test_a_block_in_front_that_no_model_takes_is_skipped():
    image = Image.of("pico2", PROGRAM)
    absolute = struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0xA000, 0x10FFFF00, PAGE, 0, 2, 0xE48BFF57)
    front = absolute + b"\xef" * 256 + bytes(220) + struct.pack("<I", 0x0AB16F30)

    assert read_uf2(front + write_uf2(image), "some.uf2") == image


def test_a_block_that_is_not_for_the_flash_memory_is_skipped():
    image = Image.of("pico", PROGRAM)
    comment = changed(write_uf2(image)[:512], 0, 8, 0x2001)

    assert read_uf2(comment + write_uf2(image), "some.uf2") == image


@pytest.mark.parametrize(
    "data",
    [b"", b"\x7fELF", b"<html>" * 512, write_uf2(Image.of("pico", PROGRAM))[:-1]],
    ids=("empty", "elf", "html", "cut"),
)
def test_another_kind_of_file_is_refused(data: bytes):
    assert refusal(data) == "some.uf2 is no UF2 file, which is what a Pico takes. Look at its name and folder."


FILE = write_uf2(Image.of("pico", PROGRAM))


@pytest.mark.parametrize(
    "data",
    [
        changed(FILE, 3, 0, 0),
        changed(FILE, 3, 4, 0),
        changed(FILE, 3, 508, 0),
        FILE[: 31 * 512],
        FILE[512:],
        FILE[: 3 * 512] + FILE[4 * 512 :],
        FILE + FILE[:512],
        changed(FILE, 3, 12, FLASH),
        changed(FILE, 3, 24, 31),
    ],
    ids=("first", "second", "last", "no end", "no start", "a gap", "too many", "one place twice", "another count"),
)
def test_a_damaged_file_is_refused(data: bytes):
    assert refusal(data) == "some.uf2 is damaged: blocks of it are missing or wrong. Get it anew."


@pytest.mark.parametrize(
    "data",
    [
        changed(write_uf2(Image("pico", {FLASH: bytes(SECTOR)}))[:512], 0, 28, 0xADA52840),
        changed(FILE[:512], 0, 8, 0),
        FILE + write_uf2(Image.of("pico2", PROGRAM)),
    ],
    ids=("another chip", "no family", "both models"),
)
def test_a_file_that_is_not_for_one_model_is_refused(data: bytes):
    assert refusal(data) == (
        "some.uf2 is no firmware for one model of a Pico. Take a file that was made for the one you have."
    )


@pytest.mark.parametrize(
    "data",
    [changed(FILE, 3, 12, 0x20000000), changed(FILE, 3, 12, FLASH + 8), changed(FILE, 3, 16, 128)],
    ids=("memory", "no page", "half a page"),
)
def test_a_file_for_another_memory_is_refused(data: bytes):
    assert refusal(data) == "some.uf2 is not for the flash memory of a Pico, as firmware is. Take another file."
