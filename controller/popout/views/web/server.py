"""The page's server: its files, its words, the record, and one WebSocket for state, lamps and commands.

Nothing here knows a rule or keeps a game: what a page shows is what the table says, and what a page asks goes to
the table. While nothing changes, nothing runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import mimetypes
import os
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Scope
from starlette.websockets import WebSocket, WebSocketDisconnect

from popout.play.settings import Settings
from popout.rules.messages import Message, PopoutError
from popout.views.web.commands import BadMessage, Command, Look, Press, Release, Withdraw, name_of, read_command
from popout.views.web.guard import ANY_ADDRESS, Guard, is_loopback
from popout.views.web.speaker import Say, Speaker, names, page_of
from popout.views.web.texts import page_texts

DEFAULT_PORT = Settings().port

_STATIC = Path(__file__).parent / "static"
_NO_CACHE = {"Cache-Control": "no-cache"}
_NO_STORE = {"Cache-Control": "no-store"}


class TableLike(Protocol):
    """What the server needs of a table; `popout.views.web.state.TableView` gives it."""

    def snapshot(self, say: Say) -> Mapping[str, Any]:
        """The state message of a page that `say` speaks to."""
        ...

    def look(self, ply: int, say: Say) -> Mapping[str, Any]:
        """The look message: the position after `ply` moves.

        :raises PopoutError: there are not so many moves.
        """
        ...

    def lamps(self) -> Mapping[str, Any]:
        """The lamps message."""
        ...

    def record_text(self) -> str:
        """The game's record."""
        ...

    def changes(self) -> AsyncIterator[str]:
        """``"state"`` or ``"lamps"`` after each change from now on."""
        ...

    async def command(self, command: Command) -> None:
        """Do what a page asks.

        :raises PopoutError: refused; the message says why.
        """
        ...

    def withdraw(self, switch: str) -> None:
        """Take a finger off a switch without anything coming of it."""
        ...


class CannotListen(PopoutError, OSError):
    """The page cannot be offered at that address."""

    code = "cannot-listen"


class PortInUse(CannotListen):
    """Another program listens on that port already."""

    code = "port-in-use"


def create_app(table: TableLike, *, allowed_hosts: Collection[str] = (), language: str | None = None) -> Starlette:
    """The page's application for one table.

    :param allowed_hosts: host names besides loopback under which it may be asked, see `Guard`.
    :param language: the language of a page that names none itself, with ``?lang=``; None leaves it to its browser.
    """
    # On some systems the registry calls a script text/plain, which a browser then refuses to run.
    mimetypes.add_type("text/javascript", ".js")
    speak = Speaker(language)

    def page(request: Request) -> Response:
        catalogue = speak.to(request)
        return HTMLResponse(page_of(catalogue), headers={**_NO_CACHE, **speak.headers(catalogue)})

    def words(request: Request) -> Response:
        catalogue = speak.to(request)
        texts = {"language": catalogue.language, "languages": names(), **page_texts(catalogue.text)}
        return JSONResponse(texts, headers={**_NO_CACHE, **speak.headers(catalogue)})

    def record(_: Request) -> Response:
        return PlainTextResponse(table.record_text(), headers=_NO_STORE)

    async def talk(socket: WebSocket) -> None:
        await _Talk(socket, table, speak.to(socket).text).run()

    return Starlette(
        routes=[
            Route("/", page),
            Route("/texts.json", words),
            Route("/record.txt", record),
            WebSocketRoute("/ws", talk),
            Mount("/static", _Static(directory=_STATIC)),
        ],
        middleware=[Middleware(Guard, allowed_hosts=allowed_hosts, speak=speak)],
    )


async def serve(
    table: TableLike,
    *,
    host: str = "127.0.0.1",
    port: int = DEFAULT_PORT,
    allowed_hosts: Collection[str] = (),
    language: str | None = None,
    opened: Callable[[str], None] | None = None,
    open_browser: bool = False,
    listener: socket.socket | None = None,
) -> None:
    """Offer the page until cancelled.

    :param host: the address to listen on; with one that is not loopback the page is there for the whole network.
    :param port: 0 picks a free one.
    :param language: see `create_app`.
    :param opened: called once with the page's address, when it can be asked.
    :param open_browser: open it in the browser, if this machine has a screen.
    :param listener: what `listen` has given for that host and port, if it was asked before.
    :raises PortInUse: another program has that port.
    :raises CannotListen: the address is not this machine's, or the port is not allowed.
    """
    from popout.views.web.quiet import QuietServer  # takes longer to import than everything else here

    with contextlib.closing(listener or listen(host, port)) as listener:
        hosts = {*allowed_hosts, *_own_names(host)}
        server = QuietServer(create_app(table, allowed_hosts=hosts, language=language))
        serving = asyncio.create_task(server.run(listener))
        try:
            address = _address(host, listener.getsockname()[1])
            if opened is not None:
                opened(address)
            if open_browser and _has_screen():
                await asyncio.to_thread(webbrowser.open, address)
            await asyncio.shield(serving)
        finally:
            server.stop()
            await serving


