"""Hands in words: what somebody at the simulated board of `popout sim --as-serial` types or pipes in."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import Final

from popout.board.peer import Peer
from popout.board.switches import BAR, MENU, TAKE_BACK, column_switch
from popout.rules.messages import Message, PopoutError, excerpt

TAP_S: Final = 0.06
"""How long a tap is, and how long hands rest after it."""
HOLD_S: Final = 1.6
"""Longer than it takes to take back a move or to open the menu."""
LONGEST_WAIT_S: Final = 3600.0

_MOVE: Final = re.compile(r"([dp])([1-9][0-9]?)")
_COLUMN: Final = re.compile(r"[0-9]{1,2}")
_TIME: Final = re.compile(r"([0-9]{1,7})(ms|s)")
_LEAVING: Final = ("quit", "exit", "q")

HELP: Final = (
    Message("d4, p4            slide the bar as it must be for a drop or a pop in column 4, and tap the button"),
    Message("tap 4             press the button of column 4 for a moment; also menu, take back, or another switch"),
    Message("press 4           lay a finger on it"),
    Message("release 4         lift it"),
    Message("hold 4            hold it for 1.6 s, which takes back a move"),
    Message("bar open          slide the bar: open, half or closed"),
    Message("menu, take back   tap these buttons"),
    Message("drop 4 X          put a disc in, X red or O yellow, past the beams or levers of the board"),
    Message("pop 4, take 4     let the bottom disc out, or take the top one out by hand"),
    Message("empty             take all discs out"),
    Message("unplug, plug      pull the cable, and plug it in: the board comes back on another port"),
    Message("lamps             draw what is lit"),
    Message("wait 500ms        do nothing for a while, also 2s"),
    Message("quit              end the board"),
)


class UnknownWord(PopoutError, ValueError):
    """Hands do not know what is meant."""

    code = "unknown-word"


class HandsInWords:
    """Does what lines say, one after the other.

    :param peer: the board. :param draw: shows the lamps. :param tell: says the sentences of the help.
    """

    def __init__(self, peer: Peer, *, draw: Callable[[], None], tell: Callable[[Sequence[Message]], None]) -> None:
        self._peer = peer
        self._draw = draw
        self._tell = tell

    async def obey(self, line: str) -> bool:
        """Do what a line says, to its end; False if it says that the board is to end.

        :raises UnknownWord: it says nothing that is known. :raises HandError: no hand can do that here.
        """
        words = line.partition("#")[0].lower().split()
        match words:
            case []:
                pass
            case [word] if word in _LEAVING:
                return False
            case ["press" | "release" as what, *named] if named:
                self._finger(what, _switch(named))
            case ["tap", *named] if named:
                await self._press(_switch(named), TAP_S)
            case ["hold", *named] if named:
                await self._press(_switch(named), HOLD_S)
            case ["menu"]:
                await self._press(MENU, TAP_S)
            case ["take", "back"]:
                await self._press(TAKE_BACK, TAP_S)
            case ["bar", to]:
                self._peer.twin.act({"do": "bar", "to": to})
            case ["drop", column, disc] if _COLUMN.fullmatch(column):
                self._peer.twin.act({"do": "drop", "column": int(column), "disc": disc.upper()})
            case ["pop" | "take" as what, column] if _COLUMN.fullmatch(column):
                self._peer.twin.act({"do": what, "column": int(column)})
            case ["empty"]:
                self._peer.twin.act({"do": "empty"})
            case ["unplug"]:
                self._peer.unplug()
            case ["plug"]:
                self._peer.plug()
            case ["lamps"]:
                self._draw()
            case ["wait", time]:
                await asyncio.sleep(_seconds(time))
            case ["help" | "?"]:
                self._tell(HELP)
            case [word] if (move := _MOVE.fullmatch(word)) is not None:
                await self._move(move[1] == "p", int(move[2]))
            case _:
                raise UnknownWord(
                    Message(
                        "Hands do not know what “{line}” means. Type help for what they can do.", line=excerpt(line)
                    )
                )
        return True

    async def _move(self, pops: bool, column: int) -> None:
        wanted = "open" if pops else "closed"
        if self._peer.twin.snapshot()[BAR] != wanted:
            self._peer.twin.act({"do": "bar", "to": wanted})
            await asyncio.sleep(TAP_S)
        await self._press(column_switch(column), TAP_S)

    async def _press(self, switch: str, length_s: float) -> None:
        self._finger("press", switch)
        try:
            await asyncio.sleep(length_s)
        finally:
            self._finger("release", switch)
        await asyncio.sleep(TAP_S)

    def _finger(self, what: str, switch: str) -> None:
        self._peer.twin.act({"do": what, "switch": switch})


def _switch(words: Sequence[str]) -> str:
    """The switch that is named: a number is a column's button."""
    name = " ".join(words)
    return column_switch(int(name)) if _COLUMN.fullmatch(name) else name


def _seconds(text: str) -> float:
    found = _TIME.fullmatch(text)
    seconds = int(found[1]) / (1000 if found[2] == "ms" else 1) if found else 0.0
    if not 0 < seconds <= LONGEST_WAIT_S:
        raise UnknownWord(
            Message("“{time}” is no time to wait. Write 500ms or 2s; an hour is the longest.", time=excerpt(text))
        )
    return seconds
