"""Recordings of raw switch events, and playing them through the same controller as a real board's. Pure.

A recording is lines of JSON: a header with the board's size, the rules and how its columns are actuated, then one edge
a line, bounce and all, with its time in milliseconds::

    {"popout-recording": 1, "layout": {"columns": 7, "rows": 6}, "rules": "popout 7x6", "actuation": "button"}
    {"t": 1203.4, "switch": "column 4", "closed": true}
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import msgspec

from popout.board.layout import Layout
from popout.board.switches import SwitchEvent
from popout.play.controller import Controller
from popout.play.settings import Settings
from popout.rules import Game, Message, PopoutError, RuleSet
from popout.rules.messages import excerpt
from popout.rules.setup import LINE_END

QUIET_MS = 10_000
"""How long the board is watched after the last edge: longer than any hold."""

_Size = Annotated[int, msgspec.Meta(ge=1, le=32)]
_Time = Annotated[float, msgspec.Meta(ge=0, le=1e12)]


class RecordingError(PopoutError, ValueError):
    """A recording that cannot be read, or does not fit together. :ivar line: where, from 1."""

    code = "recording"

    def __init__(self, message: Message, line: int) -> None:
        super().__init__(message)
        self.line = line


class _Board(msgspec.Struct, forbid_unknown_fields=True):
    columns: _Size
    rows: _Size


class _Header(msgspec.Struct, forbid_unknown_fields=True):
    version: Literal[1] = msgspec.field(name="popout-recording")
    layout: _Board
    rules: str
    actuation: Literal["button", "disc"] = "button"
    closed: list[str] = []


class _Edge(msgspec.Struct, forbid_unknown_fields=True):
    t: _Time
    switch: Annotated[str, msgspec.Meta(max_length=40)]
    closed: bool


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording, read: the board, the rules, the switches that were closed at its start, and the edges."""

    layout: Layout
    rules: RuleSet
    closed: frozenset[str]
    edges: tuple[SwitchEvent, ...]


def parse_recording(text: str) -> Recording:
    """Read a recording.

    :raises RecordingError: a line cannot be read, an edge is older than the one before it, or the rules do not fit.
    """
    numbered_lines = enumerate(LINE_END.split(text.removeprefix("\ufeff")), 1)
    lines = [(number, line) for number, line in numbered_lines if line.strip()]
    if not lines:
        raise RecordingError(Message("The recording is empty. Its first line says which board it is of."), 1)
    header = _decode(lines[0], _Header)
    layout = replace(Layout.plain(header.layout.columns, header.layout.rows), actuation=header.actuation)
    try:
        rules = RuleSet.parse(header.rules)
    except PopoutError as error:
        raise RecordingError(error.message, lines[0][0]) from None
    if (rules.columns, rules.rows) != (layout.columns, layout.rows):
        raise RecordingError(
            Message(
                "The rules are for a grid of {size}, but the board is {board}.",
                size=f"{rules.columns}x{rules.rows}",
                board=f"{layout.columns}x{layout.rows}",
            ),
            lines[0][0],
        )
    for switch in header.closed:
        _check_switch(switch, layout, lines[0][0])
    return Recording(layout, rules, frozenset(header.closed), _edges(lines[1:], layout))


def replay(recording: Recording, settings: Settings | None = None) -> Controller:
    """Let a controller live through a recording, waking it when it asks to be; what it saves is saved at once."""
    levels = {switch: switch in recording.closed for switch in recording.layout.switches}
    now = recording.edges[0].time if recording.edges else 0.0
    controller = Controller(
        recording.layout, settings or Settings(), Game.start(recording.rules), levels=levels, now=now
    )
    for edge in recording.edges:
        _let_time_pass(controller, now, edge.time, levels)
        now = edge.time
        levels[edge.switch] = edge.closed
        controller.edge(edge)
        _save(controller, now)
    _let_time_pass(controller, now, now + QUIET_MS, levels)
    return controller


def _let_time_pass(controller: Controller, now: float, until: float, levels: dict[str, bool]) -> None:
    while (due := controller.deadline()) is not None and due < until:
        now = max(due, now)
        controller.tick(now, levels)
        _save(controller, now)


def _save(controller: Controller, now: float) -> None:
    while controller.unsaved is not None:
        controller.saved(now)


def _edges(lines: list[tuple[int, str]], layout: Layout) -> tuple[SwitchEvent, ...]:
    edges: list[SwitchEvent] = []
    for number, line in lines:
        edge = _decode((number, line), _Edge)
        _check_switch(edge.switch, layout, number)
        if edges and edge.t < edges[-1].time:
            raise RecordingError(
                Message("This edge is older than the one before it. Sort the lines by their times."), number
            )
        edges.append(SwitchEvent(edge.switch, edge.closed, edge.t))
    return tuple(edges)


def _check_switch(switch: str, layout: Layout, line: int) -> None:
    if switch not in layout.switches:
        raise RecordingError(Message('This board has no switch "{switch}".', switch=excerpt(switch)), line)


def _decode(line: tuple[int, str], kind: Any) -> Any:
    number, text = line
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise RecordingError(
            Message(
                "This line is no part of a recording ({reason}). Write such as {example}",
                reason=str(error),
                example=_EXAMPLES[kind],
            ),
            number,
        ) from None


_EXAMPLES = {
    _Header: '{"popout-recording": 1, "layout": {"columns": 7, "rows": 6}, "rules": "popout 7x6"}',
    _Edge: '{"t": 1203.4, "switch": "column 4", "closed": true}',
}