class _Static(StaticFiles):
    """The page's files; a browser asks each time whether they are still the same, so that an upgrade shows."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers.update(_NO_CACHE)
        return response


class _Talk:
    """One page's connection: tells every change, newest only; answers each command with done, look or refused."""

    def __init__(self, socket: WebSocket, table: TableLike, say: Say) -> None:
        self._socket = socket
        self._table = table
        self._say = say
        self._changed = {"state", "lamps"}
        self._wake = asyncio.Event()
        self._held: set[str] = set()

    async def run(self) -> None:
        """Talk until the page goes away."""
        await self._socket.accept()
        self._wake.set()
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._watch()), group.create_task(self._tell())]
                await self._listen()
                for task in tasks:
                    task.cancel()
        finally:
            self._let_go()

    async def _watch(self) -> None:
        """Note what changed. Never waits for the page, so that a slow one makes no queue anywhere."""
        async for kind in self._table.changes():
            self._changed.add(kind)
            self._wake.set()

    async def _tell(self) -> None:
        """Send the newest state and lamps when they differ from what this page has."""
        has = {"state": b"", "lamps": b""}
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                await self._wake.wait()
                self._wake.clear()
                for kind in ("state", "lamps"):
                    if kind not in self._changed:
                        continue
                    self._changed.discard(kind)
                    newest = msgspec.json.encode(
                        self._table.snapshot(self._say) if kind == "state" else self._table.lamps()
                    )
                    if newest != has[kind]:
                        has[kind] = newest
                        await self._socket.send_text(newest.decode())

    async def _listen(self) -> None:
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                answer = await self._answer(message.get("text"))
                await self._socket.send_text(msgspec.json.encode(answer).decode())

    async def _answer(self, text: str | None) -> Mapping[str, Any]:
        name = None
        try:
            if text is None:
                raise BadMessage(Message("The message is not text. Send JSON as text."))
            command = read_command(text)
            name = name_of(command)
            if isinstance(command, Look):
                return self._table.look(command.ply, self._say)
            await self._table.command(command)
        except PopoutError as refusal:
            return {"type": "refused", "do": name, "code": refusal.code, "text": self._say(refusal.message)}
        if isinstance(command, Press):
            self._held.add(command.switch)
        elif isinstance(command, Release | Withdraw):
            self._held.discard(command.switch)
        return {"type": "done", "do": name}

    def _let_go(self) -> None:
        """A page that goes away holds nothing down any more, and makes no move by that."""
        for switch in sorted(self._held):
            self._table.withdraw(switch)


def listen(host: str, port: int) -> socket.socket:
    """Take a port for the page, so that a port that cannot be had is known before anything else happens.

    :raises PortInUse: another program has it.
    :raises CannotListen: the address is not this machine's, or the port is not allowed.
    """
    if not 0 <= port <= 65535:
        raise CannotListen(Message("Port {port} is no port. Choose one from 1 to 65535 with --port.", port=port))
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
        return socket.create_server((host, port), family=family)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortInUse(
                Message(
                    "Port {port} is in use by another program, perhaps by this one in another window."
                    " Use that page, or choose another port with --port {other}.",
                    port=port,
                    other=port + 1 if port < 65535 else DEFAULT_PORT,
                )
            ) from error
        if isinstance(error, PermissionError):
            raise CannotListen(
                Message(
                    "The system does not allow port {port} to this user. Choose one above 1023 with --port.",
                    port=port,
                )
            ) from error
        raise CannotListen(
            Message(
                "The page cannot be offered at {host}, because this machine has no such address."
                " Leave --host out to offer it to this machine only.",
                host=host,
            )
        ) from error


def _own_names(host: str) -> set[str]:
    """The names under which a page may ask for a server that listens on `host`."""
    if is_loopback(host):
        return set()
    name = socket.gethostname().lower()
    return {host.lower(), name, f"{name}.local", ANY_ADDRESS}


def _address(host: str, port: int) -> str:
    """What a person types into a browser on this machine."""
    if host in ("0.0.0.0", "::", ""):
        host = "localhost"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _has_screen() -> bool:
    """Whether a browser window can be opened; without this, a text browser would take the terminal over."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
