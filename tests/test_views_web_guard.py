"""Who may ask at all: the names of this machine only, and of pages only its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.types import Receive, Scope, Send

from page_table import ADDRESS, SOCKET, FakeTable, on_this_machine
from popout.views.web.guard import InTurn
from popout.views.web.server import create_app


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def client(table: FakeTable) -> Iterator[TestClient]:
    with on_this_machine(table) as client:
        yield client


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


def test_two_hosts_are_as_good_as_none(client):
    twice = [("host", "127.0.0.1:8765"), ("host", "127.0.0.1:8765")]

    assert client.get("/", headers=twice).status_code == 403


def test_two_origins_are_as_good_as_a_foreign_one(client):
    origins = [("origin", ADDRESS), ("origin", "http://evil.example")]

    assert client.post("/", headers=origins).status_code == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_nothing_but_reading_is_open_to_a_page_of_another_site(client, method):
    assert client.request(method, "/", headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.request(method, "/", headers={"Origin": ADDRESS}).status_code == 405


def test_no_answer_lets_another_site_read_it(client):
    for path in ("/", "/texts.json", "/record.txt"):
        headers = client.get(path, headers={"Origin": "http://evil.example"}).headers
        assert not [name for name in headers if name.startswith("access-control")]
        assert "set-cookie" not in headers
        assert headers["cross-origin-resource-policy"] == "same-origin"


def test_requests_of_other_machines_take_turns_and_those_of_this_one_do_not():
    turns: list[str] = []

    class Noted:
        async def turn(self) -> None:
            turns.append("turn")

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("here")(scope, receive, send)

    app = InTurn(answer, Noted())  # type: ignore[arg-type]
    TestClient(app, base_url=ADDRESS, client=("127.0.0.1", 50000)).get("/")
    assert turns == []
    TestClient(app, base_url="http://192.168.1.7:8765", client=("192.168.1.20", 50000)).get("/")
    assert turns == ["turn"]


def test_only_where_browsers_trust_the_connection_they_are_told_to_isolate_the_page(table):
    far = TestClient(create_app(table, allowed_hosts=["*"]), base_url="http://192.168.1.7:8765")
    near = TestClient(create_app(table), base_url=ADDRESS)

    assert "cross-origin-opener-policy" not in far.get("/").headers
    assert near.get("/").headers["cross-origin-opener-policy"] == "same-origin"
