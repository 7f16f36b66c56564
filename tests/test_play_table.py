"""The table: a real event loop around a board, a controller and a record."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from popout.board.driver import BoardDriver, HandError
from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.play.controller import Controller
from popout.play.desk import WrongBoard
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.archive import Archive
from popout.record.journal import Entry, Kind, Source, read
from popout.record.store import Store
from popout.rules import Drop, Game, RuleSet
from tables import PLAIN, RULES, SlowStore, WiredBoard, codes, in_a_loop, moves, running, sim, tap, written
from waiting import until

# Sitting down


def test_a_new_record_begins_a_game_of_pop_out(store: Store):
    table = Table(sim(), store, Settings())
    assert table.controller.game == Game.start(RULES)
    assert store.current() == [Entry.new(RULES)]


@pytest.mark.parametrize(
    ("columns", "rows", "rules"),
    [
        (3, 2, "popout 3x2 connect=3"),
        (1, 1, "popout 1x1 connect=2 allow-unwinnable=yes"),
        (5, 4, "popout 5x4 connect=4"),
    ],
)
def test_a_small_board_gets_as_long_a_line_as_it_has_room_for(store: Store, columns: int, rows: int, rules: str):
    table = Table(sim(Layout.plain(columns, rows)), store, Settings())
    assert table.controller.game.rules == RuleSet.parse(rules)


def test_the_last_game_goes_on(store: Store):
    written(store, Entry.new(RULES), Entry.move(Drop(4)))
    assert moves(Table(sim(), store, Settings())) == "d4"
    assert moves(Table(sim(), store, Settings(), RULES)) == "d4"


@pytest.mark.parametrize("options", [{"anew": True}, {"rules": RuleSet.parse("standard 7x6")}])
def test_another_game_begins_if_it_is_asked_for_and_the_old_one_stays(store: Store, options: dict[str, Any]):
    written(store, Entry.new(RULES), Entry.move(Drop(4)))
    assert moves(Table(sim(), store, Settings(), **options)) == ""
    assert len(store.current()) == 1


def test_a_game_that_does_not_fit_a_real_board_is_left_and_another_begins(store: Store):
    written(store, Entry.new(RuleSet.parse("popout 9x7")))
    assert Table(WiredBoard(PLAIN), store, Settings()).controller.game.rules == RULES


def test_the_simulator_becomes_a_board_of_the_size_of_the_game(store: Store):
    written(store, Entry.new(RuleSet.parse("popout 9x7")))
    table = Table(sim(), store, Settings())
    assert (table.board.layout.columns, table.board.layout.rows) == (9, 7)
    assert table.controller.layout == table.board.layout


def test_rules_of_another_size_are_refused_on_a_real_board(store: Store):
    with pytest.raises(WrongBoard):
        Table(WiredBoard(PLAIN), store, Settings(), RuleSet.parse("popout 9x7"))
    assert store.current() == []


def test_a_game_that_can_no_longer_be_read_stays_in_the_record_and_the_board_does_not_stay_dead(tmp_path: Path):
    for rules in (None, RULES, RuleSet.parse("standard 7x6")):
        path = tmp_path / f"{rules and rules.game}.sqlite3"
        with Store(path) as store:
            store.append(Entry.new(RULES), Game.start(RULES))
            store.append(Entry(Kind.MOVE, "p4"), Game.start(RULES))
            table = Table(sim(), store, Settings(), rules)
            assert table.controller.game == Game.start(rules or RULES)
            assert "record-damaged" in codes(table)
            assert str(table.controller.notices.newest.message) == (
                f"The last game in the record {path} can no longer be read. "
                'Its entry 2, "move p4", cannot be right. Column 4 is empty: there is nothing to pop. '
                "It stays in the record, and a new one begins."
            )
        with Archive(path) as archive:
            assert len(archive.games()) == 2


def test_what_was_saved_out_of_a_damaged_record_is_said(tmp_path: Path):
    path = tmp_path / "games.sqlite3"
    with Store(path) as store:
        written(store, Entry.new(RULES), Entry.move(Drop(4)))
    path.write_bytes(path.read_bytes()[:-4096])
    with Store(path) as store:
        assert store.recovered
        table = Table(sim(), store, Settings())
        assert table.controller.notices.newest.message == store.recovered


# Playing


def test_a_whole_game_at_the_twin_is_played_lit_and_recorded(store: Store):
    async def story() -> None:
        table = Table(sim(), store, Settings(), RuleSet.parse("popout 7x6 connect=2"))
        async with running(table):
            await tap(table, 1)
            await tap(table, 2)
            await tap(table, 1)
            await until(lambda: table.controller.game.outcome)
            await until(lambda: table.board.twin.lamps.turns[0] and not table.board.twin.lamps.turns[1])
            assert table.board.twin.grid[0] == "XX"
        assert read(store.current()) == table.controller.game
        assert codes(table) == ["moved", "moved", "moved", "line"]

    in_a_loop(story)


def test_a_pop_with_the_bar_of_the_twin(store: Store):
    async def story() -> None:
        table = Table(sim(), store, Settings())
        async with running(table):
            await tap(table, 4)
            await tap(table, 5)
            table.finger("bar", True)
            await asyncio.sleep(0.05)
            await tap(table, 4)
            await until(lambda: moves(table) == "d4 d5 p4")
            assert table.board.twin.fallen == ["X"]

    in_a_loop(story)


def test_a_held_button_takes_back_by_the_clock_alone(store: Store):
    async def story() -> None:
        table = Table(sim(), store, Settings(count_down_after_ms=100, take_back_hold_ms=200))
        async with running(table):
            await tap(table, 4)
            await until(lambda: moves(table) == "d4")
            table.finger("column 2", True)
            await until(lambda: moves(table) == "")

    in_a_loop(story)


def test_a_real_board_is_played_by_its_wires_and_by_fingers_from_afar(store: Store):
    async def story() -> None:
        board = WiredBoard(PLAIN)
        table = Table(board, store, Settings())
        async with running(table):
            board.move("column 4", True)
            await asyncio.sleep(0.05)
            board.move("column 4", False)
            await until(lambda: moves(table) == "d4")
            await tap(table, 5)
            await until(lambda: moves(table) == "d4 d5")
            table.finger("bar", True)
            await tap(table, 4)
            await until(lambda: moves(table) == "d4 d5 p4")
            assert board.shown[-1] == table.frame

    in_a_loop(story)


def test_a_finger_from_afar_that_stays_down_is_held(store: Store):
    async def story() -> None:
        table = Table(WiredBoard(PLAIN), store, Settings(count_down_after_ms=100, take_back_hold_ms=200))
        async with running(table):
            await tap(table, 4)
            await until(lambda: moves(table) == "d4")
            table.finger("column 2", True)
            await until(lambda: moves(table) == "")

    in_a_loop(story)


@pytest.mark.parametrize("board", [sim, lambda: WiredBoard(PLAIN)])
def test_a_switch_that_is_not_there_cannot_be_pressed(store: Store, board: Callable[[], BoardDriver]):
    async def story() -> None:
        table = Table(board(), store, Settings())
        async with running(table):
            with pytest.raises(HandError):
                table.finger("column 8", True)

    in_a_loop(story)


def test_a_frame_that_is_as_the_last_one_is_not_sent_again(store: Store):
    async def story() -> None:
        board = WiredBoard(PLAIN)
        table = Table(board, store, Settings())
        async with running(table):
            await asyncio.sleep(0.3)
            assert len(board.shown) == 1

    in_a_loop(story)


def test_it_has_started_when_the_board_has_answered_and_is_lit(store: Store):
    async def story() -> None:
        board = WiredBoard(PLAIN)
        table = Table(board, store, Settings())
        assert not table.started.is_set()
        async with running(table):
            await table.started.wait()
            assert board.shown

    in_a_loop(story)


def test_the_record_knows_where_each_step_came_from(store: Store):
    async def story() -> None:
        for board in (WiredBoard(PLAIN), sim()):
            table = Table(board, store, Settings(), anew=True)
            async with running(table):
                table.finger("column 1", True, Source.PAGE)
                await asyncio.sleep(0.05)
                table.finger("column 1", False, Source.PAGE)
                await until(lambda table=table: moves(table) == "d1")
                await asyncio.sleep(0.1)
                await tap(table, 2)
                await until(lambda table=table: moves(table) == "d1 d2")
                await table.order(lambda controller: controller.play(Drop(3)), Source.TERMINAL)
                await table.order(Controller.take_back, Source.PAGE)
            sources = [entry.source for entry in store.current()]
            assert sources[1:] == [Source.PAGE, Source.BOARD, Source.TERMINAL, Source.PAGE]

    in_a_loop(story)


def test_a_press_is_not_lost_when_the_program_was_kept_from_hearing_it_in_time(store: Store):
    async def story() -> None:
        board = sim()
        table = Table(board, store, Settings())
        async with running(table):
            for column, made in ((4, "d4"), (3, "d4 d3"), (5, "d4 d3 d5")):
                board.twin.act({"do": "press", "switch": f"column {column}"})
                for _ in range(5):
                    await asyncio.sleep(0)
                finger = threading.Timer(0.04, board.twin.act, [{"do": "release", "switch": f"column {column}"}])
                finger.start()
                time.sleep(0.1)  # something else holds the program up
                finger.join()
                await until(lambda made=made: moves(table) == made)
                await asyncio.sleep(0.1)

    in_a_loop(story)


# Another size


def test_a_game_of_another_size_makes_the_simulator_another_board(store: Store):
    async def story() -> None:
        table = Table(sim(), store, Settings())
        async with running(table):
            await tap(table, 4)
            await table.new_game(RuleSet.parse("popout 12x10"))
            assert (table.board.layout.columns, table.board.layout.rows) == (12, 10)
            assert table.board.twin.grid == ("",) * 12
            await tap(table, 12)
            await until(lambda: moves(table) == "d12")
            numbers = [notice.number for notice in table.controller.notices.since(0)]
            assert numbers == [1, 2, 3], "a page counts on numbers that grow"
        assert read(store.current()) == table.controller.game

    in_a_loop(story)


def test_a_board_whose_size_is_fixed_refuses_another(store: Store):
    async def story() -> None:
        table = Table(sim(), store, Settings(), resizable=False)
        async with running(table):
            with pytest.raises(WrongBoard):
                await table.new_game(RuleSet.parse("popout 12x10"))

    in_a_loop(story)


def test_hands_on_the_old_board_mean_nothing_on_the_new_one():
    async def story() -> None:
        store = SlowStore(0.15)
        table = Table(sim(), store, Settings())
        async with running(table):
            order = asyncio.create_task(table.new_game(RuleSet.parse("popout 3x3 connect=3")))
            await asyncio.sleep(0.02)
            await tap(table, 7)
            await order
            await asyncio.sleep(0.05)
            assert moves(table) == ""
            await tap(table, 3)
            await until(lambda: moves(table) == "d3")
        store.close()

    in_a_loop(story)


# Ending


def test_a_board_that_is_closed_ends_the_game(store: Store):
    async def story() -> None:
        board = sim()
        table = Table(board, store, Settings())
        task = asyncio.create_task(table.run())
        await asyncio.sleep(0.01)
        board.close()
        await task
        wired = WiredBoard(PLAIN)
        table = Table(wired, store, Settings())
        task = asyncio.create_task(table.run())
        await asyncio.sleep(0.01)
        wired.switch_off()
        await task

    in_a_loop(story)


def test_on_the_way_out_the_lamps_go_dark_l6(store: Store):
    async def story() -> None:
        with sim() as board:
            table = Table(board, store, Settings())
            async with running(table):
                await until(lambda: any(board.lamps.turns))
        assert board.lamps == Frame.dark(7, 6)

    in_a_loop(story)


def test_after_it_was_stopped_nothing_goes_on(store: Store):
    async def story() -> None:
        table = Table(sim(), store, Settings())
        async with running(table):
            await tap(table, 4)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        assert not others
        assert not table._alarm.is_set

    in_a_loop(story)


# Watching


def test_every_watcher_hears_of_every_change_once_and_at_the_beginning(store: Store):
    async def story() -> None:
        table = Table(sim(), store, Settings())
        seen: list[list[str]] = [[], []]

        async def watch(into: list[str]) -> None:
            async for _ in table.changes():
                into.append(moves(table))

        async with running(table):
            watchers = [asyncio.create_task(watch(into)) for into in seen]
            await until(lambda: all(seen))
            await tap(table, 4)
            await until(lambda: all(into[-1] == "d4" for into in seen))
            watchers[0].cancel()
            await asyncio.gather(*watchers[:1], return_exceptions=True)
            await tap(table, 5)
            await until(lambda: seen[1][-1] == "d4 d5")
            assert seen[0][-1] == "d4"
            assert len(table._watchers) == 1
            watchers[1].cancel()
            await asyncio.gather(*watchers, return_exceptions=True)
            assert not table._watchers

    in_a_loop(story)


def test_a_slow_watcher_sees_the_newest_and_holds_nobody_up(store: Store):
    async def story() -> None:
        table = Table(sim(), store, Settings())
        async with running(table):
            changes = table.changes()
            await anext(changes)
            for column in (1, 2, 3):
                await tap(table, column)
            await until(lambda: moves(table) == "d1 d2 d3")
            await anext(changes)
            assert moves(table) == "d1 d2 d3"
            await changes.aclose()  # type: ignore[attr-defined]

    in_a_loop(story)


def test_what_a_hand_did_to_the_twin_is_told_when_somebody_says_so(store: Store):
    async def story() -> None:
        table = Table(sim(), store, Settings())
        changes = table.changes()
        await anext(changes)
        table.touched()
        async with asyncio.timeout(1):
            await anext(changes)
        await changes.aclose()  # type: ignore[attr-defined]

    in_a_loop(story)
