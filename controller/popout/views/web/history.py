"""The games of the record, for the page: their list, each of them, and figures of all.

The record is read in a thread, one question at a time, and only for a small part of the time, so that nobody who asks
can slow the board down; what was read is kept until the record changes.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from popout.record.archive import Archive
from popout.record.errors import NoSuchGame
from popout.record.exchange import as_text
from popout.record.journal import Kind
from popout.rules import Game, Message, PopoutError
from popout.views.web import past, steps
from popout.views.web.figures import figures, listed
from popout.views.web.peers import is_local
from popout.views.web.speaker import Speaker

ON_A_PAGE = 40
"""How many games are listed at once."""

MOST_REPLAYED = 1000
"""The moves of the longest game that is stepped through; a longer one is given as text only."""

REST = 4
"""Between two readings the record rests so many times as long as the first of them took."""

MOST_WAITING = 8
"""How many may wait for their turn; whoever comes then is told to come again."""

_KEPT = 32
"""How many answers are kept."""

Say = Callable[[Message], str]


class RecordBusy(PopoutError, ConnectionError):
    """Too many ask about the record at once."""

    code = "record-busy"


class Reader:
    """Reads a record while another thread or process writes it; `path` is its file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._free_at = 0.0
        self._kept: OrderedDict[tuple[object, ...], tuple[object, bytes]] = OrderedDict()

    async def read(
        self, question: tuple[object, ...], answer: Callable[[Archive], bytes], *, at_the_board: bool = False
    ) -> bytes:
        """The answer to a question, which names it, from the record or from memory.

        :param at_the_board: who asks there is never turned away for those who ask from elsewhere.

        :raises RecordBusy: too many wait already.
        :raises RecordError: the record cannot be read, or has no such thing.
        """
        known = self._known(question)
        if known is not None:
            return known
        if self._waiting >= MOST_WAITING and not at_the_board:
            raise RecordBusy(Message("Too many ask about the earlier games at once. Try again in a moment."))
        self._waiting += 1
        try:
            async with self._turn:
                known = self._known(question)
                return await self._ask(question, answer) if known is None else known
        finally:
            self._waiting -= 1

    async def _ask(self, question: tuple[object, ...], answer: Callable[[Archive], bytes]) -> bytes:
        now = asyncio.get_running_loop().time
        await asyncio.sleep(max(self._free_at - now(), 0))
        began, version = now(), self._version()
        try:
            found = await asyncio.to_thread(self._in_thread, answer)
        finally:
            self._free_at = now() + REST * (now() - began)
        self._kept[question] = version, found
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return found

    def _in_thread(self, answer: Callable[[Archive], bytes]) -> bytes:
        with Archive(self._path) as archive:
            return answer(archive)

    def _known(self, question: tuple[object, ...]) -> bytes | None:
        version, found = self._kept.get(question, (None, None))
        return found if version == self._version() else None

    def _version(self) -> object:
        """What changes whenever something is written into the record."""
        stamps: list[object] = []
        for path in (self._path, self._path.with_name(f"{self._path.name}-wal")):
            with suppress(OSError):
                found = path.stat()
                stamps.append((path.name, found.st_mtime_ns, found.st_size, found.st_ino))
        return tuple(stamps)


def routes(path: Path | None, speak: Speaker) -> list[Route]:
    """The routes to the games in the record at `path`; none for games that are kept in memory."""
    if path is None:
        return []
    reader = Reader(path)

    async def give(request: Request, kind: str, answer: Callable[[Archive, Say], Any], *asked: object) -> Response:
        catalogue = speak.to(request)
        headers = {"Cache-Control": "no-store", **speak.headers(catalogue)}
        text = kind.startswith("text")

        def encoded(archive: Archive) -> bytes:
            found = answer(archive, catalogue.text)
            return found.encode() if text else msgspec.json.encode(found)

        try:
            question = (kind, catalogue.language, request.url.path, *asked)
            found = await reader.read(question, encoded, at_the_board=is_local(request.scope))
        except PopoutError as error:
            status = 404 if isinstance(error, NoSuchGame) else 503
            return PlainTextResponse(catalogue.text(error.message) + "\n", status, headers)
        return Response(found, media_type=kind, headers=headers)

    async def games(request: Request) -> Response:
        before = _number(request.query_params.get("before", ""))
        return await give(request, _JSON, lambda archive, say: list_of(archive, before, say), before)

    async def game(request: Request) -> Response:
        number = _number(request.path_params["number"])
        return await give(request, _JSON, lambda archive, say: replay_of(archive, number or 0, say))

    async def text(request: Request) -> Response:
        number = _number(request.path_params["number"])
        return await give(request, "text/plain", lambda archive, _: text_of(archive, number or 0))

    async def statistics(request: Request) -> Response:
        return await give(request, _JSON, lambda archive, say: figures(archive.games()[::-1], say))

    return [
        Route("/games.json", games),
        Route("/games/{number}.json", game),
        Route("/games/{number}.txt", text),
        Route("/stats.json", statistics),
    ]


def list_of(archive: Archive, before: int | None, say: Say) -> dict[str, Any]:
    """The newest `ON_A_PAGE` games, or with `before` those of smaller numbers; ``more``: whether there are others."""
    newest = archive.games(ON_A_PAGE + 1)
    if before is not None and newest:
        # Numbers count up, so that these are enough.
        newest = [each for each in archive.games(newest[0].number - before + ON_A_PAGE + 2) if each.number < before]
    return {
        "games": [listed(each, say) for each in newest[:ON_A_PAGE]],
        "more": len(newest) > ON_A_PAGE,
    }


def replay_of(archive: Archive, number: int, say: Say) -> dict[str, Any]:
    """A game with the position after each of its moves; without moves and positions if it is too long for that.

    ``corrected`` says that its position was set anew, so that it does not begin with the first disc.

    :raises NoSuchGame: there is none of that number.
    """
    summary = archive.summary(number)
    game = archive.game(number)
    plies = range(len(game.moves) + 1) if len(game.moves) <= MOST_REPLAYED else ()
    return {
        **listed(summary, say),
        "rules": past.rules_of(game.rules, say),
        "corrected": any(step.entry.kind is Kind.CORRECTION for step in archive.steps(number)),
        "said": past.moves_of(game, say) if plies else [],
        "positions": [_position(game, ply) for ply in plies],
        "outcome": past.outcome_of(game, game.outcome, say),
    }


def text_of(archive: Archive, number: int) -> str:
    """A game as a record in text.

    :raises NoSuchGame: there is none of that number.
    """
    summary = archive.summary(number)
    return as_text(archive.game(number), summary.began, summary.names)


def _position(game: Game, ply: int) -> dict[str, Any]:
    return {
        "grid": list(game.positions[ply].grid),
        "last": past.last_move(game, ply),
        "signs": steps.signs(game, ply) if game.rules.power_discs else [],
    }


def _number(text: str) -> int | None:
    """A game's number; None if the text is none that a game can have."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _DIGITS else None


_JSON = "application/json"
_DIGITS = 15
