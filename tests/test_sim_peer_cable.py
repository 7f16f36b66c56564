"""The simulator as a serial board that goes away, misbehaves, and plays a game with the project's own host."""

from __future__ import annotations

import asyncio
from contextlib import closing
from dataclasses import replace

import pytest
import serial

from popout.board.driver import BoardError, BoardLost
from popout.board.frame import Frame
from popout.board.serial.conversation import Report
from popout.board.serial.driver import SerialBoard
from popout.board.serial.wire import Wire
from popout.board.switches import SwitchEvent
from popout.commands.sim_hands import HandsInWords
from popout.link import self_test
from popout.link.debounce import HEALED, PRESSED, RELEASED
from popout.link.words import ASK_STATE, PING, STATE, TO_BOOT_LOADER, TO_PROMPT, numbers
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.store import Store
from popout.rules import RuleSet
from popout_sim import peer as peer_module
from popout_sim.faults import double_edge
from serial_hosts import DARK, FOUR, LAMPS_THERE, LAYOUT, Host, a_host, a_peer, lit, port_of, press, release, told
from waiting import until


@pytest.mark.parametrize("wish", [TO_BOOT_LOADER, TO_PROMPT])
def test_sent_to_another_program_it_goes_away_and_comes_back_on_another_port(
    wish: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(peer_module, "AWAY_MS", 100.0)

    async def story() -> None:
        async with a_host() as (peer, host):
            before = port_of(peer)
            host.shows([0x000080] * LAMPS_THERE)
            await until(lambda: lit(peer) != DARK)
            host.say(wish)
            await until(lambda: peer.port is None)
            assert lit(peer) == DARK
            await until(lambda: peer.port is not None)
            assert peer.port != before
            with closing(Host(port_of(peer))) as again:
                assert (await again.greets())[6] == "watchdog"

    asyncio.run(story())


def test_unplugged_the_port_is_gone_and_plugged_in_there_is_another():
    async def story() -> None:
        async with a_host() as (peer, host):
            before = port_of(peer)
            peer.unplug()
            assert peer.port is None
            with pytest.raises(OSError, match="Input/output error"):
                host.say(PING)
            press(peer, "column 4")
            peer.plug()
            assert port_of(peer) != before
            peer.plug()  # it is
            with closing(Host(port_of(peer))) as again:
                assert (await again.greets())[6] == "power-on"
                again.say(ASK_STATE)
                state = numbers((await again.hears(STATE))[0][2], 5)
                assert state is not None
                # Nobody saw it being pressed.
                assert state[2:4] == [1 << FOUR, 1 << FOUR]

    asyncio.run(story())


def test_a_fault_that_takes_the_board_away_is_as_a_pulled_cable():
    async def story() -> None:
        async with a_peer(faults="board-away:300ms@1s") as peer:
            peer.twin.act({"do": "drop", "column": 2, "disc": "X"})
            before = port_of(peer)
            await until(lambda: peer.port is None)
            await until(lambda: peer.port is not None)
            assert peer.port != before
            assert peer.twin.grid[1] == "X"
            with closing(Host(port_of(peer))) as host:
                assert (await host.greets())[6] == "power-on"
                press(peer, "column 4")
                assert told(await host.hears("E")) == [(FOUR, PRESSED, 1 << FOUR)]

    asyncio.run(story())


def test_a_fault_that_sets_back_the_clock_begins_the_program_anew():
    async def story() -> None:
        async with a_peer(faults="clock-back@1s") as peer:
            before = port_of(peer)
            await until(lambda: peer.port not in (before, None))
            with closing(Host(port_of(peer))) as host:
                assert (await host.greets())[6] == "power-on"

    asyncio.run(story())


def test_an_edge_that_is_lost_is_seen_at_the_next_look():
    async def story() -> None:
        async with a_host() as (peer, host):
            peer._board.lose_edge("column 4")
            peer._board.inject([SwitchEvent("column 4", True, peer._board.now())])
            assert told(await host.hears("E")) == [(FOUR, PRESSED, 1 << FOUR)]

    asyncio.run(story())


def test_a_disc_that_wobbles_past_its_lever_counts_once():
    async def story() -> None:
        async with a_host(replace(LAYOUT, actuation="disc")) as (peer, host):
            peer._board.inject(double_edge(4, peer._board.now()))
            program = peer._program
            assert program is not None
            # It has wobbled, and nothing of that is still to be decided.
            await until(lambda: peer._board.due() is None and program._end.due() is None)
            await until(lambda: {number for kind, number, _ in host.listen() if kind == "E"} >= {0, 1})
            press(peer, "menu")
            await until(lambda: {number for kind, number, _ in host.listen() if kind == "E"} >= {2})
            events = {number: frame for frame in host.heard for kind, number, _ in [frame] if kind == "E"}
            menu = list(LAYOUT.switches).index("menu")
            assert [event[:2] for event in told([events[number] for number in range(3)])] == [
                *((FOUR, PRESSED), (FOUR, RELEASED)),
                (menu, PRESSED),
            ]

    asyncio.run(story())


def test_a_bar_that_is_open_when_it_is_plugged_in_is_not_stuck():
    async def story() -> None:
        async with a_peer() as peer:
            peer.unplug()
            peer.twin.act({"do": "bar", "to": "open"})
            peer.plug()
            with closing(Host(port_of(peer))) as host:
                await host.greets()
                host.say(ASK_STATE)
                state = numbers((await host.hears(STATE))[0][2], 5)
                assert state is not None
                assert state[2:4] == [1 << list(LAYOUT.switches).index("bar"), 0]

    asyncio.run(story())


def test_a_lamp_that_dies_goes_dark_in_the_picture_that_stands():
    async def story() -> None:
        async with a_host(faults="dead-lamp:4@1500ms") as (peer, host):
            host.shows([0x000040] * LAMPS_THERE)
            await until(lambda: host.say(PING) and host.listen() and lit(peer) != DARK)
            await until(lambda: host.say(PING) and host.listen() and not peer.lamps.columns[3])
            assert peer.lamps.columns[2] != 0

    asyncio.run(story())


def test_a_lamp_that_is_dead_stays_dark():
    async def story() -> None:
        async with a_host(faults="dead-lamp:4") as (peer, host):
            host.shows([0x000040] * LAMPS_THERE)
            await until(lambda: lit(peer) != DARK)
            assert peer.lamps.columns[3] == 0
            assert peer.lamps.columns[2] != 0

    asyncio.run(story())


def test_the_bar_is_heard_when_it_is_slid():
    async def story() -> None:
        async with a_host() as (peer, host):
            peer.twin.act({"do": "bar", "to": "open"})
            assert told(await host.hears("E"))[0][:2] == (list(LAYOUT.switches).index("bar"), PRESSED)

    asyncio.run(story())


@pytest.mark.parametrize("closed", ["column 4", "bar"])
def test_a_finger_on_a_button_while_it_is_plugged_in_tests_the_lamps(closed: str, monkeypatch: pytest.MonkeyPatch):
    """As on a Pico; the bar is no button."""
    monkeypatch.setattr(self_test, "STEP_MS", 1)

    async def story() -> None:
        async with a_peer() as peer:
            peer.unplug()
            peer.twin.act({"do": "bar", "to": "open"} if closed == "bar" else {"do": "press", "switch": closed})
            peer.plug()
            if closed == "bar":
                assert peer._program is not None
                assert peer._program._test is None
                return
            await until(lambda: peer.lamps.columns[3])
            await until(lambda: peer.lamps.columns[0])
            with closing(Host(port_of(peer))) as host:
                await host.greets()
                await until(lambda: lit(peer) == DARK)

    asyncio.run(story())


def test_a_stuck_button_is_reported_as_such_after_it_was_plugged_in():
    async def story() -> None:
        async with a_peer() as peer:
            peer.unplug()
            press(peer, "column 4")
            peer.plug()
            with closing(Host(port_of(peer))) as host:
                await host.greets()
                release(peer, "column 4")
                (event,) = told(await host.hears("E"))
                assert event[:2] == (FOUR, HEALED)  # no move comes of it

    asyncio.run(story())


# The project's own host


def test_the_wire_of_the_driver_talks_with_it():
    async def story() -> None:
        heard: list[Report] = []
        lost: list[BoardError] = []
        async with a_peer() as peer:
            press(peer, "column 1")
            await asyncio.sleep(0.05)
            loop = asyncio.get_running_loop()
            port = serial.Serial(port_of(peer), timeout=0.1, write_timeout=1, exclusive=True)
            wire = Wire(port, clock=lambda: loop.time() * 1000, heard=heard.extend, lost=lost.append)
            assert await asyncio.to_thread(wire.greeted, 20)
            assert wire.conversation.hello is not None
            assert wire.conversation.hello.model == "simulated"
            assert wire.conversation.closed_at_first == 1
            wire.show((0x000020, *DARK[1:]))
            await until(lambda: lit(peer)[0] == 0x000020)
            press(peer, "menu")
            await until(lambda: len(heard) == 1)
            release(peer, "menu")
            await until(lambda: len(heard) == 2)
            menu = list(LAYOUT.switches).index("menu")
            assert [(report.switch, report.kind) for report in heard] == [(menu, PRESSED), (menu, RELEASED)]
            peer.unplug()
            await until(lambda: lost)
            assert isinstance(lost[0], BoardLost)
            await asyncio.to_thread(wire.close)

    asyncio.run(story())


def test_a_whole_game_is_played_by_hands_in_words():
    async def story() -> None:
        async with a_peer() as peer:
            hands = HandsInWords(peer, draw=lambda: None, tell=lambda _: None)
            board = await asyncio.to_thread(lambda: SerialBoard(LAYOUT, device=peer.port))
            with Store(None) as record, board:
                settings = Settings(take_back_hold_ms=20_000, menu_hold_ms=20_000, stuck_after_ms=60_000)
                table = Table(board, record, settings, RuleSet.parse("popout 7x6"))
                running = asyncio.create_task(table.run())
                for number, move in enumerate("d4 d3 p4 d3 d4 p3 d4 d2 d4 d1 d4".split(), start=1):
                    await hands.obey(move)
                    await until(lambda number=number: len(table.controller.game.moves) == number)
                assert table.controller.game.outcome is not None
                # What was sent is what shines, also in the order of the wire.
                await until(lambda: any(lit(peer)) and board._wire.conversation.lit == tuple(lit(peer)))
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
                await asyncio.to_thread(board.close)
            await until(lambda: peer.lamps == Frame.dark(7, 6))

    asyncio.run(story())
