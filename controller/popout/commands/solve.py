"""`popout solve`: what a position is worth if both sides do their best, and how the game goes on then."""

from __future__ import annotations

import json
from collections.abc import Mapping
from time import monotonic
from typing import Any, Final, NamedTuple

import click

from popout.commands.console import Console, language_option
from popout.commands.effort import (
    MIB,
    ProgressLine,
    check_memory,
    cores_option,
    ctrl_c,
    grouped,
    memory_option,
    usual_cores,
    usual_memory,
)
from popout.opponent.kernel.compiling import COMPILED
from popout.opponent.solver import Progress, Solver
from popout.opponent.verdicts import Verdict, Worth
from popout.rules import RED, YELLOW, Message, Move, Position, RuleSet, parse_move, parse_position, position_text
from popout.rules.messages import N_

PROVED, NOT_PROVED, INTERRUPTED = 0, 1, 130
LINE_S: Final = 60.0
"""How long the best line may take after the value is known."""

_WINS = N_(
    {
        RED: ("Red wins in {count} turn.", "Red wins in {count} turns."),
        YELLOW: ("Yellow wins in {count} turn.", "Yellow wins in {count} turns."),
    }
)


class _Answer(NamedTuple):
    position: Position
    verdict: Verdict
    line: list[Move]
    positions: int
    seconds: float
    interrupted: bool


@click.command(short_help="Find out what a position is worth.")
@click.argument("rules", metavar="[GAME [SIZE] [OPTION]...]", nargs=-1)
@click.option("--position", "text", metavar="POSITION", help='Begin there instead of at the start: "XO/X///// O".')
@click.option("--after", metavar="MOVES", help='Make these moves first: "d4 d4 p4".')
@click.option("--turns", metavar="COUNT", type=click.IntRange(1), help="Look no more than so many turns ahead.")
@click.option("--seconds", metavar="COUNT", type=click.FloatRange(0), help="End after so many seconds.")
@memory_option
@cores_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@language_option
def solve(
    rules: tuple[str, ...],
    text: str | None,
    after: str | None,
    turns: int | None,
    seconds: float | None,
    memory: int | None,
    cores: int | None,
    as_json: bool,
) -> None:
    """Find out what a position is worth if both sides do their best, in how many turns, and the best line.

    \b
        popout solve popout 7x6
        popout solve popout 5x4 --after "d3 d3 p3"
        popout solve standard --position "/XO/XOX/OXXO/OXO/X/ O"

    Without a GAME it is Pop Out on 7x6. Endless play is a draw. Ctrl+C ends it with what is known by then.

    Exit code: 0 if the value is proved, 1 if not, 130 after Ctrl+C.

    With --json the object has "rules", "position", "worth" for the side to move ("win", "draw", "loss" or "unknown"),
    "winner" ("red", "yellow" or null), "turns" until the end (null if unknown or a draw), "searched" (if the worth is
    unknown: neither side can force a win within so many turns), "line" (the best moves), "positions", "seconds",
    "memory" (in MiB, what was allowed) and "interrupted".
    """
    console = Console()
    chosen = RuleSet.parse(" ".join(rules) or "popout 7x6")
    position = parse_position(text, chosen) if text else Position.start(chosen)
    for word in (after or "").split():
        position = position.play(parse_move(word))
    allowed = memory * MIB if memory else usual_memory()
    solver = Solver(chosen, allowed, cores or usual_cores())
    if not as_json:
        _announce(console, solver, position)
    check_memory(solver.memory)
    answer = _work(console, solver, position, turns, seconds)
    if as_json:
        console.write(json.dumps(_for_programs(answer, solver)))
    else:
        _tell(console, answer)
    raise click.exceptions.Exit(
        INTERRUPTED if answer.interrupted else NOT_PROVED if answer.verdict.worth is Worth.UNKNOWN else PROVED
    )


def _announce(console: Console, solver: Solver, position: Position) -> None:
    console.write(solver.rules.short_text, position_text(position))
    console.say(Message("This takes up to {memory} MiB of memory.", memory=-(-solver.memory // MIB)))
    if not COMPILED:
        console.complain(
            Message(
                "numba is not installed, so this takes about a hundred times as long. To install it: {command}",
                command="pip install 'popout-board[engine]'",
            )
        )


def _work(console: Console, solver: Solver, position: Position, turns: int | None, seconds: float | None) -> _Answer:
    began = monotonic()
    bar = ProgressLine(console)

    def show(progress: Progress) -> None:
        bar.show(
            Message(
                "{turns} turns ahead, {positions} positions, {seconds} s",
                turns=progress.turns,
                positions=grouped(progress.positions),
                seconds=round(bar.seconds),
            ),
            progress.share,
        )

    try:
        with ctrl_c(solver.stop) as is_pressed:
            deadline = None if seconds is None else began + seconds
            verdict = solver.value(position, turns, deadline, show)
            line: list[Move] = []
            if verdict.worth is not Worth.UNKNOWN and not is_pressed():
                line = solver.line(position, deadline=deadline or monotonic() + LINE_S, progress=show)
            interrupted = is_pressed()
    finally:
        bar.clear()
    return _Answer(position, verdict, line, solver.positions, monotonic() - began, interrupted)


def _tell(console: Console, answer: _Answer) -> None:
    position, verdict = answer.position, answer.verdict
    if verdict.worth is Worth.UNKNOWN:
        console.say(
            Message("Within {count} turns neither side can force a win. More is not known.", count=verdict.searched)
            if verdict.searched
            else Message("Nothing is known yet.")
        )
    elif verdict.worth is Worth.DRAW:
        console.say(Message("A draw."))
    else:
        winner = position.turn if verdict.worth is Worth.WIN else position.turn.other
        one, many = _WINS[winner]
        console.say(Message(one, plural=many, count=verdict.plies))
    if answer.line:
        console.say(Message("Best line: {moves}", moves=" ".join(map(str, answer.line))))
    console.say(
        Message(
            "{positions} positions, {seconds} s", positions=grouped(answer.positions), seconds=f"{answer.seconds:.1f}"
        )
    )


def _for_programs(answer: _Answer, solver: Solver) -> Mapping[str, Any]:
    position, verdict = answer.position, answer.verdict
    winner = {Worth.WIN: position.turn, Worth.LOSS: position.turn.other}.get(verdict.worth)
    return {
        "rules": solver.rules.text,
        "position": position_text(position),
        "worth": verdict.worth.value,
        "winner": winner.value if winner else None,
        "turns": verdict.plies,
        "searched": verdict.searched,
        "line": list(map(str, answer.line)),
        "positions": answer.positions,
        "seconds": round(answer.seconds, 3),
        "memory": -(-solver.memory // MIB),
        "interrupted": answer.interrupted,
    }
