"""The terminal's dialogs: a new game, the rule card and the keys, and phones."""

from __future__ import annotations

import asyncio

from popout.play.table import Table
from popout.views.terminal.link import SocketLink, TableLink
from popout.views.web import qr
from popout.views.web.network import Network
from popout.views.web.state import TableView
from terminals import Seat, a_table, at_a_terminal, seated, served


async def new_game(seat: Seat) -> None:
    await seat.press("n")
    await seat.see(lambda: seat.shows("Or write the rules"))


def test_a_game_is_chosen_with_its_usual_line():
    async def story(seat: Seat, _: Table) -> None:
        await new_game(seat)
        await seat.press("down", "down")
        await seat.see(lambda: seat.shows("five 7x6 connect=5"))
        await seat.press("enter")
        await seat.see(lambda: seat.state["rules"]["game"] == "five")

        assert seat.shows("5-in-a-Row · 9 × 6 · 5 in a row")

    at_a_terminal(story)


def test_a_size_is_typed():
    async def story(seat: Seat, _: Table) -> None:
        await new_game(seat)
        await seat.press("tab", "end", "backspace", "9", "enter")
        await seat.see(lambda: seat.state["rules"]["columns"] == 9)

    at_a_terminal(story)


def test_what_is_refused_is_said_in_the_dialog_and_nothing_begins():
    async def story(seat: Seat, _: Table) -> None:
        await seat.play("d4")
        await new_game(seat)
        assert seat.shows("The game at hand ends here; it stays in the record.")
        await seat.press("tab", "end", "backspace", "0", "enter")
        await seat.see(lambda: not seat.shows("it stays in the record"))

        assert "columns" in seat.says("refusal")
        await seat.press("escape")
        await seat.see(lambda: not seat.shows("Or write the rules"))
        assert len(seat.state["moves"]) == 1

    at_a_terminal(story)


def test_a_dialog_fits_into_the_smallest_window():
    async def story(seat: Seat, _: Table) -> None:
        await new_game(seat)
        assert seat.shows("Start")
        assert seat.shows("Cancel")

    at_a_terminal(story)


def test_the_rule_card_and_the_keys_of_every_game():
    async def story(seat: Seat, _: Table) -> None:
        await seat.press("question_mark")
        await seat.see(lambda: seat.shows("How to play: "))
        assert seat.shows("Be the first to get 4 of your own discs")
        await seat.press("end")
        await seat.see(lambda: seat.shows("A B W X"))
        await seat.press("escape")
        await seat.see(lambda: not seat.shows("How to play: "))

    at_a_terminal(story, "power+pop 7x6")


def test_without_a_network_phones_are_told_how_to_come_in():
    async def story(seat: Seat, _: Table) -> None:
        await seat.press("p")
        await seat.see(lambda: "Start it with --listen" in " ".join(seat.screen.split()))
        await seat.press("escape")

    at_a_terminal(story)


def a_phone_comes_in(*, attached: bool) -> None:
    async def run() -> None:
        network = Network(["http://192.0.2.7:8407/"])
        async with a_table() as table, served(table, network=network) as port:
            link = SocketLink(f"127.0.0.1:{port}", "en") if attached else TableLink(TableView(table), str, network)
            if isinstance(link, SocketLink):
                await link.connect()
            async with seated(link, size=(90, 30)) as seat:
                await seat.press("p")
                await seat.see(lambda: seat.shows("http://192.0.2.7:8407/"))
                assert all(seat.shows(line.rstrip()) for line in qr.lines("http://192.0.2.7:8407/"))
                await seat.press("r")
                await seat.see(lambda: seat.shows("Code for red: "))
                code = network.seen()["invited"][0]["code"]
                assert seat.shows(code)
                network.enter("192.0.2.9", code)
                await seat.see(lambda: seat.shows("192.0.2.9"))
                await seat.press("1")
                await seat.see(lambda: not network.seen()["players"])
                await seat.press("1")  # nobody is left to be put out
                await seat.press("escape")
                await seat.see(lambda: not seat.shows("http://192.0.2.7"))

    asyncio.run(run())


def test_a_phone_is_invited_seen_and_put_out_beside_the_table():
    a_phone_comes_in(attached=False)


def test_a_phone_is_invited_seen_and_put_out_from_an_attached_terminal():
    a_phone_comes_in(attached=True)
