"""The part of a running board that reports how it is: to systemd, and in the file that `popout status` reads."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Sequence
from typing import Literal

from popout import __version__
from popout.locale import Catalogue
from popout.play.supervisor import Health, State, described
from popout.play.table import Table
from popout.rules import RED, YELLOW, Game, Message, Side, waiting_for, why_ended
from popout.service.notify import Notifier
from popout.service.status import PartStatus, Said, Status, StatusFile, process_of

AT_MOST_EVERY_S = 1.0
"""However much happens, it is reported no more often."""

_log = logging.getLogger(__name__)


class Report:
    """Says how the table and the parts around it are, after every change, and nothing while nothing changes.

    :ivar news: set it when something changed that the table does not know of.
    :ivar pages: the addresses at which the game can be seen.
    """

    def __init__(
        self,
        table: Table,
        catalogue: Catalogue,
        *,
        health: Callable[[], Sequence[Health]],
        board: str,
        notifier: Notifier,
        file: StatusFile,
    ) -> None:
        """Prepare.

        :param catalogue: the language. :param health: how the parts are doing.
        :param board: the name of the part that is the table; the watchdog bites if it does not run.
        """
        self.news = asyncio.Event()
        self.pages: list[str] = []
        self._table = table
        self._catalogue = catalogue
        self._health = health
        self._board = board
        self._notifier = notifier
        self._file = file
        self._since = time.time()
        self._process = process_of(os.getpid()) or None
        self._times: dict[str, tuple[float, float]] = {}
        self._not_written = ""

    async def run(self) -> None:
        """Report until cancelled: then the program stops, and there is nothing more to read about it."""
        self.news.set()
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._follow())
                group.create_task(self._announce())
                group.create_task(self._report())
        except asyncio.CancelledError:
            self._notifier.stopping()
            raise
        finally:
            self._file.remove()

    async def _follow(self) -> None:
        async for _ in self._table.changes():
            self.news.set()

    async def _report(self) -> None:
        told, written = "", None
        while True:
            await self.news.wait()
            self.news.clear()
            sentence, status = self._in_one_sentence(), self._status()
            if sentence != told and self._notifier.status(sentence):
                told = sentence
            if status != written and self._write(status):
                written = status
            await asyncio.sleep(AT_MOST_EVERY_S)

    async def _announce(self) -> None:
        await self._table.started.wait()
        self.news.set()
        while not self._notifier.ready():
            await asyncio.sleep(AT_MOST_EVERY_S)

    async def keep_watchdog_quiet(self) -> None:
        """Say to systemd again and again that the board is played; that this runs shows that the event loop does.

        A part of its own: whatever is wrong with the report is no reason to kill a game that goes on.
        """
        every = self._notifier.ping_every_s
        while every is not None:
            if any(health.name == self._board and health.state is State.RUNNING for health in self._health()):
                self._notifier.alive()
            await asyncio.sleep(every)

    def _write(self, status: Status) -> bool:
        """Write the file if it can be written; if not, that is logged once, and no reason for anything else to fail."""
        try:
            self._file.write(status)
        except OSError as error:
            if str(error) != self._not_written:
                _log.warning("What “popout status” reads cannot be written (%s).", error)
            self._not_written = str(error)
            return False
        self._not_written = ""
        return True

    def _status(self) -> Status:
        controller, game = self._table.controller, self._table.controller.game
        notice, trouble = controller.notices.newest, controller.trouble
        return Status(
            pid=os.getpid(),
            process=self._process,
            version=__version__,
            since=self._since,
            ready=self._table.started.is_set(),
            board=self._catalogue.text(self._table.board.description),
            remarks=tuple(map(self._catalogue.text, self._table.board.remarks)),
            game=game.rules.short_text,
            moves=len(game.moves),
            turn=None if game.turn is None else _SIDES[game.turn],
            now=self._catalogue.text(_now(game)),
            notice=self._as_said("notice", notice.code, notice.message, notice.time) if notice else None,
            trouble=self._as_said("trouble", *trouble) if trouble else None,
            record=None if self._table.record is None else str(self._table.record.absolute()),
            pages=tuple(self.pages),
            parts=tuple(_part(health) for health in self._health()),
        )

    def _as_said(self, kind: str, code: str, message: Message, time_ms: float) -> Said:
        """What was said, with its time by the computer's clock; of the same time always the same, to the last digit."""
        known = self._times.get(kind)
        if known is None or known[0] != time_ms:
            known = (time_ms, time.time() - (self._table.board.now() - time_ms) / 1000)
            self._times[kind] = known
        return Said(code=code, text=self._catalogue.text(message), at=known[1])

    def _in_one_sentence(self) -> str:
        game, trouble = self._table.controller.game, self._table.controller.trouble
        said = Message(
            "{rules}, {count} move. {now}",
            plural="{rules}, {count} moves. {now}",
            count=len(game.moves),
            rules=game.rules.short_text,
            now=trouble[1] if trouble else _now(game),
        )
        return self._catalogue.text(said)


_SIDES: dict[Side, Literal["red", "yellow"]] = {RED: "red", YELLOW: "yellow"}


def _now(game: Game) -> Message:
    ended = why_ended(game)
    return ended.message if ended else waiting_for(game.position)


def _part(health: Health) -> PartStatus:
    return PartStatus(
        name=health.name,
        state=health.state.value,
        restarts=health.restarts,
        error=described(health.error) or None,
        failed_at=health.failed_at,
    )
