"""A table at which a side is played by an opponent, whose thoughts a test gives."""

from __future__ import annotations

from popout.play.menu import Menu, shown
from popout.play.palette import COLOURS
from popout.record.journal import Levels
from popout.rules import RED, YELLOW, parse_move
from tabletop import TableTop

BY_YELLOW: Levels = {YELLOW: 5}
RED_LIGHT, YELLOW_LIGHT = COLOURS["classic"][RED], COLOURS["classic"][YELLOW]


def answer(table: TableTop, move: str) -> None:
    """What is asked now is answered with this move."""
    question = table.controller.question
    assert question is not None, "nothing is asked"
    table.controller.answered(question, parse_move(move), table.time)
    table.wait(0)


def against_yellow(moves: str = "d4", rules: str = "popout 7x6", **more: object) -> TableTop:
    """A game of a person against yellow, after the person's first move or more."""
    table = TableTop(rules, opponent=BY_YELLOW, **more)  # type: ignore[arg-type]
    table.play(moves)
    return table


def choose(table: TableTop, *codes: str) -> None:
    """Choose these entries in the board's menu, page by page."""
    table.tap("menu")
    for code in codes:
        while isinstance(menu := table.controller.mode, Menu):
            offered = shown(menu, table.controller.game, table.controller.layout.columns, table.controller.levels)
            columns = {entry.code: column for column, entry in offered.items()}
            table.tap(columns.get(code, columns.get("more", 1)))
            if code in columns:
                break
