"""`popout check`: is every move of a recorded game legal, who won, and why."""

from __future__ import annotations

import json
from collections.abc import Iterable

import click

from popout.commands.console import STANDARD_INPUT, Console, FileUnreadable, language_option, read_text
from popout.rules import Message
from popout.views import words
from popout.views.verdicts import Verdict, as_object, cannot_read, exit_code, judge


@click.command(short_help="Judge recorded games.")
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@language_option
def check(files: tuple[str, ...], as_json: bool) -> None:
    """Judge recorded games: the first illegal move, or who won and why.

    Reads the FILEs, or standard input if there are none or a FILE is "-". A file holds any number of games, each
    beginning with its rules:

    \b
        rules: popout 7x6 connect=4
        moves: d4 d4 d3 p4
        result: unfinished

    Exit code: 0 if all moves are legal and the results right, 1 if not, 2 if something cannot be read.

    With --json the object has "ok" (true or false), "exit" (the exit code) and "games", a list of objects. Each has
    "file", "game" (its number in the file), "line" and "column" (where it begins or goes wrong, from 1), "ok", "code",
    "sentence", "ply" and "move" (the illegal move), "moves" (how many are legal), "turn", "winner", "termination",
    "lines" (of "red" and "yellow", each a list of cells [column, row]), "rules" and "tags" (names, date, place).
    What does not apply is null.
    """
    console = Console()
    verdicts: list[Verdict] = []
    for file in files or (STANDARD_INPUT,):
        for verdict in _judge_file(file):
            verdicts.append(verdict)
            if not as_json:
                _print(verdict, console)
    code = exit_code(verdicts)
    if as_json:
        games = ",\n".join(json.dumps(as_object(verdict, console.catalogue)) for verdict in verdicts)
        console.write(f'{{"ok": {json.dumps(code == 0)}, "exit": {code}, "games": [\n{games}\n]}}')
    elif sum(verdict.number is not None for verdict in verdicts) > 1:
        console.say(_summary(verdicts))
    raise click.exceptions.Exit(code)


def _judge_file(file: str) -> Iterable[Verdict]:
    name = "stdin" if file == STANDARD_INPUT else file
    try:
        text = read_text(file)
    except FileUnreadable as error:
        return [cannot_read(name, error)]
    return judge(name, text)


def _print(verdict: Verdict, console: Console) -> None:
    if verdict.unreadable:
        console.complain(verdict.sentence)
        return
    console.say(verdict.sentence)
    if verdict.ok and verdict.game:
        console.write(*("    " + console.catalogue.text(line) for line in words.lines_of(verdict.game)))


def _summary(verdicts: list[Verdict]) -> Message:
    return Message(
        "{right} of {count} game is right.",
        plural="{right} of {count} games are right.",
        count=sum(verdict.number is not None for verdict in verdicts),
        right=sum(verdict.ok for verdict in verdicts),
    )
