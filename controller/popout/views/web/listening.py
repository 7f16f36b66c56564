"""Taking a port for the page: on this machine alone, at one address of it, or at all of them."""

from __future__ import annotations

import errno
import socket
from dataclasses import dataclass

from popout.play.settings import Settings
from popout.rules import Message, PopoutError
from popout.views.web.guard import ANY_ADDRESS
from popout.views.web.network import addresses_of_this_machine, url
from popout.views.web.peers import is_loopback

DEFAULT_PORT = Settings().port
LOOPBACK = "127.0.0.1"
EVERYWHERE = "*"
"""As a host: every address of this machine, of both kinds."""

_ALL_OF_A_KIND = {"": LOOPBACK, "0.0.0.0": LOOPBACK, "::": "::1"}


class CannotListen(PopoutError, OSError):
    """The page cannot be offered at that address."""

    code = "cannot-listen"


class PortInUse(CannotListen):
    """Another program listens on that port already."""

    code = "port-in-use"


@dataclass(frozen=True)
class Listening:
    """The sockets at which the page is offered.

    :ivar host: as it was given, or `EVERYWHERE`. :ivar port: the one port of all of them.
    """

    host: str
    port: int
    sockets: tuple[socket.socket, ...]

    @property
    def everywhere(self) -> bool:
        """Whether it is there for the whole network, to be found by name too."""
        return self.host == EVERYWHERE

    @property
    def address(self) -> str:
        """The page's address for a browser on this machine."""
        host = self.host if is_loopback(self.host) else _ALL_OF_A_KIND.get(self.host, LOOPBACK)
        return url(host, self.port)

    def addresses(self) -> list[str]:
        """The page's addresses for other machines, as they are now, the likeliest first; none on loopback alone."""
        if is_loopback(self.host):
            return []
        if self.host == EVERYWHERE:
            return addresses_of_this_machine(self.port)
        if self.host not in _ALL_OF_A_KIND:
            return [url(self.host, self.port)]
        return [each for each in addresses_of_this_machine(self.port) if ("[" in each) == (self.host == "::")]

    def names(self) -> set[str]:
        """The names besides loopback by which a page may ask for it."""
        if is_loopback(self.host):
            return set()
        name = socket.gethostname().lower()
        first = name.partition(".")[0]
        return {self.host.lower(), name, first, f"{first}.local", ANY_ADDRESS}

    def close(self) -> None:
        """Give the port back. It may be called twice."""
        for each in self.sockets:
            each.close()


def listen(host: str = LOOPBACK, port: int = DEFAULT_PORT) -> Listening:
    """Take a port for the page, so that a port that cannot be had is known before anything else happens.

    Whatever the host is, the page is there for this machine's own browser too, which alone may do everything.

    :raises PortInUse: another program has it.
    :raises CannotListen: the address is not this machine's, or the port is not allowed.
    """
    if not 0 <= port <= 65535:
        raise CannotListen(Message("Port {port} is no port. Choose one from 1 to 65535 with --port.", port=port))
    first = _bind("0.0.0.0" if host == EVERYWHERE else host, port)
    taken = first.getsockname()[1]
    try:
        if host == EVERYWHERE:
            return Listening(host, taken, (first, *_of_the_other_kind(taken)))
        if is_loopback(host) or host in _ALL_OF_A_KIND or is_loopback(first.getsockname()[0]):
            return Listening(host, taken, (first,))
        return Listening(host, taken, (first, _bind(LOOPBACK, taken)))
    except CannotListen:
        first.close()
        raise


def _of_the_other_kind(port: int) -> list[socket.socket]:
    """All addresses of IPv6, where there is any."""
    try:
        return [_bind("::", port)]
    except PortInUse:
        raise
    except CannotListen:
        return []


def _bind(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
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
