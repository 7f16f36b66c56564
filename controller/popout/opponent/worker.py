"""The process in which the opponent thinks, so that no light waits for it: ``python -m popout.opponent.worker``.

Questions come in as lines of JSON, answers go out as such. A game is told by its rules, the position that it began
with where that is not the usual one, and its moves, since nothing less tells all of a turn that is half made::

    {"id": 1, "do": "choose", "rules": "popout 7x6", "moves": "d4 d4", "level": 5, "player": "yellow", "seconds": 1.0}
    {"id": 2, "do": "analyse", "rules": "popout 7x6", "start": "XO/X///// O", "moves": "", "seconds": null}
    {"do": "stop", "id": 2}

A move is chosen with one answer; an analysis has any number of them, each better than the one before. Every question
ends with just one answer that has ``move``, ``done``, ``stopped`` or ``error``::

    {"id": 1, "move": "d3"}
    {"id": 2, "moves": {"d3": {"worth": "win", "plies": 5, "estimate": 1.0, "searched": 0}}, "best": {"worth": ...},
     "positions": 12000, "final": false}
    {"id": 2, "stopped": true}
    {"id": 3, "error": "KeyError: 11"}

Once it says ``{"id": null, "ready": true}`` no question waits for anything to be compiled. The end of the input ends
the process.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, Final, Protocol

from popout.opponent.verdicts import Analysis, Verdict
from popout.rules import Game, Move, Position, RuleSet, parse_move, parse_position, position_text

LESS_URGENT: Final = 10
"""How much nicer than the program with the lamps this process is, where the system knows that."""

Stop = Callable[[], bool]


class Engine(Protocol):
    """What thinks. It is asked from several threads, and asks `stop` often: once that is true, no answer is wanted."""

    def choose(self, position: Position, level: int, player: str, seconds: float | None, stop: Stop) -> Move:
        """The move that the `player`, who has this level, makes.

        :param player: whose moves these are, so that two at one table are not one.
        """
        ...

    def analyse(self, position: Position, seconds: float | None, stop: Stop) -> Iterator[Analysis]:
        """What the moves are worth, again and again and better known each time."""
        ...


def told(game: Game) -> dict[str, str]:
    """A game as it is told in a question."""
    start = game.positions[0]
    return {
        "rules": game.rules.text,
        **({} if start == Position.start(game.rules) else {"start": position_text(start)}),
        "moves": " ".join(map(str, game.moves)),
    }


def game_told(question: dict[str, Any]) -> Game:
    """The game of a question.

    :raises PopoutError: it cannot be read, or a move is illegal.
    """
    rules = RuleSet.parse(question["rules"])
    start = question.get("start")
    game = Game.start(rules) if start is None else Game.from_position(parse_position(start, rules))
    game, problem = game.play_all(map(parse_move, question["moves"].split()))
    if problem:
        raise problem
    return game


def written(analysis: Analysis) -> dict[str, Any]:
    """An analysis as it is answered."""
    return {
        "moves": {str(move): _plain(verdict) for move, verdict in analysis.moves.items()},
        "best": _plain(analysis.best),
        "positions": analysis.positions,
        "final": analysis.final,
    }


def serve(engine: Engine, lines: Iterable[str], write: Callable[[str], object]) -> None:
    """Answer the questions of `lines` until they end; each is thought about in a thread of its own.

    :param write: takes an answer, with the end of its line.
    """
    one_at_a_time = threading.Lock()
    stops: dict[int, threading.Event] = {}

    def answer(number: int | None, said: dict[str, Any]) -> None:
        with one_at_a_time, suppress(OSError, ValueError):  # nobody may be listening any more
            write(json.dumps({"id": number, **said}) + "\n")

    def think(question: dict[str, Any], number: int, stop: threading.Event) -> None:
        try:
            for said in _answers(engine, question, stop.is_set):
                if stop.is_set():
                    answer(number, {"stopped": True})
                    return
                answer(number, said)
        except Exception as error:
            answer(number, {"error": f"{type(error).__name__}: {error}"})
        finally:
            stops.pop(number, None)

    for line in lines:
        try:
            question = json.loads(line)
            number, what = question["id"], question["do"]
        except (ValueError, TypeError, KeyError):
            answer(None, {"error": f"no question: {line.strip()[:80]}"})
            continue
        if what == "stop":
            if number in stops:
                stops[number].set()
            continue
        stops[number] = stop = threading.Event()
        threading.Thread(target=think, args=(question, number, stop), daemon=True).start()
    for stop in list(stops.values()):
        stop.set()


def main() -> None:
    """Be the process: with the argument ``plain`` one in which nothing is compiled, else one that compiles first."""
    if sys.argv[1:] == ["plain"]:
        os.environ["POPOUT_ENGINE"] = "python"
        from popout.opponent.engine import Players

        run(Players())
    else:
        from popout.opponent.engine import Players, compile_all

        run(Players(), get_ready=compile_all)


def run(engine: Engine, get_ready: Callable[[], object] = lambda: None) -> None:
    """Answer on the standard streams with this engine, and end with them; say ``{"ready": true}`` after `get_ready`."""
    with suppress(AttributeError, OSError):
        os.nice(LESS_URGENT)
    # Ctrl+C at a terminal is meant for the program that asks here, and ends this one by closing its input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out = sys.stdout

    def write(line: str) -> None:
        out.write(line)
        out.flush()

    def be_ready() -> None:
        try:
            get_ready()
            write(json.dumps({"id": None, "ready": True}) + "\n")
        except Exception:
            os._exit(1)  # whoever has started it goes on without

    threading.Thread(target=be_ready, daemon=True).start()
    serve(engine, sys.stdin, write)
    # A thread that is deep in a search must not keep it alive.
    os._exit(0)


def _answers(engine: Engine, question: dict[str, Any], stop: Stop) -> Iterator[dict[str, Any]]:
    position, seconds = game_told(question).position, question.get("seconds")
    match question["do"]:
        case "choose":
            move = engine.choose(position, question["level"], question.get("player", ""), seconds, stop)
            yield {"move": str(move)}
        case "analyse":
            for analysis in engine.analyse(position, seconds, stop):
                yield written(analysis)
            yield {"done": True}
        case other:
            yield {"error": f"nobody knows how to {other}"}


def _plain(verdict: Verdict) -> dict[str, Any]:
    return {**verdict._asdict(), "worth": verdict.worth.value}


if __name__ == "__main__":
    main()
