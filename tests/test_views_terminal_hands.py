"""The hands of a terminal at a board that is slow, silent or gone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from popout.rules import Drop
from popout.views.terminal.hands import Hands, NoAnswer, NoButton
from popout.views.terminal.link import LinkLost, Said

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


def test_a_column_without_a_button_is_not_pressed():
    link = Silent(STATE)

    assert refused(link, 9) is NoButton
    assert link.asked == []
