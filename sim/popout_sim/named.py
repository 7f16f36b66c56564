"""The faults by their names, and the text in which they are asked for: ``bounce,glitch:5ms,stuck:3@20s``."""

from __future__ import annotations

import dataclasses
import difflib
import re
from typing import Any, Final, get_args

from popout.rules.messages import Message, PopoutError, excerpt
from popout_sim import board_faults, contact_faults
from popout_sim.mischief import Fault

FAULTS: Final[tuple[type[Fault], ...]] = (
    contact_faults.BounceOnPress,
    contact_faults.BounceOnRelease,
    contact_faults.Glitch,
    contact_faults.TwoColumns,
    contact_faults.DoubleEdge,
    contact_faults.HeldAtStart,
    contact_faults.Stuck,
    contact_faults.Chattering,
    contact_faults.BarHalfOpen,
    contact_faults.LostEdge,
    contact_faults.HalfInserted,
    board_faults.OutOfTurn,
    board_faults.IntoFullColumn,
    board_faults.AfterTheEnd,
    board_faults.WrongPop,
    board_faults.PopWithBarClosed,
    board_faults.BarLeftOpen,
    board_faults.TopTaken,
    board_faults.TrayEmptied,
    board_faults.DeadLamp,
    board_faults.SwappedColours,
    board_faults.ReversedChain,
    board_faults.BoardAway,
    board_faults.PowerCut,
    board_faults.ClockBack,
)
"""Every fault that the simulator can make."""

GROUPS: Final = {"bounce": ("bounce-on-press", "bounce-on-release")}
"""Names that stand for several."""

ONLY_ON_WIRES: Final = ("link-cut", "bytes-flipped", "bytes-repeated", "other-name")
"""Faults of a serial link, which the simulator does not have."""

_BY_NAME: Final = {fault.name: fault for fault in FAULTS}
_WORD: Final = re.compile(r"(?P<name>[a-z-]+)(?P<values>(:[^:@]+)*)(@(?P<about>~?)(?P<time>[^:@]+))?")
_TIME: Final = re.compile(r"(?P<number>\d{1,6}(\.\d{1,3})?)(?P<unit>ms|s|min)")
_MILLISECONDS: Final = {"ms": 1.0, "s": 1000.0, "min": 60_000.0}
_EXAMPLES: Final = {
    "column": "3",
    "row": "2",
    "chance": "10%",
    "length_ms": "5ms",
    "moment": "during",
}


class FaultUnreadable(PopoutError, ValueError):
    """A text asks for no fault that there is."""

    code = "fault-unreadable"


def parse_faults(text: str) -> list[Fault]:
    """The faults that a text asks for, separated by commas: a name, then what it takes, then when.

    ::

        bounce                both ways of bouncing
        glitch:5ms            a pulse of that length
        lost-edge:10%         with that chance, also 0.1
        stuck:3               in that column
        dead-lamp:3:2         in that column and row
        power-cut:before      at that moment
        stuck:3@20s           once, 20 s after the start; for what hands bring about: the first time after that
        glitch:5ms@~2s        about every 2 s

    Times are in ``ms``, ``s`` or ``min``.

    :raises FaultUnreadable: a part of it is none of these; the message says which, and what is meant perhaps.
    """
    return [fault for word in text.split(",") for fault in _faults(word.strip())]


def _faults(word: str) -> list[Fault]:
    read = _WORD.fullmatch(word)
    if read is None:
        raise FaultUnreadable(
            Message(
                "“{word}” asks for no fault. Write such as “bounce”, “glitch:5ms”, “stuck:3@20s” or “top-taken@~10s”.",
                word=excerpt(word),
            )
        )
    when: dict[str, Any] = {}
    if read["time"]:
        when["about_every_ms" if read["about"] else "at_ms"] = _time(read["time"], word)
    names = GROUPS.get(read["name"], (read["name"],))
    values = read["values"].split(":")[1:]
    return [_fault(_kind(name), values, when, word) for name in names]


def _kind(name: str) -> type[Fault]:
    if name in _BY_NAME:
        return _BY_NAME[name]
    if name in ONLY_ON_WIRES:
        raise FaultUnreadable(
            Message(
                "The fault “{fault}” is one of a serial link, and the simulator has none. “board-away” is the nearest.",
                fault=name,
            )
        )
    close = difflib.get_close_matches(name, [*_BY_NAME, *GROUPS], 1)
    if close:
        raise FaultUnreadable(
            Message("There is no fault “{fault}”. Is “{close}” meant?", fault=excerpt(name), close=close[0])
        )
    raise FaultUnreadable(Message("There is no fault “{fault}”. “list” names all.", fault=excerpt(name)))


def _fault(kind: type[Fault], values: list[str], when: dict[str, Any], word: str) -> Fault:
    takes = [field.name for field in dataclasses.fields(kind) if field.init and field.name in _EXAMPLES]
    given: dict[str, Any] = {}
    for value in values:
        found = _value(value)
        # The first number is a column, the second a row.
        place = "row" if found and found[0] == "column" and "column" in given else found[0] if found else ""
        if found is None or place not in takes or place in given:
            raise FaultUnreadable(_not_taken(kind, takes, value))
        given[place] = found[1]
    if "about_every_ms" in when and kind.pace_ms is None:
        raise FaultUnreadable(
            Message("The fault “{fault}” does not come by itself, so “{word}” cannot be.", fault=kind.name, word=word)
        )
    return kind(**given, **when)


def _value(value: str) -> tuple[str, Any] | None:
    """Which parameter a value is one of, by the look of it, and what it is."""
    if value in get_args(board_faults.Moment):
        return "moment", value
    if re.fullmatch(r"[1-9]\d?", value):
        return "column", int(value)
    if re.fullmatch(r"0?\.\d{1,6}|[01]\.0*", value):
        return "chance", float(value)
    if re.fullmatch(r"(\d{1,2}(\.\d{1,4})?|100)%", value):
        return "chance", float(value[:-1]) / 100
    if _TIME.fullmatch(value):
        return "length_ms", _milliseconds(value)
    return None


def _time(text: str, word: str) -> float:
    if not _TIME.fullmatch(text) or not _milliseconds(text):
        raise FaultUnreadable(Message("The time in “{word}” is to be such as 500ms, 20s or 2min.", word=excerpt(word)))
    return _milliseconds(text)


def _milliseconds(text: str) -> float:
    read = _TIME.fullmatch(text)
    assert read is not None
    return float(read["number"]) * _MILLISECONDS[read["unit"]]


def _not_taken(kind: type[Fault], takes: list[str], value: str) -> Message:
    if not takes:
        return Message("The fault “{fault}” takes nothing, and not “{value}”.", fault=kind.name, value=excerpt(value))
    return Message(
        "The fault “{fault}” does not take “{value}”. Write such as “{example}”.",
        fault=kind.name,
        value=excerpt(value),
        example=":".join([kind.name, *(_EXAMPLES[name] for name in takes)]),
    )
