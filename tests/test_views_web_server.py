"""The page's server: what it gives, whom it refuses, and that a refused message changes nothing."""

from __future__ import annotations

import asyncio
import html
import json
import socket
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from popout.locale import Catalogue
from popout.rules.messages import Message, PopoutError
from popout.views.web.commands import Command, Press, Release
from popout.views.web.server import CannotListen, PortInUse, _Talk, create_app, serve
from popout.views.web.speaker import NO_SCRIPT, Say

ADDRESS = "http://127.0.0.1:8765"
SOCKET = "ws://127.0.0.1:8765/ws"


class ColumnFull(PopoutError, ValueError):
    code = "column-full"


class FakeTable:
    """A table that counts what it is asked."""

    def __init__(self) -> None:
        self.moves = 0
        self.light = "#000000"
        self.commands: list[Command] = []
        self.withdrawn: list[str] = []
        self.listeners: list[asyncio.Queue[str]] = []

    def snapshot(self, say: Say) -> Mapping[str, Any]:
        return {"type": "state", "moves": self.moves, "status": say(Message("Red to move."))}

    def look(self, ply: int, say: Say) -> Mapping[str, Any]:  # noqa: ARG002
        if ply > self.moves:
            raise PopoutError(Message("There is no move {ply}; the game has {moves}.", ply=ply, moves=self.moves))
        return {"type": "look", "ply": ply}

    def lamps(self) -> Mapping[str, Any]:
        return {"type": "lamps", "columns": [self.light]}

    def record_text(self) -> str:
        return "popout 7x6\nd4 d4\n"

    async def changes(self) -> AsyncIterator[str]:
        queue: asyncio.Queue[str] = asyncio.Queue()
        self.listeners.append(queue)
        try:
            while True:
                yield await queue.get()
        finally:
            self.listeners.remove(queue)

    async def command(self, command: Command) -> None:
        if command == Press("column 3"):
            raise ColumnFull(Message("Column {column} is full.", column=3))
        self.commands.append(command)
        if isinstance(command, Release):
            self.moves += 1
            self.tell("state")

    def withdraw(self, switch: str) -> None:
        self.withdrawn.append(switch)

    def tell(self, kind: str) -> None:
        for queue in self.listeners:
            queue.put_nowait(kind)


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def client(table: FakeTable) -> Iterator[TestClient]:
    with TestClient(create_app(table), base_url=ADDRESS, client=("127.0.0.1", 50000)) as client:
        yield client


def test_the_page_and_its_files_are_given_with_a_strict_policy_and_asked_for_again_each_time(client):
    for path, kind in [
        ("/", "text/html"),
        ("/static/main.js", "text/javascript"),
        ("/static/style.css", "text/css"),
        ("/static/icon.svg", "image/svg+xml"),
        ("/texts.json", "application/json"),
    ]:
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith(kind)
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.headers["content-security-policy"].startswith("default-src 'self'; ")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "no-referrer"


def test_a_file_that_did_not_change_is_not_sent_again(client):
    tag = client.get("/static/main.js").headers["etag"]

    again = client.get("/static/main.js", headers={"If-None-Match": tag})

    assert again.status_code == 304


def test_nothing_outside_the_static_folder_is_given(client):
    assert client.get("/static/../server.py").status_code == 404
    assert client.get("/static/%2e%2e/server.py").status_code == 404


def test_the_record_is_plain_text_and_kept_nowhere(client):
    answer = client.get("/record.txt")

    assert answer.text == "popout 7x6\nd4 d4\n"
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("set_to", "address", "accepted", "spoken"),
    [
        (None, "", "", "en"),
        (None, "", "el-GR, el;q=0.9, en;q=0.8", "el"),
        ("nl", "", "el", "nl"),
        ("nl", "?lang=fr", "el", "fr"),
        (None, "?lang=pt-BR", "", "pt"),
        (None, "?lang=../nl", "da", "da"),
    ],
)
def test_a_page_is_in_the_language_that_it_asks_for_or_that_is_set_or_that_its_browser_likes(
    table: FakeTable, set_to: str | None, address: str, accepted: str, spoken: str
):
    client = TestClient(create_app(table, language=set_to), base_url=ADDRESS, headers={"Accept-Language": accepted})

    texts = client.get(f"/texts.json{address}")
    page = client.get(f"/{address}")

    assert texts.json()["language"] == spoken
    assert texts.json()["newGame"] == Catalogue(spoken).text(Message("New game"))
    assert f'<html lang="{spoken}">' in page.text
    for answer in (texts, page):
        assert answer.headers["content-language"] == spoken
        assert answer.headers["vary"] == "Accept-Language"


