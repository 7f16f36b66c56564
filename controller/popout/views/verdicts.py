"""What the referee says about recorded games: for each the first thing that is wrong, or how it ended and why.

Pure: texts in, verdicts out. The command `popout check` reads the files and prints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from popout.locale import Catalogue
from popout.rules import (
    RED,
    YELLOW,
    Game,
    Message,
    NotationError,
    PopoutError,
    Record,
    RecordFault,
    Side,
    parse_records,
    replay,
    why_ended,
)
from popout.rules.messages import N_
from popout.views import words

_BEGINNING = re.compile(r"\s*rules\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be said about one game of a file, or about a file that cannot be read.

    :ivar file: its name as it was given. :ivar number: which game of the file, from 1; None for a whole file.
    :ivar line: where the game begins, or where it goes wrong; 0 for a whole file.
    :ivar column: the letter in that line, from 1; 0 where only the line is meant.
    :ivar ok: whether all is legal and the result, if there is one, is right.
    :ivar code: how the game ended, ``goes-on``, the rule that was broken, ``wrong-result``, or why it cannot be read.
    :ivar unreadable: nothing can be said about the rules, since it cannot be read.
    :ivar game: the game, as far as its moves are legal; None if it cannot be read.
    :ivar move: the illegal move. :ivar ply: its number, from 1; 0 if there is none.
    :ivar tags: who played, where and when, as the record says.
    """

    file: str
    message: Message
    code: str
    number: int | None = None
    line: int = 0
    column: int = 0
    ok: bool = False
    unreadable: bool = False
    game: Game | None = None
    move: str | None = None
    ply: int = 0
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """Where, as ``file``, ``file:line`` or ``file:line:column``."""
        return ":".join([self.file, *(str(number) for number in (self.line, self.column) if number)])

    @property
    def sentence(self) -> Message:
        """The verdict with its place, for a person."""
        if self.number is None:
            return Message("{place}: {verdict}", place=self.place, verdict=self.message)
        return Message("{place}: Game {number}. {verdict}", place=self.place, number=self.number, verdict=self.message)


def judge(file: str, text: str) -> Iterator[Verdict]:
    """A verdict for each game of a text. A game that cannot be read does not stop those after it."""
    number = 0
    for first_line, part in _games(text):
        try:
            records = parse_records(part)
        except NotationError as error:
            number += 1
            line = first_line + error.line - 1
            yield Verdict(file, error.message, error.code, number, line, error.column, unreadable=True)
            continue
        for record in records:
            number += 1
            yield _judge_record(file, number, record, first_line - 1)
    if not number:
        yield Verdict(file, _NO_GAMES, "no-games", unreadable=True)


def cannot_read(file: str, error: PopoutError) -> Verdict:
    """The verdict on a file that cannot be read at all."""
    return Verdict(file, error.message, error.code, unreadable=True)


def exit_code(verdicts: list[Verdict]) -> int:
    """0 if all is right, 1 if a game is not, 2 if something cannot be read."""
    if any(verdict.unreadable for verdict in verdicts):
        return 2
    return 0 if all(verdict.ok for verdict in verdicts) else 1


def as_object(verdict: Verdict, catalogue: Catalogue) -> dict[str, Any]:
    """A verdict for a program. Every key is always there; null where there is nothing to say."""
    game = verdict.game
    outcome = game.outcome if game else None
    return {
        "file": verdict.file,
        "game": verdict.number,
        "line": verdict.line or None,
        "column": verdict.column or None,
        "ok": verdict.ok,
        "code": verdict.code,
        "sentence": catalogue.text(verdict.message),
        "ply": verdict.ply or None,
        "move": verdict.move,
        "moves": len(game.moves) if game else None,
        "turn": game.turn.value if game and game.turn else None,
        "winner": outcome.winner.value if outcome and outcome.winner else None,
        "termination": outcome.termination.value if outcome else None,
        "lines": {
            side.value: [[list(cell) for cell in line] for line in outcome.lines(side)] if outcome else []
            for side in Side
        },
        "rules": game.rules.text if game else None,
        "tags": dict(verdict.tags),
    }


def _games(text: str) -> Iterator[tuple[int, str]]:
    """The text of each game and the number of its first line; what stands before the first game is one of its own."""
    began, part = 1, ""
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(keepends=True), 1):
        if _BEGINNING.match(line):
            yield began, part
            began, part = number, ""
        part += line
    yield began, part


def _judge_record(file: str, number: int, record: Record, above: int) -> Verdict:
    try:
        game = replay(record)
    except RecordFault as fault:
        move = str(record.moves[fault.ply - 1].move) if fault.ply else None
        return Verdict(
            file,
            _illegal(fault, move) if move else fault.message,
            fault.reason,
            number,
            above + fault.line,
            fault.column,
            game=fault.game,
            move=move,
            ply=fault.ply,
            tags=record.tags,
        )
    code = game.outcome.termination.value if game.outcome else "goes-on"
    message, line = words.verdict(game), above + record.line
    return Verdict(file, message, code, number, line, ok=True, game=game, tags=record.tags)


def _illegal(fault: RecordFault, move: str) -> Message:
    ended = why_ended(fault.game)
    if ended:
        return Message(
            "Move {ply} ({move}) is illegal: the game was over after move {last}. {ending}",
            ply=fault.ply,
            move=move,
            last=fault.ply - 1,
            ending=ended.message,
        )
    return Message(_ILLEGAL[fault.game.position.turn], ply=fault.ply, move=move, why=fault.message)


_NO_GAMES = Message(
    'There is no game in this file. A game begins with its rules, for example "{example}".', example="rules: popout 7x6"
)
_ILLEGAL = N_(
    {
        RED: "Move {ply} ({move}) by red is illegal. {why}",
        YELLOW: "Move {ply} ({move}) by yellow is illegal. {why}",
    }
)
