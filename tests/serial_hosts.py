"""Simulated boards on pseudo terminals, and a host in a few lines that talks with them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress

from popout.board.layout import Layout
from popout.link.frames import Decoder, encode
from popout.link.pictures import chunks
from popout.link.words import HELLO, HELLO_BACK, LAMPS, PING, numbers
from popout_sim.peer import SerialPeer, serial_peer
from waiting import until

LAYOUT = Layout.load("7x6-pico")
LAMPS_THERE = len(LAYOUT.places)
DARK = [0] * LAMPS_THERE
FOUR = list(LAYOUT.switches).index("column 4")


class Host:
    """A host in a few lines, as people may write one: it says frames, and keeps all that it hears."""

    def __init__(self, port: str) -> None:
        self._port = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._decoder = Decoder()
        self._number = 0
        self.heard: list[tuple[str, int, str]] = []

    def say(self, kind: str, payload: str = "") -> int:
        self._number = (self._number + 1) % 256
        os.write(self._port, encode(kind, self._number, payload))
        return self._number

    def listen(self) -> list[tuple[str, int, str]]:
        with suppress(BlockingIOError):
            data = os.read(self._port, 65536)
            self.heard += self._decoder.feed(data, len(data))
        return self.heard

    async def hears(self, kind: str, count: int = 1) -> list[tuple[str, int, str]]:
        """So many frames of a kind; whoever waits is there, and says so."""
        pinged = 0.0

        def came() -> bool:
            nonlocal pinged
            now = asyncio.get_running_loop().time()
            if now - pinged > 0.3:
                pinged = now
                self.say(PING)
            return len([frame for frame in self.listen() if frame[0] == kind]) >= count

        await until(came)
        return [frame for frame in self.heard if frame[0] == kind][:count]

    async def greets(self) -> list[str]:
        self.say(HELLO, "1.0")
        return (await self.hears(HELLO_BACK))[0][2].split(":")

    def shows(self, colours: list[int], picture: int = 1) -> None:
        for payload in chunks(picture, colours):
            self.say(LAMPS, payload)

    def close(self) -> None:
        os.close(self._port)


@asynccontextmanager
async def a_peer(
    layout: Layout = LAYOUT, *, faults: str | None = None, news: Callable[[], object] = lambda: None
) -> AsyncIterator[SerialPeer]:
    with closing(serial_peer(layout, "1.2.3", faults=faults, news=news)) as peer:
        running = asyncio.create_task(peer.run())
        try:
            yield peer
            assert not running.done(), running
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


@asynccontextmanager
async def a_host(layout: Layout = LAYOUT, *, faults: str | None = None) -> AsyncIterator[tuple[SerialPeer, Host]]:
    """A peer, and a host that has greeted it."""
    async with a_peer(layout, faults=faults) as peer:
        with closing(Host(port_of(peer))) as host:
            await host.greets()
            yield peer, host


def port_of(peer: SerialPeer) -> str:
    assert peer.port is not None
    return peer.port


def press(peer: SerialPeer, switch: str) -> None:
    peer.twin.act({"do": "press", "switch": switch})


def release(peer: SerialPeer, switch: str) -> None:
    peer.twin.act({"do": "release", "switch": switch})


def told(frames: list[tuple[str, int, str]]) -> list[tuple[int, int, int]]:
    """Of events: the switch, the report, and the mask of all that are closed."""
    found = []
    for _, _, payload in frames:
        event = numbers(payload, 4)
        assert event is not None
        found.append((event[1], event[2], event[3]))
    return found


def lit(peer: SerialPeer) -> list[int]:
    """The lamps of the chain in the order of its wire."""
    return list(peer.layout.colours(peer.lamps))
