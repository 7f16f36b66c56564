"""The board in the firmware: one sector of flash memory, between the program and the files, has its description.

So one base image does for every layout, and putting another one in needs no compiler. The sector is::

    8 bytes  b"POPOUT1\n"
    4 bytes  the length of the JSON, little-endian
    4 bytes  the CRC-32 of the JSON, little-endian
    ...      the JSON (UTF-8) of `popout.board.serial.description`
    0xFF     up to the end
"""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import replace
from typing import Any, Final

from popout.board.serial.description import canonical
from popout.board.serial.ports import PRODUCT
from popout.firmware.errors import FirmwareError
from popout.firmware.uf2 import SECTOR, Image
from popout.rules.messages import N_, Message

ADDRESS: Final = 0x1009F000
"""Of the sector. On a Pico files begin behind it, on a Pico 2 further on."""
MAGIC: Final = b"POPOUT1\n"
TITLES: Final = N_({"pico": "Pico", "pico2": "Pico 2"})
"""The models of a Pico as people call them."""

_HEADER: Final = struct.Struct("<8sII")
_ERASED: Final = b"\xff"
_MOST_BYTES: Final = SECTOR - _HEADER.size


class NotOurFirmware(FirmwareError, ValueError):
    """An image is the firmware of something else."""

    code = "not-our-firmware"


class FirmwareTooLarge(FirmwareError, ValueError):
    """The program reaches into the sector of the description."""

    code = "firmware-too-large"


class DescriptionTooLong(FirmwareError, ValueError):
    """The description of the board does not fit into its sector."""

    code = "description-too-long"


class DescriptionMissing(FirmwareError, LookupError):
    """The image has no board in it, or one that is damaged."""

    code = "description-missing"


def with_description(base: Image, told: dict[str, Any], file: str) -> Image:
    """The base image with a description in it; one that is in it already is replaced.

    :param told: as `popout.board.serial.description` makes it.
    :param file: the name of the base, for the sentences.
    :raises NotOurFirmware: the base is another firmware, which would not know what to do with it.
    :raises FirmwareTooLarge: the program takes the place of the sector.
    :raises DescriptionTooLong: the description takes more than the sector.
    """
    check_is_ours(base, file)
    if ADDRESS in base.sectors and not base.sectors[ADDRESS].startswith(MAGIC):
        raise FirmwareTooLarge(
            Message(
                "The program in {file} is too large: it reaches into the sector for the board's description. Take "
                "another base file.",
                file=file,
            )
        )
    content = canonical(told)
    if len(content) > _MOST_BYTES:
        raise DescriptionTooLong(
            Message(
                "The description of the board takes {bytes} bytes, and the firmware has room for {most}. Give the "
                "board a shorter title in its layout.",
                bytes=len(content),
                most=_MOST_BYTES,
            )
        )
    sector = _HEADER.pack(MAGIC, len(content), zlib.crc32(content)) + content
    return replace(base, sectors={**base.sectors, ADDRESS: sector.ljust(SECTOR, _ERASED)})


def check_is_ours(image: Image, file: str) -> None:
    """Refuse an image of something else.

    :param file: its name, for the sentence.
    :raises NotOurFirmware: it is another firmware.
    """
    # As what the board shows itself on the USB is in its firmware.
    if not any(PRODUCT.encode() in piece for piece in image.pieces()):
        raise NotOurFirmware(
            Message(
                "{file} is not the firmware of a Pop Out board. Take a file that “popout firmware build” has made.",
                file=file,
            )
        )


def description_in(image: Image, file: str) -> dict[str, Any]:
    """The description that is in an image.

    :param file: its name, for the sentence.
    :raises DescriptionMissing: there is none, or it is damaged.
    """
    magic, length, checksum = _HEADER.unpack_from(image.sectors.get(ADDRESS, bytes(_HEADER.size)))
    if magic == MAGIC and length <= _MOST_BYTES:
        content = image.sectors[ADDRESS][_HEADER.size : _HEADER.size + length]
        if zlib.crc32(content) == checksum:
            told = json.loads(content)
            assert isinstance(told, dict)
            return told
    raise DescriptionMissing(
        Message(
            "{file} has no board described in it, so it is no firmware that can be used. Make one with “popout "
            "firmware build”.",
            file=file,
        )
    )
