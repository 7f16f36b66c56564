"""One page's connection: who it is, what it may do, what it is told, and the answers to what it asks.

A page of this machine does everything. Any other one watches, until it has typed a code of the board; then it makes
the moves of its side, by `Move` and never with a finger on a switch, so that whatever becomes of it, nothing is held.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from popout.locale import Catalogue
from popout.record.journal import Source
from popout.rules import Message, PopoutError, Side
from popout.views.web.commands import (
    BadMessage,
    Claim,
    Command,
    Enter,
    Entrance,
    Invite,
    Look,
    Move,
    Press,
    PutOut,
    Release,
    Return,
    Withdraw,
    name_of,
    read_command,
)
from popout.views.web.fanout import Fanout
from popout.views.web.network import Network
from popout.views.web.peers import client_of, is_local
from popout.views.web.speaker import Say
from popout.views.web.traffic import Bucket

COMMANDS_A_SECOND, COMMANDS_AT_ONCE = 5.0, 10.0
"""How many commands of another machine are read; what comes sooner waits in its own network."""


class OnlyWatching(PopoutError, PermissionError):
    """A spectator may only look."""

    code = "only-watching"


class NotForPlayers(PopoutError, PermissionError):
    """A player on the network may only move."""

    code = "not-for-players"


class Obeying(Protocol):
    """What a page can do at a table; `popout.views.web.state.TableView` gives it."""

    def answer(self, command: Command, say: Say) -> Mapping[str, Any] | None:
        """The answer to a command that only asks; None for one that does something.

        :raises PopoutError: there is no answer; the message says why.
        """
        ...

    async def command(self, command: Command, source: Source = Source.PAGE) -> None:
        """Do what a page asks.

        :raises PopoutError: refused; the message says why.
        """
        ...

    async def move(self, text: str, source: Source = Source.PAGE, side: Side | None = None) -> None:
        """Make a move, only of that side if one is given.

        :raises PopoutError: refused; the message says why.
        """
        ...

    def withdraw(self, switch: str) -> None:
        """Take a finger off a switch without anything coming of it."""
        ...


@dataclass(frozen=True)
class Rank:
    """What a connection may do: ``local`` everything, ``player`` the moves of its side, ``spectator`` looking."""

    name: str
    side: Side | None = None


LOCAL, SPECTATOR = Rank("local"), Rank("spectator")


class Talk:
    """A page's connection, told every change, newest only; answers each command with done, or what it asked for, or
    refused."""

    def __init__(
        self, socket: WebSocket, table: Obeying, fanout: Fanout, network: Network, catalogue: Catalogue
    ) -> None:
        self._socket = socket
        self._table = table
        self._fanout = fanout
        self._network = network
        self._catalogue = catalogue
        self._local = is_local(socket.scope)
        as_terminal = self._local and socket.query_params.get("as") == "terminal"
        self._source = Source.TERMINAL if as_terminal else Source.PAGE
        self._player: int | None = None
        self._held: set[str] = set()
        self._news = asyncio.Event()
        self._sending = False
        self._has = {"state": (b"", b""), "lamps": (b"", b"")}

    @property
    def rank(self) -> Rank:
        """What it may do now."""
        if self._local:
            return LOCAL
        side = self._network.side_of(self._player)
        return Rank("player", side) if side else SPECTATOR

    async def run(self) -> None:
        """Talk until the page goes away."""
        await self._socket.accept()
        try:
            async with self._fanout.joined(self), asyncio.TaskGroup() as group:
                telling = group.create_task(self._tell())
                await self._listen()
                telling.cancel()
        finally:
            self._let_go()

    # What it is told

    @property
    def near(self) -> bool:
        """Whether it must be told at once: it is of somebody who plays."""
        return self.rank is not SPECTATOR

    def behind(self) -> bool:
        """Whether it waits for what is new, and does not have it. One that takes long is not waited for."""
        return not self._sending and any(self._newest(kind) != has for kind, has in self._has.items())

    def wake(self) -> None:
        """Let it take what is new."""
        self._news.set()

    async def _tell(self) -> None:
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                await self._news.wait()
                self._news.clear()
                self._sending = True
                for kind in self._has:
                    newest = self._newest(kind)
                    if newest != self._has[kind]:
                        self._has[kind] = newest
                        await self._send(_joined(*newest))
                self._sending = False
                if not self.near and self.behind():
                    self._fanout.call(self)

    def _newest(self, kind: str) -> tuple[bytes, bytes]:
        """What is the same for all who hear this language, and what is for this page alone."""
        if kind == "lamps":
            return self._fanout.lamps(), b""
        own = _you(self.rank)
        if self._local:
            own = own[:-1] + b',"network":' + msgspec.json.encode(self._network.seen()) + b"}"
        return self._fanout.state(self._catalogue), own

    # What it asks

    async def _listen(self) -> None:
        clock = asyncio.get_running_loop().time
        pace = Bucket(COMMANDS_A_SECOND, COMMANDS_AT_ONCE, clock())
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                if not self._local:
                    await asyncio.sleep(pace.take(clock()))
                    if self.rank is SPECTATOR:  # who plays is not to wait for those who watch
                        await self._fanout.turnstile.turn()
                answer = await self._answer(message.get("text"))
                await self._send(msgspec.json.encode(answer))

    async def _send(self, message: bytes) -> None:
        """Send a message, unless it was found out meanwhile that the page is gone.

        :raises WebSocketDisconnect: it is.
        """
        if self._socket.application_state is not WebSocketState.CONNECTED:
            raise WebSocketDisconnect
        await self._socket.send_text(message.decode())

    async def _answer(self, text: str | None) -> Mapping[str, Any]:
        name = None
        try:
            if text is None:
                raise BadMessage(Message("The message is not text. Send JSON as text."))
            command = read_command(text)
            name = name_of(command)
            if isinstance(command, Entrance):
                answer = self._enter(command)
            else:
                answer = await self._do(command)
        except PopoutError as refusal:
            return {"type": "refused", "do": name, "code": refusal.code, "text": self._catalogue.text(refusal.message)}
        return answer or {"type": "done", "do": name}

    async def _do(self, command: Command) -> Mapping[str, Any] | None:
        rank = self.rank
        if rank is not LOCAL and not isinstance(command, Look):
            move = _move_of(command)
            if rank is SPECTATOR:
                raise OnlyWatching(_ONLY_WATCHING)
            if move is None:
                raise NotForPlayers(
                    Message("From this device you make the moves of your side. Everything else is done at the board.")
                )
            await self._table.move(move, self._source, rank.side)
            return None
        answer = self._table.answer(command, self._catalogue.text)
        if answer is not None:
            return answer
        await self._table.command(command, self._source)
        if isinstance(command, Press):
            self._held.add(command.switch)
        elif isinstance(command, Release | Withdraw):
            self._held.discard(command.switch)
        return None

    def _enter(self, command: Entrance) -> Mapping[str, Any] | None:
        match command:
            case Enter(code):
                player = self._network.enter(client_of(self._socket.scope), code)
            case Return(token):
                player = self._network.again(token)
            case Invite() | PutOut() if not self._local:
                raise OnlyWatching(_ONLY_WATCHING)
            case Invite(side):
                self._network.invite(Side(side))
                return None
            case PutOut(number):
                self._network.put_out(number)
                return None
        self._player = player.number
        self._fanout.call(self)
        return {"type": "admitted", "token": player.token, "side": player.side.value}

    def _let_go(self) -> None:
        """A page that goes away holds nothing down any more, and makes no move by that."""
        for switch in sorted(self._held):
            self._table.withdraw(switch)


_ONLY_WATCHING = Message(
    "This device is only watching. To play, type the code that the board's page or terminal shows."
)


@cache
def _you(rank: Rank) -> bytes:
    """What a page is told of itself; made once, since it is looked at for every spectator in every round."""
    return msgspec.json.encode({"you": {"rank": rank.name, "side": rank.side.value if rank.side else None}})


def _move_of(command: Command) -> str | None:
    match command:
        case Move(text):
            return text
        case Claim():
            return "claim"
    return None


def _joined(everybodys: bytes, own: bytes) -> bytes:
    """One JSON object out of two that are not empty, the second of which may be missing."""
    return everybodys[:-1] + b"," + own[1:] if own else everybodys
