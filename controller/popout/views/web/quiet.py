"""A uvicorn server that keeps quiet: no log, no signal handlers, no waking up while nothing happens."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator

import uvicorn
from starlette.types import ASGIApp

LARGEST_MESSAGE = 1024 * 1024
"""The most bytes of one WebSocket message. A shorter one that is too long is still answered with a sentence; a longer
one ends its connection before it is stored."""


class QuietServer:
    """Serves one application on one listening socket until told to stop."""

    def __init__(self, app: ASGIApp) -> None:
        self._server = _Uvicorn(
            uvicorn.Config(
                app,
                http="h11",
                ws="websockets-sansio",
                ws_max_size=LARGEST_MESSAGE,
                ws_ping_interval=None,
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,  # the guard must see the real client
                server_header=False,
                date_header=False,
                timeout_graceful_shutdown=1,
            )
        )

    async def run(self, listener: socket.socket) -> None:
        """Serve until `stop`, then close what is open within about a second."""
        await self._server.serve(sockets=[listener])

    def stop(self) -> None:
        """End `run`."""
        self._server.stopped.set()


class _Uvicorn(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.stopped = asyncio.Event()

    async def main_loop(self) -> None:
        """Wait without uvicorn's ten ticks a second."""
        await self.stopped.wait()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to the program."""
        yield
