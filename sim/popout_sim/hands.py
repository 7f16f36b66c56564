"""People at the buttons: a script of gestures becomes raw edges with human times, and a recording of them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable
from typing import Any, Final, Literal

from popout.board.switches import BAR, MENU, TAKE_BACK, SwitchEvent, column_switch, numbered
from popout.rules.messages import Message, PopoutError
from popout_sim.contacts import LIGHT, Contact, Contacts

REACTION_MS: Final = (400.0, 1500.0)
"""How long a person waits before the next gesture."""

PRESS_MS: Final = (60.0, 250.0)
"""How long a tap lasts."""

SLIP_MS: Final = (5.0, 30.0)
"""How long after the first finger a second one slips onto another button."""

_GESTURES: Final = re.compile(
    r"(?P<bar>open|close) bar"
    r"|tap (?P<bar_slip>.+) and (?P<bar_moves>open|close) bar"
    r"|tap (?P<tap>.+?)(?: and (?P<tap_also>.+))?"
    r"|hold (?P<hold>.+?)(?: and (?P<hold_also>.+))? for (?P<hold_ms>\d{1,6})"
    r"|press (?P<press>.+)|release (?P<release>.+)|wait (?P<wait_ms>\d{1,6})"
)


class GestureUnreadable(PopoutError, ValueError):
    """A line of a script is no gesture."""

    code = "gesture-unreadable"


def perform(script: Iterable[str], *, seed: int = 0, contact: Contact = LIGHT, start: float = 0.0) -> list[SwitchEvent]:
    """Do the gestures of `script` one after the other, at a person's pace; the edges come in ascending time.

    `script` has one gesture a line; ``4`` is column 4, other switches have their names (``menu``,
    ``take back``, ``yellow column 3``)::

        tap 4                  press and let go
        tap 3 and 4            a slip: two buttons, the second up to 30 ms later
        tap 3 and open bar     a slip: the bar moves while the button is down
        hold 2 for 1700        milliseconds
        hold 1 and 7 for 1700
        open bar               also: close bar
        press 4                the finger stays; also: release 4
        wait 5000              milliseconds, on top of the usual pause

    Before each gesture the person waits (`REACTION_MS`); the same seed gives the same times.

    :param start: the time of the first pause's beginning, in milliseconds.
    :raises GestureUnreadable: a line is none of these; the message names it.
    """
    person = _Person(seed, contact, start)
    for number, line in enumerate(script, start=1):
        read = _GESTURES.fullmatch(line.strip())
        if read is None:
            raise _unreadable(number, line)
        try:
            person.do({name: part for name, part in read.groupdict().items() if part is not None})
        except KeyError as unknown:
            raise _unreadable(number, line) from unknown
    return sorted(person.edges, key=lambda edge: edge.time)


def recording(
    edges: Iterable[SwitchEvent],
    *,
    columns: int,
    rows: int,
    rules: str,
    actuation: Literal["button", "disc"] = "button",
    closed: Iterable[str] = (),
) -> str:
    """The text of a recording for ``popout replay``: JSON lines, a header and then one edge a line.

    :param edges: raw edges; they are written in ascending time, in milliseconds to the microsecond.
    :param rules: the rules in their text form, such as ``popout 7x6 connect=4``.
    :param closed: the switches that were closed already when the recording began; mostly none.
    """
    header: dict[str, Any] = {
        "popout-recording": 1,
        "layout": {"columns": columns, "rows": rows},
        "rules": rules,
        "actuation": actuation,
    }
    if already := list(closed):
        header["closed"] = already
    lines = [header]
    for edge in sorted(edges, key=lambda edge: edge.time):
        lines.append({"t": round(edge.time, 3), "switch": edge.switch, "closed": edge.closed})
    return "".join(json.dumps(line) + "\n" for line in lines)


class _Person:
    """Somebody at the board, with a watch."""

    def __init__(self, seed: int, contact: Contact, start: float) -> None:
        self._chance = random.Random(seed)
        self._contacts = Contacts(contact, seed)
        self._time = start
        self.edges: list[SwitchEvent] = []

    def do(self, gesture: dict[str, str]) -> None:
        """Do one gesture, given as the named parts of `_GESTURES`.

        :raises KeyError: it names a switch that is none.
        """
        match gesture:
            case {"wait_ms": pause}:
                self._time += int(pause)
                return
            case {"bar": way}:
                self._wait()
                self._move(BAR, way == "open")
            case {"bar_slip": switch, "bar_moves": way}:
                name = _named(switch)
                self._wait()
                length = self._some(PRESS_MS)
                moved = self._contacts.edges(BAR, way == "open", self._time + length * self._chance.uniform(0.3, 0.7))
                self.edges += moved
                self._hold(name, length)
            case {"tap": switch, "tap_also": other}:
                self._slip(_named(switch), _named(other), self._some(PRESS_MS))
            case {"tap": switch}:
                name = _named(switch)
                self._wait()
                self._hold(name, self._some(PRESS_MS))
            case {"hold": switch, "hold_also": other, "hold_ms": length}:
                self._slip(_named(switch), _named(other), float(length))
            case {"hold": switch, "hold_ms": length}:
                name = _named(switch)
                self._wait()
                self._hold(name, float(length))
            case {"press": switch}:
                name = _named(switch)
                self._wait()
                self._move(name, True)
            case {"release": switch}:
                name = _named(switch)
                self._wait()
                self._move(name, False)

    def _slip(self, first: str, second: str, length: float) -> None:
        self._wait()
        begun = self._time
        self._time += self._some(SLIP_MS)
        self._hold(second, length)
        self.edges += self._contacts.press(first, begun, length)

    def _hold(self, switch: str, length: float) -> None:
        self.edges += self._contacts.press(switch, self._time, length)
        self._time += length

    def _move(self, switch: str, closed: bool) -> None:
        self.edges += self._contacts.edges(switch, closed, self._time)

    def _wait(self) -> None:
        self._time += self._some(REACTION_MS)

    def _some(self, between: tuple[float, float]) -> float:
        return self._chance.uniform(*between)


def _named(switch: str) -> str:
    """The name of a switch as a script writes it.

    :raises KeyError: there is no such switch on any board.
    """
    if switch.isdecimal():
        return column_switch(int(switch))
    if switch in (MENU, TAKE_BACK) or numbered(switch) is not None:
        return switch
    raise KeyError(switch)


def _unreadable(number: int, line: str) -> GestureUnreadable:
    return GestureUnreadable(
        Message(
            "Line {number}: “{line}” is no gesture. Write such as “tap 4”, “hold 2 for 1700” or “open bar”.",
            number=number,
            line=line.strip(),
        )
    )
