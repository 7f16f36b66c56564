"""Lets the page be found by name on the network, as printers are: ``_http._tcp`` by multicast DNS (zeroconf).

Without it everything works by address. So nothing here stops anything else: what goes wrong is raised, for the
supervisor to log and to try again.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterable
from typing import Any, Protocol
from urllib.parse import urlsplit

from popout.rules import Message, PopoutError

KIND = "_http._tcp.local."
LOOK_AGAIN_S = 20.0
"""How often to see whether this machine has got other addresses."""


class NotAnnounced(PopoutError, OSError):
    """The page cannot be found by name."""

    code = "not-announced"


class Announcer(Protocol):
    """What is used of `zeroconf.asyncio.AsyncZeroconf`."""

    async def async_register_service(self, info: Any, *, allow_name_change: bool) -> Any:
        """Announce a service, under another name if its own is taken."""
        ...

    async def async_update_service(self, info: Any) -> Any:
        """Announce it again as it is now."""
        ...

    async def async_close(self) -> None:
        """Take everything back."""
        ...


def usual_name() -> str:
    """What the board is called on the network."""
    return f"Pop Out ({socket.gethostname().partition('.')[0]})"


async def announce(
    addresses: Callable[[], Iterable[str]],
    found_at: Callable[[Iterable[str], str | None], None],
    *,
    name: str | None = None,
    open_announcer: Callable[[], Announcer] | None = None,
    look_again_s: float = LOOK_AGAIN_S,
) -> None:
    """Announce the page until cancelled, and wait where this machine has no network.

    :param addresses: the page's addresses for other machines, as they are now.
    :param found_at: is told them, and the name by which it can be found: None while it cannot.
    :param name: see `usual_name`. If another board has it, a number is added to it.
    :raises NotAnnounced: the network does not allow it.
    """
    from zeroconf.asyncio import AsyncZeroconf

    while True:
        if at := list(addresses()):
            try:
                announcer = (open_announcer or AsyncZeroconf)()
            except OSError as error:
                raise _not_announced(error) from error
            try:
                await _while_there(announcer, _service(name or usual_name(), at), addresses, found_at, look_again_s)
            finally:
                found_at(list(addresses()), None)
                await asyncio.shield(announcer.async_close())
        else:
            found_at(at, None)
            await asyncio.sleep(look_again_s)


async def _while_there(
    announcer: Announcer,
    info: Any,
    addresses: Callable[[], Iterable[str]],
    found_at: Callable[[Iterable[str], str | None], None],
    look_again_s: float,
) -> None:
    """Announce the page for as long as this machine has any address."""
    from zeroconf import Error

    try:
        await (await announcer.async_register_service(info, allow_name_change=True))
        while at := list(addresses()):
            found_at(at, info.name.removesuffix(f".{KIND}"))
            while at == (now := list(addresses())):
                await asyncio.sleep(look_again_s)
            if now:
                info.addresses = _packed(now)
                await (await announcer.async_update_service(info))
    except (OSError, Error) as error:
        raise _not_announced(error) from error


def _service(name: str, at: list[str]) -> Any:
    from zeroconf.asyncio import AsyncServiceInfo

    return AsyncServiceInfo(
        KIND,
        f"{name}.{KIND}",
        addresses=_packed(at),
        port=urlsplit(at[0]).port,
        properties={"path": "/"},
        server=f"{socket.gethostname().partition('.')[0]}.local.",
    )


def _packed(at: list[str]) -> list[bytes]:
    hosts = [urlsplit(each).hostname or "" for each in at]
    return [socket.inet_pton(socket.AF_INET6 if ":" in host else socket.AF_INET, host) for host in hosts]


def _not_announced(error: BaseException) -> NotAnnounced:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return NotAnnounced(
        Message(
            "The board cannot be found by name on the network ({reason}). Its address works all the same.",
            reason=reason,
        )
    )
