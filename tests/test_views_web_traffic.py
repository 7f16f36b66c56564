"""What others on the network may take of the board's time: turns, rates, connections."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from popout.views.web.traffic import Bucket, Crowd, Turnstile


def test_a_bucket_gives_its_reserve_at_once_and_then_its_rate():
    bucket = Bucket(rate=2, burst=3, now=0)

    assert [bucket.take(0) for _ in range(5)] == [0, 0, 0, 0.5, 1.0]


def test_a_bucket_fills_up_again_but_no_further():
    bucket = Bucket(rate=2, burst=3, now=0)
    bucket.take(0, 3)

    assert bucket.take(1, 2) == 0
    assert bucket.take(100, 3) == 0
    assert bucket.take(100) == 0.5


def test_a_crowd_has_room_for_so_many_of_one_address_and_so_many_in_all():
    crowd = Crowd(most=3, most_each=2)

    assert [crowd.enter("a"), crowd.enter("a"), crowd.enter("a")] == [True, True, False]
    assert [crowd.enter("b"), crowd.enter("c")] == [True, False]
    crowd.leave("a")
    assert crowd.enter("c")


def test_of_an_address_that_is_not_counted_there_may_be_as_many_as_there_is_room():
    crowd = Crowd(most=3, most_each=1)

    assert [crowd.enter("a", counted=False) for _ in range(4)] == [True, True, True, False]


def test_a_crowd_remembers_nobody_who_left():
    crowd = Crowd(most=3, most_each=2)
    for number in range(1000):
        crowd.enter(str(number))
        crowd.leave(str(number))

    assert not crowd._of


@pytest.mark.parametrize("waiting", [1, 50])
def test_between_two_turns_everything_else_gets_its_own(waiting):
    """Another task that is always ready runs at least once for each who is let through."""

    async def story() -> list[str]:
        turnstile, log, over = Turnstile(), list[str](), asyncio.Event()

        async def pass_through() -> None:
            await turnstile.turn()
            log.append("turn")

        async def board() -> None:
            while not over.is_set():
                log.append("board")
                await asyncio.sleep(0)

        working = asyncio.create_task(board())
        await asyncio.gather(*(pass_through() for _ in range(waiting)))
        over.set()
        await working
        return log

    log = asyncio.run(story())
    assert log.count("turn") == waiting
    assert ("turn", "turn") not in pairwise(log)


def test_turns_are_given_in_order():
    async def story() -> list[int]:
        turnstile, log = Turnstile(), list[int]()

        async def pass_through(number: int) -> None:
            await turnstile.turn()
            log.append(number)

        await asyncio.gather(*map(pass_through, range(20)))
        return log

    assert asyncio.run(story()) == list(range(20))


def test_who_gives_up_waiting_costs_nobody_a_turn():
    async def story() -> None:
        turnstile = Turnstile()
        waiting = [asyncio.create_task(turnstile.turn()) for _ in range(5)]
        await asyncio.sleep(0)
        for task in waiting[:4]:
            task.cancel()
        await asyncio.wait_for(waiting[4], 5)
        await asyncio.wait_for(turnstile.turn(), 5)

    asyncio.run(story())


def test_after_a_spell_the_turnstile_rests_and_others_have_the_rest_of_the_time(monkeypatch):
    """Time stands still but for what each turn takes, so that the pauses can be counted."""
    now, pauses = [0.0], list[float]()
    sleep = asyncio.sleep

    async def noted(seconds: float) -> None:
        if seconds:
            pauses.append(seconds)
        await sleep(0)

    monkeypatch.setattr("popout.views.web.traffic.time.perf_counter", lambda: now[0])
    monkeypatch.setattr("popout.views.web.traffic.asyncio.sleep", noted)

    async def story() -> None:
        turnstile = Turnstile()

        async def pass_through() -> None:
            await turnstile.turn()
            now[0] += 0.0007

        await asyncio.gather(*(pass_through() for _ in range(20)))

    asyncio.run(story())
    worked = now[0]
    assert sum(pauses) >= 0.8 * 3 * worked