def test_each_page_hears_its_own_language(table):
    with (
        TestClient(create_app(table), base_url=ADDRESS, client=("127.0.0.1", 50000)) as client,
        client.websocket_connect(f"{SOCKET}?lang=nl") as dutch,
        client.websocket_connect(SOCKET, headers={"Accept-Language": "fr"}) as french,
    ):
        for page, language in ((dutch, "nl"), (french, "fr")):
            assert page.receive_json()["status"] == Catalogue(language).text(Message("Red to move."))
            page.receive_json()
            page.send_json({"do": "look", "ply": 7})
            assert page.receive_json()["text"] == Catalogue(language).text(
                Message("There is no move {ply}; the game has {moves}.", ply=7, moves=0)
            )


def test_the_languages_are_named_by_those_who_speak_them(client):
    names = client.get("/texts.json").json()["languages"]

    assert names["en"] == "English"
    assert names["el"] == "Ελληνικά"


def test_readers_without_scripts_are_told_so_in_their_language(client):
    page = client.get("/?lang=da").text

    assert f'<noscript><p class="banner">{html.escape(Catalogue("da").text(NO_SCRIPT))}</p></noscript>' in page


def test_a_page_hears_the_state_and_then_the_lamps(client):
    with client.websocket_connect(SOCKET) as page:
        assert page.receive_json() == {"type": "state", "moves": 0, "status": "Red to move."}
        assert page.receive_json() == {"type": "lamps", "columns": ["#000000"]}


def test_a_command_reaches_the_table_and_every_page_hears_what_came_of_it(client, table):
    with client.websocket_connect(SOCKET) as one, client.websocket_connect(SOCKET) as other:
        for page in (one, other):
            page.receive_json()
            page.receive_json()
        one.send_json({"do": "press", "switch": "column 4"})
        assert one.receive_json() == {"type": "done", "do": "press"}
        one.send_json({"do": "release", "switch": "column 4"})

        heard = [one.receive_json(), one.receive_json()]

        assert {"type": "done", "do": "release"} in heard
        assert {"type": "state", "moves": 1, "status": "Red to move."} in heard
        assert other.receive_json() == {"type": "state", "moves": 1, "status": "Red to move."}
    assert table.commands == [Press("column 4"), Release("column 4")]


def test_lamps_and_state_are_sent_only_when_they_changed(client, table):
    with client.websocket_connect(SOCKET) as page:
        page.receive_json()
        page.receive_json()
        client.portal.call(table.tell, "state")
        client.portal.call(table.tell, "lamps")
        table.light = "#ff0000"
        client.portal.call(table.tell, "lamps")

        assert page.receive_json() == {"type": "lamps", "columns": ["#ff0000"]}


def test_what_the_table_refuses_is_said_to_the_page_that_asked(client):
    with client.websocket_connect(SOCKET) as page:
        page.receive_json()
        page.receive_json()
        page.send_json({"do": "press", "switch": "column 3"})

        assert page.receive_json() == {
            "type": "refused",
            "do": "press",
            "code": "column-full",
            "text": "Column 3 is full.",
        }


def test_looking_at_the_past_is_answered_to_the_page_that_asked(client, table):
    table.moves = 2
    with client.websocket_connect(SOCKET) as page:
        page.receive_json()
        page.receive_json()
        page.send_json({"do": "look", "ply": 2})
        assert page.receive_json() == {"type": "look", "ply": 2}
        page.send_json({"do": "look", "ply": 3})
        assert page.receive_json()["text"] == "There is no move 3; the game has 2."


