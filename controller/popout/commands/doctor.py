"""`popout doctor`: what is wrong with this computer and its board, and what to type."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from popout.board.find import LayoutForOtherDriver, choose, default_layout
from popout.board.layout import Layout
from popout.commands.console import Console, language_option, settings_option, speak, wanted_language
from popout.commands.device import wanted_board
from popout.doctor.facts import Facts, Named, gather
from popout.doctor.finding import Finding, problem
from popout.doctor.findings import examine, likely_board
from popout.locale import Catalogue
from popout.play.settings import Settings, load_settings
from popout.rules import Message, PopoutError
from popout.rules.messages import N_
from popout.views.drawing import wrap

_DESCRIBED = ("gpio", "serial")
"""The drivers of boards that hang on wires, which a layout describes."""


@click.command(short_help="Find out what is wrong, and what to type.")
@click.option("--board", metavar="NAME", help="The board driver, such as gpio or serial.")
@click.option(
    "--device",
    metavar="DEVICE",
    help="With --hands: the port or the serial number of the board, such as /dev/ttyACM0.",
)
@click.option("--layout", metavar="LAYOUT", help="The board's layout: a shipped one by its name, or a file.")
@settings_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@click.option("--hands", is_flag=True, help="Test the wiring of the board with your hands, as it tells you.")
@click.option("--write", metavar="FILE", type=Path, help="With --hands: write the corrected layout to this file.")
@language_option
def doctor(
    board: str | None,
    device: str | None,
    layout: str | None,
    settings: Path | None,
    as_json: bool,
    hands: bool,
    write: Path | None,
) -> None:
    """Find out what keeps the board from working, and say what to type.

    It looks at the computer and its system, the packages and rights that the pins need, the pins of the layout and who
    has them, the lamps and their supply, boards on a cable, and where the games are recorded. It changes nothing, and
    can be used on any computer.

    With --hands it tests the wiring instead, with somebody at the board who presses what it says and answers what it
    asks. It finds exchanged, dead and stuck switches, wrong colours, dark lamps and another way of their wire, and
    shows how the layout should be. It can be left at any time with q.

    Exit code: 0 if there is no problem, 1 if there is one.

    With --json the object has "ok" (whether the exit code is 0), "exit", "board" (the driver), "layout" (its name, or
    null), "computer" ("model", "generation", "system", "kernel", "python" and "bits"), "packages" (the version of each
    by its name) and "findings", a list of objects. Each has "area", "code", "severity" (fine, advice or problem),
    "text" and "type" (a list of commands).
    """
    if as_json and hands:
        raise click.UsageError("--json and --hands cannot be used together.")
    if write is not None and not hands:
        raise click.UsageError("--write needs --hands, which finds out what to write.")
    if device is not None and not hands:
        raise click.UsageError("--device needs --hands; without it all boards are looked at.")
    if hands:
        from popout.commands.doctor_hands import examine_wiring

        raise click.exceptions.Exit(examine_wiring(board, device, layout, settings, write, _print))
    trouble: list[Finding] = []
    chosen = _settings(settings, trouble)
    console = Console(speak(wanted_language(chosen)))
    named, of_layout = wanted_board(board, None, chosen)[0], layout or chosen.layout
    facts = replace(gather(), named=Named(str(settings or ""), named or "", of_layout or ""))
    described = _layout(of_layout, named, trouble)
    driver = named or likely_board(facts, described)
    if described is None and driver in _DESCRIBED:
        described = default_layout(driver)
    findings = (*examine(facts, described, named), *trouble)
    code = int(any(found.severity == "problem" for found in findings))
    if as_json:
        told = _as_object(facts, findings, console.catalogue)
        layout_name = None if described is None else described.name
        console.write(
            json.dumps({"ok": code == 0, "exit": code, "board": driver, "layout": layout_name, **told}, indent=1)
        )
    else:
        _print(console, findings)
    raise click.exceptions.Exit(code)


def _settings(file: Path | None, trouble: list[Finding]) -> Settings:
    """The settings; without those that cannot be read, which is a problem like others."""
    try:
        return load_settings(file)
    except PopoutError as error:
        trouble.append(_told(error))
        return Settings()


def _layout(name: str | None, board: str | None, trouble: list[Finding]) -> Layout | None:
    """The layout that is named, if it can be read and is one for the board."""
    described = None
    try:
        described = Layout.load(name) if name else None
        if board is not None:
            choose(board, described)
    except LayoutForOtherDriver as error:
        trouble.append(_told(error))
        return None
    except PopoutError as error:
        trouble.append(_told(error))
    return described


def _told(error: PopoutError) -> Finding:
    return replace(problem(error.code, error.message), area="places")


def _print(console: Console, findings: Sequence[Finding]) -> None:
    say = console.catalogue.text
    marks = {severity: say(Message(text)) for severity, text in _MARKS.items()}
    wide = max(map(len, marks.values()))
    for area, group in groupby(sorted(findings, key=_place), key=lambda found: found.area):
        console.write(say(Message(_AREAS[area])))
        for found in group:
            commands = (say(Message("Type: {command}", command=command)) for command in found.what_to_type)
            lines = [*_wrapped(console, say(found.text), wide + 4), *commands]  # a command is to be copied whole
            for number, line in enumerate(lines):
                console.write(f"  {marks[found.severity] if number == 0 else '':{wide}}  {line}")
        console.write("")
    problems = sum(found.severity == "problem" for found in findings)
    if problems:
        console.say(Message("There is {count} problem.", plural="There are {count} problems.", count=problems))
    else:
        console.say(Message("No problem was found."))


def _wrapped(console: Console, text: str, indent: int) -> Iterable[str]:
    width = console.style.width
    return wrap(text, replace(console.style, width=max(width - indent, 20) if width is not None else None))


def _place(found: Finding) -> int:
    return list(_AREAS).index(found.area)


def _as_object(facts: Facts, findings: Iterable[Finding], catalogue: Catalogue) -> dict[str, Any]:
    return {
        "computer": {
            "model": facts.machine.model or None,
            "generation": facts.machine.generation or None,
            "system": facts.system.name or None,
            "kernel": facts.system.kernel or None,
            "python": ".".join(map(str, facts.python.version)),
            "bits": facts.python.bits,
        },
        "packages": {name: package.version for name, package in facts.packages.items()},
        "findings": list(_each(findings, catalogue)),
    }


def _each(findings: Iterable[Finding], catalogue: Catalogue) -> Iterator[dict[str, Any]]:
    for found in findings:
        yield {
            "area": found.area,
            "code": found.code,
            "severity": found.severity,
            "text": catalogue.text(found.text),
            "type": list(found.what_to_type),
        }


_MARKS = N_({"fine": "ok", "advice": "advice", "problem": "PROBLEM"})

_AREAS = N_(
    {
        "computer": "The computer",
        "software": "The packages",
        "rights": "Your rights",
        "pins": "The pins",
        "lamps": "The lamps",
        "cable": "Boards on a cable",
        "places": "Files and folders",
    }
)
