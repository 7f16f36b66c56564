"""The findings: what the facts about a machine mean for a board. `examine` judges and looks at nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from popout.board.layout import Layout
from popout.board.serial import DRIVER
from popout.board.serial.ports import may_be_board
from popout.doctor import cable, folders, lamps, pins, rights, software
from popout.doctor.facts import Facts
from popout.doctor.finding import Area, Finding, popout, problem
from popout.rules import Message

__all__ = ["Finding", "examine", "likely_board"]

GPIO, SIMULATOR = "gpio", "sim"


def likely_board(facts: Facts, layout: Layout | None = None) -> str:
    """The name of the driver that would be played on, if none is named: that of the layout, else what is there."""
    if layout is not None and layout.driver:
        return layout.driver
    if facts.machine.is_pi:
        return GPIO
    return DRIVER if any(map(may_be_board, facts.ports)) else SIMULATOR


def examine(facts: Facts, layout: Layout | None = None, board: str | None = None) -> tuple[Finding, ...]:
    """What was found, grouped by what it is about.

    :param layout: of the board. :param board: the driver that was asked for by its name; None takes `likely_board`.
    """
    return tuple(replace(found, area=area) for area, part in _parts(facts, layout, board) for found in part)


def _parts(facts: Facts, layout: Layout | None, board: str | None) -> Iterator[tuple[Area, Iterable[Finding]]]:
    driver = board or likely_board(facts, layout)
    on_header = driver == GPIO and facts.machine.is_pi
    yield "computer", software.of_the_computer(facts)
    if board == GPIO and not facts.machine.is_pi:
        yield "pins", _no_pins(facts)
    if on_header:
        yield "software", software.of_the_packages(facts, layout)
        yield "rights", rights.of_the_header(facts, layout)
        yield "pins", pins.of_the_chip(facts)
        if layout is not None and layout.driver in ("", GPIO):
            yield "pins", pins.of_the_layout(facts, layout)
            yield "lamps", lamps.of_the_lamps(facts, layout)
    yield "cable", cable.of_the_ports(facts, wanted=driver == DRIVER)
    yield "places", folders.of_the_folders(facts, pins=on_header)
    if on_header:
        yield "places", folders.of_the_service(facts, rights.needed(facts, layout))
    elif driver == DRIVER:
        boards = tuple(port.device for port in facts.ports if cable.is_pico(port))
        yield "places", folders.of_the_service(facts, boards)


def _no_pins(facts: Facts) -> Iterator[Finding]:
    yield problem(
        "no-pins",
        Message("The board driver “gpio” plays on the header of a Raspberry Pi, and this computer has none."),
        popout(facts, "sim"),
    )
