"""Who may talk to the page's server: checks of Host and Origin, and the headers that every answer carries.

A page of a foreign site can make a browser send requests here. Its requests carry a foreign Origin, or, when it
has bent its own name to this machine's address (DNS rebinding), a foreign Host. Both are refused.
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Event

from popout.rules.messages import Message
from popout.views.web.peers import host_name, is_local, is_loopback, read_address
from popout.views.web.speaker import Speaker
from popout.views.web.traffic import Turnstile

ANY_ADDRESS = "*"
"""Among the allowed hosts: every numeric address. For DNS rebinding a page needs a name that answers with another
address later on; a page that was asked for by number came from that very address, so that this is safe."""

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

FOR_LOOPBACK = {"Cross-Origin-Opener-Policy": "same-origin"}
"""Browsers heed this only where they trust the connection, and complain elsewhere."""


class Guard:
    """ASGI middleware: refuses foreign hosts and origins with 403, gives every answer `HEADERS`.

    :param speak: in which language to refuse.
    :param allowed_hosts: names or addresses, without port, that the page may be asked by besides loopback;
        `ANY_ADDRESS` stands for every numeric address.
    """

    def __init__(self, app: ASGIApp, speak: Speaker, allowed_hosts: Collection[str] = ()) -> None:
        self.app = app
        self.speak = speak
        self.allowed_hosts = frozenset(host.lower() for host in allowed_hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        trusted = is_loopback(host_name(Headers(scope=scope).get("host", "")))

        async def send_with_headers(event: Event) -> None:
            if event["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=event)
                for name, value in {**HEADERS, **(FOR_LOOPBACK if trusted else {})}.items():
                    headers[name] = value
            await send(event)

        reason = self._reason(scope)
        if reason is None:
            await self.app(scope, receive, send_with_headers)
            return
        sentence = self.speak.to(HTTPConnection(scope)).text(reason)
        refusal = PlainTextResponse(sentence + "\n", status_code=403)
        if scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
            await refusal(scope, receive, send_with_headers)
        else:
            await send({"type": "websocket.close", "code": 1008})

    def _reason(self, scope: Scope) -> Message | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not host_is_allowed(host, self.allowed_hosts):
            return Message("This server does not answer under that name. Use the address that it printed.")
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            return None
        origins = headers.getlist("origin")
        if not origins:
            # A browser always says where its page is from; a program on this machine needs not.
            return None if is_local(scope) else Message("From another machine, only the page itself may connect.")
        if len(origins) != 1 or not same_origin(origins[0], host):
            return Message("Only the page of this server may connect, not a page of another site.")
        return None


class InTurn:
    """ASGI middleware: requests of other machines take turns, so that they cannot keep the board waiting."""

    def __init__(self, app: ASGIApp, turnstile: Turnstile) -> None:
        self.app = app
        self.turnstile = turnstile

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on when it is its turn."""
        if scope["type"] in ("http", "websocket") and not is_local(scope):
            await self.turnstile.turn()
        await self.app(scope, receive, send)


def host_is_allowed(host: str, allowed: frozenset[str]) -> bool:
    """Whether a Host header names loopback or one of the `allowed` hosts (lower case, without port)."""
    name = host_name(host)
    if not name:
        return False
    return is_loopback(name) or name in allowed or (ANY_ADDRESS in allowed and read_address(name) is not None)


def same_origin(origin: str, host: str) -> bool:
    """Whether an Origin header has the same host and port as the Host header."""
    try:
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()
    except ValueError:
        return False
