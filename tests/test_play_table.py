"""The table: a real event loop around a board, a controller and a record."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest

from popout.board.driver import BoardDriver, BoardError, BoardLost, HandError
from popout.board.frame import Frame
from popout.board.layout import Layout
from popout.board.switches import SwitchEvent
from popout.play import table as table_module
from popout.play.controller import Controller
from popout.play.desk import WrongBoard
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.archive import Archive
from popout.record.journal import Entry, Kind, Source, apply, read
from popout.record.store import NotSaved, Store
from popout.rules import RED, Drop, Game, IllegalMove, Message, RuleSet
from popout_sim.contacts import PERFECT
from popout_sim.driver import SimulatedBoard

RULES = RuleSet.parse("popout 7x6")
PLAIN = Layout.plain(7, 6)
PATIENCE_S = 5.0
"""How long a test waits for what must happen, before it fails."""


class WiredBoard(BoardDriver):
    """A board without a twin, as a real one: a test moves its wires, cuts its cable, sees its lamps."""

    name: ClassVar[str] = "wired"
    resizable: ClassVar[bool] = False

    def __init__(self, layout: Layout, levels: Mapping[str, bool] | None = None) -> None:
        self.layout = layout
        self.wires = dict.fromkeys(layout.switches, False) | dict(levels or {})
        self.shown: list[Frame] = []
        self.closed = 0
        self._cut = False
        self._events: asyncio.Queue[SwitchEvent | BoardLost | None] = asyncio.Queue()

    @classmethod
    def attached(cls, layout: Layout) -> bool:  # noqa: ARG003 - whatever the layout
        return True

    @property
    def description(self) -> Message:
        return Message("a board with wires")

    def now(self) -> float:
        return time.monotonic() * 1000

    def levels(self) -> Mapping[str, bool]:
        if self._cut:
            raise BoardLost(Message("The cable was pulled."))
        return dict(self.wires)

    async def events(self) -> AsyncIterator[SwitchEvent]:
        while (event := await self._events.get()) is not None:
            if isinstance(event, BoardLost):
                raise event
            yield event

    def show(self, frame: Frame) -> None:
        assert not self.closed, "a board that was closed was lit"
        if self._cut:
            raise BoardLost(Message("The cable was pulled."))
        self.shown.append(frame)

    def close(self) -> None:
        self.closed += 1

    def move(self, switch: str, closed: bool) -> None:
        self.wires[switch] = closed
        self._events.put_nowait(SwitchEvent(switch, closed, self.now()))

    def cut(self) -> None:
        self._cut = True
        self._events.put_nowait(BoardLost(Message("The cable was pulled.")))

    def switch_off(self) -> None:
        self._events.put_nowait(None)


class SlowStore(Store):
    """A record whose disk takes its time, and that tells whether two threads were ever in it."""

    def __init__(self, seconds: float = 0.05) -> None:
        super().__init__(None)
        self.seconds = seconds
        self.together = 0
        self.most_together = 0

    def append(self, entry: Entry, after: Game) -> None:
        self.together += 1
        self.most_together = max(self.most_together, self.together)
        time.sleep(self.seconds)
        self.together -= 1
        super().append(entry, after)


class FailingStore(Store):
    """A record whose disk fails when a test says so, with whatever it says."""

    def __init__(self) -> None:
        super().__init__(None)
        self.failing: Exception | None = None

    def append(self, entry: Entry, after: Game) -> None:
        if self.failing:
            raise self.failing
        super().append(entry, after)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_module, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(table_module, "LONGEST_PAUSE_S", 0.004)


@pytest.fixture
def store() -> Iterator[Store]:
    with Store(None) as store:
        yield store


@asynccontextmanager
async def running(table: Table) -> AsyncIterator[asyncio.Task[None]]:
    task = asyncio.create_task(table.run())
    try:
        yield task
    finally:
        if not task.done():
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task


async def until(condition: Callable[[], object]) -> None:
    """Wait until something has come about."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await asyncio.sleep(0.002)


async def tap(table: Table, column: int) -> None:
    table.finger(f"column {column}", True)
    await asyncio.sleep(0.05)
    table.finger(f"column {column}", False)
    await asyncio.sleep(0.05)


def written(store: Store, *entries: Entry) -> None:
    """Put a game into a record."""
    game = None
    for entry in entries:
        game = apply(game, entry)
        store.append(entry, game)


def sim(layout: Layout = PLAIN) -> SimulatedBoard:
    return SimulatedBoard(layout, contact=PERFECT)


