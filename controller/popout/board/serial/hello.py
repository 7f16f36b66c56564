"""What a board says of itself when it is greeted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from popout.board.driver import BoardError
from popout.link import words
from popout.rules.messages import Message

INSTALL: Final = "popout firmware install"
"""The command that installs a board's firmware, if no layout is named."""
MOST_SWITCHES: Final = 64
MOST_LAMPS: Final = 65_536
"""No board has more; one that says so is none."""


class FirmwareProtocolError(BoardError):
    """The firmware speaks another protocol."""

    code = "firmware-protocol"


@dataclass(frozen=True, slots=True)
class Hello:
    """What a board says of itself.

    :ivar version: of its firmware. :ivar unique: its id, also its serial number on USB. :ivar digest: of its layout.
    :ivar switches, lamps: how many it has. :ivar reset: why it started. :ivar model: ``pico`` or ``pico2``.
    """

    protocol: str
    version: str
    unique: str
    digest: str
    switches: int
    lamps: int
    reset: str
    model: str


def read_hello(payload: str) -> Hello | None:
    """What the payload of a hello says; None if it is none."""
    fields = words.fields(payload, 8)
    if fields is None:
        return None
    protocol, version, unique, digest, _, _, reset, model = fields
    switches, lamps = map(words.number, fields[4:6])
    if switches is None or lamps is None or switches > MOST_SWITCHES or lamps > MOST_LAMPS:
        return None
    return Hello(protocol, version, unique, digest, switches, lamps, reset, model)


def wrong_protocol(theirs: str, install: str) -> FirmwareProtocolError:
    """Why a board that speaks the protocol `theirs` cannot be talked with; `install` is the command that mends it."""
    major = words.number(theirs.split(".")[0]) or 0
    if major < words.MAJOR:
        return FirmwareProtocolError(
            Message(
                "The board's firmware speaks protocol {theirs}, this program {ours}. Update the board: {command}",
                theirs=theirs,
                ours=f"{words.MAJOR}.{words.MINOR}",
                command=install,
            )
        )
    return FirmwareProtocolError(
        Message(
            "The board's firmware speaks protocol {theirs}, this program {ours}. Update this program.",
            theirs=theirs,
            ours=f"{words.MAJOR}.{words.MINOR}",
        )
    )
