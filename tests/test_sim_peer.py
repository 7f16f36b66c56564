"""The simulator as a serial board: what a host of any kind sees of it through a real pseudo terminal."""

from __future__ import annotations

import asyncio
import os
from contextlib import closing, suppress
from dataclasses import replace

import msgspec
import pytest
import serial

from popout.board.contacts import Leds
from popout.board.layout import Layout
from popout.board.serial.description import LayoutNotForPico, digest
from popout.link import self_test
from popout.link.debounce import PRESSED, RELEASED
from popout.link.frames import encode
from popout.link.self_test import COLOURS
from popout.link.words import BYE, HELLO, PING, SELF_TEST, numbers
from popout_sim.peer import UNIQUE, serial_peer
from popout_sim.pseudo_terminal import PseudoTerminal, PseudoTerminalMissing
from serial_hosts import DARK, FOUR, LAMPS_THERE, LAYOUT, Host, a_host, a_peer, lit, port_of, press, release, told
from waiting import until

# Talk


def test_it_says_which_board_it_is():
    async def story() -> None:
        async with a_peer() as peer:
            with closing(Host(port_of(peer))) as host:
                assert await host.greets() == [
                    *("1.0", "1.2.3", UNIQUE, digest(LAYOUT)),
                    *(f"{len(LAYOUT.switches):X}", f"{LAMPS_THERE:X}", "power-on", "simulated"),
                ]

    asyncio.run(story())


def test_it_says_how_long_its_turns_take():
    async def story() -> None:
        async with a_host() as (peer, host):
            pong = numbers((await host.hears("P", 2))[1][2], 4)
            assert pong is not None
            assert pong[2] > 0
            assert not peer.twin.careful  # which needs a host that says what it believes

    asyncio.run(story())


def test_what_is_not_read_at_once_comes_whole_later():
    with closing(PseudoTerminal()) as port, closing(Host(port.name)) as host:
        count = 0
        while port.free():
            port.write(encode("P", count % 256, "x" * 240))
            count += 1
        while not port.free() or len(host.heard) < count:
            host.listen()
        assert [number for _, number, _ in host.heard] == [number % 256 for number in range(count)]


def test_whoever_does_not_greet_it_is_told_to():
    async def story() -> None:
        async with a_peer() as peer:
            with closing(Host(port_of(peer))) as host:
                host.shows([0xFF0000] * LAMPS_THERE)
                assert (await host.hears("R"))[0][2] == "hello-first:"
                assert lit(peer) == DARK

    asyncio.run(story())


def test_a_press_that_bounces_is_one_press_and_one_release():
    async def story() -> None:
        async with a_host() as (peer, host):
            press(peer, "column 4")
            await host.hears("E")
            release(peer, "column 4")
            await until(lambda: len({number for kind, number, _ in host.listen() if kind == "E"}) == 2)
            await host.hears("P", 3)
            events = {number: frame for frame in host.heard for kind, number, _ in [frame] if kind == "E"}
            assert told([events[number] for number in sorted(events)]) == [
                (FOUR, PRESSED, 1 << FOUR),
                (FOUR, RELEASED, 0),
            ]

    asyncio.run(story())


def test_an_event_that_nobody_acknowledges_is_said_again():
    async def story() -> None:
        async with a_host() as (peer, host):
            press(peer, "menu")
            first, second = await host.hears("E", 2)
            assert first == second

    asyncio.run(story())


def test_a_picture_is_shown_within_the_brightness_of_the_board():
    async def story() -> None:
        async with a_host() as (peer, host):
            colours = list(DARK)
            colours[0], colours[7] = 0xFF8000, 0x000040
            host.shows(colours)
            await until(lambda: lit(peer) != DARK)
            red, green = lit(peer)[0] >> 16, lit(peer)[0] >> 8 & 255
            assert red == 128  # the half, as the layout says
            assert green == 64
            assert lit(peer)[7] == 0x000020

    asyncio.run(story())


def test_it_never_takes_more_current_than_its_supply_gives():
    async def story() -> None:
        async with a_host() as (peer, host):
            host.shows([0xFFFFFF] * LAMPS_THERE)
            await until(lambda: lit(peer) != DARK)
            levels = sum(sum(colour.to_bytes(3, "big")) for colour in lit(peer))
            taken = LAYOUT.idle_milliamps * LAMPS_THERE + LAYOUT.channel_milliamps * levels / 255
            assert 0.8 * LAYOUT.milliamps < taken <= LAYOUT.milliamps

    asyncio.run(story())


