"""The supervisor: parts that fail come back, after growing pauses, and nothing else notices."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from popout.play import supervisor as supervisor_module
from popout.play.supervisor import LONGEST_PAUSE_S, WELL_AFTER_S, Health, Part, State, Supervisor, described


class Clock:
    """A clock that only sleeping turns, and the pauses that were slept."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(round(seconds, 3))
        self.now += seconds
        await asyncio.sleep(0)

    def time(self) -> float:
        return self.now


class Failing:
    """A part that fails so often, each time after running for some seconds of the clock, and then goes on for ever."""

    def __init__(self, times: int, clock: Clock | None = None, seconds: float = 0.0) -> None:
        self.times = times
        self.clock = clock
        self.seconds = seconds
        self.starts = 0
        self.well = asyncio.Event()

    async def run(self) -> None:
        self.starts += 1
        if self.clock:
            self.clock.now += self.seconds
        if self.starts <= self.times:
            raise ValueError(f"fault {self.starts}")
        self.well.set()
        await forever()


async def forever() -> None:
    await asyncio.Event().wait()


def supervised(
    clock: Clock,
    told: list[tuple[str, str]] | None = None,
    changed: Callable[[], None] | None = None,
) -> Supervisor:
    def fault(name: str, error: BaseException) -> None:
        if told is not None:
            told.append((name, str(error)))

    return Supervisor(fault=fault, changed=changed, sleep=clock.sleep, clock=clock.time)