@pytest.mark.parametrize("said", ["not json", "[1]", '{"do": "fly"}', '{"do": "press"}', "x" * 2049, "[" * 2000])
def test_a_message_that_cannot_be_read_is_refused_and_changes_nothing(client, table, said):
    with client.websocket_connect(SOCKET) as page:
        page.receive_json()
        page.receive_json()
        page.send_text(said)

        refusal = page.receive_json()

        assert (refusal["type"], refusal["code"]) == ("refused", "bad-message")
        assert refusal["text"].endswith(".")
        page.send_json({"do": "press", "switch": "column 1"})
        assert page.receive_json() == {"type": "done", "do": "press"}
    assert table.commands == [Press("column 1")]


def test_bytes_are_refused(client):
    with client.websocket_connect(SOCKET) as page:
        page.receive_json()
        page.receive_json()
        page.send_bytes(b'{"do":"take-back"}')

        assert page.receive_json()["text"] == "The message is not text. Send JSON as text."


def test_a_page_that_goes_away_lets_go_of_what_it_held(client, table):
    with client.websocket_connect(SOCKET) as page:
        page.send_json({"do": "press", "switch": "column 4"})
        page.send_json({"do": "press", "switch": "column 5"})
        page.send_json({"do": "release", "switch": "column 5"})
        while page.receive_json() != {"type": "done", "do": "release"}:
            pass

    assert table.withdrawn == ["column 4"]
    assert table.commands[-1] == Release("column 5")


def test_a_page_that_goes_away_is_not_told_any_more(client, table):
    with client.websocket_connect(SOCKET) as page:
        page.receive_json()
        page.receive_json()

    assert table.listeners == []


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://127.0.0.1:9999", "http://localhost:8765", "null", "http://[", ""]
)
def test_a_page_of_another_site_may_not_connect(client, origin):
    with (
        pytest.raises(WebSocketDenialResponse) as refused,
        client.websocket_connect(SOCKET, headers={"Origin": origin}),
    ):
        pass

    assert refused.value.status_code == 403
    assert refused.value.text == "Only the page of this server may connect, not a page of another site.\n"


def test_the_page_of_this_server_may_connect(client):
    with client.websocket_connect(SOCKET, headers={"Origin": ADDRESS}) as page:
        assert page.receive_json()["type"] == "state"


@pytest.mark.parametrize("host", ["evil.example:8765", "localhost.evil.example", "[", "192.168.1.7:8765"])
def test_a_foreign_host_name_is_refused_for_pages_and_connections(client, host):
    answer = client.get("/", headers={"Host": host})
    assert answer.status_code == 403
    assert answer.text == "This server does not answer under that name. Use the address that it printed.\n"
    assert "content-security-policy" in answer.headers

    with pytest.raises(WebSocketDenialResponse) as refused, client.websocket_connect(SOCKET, headers={"Host": host}):
        pass
    assert refused.value.status_code == 403


@pytest.mark.parametrize("host", ["localhost:8765", "127.0.0.1", "127.9.9.9:80", "[::1]:8765"])
def test_every_name_of_loopback_is_answered(client, host):
    assert client.get("/", headers={"Host": host}).status_code == 200


def test_a_host_that_was_allowed_is_answered(table):
    client = TestClient(create_app(table, allowed_hosts=["Board.local"]), base_url="http://board.local:8765")

    assert client.get("/").status_code == 200


def test_numeric_addresses_can_be_allowed_together(table):
    client = TestClient(create_app(table, allowed_hosts=["*"]), base_url=ADDRESS)

    assert client.get("/", headers={"Host": "192.168.1.7:8765"}).status_code == 200
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 403


