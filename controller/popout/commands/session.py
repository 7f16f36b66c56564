"""A session: the parts of a running board, kept going until the program is told to stop."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from popout.board.driver import BoardLost
from popout.commands.console import Console, can_show
from popout.commands.stopping import told_to_stop
from popout.commands.terminal import sit_down, standard_input
from popout.play.supervisor import Part, Supervisor
from popout.play.table import Table
from popout.rules import Message
from popout.service.notify import Notifier
from popout.service.report import Report
from popout.service.status import StatusFile

if TYPE_CHECKING:
    from popout.views.web.listening import Listening
    from popout.views.web.network import Network
    from popout.views.web.state import TableView

_BOARD = "board"
_HOW_TO_STOP: Final = Message("Press Ctrl+C here to stop.")


@dataclass(frozen=True)
class Page:
    """How the page is offered.

    :ivar listener: the port that was taken for it. :ivar network: who of other machines may play.
    :ivar language: None leaves it to each browser.
    """

    listener: Listening
    network: Network
    language: str | None
    open_browser: bool


class Session:
    """What runs while a board is played: each part is kept going by itself."""

    def __init__(
        self,
        table: Table,
        console: Console,
        reason: Message,
        page: Page | None,
        *,
        terminal: bool = False,
        dark: Callable[[], object] = lambda: None,
    ) -> None:
        """Prepare. `reason` says why it is this board; without a `page` the board is played alone.

        :param terminal: play in this terminal too; whoever leaves it ends the session.
        :param dark: called at the end, as soon as the lamps are dark.
        """
        self._table = table
        self._console = console
        self._reason = reason
        self._page = page
        self._dark = dark
        self._lines = standard_input() if terminal else None
        self._notifier = Notifier()
        self._report = Report(
            table,
            console.catalogue,
            health=lambda: self._supervisor.health,
            board=_BOARD,
            notifier=self._notifier,
            file=StatusFile(),
        )
        self._supervisor = Supervisor(fault=table.fault, changed=self._report.news.set)

    async def run(self) -> None:
        """Play until a signal, or until a part ends whose end is that of all. The lamps are dark then.

        :raises BoardLost: the board is gone for good.
        """
        task = asyncio.current_task()
        assert task is not None
        with told_to_stop(task.cancel), suppress(asyncio.CancelledError):
            with suppress(OSError):  # whoever read this may be gone, which is no reason not to play
                alone = self._page is None and self._lines is None
                how_to_stop = (_HOW_TO_STOP,) if alone else ()
                self._console.say(self._reason, *self._table.board.remarks, *how_to_stop)
            try:
                await self._supervisor.run(self._parts())
            finally:
                self._table.board.close()
                self._notifier.close()
                self._dark()

    @cached_property
    def _view(self) -> TableView:
        """The one view that page and terminal share: it knows whose finger is on which button."""
        from popout.views.web.state import TableView

        return TableView(self._table)

    def _parts(self) -> Iterator[Part]:
        yield Part(_BOARD, self._table.run, ends=True, final=(BoardLost,))
        yield Part("opponent", self._table.opponents.run)
        if self._page is not None:
            yield Part("page", _PagePart(self._view, self._page, self._page_opened).run)
            if self._page.listener.everywhere:
                yield Part("network name", self._announce)
        if self._lines is not None:
            yield Part("terminal", self._sit_down, ends=True, final=(BrokenPipeError,))
        yield Part("service", self._report.run)
        if self._notifier.ping_every_s is not None:
            yield Part("watchdog", self._report.keep_watchdog_quiet)

    async def _sit_down(self) -> None:
        from popout.views.terminal.link import TableLink

        assert self._lines is not None
        network = self._page.network if self._page else None
        link = TableLink(self._view, self._console.catalogue.text, network)
        await sit_down(link, self._console, self._lines)

    async def _announce(self) -> None:
        from popout.views.web.announce import announce

        assert self._page is not None
        await announce(self._page.listener.addresses, self._page.network.is_at)

    def _page_opened(self, address: str) -> None:
        if address in self._report.pages:
            return  # it was started again
        self._report.pages += [address, *(self._page.network.addresses if self._page else ())]
        self._report.news.set()
        with suppress(OSError):  # whoever read this may be gone, which is no reason for the page to fail
            self._console.say(Message("The board is at {address}", address=address), _HOW_TO_STOP)
            self._say_where_phones_go()

    def _say_where_phones_go(self) -> None:
        """The page's address for phones, and the same for their cameras where the screen can show it."""
        from popout.views.web import qr

        addresses = self._page.network.addresses if self._page else ()
        if not addresses:
            return
        self._console.say(Message("On the network it is at {address}", address=addresses[0]))
        if self._console.interactive and can_show(qr.BLOCKS, sys.stdout):
            self._console.write(*qr.lines(addresses[0]))


class _PagePart:
    """The page's server. Its first start uses the port that was taken for it; later ones take the same again.

    `opened` is called with the page's address whenever it can be asked.
    """

    def __init__(self, view: TableView, page: Page, opened: Callable[[str], None]) -> None:
        self._view = view
        self._page = page
        self._opened = opened
        self._port = page.listener.port
        self._started = False

    async def run(self) -> None:
        from popout.views.web.listening import listen
        from popout.views.web.server import serve

        first, self._started = not self._started, True
        taken = self._page.listener
        await serve(
            self._view,
            language=self._page.language,
            opened=self._opened,
            open_browser=self._page.open_browser and first,
            listener=taken if first else listen(taken.host, self._port),
            network=self._page.network,
        )
        raise RuntimeError("the server ended by itself")
