"""`popout layout`: a layout file made by answering questions, its wiring shown, and files checked."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click

from popout.board.chain import CellPlace, ColumnPlace, Place, TurnPlace
from popout.board.layout import Layout, LayoutError
from popout.commands.console import STANDARD_INPUT, Console, language_option, write_text
from popout.commands.layout_new import new
from popout.rules.messages import N_, Message
from popout.views.tables import table
from popout.wiring import sketch
from popout.wiring.connections import Connection, connections
from popout.wiring.current import Current, current
from popout.wiring.notes import drawn, notes
from popout.wiring.remarks import remarks

_USUAL = "7x6-pi"


@click.group(short_help="Make, show and check the layout file of a board.")
def layout() -> None:
    """Make, show and check layout files: the one description of a board, its pins and its lamps."""


layout.add_command(new)


@layout.command(short_help="Show the wiring of a board.")
@click.argument("layout_file", metavar="[LAYOUT]", default=_USUAL)
@click.option("--svg", metavar="FILE", help='Draw the wiring into this file, as SVG; "-" is standard output.')
@click.option("--force", is_flag=True, help="Replace that file if it is there.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@language_option
def show(layout_file: str, svg: str | None, force: bool, as_json: bool) -> None:
    """Show the wiring of a board: what goes to which pin, the lamps in the order of their wire, and their current.

    LAYOUT is a shipped layout by its name, or a file. [default: 7x6-pi]

    With --json the object has "layout", "title", "driver", "columns", "rows", "wires", "lamps", "current" and
    "remarks". Each of the wires has "name", "kind" (switch, row, column, interrupt, data, clock, lamps or led),
    "number", "pin", "chip" (0 the computer, else the expander), "place" ("number", "name", "functions"), "pull" and
    "closed" (a level); each of the lamps "number", "kind", "column", "row" and "side"; the current "lamps" (how many),
    "dark", "wanted", "supply" (in amperes), "cap" and "allowed" (shares of full light). What does not apply is null.
    """
    if svg is not None and as_json:
        raise click.UsageError("A picture is SVG: give either --svg or --json, not both.")
    console = Console()
    shown = Layout.load(layout_file)
    if svg is not None:
        _draw(shown, svg, force, console)
    elif as_json:
        console.write(json.dumps(_as_object(shown, console), ensure_ascii=False))
    else:
        _tell(shown, layout_file, console)


@layout.command(short_help="Check layout files.")
@click.argument("layout_files", metavar="LAYOUT...", nargs=-1, required=True)
@language_option
def check(layout_files: tuple[str, ...]) -> None:
    """Check layouts: shipped ones by their names, or files. Each gets one line; what is worth knowing stands below it.

    Exit code: 0 if all can be used, 1 if not.
    """
    console = Console()
    right = True
    for name in layout_files:
        try:
            checked = Layout.load(name)
        except LayoutError as error:
            right = False
            console.say(error.message)
            continue
        console.say(_summary(checked))
        for remark in remarks(checked):
            console.write(f"    {console.catalogue.text(remark)}")
    raise click.exceptions.Exit(int(not right))


def _draw(shown: Layout, file: str, force: bool, console: Console) -> None:
    from popout.wiring.picture import picture

    drawn = picture(shown, console.catalogue.text)
    if file == STANDARD_INPUT:
        console.write(drawn.rstrip("\n"))
        return
    write_text(file, drawn, replace=force)
    console.say(Message("The wiring is drawn in {file}.", file=file))


def _tell(shown: Layout, layout_file: str, console: Console) -> None:
    console.say(
        Message(
            "{title} ({layout}): {columns} columns, {rows} rows",
            title=shown.title,
            layout=shown.name,
            columns=shown.columns,
            rows=shown.rows,
        )
    )
    console.write("", *_table(shown, console))
    if told := (*drawn(shown), *notes(shown)):
        console.write("")
        console.say(*told)
    for title, drawing in _drawings(shown, console):
        if drawing:
            console.write("")
            console.say(title)
            console.write("", *("  " + line if line else "" for line in drawing))
    console.write("")
    if (taken := current(shown)) is not None:
        console.say(*_current_words(taken))
    console.say(*remarks(shown))
    if shown.driver:
        console.say(
            Message(
                "Draw it with: {command}",
                command=f"popout layout show {shlex.quote(layout_file)} --svg {shlex.quote(shown.name)}.svg",
            )
        )


def _table(shown: Layout, console: Console) -> list[str]:
    """The wires, a line each, in the order in which people solder them."""
    say = console.catalogue.text
    titles = (
        Message("Wire"),
        Message("Pin"),
        Message("Place"),
        Message("Pull"),
        Message("Closed"),
        Message("Other uses"),
    )
    rows = [[say(title) for title in titles], *(_row(wire, console) for wire in connections(shown))]
    return table(rows, (False, False, True, False, False, False), console.style.width, give=len(titles) - 1)


def _row(wire: Connection, console: Console) -> list[str]:
    place, say = wire.place, console.catalogue.text
    uses = "" if place is None else place.told()
    return [
        say(wire.told()),
        wire.pin,
        "" if place is None else str(place.number),
        "" if wire.pull == "none" else say(Message(_WORDS[wire.pull])),
        say(Message(_WORDS[wire.closed])) if wire.closed is not None and wire.kind == "switch" else "",
        say(uses) if isinstance(uses, Message) else uses,
    ]


_WORDS = N_({"up": "up", "down": "down", "low": "low", "high": "high"})


def _drawings(shown: Layout, console: Console) -> Iterator[tuple[Message, list[str]]]:
    say = console.catalogue.text
    pi = shown.driver == "gpio"
    yield (
        Message("The 40-pin header from above, pin 1 next to the corner of the board:")
        if pi
        else Message("The Pico from above, its USB socket at the top:"),
        sketch.computer(shown, say),
    )
    for number, expander in enumerate(shown.expanders, start=1):
        yield (
            Message(
                "Expander {number} (MCP23017, address {address}) from above, its notch at the top:",
                number=number,
                address=hex(expander.address),
            ),
            sketch.expander(shown, number, say),
        )
    yield Message("The lamps from the front, by their numbers on the wire:"), sketch.chain_numbers(shown, say)


def _current_words(taken: Current) -> Iterator[Message]:
    yield Message(
        "The lamp takes {dark} A when it is dark and {wanted} A when it is white at the cap of {cap} %. The supply "
        "gives {supply} A, enough for {allowed} %.",
        plural="The {count} lamps take {dark} A when they are dark and {wanted} A when all are white at the cap of "
        "{cap} %. The supply gives {supply} A, enough for {allowed} %.",
        count=taken.lamps,
        dark=f"{taken.dark:.2f}",
        wanted=f"{taken.wanted:.1f}",
        cap=round(taken.cap * 100),
        supply=f"{taken.supply:g}",
        allowed=int(taken.allowed * 100),
    )


def _summary(checked: Layout) -> Message:
    taken = current(checked)
    values: dict[str, Any] = {
        "layout": checked.name,
        "columns": checked.columns,
        "rows": checked.rows,
        "switches": len(checked.switches),
    }
    if taken is not None:
        return Message(
            "{layout}: {columns}x{rows}, {switches} switches, {count} lamp, {taken} of {supply} A",
            plural="{layout}: {columns}x{rows}, {switches} switches, {count} lamps, {taken} of {supply} A",
            count=taken.lamps,
            taken=f"{taken.taken:.1f}",
            supply=f"{taken.supply:g}",
            **values,
        )
    if checked.leds is not None:
        return Message("{layout}: {columns}x{rows}, {switches} switches, two turn LEDs", **values)
    return Message("{layout}: {columns}x{rows}, {switches} switches, no lamps", **values)


def _as_object(shown: Layout, console: Console) -> dict[str, Any]:
    taken = current(shown)
    return {
        "layout": shown.name,
        "title": shown.title,
        "driver": shown.driver,
        "columns": shown.columns,
        "rows": shown.rows,
        "wires": [asdict(wire) for wire in connections(shown)],
        "lamps": [_lamp(number, place) for number, place in enumerate(shown.places, start=1)],
        "current": None if taken is None else asdict(taken),
        "remarks": [console.catalogue.text(remark) for remark in remarks(shown)],
    }


def _lamp(number: int, place: Place) -> dict[str, Any]:
    lamp: dict[str, Any] = {"number": number, "kind": "", "column": None, "row": None, "side": None}
    match place:
        case CellPlace(column, row):
            return {**lamp, "kind": "cells", "column": column, "row": row}
        case ColumnPlace(column):
            return {**lamp, "kind": "columns", "column": column}
        case TurnPlace(side):
            return {**lamp, "kind": "turns", "side": side}