def test_a_program_without_an_origin_may_connect_from_this_machine_only(table):
    app = create_app(table, allowed_hosts=["*"])
    far = TestClient(app, base_url="http://192.168.1.7:8765", client=("192.168.1.20", 50000))

    with pytest.raises(WebSocketDenialResponse) as refused, far.websocket_connect("ws://192.168.1.7:8765/ws"):
        pass

    assert refused.value.text == "From another machine, only the page itself may connect.\n"
    with far.websocket_connect("ws://192.168.1.7:8765/ws", headers={"Origin": "http://192.168.1.7:8765"}) as page:
        assert page.receive_json()["type"] == "state"


def test_a_port_in_use_is_one_sentence_with_a_way_out(table):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortInUse) as refused:
            asyncio.run(serve(table, port=port))

    assert isinstance(refused.value, OSError)
    assert str(refused.value) == (
        f"Port {port} is in use by another program, perhaps by this one in another window."
        f" Use that page, or choose another port with --port {port + 1}."
    )


def test_an_address_of_another_machine_is_refused_with_a_way_out(table):
    with pytest.raises(CannotListen) as refused:
        asyncio.run(serve(table, host="192.0.2.1"))

    assert str(refused.value) == (
        "The page cannot be offered at 192.0.2.1, because this machine has no such address."
        " Leave --host out to offer it to this machine only."
    )


def test_a_number_that_is_no_port_is_refused(table):
    with pytest.raises(CannotListen, match=r"^Port 70000 is no port\. Choose one from 1 to 65535 with --port\.$"):
        asyncio.run(serve(table, port=70000))


def test_a_server_on_a_free_port_says_its_address_talks_and_ends_when_cancelled(table):
    async def story() -> dict[str, Any]:
        address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(serve(table, port=0, opened=address.set_result))
        url = (await address).replace("http:", "ws:") + "ws"
        async with connect(url) as page:
            heard = json.loads(await page.recv())
            serving.cancel()
            with pytest.raises(asyncio.CancelledError):
                await serving
        return heard

    assert asyncio.run(story())["type"] == "state"


def test_a_message_beyond_all_measure_ends_the_connection(table):
    async def story() -> int | None:
        address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(serve(table, port=0, opened=address.set_result))
        async with connect((await address).replace("http:", "ws:") + "ws") as page:
            await page.send("x" * 2_000_000)
            with pytest.raises(ConnectionClosed) as closed:
                await _read_to_the_end(page)
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving
        return closed.value.rcvd.code if closed.value.rcvd else None

    assert asyncio.run(story()) == 1009
    assert table.commands == []


def test_an_idle_server_does_not_wake_up(table):
    """uvicorn ticks ten times a second; this one must not."""

    async def story() -> int:
        address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        serving = asyncio.create_task(serve(table, port=0, opened=address.set_result))
        await address
        await asyncio.sleep(0.05)  # the server is listening from the first callbacks on
        loop = asyncio.get_running_loop()
        timers = [timer for timer in loop._scheduled if not timer.cancelled()]  # type: ignore[attr-defined]
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving
        return len(timers)

    assert asyncio.run(story()) == 0


def test_a_slow_page_is_told_only_the_newest(table):
    class SlowSocket:
        """Takes a message only when let; says so when one waits."""

        def __init__(self) -> None:
            self.heard: list[dict[str, Any]] = []
            self.waits = asyncio.Event()
            self.may_go_on = asyncio.Event()

        async def accept(self) -> None:
            pass

        async def receive(self) -> dict[str, str]:
            await self.may_go_on.wait()
            while len(self.heard) < 3:
                await asyncio.sleep(0)
            return {"type": "websocket.disconnect"}

        async def send_text(self, text: str) -> None:
            self.waits.set()
            await self.may_go_on.wait()
            self.heard.append(json.loads(text))

    async def story() -> list[dict[str, Any]]:
        page = SlowSocket()
        talking = asyncio.create_task(_Talk(page, table, str).run())
        await page.waits.wait()
        for _ in range(1000):
            table.moves += 1
            table.tell("state")
            await asyncio.sleep(0)
        page.may_go_on.set()
        await talking
        return page.heard

    assert [message.get("moves") for message in asyncio.run(story())] == [0, None, 1000]


async def _read_to_the_end(page: ClientConnection) -> None:
    while True:
        await page.recv()
