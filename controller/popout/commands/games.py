"""`popout games`: the games that were played here, listed, told, and taken out of the record and into it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from time import time
from typing import Any

import click

from popout.commands.console import STANDARD_INPUT, Console, FileUnreadable, language_option, read_text, write_text
from popout.commands.records import (
    command_line,
    open_archive,
    record_option,
    record_to_read,
    record_to_write,
    say_that_there_is_none,
)
from popout.record.archive import Archive, Summary
from popout.record.errors import GameUnreadable, NoSuchGame
from popout.record.exchange import NotImported, Written, as_object, as_text, read_games
from popout.record.journal import Kind, apply
from popout.record.store import Store
from popout.rules import RED, YELLOW, Game, Message, PopoutError
from popout.views import words
from popout.views.archive_words import (
    entry_words,
    game_title,
    length,
    result,
    source_words,
    summary_object,
    when,
)
from popout.views.drawing import draw_game
from popout.views.tables import table

_LAST = 20


class NothingImported(PopoutError, ValueError):
    """A file with a game that is not right. The record is as it was."""

    code = "nothing-imported"


@click.group(
    short_help="List, show, export and import the games played here.",
    invoke_without_command=True,
)
@click.option("--last", type=click.IntRange(1), metavar="N", help=f"List the last N games. [default: {_LAST}]")
@click.option("--all", "everything", is_flag=True, help="List all games.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with all games, for programs.")
@record_option
@language_option
@click.pass_context
def games(context: click.Context, last: int | None, everything: bool, as_json: bool) -> None:
    """List the games that were played here, the newest last.

    Each has a number by which "popout games show" and "popout games export" know it. The games can be read while
    somebody plays. Without a record of your own, that of this computer's service is read.

    With --json the object has "record" (the file) and "games", the newest first. Each has "number", "began",
    "started" (the first move), "ended" (all in seconds since 1970), "seconds" (from the first move to the end),
    "rules", "moves", "result", "names", "imported" and "current" (whether it goes on at the board). What is not known
    is null.
    """
    if context.invoked_subcommand:
        return
    console = Console()
    archive = open_archive()
    if archive is None:
        if as_json:
            _print_json(console, [])
        else:
            say_that_there_is_none(console)
        return
    with archive:
        found = archive.games(last if last or everything or as_json else _LAST + 1)
    if as_json:
        _print_json(console, found)
    elif not found:
        say_that_there_is_none(console)
    else:
        _print_list(console, found, short=not last and not everything)


@games.command(short_help="Tell a game, move by move.")
@click.argument("number", type=click.IntRange(1))
@record_option
@language_option
def show(number: int) -> None:
    """Tell game NUMBER move by move: when each was made, where, and what it did; then the board as it stands."""
    console = Console()
    with _archive_with(number) as archive:
        summary, steps = archive.summary(number), archive.steps(number)
        archive.game(number)  # refuses what cannot be played
    console.say(
        Message(
            "Game {number}: {title}, began {when}",
            number=number,
            title=game_title(summary.rules),
            when=when(summary.began),
        )
    )
    if summary.names:
        console.write(_players(summary), *(summary.names[name] for name in ("event", "place") if name in summary.names))
    console.write(summary.rules, "")
    game: Game | None = None
    settled = 0
    rows = []
    for step in steps:
        after = apply(game, step.entry)
        move = step.entry.kind is Kind.MOVE
        if game and step.entry.kind is Kind.CORRECTION:
            settled += len(game.moves)  # they stay, and the moves after it are counted on
        source = source_words(step.source)
        rows.append(
            (
                str(settled + len(after.moves)) if move else "",
                when(step.at, "%H:%M:%S"),
                console.catalogue.text(source) if source else "",
                step.entry.text if move else "",
                console.catalogue.text(entry_words(step.entry, game, after)),
            )
        )
        game = after
    assert game is not None, "its journal has been read"
    console.write(*table(rows, (True, False, False, False, False)), "", *draw_game(game, console.style))
    console.say(words.verdict(game), *words.lines_of(game))


@games.command(short_help="Write games as text or as JSON.")
@click.argument("numbers", metavar="[NUMBER]...", type=click.IntRange(1), nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Write all games.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON, an object a game, with every step.")
@click.option("--output", "-o", metavar="FILE", help="Write into this file, which must not be there yet.")
@record_option
@language_option
def export(numbers: tuple[int, ...], everything: bool, as_json: bool, output: str | None) -> None:
    """Write games as text, which people and "popout check" read, or as JSON.

    "popout games import" takes over both. The text tells a game as it stands, without what was taken back. JSON tells
    all: "rules", "began", "names", "result" and "steps", each with "kind" (new, move, take-back, draw, resign,
    correction or opponent), "text", "at" (in seconds since 1970) and "source" (board, page, terminal, opponent or
    null).

    Exit code: 0, or 1 if a game can no longer be read; it is named and left out.
    """
    if everything == bool(numbers):
        raise click.UsageError("Name the games by their numbers, or all of them with --all.")
    console = Console()
    archive = open_archive() if everything else _archive_with(numbers[0])
    texts, failed = [], False
    if archive:
        with archive:
            for number in [each.number for each in reversed(archive.games())] if everything else numbers:
                try:
                    texts.append(_exported(archive, number, as_json, console))
                except GameUnreadable as error:
                    console.complain(error.message)
                    failed = True
    if output:
        write_text(output, "".join(texts), replace=False)
        console.say(
            Message("One game is in {path}.", plural="{count} games are in {path}.", count=len(texts), path=output)
        )
    else:
        console.write(*(text.removesuffix("\n") for text in texts))
    raise click.exceptions.Exit(int(failed))


@games.command(name="import", short_help="Take over games from a file.")
@click.argument("file", metavar="FILE")
@record_option
@language_option
def import_command(file: str) -> None:
    """Take over the games of FILE, as "popout games export" or a person wrote them; "-" is standard input.

    Every move is judged. If one game is not right nothing is imported. The game that goes on at the board stays the
    one that goes on.
    """
    console = Console()
    name = "stdin" if file == STANDARD_INPUT else file
    try:
        found = list(read_games(read_text(file), time()))
    except FileUnreadable as error:
        raise FileUnreadable(Message("{place}: {verdict}", place=name, verdict=error.message)) from None
    right = [each for each in found if isinstance(each, Written)]
    for each in found:
        if isinstance(each, NotImported):
            place = f"{name}:{each.line}:{each.column}" if each.column else f"{name}:{each.line}"
            console.complain(
                Message("{place}: Game {number}. {verdict}", place=place, number=each.game, verdict=each.message)
            )
    if len(right) < len(found):
        raise NothingImported(
            Message(
                "Nothing was imported, since not every game is right. Put right what is named here, or take it out."
            )
        )
    if not right:
        raise NothingImported(Message("There is no game in {file}, and nothing was imported.", file=name))
    path = record_to_write()
    with Store(path) as store:
        if store.recovered:
            console.complain(store.recovered)
        numbers = store.add(right)
    console.say(
        Message(
            "One game was imported into {path}, as game {first}.",
            plural="{count} games were imported into {path}, as games {first} to {last}.",
            count=len(numbers),
            path=str(path),
            first=numbers[0],
            last=numbers[-1],
        )
    )


def _archive_with(number: int) -> Archive:
    """The record, of which game `number` is wanted.

    :raises NoSuchGame: there is no record yet, and no game in it.
    """
    archive = open_archive()
    if archive is None:
        raise NoSuchGame(
            Message(
                "There is no game {number}: no game has been recorded yet in {path}.",
                number=number,
                path=str(record_to_read()),
            )
        )
    return archive


def _exported(archive: Archive, number: int, as_json: bool, console: Console) -> str:
    summary, game = archive.summary(number), archive.game(number)
    if as_json:
        steps = archive.steps(number)
        return json.dumps(as_object(game, summary.began, summary.names, steps)) + "\n"
    if len(game.moves) < summary.moves:
        console.complain(
            Message(
                "Game {number} was corrected: the text begins with the correction. With {option} it is whole.",
                number=number,
                option="--json",
            )
        )
    return as_text(game, summary.began, summary.names) + "\n"


def _print_json(console: Console, found: Sequence[Summary]) -> None:
    told: dict[str, Any] = {"record": str(record_to_read()), "games": [summary_object(each) for each in found]}
    console.write(json.dumps(told))


def _print_list(console: Console, found: Sequence[Summary], *, short: bool) -> None:
    shown = found[:_LAST] if short else found
    say = console.catalogue.text
    with_names = any(RED.value in each.names or YELLOW.value in each.names for each in shown)
    titles = [Message("No."), Message("Began"), Message("Game"), Message("Moves"), Message("Result"), Message("Time")]
    rows = [
        [
            str(each.number),
            when(each.began),
            say(game_title(each.rules)),
            str(each.moves),
            say(result(each)),
            length(each.seconds),
            *([_players(each)] if with_names else []),
        ]
        for each in reversed(shown)
    ]
    heading = [say(title) for title in titles] + ([say(Message("Red – yellow"))] if with_names else [])
    right = (True, False, False, True, False, True, False)[: len(heading)]
    console.write(*table([heading, *rows], right, console.style.width, give=len(heading) - 1 if with_names else 2))
    console.write("")
    if len(found) > len(shown):
        console.say(
            Message(
                'These are the last {count}. "{command}" lists all.', count=_LAST, command=command_line("games --all")
            )
        )
    console.say(
        Message("The record is {path}.", path=str(record_to_read())),
        Message(
            'Type "{show}" to see that game move by move, "{export}" to get it as a text.',
            show=command_line(f"games show {shown[0].number}"),
            export=command_line(f"games export {shown[0].number}"),
        ),
    )


def _players(game: Summary) -> str:
    return " – ".join(game.names.get(side.value) or "?" for side in (RED, YELLOW))
