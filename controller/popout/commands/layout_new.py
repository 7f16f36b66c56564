"""`popout layout new`: a layout file from the answers to a few questions, or from options."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from popout.board.layout import Layout, path_of, shipped
from popout.commands.console import (
    STANDARD_INPUT,
    Console,
    FileNotWritten,
    FileThere,
    language_option,
    write_text,
)
from popout.commands.layout_questions import FEWER_PINS, AnswerImpossible, Asker, amperes, title, usual_title
from popout.rules import Message
from popout.wiring.plan import Plan, PlanImpossible, plan, ways
from popout.wiring.remarks import remarks
from popout.wiring.wishes import Wishes
from popout.wiring.writing import layout_text

_CORNERS = ("bottom-left", "bottom-right", "top-left", "top-right")


class NameTaken(FileNotWritten):
    """A file that could not be named as a layout, since a shipped one has its name."""

    code = "name-taken"


def _answers(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option for every answer; one that is not given is None."""
    for option in reversed(
        (
            click.option("--columns", type=click.IntRange(1, 32), metavar="N", help="Columns that are played."),
            click.option("--rows", type=click.IntRange(1, 32), metavar="N", help="Rows."),
            click.option("--computer", type=click.Choice(("pi", "pico")), help="What reads the board."),
            click.option("--title", metavar="TITLE", help="What the board is called."),
            click.option(
                "--actuation",
                type=click.Choice(("button", "disc")),
                help="A player presses, or the disc trips a lever.",
            ),
            click.option("--menu/--no-menu", default=None, help="A button for the menu."),
            click.option("--take-back/--no-take-back", default=None, help="A button to take back."),
            click.option("--powers/--no-powers", default=None, help="Four buttons for the power discs."),
            click.option("--second-row/--no-second-row", default=None, help="Buttons of yellow's own."),
            click.option("--drop-beams/--no-drop-beams", default=None, help="Beams under the slots."),
            click.option("--pop-beams/--no-pop-beams", default=None, help="Beams under the bar."),
            click.option(
                "--lamps",
                type=click.Choice(("none", "turns", "columns", "cells")),
                help="No lamps, two plain LEDs, a chain at buttons and turns, or behind each cell too.",
            ),
            click.option("--start", type=click.Choice(_CORNERS), help="The corner of the first lamp, from the front."),
            click.option("--along", type=click.Choice(("column", "row")), help="Where the wire runs first."),
            click.option("--serpentine/--straight", default=None, help="Whether every second run goes back."),
            click.option("--amperes", metavar="A", help="What the 5 V supply gives to the lamps."),
            click.option(
                "--wiring",
                type=click.Choice(("auto", "pins", "matrix", "expanders")),
                help="A pin a switch, a matrix, or MCP23017 expanders.",
            ),
        )
    ):
        command = option(command)
    return command


@click.command(short_help="Make a layout file.")
@click.argument("file", metavar="[FILE]", required=False)
@_answers
@click.option("--yes", "-y", is_flag=True, help="Ask nothing: take the default for what no option says.")
@click.option("--force", is_flag=True, help="Replace FILE if it is there.")
@language_option
def new(file: str | None, yes: bool, force: bool, **options: Any) -> None:
    """Make a layout file with good pins for a board, and with every key explained.

    At a terminal it asks what no option says; elsewhere it takes the defaults. FILE "-" is standard output.

    \b
        popout layout new my-board.toml
        popout layout new my-board.toml --columns 9 --rows 7 --lamps columns --yes
    """
    console = Console()
    given = {field: value for field, value in options.items() if value is not None}
    asker = Asker(console, given) if console.interactive and not yes and file != STANDARD_INPUT else None
    if file is not None:
        _check_name(file, force=force or asker is not None)
        if asker is not None and not _may_be_written(file, force, asker):
            raise click.Abort
    wishes = _with_options(given)
    planned = _asked(wishes, asker, console) if asker is not None else plan(_complete(wishes))
    text = layout_text(planned)
    made = _read_back(text)
    if file == STANDARD_INPUT:
        console.write(text.rstrip("\n"))
        return
    if file is None:
        file = _file_name(planned, force, asker)
    write_text(file, text, replace=force or asker is not None)
    console.say(planned.told(), *remarks(made), Message("The layout is in {file}.", file=file))
    quoted = shlex.quote(file)
    console.say(Message("See how to wire it: {command}", command=f"popout layout show {quoted}"))
    if made.driver == "serial":
        console.say(
            Message("Install the firmware for it: {command}", command=f"popout firmware install --layout {quoted}")
        )
    console.say(
        Message("Test it with your hands: {command}", command=f"popout doctor --hands --layout {quoted}"),
        Message("Play: {command}", command=f"popout play --layout {quoted}"),
    )


