"""What an opponent cannot do, as sentences."""

from __future__ import annotations

from popout.rules import Message, PopoutError


class OpponentError(PopoutError):
    """An opponent, or what it knows, cannot be had as wanted."""

    code = "opponent"


class NotEnoughMemory(OpponentError, MemoryError):
    """Less memory than the least that is needed, or than was allowed, can be had."""

    code = "not-enough-memory"


def too_little_memory(given: int, least: int) -> NotEnoughMemory:
    """That somebody allows less than is needed at all; both in MiB."""
    return NotEnoughMemory(
        Message("{given} MiB of memory are too little. Allow at least {least}.", given=given, least=least)
    )


def no_memory_left(wanted: int) -> NotEnoughMemory:
    """That the system has not as much as was allowed; in MiB."""
    return NotEnoughMemory(
        Message("{wanted} MiB of memory cannot be had now. Close other programs, or allow less.", wanted=wanted)
    )
