"""A table for the tests of the page's server: it counts what it is asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from popout.record.journal import Source
from popout.rules import Side
from popout.rules.messages import Message, PopoutError
from popout.views.web.commands import Command, Look, Press, Release
from popout.views.web.server import create_app
from popout.views.web.speaker import Say

ADDRESS = "http://127.0.0.1:8765"
SOCKET = "ws://127.0.0.1:8765/ws"


class ColumnFull(PopoutError, ValueError):
    code = "column-full"


class FakeTable:
    """A table that counts what it is asked."""

    def __init__(self) -> None:
        self.moves = 0
        self.light = "#000000"
        self.commands: list[Command] = []
        self.sources: list[Source] = []
        self.played: list[tuple[str, Side | None]] = []
        self.withdrawn: list[str] = []
        self.listeners: list[asyncio.Queue[str]] = []

    def snapshot(self, say: Say) -> Mapping[str, Any]:
        return {"type": "state", "moves": self.moves, "status": say(Message("Red to move."))}

    def answer(self, command: Command, say: Say) -> Mapping[str, Any] | None:  # noqa: ARG002
        if not isinstance(command, Look):
            return None
        ply = command.ply
        if ply > self.moves:
            raise PopoutError(Message("There is no move {ply}; the game has {moves}.", ply=ply, moves=self.moves))
        return {"type": "look", "ply": ply}

    def lamps(self) -> Mapping[str, Any]:
        return {"type": "lamps", "columns": [self.light]}

    record: Path | None = None

    def record_text(self) -> str:
        return "popout 7x6\nd4 d4\n"

    async def changes(self) -> AsyncIterator[str]:
        queue: asyncio.Queue[str] = asyncio.Queue()
        self.listeners.append(queue)
        try:
            while True:
                yield await queue.get()
        finally:
            self.listeners.remove(queue)

    async def command(self, command: Command, source: Source = Source.PAGE) -> None:
        if command == Press("column 3"):
            raise ColumnFull(Message("Column {column} is full.", column=3))
        self.commands.append(command)
        self.sources.append(source)
        if isinstance(command, Release):
            self.moves += 1
            self.tell("state")

    async def move(self, text: str, source: Source = Source.PAGE, side: Side | None = None) -> None:  # noqa: ARG002
        self.played.append((text, side))
        self.moves += 1
        self.tell("state")

    def withdraw(self, switch: str) -> None:
        self.withdrawn.append(switch)

    def tell(self, kind: str) -> None:
        for queue in self.listeners:
            queue.put_nowait(kind)


def on_this_machine(table: FakeTable) -> TestClient:
    """A browser of this machine at `ADDRESS`."""
    return TestClient(create_app(table), base_url=ADDRESS, client=("127.0.0.1", 50000))
