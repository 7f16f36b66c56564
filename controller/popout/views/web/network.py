"""The page on the network: where it is, who is invited and admitted there, and what the board's page is told of it."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterable
from typing import Any

from popout.rules import Message, PopoutError, Side
from popout.views.web.admission import Admission, Player
from popout.views.web.peers import read_address


class NotOnNetwork(PopoutError, ValueError):
    """The page is offered to this machine only."""

    code = "not-on-network"


class Network:
    """What others on the network have to do with this board.

    :ivar addresses: of the page, as a phone can use them, the likeliest first; none if it is for this machine only.
    :ivar name: by which it can be found, None while it is not announced.
    :ivar changed: is called after each change of what `seen` tells.
    """

    def __init__(self, addresses: Iterable[str] = (), clock: Callable[[], float] = time.monotonic) -> None:
        self.addresses = tuple(addresses)
        self.name: str | None = None
        self.changed: Callable[[], None] = lambda: None
        self._admission = Admission()
        self._clock = clock

    def seen(self) -> dict[str, Any] | None:
        """What a page of this machine shows of it; None if the board is not on the network. Times are in milliseconds
        since 1970."""
        if not self.addresses:
            return None
        now = self._clock()
        ahead = round(time.time() - now)
        return {
            "addresses": list(self.addresses),
            "name": self.name,
            "players": [
                {
                    "id": player.number,
                    "side": player.side.value,
                    "since": round(player.since + ahead) * 1000,
                    "address": player.address,
                }
                for player in self._admission.players
            ],
            "invited": [
                {"side": each.side.value, "code": each.code, "until": round(each.until + ahead) * 1000}
                for each in self._admission.invited(now)
            ],
        }

    def is_at(self, addresses: Iterable[str], name: str | None) -> None:
        """The page is found at these addresses and under this name now."""
        found = tuple(addresses)
        if (found, name) != (self.addresses, self.name):
            self.addresses, self.name = found, name
            self.changed()

    def invite(self, side: Side) -> None:
        """Make a code for a side, which `seen` tells.

        :raises NotOnNetwork: nobody could use it.
        """
        if not self.addresses:
            raise NotOnNetwork(
                Message("No phone can reach this board. Stop the program, and start it again with --listen.")
            )
        self._admission.invite(side, self._clock())
        self.changed()

    def enter(self, address: str, code: str) -> Player:
        """See `Admission.enter`."""
        now = self._clock()
        before = self._admission.invited(now)
        try:
            return self._admission.enter(address, code, now)
        finally:
            if len(self._admission.invited(now)) != len(before):
                self.changed()

    def again(self, token: str) -> Player:
        """See `Admission.again`."""
        return self._admission.again(token)

    def put_out(self, number: int) -> None:
        """See `Admission.put_out`."""
        self._admission.put_out(number)
        self.changed()

    def side_of(self, number: int | None) -> Side | None:
        """See `Admission.side_of`."""
        return self._admission.side_of(number)


def addresses_of_this_machine(port: int) -> list[str]:
    """The page's address at every address by which another machine may reach this one, the likeliest first."""
    import ifaddr

    found = [ip.ip if isinstance(ip.ip, str) else ip.ip[0] for adapter in ifaddr.get_adapters() for ip in adapter.ips]
    reachable = [each for each in dict.fromkeys(found) if _is_reachable(each)]
    first = _usual_address()
    reachable.sort(key=lambda each: (each != first, ":" in each))
    return [url(each, port) for each in reachable]


def url(host: str, port: int) -> str:
    """The address of a page."""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _is_reachable(address: str) -> bool:
    found = read_address(address)
    return found is not None and not (found.is_loopback or found.is_link_local or found.is_unspecified)


def _usual_address() -> str | None:
    """That of this machine towards everywhere else. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("203.0.113.1", 9))
        except OSError:
            return None
        return str(asking.getsockname()[0])
