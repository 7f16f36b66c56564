"""The opponent at a table: a real event loop, the twin of a board, and a real process that thinks as a test wants."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from popout.opponent.thinking import Thinker
from popout.play.controller import Controller
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.journal import Entry, Kind, Levels, Source
from popout.record.store import Store
from popout.rules import RED, YELLOW, Drop, RuleSet
from tables import PLAIN, RULES, WiredBoard, codes, in_a_loop, moves, running, sim, tap, written
from test_opponent_thinking import is_alive, noted
from thinkers import DEAF, DYING, QUICK, SLOW, WRONG, thinker
from waiting import until

AT_ONCE = Settings(opponent_pause_ms=0)
BY_HAND = Settings(opponent_hands="person")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return tmp_path / "notes"


def was_asked(notes: Path, what: str) -> bool:
    return any(line.startswith(what) for line in noted(notes))


@asynccontextmanager
async def played(
    store: Store, what: Thinker, settings: Settings = AT_ONCE, opponent: Levels | None = None, **more: Any
) -> AsyncIterator[Table]:
    """A table at the twin, or at the given board, with its opponent alive."""
    board = more.pop("board", None) or sim()
    table = Table(board, store, settings, opponent=opponent, thinker=what, **more)
    async with running(table):
        playing = asyncio.create_task(table.opponents.run())
        try:
            yield table
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            assert what.process is None


def test_a_person_moves_and_the_opponents_disc_falls_by_itself(store: Store, notes: Path):
    async def story() -> None:
        async with played(store, thinker(QUICK, notes), opponent={YELLOW: 1}) as table:
            await tap(table, 4)
            await until(lambda: moves(table) == "d4 d1")
            await until(lambda: table.board.twin.grid[0] == "O")
            await tap(table, 4)
            await until(lambda: moves(table) == "d4 d1 d4 d1")
        assert [entry.source for entry in store.current() if entry.kind is Kind.MOVE] == [
            *(Source.BOARD, Source.OPPONENT, Source.BOARD, Source.OPPONENT),
        ]

    in_a_loop(story)


def test_its_pop_slides_the_twins_bar_and_closes_it_again(store: Store, notes: Path):
    async def story() -> None:
        written(store, Entry.new(RULES), Entry.move(Drop(1)), Entry.move(Drop(1)), Entry.move(Drop(7)))
        async with played(store, thinker(QUICK, notes), opponent={RED: 2}) as table:
            await table.order(lambda controller: controller.toggle_menu(table.board.now()))
            await table.order(lambda controller: controller.toggle_menu(table.board.now()))
            await tap(table, 2)
            await until(lambda: moves(table) == "d1 d1 d7 d2 p7")
            await until(lambda: table.board.twin.bar == "closed")
            assert table.board.twin.fallen == ["X"]

    in_a_loop(story)


def test_two_opponents_play_a_whole_game_for_a_show(store: Store, notes: Path):
    async def story() -> None:
        rules = RuleSet.parse("standard 4x4")
        async with played(store, thinker(QUICK, notes), opponent={RED: 1, YELLOW: 2}, rules=rules) as table:
            await until(lambda: table.controller.game.outcome)
            assert table.board.twin.grid == table.controller.game.position.playable_grid

    in_a_loop(story)


@pytest.mark.parametrize(
    "rules", ["pop10 4x2 target=1 connect=3", "power 4x4 connect=3", "popout 2x1 connect=2 full-grid=claim"]
)
def test_turns_of_several_steps_and_claims_are_played(store: Store, notes: Path, rules: str):
    async def story() -> None:
        both = {RED: 1, YELLOW: 1}
        async with played(store, thinker(QUICK, notes), opponent=both, rules=RuleSet.parse(rules)) as table:
            await until(lambda: table.controller.game.outcome or len(table.controller.game.moves) > 12)

    in_a_loop(story)


def test_where_a_person_is_to_make_its_move_it_waits_for_the_hand(store: Store, notes: Path):
    async def story() -> None:
        async with played(store, thinker(QUICK, notes), BY_HAND, {YELLOW: 1}) as table:
            await tap(table, 4)
            await until(lambda: table.controller.chosen)
            await tap(table, 3)
            assert codes(table)[-1] == "opponents-turn"
            assert moves(table) == "d4"
            await tap(table, 1)
            await until(lambda: moves(table) == "d4 d1")

    in_a_loop(story)


def test_on_a_real_board_no_disc_falls_by_itself(store: Store, notes: Path):
    async def story() -> None:
        board = WiredBoard(PLAIN)
        async with played(store, thinker(QUICK, notes), opponent={RED: 1}, board=board) as table:
            await until(lambda: table.controller.chosen)
            await asyncio.sleep(0.1)
            assert moves(table) == ""
            board.move("column 1", True)
            await asyncio.sleep(0.05)
            board.move("column 1", False)
            await until(lambda: moves(table) == "d1")

    in_a_loop(story)


def test_taking_back_while_it_thinks_stops_it_and_its_answer_is_dropped(store: Store, notes: Path):
    async def story() -> None:
        async with played(store, thinker(SLOW, notes), opponent={YELLOW: 1}) as table:
            await tap(table, 4)
            await until(lambda: was_asked(notes, "choose 1 yellow"))
            await table.order(Controller.take_back)
            assert moves(table) == ""
            await until(lambda: noted(notes)[-1] == "stopped")
            await until(lambda: not table.opponents.is_thinking)
            notes.with_name("go").touch()
            await tap(table, 3)
            await until(lambda: moves(table) == "d3 d1")

    in_a_loop(story)


def test_the_board_answers_while_it_thinks_even_if_it_is_deaf(store: Store, notes: Path):
    async def story() -> None:
        async with played(store, thinker(DEAF, notes), opponent={YELLOW: 1}) as table:
            await tap(table, 4)
            await until(lambda: was_asked(notes, "choose 1 yellow"))
            await table.order(lambda controller: controller.toggle_menu(table.board.now()))
            await table.order(lambda controller: controller.toggle_menu(table.board.now()))
            await table.order(lambda controller: controller.seat({}))
            await tap(table, 5)
            await until(lambda: moves(table) == "d4 d5")

    in_a_loop(story)


def test_a_board_that_is_lost_while_it_thinks_comes_back_to_its_move(store: Store, notes: Path):
    async def story() -> None:
        first, second = WiredBoard(PLAIN), WiredBoard(PLAIN)
        async with played(store, thinker(SLOW, notes), opponent={RED: 1}, board=first, reopen=lambda: second) as table:
            await until(lambda: was_asked(notes, "choose 1 red"))
            first.cut()
            await until(lambda: table.controller.trouble)
            notes.with_name("go").touch()
            await until(lambda: table.controller.chosen)
            await until(lambda: table.controller.trouble is None)
            second.move("column 1", True)
            await asyncio.sleep(0.05)
            second.move("column 1", False)
            await until(lambda: moves(table) == "d1")

    in_a_loop(story)


def test_while_the_menu_is_open_no_disc_falls(store: Store, notes: Path):
    async def story() -> None:
        settings = msgspec.structs.replace(AT_ONCE, opponent_pause_ms=50)
        async with played(store, thinker(QUICK, notes), settings, {RED: 1}) as table:
            await until(lambda: table.controller.chosen)
            await table.order(lambda controller: controller.toggle_menu(table.board.now()))
            await asyncio.sleep(0.2)
            assert moves(table) == ""
            await table.order(lambda controller: controller.toggle_menu(table.board.now()))
            await until(lambda: moves(table) == "d1")

    in_a_loop(story)


# The process


def test_no_process_runs_where_people_play_and_none_is_left_when_the_opponent_is_switched_off(
    store: Store, notes: Path
):
    async def story() -> None:
        what = thinker(QUICK, notes)
        async with played(store, what) as table:
            await tap(table, 4)
            await until(lambda: moves(table) == "d4")
            assert noted(notes) == []
            await table.order(lambda controller: controller.seat({RED: 1}))
            await until(lambda: what.process)
            process = what.process
            assert process is not None
            await table.order(lambda controller: controller.seat({}))
            await until(lambda: not is_alive(process))

    in_a_loop(story)


def test_it_is_started_while_the_person_thinks(store: Store, notes: Path):
    async def story() -> None:
        what = thinker(QUICK, notes)
        async with played(store, what, opponent={YELLOW: 1}):
            await until(lambda: what.process)
            await until(lambda: noted(notes) == ["started"])

    in_a_loop(story)


def test_for_its_first_move_it_has_less_time_since_it_has_to_be_started(store: Store, notes: Path):
    async def story() -> None:
        settings = msgspec.structs.replace(AT_ONCE, opponent_hands="person")
        async with played(store, thinker(QUICK, notes), settings, {RED: 9}) as table:
            await until(lambda: table.controller.chosen)
            assert noted(notes) == ["started", "choose 9 red 0.4"]
            await tap(table, 1)
            await tap(table, 1)
            await until(lambda: noted(notes)[-1] == "choose 9 red None")

    in_a_loop(story)


def test_a_hint_starts_a_process_for_as_long_as_it_takes(store: Store, notes: Path):
    async def story() -> None:
        what = thinker(QUICK, notes)
        async with played(store, what) as table:
            await table.order(lambda controller: controller.hint(table.board.now()))
            await until(lambda: table.controller.chosen)
            assert was_asked(notes, "choose 10 hint 0.4")
            await until(lambda: what.process is None)
            await asyncio.sleep(0.1)
            assert moves(table) == ""

    in_a_loop(story)


def test_an_analysis_is_given_while_the_opponent_plays(store: Store, notes: Path):
    async def story() -> None:
        what = thinker(QUICK, notes)
        async with played(store, what) as table:
            async with aclosing(table.opponents.analyse(table.controller.game)) as growing:
                found = [analysis.final async for analysis in growing]
            assert found == [False, True]
            await until(lambda: what.process is None)

    in_a_loop(story)


@pytest.mark.parametrize("what", [DYING, WRONG])
def test_one_that_fails_is_said_in_one_sentence_and_people_play_on(store: Store, notes: Path, what: str):
    async def story() -> None:
        async with played(store, thinker(what, notes), opponent={YELLOW: 1}) as table:
            await tap(table, 4)
            await until(lambda: "opponent-gone" in codes(table))
            newest = table.controller.notices.newest
            assert newest is not None
            assert str(newest.message).endswith("The game goes on without it.")
            await tap(table, 5)
            await until(lambda: moves(table) == "d4 d5")

    in_a_loop(story)


def test_one_that_cannot_be_started_is_said_and_people_play_on(store: Store, tmp_path: Path):
    async def story() -> None:
        async with played(store, Thinker([str(tmp_path / "nothing")]), opponent={YELLOW: 1}) as table:
            await until(lambda: "opponent-gone" in codes(table))
            await tap(table, 4)
            await tap(table, 5)
            await until(lambda: moves(table) == "d4 d5")

    in_a_loop(story)


# Sitting down


def test_a_game_that_goes_on_is_against_the_same_opponent(store: Store):
    written(store, Entry.new(RULES), Entry.opponent({YELLOW: 7}), Entry.move(Drop(4)))
    assert Table(sim(), store, Settings()).controller.levels == {YELLOW: 7}
    assert Table(sim(), store, Settings(opponent="red=2")).controller.levels == {YELLOW: 7}
    assert len(store.current()) == 3


def test_who_was_switched_off_in_mid_game_stays_off(store: Store):
    written(store, Entry.new(RULES), Entry.opponent({YELLOW: 7}), Entry.opponent({}))
    assert Table(sim(), store, Settings(opponent="red=2")).controller.levels == {}


def test_a_game_of_which_nobody_has_said_it_is_against_the_opponent_of_the_settings(store: Store):
    written(store, Entry.new(RULES))
    assert Table(sim(), store, Settings(opponent="red=2")).controller.levels == {RED: 2}
    assert store.current()[-1] == Entry.opponent({RED: 2})


@pytest.mark.parametrize("wanted", [{}, {RED: 9}])
def test_whoever_is_asked_for_at_the_start_plays(store: Store, wanted: Levels):
    written(store, Entry.new(RULES), Entry.opponent({YELLOW: 7}))
    assert Table(sim(), store, Settings(opponent="red=2"), opponent=wanted).controller.levels == wanted
    assert Table(sim(), store, Settings(opponent="red=2")).controller.levels == wanted


def test_that_nobody_is_wanted_is_remembered_too(store: Store):
    Table(sim(), store, Settings(opponent="red=2"), opponent={})
    assert Table(sim(), store, Settings(opponent="red=2")).controller.levels == {}
