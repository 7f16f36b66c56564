"""`popout stats`: who won how often, and how long games took."""

from __future__ import annotations

import json
import sys

import click

from popout.commands.console import Console, can_show, language_option
from popout.commands.records import open_archive, record_option, record_to_read, say_that_there_is_none
from popout.record.statistics import Results, Statistics, statistics_of
from popout.rules import Message
from popout.views.archive_words import kind_title, length, statistics_object
from popout.views.tables import table, text_width

_WEEKS = 26
_LONGEST_BAR = 40
_BLOCK = "█"


@click.command(short_help="Tell who won how often, and how long games took.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@record_option
@language_option
def stats(as_json: bool) -> None:
    """Tell who won how often, and how long games took.

    A game's time is from its first move to its end. Games without an end count as unfinished; the one that goes on at
    the board is among them. One that was begun and never played counts nowhere.

    With --json the object has "record" (the file), "total" and "kinds" (by the game's name; each with "games", "red",
    "yellow", "drawn", "unfinished", "starter" and "follower", who won that had the first move or not), "seconds" and
    "moves" (each with "count", "shortest", "median" and "longest", or null), "days" and "weeks" (pairs of a date and
    the games that began then).
    """
    console = Console()
    archive = open_archive()
    if archive is None:
        statistics = statistics_of([])
    else:
        with archive:
            statistics = archive.statistics()
    if as_json:
        console.write(json.dumps({"record": str(record_to_read()), **statistics_object(statistics)}))
    elif not statistics.total.games:
        say_that_there_is_none(console)
    else:
        _print(console, statistics)


def _print(console: Console, statistics: Statistics) -> None:
    say = console.catalogue.text
    titles = (
        *(Message("Game"), Message("Played"), Message("Red won"), Message("Yellow won")),
        *(Message("Drawn"), Message("Unfinished")),
    )
    rows = [[say(title) for title in titles]]
    rows += [_row(say(kind_title(kind)), results) for kind, results in statistics.kinds]
    if len(statistics.kinds) > 1:
        rows.append(_row(say(Message("All")), statistics.total))
    console.write(*table(rows, (False, True, True, True, True, True), console.style.width), "")
    for sentence in _sentences(statistics):
        console.say(sentence)
    _plot(console, statistics)
    console.say(Message("The record is {path}.", path=str(record_to_read())))


def _row(title: str, results: Results) -> list[str]:
    counts = (results.games, results.red, results.yellow, results.drawn, results.unfinished)
    return [title, *(str(count) for count in counts)]


def _sentences(statistics: Statistics) -> list[Message]:
    said = []
    total = statistics.total
    if won := total.starter + total.follower:
        said.append(
            Message(
                "The side with the first move won {starter} of {count} game that somebody won.",
                plural="The side with the first move won {starter} of {count} games that somebody won.",
                count=won,
                starter=total.starter,
            )
        )
    if seconds := statistics.seconds:
        said.append(
            Message(
                "A game took {median} (the median), the shortest {shortest}, the longest {longest}.",
                median=length(seconds.median),
                shortest=length(seconds.shortest),
                longest=length(seconds.longest),
            )
        )
    if moves := statistics.moves:
        said.append(
            Message(
                "It had {median} moves (the median), the shortest {shortest}, the longest {longest}.",
                median=f"{moves.median:g}",
                shortest=f"{moves.shortest:g}",
                longest=f"{moves.longest:g}",
            )
        )
    return said


def _plot(console: Console, statistics: Statistics) -> None:
    """The games of each of the last weeks as bars."""
    weeks = statistics.weeks[-_WEEKS:]
    if not weeks:
        return
    block = _BLOCK if can_show(_BLOCK, sys.stdout) else "#"
    most = max(count for _, count in weeks)
    console.write("")
    console.say(Message("Games in the week from"))
    dates = [f"{week:%Y-%m-%d}" for week, _ in weeks]
    room = (console.style.width or 80) - text_width(f"  {dates[0]}  {most}  ")
    longest = max(1, min(_LONGEST_BAR, room))
    for day, (_, count) in zip(dates, weeks, strict=True):
        bar = block * -(-count * min(longest, most) // most)
        console.write(f"  {day}  {count:>{len(str(most))}}  {bar}".rstrip())
    console.write("")