def play(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(10):
            await story()

    asyncio.run(limited())


async def until_well(supervisor: Supervisor, part: Failing, *others: Part) -> None:
    running = asyncio.create_task(supervisor.run([Part("one", part.run), *others]))
    await part.well.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert running.cancelled()


def test_a_part_that_fails_is_started_again_after_growing_pauses():
    async def story() -> None:
        clock = Clock()
        await until_well(supervised(clock), Failing(5))
        assert clock.pauses == [0.1, 0.2, 0.4, 0.8, 1.6]

    play(story)


def test_the_pauses_grow_up_to_a_limit():
    async def story() -> None:
        clock = Clock()
        await until_well(supervised(clock), Failing(13))
        assert clock.pauses[-4:] == [51.2, LONGEST_PAUSE_S, LONGEST_PAUSE_S, LONGEST_PAUSE_S]

    play(story)


def test_a_part_that_ran_well_for_a_while_begins_with_the_first_pause_again():
    async def story() -> None:
        clock = Clock()
        await until_well(supervised(clock), Failing(3, clock, 2 * WELL_AFTER_S))
        assert clock.pauses == [0.1, 0.1, 0.1]

    play(story)


def test_a_fault_is_told_with_the_part_and_its_cause():
    async def story() -> None:
        told: list[tuple[str, str]] = []
        await until_well(supervised(Clock(), told), Failing(2))
        assert told == [("one", "fault 1"), ("one", "fault 2")]

    play(story)


def test_a_part_that_fails_again_and_again_does_not_stop_another():
    async def story() -> None:
        beats: list[int] = []
        enough = asyncio.Event()

        async def steady() -> None:
            while True:
                beats.append(1)
                if len(beats) == 100:
                    enough.set()
                await asyncio.sleep(0)

        supervisor = supervised(Clock())
        failing = Failing(1_000_000)
        running = asyncio.create_task(supervisor.run([Part("one", failing.run), Part("two", steady)]))
        await enough.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

        assert failing.starts > 1
        assert [(health.name, health.restarts > 0) for health in supervisor.health] == [("one", True), ("two", False)]

    play(story)


def test_what_the_callback_itself_raises_goes_no_further(caplog: pytest.LogCaptureFixture):
    async def story() -> None:
        def fault(*_: object) -> None:
            raise KeyError("no lamp")

        clock = Clock()
        await until_well(Supervisor(fault=fault, sleep=clock.sleep, clock=clock.time), Failing(1))

    play(story)

    assert "The fault of the one could not be shown (KeyError: 'no lamp')." in caplog.messages


def test_the_health_of_a_part_says_what_it_is_doing_and_why_it_failed():
    async def story() -> None:
        seen: list[tuple[State, int, str]] = []

        def look() -> None:
            (health,) = supervisor.health
            seen.append((health.state, health.restarts, described(health.error)))

        supervisor = supervised(Clock(), changed=look)
        assert supervisor.health == ()
        await until_well(supervisor, Failing(1))

        assert seen == [
            (State.RUNNING, 0, ""),
            (State.WAITING, 0, "ValueError: fault 1"),
            (State.RUNNING, 1, "ValueError: fault 1"),
        ]
        assert supervisor.health[0].failed_at is not None

    play(story)


def test_a_part_that_ends_in_an_ordinary_way_is_not_started_again_and_ends_nothing_else():
    async def story() -> None:
        async def short() -> None:
            pass

        supervisor = supervised(Clock())
        other = Failing(1)
        await until_well(supervisor, other, Part("two", short))

        assert supervisor.health[1] == Health("two", State.ENDED)

    play(story)


def test_the_end_of_a_part_that_ends_everything_does_so():
    async def story() -> None:
        left: list[str] = []

        async def short() -> None:
            await asyncio.sleep(0)

        async def long() -> None:
            try:
                await forever()
            finally:
                left.append("long")

        await supervised(Clock()).run([Part("one", short, ends=True), Part("two", long)])
        assert left == ["long"]

    play(story)


def test_when_every_part_has_ended_there_is_nothing_left_to_run():
    async def story() -> None:
        async def short() -> None:
            pass

        await supervised(Clock()).run([Part("one", short), Part("two", short)])

    play(story)


def test_a_final_error_ends_everything_and_is_raised():
    async def story() -> None:
        async def lost() -> None:
            raise LookupError("the board is gone")

        supervisor = supervised(Clock())
        with pytest.raises(LookupError, match="the board is gone"):
            await supervisor.run([Part("one", lost, final=(LookupError,)), Part("two", forever)])
        assert supervisor.health[0].state is State.ENDED

    play(story)


def test_being_cancelled_ends_every_part():
    async def story() -> None:
        left: list[str] = []

        async def part() -> None:
            try:
                await forever()
            finally:
                left.append("left")

        running = asyncio.create_task(supervised(Clock()).run([Part("one", part), Part("two", part)]))
        await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert running.cancelled()
        assert left == ["left", "left"]

    play(story)


def test_a_part_that_cancels_itself_has_failed_and_comes_back():
    async def story() -> None:
        told: list[tuple[str, str]] = []
        part = Failing(0)

        async def cancelling() -> None:
            if part.starts == 0:
                part.starts += 1
                raise asyncio.CancelledError
            await part.run()

        supervisor = supervised(Clock(), told)
        running = asyncio.create_task(supervisor.run([Part("one", cancelling)]))
        await part.well.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert told == [("one", "it was cancelled from within")]

    play(story)


def test_a_part_that_does_not_end_is_left_behind(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture):
    monkeypatch.setattr(supervisor_module, "STOP_WITHIN_S", 0.01)

    async def story() -> None:
        release = asyncio.Event()

        async def stubborn() -> None:
            while not release.is_set():
                try:
                    await release.wait()
                except asyncio.CancelledError:
                    continue

        running = asyncio.create_task(supervised(Clock()).run([Part("one", stubborn)]))
        await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert running.cancelled()
        release.set()

    play(story)

    assert "The one did not end when it was told to." in caplog.messages


def test_an_error_at_the_end_is_logged_and_keeps_nothing_from_ending(caplog: pytest.LogCaptureFixture):
    async def story() -> None:
        async def bad_loser() -> None:
            try:
                await forever()
            finally:
                raise OSError("the door is jammed")

        running = asyncio.create_task(supervised(Clock()).run([Part("one", bad_loser), Part("two", forever)]))
        await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert running.cancelled()

    play(story)

    assert "The one failed (OSError: the door is jammed) at the end." in caplog.messages


def test_where_a_fault_arose_is_logged_once_for_as_long_as_it_stays_the_same(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG, logger="popout")

    async def story() -> None:
        starts = 0
        well = asyncio.Event()

        async def part() -> None:
            nonlocal starts
            starts += 1
            if starts > 4:
                well.set()
                await forever()
            raise ValueError("the same" if starts < 4 else "another")

        running = asyncio.create_task(supervised(Clock()).run([Part("one", part)]))
        await well.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    play(story)

    assert [(record.levelname, record.getMessage()) for record in caplog.records if "popout" in record.name] == [
        ("ERROR", "The one failed (ValueError: the same) and is started again in 0.1 s."),
        ("DEBUG", "Where the one failed:"),
        ("ERROR", "The one failed (ValueError: the same) and is started again in 0.2 s."),
        ("ERROR", "The one failed (ValueError: the same) and is started again in 0.4 s."),
        ("ERROR", "The one failed (ValueError: another) and is started again in 0.8 s."),
        ("DEBUG", "Where the one failed:"),
    ]


def test_a_group_of_one_error_is_that_error():
    async def story() -> None:
        told: list[tuple[str, str]] = []
        part = Failing(1)

        async def grouped() -> None:
            async with asyncio.TaskGroup() as group:
                group.create_task(part.run())

        running = asyncio.create_task(supervised(Clock(), told).run([Part("one", grouped)]))
        await part.well.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert told == [("one", "fault 1")]

    play(story)


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("no\n  such thing"), "ValueError: no such thing"),
        (ValueError(), "ValueError"),
        (None, ""),
    ],
)
def test_an_error_in_one_line(error: Exception | None, line: str):
    assert described(error) == line
