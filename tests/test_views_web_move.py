"""Moves that are made without a finger on the board: of one side only, where the rules and the board allow them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from popout.board.layout import Layout
from popout.play.controller import WrongSide
from popout.play.settings import Settings
from popout.play.table import Table
from popout.record.journal import Source
from popout.record.store import Store
from popout.rules import RED, YELLOW, NotationError, RuleSet
from popout.rules.errors import IllegalMove
from popout.views.web import commands as do
from popout.views.web.state import TableView
from popout_sim.contacts import PERFECT
from popout_sim.driver import SimulatedBoard


def at_a_table(story: Callable[[TableView, Table], Awaitable[None]], rules: str = "popout 7x6") -> None:
    async def whole() -> None:
        ruleset = RuleSet.parse(rules)
        layout = Layout.plain(ruleset.columns, ruleset.rows)
        with Store(None) as store, SimulatedBoard(layout, contact=PERFECT) as board:
            table = Table(board, store, Settings(), ruleset)
            running = asyncio.create_task(table.run())
            await story(TableView(table), table)
            running.cancel()
            await asyncio.wait([running])

    asyncio.run(whole())


def moves(table: Table) -> list[str]:
    return [str(move) for move in table.controller.game.moves]


def test_a_side_moves_when_it_is_its_turn():
    async def story(view: TableView, table: Table) -> None:
        await view.move("d4", side=RED)
        await view.move("d4", side=YELLOW)
        await view.move("p4", side=RED)
        assert moves(table) == ["d4", "d4", "p4"]

    at_a_table(story)


def test_a_side_does_not_move_for_the_other():
    async def story(view: TableView, table: Table) -> None:
        with pytest.raises(WrongSide, match=r"^It is red's turn\. You play yellow\.$"):
            await view.move("d4", side=YELLOW)
        await view.move("d4", side=RED)
        with pytest.raises(WrongSide, match=r"^It is yellow's turn\. You play red\.$"):
            await view.move("d4", side=RED)
        assert moves(table) == ["d4"]

    at_a_table(story)


def test_of_two_moves_at_once_only_the_first_counts():
    """The side is looked at after the first move has been saved, not before."""

    async def story(view: TableView, table: Table) -> None:
        both = await asyncio.gather(view.move("d4", side=RED), view.move("d5", side=RED), return_exceptions=True)
        assert [type(each) for each in both] == [type(None), WrongSide]
        assert moves(table) == ["d4"]

    at_a_table(story)


@pytest.mark.parametrize(
    ("text", "error"), [("p1", IllegalMove), ("d8", IllegalMove), ("claim", IllegalMove), ("x", NotationError)]
)
def test_what_is_no_legal_move_is_refused_and_changes_nothing(text, error):
    async def story(view: TableView, table: Table) -> None:
        with pytest.raises(error):
            await view.move(text, side=RED)
        assert moves(table) == []

    at_a_table(story)


def test_a_side_makes_all_steps_of_its_turn():
    async def story(view: TableView, table: Table) -> None:
        for text in ("d1", "d2", "d1", "d2"):
            await view.move(text)
        await view.move("x4", side=RED)
        await view.move("d5", side=RED)
        with pytest.raises(WrongSide):
            await view.move("d6", side=RED)
        assert moves(table)[-2:] == ["x4", "d5"]

    at_a_table(story, "power 7x6")


def test_after_the_end_the_rules_say_why_nothing_can_be_played():
    async def story(view: TableView, table: Table) -> None:
        for text in ("d1", "d2", "d1", "d2", "d1", "d2", "d1"):
            await view.move(text)
        assert table.controller.game.outcome
        for side in (RED, YELLOW):
            with pytest.raises(IllegalMove) as refused:
                await view.move("d3", side=side)
            assert not isinstance(refused.value, WrongSide)

    at_a_table(story)


def test_a_page_says_it_as_a_command_and_the_record_says_who_said_it():
    async def story(view: TableView, table: Table) -> None:
        sources = []
        play = table.controller.play

        def noted(move):  # type: ignore[no-untyped-def]
            sources.append(table.controller.source)
            play(move)

        table.controller.play = noted  # type: ignore[method-assign]
        await view.command(do.Move("d4"))
        await view.command(do.Move("d4"), Source.TERMINAL)
        assert moves(table) == ["d4", "d4"]
        assert sources == [Source.PAGE, Source.TERMINAL]

    at_a_table(story)
