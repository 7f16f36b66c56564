"""Games as text: the notation of moves, and records that people can read, write and mail.

A record is lines of ``name: value`` and lines of moves. ``#`` begins a comment, but not in a line for people, such as
a name. A file may hold many records: each begins with its rules::

    rules: popout 7x6 connect=4
    red: Anna
    yellow: Bo
    moves: d4 d4 d3 p4
    result: yellow line

``start:`` gives a position that was set up, ``result:`` is ``red``, ``yellow``, ``draw`` or ``unfinished`` and the
reason's code. Moves may be numbered (``1. d4 d4 2. d3``) and spread over any number of lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from popout.rules.errors import NotationError, RuleSetError, SetupError
from popout.rules.explain import why_ended
from popout.rules.game import Game
from popout.rules.messages import Message, PopoutError, excerpt
from popout.rules.moves import Claim, Drop, Move, Pop, Power, PowerDisc
from popout.rules.outcome import Outcome, Termination
from popout.rules.position import Position
from popout.rules.ruleset import LONGEST_NUMBER, RuleSet
from popout.rules.setup import LINE_END, parse_position, position_text
from popout.rules.side import RED, YELLOW, Side

TAGS = ("red", "yellow", "date", "place", "event")
"""The lines of a record that only people read."""

MOVES_ON_A_LINE = 10

_Read = TypeVar("_Read")

_WORD = re.compile(r"\S+")
_NUMBER = re.compile(r"[0-9]+\.+")
_FIELD = re.compile(r"\s*([A-Za-z][A-Za-z0-9-]*)\s*:\s*")
_UNFINISHED = "unfinished"
_FIRST_LINE = "rules: popout 7x6"


_TWO_STEPS = re.compile(r"([bwx][0-9]+)([dp][0-9]+)")
_KINDS: Mapping[str, Callable[[int], Move]] = {
    "d": Drop,
    "p": Pop,
    **{disc.value: partial(Power, disc) for disc in PowerDisc},
}


@dataclass(frozen=True, slots=True)
class WrittenMove:
    """A move as it stands in a text: at `line` and `column`, both from 1."""

    move: Move
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it stands in a text; whether its moves are legal is for `replay` to say.

    :ivar line: where it begins. :ivar result: the winner (None: a draw) and the reason's code, as the record claims;
        None if it claims nothing, `unfinished` if it says so. :ivar result_line: where the result stands.
    """

    start: Position
    moves: tuple[WrittenMove, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    result: tuple[Side | None, Termination | None] | None = None
    unfinished: bool = False
    line: int = 1
    result_line: int = 0


class RecordFault(PopoutError, ValueError):
    """A record that can be read but is not right: an illegal move, or a result that the moves do not have.

    :ivar ply: the number of the move, from 1; 0 for a wrong result. :ivar game: the game up to there.
    :ivar reason: the code of the rule that was broken.
    """

    code = "record-fault"

    def __init__(self, message: Message, reason: str, game: Game, line: int, column: int, ply: int = 0) -> None:
        super().__init__(message)
        self.reason = reason
        self.game = game
        self.line = line
        self.column = column
        self.ply = ply


def parse_move(text: str, *, line: int = 1, column: int = 1) -> Move:
    """Read one move: ``d4`` drops in column 4, ``p4`` pops it, ``claim`` claims a draw; a lone ``4`` is ``d4``.

    ``a4``, ``b4``, ``w4`` and ``x4`` are the power discs anvil, bomb, wall and x2.

    :raises NotationError: it is none of these; says `line` and `column`.
    """
    word = text.lower()
    if word == "claim":
        return Claim()
    kind, number = (word[:1], word[1:]) if word[:1] in _KINDS else ("d", word)
    if not (number.isascii() and number.isdecimal() and len(number) <= LONGEST_NUMBER):
        raise NotationError(
            Message(
                '"{word}" is no move. Write d4 to drop a disc in column 4, or p4 to pop one out of it.',
                word=excerpt(text),
            ),
            line=line,
            column=column,
        )
    return _KINDS[kind](int(number))


def parse_turn(text: str, *, line: int = 1, column: int = 1) -> tuple[Move, ...]:
    """Read the steps of a turn that are written as one word, such as ``b4p2``; any single move is one step.

    :raises NotationError: it is neither; says `line` and `column`.
    """
    both = _TWO_STEPS.fullmatch(text.lower())
    if both is None:
        return (parse_move(text, line=line, column=column),)
    return parse_move(both[1], line=line, column=column), parse_move(both[2], line=line, column=column)


def parse_records(text: str) -> list[Record]:
    """Read every record of a text. An empty text has none.

    :raises NotationError: the text cannot be read; the first place where it cannot, by line and column.
    """
    records = []
    for each in read_records(text):
        if isinstance(each, NotationError):
            raise each
        records.append(each)
    return records


def read_records(text: str) -> Iterator[Record | NotationError]:
    """Read a text record by record.

    In place of a record that cannot be read comes the error, and reading goes on at the next line of rules.
    """
    draft: _Draft | None = None
    skipping = False
    for number, whole in enumerate(LINE_END.split(text.removeprefix("\ufeff")), 1):
        named = _FIELD.match(whole)
        name, place = (named[1].lower(), named.end()) if named else ("moves", 0)
        line = whole if name in TAGS else whole.partition("#")[0]
        if not line.strip() or (skipping and name != "rules"):
            continue
        try:
            if name == "rules":
                if draft:
                    yield draft.record()
                draft, skipping = None, False
                draft = _Draft(_placed(RuleSet.parse, line[place:].strip(), number, place + 1), number)
            elif draft is None:
                raise NotationError(
                    Message('A record begins with its rules, for example "{example}".', example=_FIRST_LINE),
                    line=number,
                )
            else:
                draft.add(name, line, number, place)
        except NotationError as error:
            yield error
            draft, skipping = None, True
    if draft:
        yield draft.record()


def replay(record: Record) -> Game:
    """Play the moves of a record and compare the result that it claims.

    :raises RecordFault: the first illegal move, or the wrong result.
    """
    game, problem = Game.from_position(record.start).play_all(written.move for written in record.moves)
    if problem is None:
        return _with_result(record, game)
    ply = len(game.moves) + 1
    written, message, ended = record.moves[ply - 1], problem.message, why_ended(game)
    if ended:
        message = Message("The game was over before this move. {ending}", ending=ended.message)
    raise RecordFault(message, problem.code, game, written.line, written.column, ply)


def write_record(game: Game, tags: Mapping[str, str] | None = None) -> str:
    """The record of a game, with all options of its rules; `parse_records` reads it.

    :raises NotationError: a tag is none of `TAGS`.
    """
    for name in tags or {}:
        if name not in TAGS:
            raise _no_such_line(name)
    lines = [f"rules: {game.rules.text}"]
    lines += [f"{name}: {' '.join(value.split())}".rstrip() for name, value in (tags or {}).items()]
    if game.positions[0] != Position.start(game.rules):
        lines.append(f"start: {position_text(game.positions[0])}")
    moves = [str(move) for move in game.moves]
    lines.append(f"moves: {' '.join(moves[:MOVES_ON_A_LINE])}".rstrip())
    lines += [
        "       " + " ".join(moves[at : at + MOVES_ON_A_LINE])
        for at in range(MOVES_ON_A_LINE, len(moves), MOVES_ON_A_LINE)
    ]
    lines.append(f"result: {result_text(game.outcome)}")
    return "\n".join(lines) + "\n"


def result_text(outcome: Outcome | None) -> str:
    """The result as a record writes it, such as ``red line`` or ``draw full``."""
    if outcome is None:
        return _UNFINISHED
    return f"{outcome.winner.value if outcome.winner else 'draw'} {outcome.termination.value}"


def _with_result(record: Record, game: Game) -> Game:
    if record.unfinished and game.outcome:
        ended = why_ended(game)
        raise _wrong_result(record, game, _UNFINISHED, ended.message if ended else None)
    if record.result is None:
        return game
    winner, termination = record.result
    if game.outcome is None and termination is Termination.AGREED and winner is None:
        return game.agree_draw()
    if game.outcome is None and termination is Termination.RESIGNED and winner is not None:
        return game.resign(winner.other)
    outcome = game.outcome
    if outcome and outcome.winner is winner and termination in (None, outcome.termination):
        return game
    claimed = " ".join([winner.value if winner else "draw", *([termination.value] if termination else [])])
    ended = why_ended(game)
    raise _wrong_result(record, game, claimed, ended.message if ended else None)


def _wrong_result(record: Record, game: Game, claimed: str, truth: Message | None) -> RecordFault:
    message = (
        Message('The record ends with "{claimed}", which is wrong. {truth}', claimed=claimed, truth=truth)
        if truth
        else Message(
            'The record ends with "{claimed}", which is wrong. The game goes on after these moves.',
            claimed=claimed,
        )
    )
    return RecordFault(message, "wrong-result", game, record.result_line, 1)


@dataclass(slots=True)
class _Draft:
    """A record while it is being read."""

    rules: RuleSet
    line: int
    start: Position | None = None
    moves: list[WrittenMove] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)
    result: tuple[Side | None, Termination | None] | None = None
    result_line: int = 0

    def record(self) -> Record:
        return Record(
            self.start or Position.start(self.rules),
            tuple(self.moves),
            self.tags,
            self.result,
            bool(self.result_line) and self.result is None,
            self.line,
            self.result_line,
        )

    def add(self, name: str, text: str, line: int, place: int) -> None:
        """Read a line called `name`; its value is `text` from letter `place` (counted from 0) on."""
        value = text[place:].strip()
        if name == "moves":
            self._add_moves(text, line, place)
        elif name == "start":
            self._add_start(value, line, place + 1)
        elif name == "result":
            self._add_result(value, line, place + 1)
        elif name in TAGS:
            if name in self.tags:
                raise _said_twice(name, line)
            self.tags[name] = value
        else:
            raise _no_such_line(name, line)

    def _add_start(self, value: str, line: int, column: int) -> None:
        if self.moves:
            raise NotationError(Message("The start stands after a move. Write it before the moves."), line=line)
        if self.start:
            raise _said_twice("start", line)
        self.start = _placed(lambda text: parse_position(text, self.rules), value, line, column)

    def _add_moves(self, text: str, line: int, place: int) -> None:
        for found in _WORD.finditer(text, place):
            word, column = found[0], found.start() + 1
            if _NUMBER.fullmatch(word):
                continue
            if self.result_line:
                raise NotationError(
                    Message(
                        'A move stands after the result. Begin a new game with a line such as "{example}".',
                        example=_FIRST_LINE,
                    ),
                    line=line,
                    column=column,
                )
            if numbered := _NUMBER.match(word):
                word, column = word[numbered.end() :], column + numbered.end()
            self.moves += [WrittenMove(move, line, column) for move in parse_turn(word, line=line, column=column)]

    def _add_result(self, value: str, line: int, column: int) -> None:
        if self.result_line:
            raise _said_twice("result", line)
        self.result_line = line
        words = value.lower().split()
        if words == [_UNFINISHED]:
            return
        winners: dict[str, Side | None] = {"red": RED, "yellow": YELLOW, "draw": None}
        reasons = {each.value: each for each in Termination}
        if not 1 <= len(words) <= 2 or words[0] not in winners or (len(words) == 2 and words[1] not in reasons):
            raise NotationError(
                Message(
                    '"{value}" is no result. Write red, yellow, draw or unfinished. '
                    "After one of the first three you may write why: {known}.",
                    value=excerpt(value),
                    known=", ".join(reasons),
                ),
                line=line,
                column=column,
            )
        self.result = (winners[words[0]], reasons[words[1]] if len(words) == 2 else None)


def _no_such_line(name: str, line: int = 1) -> NotationError:
    return NotationError(
        Message(
            'A record has no line "{name}". It may have: {known}.',
            name=excerpt(name),
            known=", ".join(("rules", "start", "moves", "result", *TAGS)),
        ),
        line=line,
    )


def _said_twice(name: str, line: int) -> NotationError:
    return NotationError(
        Message('This record has two lines "{name}". Leave one of the two out.', name=name),
        line=line,
    )


def _placed(read: Callable[[str], _Read], value: str, line: int, column: int) -> _Read:
    """Read `value`, and let an error say where in the text it stands."""
    try:
        return read(value)
    except NotationError as error:
        place = column + error.column - 1
        raise NotationError(error.message, line=line, column=place, reason=error.reason) from None
    except (RuleSetError, SetupError) as error:
        raise NotationError(error.message, line=line, column=column, reason=error.code) from None
