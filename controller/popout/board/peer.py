"""A simulated board behind a serial port, for programs that talk with boards by themselves.

It comes from another package, which says what makes one with an entry point of the group ``popout.peers``::

    [project.entry-points."popout.peers"]
    sim = "popout_sim.peer:serial_peer"
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from typing import Final, Protocol, cast

from popout.board.driver import Twin
from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.rules.messages import Message, PopoutError

GROUP: Final = "popout.peers"


class PeerMissing(PopoutError, LookupError):
    """No package that is installed simulates a board behind a serial port."""

    code = "peer-missing"


class Peer(Protocol):
    """A simulated board behind a serial port."""

    @property
    def port(self) -> str | None:
        """The name of the port to open; None while it is unplugged."""
        ...

    @property
    def twin(self) -> Twin:
        """Its hands and eyes, also while it is unplugged."""
        ...

    @property
    def lamps(self) -> Frame:
        """The light of the lamps now."""
        ...

    async def run(self) -> None:
        """Be the board until this is cancelled.

        :raises BoardError: there is no port to come back on.
        """
        ...

    def unplug(self) -> None:
        """Pull the cable."""
        ...

    def plug(self) -> None:
        """Plug it in; the board is on another port than before."""
        ...

    def close(self) -> None:
        """Let go of the port. May be called twice."""
        ...


class PeerMaker(Protocol):
    """What is behind the entry point."""

    def __call__(
        self,
        layout: Layout,
        version: str,
        *,
        faults: str | None = None,
        seed: int = 0,
        news: Callable[[], object] = lambda: None,
    ) -> Peer:
        """A board on a serial port, as a microcontroller would be.

        :param layout: a board of the driver ``serial``.
        :param version: of the firmware, as hosts are told.
        :param faults: what goes wrong with it, and `seed` of the chance; see `BoardDriver.with_faults`.
        :param news: is called when there is another port or none any more, and when other lamps are lit.
        :raises PopoutError: it cannot be such a board, or this system has no such ports.
        """
        ...


def peer_maker() -> PeerMaker:
    """What makes a simulated board behind a serial port.

    :raises PeerMissing: nothing does.
    """
    for entry_point in importlib.metadata.entry_points(group=GROUP):
        return cast(PeerMaker, entry_point.load())
    raise PeerMissing(
        Message("Nothing is installed that simulates a board on a serial port. Install the package popout-board again.")
    )
