"""The inbox of edges that other threads hear."""

from __future__ import annotations

import asyncio
import threading

from popout.board.inbox import MOST_WAITING, Inbox
from popout.board.switches import SwitchEvent


def edge(switch: str, closed: bool, time: float) -> SwitchEvent:
    return SwitchEvent(switch, closed, time)


def test_edges_come_out_in_the_order_of_their_times():
    async def story() -> None:
        inbox: Inbox[SwitchEvent] = Inbox()
        news = inbox.listen()
        for time in (3.0, 1.0, 2.0):
            inbox.put(edge("bar", True, time))
        assert [event.time for event in inbox.take(news)] == [1, 2, 3]
        assert inbox.take(news) == []

    asyncio.run(story())


def test_an_edge_of_another_thread_wakes_the_reader_each_time():
    async def story() -> None:
        inbox: Inbox[SwitchEvent] = Inbox()
        news = inbox.listen()
        for number in range(3):
            threading.Thread(target=inbox.put, args=(edge("bar", True, number),)).start()
            async with asyncio.timeout(20):
                await news.wait()
            assert [event.time for event in inbox.take(news)] == [number]

    asyncio.run(story())


def test_an_edge_after_the_loop_has_ended_harms_nobody_g10():
    """Field bug G10: an exception in a callback would end the thread that brings all edges."""
    inbox: Inbox[SwitchEvent] = Inbox()

    async def listen() -> None:
        inbox.listen()

    asyncio.run(listen())
    inbox.put(edge("bar", True, 1))
    inbox.put(edge("bar", False, 2))
    assert inbox.waiting() == {"bar"}


def test_a_reader_that_leaves_late_does_not_make_the_next_one_deaf():
    async def story() -> None:
        inbox: Inbox[SwitchEvent] = Inbox()
        first = inbox.listen()
        second = inbox.listen()
        inbox.leave(first)
        assert inbox.has_reader
        inbox.put(edge("bar", True, 1))
        await asyncio.sleep(0)
        assert second.is_set()
        inbox.leave(second)
        assert not inbox.has_reader

    asyncio.run(story())


def test_edges_that_nobody_reads_do_not_fill_the_memory():
    async def story() -> None:
        inbox: Inbox[SwitchEvent] = Inbox()
        for number in range(MOST_WAITING + 5):
            inbox.put(edge("bar", True, number))
        edges = inbox.take(inbox.listen())
        assert len(edges) == MOST_WAITING
        assert edges[-1].time == MOST_WAITING + 4

    asyncio.run(story())


def test_the_reader_can_see_of_which_switches_edges_wait():
    async def story() -> None:
        inbox: Inbox[SwitchEvent] = Inbox()
        news = inbox.listen()
        inbox.put(edge("bar", True, 1))
        assert inbox.waiting() == {"bar"}
        inbox.put(edge("menu", True, 0))
        assert inbox.waiting() == {"bar", "menu"}
        assert [event.switch for event in inbox.take(news)] == ["menu", "bar"]
        assert inbox.waiting() == set()

    asyncio.run(story())
