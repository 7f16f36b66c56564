"""The hands of a terminal: they press the board's buttons and slide its bar, and see what comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from popout.rules import Claim, Drop, IllegalMove, Message, Move, Pop, PopoutError, Power
from popout.views.terminal.link import Link, LinkLost, Said
from popout.views.terminal.seen import State, last_column, switch_of

ANSWER_WITHIN_S = 10.0
"""A board that shows nothing for so long after a finger will not show anything."""


class Refused(PopoutError, ValueError):
    """The board refused a command."""

    code = "refused"


class NoAnswer(PopoutError, TimeoutError):
    """The board shows nothing of what was done."""

    code = "no-answer"


class NoButton(IllegalMove):
    """The column has no button."""

    code = "no-button"


class Hands:
    """What a person at the terminal does at the board. Nothing here knows a rule: the board judges.

    :ivar state: the newest state message; empty before the first. :ivar online: whether the board is in reach.
    """

    def __init__(self, link: Link) -> None:
        self.link = link
        self.state: State = {}
        self.online = False
        self._news = asyncio.Event()

    async def follow(self) -> AsyncIterator[Said]:
        """The messages of the link; each is known here before it is given out."""
        async for message in self.link.messages():
            self.online = message["type"] == "state"
            if self.online:
                self.state = message
            self._news.set()
            self._news = asyncio.Event()
            yield message

    async def until(self, seen: Callable[[State], Any]) -> None:
        """Wait until the state is as expected.

        :raises NoAnswer: it did not become so in good time. :raises LinkLost: the board went out of reach.
        """
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                while not (self.state and seen(self.state)):
                    await self._news.wait()
                    if not self.online:
                        raise LinkLost(
                            Message("The connection to the board was lost. Look at the board to see what was done.")
                        )
        except TimeoutError:
            raise NoAnswer(
                Message("The board shows nothing of it. Look whether its bar and its buttons are free.")
            ) from None

    async def do(self, do: str, **fields: Any) -> Said:
        """Give a command.

        :raises Refused: the board refuses it and says why. :raises LinkLost: it is out of reach.
        """
        answer = await self.link.ask({"do": do, **fields})
        if answer["type"] == "refused":
            raise Refused(Message("{why}", why=str(answer["text"])))
        return answer

    async def press(self, column: int) -> None:
        """Press the button of a column of the grid and let go.

        :raises NoButton: it is a filled outer column. :raises Refused: see `do`.
        """
        switch = switch_of(self.state, column)
        if switch is None:
            raise NoButton(no_button(self.state, column))
        # Not one after the other's answer: on a slow way a tap would become a hold, which takes a move back.
        tap = [self.do(do, switch=switch) for do in ("press", "release")]
        for answer in await asyncio.gather(*tap, return_exceptions=True):
            if isinstance(answer, BaseException):
                raise answer

    async def slide(self, to: str) -> None:
        """Slide the bar (``open`` or ``closed``), and see that it is there."""
        if self.state["bar"] != to:
            await self.do("bar", to=to)
            await self.until(lambda state: state["bar"] == to)

    async def make(self, move: Move) -> None:
        """Make a move with the board's own bar and buttons, and wait for what becomes of it: a move or a refusal.

        :raises Refused: the board refuses. :raises NoAnswer: nothing comes of it.
        """
        if isinstance(move, Claim):
            made = len(self.state["moves"])
            await self.do("claim")
            await self.until(lambda state: len(state["moves"]) > made or state["outcome"])
            return
        if switch_of(self.state, move.column) is None:
            raise NoButton(no_button(self.state, move.column))
        await self.slide("open" if isinstance(move, Pop) else "closed")
        await self._choose(move)
        before = mark_of(self.state)
        await self.press(move.column)
        await self.until(lambda state: mark_of(state) != before and not state["tentative"])

    async def _choose(self, move: Drop | Pop | Power) -> None:
        """Take the power disc of the move into the hand, or put away the one that is there."""
        wanted = move.disc.value if isinstance(move, Power) else None
        powers: Mapping[str, Any] | None = self.state["powers"]
        if isinstance(move, Pop) or wanted == (powers["chosen"] if powers else None):
            return
        if powers is None:
            raise Refused(Message("There are no power discs in this game."))
        await self.do("power", disc=wanted)
        await self.until(lambda state: state["powers"] and state["powers"]["chosen"] == wanted)


def no_button(state: State, column: int) -> Message:
    """Why a column cannot be pressed."""
    rules = state["rules"]
    if 1 <= column <= rules["width"]:
        return Message("Column {column} is filled and has no button: its discs stay.", column=column)
    return Message(
        "There is no column {column}. The columns are {first} to {last}.",
        column=column,
        first=rules["firstColumn"],
        last=last_column(state),
    )


def mark_of(state: State) -> tuple[object, ...]:
    """What everything that is done changes in any case: the game, the newest notice, the menu or a correction."""
    notice = state["notice"]
    return len(state["moves"]), notice and notice["id"], state["menu"], state["differs"]
