"""The link of a terminal to its board: in the same process as the table, or through the page's WebSocket.

What a terminal shows is what the messages say, and what it does is a command, as on a page::

    link = TableLink(TableView(table), catalogue.text)
    async for message in link.messages():
        ...
    answer = await link.ask({"do": "take-back"})
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any, Protocol
from urllib.parse import urlencode, urlsplit

from popout.record.journal import Source
from popout.rules import Message, PopoutError, Side
from popout.rules.messages import excerpt
from popout.views.web import commands
from popout.views.web.network import Network
from popout.views.web.state import TableView

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 5.0
OPEN_WITHIN_S = 5.0

Said = Mapping[str, Any]
"""A message of the board, or an answer to a command."""


class LinkLost(PopoutError, ConnectionError):
    """There is no connection to the board."""

    code = "link-lost"


class NoBoard(PopoutError, ConnectionError):
    """No board answers at an address."""

    code = "no-board"


class Link(Protocol):
    """What a terminal needs of its board.

    :ivar stops_board: whether the board stops with the terminal.
    """

    stops_board: bool

    def messages(self) -> AsyncIterator[Said]:
        """The ``state`` messages from now on, the newest first of all.

        A link that can be lost says ``offline`` with the seconds to its next try (``again``), and goes on by itself.
        """
        ...

    async def ask(self, command: Mapping[str, Any]) -> Said:
        """Give a command; the answer's ``type`` is ``done``, ``refused`` (with a ``text``) or what was asked for.

        :raises LinkLost: there is no connection; nothing was done, or it is not known what was.
        """
        ...

    def network(self) -> Said | None:
        """Where phones find the board and who plays on one (see `Network.seen`); None if it is not on the network."""
        ...

    async def close(self) -> None:
        """Take the fingers off the board, and end."""
        ...


class TableLink:
    """A link to a table in the same process."""

    stops_board = True

    def __init__(self, view: TableView, say: Callable[[Message], str], network: Network | None = None) -> None:
        """Link to what `view` shows, in the language of `say`; `network` knows which phones may play."""
        self._view = view
        self._say = say
        self._network = network or Network()
        self._held: set[str] = set()

    async def messages(self) -> AsyncIterator[Said]:
        """The state messages from now on."""
        async for kind in self._view.changes():
            if kind == "state":
                yield self._view.snapshot(self._say)

    async def ask(self, command: Mapping[str, Any]) -> Said:
        """Give a command, read as strictly as a page's."""
        name = str(command.get("do"))
        try:
            asked = commands.read_command(json.dumps(command))
            match asked:
                case commands.Invite(side):
                    self._network.invite(Side(side))
                case commands.PutOut(number):
                    self._network.put_out(number)
            if isinstance(asked, commands.Entrance):
                return {"type": "done", "do": name}
            answer = self._view.answer(asked, self._say)
            if answer is not None:
                return answer
            match asked:
                case commands.Press(switch):
                    self._held.add(switch)
                case commands.Release(switch) | commands.Withdraw(switch):
                    self._held.discard(switch)
            await self._view.command(asked, Source.TERMINAL)
        except PopoutError as refusal:
            return {"type": "refused", "do": name, "code": refusal.code, "text": self._say(refusal.message)}
        return {"type": "done", "do": name}

    def network(self) -> Said | None:
        """What the page's network is now."""
        return self._network.seen()

    async def close(self) -> None:
        """Take the fingers off the board; no move comes of that."""
        for switch in sorted(self._held):
            self._view.withdraw(switch)
        self._held.clear()