def test_turn_lamps_that_are_plain_leds_are_lit_or_dark():
    assert LAYOUT.chain is not None
    with_leds = replace(
        LAYOUT,
        chain=msgspec.structs.replace(LAYOUT.chain, parts=LAYOUT.chain.parts[:2]),
        leds=Leds(red="GP17", yellow="GP18", lit="high"),
    )

    async def story() -> None:
        async with a_host(with_leds) as (peer, host):
            host.shows([*[0] * len(with_leds.places), 0x400000, 0x101000])
            await until(lambda: peer.lamps.turns != (0, 0))
            assert peer.lamps.turns == (0x400000, 0)
            assert set(lit(peer)) == {0}

    asyncio.run(story())


def test_it_goes_dark_when_the_host_is_silent_or_says_goodbye():
    async def story() -> None:
        async with a_host() as (peer, host):
            host.shows([0x000080] * LAMPS_THERE)
            await until(lambda: lit(peer) != DARK)
            await until(lambda: lit(peer) == DARK)  # nobody has said anything meanwhile
            await host.greets()
            host.shows([0x000080] * LAMPS_THERE, 2)
            await until(lambda: lit(peer) != DARK)
            host.say(BYE)
            await until(lambda: lit(peer) == DARK)

    asyncio.run(story())


def test_a_host_that_goes_away_may_come_again():
    async def story() -> None:
        async with a_peer() as peer:
            port = port_of(peer)
            for _ in range(3):
                with closing(Host(port)) as host:
                    await host.greets()
            assert peer.port == port

    asyncio.run(story())


def test_a_host_that_never_reads_does_not_hold_it_up():
    async def story() -> None:
        async with a_peer() as peer:
            with closing(Host(port_of(peer))) as deaf:
                deaf.say(HELLO, "1.0")
                for _ in range(20_000):  # far more answers than any system keeps
                    with suppress(BlockingIOError):
                        deaf.say(PING)
                    if not _ % 200:
                        await asyncio.sleep(0.003)
            # What it did not read is thrown away, as pyserial does.
            with serial.Serial(port_of(peer), timeout=0.01) as port:
                port.reset_input_buffer()
            with closing(Host(port_of(peer))) as host:
                hello = await host.greets()
                assert hello[2] == UNIQUE
                press(peer, "column 4")
                assert told(await host.hears("E")) == [(FOUR, PRESSED, 1 << FOUR)]

    asyncio.run(story())


# Wishes


def test_the_self_test_runs_the_lamps_in_order(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(self_test, "STEP_MS", 4.0)

    async def story() -> list[list[int]]:
        news = asyncio.Event()
        seen: list[list[int]] = []
        async with a_peer(news=news.set) as peer:
            with closing(Host(port_of(peer))) as host:
                await host.greets()
                host.say(SELF_TEST)
                await host.hears("A")
                while not seen or lit(peer) != DARK:
                    news.clear()
                    host.say(PING)
                    host.listen()
                    seen.append(lit(peer))
                    await asyncio.wait_for(news.wait(), 20)
        return seen

    steps = []
    for lamps in asyncio.run(story()):
        shining = [(place, lamp) for place, lamp in enumerate(lamps) if lamp]
        for place, lamp in shining:
            assert len(shining) == 1
            steps.append(list(COLOURS).index(at_full(lamp)) * LAMPS_THERE + place)
    assert steps == sorted(steps)  # on a slow machine some are left out
    assert {step // LAMPS_THERE for step in steps} == set(range(len(COLOURS)))


def at_full(lamp: int) -> int:
    """The colour of the test that a lamp shows at the brightness of the board."""
    return sum(0xFF << shift for shift in (16, 8, 0) if lamp >> shift & 0xFF)


def test_the_self_test_ends_with_its_host(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(self_test, "STEP_MS", 60_000.0)

    async def story() -> None:
        async with a_host() as (peer, host):
            host.say(SELF_TEST)
            await until(lambda: lit(peer) != DARK)
            host.say(BYE)
            await until(lambda: lit(peer) == DARK)

    asyncio.run(story())


# What cannot be


def test_without_pseudo_terminals_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(os, "openpty")
    with pytest.raises(PseudoTerminalMissing) as caught:
        serial_peer(LAYOUT, "1")
    assert str(caught.value.message) == (
        "This system has no pseudo terminals, behind which a simulated board could be a serial port. Run it on Linux "
        "or macOS."
    )


def test_when_no_pseudo_terminal_is_left_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch):
    def none_left() -> tuple[int, int]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "openpty", none_left)
    with pytest.raises(PseudoTerminalMissing) as caught:
        serial_peer(LAYOUT, "1")
    assert str(caught.value.message) == (
        "The system gives no pseudo terminal for a serial port: No space left on device. Close some terminals."
    )


def test_a_layout_of_another_driver_is_refused():
    with pytest.raises(LayoutNotForPico):
        serial_peer(Layout.load("7x6-pi"), "1")
