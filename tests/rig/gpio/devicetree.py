"""A device tree as a boot loader hands it to the kernel, with what programs look at to know a Raspberry Pi."""

from __future__ import annotations

import struct
from collections.abc import Mapping

PI_4_REVISION = 0xC03111
"""The revision code of a Raspberry Pi 4 Model B of 4 GB."""
PI_4_MODEL = "Raspberry Pi 4 Model B Rev 1.1"

_MAGIC, _VERSION, _COMPATIBLE_VERSION = 0xD00DFEED, 17, 16
_BEGIN, _END, _PROPERTY, _LAST = 1, 2, 3, 9
_HEADER = struct.Struct(">10I")

Node = Mapping[str, "bytes | Node"]


def raspberry_pi(model: str = PI_4_MODEL, revision: int = PI_4_REVISION) -> bytes:
    """The tree of a Raspberry Pi, flattened."""
    return flattened(
        {
            "#address-cells": _cell(1),
            "#size-cells": _cell(1),
            "model": _text(model),
            "compatible": _text("raspberrypi,4-model-b", "brcm,bcm2711"),
            "system": {"linux,revision": _cell(revision)},
        }
    )


def flattened(root: Node) -> bytes:
    """A tree of nodes and properties, as the Devicetree Specification writes it down (version 17)."""
    names = b""
    places: dict[str, int] = {}

    def padded(content: bytes) -> bytes:
        return content + b"\0" * (-len(content) % 4)

    def written(name: str, node: Node) -> bytes:
        nonlocal names
        content = _cell(_BEGIN) + padded(name.encode() + b"\0")
        for key, value in sorted(node.items(), key=lambda item: isinstance(item[1], Mapping)):
            if isinstance(value, Mapping):
                content += written(key, value)
                continue
            if key not in places:
                places[key] = len(names)
                names += key.encode() + b"\0"
            content += struct.pack(">3I", _PROPERTY, len(value), places[key]) + padded(value)
        return content + _cell(_END)

    structure = written("", root) + _cell(_LAST)
    reserved = bytes(16)  # an empty list of memory
    at_reserved = _HEADER.size
    at_structure = at_reserved + len(reserved)
    at_names = at_structure + len(structure)
    header = _HEADER.pack(
        _MAGIC,
        at_names + len(names),
        at_structure,
        at_names,
        at_reserved,
        _VERSION,
        _COMPATIBLE_VERSION,
        0,
        len(names),
        len(structure),
    )
    return header + reserved + structure + names


def _cell(value: int) -> bytes:
    return struct.pack(">I", value)


def _text(*texts: str) -> bytes:
    return b"".join(text.encode() + b"\0" for text in texts)