class SocketLink:
    """A link to a board that runs already, through its page's WebSocket.

    :param address: of the page, such as ``http://127.0.0.1:8407/``. :param language: in which the board is to speak.
    """

    stops_board = False

    def __init__(self, address: str, language: str) -> None:
        self.address = address
        self._uri = _socket_of(address, language)
        self._socket: Any = None
        self._answers: deque[asyncio.Future[Said]] = deque()
        self._known_network: Said | None = None

    async def connect(self) -> None:
        """Connect for the first time.

        :raises NoBoard: nothing answers there, something else does, or the board refuses.
        """
        self._socket = await self._open()

    async def messages(self) -> AsyncIterator[Said]:
        """The state messages, over as many connections as it takes."""
        from websockets.exceptions import ConnectionClosed

        pause = FIRST_PAUSE_S
        while True:
            if self._socket is not None:
                with suppress(ConnectionClosed):
                    async for text in self._socket:
                        message = _read(text)
                        if message.get("type") == "state":
                            pause = FIRST_PAUSE_S
                            self._known_network = message.get("network")
                            yield message
                        elif message.get("type") != "lamps" and self._answers:
                            self._answered(message)
            self._lose()
            yield {"type": "offline", "again": pause}
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)
            with suppress(NoBoard):
                self._socket = await self._open()

    async def ask(self, command: Mapping[str, Any]) -> Said:
        """Send a command and wait for its answer."""
        from websockets.exceptions import ConnectionClosed

        if self._socket is None:
            raise LinkLost(_NOT_NOW)
        answer: asyncio.Future[Said] = asyncio.get_running_loop().create_future()
        self._answers.append(answer)
        try:
            await self._socket.send(json.dumps(command))
        except ConnectionClosed:
            self._lose()
        return await answer

    def network(self) -> Said | None:
        """What the newest state says of it."""
        return self._known_network

    async def close(self) -> None:
        """End the connection; the board then takes the fingers off by itself."""
        socket = self._socket
        self._lose()
        if socket is not None:
            await socket.close()

    def _answered(self, message: Said) -> None:
        """The board answers in the order of the commands."""
        answer = self._answers.popleft()
        if not answer.done():
            answer.set_result(message)

    def _lose(self) -> None:
        self._socket = None
        while self._answers:
            answer = self._answers.popleft()
            if not answer.done():
                answer.set_exception(LinkLost(_NOT_NOW))

    async def _open(self) -> Any:
        from websockets.asyncio.client import connect
        from websockets.exceptions import InvalidStatus, WebSocketException

        try:
            return await connect(self._uri, open_timeout=OPEN_WITHIN_S, close_timeout=1, max_size=None, proxy=None)
        except InvalidStatus as error:
            said = (error.response.body or b"").decode(errors="replace").strip()
            if error.response.status_code == 403 and said:
                raise NoBoard(
                    Message("The board at {address} refuses: {why}", address=self.address, why=said)
                ) from None
            raise NoBoard(_not_a_board(self.address)) from None
        except WebSocketException:
            raise NoBoard(_not_a_board(self.address)) from None
        except (OSError, TimeoutError):
            raise NoBoard(
                Message(
                    "No board answers at {address}. Start one with “popout play”, or name the address that it printed.",
                    address=self.address,
                )
            ) from None


def page_address(port: int) -> str:
    """Where the page of a board on this machine is."""
    return f"http://127.0.0.1:{port}/"


def _socket_of(address: str, language: str) -> str:
    try:
        parts = urlsplit(address if "//" in address else f"http://{address}")
        sound = parts.scheme in ("http", "https", "ws", "wss") and parts.hostname and (parts.port or 80)
    except ValueError:
        sound = False
    if not sound:
        raise NoBoard(
            Message(
                "“{address}” is no address. Write one such as {example}.",
                address=excerpt(address),
                example="http://127.0.0.1:8407/",
            )
        )
    scheme = "wss" if parts.scheme in ("https", "wss") else "ws"
    return f"{scheme}://{parts.netloc}/ws?{urlencode({'as': 'terminal', 'lang': language})}"


def _read(text: str | bytes) -> Said:
    try:
        said = json.loads(text)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _not_a_board(address: str) -> Message:
    return Message(
        "Something answers at {address}, but it is no board of this kind. Name the address that the board printed.",
        address=address,
    )


OFFLINE = Message("The connection to the board is lost. It is tried again until it is back.")
_NOT_NOW = Message("Nothing was done, because there is no connection to the board. Wait a moment and try again.")
