"""The page's server: what it gives, whom it refuses, and that a refused message changes nothing."""

from __future__ import annotations

import asyncio
import html
import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from page_table import ADDRESS, SOCKET, FakeTable, on_this_machine
from popout.locale import Catalogue
from popout.rules.messages import Message
from popout.views.web.commands import Press, Release
from popout.views.web.server import create_app, serve
from popout.views.web.speaker import NO_SCRIPT

LOCAL = {"you": {"rank": "local", "side": None}, "network": None}
"""What the state of a page on this machine says of itself."""


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def client(table: FakeTable) -> Iterator[TestClient]:
    with on_this_machine(table) as client:
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
        on_this_machine(table) as client,
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
        assert page.receive_json() == {"type": "state", "moves": 0, "status": "Red to move.", **LOCAL}
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
        assert {"type": "state", "moves": 1, "status": "Red to move.", **LOCAL} in heard
        assert other.receive_json() == {"type": "state", "moves": 1, "status": "Red to move.", **LOCAL}
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


async def _read_to_the_end(page: ClientConnection) -> None:
    while True:
        await page.recv()
