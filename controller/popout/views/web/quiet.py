"""A uvicorn server that keeps quiet: no log, no signal handlers, no waking up while nothing happens.

Towards other machines it is short of patience as well: their connections are counted, their requests have to come and
their answers to be taken in time, and what they send is measured before it is read.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import socket
import struct
from asyncio import BaseTransport, TimerHandle, Transport
from collections.abc import Collection, Iterator
from typing import Any, cast

import uvicorn
from h11 import LocalProtocolError
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from popout.views.web.peers import is_loopback, socket_address
from popout.views.web.traffic import Bucket, Crowd

LARGEST_MESSAGE = 1024 * 1024
"""The most bytes of one WebSocket message. A shorter one that is too long is still answered with a sentence; a longer
one ends its connection before it is stored."""
LARGEST_FROM_AFAR = 4096
"""The same for other machines, whose commands are short."""
MOST_FROM_AFAR = 512
"""Open connections of other machines, all together. This machine's own are not counted: they must always get in."""
MOST_OF_ONE = 16
"""Open connections of one other machine's address."""
ANSWER_S = 10.0
"""Within this time another machine has to ask and to take its answer, from its connecting or its last answer on."""
UNREAD_S = 15.0
"""A WebSocket that takes nothing for so long is closed."""
PING_S = 20.0
"""How often a WebSocket of another machine is asked whether it is still there, and how long it may take to say so."""
FRAMES_A_SECOND, FRAMES_AT_ONCE = 20.0, 100.0
"""How many frames of a WebSocket another machine may send. Nobody's fingers are as quick; a flood is cut off."""
BUFFER = 65536
"""Bytes that the system keeps on their way to another machine, or from it. What is newer waits here and is replaced."""
MOST_PIECES = 16
"""Of one message from another machine."""
ACCEPTED_AT_ONCE = 1
"""Connections that one turn of the event loop takes in, and one more, however many stand at the door."""
WAITING_OUTSIDE = 128
A_FAULT_EVERY_S = 60.0

_log = logging.getLogger(__name__)
_NO_LINGERING = struct.pack("ii", 1, 0)
_SPLIT = 256
"""Bytes from another machine that are read before its frames are counted."""
_TOO_MANY = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: 42\r\nConnection: close\r\n\r\n"
    b"Too many devices are watching. Try later.\n"
)


class QuietServer:
    """Serves one application on listening sockets until told to stop."""

    def __init__(self, app: ASGIApp) -> None:
        self._server = _Uvicorn(
            uvicorn.Config(
                _Faults(app),
                http=_Http,
                ws=_WebSocket,
                ws_max_size=LARGEST_MESSAGE,
                ws_ping_interval=None,
                # To pack for each spectator what is the same for all would take the board's time.
                ws_per_message_deflate=False,
                h11_max_incomplete_event_size=16384,
                lifespan="off",
                log_config=None,
                log_level="critical",  # what others send wrong is not to fill the log
                access_log=False,
                proxy_headers=False,  # the guard must see the real client
                server_header=False,
                date_header=False,
                timeout_graceful_shutdown=1,
                backlog=ACCEPTED_AT_ONCE,
            )
        )

    async def run(self, listeners: Collection[socket.socket]) -> None:
        """Serve until `stop`, then close what is open within about a second."""
        await self._server.serve(sockets=list(listeners))

    def stop(self) -> None:
        """End `run`."""
        self._server.stopped.set()


