"""Phones in the terminal: where they find the board, their codes, and putting them out."""

from __future__ import annotations

import asyncio

from popout.play.table import Table
from popout.views.terminal.link import SocketLink, TableLink
from popout.views.web import qr
from popout.views.web.network import Network
from popout.views.web.state import TableView
from terminals import Seat, a_table, at_a_terminal, seated, served


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
