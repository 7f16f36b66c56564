"""Telling everybody: once made, near ones first, far ones in turn, newest only, and nothing while nobody is there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from page_table import FakeTable
from popout.locale import Catalogue
from popout.views.web.fanout import Fanout
from popout.views.web.speaker import Say
from waiting import until

ENGLISH, DUTCH = Catalogue("en"), Catalogue("nl")


class CountedTable(FakeTable):
    """Counts how often its state is put into words."""

    def __init__(self) -> None:
        super().__init__()
        self.made = 0

    def snapshot(self, say: Say) -> Mapping[str, Any]:
        self.made += 1
        return super().snapshot(say)


class Viewer:
    """Somebody who notes how many moves it is told, each time that it is woken."""

    def __init__(self, fanout: Fanout, catalogue: Catalogue = ENGLISH, *, near: bool = False, stuck: bool = False):
        self.near = near
        self.heard: list[int] = []
        self._fanout = fanout
        self._catalogue = catalogue
        self._has = b""
        self._stuck = stuck

    def behind(self) -> bool:
        return not self._stuck and self._fanout.state(self._catalogue) is not self._has

    def wake(self) -> None:
        self._has = self._fanout.state(self._catalogue)
        self.heard.append(json.loads(self._has)["moves"])


def test_everybody_hears_the_newest_and_it_is_made_once_for_each_language():
    async def story() -> None:
        table = CountedTable()
        fanout = Fanout(table)
        viewers = [Viewer(fanout, language) for language in (ENGLISH, DUTCH) for _ in range(20)]
        async with asyncio.TaskGroup() as group:
            over = asyncio.Event()

            async def watch(viewer: Viewer) -> None:
                async with fanout.joined(viewer):
                    await over.wait()

            for viewer in viewers:
                group.create_task(watch(viewer))
            await until(lambda: all(viewer.heard for viewer in viewers))
            assert table.made == 2
            table.moves = 1
            table.tell("state")
            await until(lambda: all(viewer.heard[-1] == 1 for viewer in viewers))
            assert table.made == 4
            over.set()

    asyncio.run(story())


def test_what_changes_during_a_round_is_told_by_the_next_and_newest_only():
    async def story() -> list[int]:
        table = FakeTable()
        fanout = Fanout(table)
        viewer = Viewer(fanout)
        async with fanout.joined(viewer):
            await until(lambda: viewer.heard)
            for moves in range(1, 200):
                table.moves = moves
                table.tell("state")
                await asyncio.sleep(0)
            await until(lambda: viewer.heard[-1] == 199)
        return viewer.heard

    heard = asyncio.run(story())
    assert heard[-1] == 199
    assert len(heard) < 10


def test_a_near_one_hears_each_change_before_the_far_ones():
    async def story() -> None:
        table = FakeTable()
        fanout = Fanout(table)
        far, near = Viewer(fanout), Viewer(fanout, near=True)
        async with fanout.joined(far), fanout.joined(near):
            await until(lambda: far.heard)
            for moves in (1, 2, 3):
                table.moves = moves
                table.tell("state")
                await until(lambda moves=moves: near.heard[-1] == moves)
            assert near.heard[-3:] == [1, 2, 3]

    asyncio.run(story())


def test_one_that_takes_nothing_holds_nobody_up():
    async def story() -> None:
        table = FakeTable()
        fanout = Fanout(table)
        stuck, other = Viewer(fanout, stuck=True), Viewer(fanout)
        async with fanout.joined(stuck), fanout.joined(other):
            await until(lambda: other.heard)
            table.moves = 1
            table.tell("state")
            await until(lambda: other.heard[-1] == 1)
        assert stuck.heard == []

    asyncio.run(story())


def test_while_nobody_watches_nothing_runs():
    async def story() -> None:
        table = FakeTable()
        fanout = Fanout(table)
        for _ in range(2):
            async with fanout.joined(Viewer(fanout)):
                await until(lambda: table.listeners)
            assert table.listeners == []
            # The turnstile may still be resting from the last turn.
            await until(lambda: asyncio.all_tasks() == {asyncio.current_task()})

    asyncio.run(story())


def test_a_change_that_says_the_same_is_not_told_again():
    async def story() -> int:
        table = FakeTable()
        fanout = Fanout(table)
        viewer = Viewer(fanout)
        async with fanout.joined(viewer):
            await until(lambda: viewer.heard)
            table.tell("state")
            await asyncio.sleep(0.3)
        return len(viewer.heard)

    assert asyncio.run(story()) == 1


def test_a_fault_at_the_table_is_logged_and_the_next_change_is_told_again(caplog, monkeypatch):
    monkeypatch.setattr("popout.views.web.fanout.PAUSE_S", 0.001)

    class Broken(FakeTable):
        broken = True

        async def changes(self):  # type: ignore[no-untyped-def]
            if self.broken:
                self.broken = False
                raise RuntimeError("a loose wire")
            async for kind in super().changes():
                yield kind

    async def story() -> None:
        table = Broken()
        fanout = Fanout(table)
        viewer = Viewer(fanout)
        async with fanout.joined(viewer):
            await until(lambda: table.listeners)
            table.moves = 5
            table.tell("state")
            await until(lambda: viewer.heard and viewer.heard[-1] == 5)

    asyncio.run(story())
    assert "a loose wire" in caplog.text
