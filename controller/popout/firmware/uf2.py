"""UF2: the files that a Pico takes when they are dropped onto the drive that it is while its button is held.

The format is Microsoft's: blocks of 512 bytes, each with an address and a piece of the flash memory for it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from popout.firmware.errors import FirmwareError
from popout.rules.messages import Message

FAMILIES: Final[Mapping[str, int]] = MappingProxyType({"pico": 0xE48BFF56, "pico2": 0xE48BFF59})
"""The models of a Pico, each with the number by which its boot loader knows a file that is for it.

That of the Pico 2 is for its ARM cores; there is another for its RISC-V cores.
"""

FLASH: Final = 0x10000000
"""Where the flash memory begins."""
SECTOR: Final = 4096
"""Flash memory is erased in pieces of this many bytes."""
PAGE: Final = 256
"""Flash memory is written in pieces of this many bytes; so much has each block of a file."""

_BLOCK: Final = struct.Struct("<8I476sI")
_FIRST, _SECOND, _LAST = 0x0A324655, 0x9E5D5157, 0x0AB16F30
_NOT_FOR_FLASH, _HAS_FAMILY = 0x00000001, 0x00002000
_FLASH_BYTES: Final = 16 * 1024 * 1024  # as much as either model can address
_ERASED: Final = b"\xff"


class Uf2Invalid(FirmwareError, ValueError):
    """A file is no UF2 file, or none for a Pico."""

    code = "uf2-invalid"


@dataclass(frozen=True)
class Image:
    """What is to be in the flash memory of a Pico.

    :ivar model: ``pico`` or ``pico2``.
    :ivar sectors: whole sectors by their address, in rising order. What is left out stays as it is.
    """

    model: str
    sectors: Mapping[int, bytes]

    def __post_init__(self) -> None:
        object.__setattr__(self, "sectors", MappingProxyType(dict(sorted(self.sectors.items()))))

    @classmethod
    def of(cls, model: str, data: bytes, address: int = FLASH) -> Image:
        """The image with these bytes from this address on, which must be that of a sector."""
        return cls(
            model,
            {
                address + start: data[start : start + SECTOR].ljust(SECTOR, _ERASED)
                for start in range(0, len(data), SECTOR)
            },
        )

    def pieces(self) -> Iterator[bytes]:
        """What stands there without a gap, from the first sector on."""
        piece, end = b"", FLASH
        for address, sector in self.sectors.items():
            if address != end and piece:
                yield piece
                piece = b""
            piece, end = piece + sector, address + SECTOR
        yield piece


def write_uf2(image: Image) -> bytes:
    """The file for an image: whole sectors, as the boot loaders want it, since they erase one for its first page."""
    pages = [
        (address + start, sector[start : start + PAGE])
        for address, sector in image.sectors.items()
        for start in range(0, SECTOR, PAGE)
    ]
    family = FAMILIES[image.model]
    return b"".join(
        _BLOCK.pack(_FIRST, _SECOND, _HAS_FAMILY, address, PAGE, number, len(pages), family, page, _LAST)
        for number, (address, page) in enumerate(pages)
    )


def read_uf2(data: bytes, file: str) -> Image:
    """The image in a UF2 file; what it leaves out of a sector is as erased.

    Blocks of families that are no model's are skipped as the boot loaders do: makers of files for the Pico 2 put one
    in front that no model takes.

    :param file: its name, for the sentence.
    :raises Uf2Invalid: it is none, is damaged, or is for something else than a Pico's flash memory.
    """
    models = {family: model for model, family in FAMILIES.items()}
    ours = [block for block in _blocks(data, file) if block.family in models]
    if len({block.family for block in ours}) != 1:
        raise Uf2Invalid(
            Message(
                "{file} is no firmware for one model of a Pico. Take a file that was made for the one you have.",
                file=file,
            )
        )
    if any((block.number, block.total) != (number, len(ours)) for number, block in enumerate(ours)):
        raise _damaged(file)
    pages = {block.address: block.page for block in ours}
    if len(pages) != len(ours):
        raise _damaged(file)
    return Image(models[ours[0].family], _sectors(pages))


class _Block(NamedTuple):
    number: int
    total: int
    family: int
    address: int
    page: bytes


def _blocks(data: bytes, file: str) -> Iterator[_Block]:
    """The blocks that are for a flash memory."""
    if not data or len(data) % _BLOCK.size or data[:8] != struct.pack("<2I", _FIRST, _SECOND):
        raise Uf2Invalid(
            Message("{file} is no UF2 file, which is what a Pico takes. Look at its name and folder.", file=file)
        )
    for first, second, flags, address, size, number, total, family, content, last in _BLOCK.iter_unpack(data):
        if (first, second, last) != (_FIRST, _SECOND, _LAST):
            raise _damaged(file)
        if flags & _NOT_FOR_FLASH:
            continue
        if not flags & _HAS_FAMILY:
            family = 0  # the field has another meaning
        if family in FAMILIES.values() and (
            size != PAGE or address % PAGE or not FLASH <= address < FLASH + _FLASH_BYTES
        ):
            raise Uf2Invalid(
                Message(
                    "{file} is not for the flash memory of a Pico, as firmware is. Take another file.",
                    file=file,
                )
            )
        yield _Block(number, total, family, address, content[:PAGE])


def _damaged(file: str) -> Uf2Invalid:
    return Uf2Invalid(Message("{file} is damaged: blocks of it are missing or wrong. Get it anew.", file=file))


def _sectors(pages: Mapping[int, bytes]) -> dict[int, bytes]:
    erased = _ERASED * PAGE
    return {
        sector: b"".join(pages.get(address, erased) for address in range(sector, sector + SECTOR, PAGE))
        for sector in {address - address % SECTOR for address in pages}
    }
