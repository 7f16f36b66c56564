"""The server on real sockets, attacked from this machine's own address on the network, if it has one."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import os
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from page_table import FakeTable
from popout.views.web import quiet
from popout.views.web.listening import EVERYWHERE, listen
from popout.views.web.network import addresses_of_this_machine
from popout.views.web.server import serve
from popout.views.web.speaker import Say
from waiting import PATIENCE_S, until

TEXT, PING = 0x1, 0x9


class LongTable(FakeTable):
    """A table whose state is long, so that buffers fill up."""

    def snapshot(self, say: Say) -> Mapping[str, Any]:
        return {**super().snapshot(say), "long": "x" * 50_000}


class Server:
    """A running server, and connections to it from this machine's own address on the network."""

    def __init__(self, table: FakeTable, port: int, address: str) -> None:
        self.table = table
        self.port = port
        self.address = address

    async def far(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self.address, self.port)

    async def near(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    def handshake(self) -> bytes:
        host = f"{self.address}:{self.port}"
        key = base64.b64encode(os.urandom(16)).decode()
        return (
            f"GET /ws HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        ).encode()

    async def raw_websocket(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A WebSocket without anybody who answers pings."""
        reader, writer = await self.far()
        writer.write(self.handshake())
        try:
            assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        except BaseException:
            writer.close()
            raise
        return reader, writer

    def websocket(self, **more: Any) -> connect:
        host = f"{self.address}:{self.port}"
        return connect(f"ws://{host}/ws", origin=f"http://{host}", **more)  # type: ignore[arg-type]

    async def still_plays(self) -> None:
        """The board's own page is answered."""
        async with connect(f"ws://127.0.0.1:{self.port}/ws") as page:
            await page.send('{"do":"press","switch":"column 1"}')
            async with asyncio.timeout(5):
                while json.loads(await page.recv())["type"] != "done":
                    pass


def attacked(story: Callable[[Server], Awaitable[None]], table: FakeTable | None = None) -> None:
    """Run a story against a running server, which must play on afterwards."""

    @asynccontextmanager
    async def running() -> AsyncIterator[Server]:
        own = table or FakeTable()
        listening = listen(EVERYWHERE, 0)
        serving = asyncio.create_task(serve(own, listener=listening))
        try:
            yield Server(own, listening.port, own_address())
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)

    async def whole() -> None:
        async with running() as server:
            await story(server)
            await server.still_plays()

    asyncio.run(whole())


def own_address() -> str:
    for address in addresses_of_this_machine(1):
        if "[" not in address:
            return address.removeprefix("http://").removesuffix(":1/")
    pytest.skip("this machine has no address but loopback")


def frame(opcode: int, data: bytes, *, fin: bool = True) -> bytes:
    """A frame of a client, masked with zeros."""
    length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack("!H", len(data))
    return bytes([0x80 * fin | opcode]) + length + bytes(4) + data


async def to_the_end(reader: asyncio.StreamReader) -> bytes:
    """What comes until the server ends the connection."""
    heard = b""
    async with asyncio.timeout(10):
        with suppress(ConnectionError):
            while piece := await reader.read(65536):
                heard += piece
    return heard


def test_a_connection_that_never_asks_is_ended_and_one_of_this_machine_is_not(monkeypatch):
    monkeypatch.setattr(quiet, "ANSWER_S", 0.1)

    async def story(server: Server) -> None:
        near, writer = await server.near()
        far, far_writer = await server.far()
        assert await to_the_end(far) == b""
        assert not near.at_eof()
        writer.close()
        far_writer.close()

    attacked(story)


@pytest.mark.parametrize(
    "beginning",
    [b"GET / HTTP/1.1\r\nX-Slow: ", b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"],
    ids=["head", "body"],
)
def test_a_request_that_comes_drop_by_drop_is_ended(monkeypatch, beginning):
    monkeypatch.setattr(quiet, "ANSWER_S", 0.2)

    async def story(server: Server) -> None:
        reader, writer = await server.far()
        writer.write(beginning)
        ending = asyncio.create_task(to_the_end(reader))
        while not ending.done():
            writer.write(b"x")
            await asyncio.sleep(0.01)
        await ending
        writer.close()

    attacked(story)


def test_an_answer_that_is_not_taken_is_ended(monkeypatch):
    monkeypatch.setattr(quiet, "ANSWER_S", 0.2)

    async def story(server: Server) -> None:
        reader, writer = await server.far()
        ask = f"GET /texts.json HTTP/1.1\r\nHost: {server.address}:{server.port}\r\n\r\n".encode()
        reader._transport.pause_reading()  # type: ignore[attr-defined]
        with suppress(ConnectionError):
            async with asyncio.timeout(10):
                while True:
                    writer.write(ask * 50)
                    await writer.drain()
                    await asyncio.sleep(0.01)
        writer.close()

    attacked(story)


def test_with_too_many_from_afar_the_next_is_refused_and_this_machine_gets_in(monkeypatch):
    monkeypatch.setattr(quiet, "MOST_FROM_AFAR", 3)

    async def story(server: Server) -> None:
        open_ones = [await server.raw_websocket() for _ in range(3)]
        reader, writer = await server.far()
        assert (await to_the_end(reader)).startswith(b"HTTP/1.1 503 ")
        writer.close()
        await server.still_plays()
        open_ones[0][1].close()
        async with asyncio.timeout(PATIENCE_S):
            while True:  # it takes the server a moment to notice that there is room
                with suppress(AssertionError, ConnectionError, asyncio.IncompleteReadError):
                    open_ones[0] = await server.raw_websocket()
                    break
                await asyncio.sleep(0.01)
        for _, each in open_ones:
            each.close()

    attacked(story)


def test_a_giant_message_ends_its_connection():
    async def story(server: Server) -> None:
        async with server.websocket() as page:
            with pytest.raises(ConnectionClosed) as closed:
                await page.send("x" * 5000)
                while True:
                    await page.recv()
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 1009
        assert server.table.commands == []

    attacked(story)


def test_a_long_message_is_refused_with_a_sentence():
    async def story(server: Server) -> None:
        async with server.websocket() as page:
            await page.send("x" * 4000)
            while (answer := json.loads(await page.recv()))["type"] != "refused":
                pass
            assert answer["text"].startswith("The message has 4000 characters, and 2048 are the most.")

    attacked(story)


@pytest.mark.parametrize(
    "flood",
    [
        frame(PING, b"") * 5000,
        frame(TEXT, b'{"do":"claim"}') * 5000,
        frame(TEXT, b"", fin=False) + frame(0, b"", fin=False) * 50,
    ],
    ids=["pings", "commands", "pieces"],
)
def test_a_flood_of_frames_ends_its_connection(flood):
    async def story(server: Server) -> None:
        reader, writer = await server.raw_websocket()
        writer.write(flood)
        await to_the_end(reader)
        writer.close()

    attacked(story)


def test_a_phone_that_fell_silent_is_let_go(monkeypatch):
    monkeypatch.setattr(quiet, "PING_S", 0.1)

    async def story(server: Server) -> None:
        reader, writer = await server.raw_websocket()
        async with server.websocket() as alive:
            await to_the_end(reader)
            await alive.send('{"do":"look","ply":0}')
            while json.loads(await alive.recv())["type"] != "look":
                pass
        writer.close()

    attacked(story)


def test_one_that_takes_nothing_any_more_is_let_go_and_others_hear_all(monkeypatch):
    monkeypatch.setattr(quiet, "UNREAD_S", 0.3)

    async def story(server: Server) -> None:
        stuck = socket.create_connection((server.address, server.port))
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stuck.sendall(server.handshake())
        async with server.websocket(max_queue=None) as page:
            heard = 0
            async with asyncio.timeout(20):
                while True:
                    server.table.moves += 1
                    server.table.tell("state")
                    while (message := json.loads(await page.recv()))["type"] != "state":
                        pass
                    heard = message["moves"]
                    if heard > 30 and await asyncio.to_thread(is_ended, stuck):
                        break
            assert heard > 30
        stuck.close()

    attacked(story, LongTable())


def is_ended(connection: socket.socket) -> bool:
    """Whether the other end has ended a connection, found out without taking anything from it."""
    state = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    return state != 1  # established


def test_what_others_send_wrong_fills_no_log(caplog, monkeypatch):
    monkeypatch.setattr(quiet, "ANSWER_S", 0.2)
    caplog.set_level(logging.DEBUG)

    async def story(server: Server) -> None:
        caplog.clear()
        wrong_ones = (
            b"\x16\x03\x01\x02\x00\x01",
            b"GET\r\n\r\n",
            b"GET / HTTP/9.9\r\n\r\n",
            server.handshake().replace(b"GET", b"POST"),
            server.handshake().replace(b"/ws", b"/elsewhere"),
            server.handshake().replace(b"\r\n\r\n", b"\r\nX: " + b"x" * 9000 + b"\r\n\r\n"),
        )
        for wrong in wrong_ones:
            reader, writer = await server.far()
            writer.write(wrong)
            await to_the_end(reader)
            writer.close()
        for wrong in (frame(TEXT, b"\xff\xfe"), b"\xff" * 40, b"\x81\x02hi"):
            reader, writer = await server.raw_websocket()
            writer.write(wrong)
            await to_the_end(reader)
            writer.close()

    attacked(story)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_when_everybody_has_gone_nothing_is_left_of_them():
    async def story(server: Server) -> None:
        for _ in range(3):
            async with server.websocket() as page:
                await page.recv()
        await until(lambda: not server.table.listeners)
        loop = asyncio.get_running_loop()
        assert [timer for timer in loop._scheduled if not timer.cancelled()] == []  # type: ignore[attr-defined]

    attacked(story)


def test_pages_that_go_in_the_middle_of_an_answer_fill_no_log(caplog):
    caplog.set_level(logging.DEBUG)

    async def story(server: Server) -> None:
        caplog.clear()
        for _ in range(20):
            _, writer = await server.raw_websocket()
            writer.write(frame(TEXT, b'{"do":"look","ply":0}') * 8)
            await writer.drain()
            server.table.moves += 1
            server.table.tell("state")
            await asyncio.sleep(0)
            writer.transport.abort()
        await asyncio.sleep(0.3)

    attacked(story, LongTable())
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_fault_of_the_program_is_logged_and_not_a_hundred_times(caplog):
    class Broken(FakeTable):
        def record_text(self) -> str:
            raise ZeroDivisionError("a fault")

    async def story(server: Server) -> None:
        for _ in range(5):
            reader, writer = await server.near()
            writer.write(b"GET /record.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            assert (await to_the_end(reader)).startswith(b"HTTP/1.1 500 ")
            writer.close()

    attacked(story, Broken())
    assert caplog.text.count("The page's server failed at /record.txt.") == 1
    assert caplog.text.count("ZeroDivisionError: a fault") == 1