def moves(table: Table) -> str:
    return " ".join(map(str, table.controller.game.moves))


def codes(table: Table) -> list[str]:
    return [notice.code for notice in table.controller.notices.since(0)]


def in_a_loop(story: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with asyncio.timeout(20):
            await story()

    asyncio.run(whole())


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


# Saving


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


# Faults of the program itself


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


def test_a_fault_at_what_hands_do_costs_that_press_and_the_game_goes_on_g10_e11(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    async def story() -> None:
        table = Table(sim(), store, Settings())
        real = table.controller._move

        def bug(*_: object) -> None:
            raise ZeroDivisionError("a bug")

        async with running(table):
            await tap(table, 4)
            await until(lambda: moves(table) == "d4")
            monkeypatch.setattr(table.controller, "_move", bug)
            await tap(table, 4)
            await until(lambda: "part-failed" in codes(table))
            monkeypatch.setattr(table.controller, "_move", real)
            await tap(table, 5)
            await until(lambda: moves(table) == "d4 d5")

    in_a_loop(story)
    assert "The controller failed (ZeroDivisionError: a bug)." in caplog.messages


def test_a_fault_while_time_passes_is_told_with_growing_pauses_and_the_game_goes_on_g10(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    async def story() -> None:
        table = Table(sim(), store, Settings())
        tried: list[float] = []

        def bug(now: float, _: Mapping[str, bool]) -> None:
            tried.append(now)
            raise ZeroDivisionError("a bug")

        async with running(table):
            await tap(table, 4)
            await until(lambda: moves(table) == "d4")
            with monkeypatch.context() as patched:
                patched.setattr(table.controller, "tick", bug)
                patched.setattr(table.controller, "due", lambda now: now)
                patched.setattr(table_module, "LONGEST_PAUSE_S", 0.1)
                table.finger("column 4", True)
                await until(lambda: len(tried) > 6)
            pauses = [later - before for before, later in itertools.pairwise(tried)]
            assert min(pauses[-2:]) > 4 * pauses[0]
            table.finger("column 4", False)
            await tap(table, 2)
            await until(lambda: moves(table) == "d4 d2")

    in_a_loop(story)


def test_a_picture_that_cannot_be_computed_stops_no_move(store: Store, monkeypatch: pytest.MonkeyPatch):
    async def story() -> None:
        table = Table(sim(), store, Settings())

        def bug(*_: object) -> None:
            raise ZeroDivisionError("a bug")

        async with running(table):
            monkeypatch.setattr(table.controller, "frame", bug)
            await table.order(lambda controller: controller.play(Drop(4)))
            assert moves(table) == "d4"
            monkeypatch.undo()
            await tap(table, 5)
            await until(lambda: moves(table) == "d4 d5" and any(table.board.lamps.columns))

    in_a_loop(story)


@pytest.mark.parametrize("how", ["show", "events", "levels"])
def test_a_driver_that_fails_is_opened_again_and_the_game_goes_on_e14(
    store: Store, how: str, caplog: pytest.LogCaptureFixture
):
    class Failing(WiredBoard):
        fails = ""

        def show(self, frame: Frame) -> None:
            self._fail("show")
            super().show(frame)

        def levels(self) -> Mapping[str, bool]:
            self._fail("levels")
            return super().levels()

        async def events(self) -> AsyncIterator[SwitchEvent]:
            async for event in super().events():
                self._fail("events")
                yield event

        def _fail(self, what: str) -> None:
            if self.fails == what:
                raise ValueError("a driver's own bug")

    async def story() -> None:
        board, second = Failing(PLAIN), WiredBoard(PLAIN)
        table = Table(board, store, Settings(), reopen=lambda: second)
        async with running(table):
            board.move("column 4", True)
            await asyncio.sleep(0.05)
            board.move("column 4", False)
            await until(lambda: moves(table) == "d4")
            board.fails = how
            board.move("column 1", True)
            await until(lambda: table.board is second and second.shown)
            assert table.controller.trouble is None
            second.move("column 2", True)
            await asyncio.sleep(0.05)
            second.move("column 2", False)
            await until(lambda: moves(table) == "d4 d2")
            assert board.closed

    in_a_loop(story)
    assert any("a driver's own bug" in message for message in caplog.messages)


def test_a_fault_of_another_part_is_shown_and_the_game_goes_on(store: Store):
    async def story() -> None:
        table = Table(sim(), store, Settings())
        async with running(table):
            table.fault("page", ValueError("a bug"))
            assert str(table.controller.notices.newest.message) == (
                "A part of the program failed and is started again: the page (a bug). The game goes on."
            )
            await tap(table, 4)
            await until(lambda: moves(table) == "d4")

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


# A board that is lost


def test_a_board_that_is_lost_is_looked_for_with_growing_pauses_and_the_game_goes_on_e14(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    pauses: list[float] = []
    sleep = asyncio.sleep

    async def story() -> None:
        first, second = WiredBoard(PLAIN), WiredBoard(PLAIN)
        tries = 0

        def reopen() -> BoardDriver:
            nonlocal tries
            tries += 1
            if tries < 5:
                raise BoardError(Message("It is not there."))
            return second

        table = Table(first, store, Settings(), reopen=reopen)

        async def paused(seconds: float) -> None:
            if table.controller.trouble:
                pauses.append(seconds)
            await sleep(seconds)

        async with running(table):
            await tap(table, 4)
            await until(lambda: moves(table) == "d4")
            monkeypatch.setattr(table_module.asyncio, "sleep", paused)
            first.cut()
            while table.board is not second:
                await sleep(0.001)
            monkeypatch.undo()
            assert first.closed == 1
            await tap(table, 5)
            await until(lambda: moves(table) == "d4 d5")
            assert second.shown, "the whole picture was shown again"
            assert codes(table) == ["moved", "board-lost", "board-found", "moved"]

    monkeypatch.setattr(table_module, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(table_module, "LONGEST_PAUSE_S", 0.004)
    in_a_loop(story)
    assert pauses == [0.001, 0.002, 0.004, 0.004, 0.004]


def test_the_usual_pauses_grow_from_a_tenth_of_a_second_to_five(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.undo()
    assert (table_module.FIRST_PAUSE_S, table_module.LONGEST_PAUSE_S) == (0.1, 5.0)


def test_while_the_board_is_away_nothing_is_pressed_and_nothing_is_lit(store: Store):
    async def story() -> None:
        board = WiredBoard(PLAIN)
        there = asyncio.Event()

        def reopen() -> BoardDriver:
            if not there.is_set():
                raise BoardError(Message("It is not there."))
            return WiredBoard(PLAIN, {"column 3": True})

        table = Table(board, store, Settings(), reopen=reopen)
        async with running(table):
            table.finger("column 5", True)
            await asyncio.sleep(0.01)
            board.cut()
            await until(lambda: table.controller.trouble)
            with pytest.raises(BoardLost) as caught:
                table.finger("column 4", True)
            assert str(caught.value) == "The cable was pulled."
            await table.order(lambda controller: controller.play(Drop(1)))
            await asyncio.sleep(0.1)
            there.set()
            await until(lambda: table.controller.trouble is None)
            await until(lambda: "switch-stuck" in codes(table))
            assert moves(table) == "d1", "the button that was down all the time makes no move"

    in_a_loop(story)


def test_a_board_that_is_lost_for_good_ends_the_game_with_its_reason(store: Store):
    async def story() -> None:
        board = WiredBoard(PLAIN)
        table = Table(board, store, Settings())
        task = asyncio.create_task(table.run())
        await asyncio.sleep(0.01)
        board.cut()
        with pytest.raises(BoardLost) as caught:
            await task
        assert str(caught.value) == "The cable was pulled."

    in_a_loop(story)


def test_a_board_that_fails_while_time_passes_is_lost_and_no_crash(store: Store):
    async def story() -> None:
        board, second = WiredBoard(PLAIN), WiredBoard(PLAIN)
        table = Table(board, store, Settings(count_down_after_ms=100), reopen=lambda: second)
        async with running(table):
            board.move("column 4", True)
            await asyncio.sleep(0.02)
            board._cut = True  # it fails before it says so
            await asyncio.sleep(0.2)
            board.cut()
            await until(lambda: table.board is second)
            await until(lambda: table.controller.trouble is None)
            assert moves(table) == ""

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


def test_after_it_was_stopped_nothing_goes_on(store: Store):
    async def story() -> None:
        table = Table(sim(), store, Settings())
        async with running(table):
            await tap(table, 4)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        assert not others
        assert table._timer is None

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


def test_a_game_that_cannot_be_recorded_does_not_begin():
    store = FailingStore()
    store.failing = NotSaved(Message("The disk is full."))
    with pytest.raises(NotSaved) as caught:
        Table(sim(), store, Settings())
    assert str(caught.value) == "The disk is full."
    store.close()
