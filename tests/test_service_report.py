"""What a running board reports: ready, its state in one sentence and in the file, and that it is alive."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from popout.board.layout import Layout
from popout.locale import Catalogue
from popout.play.controller import Controller
from popout.play.settings import Settings
from popout.play.supervisor import Health, State
from popout.play.table import Table
from popout.record.store import Store
from popout.rules import Drop, Message, RuleSet
from popout.service import report as report_module
from popout.service.notify import Notifier
from popout.service.report import Report
from popout.service.status import Status, StatusFile
from popout_sim.driver import SimulatedBoard
from waiting import until


class Ears(Notifier):
    """Hears everything that is told to systemd, unless it is deaf."""

    def __init__(self, ping_every_s: float | None = None) -> None:
        super().__init__({})
        self.ping_every_s = ping_every_s
        self.heard: list[str] = []
        self.deaf = False

    def _send(self, text: str) -> bool:
        if not self.deaf:
            self.heard.append(text)
        return not self.deaf


class Pages(StatusFile):
    """Keeps every status that is written, or has no room for any."""

    def __init__(self) -> None:
        super().__init__(Path("nowhere"))
        self.written: list[Status] = []
        self.removed = 0
        self.full = False

    def write(self, status: Status) -> None:
        if self.full:
            raise OSError(28, "No space left on device")
        self.written.append(status)

    def remove(self) -> None:
        self.removed += 1


class Stage:
    """A table that is played at, and its report."""

    def __init__(self, ping_every_s: float | None = None) -> None:
        self.ears = Ears(ping_every_s)
        self.file = Pages()
        self.health = [Health("board", State.RUNNING), Health("page", State.RUNNING)]
        board = SimulatedBoard(Layout.plain(7, 6))
        self.table = Table(board, Store(None), Settings(), RuleSet.parse("popout 7x6"))
        self.report = Report(
            self.table,
            Catalogue(),
            health=lambda: self.health,
            board="board",
            notifier=self.ears,
            file=self.file,
        )

    async def play(self, column: int) -> None:
        await self.table.order(lambda controller: controller.play(Drop(column)))

    @property
    def newest(self) -> Status:
        return self.file.written[-1]

    @asynccontextmanager
    async def opened(self, *, playing: bool = True) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(part()) for part in (self.report.run, self.report.keep_watchdog_quiet)]
        if playing:
            tasks.append(asyncio.create_task(self.table.run()))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.table.board.close()


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_module, "AT_MOST_EVERY_S", 0.01)


def test_it_is_ready_once_the_board_has_answered():
    async def story() -> None:
        stage = Stage()
        async with stage.opened(playing=False):
            await until(lambda: stage.file.written)
            assert not stage.newest.ready
            assert "READY=1" not in stage.ears.heard
            async with stage.opened():
                await until(lambda: "READY=1" in stage.ears.heard)
                await until(lambda: stage.newest.ready)

    asyncio.run(story())


def test_that_it_is_ready_is_said_again_until_it_is_heard():
    async def story() -> None:
        stage = Stage()
        stage.ears.deaf = True
        async with stage.opened():
            await until(lambda: stage.file.written and stage.newest.ready)
            stage.ears.deaf = False
            await until(lambda: "READY=1" in stage.ears.heard)

    asyncio.run(story())


def test_each_move_is_in_the_sentence_for_the_system_and_in_the_file():
    async def story() -> None:
        stage = Stage()
        async with stage.opened():
            await until(lambda: "STATUS=popout 7x6 connect=4, 0 moves. Red to move." in stage.ears.heard)
            await stage.play(4)
            await until(lambda: "STATUS=popout 7x6 connect=4, 1 move. Yellow to move." in stage.ears.heard)
            await until(lambda: stage.newest.moves == 1)
            assert (stage.newest.turn, stage.newest.now) == ("yellow", "Yellow to move.")
            assert (stage.newest.board, stage.newest.game) == ("the simulator", "popout 7x6 connect=4")

    asyncio.run(story())


def test_how_a_game_ended_is_said():
    async def story() -> None:
        stage = Stage()
        async with stage.opened():
            for column in (4, 3, 4, 3, 4, 3, 4):
                await stage.play(column)
            await until(lambda: stage.file.written and stage.newest.moves == 7)
            assert stage.newest.turn is None
            assert stage.newest.now == "Red wins: 4 in a row."
            assert stage.newest.well

    asyncio.run(story())


def test_trouble_is_in_the_sentence_and_in_the_file():
    async def story() -> None:
        stage = Stage()
        async with stage.opened():
            await until(lambda: stage.ears.heard)
            stage.table.controller.save_failed(Message("The disk is full."), stage.table.board.now())
            stage.table.touched()
            await until(lambda: "STATUS=popout 7x6 connect=4, 0 moves. The disk is full." in stage.ears.heard)
            await until(lambda: stage.newest.trouble)
            assert stage.newest.trouble.code == "not-saved"
            assert not stage.newest.well

    asyncio.run(story())


def test_a_part_that_failed_is_in_the_file():
    async def story() -> None:
        stage = Stage()
        async with stage.opened():
            await until(lambda: stage.file.written)
            stage.health[1] = Health("page", State.WAITING, 2, ValueError("no page"), 1000.0)
            stage.report.news.set()
            await until(lambda: not stage.newest.well)
            page = stage.newest.parts[1]
            assert (page.name, page.state, page.restarts) == ("page", "waiting", 2)
            assert (page.error, page.failed_at) == ("ValueError: no page", 1000.0)

    asyncio.run(story())


def test_where_the_page_is_stands_in_the_file():
    async def story() -> None:
        stage = Stage()
        async with stage.opened():
            stage.report.pages.append("http://127.0.0.1:8407/")
            stage.report.news.set()
            await until(lambda: stage.file.written and stage.newest.pages == ("http://127.0.0.1:8407/",))

    asyncio.run(story())


def test_while_nothing_happens_nothing_is_written():
    async def story() -> None:
        stage = Stage()
        async with stage.opened():
            await until(lambda: stage.file.written and stage.newest.ready)
            written, heard = len(stage.file.written), len(stage.ears.heard)
            for _ in range(10):
                stage.report.news.set()  # something stirred, but says the same
                await asyncio.sleep(0.02)
            assert (len(stage.file.written), len(stage.ears.heard)) == (written, heard)

    asyncio.run(story())


def test_what_happens_at_once_is_written_at_once(monkeypatch: pytest.MonkeyPatch):
    pause = 0.3
    monkeypatch.setattr(report_module, "AT_MOST_EVERY_S", pause)

    async def story() -> None:
        stage = Stage()
        async with stage.opened():
            await until(lambda: stage.file.written and stage.newest.ready)
            before, began = len(stage.file.written), time.monotonic()
            for column in range(1, 7):
                await stage.play(column)
            await until(lambda: stage.newest.moves == 6)
            assert len(stage.file.written) - before <= 2 + (time.monotonic() - began) / pause

    asyncio.run(story())


def test_the_watchdog_is_fed_while_the_board_runs_and_not_when_it_does_not():
    async def story() -> None:
        stage = Stage(ping_every_s=0.005)
        async with stage.opened():
            await until(lambda: stage.ears.heard.count("WATCHDOG=1") > 3)
            stage.health[0] = Health("board", State.WAITING)
            await asyncio.sleep(0)
            fed = stage.ears.heard.count("WATCHDOG=1")
            await asyncio.sleep(0.05)
            assert stage.ears.heard.count("WATCHDOG=1") == fed

    asyncio.run(story())


def test_without_a_watchdog_nobody_feeds_one():
    async def story() -> None:
        stage = Stage()
        async with stage.opened():
            await until(lambda: stage.file.written and stage.newest.ready)
            assert "WATCHDOG=1" not in stage.ears.heard

    asyncio.run(story())


def test_at_the_end_it_says_so_and_the_file_is_gone():
    async def story() -> None:
        stage = Stage()
        async with stage.opened():
            await until(lambda: stage.file.written)
        assert stage.ears.heard[-1] == "STOPPING=1"
        assert stage.file.removed == 1

    asyncio.run(story())


def test_a_file_that_cannot_be_written_is_logged_once_and_stops_nothing(caplog: pytest.LogCaptureFixture):
    async def story() -> None:
        stage = Stage()
        stage.file.full = True
        async with stage.opened():
            for column in (1, 2, 3):
                await stage.play(column)
                told = f"STATUS=popout 7x6 connect=4, {column} move"
                await until(lambda told=told: any(each.startswith(told) for each in stage.ears.heard))
            stage.file.full = False
            await stage.play(4)
            await until(lambda: stage.file.written and stage.newest.moves == 4)

    asyncio.run(story())

    assert [record.getMessage() for record in caplog.records if record.name == "popout.service.report"] == [
        "What “popout status” reads cannot be written ([Errno 28] No space left on device)."
    ]


def test_the_time_of_what_was_said_stays_the_same_while_it_is_the_same():
    async def story() -> None:
        stage = Stage()
        async with stage.opened():
            await stage.play(4)
            with pytest.raises(Exception, match="column 9"):
                await stage.table.order(lambda controller: controller.play(Drop(9)))
            await stage.table.order(Controller.take_back)
            await until(lambda: stage.file.written and stage.newest.notice)
            first = stage.newest.notice
            stage.report.pages.append("http://a/")
            stage.report.news.set()
            await until(lambda: stage.newest.pages)
            assert stage.newest.notice == first

    asyncio.run(story())
