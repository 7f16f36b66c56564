"""Ranks: what a page of this machine, a player on the network and a spectator are told and may do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, ClassVar

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketState

from page_table import FakeTable
from popout.locale import Catalogue
from popout.record.journal import Source
from popout.rules import RED
from popout.views.web.commands import COMMANDS, Press, TakeBack
from popout.views.web.fanout import Fanout
from popout.views.web.network import Network
from popout.views.web.server import create_app
from popout.views.web.talk import Talk

HERE, THERE = "127.0.0.1:8407", "192.168.1.7:8407"
WATCHING = "This device is only watching. To play, type the code that the board's page or terminal shows."

SAMPLES: dict[str, dict[str, Any]] = {
    "press": {"switch": "column 4"},
    "release": {"switch": "column 4"},
    "withdraw": {"switch": "column 4"},
    "bar": {"to": "open"},
    "hand": {"action": {"do": "empty"}},
    "new": {"rules": "popout 7x6"},
    "power": {"disc": "a"},
    "move": {"move": "d4"},
    "look": {"ply": 0},
    "correct": {"grid": [""]},
    "adopt": {"turn": "red"},
    "consider": {"grid": [""], "turn": "red"},
    "set-up": {"grid": [""], "turn": "red"},
    "invite": {"side": "red"},
    "put-out": {"id": 1},
    "enter": {"code": "000000"},
    "return": {"token": "x"},
}
"""The fields of each command that has some."""


class Page:
    """One connection, and what it has heard."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.state: dict[str, Any] = {}

    def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = self.socket.receive_json()
        if message["type"] == "state":
            self.state = message
        return message

    def hear_state(self) -> dict[str, Any]:
        while self.hear()["type"] != "state":
            pass
        return self.state

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        self.socket.send_json({"do": do, **fields})
        while (answer := self.hear())["type"] in ("state", "lamps"):
            pass
        return answer


class Door:
    """Opens pages on this machine and on others, at one server."""

    def __init__(self, table: FakeTable) -> None:
        self.network = Network([f"http://{THERE}/"])
        self._app = create_app(table, allowed_hosts=["*"], network=self.network)
        self._stack = ExitStack()
        self._client = self._stack.enter_context(TestClient(self._app))

    def local(self, query: str = "") -> Page:
        return self._open("127.0.0.1", HERE, query)

    def phone(self, address: str = "192.168.1.20", query: str = "") -> Page:
        return self._open(address, THERE, query)

    def player(self, side: str) -> Page:
        phone = self.phone()
        local = self.local()
        local.ask("invite", side=side)
        code = next(each["code"] for each in self.network.seen()["invited"] if each["side"] == side)  # type: ignore[index]
        assert phone.ask("enter", code=code)["type"] == "admitted"
        return phone

    def close(self) -> None:
        self._stack.close()

    def _open(self, address: str, host: str, query: str) -> Page:
        client = TestClient(self._app, client=(address, 50000))
        client.portal = self._client.portal
        socket = client.websocket_connect(f"ws://{host}/ws{query}", headers={"Origin": f"http://{host}"})
        return Page(self._stack.enter_context(socket))


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def door(table: FakeTable) -> Iterator[Door]:
    door = Door(table)
    yield door
    door.close()


def test_a_page_is_told_its_rank_and_only_a_local_one_the_network(door):
    door.network.invite(RED)
    local, phone = door.local().hear_state(), door.phone().hear_state()

    assert local["you"] == {"rank": "local", "side": None}
    assert local["network"]["addresses"] == [f"http://{THERE}/"]
    assert len(local["network"]["invited"][0]["code"]) == 6
    assert phone["you"] == {"rank": "spectator", "side": None}
    assert "network" not in phone


def test_no_code_is_ever_sent_to_another_machine(door):
    phone = door.phone()
    phone.hear_state()
    local = door.local()
    local.ask("invite", side="red")
    code = door.network.seen()["invited"][0]["code"]
    phone.ask("enter", code="000000" if code != "000000" else "111111")
    player = door.player("yellow")

    for heard in (phone.hear_state() if not phone.state else phone.state, player.hear_state()):
        assert code not in str(heard)


@pytest.mark.parametrize("do", [name for name in COMMANDS if name not in ("look", "enter", "return")])
def test_a_spectator_may_do_nothing_but_look(door, table, do):
    phone = door.phone()

    assert phone.ask(do, **SAMPLES.get(do, {})) == {
        "type": "refused",
        "do": do,
        "code": "only-watching",
        "text": WATCHING,
    }
    assert (table.commands, table.played) == ([], [])
    assert phone.ask("look", ply=0) == {"type": "look", "ply": 0}


@pytest.mark.parametrize(
    "do", [name for name in COMMANDS if name not in ("look", "enter", "return", "move", "claim", "invite", "put-out")]
)
def test_a_player_may_do_nothing_but_move(door, table, do):
    answer = door.player("red").ask(do, **SAMPLES.get(do, {}))

    assert answer["code"] == "not-for-players"
    assert answer["text"] == ("From this device you make the moves of your side. Everything else is done at the board.")
    assert (table.commands, table.played) == ([], [])


