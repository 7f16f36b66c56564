"""The hands of a terminal at a board that is slow, silent or gone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from popout.rules import Drop
from popout.views.terminal.hands import Hands, NoAnswer, NoButton, Refused
from popout.views.terminal.link import LinkLost, Said
from waiting import PATIENCE_S

STATE = {
    "type": "state",
    "rules": {"firstColumn": 1, "columns": 7, "width": 7},
    "board": {"twoRows": False},
    "bar": "closed",
    "moves": [],
    "notice": None,
    "menu": None,
    "differs": None,
    "tentative": None,
    "powers": None,
    "turn": "red",
}


class Silent:
    """A link to a board that says `heard` and nothing more, and does everything without a consequence."""

    stops_board = False

    def __init__(self, *heard: Said) -> None:
        self.heard = heard
        self.asked: list[Mapping[str, Any]] = []

    async def messages(self) -> AsyncIterator[Said]:
        for message in self.heard:
            yield message
            await asyncio.sleep(0.01)

    async def ask(self, command: Mapping[str, Any]) -> Said:
        self.asked.append(command)
        return {"type": "done"}

    def network(self) -> Said | None:
        return None

    async def close(self) -> None: ...


def refused(link: Silent, column: int) -> type[BaseException]:
    async def run() -> type[BaseException]:
        hands = Hands(link)

        async def follow() -> None:
            async for _ in hands.follow():
                pass

        following = asyncio.create_task(follow())
        await hands.until(bool)
        with pytest.raises((NoAnswer, NoButton, LinkLost)) as caught:
            await hands.make(Drop(column))
        await following
        return caught.type

    return asyncio.run(run())


def test_a_board_that_shows_nothing_is_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("popout.views.terminal.hands.ANSWER_WITHIN_S", 0.05)
    link = Silent(STATE)

    assert refused(link, 4) is NoAnswer
    assert [command["do"] for command in link.asked] == ["press", "release"]


def test_a_board_that_goes_out_of_reach_is_not_waited_for():
    assert refused(Silent(STATE, {"type": "offline", "again": 1}), 4) is LinkLost


def test_a_tap_stays_short_however_long_the_answers_are_on_their_way():
    class Slow(Silent):
        """Answers nothing before the finger is up again."""

        def __init__(self) -> None:
            super().__init__(STATE)
            self.is_up = asyncio.Event()

        async def ask(self, command: Mapping[str, Any]) -> Said:
            if command["do"] == "release":
                self.is_up.set()
            answer = await super().ask(command)
            await self.is_up.wait()
            return answer

    async def run() -> list[Any]:
        link = Slow()
        hands = Hands(link)
        hands.state = STATE
        async with asyncio.timeout(PATIENCE_S):
            await hands.press(4)
        return [command["do"] for command in link.asked]

    assert asyncio.run(run()) == ["press", "release"]


def test_a_press_that_is_refused_is_refused_although_the_finger_was_lifted():
    class Deaf(Silent):
        async def ask(self, command: Mapping[str, Any]) -> Said:
            await super().ask(command)
            return {"type": "refused", "text": "The board is away."} if command["do"] == "press" else {"type": "done"}

    async def run() -> None:
        hands = Hands(Deaf(STATE))
        hands.state = STATE
        await hands.press(4)

    with pytest.raises(Refused, match="The board is away"):
        asyncio.run(run())


def test_a_column_without_a_button_is_not_pressed():
    link = Silent(STATE)

    assert refused(link, 9) is NoButton
    assert link.asked == []
