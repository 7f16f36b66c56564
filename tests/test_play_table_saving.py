"""The table and its record: what is slow, what fails, and what is in it afterwards."""

from __future__ import annotations

import asyncio

import pytest

from popout.play.controller import Controller
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.journal import Entry
from popout.record.store import NotSaved, Store
from popout.rules import RED, Drop, Game, IllegalMove, Message, RuleSet
from tables import RULES, FailingStore, SlowStore, in_a_loop, moves, running, sim, tap
from waiting import until


def test_presses_on_a_slow_disk_are_neither_lost_nor_doubled_e3():
    async def story() -> None:
        store = SlowStore(0.2)
        table = Table(sim(), store, Settings(), anew=True)
        async with running(table):
            for column in (1, 2, 3):
                await tap(table, column)
            await until(lambda: moves(table) == "d1 d2 d3")
        assert [entry.text for entry in store.current()] == [RULES.text, "d1", "d2", "d3"]
        assert store.most_together == 1
        store.close()

    in_a_loop(story)


def test_an_order_waits_until_nothing_is_being_saved_and_then_for_its_own_entry():
    async def story() -> None:
        store = SlowStore(0.1)
        table = Table(sim(), store, Settings())
        async with running(table):
            await tap(table, 1)
            await table.order(Controller.take_back)
            assert moves(table) == ""
            assert store.current()[-1] == Entry.take_back()
        store.close()

    in_a_loop(story)


def test_two_orders_at_once_are_done_one_after_the_other():
    async def story() -> None:
        store = SlowStore(0.05)
        table = Table(sim(), store, Settings())
        async with running(table):
            await asyncio.gather(
                table.order(lambda controller: controller.play(Drop(1))),
                table.order(lambda controller: controller.play(Drop(2))),
                table.new_game(RuleSet.parse("popout 9x7")),
            )
            assert [entry.text for entry in store.current()] == [RuleSet.parse("popout 9x7").text]
            assert (table.board.layout.columns, table.controller.layout.rows) == (9, 7)
        assert store.most_together == 1
        store.close()

    in_a_loop(story)


def test_an_order_that_the_rules_forbid_raises_their_reason(store: Store):
    async def story() -> None:
        table = Table(sim(), store, Settings())
        async with running(table):
            with pytest.raises(IllegalMove) as caught:
                await table.order(Controller.take_back)
            assert str(caught.value) == "There is no move to take back: the game is at its beginning."

    in_a_loop(story)


def test_an_order_gives_back_what_it_finds(store: Store):
    async def story() -> None:
        table = Table(sim(), store, Settings())
        assert await table.order(lambda controller: controller.game.turn) is RED

    in_a_loop(story)


def test_a_disk_that_fails_stops_the_game_with_its_reason_and_lets_it_go_on_afterwards():
    async def story() -> None:
        store = FailingStore()
        table = Table(sim(), store, Settings())
        async with running(table):
            store.failing = NotSaved(Message("The disk is full."))
            await tap(table, 4)
            await until(lambda: table.controller.trouble)
            assert table.controller.trouble is not None
            assert table.controller.trouble[0] == "not-saved"
            assert moves(table) == ""
            with pytest.raises(NotSaved) as caught:
                await table.order(lambda controller: controller.play(Drop(4)))
            assert str(caught.value) == "The disk is full."
            store.failing = None
            await tap(table, 4)
            await until(lambda: moves(table) == "d4")
            assert table.controller.trouble is None
        store.close()

    in_a_loop(story)


def test_a_move_that_could_not_be_saved_is_in_the_log(caplog: pytest.LogCaptureFixture):
    async def story() -> None:
        store = FailingStore()
        table = Table(sim(), store, Settings())
        async with running(table):
            store.failing = NotSaved(Message("The disk is full."))
            await tap(table, 4)
            await until(lambda: table.controller.trouble)
        store.close()

    in_a_loop(story)
    assert caplog.messages == ["The disk is full."]


def test_an_order_is_not_blamed_for_a_later_press_that_could_not_be_saved():
    class Once(SlowStore):
        saves = 0

        def append(self, entry: Entry, after: Game) -> None:
            self.saves += 1
            if self.saves > 2:
                raise NotSaved(Message("The disk is full."))
            super().append(entry, after)

    async def story() -> None:
        store = Once(0.3)
        table = Table(sim(), store, Settings())
        async with running(table):
            order = asyncio.create_task(table.order(lambda controller: controller.play(Drop(1))))
            await asyncio.sleep(0.05)
            await tap(table, 2)
            await order
            await until(lambda: table.controller.trouble)
            assert moves(table) == "d1"
        store.close()

    in_a_loop(story)


def test_a_fault_of_the_record_that_nobody_foresaw_is_a_move_that_was_not_saved_g10(caplog: pytest.LogCaptureFixture):
    async def story() -> None:
        store = FailingStore()
        table = Table(sim(), store, Settings())
        async with running(table):
            store.failing = ZeroDivisionError("a bug")
            await tap(table, 4)
            await until(lambda: table.controller.trouble)
            assert moves(table) == ""
            assert "a bug" in str(table.controller.trouble[1])
            store.failing = None
            await tap(table, 3)
            await until(lambda: moves(table) == "d3")
            assert table.controller.trouble is None
        store.close()

    in_a_loop(story)
    assert "The record failed (ZeroDivisionError: a bug)." in caplog.messages


def test_a_game_of_another_size_that_cannot_be_saved_leaves_board_and_game_as_they_are():
    async def story() -> None:
        store = FailingStore()
        table = Table(sim(), store, Settings())
        async with running(table):
            store.failing = NotSaved(Message("The disk is full."))
            with pytest.raises(NotSaved):
                await table.new_game(RuleSet.parse("popout 12x10"))
            assert table.controller.game.rules == RULES
            assert table.board.layout.columns == 7
        store.close()

    in_a_loop(story)


def test_a_move_that_is_being_saved_when_the_program_is_stopped_is_saved():
    async def story() -> None:
        store = SlowStore(0.2)
        table = Table(sim(), store, Settings())
        async with running(table):
            await tap(table, 1)
            await tap(table, 2)
            assert moves(table) == ""
        assert [entry.text for entry in store.current()] == [RULES.text, "d1", "d2"]
        store.close()

    in_a_loop(story)


def test_a_game_that_cannot_be_recorded_does_not_begin():
    store = FailingStore()
    store.failing = NotSaved(Message("The disk is full."))
    with pytest.raises(NotSaved) as caught:
        Table(sim(), store, Settings())
    assert str(caught.value) == "The disk is full."
    store.close()