@pytest.mark.parametrize("do", ["invite", "put-out"])
def test_a_player_lets_nobody_in_and_puts_nobody_out(door, do):
    phone = door.player("red")

    assert phone.ask(do, **{**SAMPLES[do]})["code"] == "only-watching"
    assert len(door.network.seen()["players"]) == 1


def test_a_player_moves_and_claims_for_its_own_side_only(door, table):
    phone = door.player("red")

    assert phone.ask("move", move="d4") == {"type": "done", "do": "move"}
    assert phone.ask("claim") == {"type": "done", "do": "claim"}
    assert table.played == [("d4", RED), ("claim", RED)]


def test_a_player_is_told_its_side_and_the_board_who_plays(door):
    local = door.local()
    phone = door.player("red")

    while phone.hear_state()["you"] == {"rank": "spectator", "side": None}:
        pass
    assert phone.state["you"] == {"rank": "player", "side": "red"}
    while not local.hear_state()["network"]["players"]:
        pass
    assert local.state["network"]["players"][0]["address"] == "192.168.1.20"


def test_a_player_who_is_put_out_only_watches_and_its_token_is_worth_nothing(door, table):
    phone, local = door.phone(), door.local()
    local.ask("invite", side="red")
    token = phone.ask("enter", code=door.network.seen()["invited"][0]["code"])["token"]
    local.ask("put-out", id=1)

    assert phone.ask("move", move="d4")["code"] == "only-watching"
    assert phone.ask("return", token=token)["code"] == "not-admitted"
    assert phone.ask("move", move="d4")["code"] == "only-watching"
    assert table.played == []


def test_a_player_comes_back_with_its_token_on_another_connection(door, table):
    phone, local = door.phone(), door.local()
    local.ask("invite", side="red")
    token = phone.ask("enter", code=door.network.seen()["invited"][0]["code"])["token"]

    again = door.phone("192.168.1.99")
    assert again.ask("return", token=token) == {"type": "admitted", "token": token, "side": "red"}
    assert again.ask("move", move="d4")["type"] == "done"
    assert table.played == [("d4", RED)]


def test_codes_cannot_be_guessed_through_many_connections(door):
    local = door.local()
    local.ask("invite", side="red")
    right = door.network.seen()["invited"][0]["code"]
    wrong = "000000" if right != "000000" else "111111"
    answers = [door.phone(f"192.168.1.{number}").ask("enter", code=wrong)["code"] for number in range(20, 32)]

    assert answers == ["wrong-code"] * 10 + ["code-run-out"] * 2
    assert door.phone("192.168.1.50").ask("enter", code=right)["code"] == "code-run-out"
    assert local.ask("invite", side="red")["type"] == "done"


@pytest.mark.parametrize("code", ["12345", "1234567", "12 345", "abcdef", "１２３４５６", "12345\n", "", 123456])
def test_what_is_no_code_is_not_tried(door, code):
    door.network.invite(RED)

    assert door.phone().ask("enter", code=code)["code"] == "bad-message"


def test_a_local_page_may_move_without_a_finger_too(door, table):
    assert door.local().ask("move", move="d4") == {"type": "done", "do": "move"}
    assert [command.move for command in table.commands] == ["d4"]


def test_a_terminal_on_this_machine_is_told_apart_from_a_page(door, table):
    door.local().ask("take-back")
    door.local("?as=terminal").ask("take-back")

    assert table.commands == [TakeBack(), TakeBack()]
    assert table.sources == [Source.PAGE, Source.TERMINAL]


def test_a_phone_is_no_terminal_whatever_it_says(door, table):
    phone = door.phone(query="?as=terminal")

    assert phone.ask("take-back")["code"] == "only-watching"
    assert table.commands == []


def test_only_this_machine_gets_the_drawn_address(door):
    def get(address: str, host: str) -> int:
        client = TestClient(door._app, client=(address, 50000), base_url=f"http://{host}")
        return client.get("/qr.svg").status_code

    assert get("127.0.0.1", HERE) == 200
    assert get("192.168.1.20", THERE) == 404


def test_what_a_phone_sends_faster_than_fingers_waits_and_what_the_board_does_goes_on(door, table):
    phone, local = door.phone(), door.local()
    for _ in range(12):
        phone.socket.send_json({"do": "take-back"})

    assert local.ask("press", switch="column 4") == {"type": "done", "do": "press"}
    assert table.commands == [Press("column 4")]


def test_a_slow_page_is_told_only_the_newest(table):
    class SlowSocket:
        """Takes a message only when let; says so when one waits."""

        scope: ClassVar = {"type": "websocket", "client": ("127.0.0.1", 1), "headers": [(b"host", b"localhost")]}
        query_params: ClassVar[dict[str, str]] = {}
        application_state = WebSocketState.CONNECTED

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
        page: Any = SlowSocket()
        talking = asyncio.create_task(Talk(page, table, Fanout(table), Network(), Catalogue("en")).run())
        await page.waits.wait()
        for _ in range(1000):
            table.moves += 1
            table.tell("state")
            await asyncio.sleep(0)
        page.may_go_on.set()
        await talking
        return page.heard

    assert [message.get("moves") for message in asyncio.run(story())] == [0, None, 1000]
