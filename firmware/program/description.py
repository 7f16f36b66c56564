"""The board that this is the firmware of: its pins and lamps, as the computer has put them into the flash memory.

They are in a sector of their own: 8 bytes of magic, 4 of the length of the JSON and 4 of its CRC-32, both
little-endian, and the JSON. Its keys are explained in `popout.board.serial.description`.
"""

import binascii
import json
import struct

import uctypes
from micropython import const

from popout.link.words import NO_BOARD

_ADDRESS = const(0x1009F000)
_SECTOR_BYTES = const(4096)
_HEADER = "<8sII"
_HEADER_BYTES = const(16)
_MAGIC = b"POPOUT1\n"


def read() -> dict:
    """The description; of no board at all if there is none, or it is damaged."""
    magic, length, checksum = struct.unpack(_HEADER, uctypes.bytearray_at(_ADDRESS, _HEADER_BYTES))
    if magic == _MAGIC and length <= _SECTOR_BYTES - _HEADER_BYTES:
        content = uctypes.bytearray_at(_ADDRESS + _HEADER_BYTES, length)
        if binascii.crc32(content) == checksum:
            return json.loads(content.decode())
    return nothing()


def nothing() -> dict:
    """What there is to describe without a board: a host can still talk to the chip, and give it another firmware."""
    return {"digest": NO_BOARD, "pull": "none", "switches": [], "lamps": None, "leds": None, "picture": 0}
