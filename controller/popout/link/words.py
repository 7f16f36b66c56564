"""The words of the link: what the kinds of frames mean, and the fields of their payloads.

The file runs unchanged on CPython and on MicroPython. Fields are separated by a colon; numbers in them are hex without
a fixed width. `firmware/README.md` explains each frame for whoever writes a board or a host of their own.
"""

MAJOR = 1
"""The protocol's number. Ends of different numbers do not talk to each other."""
MINOR = 0
"""Counts what was added to the protocol without breaking it."""

NO_BOARD = "00000000"
"""The digest of a firmware in which no board is described."""

# From the host
HELLO = "h"
DEBOUNCE = "d"
LAMPS = "l"
PING = "p"
ASK_STATE = "s"
ACK_EVENT = "a"
SELF_TEST = "t"
TO_PROMPT = "q"
TO_BOOT_LOADER = "b"
ASK_LOG = "g"
BYE = "x"

# From the board
HELLO_BACK = "H"
ACK = "A"
REFUSAL = "R"
PONG = "P"
STATE = "S"
EVENT = "E"
LOG = "G"

# Why a board refuses
WRONG_PROTOCOL = "protocol"
HELLO_FIRST = "hello-first"
UNKNOWN_KIND = "unknown-kind"
UNREADABLE = "unreadable"
INCOMPLETE = "incomplete"

SILENCE_MS = 1500
"""A board that hears nothing for so long goes dark, and forgets what it wanted to say."""
PING_MS = 500
"""How often a host says something at least."""
RESEND_MS = 100
"""After so long an event without acknowledgement is sent again, and again: hands do not wait long for an answer."""
LAST_WORDS_MS = 20
"""So long a board that is about to leave its program waits for what it said last to be sent."""
MOST_EVENTS = 16
"""So many events a board keeps that were not acknowledged. With more, the host has to say hello again."""

CLOCK_MODULUS = 1 << 30
"""A board's clock in milliseconds begins anew after so many, which MicroPython still counts without taking memory."""


def fields(payload: str, count: int) -> list[str] | None:
    """The fields of a payload; None if they are not so many."""
    parts = payload.split(":")
    return parts if len(parts) == count else None


def number(text: str) -> int | None:
    """The number that a field is in hex; None if it is none, or an absurdly long one."""
    if not 0 < len(text) <= 16:
        return None
    value = 0
    for letter in text:
        digit = "0123456789ABCDEF".find(letter)
        if digit < 0:
            return None
        value = value << 4 | digit
    return value


def numbers(payload: str, count: int) -> list[int] | None:
    """The numbers that a payload of so many fields is; None if it is something else."""
    found = []
    for part in payload.split(":"):
        value = number(part)
        if value is None:
            return None
        found.append(value)
    return found if len(found) == count else None


def joined(*values: int) -> str:
    """The payload of these numbers."""
    return ":".join([f"{value:X}" for value in values])


def plain(text: str, most: int) -> str:
    """A text as it may stand in a payload's last field: printable, and not longer than `most`."""
    return "".join([letter if " " <= letter <= "~" else "?" for letter in text[:most]])