class _Faults:
    """ASGI middleware: logs what fails in the application, no more than one a minute.

    It may be another machine that makes it fail, and again and again; that others go away is no fault at all.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._next = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        try:
            await self.app(scope, receive, send)
        except (OSError, LocalProtocolError):
            raise
        except Exception:
            now = asyncio.get_running_loop().time()
            if now >= self._next:
                self._next = now + A_FAULT_EVERY_S
                _log.exception("The page's server failed at %s.", scope.get("path"))
            raise


class _Refused(Exception):
    """There are too many connections already."""


class _Visit:
    """A connection of another machine: one of a counted number, and ended when it takes too long."""

    def __init__(self, transport: Transport, crowd: Crowd) -> None:
        self.address = socket_address(transport, "peername")
        self.frames = Bucket(FRAMES_A_SECOND, FRAMES_AT_ONCE, asyncio.get_running_loop().time())
        self._transport = transport
        self._crowd = crowd
        self._alarm: TimerHandle | None = None
        own = self.address == socket_address(transport, "sockname")  # this machine's, not by loopback
        if not crowd.enter(self.address, counted=not own):
            raise _Refused
        transport.set_write_buffer_limits(high=BUFFER // 4)
        transport.max_size = BUFFER // 4  # type: ignore[attr-defined]  # of one piece that asyncio reads
        connection = transport.get_extra_info("socket")
        with contextlib.suppress(OSError):  # it may be gone already
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)

    def hurry(self, seconds: float) -> None:
        """End the connection if it has not got on after so many seconds."""
        self.rest()
        # Not for all that came together at the same moment: to end hundreds at once would keep the board waiting.
        delay = seconds * random.uniform(1, 1.3)
        self._alarm = asyncio.get_running_loop().call_later(delay, self.cut)

    def rest(self) -> None:
        """It got on."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None

    def cut(self) -> None:
        """End the connection at once, and throw away what the other end has not taken."""
        with contextlib.suppress(OSError):
            self._transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGERING)
        self._transport.abort()

    def end(self) -> None:
        """It is gone."""
        self.rest()
        self._crowd.leave(self.address)


class _State(ServerState):
    """What all connections of a server share.

    :ivar crowd: how many other machines have. :ivar visits: those of other machines.
    """

    def __init__(self) -> None:
        super().__init__()
        self.crowd = Crowd(MOST_FROM_AFAR, MOST_OF_ONE)
        self.visits: dict[BaseTransport, _Visit] = {}

    def end(self, transport: BaseTransport) -> None:
        """A connection is gone."""
        if visit := self.visits.pop(transport, None):
            visit.end()


class _Uvicorn(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.server_state = _State()
        self.stopped = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Take a few connections at a time, and let more wait outside: asyncio has one number for both."""
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(WAITING_OUTSIDE)

    async def main_loop(self) -> None:
        """Wait without uvicorn's ten ticks a second."""
        await self.stopped.wait()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to the program."""
        yield


class _Http(H11Protocol):
    """A connection, until it becomes a WebSocket."""

    _visit: _Visit | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if is_loopback(socket_address(transport, "peername")):
            return
        state = cast(_State, self.server_state)
        try:
            self._visit = state.visits[transport] = _Visit(transport, state.crowd)
        except _Refused:
            transport.write(_TOO_MANY)
            transport.close()
        else:
            self._visit.hurry(ANSWER_S)

    def data_received(self, data: bytes) -> None:
        if not self.transport.is_closing():
            super().data_received(data)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._visit:
            self._visit.hurry(ANSWER_S)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        cast(_State, self.server_state).end(self.transport)


class _WebSocket(WebSocketsSansIOProtocol):
    """A connection after that; a patient one on this machine."""

    _visit: _Visit | None = None

    def __init__(self, config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any]) -> None:
        super().__init__(config, server_state, app_state)
        self._state = cast(_State, server_state)

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self._visit = self._state.visits.get(transport)
        if self._visit:
            self.conn.max_message_size = LARGEST_FROM_AFAR
            self.ping_interval = self.ping_timeout = PING_S

    def start_keepalive(self) -> None:
        super().start_keepalive()
        if self._visit:
            self._visit.rest()

    def data_received(self, data: bytes) -> None:
        if self._visit is None:
            super().data_received(data)
            return
        for start in range(0, len(data), _SPLIT):
            super().data_received(data[start : start + _SPLIT])
            if self.transport.is_closing():
                return

    def handle_events(self) -> None:
        if self._visit and (
            self._visit.frames.take(self.loop.time(), len(self.conn.events)) > 0 or len(self.frames) > MOST_PIECES
        ):
            self._visit.cut()
            return
        super().handle_events()

    async def send(self, message: Any) -> None:
        await self.writable.wait()
        if self.close_sent and message["type"] == "websocket.send":
            raise ClientDisconnected  # after nonsense from the other end; to uvicorn it were a fault of the application
        await super().send(message)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._visit:
            self._visit.hurry(UNREAD_S)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._visit:
            self._visit.rest()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        if self._visit:
            self._visit.cut()  # closing would wait until the rest is taken

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        if self._visit and not self.disconnected:
            self._visit.hurry(UNREAD_S)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._state.end(self.transport)
