"""A short soak, so that the long one (`make soak`) is known to work: scripted hands through the whole controller."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import TypeVar

import pytest

from soak import soak
from turned_clock import NothingToCome, TurnedLoop

GAMES = 60

Result = TypeVar("Result")


def test_games_by_scripted_hands_end_and_replay_and_no_task_dies(tmp_path: Path):
    figures = soak(GAMES, 1, tmp_path / "games.sqlite3")
    assert figures.faults == []
    assert figures.games == GAMES
    assert sum(figures.outcomes.values()) > GAMES
    assert figures.outcomes["red line"]
    assert figures.outcomes["yellow line"]
    assert {"moved", "taken-back", "kept", "second-button"} <= set(figures.said)


def test_the_same_seed_plays_the_same_games(tmp_path: Path):
    once, again = (soak(5, 7, tmp_path / name) for name in ("once", "again"))
    assert (once.hours, once.moves, once.said) == (again.hours, again.moves, again.said)


def run(story: Coroutine[None, None, Result], loop: TurnedLoop) -> Result:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(story)


def test_an_hour_on_the_turned_clock_is_over_at_once_and_things_come_in_their_order():
    happened: list[tuple[str, float]] = []

    async def wait(name: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        happened.append((name, round(asyncio.get_running_loop().time() - 1000)))

    async def story() -> None:
        await asyncio.gather(wait("late", 3600), wait("soon", 1))

    run(story(), TurnedLoop())
    assert happened == [("soon", 1), ("late", 3600)]


def test_work_for_a_thread_is_done_when_its_time_has_come():
    async def story() -> tuple[int, float]:
        return await asyncio.to_thread(lambda: 42), round(asyncio.get_running_loop().time() - 1000)

    assert run(story(), TurnedLoop(work_takes=lambda: 5)) == (42, 5)


def test_what_goes_wrong_in_the_work_is_told_to_who_waits_for_it():
    async def story() -> None:
        await asyncio.to_thread(int, "no number")

    with pytest.raises(ValueError, match="no number"):
        run(story(), TurnedLoop())


def test_waiting_for_what_never_comes_is_an_error_and_no_hang():
    async def story() -> None:
        await asyncio.Event().wait()

    with pytest.raises(NothingToCome):
        run(story(), TurnedLoop())
