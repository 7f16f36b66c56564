"""Games out of a record and into one: as text that people and `popout check` read, or as JSON with every step.

A text tells a game as it stands, without what was taken back. JSON tells all of its journal, one object a game::

    {"rules": "popout 7x6 ...", "began": 1790000000.0, "names": {"red": "Anna"}, "result": "unfinished",
     "steps": [{"kind": "new", "text": "popout 7x6 ...", "at": 1790000000.0, "source": "page"}]}

Times are seconds since 1970; a source that is not known is null.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Any, TypeGuard

from popout.record.journal import LATEST, Entry, Kind, Step, apply, entry_of
from popout.rules import Game, NotationError, Position, RecordFault, read_records, replay, result_text, write_record
from popout.rules.messages import Message, PopoutError, excerpt
from popout.rules.notation import TAGS

_LONGEST_TEXT = 4000
_LONGEST_NAME = 200
_FIRST_LETTERS = ("{", "[")


@dataclass(frozen=True, slots=True)
class Written:
    """A game as it stands in a file.

    :ivar began: in seconds since 1970; of a text the beginning of its date, or the time at which it was read.
    :ivar names: who played, where and when, by the names of `popout.rules.notation.TAGS`.
    """

    began: float
    steps: tuple[Step, ...]
    names: Mapping[str, str] = field(default_factory=dict)


class NotImported(PopoutError, ValueError):
    """A game in a file that cannot be taken over.

    :ivar game: its number in the file, from 1. :ivar line: where it goes wrong, from 1. :ivar column: the letter in
        that line, from 1; 0 where only the line is meant.
    """

    code = "not-imported"

    def __init__(self, message: Message, game: int, line: int, column: int = 0) -> None:
        super().__init__(message)
        self.game = game
        self.line = line
        self.column = column


def as_text(game: Game, began: float, names: Mapping[str, str]) -> str:
    """A game as it stands, with the day on which it began."""
    told = {name: names[name] for name in TAGS if name in names}
    if "date" not in told and 0 <= began < LATEST:
        told["date"] = f"{datetime.fromtimestamp(began):%Y-%m-%d}"
    return write_record(game, told)


def as_object(game: Game, began: float, names: Mapping[str, str], steps: Iterable[Step]) -> dict[str, Any]:
    """A game with all that happened in it, for a program, and for `read_games` to read again."""
    return {
        "rules": game.rules.text,
        "began": began,
        "names": dict(names),
        "result": result_text(game.outcome),
        "steps": [
            {
                "kind": step.entry.kind.value,
                "text": step.entry.text,
                "at": step.at,
                "source": step.source.value if step.source else None,
            }
            for step in steps
        ],
    }


def read_games(text: str, now: float) -> Iterator[Written | NotImported]:
    """Every game of a text or of JSON, as it was exported; in place of one that is not right comes the reason.

    :param now: the time, in seconds since 1970.
    """
    if text.removeprefix("\ufeff").lstrip().startswith(_FIRST_LETTERS):
        return _read_json(text.removeprefix("\ufeff"))
    return _read_text(text, now)


def _read_text(text: str, now: float) -> Iterator[Written | NotImported]:
    for number, record in enumerate(read_records(text), 1):
        if isinstance(record, NotationError):
            yield NotImported(record.message, number, record.line, record.column)
            continue
        try:
            game = replay(record)
        except RecordFault as fault:
            yield NotImported(fault.message, number, fault.line, fault.column)
            continue
        began = _beginning_of(record.tags.get("date", ""), now)
        names = {name: value[:_LONGEST_NAME] for name, value in record.tags.items()}
        yield Written(began, tuple(Step(entry, began) for entry in _journal_of(game)), names)


def _journal_of(game: Game) -> Iterator[Entry]:
    """The shortest journal that leads to a game."""
    yield Entry.new(game.rules)
    usual, start = Position.start(game.rules), game.positions[0]
    if start != usual:
        yield Entry.correction(usual, start)
    for move in game.moves:
        yield Entry.move(move)
    if game.agreed:
        winner = game.agreed.winner
        yield Entry.resign(winner.other) if winner else Entry(Kind.DRAW)


def _beginning_of(day: str, otherwise: float) -> float:
    try:
        began = datetime.combine(date.fromisoformat(day), time()).timestamp()
    except (ValueError, OverflowError, OSError):
        return otherwise
    return began if began >= 0 else otherwise


def _read_json(text: str) -> Iterator[Written | NotImported]:
    decoder = json.JSONDecoder()
    number, at = 0, _next_letter(text, 0)
    while at < len(text):
        line = text.count("\n", 0, at) + 1
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            message = Message("This is no JSON: {reason}.", reason=excerpt(error.msg))
            yield NotImported(message, number + 1, error.lineno, error.colno)
            return
        except (ValueError, RecursionError):
            yield NotImported(_NO_GAME, number + 1, line)
            return
        for each in value if isinstance(value, list) else [value]:
            number += 1
            try:
                yield _game_of(each)
            except PopoutError as error:
                yield NotImported(error.message, number, line)
        at = _next_letter(text, end)


def _next_letter(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


class _Wrong(PopoutError, ValueError):
    """An object that is no game."""


def _game_of(value: object) -> Written:
    if not isinstance(value, dict) or not isinstance(steps := value.get("steps"), list) or not steps:
        raise _Wrong(_NO_GAME)
    names = value.get("names", {})
    if not isinstance(names, dict) or any(
        name not in TAGS or not _is_text(said) or len(said) > _LONGEST_NAME for name, said in names.items()
    ):
        raise _Wrong(Message('Its "names" are wrong. It may have, as short texts: {known}.', known=", ".join(TAGS)))
    game: Game | None = None
    read = []
    for number, step in enumerate(steps, 1):
        game, entry = _after(game, step, number)
        read.append(entry)
    assert game is not None, "the first step begins it"
    result = value.get("result", result_text(game.outcome))
    if result != result_text(game.outcome):
        raise _Wrong(
            Message(
                'It ends with "{claimed}", but its steps lead to "{truth}".',
                claimed=excerpt(result),
                truth=result_text(game.outcome),
            )
        )
    began = value.get("began", read[0].at)
    if not _is_time(began):
        raise _Wrong(_NO_TIME)
    return Written(float(began), tuple(read), names)


def _after(game: Game | None, step: object, number: int) -> tuple[Game, Step]:
    """The game after a step, and the step as this program would have written it."""
    if not isinstance(step, dict):
        raise _Wrong(_NO_GAME)
    kind, text, at, source = (step.get(name) for name in ("kind", "text", "at", "source"))
    if not _is_text(kind) or not _is_text(text) or not (source is None or _is_text(source)):
        raise _Wrong(Message('Step {number} has no "kind" and "text".', number=number))
    if not _is_time(at):
        raise _Wrong(_NO_TIME)
    entry = entry_of(kind, text[:_LONGEST_TEXT], source, number)
    try:
        if (entry.kind is Kind.NEW) != (game is None):
            raise _Wrong(Message("A game begins with its rules, and only there."))
        after = apply(game, entry)
        if game and entry.kind is Kind.CORRECTION and entry != Entry.correction(game.position, after.position):
            raise _Wrong(Message("The position before the correction is not the one that its steps lead to."))
    except PopoutError as error:
        raise _Wrong(
            Message(
                'Step {number}, "{step}", cannot be right. {problem}',
                number=number,
                step=excerpt(f"{kind} {text}".rstrip()),
                problem=error.message,
            )
        ) from None
    if entry.kind is Kind.NEW:
        entry = Entry(Kind.NEW, after.rules.text, entry.source)
    elif entry.kind is Kind.DRAW:
        entry = Entry(Kind.DRAW, source=entry.source)
    return after, Step(entry, float(at))


def _is_text(value: Any) -> TypeGuard[str]:
    """Whether it is a text that can be written; JSON knows halves of letters, which nothing else does."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _is_time(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < LATEST


_NO_GAME = Message(
    'This is no game. It is an object with "steps", as "{command}" writes it.', command="popout games export --json"
)
_NO_TIME = Message("One of its times is none. They are seconds since 1970.")
