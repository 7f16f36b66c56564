"""The link of a terminal to its board: in one process, and through a real WebSocket."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from popout.views.terminal.link import Link, LinkLost, NoBoard, SocketLink, TableLink, page_address
from popout.views.web.network import Network
from popout.views.web.state import TableView
from terminals import a_table, served

Story = Callable[[Link], Awaitable[None]]


@asynccontextmanager
async def by_table(network: Network) -> AsyncIterator[Link]:
    async with a_table() as table:
        yield TableLink(TableView(table), str, network)


@asynccontextmanager
async def by_socket(network: Network) -> AsyncIterator[Link]:
    async with a_table() as table, served(table, network=network) as port:
        link = SocketLink(page_address(port), "en")
        await link.connect()
        try:
            yield link
        finally:
            await link.close()


@pytest.fixture(params=[by_table, by_socket])
def linked(request: pytest.FixtureRequest) -> Callable[[Story], None]:
    """Lets a story happen on a link, with somebody who hears its messages."""

    def tell(story: Story, network: Network | None = None) -> None:
        async def run() -> None:
            async with request.param(network or Network()) as link:

                async def hear() -> None:
                    async for _ in link.messages():
                        pass

                hearing = asyncio.create_task(hear())
                await asyncio.sleep(0)
                try:
                    await story(link)
                finally:
                    hearing.cancel()
                    await asyncio.gather(hearing, return_exceptions=True)

        asyncio.run(run())

    return tell


def test_the_newest_state_comes_first_of_all():
    async def run() -> None:
        for linked_by in (by_table, by_socket):
            async with linked_by(Network()) as link:
                messages = link.messages()
                message = await anext(messages)
                assert (message["type"], message["status"]) == ("state", "Red to move.")
                await messages.aclose()  # type: ignore[attr-defined]

    asyncio.run(run())


def test_commands_are_answered_in_their_order(linked: Callable[[Story], None]):
    async def story(link: Link) -> None:
        answers = await asyncio.gather(
            link.ask({"do": "press", "switch": "column 4"}),
            link.ask({"do": "release", "switch": "column 4"}),
            link.ask({"do": "look", "ply": 0}),
            link.ask({"do": "look", "ply": 99}),
            link.ask({"do": "fly"}),
        )
        assert [answer["type"] for answer in answers] == ["done", "done", "look", "refused", "refused"]
        assert answers[3]["text"].startswith("There is no move 99")

    linked(story)


def test_a_position_is_considered_without_a_change(linked: Callable[[Story], None]):
    async def story(link: Link) -> None:
        answer = await link.ask({"do": "consider", "grid": ["X", *[""] * 6], "turn": "yellow"})
        assert (answer["type"], answer["text"]) == ("considered", "Yellow to move.")

    linked(story)


def test_phones_are_invited_where_the_board_is_on_the_network(linked: Callable[..., None]):
    network = Network(["http://192.0.2.7:8407/"])

    async def story(link: Link) -> None:
        assert (await link.ask({"do": "invite", "side": "red"}))["type"] == "done"
        async with asyncio.timeout(5):
            while not ((known := link.network()) and known["invited"]):
                await asyncio.sleep(0.01)
        assert known["addresses"] == ["http://192.0.2.7:8407/"]
        assert known["invited"][0]["side"] == "red"
        assert (await link.ask({"do": "put-out", "id": 1}))["type"] == "refused"

    linked(story, network)


def test_a_link_that_ends_takes_its_finger_off_without_a_move():
    async def run() -> None:
        async with a_table() as table:
            link = TableLink(TableView(table), str)
            await link.ask({"do": "press", "switch": "column 4"})
            assert table.board.twin.pressed == ("column 4",)  # type: ignore[union-attr]
            await link.close()
            assert table.board.twin.pressed == ()  # type: ignore[union-attr]
            await asyncio.sleep(0.1)
            assert table.controller.game.moves == ()

    asyncio.run(run())


def refusal(address: str) -> str:
    async def run() -> None:
        await SocketLink(address, "en").connect()

    with pytest.raises(NoBoard) as caught:
        asyncio.run(run())
    return str(caught.value)


def test_where_nothing_answers_is_said():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

    assert refusal(f"http://127.0.0.1:{port}/") == (
        f"No board answers at http://127.0.0.1:{port}/. Start one with “popout play”, "
        "or name the address that it printed."
    )


@pytest.mark.parametrize("address", ["http://[", "ftp://x", "http://", "http://x:99999999", ""])
def test_what_is_no_address_is_said(address: str):
    assert "is no address" in refusal(address)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            "200 OK",
            "Something answers at {address}, but it is no board of this kind. Name the address that the board printed.",
        ),
        ("403 Forbidden", "The board at {address} refuses: Not you."),
    ],
)
def test_another_server_and_a_refusal_are_told_from_a_board(answer: str, said: str):
    async def hello(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 {answer}\r\nContent-Length: 9\r\n\r\nNot you.\n".encode())
        await writer.drain()
        writer.close()

    async def run() -> None:
        async with await asyncio.start_server(hello, "127.0.0.1", 0) as server:
            address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
            with pytest.raises(NoBoard) as caught:
                await SocketLink(address, "en").connect()
        assert str(caught.value) == said.format(address=address)

    asyncio.run(run())


def test_nothing_is_asked_without_a_connection():
    async def run() -> None:
        with pytest.raises(LinkLost):
            await SocketLink("http://127.0.0.1:1", "en").ask({"do": "menu"})

    asyncio.run(run())
