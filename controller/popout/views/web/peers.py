"""Where a connection comes from: this machine, or another one."""

from __future__ import annotations

import ipaddress
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_BROUGHT = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""What a program says that passes the requests of others on."""


def is_local(scope: Scope) -> bool:
    """Whether a request or WebSocket comes from a program or browser on this machine, for itself.

    It comes from loopback and asks for loopback by number or as ``localhost``. By another name it is not trusted so
    far: whoever answers for that name on the network could be the one who wrote the page that asks. Nor is what a
    program on this machine passes on for others.
    """
    headers = Headers(scope=scope)
    return (
        is_loopback(client_of(scope))
        and is_loopback(host_name(headers.get("host", "")))
        and not any(name in headers for name in _BROUGHT)
    )


def client_of(scope: Scope) -> str:
    """The address at the other end, an empty text if it has none."""
    client = scope.get("client")
    return plain(client[0]) if client else ""


def plain(address: str) -> str:
    """An address without the zone; one of IPv4 that came dressed up as IPv6 is IPv4 again."""
    found = read_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return address.partition("%")[0]
    return address


def host_name(host: str) -> str:
    """The name in a Host header without the port, in lower case; an empty text if it cannot be read."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def is_loopback(name: str) -> bool:
    """Whether a host name or address is this machine's own loopback."""
    address = read_address(name)
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return name == "localhost" if address is None else address.is_loopback


def read_address(name: str) -> Address | None:
    """A numeric address; None if it is a name."""
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def socket_address(transport: Any, end: str) -> str:
    """The address of one end of a connection (``peername`` or ``sockname``), an empty text if it is gone already."""
    found = transport.get_extra_info(end)
    return plain(str(found[0])) if isinstance(found, tuple) and found else ""
