"""Replays games and positions from files of test data and says how many the rules core agrees with.

Run as ``python tests/conformance.py FILE...``. Each file has one JSON object a line, either a whole game (`boards`,
`next`, `legal` after every move and the `result`) or a position (`legal` complete, `refuse`); the format is described
in ``tests/data/vectors/README.md``. Prints for each file how many records agreed, and the first difference. The exit
code is 0 if all agreed, 1 on a difference or if a file holds no records, 2 if a file cannot be read.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

if importlib.util.find_spec("popout") is None:  # not installed: take the sources that this file stands beside
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "controller"))

from popout.rules import (
    RED,
    YELLOW,
    Game,
    IllegalMove,
    Message,
    NotationError,
    Phase,
    PopoutError,
    Position,
    RuleSet,
    Side,
    parse_turn,
    set_up,
)

PLAYERS = {1: RED, 2: YELLOW}

Kinds = dict[str, type | tuple[type, ...]]

OF_EVERY_RECORD: Kinds = {"variant": str, "cols": int, "rows": int, "connect": int, "opts": dict, "moves": list}
OF_A_GAME: Kinds = {"boards": list, "next": list, "legal": list, "start": str, "result": (dict, type(None))}
OF_A_POSITION: Kinds = {"board": str, "next": int, "legal": list, "refuse": list}


class Difference(Exception):
    """The rules core and a record do not agree."""


class UnreadableRecord(ValueError):
    """A line is not a record at all."""


def rules_of(record: dict[str, Any]) -> RuleSet:
    """The rule set that a record is played by; degenerate line lengths are allowed, as the data has some.

    :raises Difference: the rules core does not know the game or one of its options.
    """
    options = {}
    game = record["variant"]
    if "sides" in record["opts"] and "five" not in game:
        game += "+five"  # so the data writes filled outer columns in another game
    for name, value in record["opts"].items():
        if name == "sides":
            options["flanks"] = value.replace("X", "R").replace("O", "Y")
        else:
            options[{"power": "powers"}.get(name, name)] = value
    try:
        return RuleSet(
            game,
            columns=record["cols"],
            rows=record["rows"],
            connect=record["connect"],
            allow_unwinnable=True,
            **options,
        )
    except (PopoutError, TypeError) as error:  # a name that RuleSet has no field for is a TypeError
        raise Difference(f"rules: {error}") from None


def turns_of(game: Game) -> list[str]:
    """Every legal turn as the data writes it: a power disc and the step that follows it are one word."""
    turns = []
    for move in game.legal_moves:
        after = game.play(move)
        if after.outcome is None and after.position.phase.follows and after.position.phase is not Phase.PUT:
            turns += [f"{move}{second}" for second in after.legal_moves]
        else:
            turns.append(str(move))
    return turns


def check_game(record: dict[str, Any]) -> None:
    """Replay a game move by move.

    :raises Difference: at the first thing that differs.
    """
    game = _start(record)
    steps = zip(record["moves"], record["boards"], record["next"], record["legal"], strict=True)
    for number, (text, board, following, legal) in enumerate(steps, 1):
        where = f"move {number} ({text})"
        _same(where, "legal moves before it", len(turns_of(game)), legal)
        game = _play(game, text, where)
        _same(where, "board after it", "/".join(game.position.grid), board)
        _same(where, "player to move after it", _player(game.turn), following)
        if "kept" in record:
            kept = [game.position.kept(side) for side in (RED, YELLOW)]
            _same(where, "discs kept after it", kept, record["kept"][number - 1])
    _same("end", "result", _result(game), record["result"])


def check_position(record: dict[str, Any]) -> None:
    """Play to a position and compare its legal moves and refusals.

    :raises Difference: at the first thing that differs.
    """
    game = _start(record)
    for number, text in enumerate(record["moves"], 1):
        game = _play(game, text, f"move {number} ({text})")
    _same("position", "board", "/".join(game.position.grid), record["board"])
    _same("position", "player to move", _player(game.turn), record["next"])
    _same("position", "legal moves", sorted(turns_of(game)), sorted(record["legal"]))
    _same("position", "phase", game.position.phase.value, record.get("phase", "play"))
    for text in record["refuse"]:
        try:
            _play_turn(game, text)
        except (IllegalMove, NotationError):
            continue
        raise Difference(f"position: {text} must be refused, but was played")


def check_file(path: Path, games: Iterable[str] | None = None) -> tuple[int, int, str]:
    """Check every record of a file, or only those whose variant is one of `games`.

    :returns: how many agreed, how many there were, and the first difference ("" if none).
    :raises OSError: the file cannot be opened. :raises ValueError: it is no text, or a line of it is no record.
    """
    agreed = seen = 0
    first = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            continue
        record = _record(line, number)
        if games is not None and record["variant"] not in games:
            continue
        seen += 1
        try:
            (check_game if "boards" in record else check_position)(record)
            agreed += 1
        except Difference as error:
            first = first or f"line {number}{_named(record)}: {error}"
    return agreed, seen, first


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Compare the rules core with recorded test data.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--games", help="check only these, separated by commas, such as standard,popout")
    options = parser.parse_args(arguments)
    games = options.games.split(",") if options.games else None
    code = 0
    for path in options.files:
        try:
            agreed, seen, first = check_file(path, games)
        except (OSError, ValueError) as error:
            print(f"{path}: cannot be read: {error}", file=sys.stderr)
            return 2
        print(f"{path}: {agreed} of {seen} records agreed")
        if first:
            print(f"{path}: first difference: {first}")
        if agreed != seen or not seen:
            code = 1
    return code


def _record(line: str, number: int) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise UnreadableRecord(f"line {number}: {error}") from None
    if not isinstance(record, dict):
        raise UnreadableRecord(f"line {number}: a record is a JSON object")
    for name, kind in (OF_EVERY_RECORD | (OF_A_GAME if "boards" in record else OF_A_POSITION)).items():
        if name not in record or not isinstance(record[name], kind):
            raise UnreadableRecord(f'line {number}: "{name}" is missing or of the wrong kind')
    if "boards" in record and len({len(record[name]) for name in ("moves", "boards", "next", "legal")}) > 1:
        raise UnreadableRecord(f'line {number}: "moves", "boards", "next" and "legal" are not of one length')
    return record


def _start(record: dict[str, Any]) -> Game:
    rules = rules_of(record)
    start = record.get("start", "")
    if start in ("", "/".join(Position.start(rules).grid)):
        return Game.start(rules)
    try:
        return Game.from_position(set_up(rules, tuple(start.split("/")), RED))
    except PopoutError as error:
        raise Difference(f"start: {error}") from None


def _play(game: Game, text: str, where: str) -> Game:
    try:
        return _play_turn(game, text)
    except PopoutError as error:
        raise Difference(f"{where}: refused: {error}") from None


def _play_turn(game: Game, text: str) -> Game:
    """Play a whole turn; one word that ends in the middle of one is no turn."""
    for move in parse_turn(text):
        game = game.play(move)
    if game.position.phase in (Phase.BOMB, Phase.WALL, Phase.DOUBLE):
        raise IllegalMove(Message("The turn is not over."))
    return game


def _player(side: Side | None) -> int:
    return next((number for number, each in PLAYERS.items() if each is side), 0)


def _result(game: Game) -> dict[str, Any] | None:
    outcome = game.outcome
    if outcome is None:
        return None
    cells = {
        f"cells{number}": sorted({cell for line in game.position.lines(side) for cell in line})
        for number, side in PLAYERS.items()
    }
    return {
        "winner": _player(outcome.winner),
        "reason": outcome.termination.value,
        **{name: [list(cell) for cell in found] for name, found in cells.items()},
    }


def _same(where: str, what: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise Difference(f"{where}: {what}: {ours!r} here, {theirs!r} in the record")


def _named(record: dict[str, Any]) -> str:
    return f' "{record["name"]}"' if "name" in record else ""


if __name__ == "__main__":
    sys.exit(main())
