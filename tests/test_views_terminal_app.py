"""The terminal's app: its room, its end, a lost link, a fault, and a board in another process."""

from __future__ import annotations

import asyncio

import pytest

from popout.play.table import Table
from popout.record.journal import Entry, Source
from popout.rules import Game
from popout.views.terminal.link import SocketLink
from popout.views.web.state import TableView
from terminals import Seat, a_table, at_a_terminal, seated, served


def test_too_small_a_window_says_how_much_room_is_needed_and_goes_on_when_it_is_enlarged_t2():
    async def story(seat: Seat, _: Table) -> None:
        await seat.see(lambda: "this one has 60 by 20" in " ".join(seat.screen.split()))
        assert "80 columns by 24 rows" in " ".join(seat.screen.split())
        await seat.pilot.resize_terminal(80, 24)
        await seat.see(lambda: seat.shows("Red to move."))
        await seat.play("d4")
        for size in ((5, 3), (1, 1), (200, 60), (79, 24), (80, 24)):
            await seat.pilot.resize_terminal(*size)
            await seat.pilot.pause()
        await seat.see(lambda: seat.shows("Yellow to move."))

    at_a_terminal(story, size=(60, 20))


def test_a_game_on_a_larger_board_may_need_more_room():
    async def story(seat: Seat, _: Table) -> None:
        await seat.press("n")
        await seat.see(lambda: seat.shows("Or write the rules"))
        await seat.press("tab", "tab", "tab", "tab", "end", *["backspace"] * 40, *"popout", "space", *"32x20", "enter")
        await seat.see(lambda: "98 columns by 31 rows" in " ".join(seat.screen.split()))
        await seat.pilot.resize_terminal(100, 32)
        await seat.see(lambda: seat.shows("Pop Out · 32 × 20"))

    at_a_terminal(story)


def test_a_board_in_another_process_is_played_through_its_page():
    async def run() -> None:
        async with a_table() as table, served(table) as port:
            sources: list[Source | None] = []
            append = table._store.append

            def note(entry: Entry, after: Game) -> None:
                sources.append(entry.source)
                append(entry, after)

            table._store.append = note  # type: ignore[method-assign]
            link = SocketLink(f"http://127.0.0.1:{port}/", "en")
            await link.connect()
            async with seated(link) as seat:
                await seat.play("d4 d4 d5 d3")
                await seat.press("up")
                await seat.see(lambda: seat.says("status").startswith("Move 3 of 4"))
                await seat.press("end", "u")
                await seat.see(lambda: len(seat.state["moves"]) == 3)
                assert len(table.controller.game.moves) == 3
                assert set(sources) == {Source.TERMINAL}
                await seat.press("q")  # it stops nothing, so it is not asked
                await seat.see(lambda: seat.app._exit)

    asyncio.run(run())


def test_a_lost_link_is_shown_and_found_again_and_nothing_pressed_meanwhile_is_invented(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("popout.views.terminal.link.FIRST_PAUSE_S", 0.05)

    async def run() -> None:
        async with a_table() as table:
            async with served(table) as port:
                link = SocketLink(f"127.0.0.1:{port}", "en")
                await link.connect()
                leaving = seated(link)
                seat = await leaving.__aenter__()
                await seat.play("d4")
            await seat.see(lambda: seat.says("status").startswith("‼ The connection to the board is lost."))
            await seat.press("5", "6")
            await seat.see(lambda: seat.says("notice").startswith("✗ Nothing was done"))
            async with served(table, port):
                await seat.see(lambda: seat.says("status") == "Yellow to move.")
                assert [move["text"] for move in seat.state["moves"]] == ["d4"]
                await seat.play("d5")
                await leaving.__aexit__(None, None, None)

    asyncio.run(run())


def test_a_fault_of_the_terminal_is_kept_and_no_traceback_is_drawn(capsys: pytest.CaptureFixture[str]):
    from popout.views.terminal.app import Terminal
    from popout.views.terminal.link import TableLink

    class Broken(Exception):
        pass

    class BrokenLink(TableLink):
        async def messages(self):  # type: ignore[override]
            raise Broken("the cable caught fire")
            yield {}

    async def run() -> None:
        async with a_table() as table:
            app = Terminal(BrokenLink(TableView(table), str), str)
            await app.run_async(headless=True)
            assert "the cable caught fire" in repr(app.fault)

    asyncio.run(run())
    assert "Traceback" not in "".join(capsys.readouterr())