def _with_options(given: dict[str, Any]) -> Wishes:
    """The defaults, with what the options say.

    :raises AnswerImpossible: a title or a current that cannot be.
    """
    fields = dict(given)
    if "start" in fields:
        fields["start"] = fields["start"].replace("-", " ")
    text = fields.pop("amperes", None)
    wishes = Wishes(**fields)
    if "title" in given:
        wishes = replace(wishes, title=title(given["title"], wishes))
    if text is not None:
        # How many lamps it must feed may still be asked.
        wishes = replace(wishes, amperes=amperes(text, replace(wishes, lamps="none")))
    return wishes


def _complete(wishes: Wishes) -> Wishes:
    """With a title, and a supply that was looked at.

    :raises AnswerImpossible: it is too weak for the lamps.
    """
    if wishes.chained and wishes.amperes is not None:
        amperes(f"{wishes.amperes:g}", wishes)
    return wishes if wishes.title else replace(wishes, title=usual_title(wishes))


def _asked(wishes: Wishes, asker: Asker, console: Console) -> Plan:
    """The plan for what is answered; asked again as long as it cannot be."""
    wishes = asker.all(wishes)
    while True:
        try:
            planned = plan(_complete(wishes))
        except (PlanImpossible, AnswerImpossible) as error:
            supply = isinstance(error, AnswerImpossible)
            if not asker.is_open(("amperes",) if supply else FEWER_PINS):
                raise
            console.say(error.message)
            wishes = asker.supply_again(wishes) if supply else asker.again(wishes)
            continue
        return _chosen(planned, asker, console)


def _chosen(planned: Plan, asker: Asker, console: Console) -> Plan:
    """The plan that is wanted, if there are several ways to wire a board with more switches than pins."""
    possible = ways(planned.wishes)
    if len(possible) < 2:
        return planned
    console.say(Message("There are more switches than pins. Two ways to wire them are possible."))
    for way in possible:
        console.say(way.told())
    matrix = Message("a diode at each button") if possible[0].expanders else Message("diodes only")
    choices = {"matrix": matrix, "expanders": Message("fewer wires, chips on I2C")}
    chosen = asker.choose(Message("Which one?"), choices, "matrix")
    return possible[list(choices).index(chosen)]


def _read_back(text: str) -> Layout:
    """The layout that the file describes, before anything is written where somebody looks for it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "layout.toml"
        file.write_text(text, encoding="utf-8")
        return Layout.load(file)


def _file_name(planned: Plan, force: bool, asker: Asker | None) -> str:
    usual = f"{planned.wishes.columns}x{planned.wishes.rows}-board.toml"
    if asker is None:
        _check_name(usual, force=force)
        return usual
    while True:
        file = asker.word(Message("Into which file?"), usual)
        _check_name(file, force=True)
        if _may_be_written(file, force, asker):
            return file


def _check_name(file: str, *, force: bool) -> None:
    """Refuse at once what would be refused at the end."""
    if file in shipped():
        raise NameTaken(Message("“{name}” is a shipped layout. Choose another name, such as my-board.toml.", name=file))
    if not force and _is_there(file):
        path = str(path_of(file))
        raise FileThere(Message("{path} is there already. Choose another name, or replace it with --force.", path=path))


def _may_be_written(file: str, force: bool, asker: Asker) -> bool:
    return (
        force
        or not _is_there(file)
        or asker.confirm(Message("{path} is there already. Is it to be replaced?", path=file), default=False)
    )


def _is_there(file: str) -> bool:
    try:
        return path_of(file).exists()
    except OSError:  # writing it says why it cannot be
        return False
