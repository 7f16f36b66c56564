"""The page's server: its files, its words, the record, and one WebSocket for state, lamps and commands.

Nothing here knows a rule or keeps a game: what a page shows is what the table says, and what a page asks goes to
the table. While nothing changes, nothing runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import mimetypes
import os
import sys
import webbrowser
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Protocol

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Scope
from starlette.websockets import WebSocket

from popout.views.web import history, qr
from popout.views.web.fanout import Fanout, Tellable
from popout.views.web.guard import Guard, InTurn
from popout.views.web.listening import DEFAULT_PORT, LOOPBACK, Listening, listen
from popout.views.web.network import Network
from popout.views.web.peers import is_local
from popout.views.web.speaker import Speaker, names, page_of
from popout.views.web.talk import Obeying, Talk
from popout.views.web.texts import page_texts

_STATIC = Path(__file__).parent / "static"
_NO_CACHE = {"Cache-Control": "no-cache"}
_NO_STORE = {"Cache-Control": "no-store"}


class TableLike(Tellable, Obeying, Protocol):
    """What the server needs of a table; `popout.views.web.state.TableView` gives it."""

    @property
    def record(self) -> Path | None:
        """The file with the games that were played; None if they are kept in memory."""
        ...

    def record_text(self) -> str:
        """The game's record."""
        ...


def create_app(
    table: TableLike,
    *,
    allowed_hosts: Collection[str] = (),
    language: str | None = None,
    network: Network | None = None,
) -> Starlette:
    """The page's application for one table.

    :param allowed_hosts: host names besides loopback under which it may be asked, see `Guard`.
    :param language: the language of a page that names none itself, with ``?lang=``; None leaves it to its browser.
    :param network: who of other machines may play; None if none can reach this one.
    """
    # On some systems the registry calls a script text/plain, which a browser then refuses to run.
    mimetypes.add_type("text/javascript", ".js")
    speak = Speaker(language)
    fanout = Fanout(table)
    network = network or Network()
    network.changed = fanout.call_all
    known_words: dict[str, bytes] = {}

    async def page(request: Request) -> Response:
        catalogue = speak.to(request)
        return HTMLResponse(page_of(catalogue), headers={**_NO_CACHE, **speak.headers(catalogue)})

    async def words(request: Request) -> Response:
        catalogue = speak.to(request)
        if catalogue.language not in known_words:
            texts = {"language": catalogue.language, "languages": names(), **page_texts(catalogue.text)}
            known_words[catalogue.language] = msgspec.json.encode(texts)
        headers = {**_NO_CACHE, **speak.headers(catalogue)}
        return Response(known_words[catalogue.language], media_type="application/json", headers=headers)

    async def record(_: Request) -> Response:
        return PlainTextResponse(table.record_text(), headers=_NO_STORE)

    async def code(request: Request) -> Response:
        if not is_local(request.scope) or not network.addresses:
            return PlainTextResponse(status_code=404)
        return Response(qr.drawing(network.addresses[0]), media_type="image/svg+xml", headers=_NO_STORE)

    async def talk(socket: WebSocket) -> None:
        await Talk(socket, table, fanout, network, speak.to(socket)).run()

    return Starlette(
        routes=[
            Route("/", page),
            Route("/texts.json", words),
            Route("/record.txt", record),
            Route("/qr.svg", code),
            WebSocketRoute("/ws", talk),
            *history.routes(table.record, speak),
            Mount("/static", _Static(directory=_STATIC)),
        ],
        middleware=[
            Middleware(Guard, allowed_hosts=allowed_hosts, speak=speak),
            Middleware(InTurn, turnstile=fanout.turnstile),
        ],
    )


async def serve(
    table: TableLike,
    *,
    host: str = LOOPBACK,
    port: int = DEFAULT_PORT,
    allowed_hosts: Collection[str] = (),
    language: str | None = None,
    opened: Callable[[str], None] | None = None,
    open_browser: bool = False,
    listener: Listening | None = None,
    network: Network | None = None,
) -> None:
    """Offer the page until cancelled.

    :param host: the address to listen on; with one that is not loopback the page is there for the whole network.
    :param port: 0 picks a free one.
    :param language: see `create_app`.
    :param opened: called once with the page's address on this machine, when it can be asked.
    :param open_browser: open it in the browser, if this machine has a screen.
    :param listener: what `listen` has given, if it was asked before; it is closed at the end.
    :param network: see `create_app`; None makes one for the addresses at which the listener is reached.
    :raises PortInUse: another program has that port.
    :raises CannotListen: the address is not this machine's, or the port is not allowed.
    """
    from popout.views.web.quiet import QuietServer  # takes longer to import than everything else here

    with contextlib.closing(listener or listen(host, port)) as listener:
        hosts = {*allowed_hosts, *listener.names()}
        network = network or Network(listener.addresses())
        server = QuietServer(create_app(table, allowed_hosts=hosts, language=language, network=network))
        serving = asyncio.create_task(server.run(listener.sockets))
        try:
            if opened is not None:
                opened(listener.address)
            if open_browser and _has_screen():
                await asyncio.to_thread(webbrowser.open, listener.address)
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


def _has_screen() -> bool:
    """Whether a browser window can be opened; without this, a text browser would take the terminal over."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
