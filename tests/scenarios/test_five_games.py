"""A whole game of each kind by switches and lamps alone: hands act on the twin and look at nothing but its lamps."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from conformance import rules_of
from popout.board.frame import DARK
from popout.rules import RED, YELLOW, Drop, Move, Pop, Power, PowerDisc, Side, parse_turn
from tabletop import TableTop

VECTORS = Path(__file__).parents[1] / "data" / "vectors"
KINDS = ("standard", "popout", "pop10", "five", "power", "five+pop", "power+pop")
SWITCHES = {PowerDisc.ANVIL: "anvil", PowerDisc.BOMB: "bomb", PowerDisc.WALL: "wall", PowerDisc.DOUBLE: "x2"}
SIDES = {1: RED, 2: YELLOW, 0: None}


def shortest(kind: str, winner: int) -> dict[str, Any]:
    """The shortest recorded game of a kind that this side wins, on a board of four columns and rows at least."""
    records = map(json.loads, (VECTORS / f"games-{kind}.jsonl").read_text("utf-8").splitlines())
    return min(
        (
            record
            for record in records
            if record["result"] and record["result"]["winner"] == winner and min(record["cols"], record["rows"]) >= 3
        ),
        key=lambda record: len(record["moves"]),
    )


def steps(record: dict[str, Any]) -> Iterator[tuple[Move, Side]]:
    """Each step of a recorded game with the side that makes it."""
    side = RED
    for turn, following in zip(record["moves"], record["next"], strict=True):
        for move in parse_turn(turn):
            yield move, side
        side = SIDES[following] or side


def make(table: TableTop, move: Move) -> None:
    """Do with the hands what the step says, after the lamps have shown that its column may be pressed."""
    assert isinstance(move, Drop | Pop | Power)
    if isinstance(move, Power):
        table.tap(SWITCHES[move.disc])
    table.slide("open" if isinstance(move, Pop) else "closed")
    column = move.column - table.controller.outer
    assert column in table.lit_columns
    table.tap(column)
    table.wait(4000)


def whose_turn(table: TableTop) -> Side | None:
    """The side whose turn lamp is lit within two seconds, also if it counts out a power disc; None if both are."""
    lit = set()
    for _ in range(50):
        lit |= {side for side, light in zip((RED, YELLOW), table.lamps.turns, strict=True) if light != DARK}
        table.wait(40)
    return lit.pop() if len(lit) == 1 else None


@pytest.mark.parametrize("winner", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_game_is_played_by_switches_and_lamps_alone(kind: str, winner: int):
    record = shortest(kind, winner)
    table = TableTop(rules_of(record).text)
    for move, side in steps(record):
        assert whose_turn(table) is side
        make(table, move)
    assert table.lit_columns == []
    assert whose_turn(table) is SIDES[winner]


def test_the_turn_lamp_counts_out_which_power_disc_is_chosen():
    table = TableTop("power 7x6")
    for flashes, (disc, switch) in enumerate(SWITCHES.items(), 1):
        if disc is PowerDisc.BOMB:
            continue  # there is nothing yet that it could take
        table.tap(switch)
        seen = []
        for _ in range(200):
            table.wait(40)
            seen.append(table.lamps.turns[0] != DARK)
        begun = sum(now and not before for before, now in pairwise(seen))
        cycle = 400 * (flashes - 1) + 1400
        assert abs(begun - 200 * 40 / cycle * flashes) <= flashes
        table.tap(switch)
    assert table.turn_lamp is RED


def test_a_power_disc_that_cannot_be_played_is_refused_with_the_reason():
    table = TableTop("power 7x6")
    table.tap("bomb")
    assert table.said[-1] == "The bomb has nothing to take: the bottom row has no disc of the opponent."
    table.tap("anvil", 4, 4)
    assert table.moves == "a4 d4"
    table.tap("anvil")
    assert table.said[-1] == "You have played your anvil already: each power disc is played once."


def test_the_menu_chooses_a_power_disc_where_the_board_has_no_switches_for_them():
    table = TableTop("power 7x6")
    table.tap("menu", 6)
    table.tap(3, 4)
    assert table.moves == "w4"
    assert table.said[-1] == "Red's wall: drop a second disc, which may not make a line."
    table.tap(5)
    assert table.moves == "w4 d5"


def test_kept_discs_are_counted_out_on_the_cells():
    record = shortest("pop10", 1)
    table = TableTop(rules_of(record).text)
    counted = 0
    for move, _ in steps(record):
        before = table.game.position
        table.slide("open" if isinstance(move, Pop) else "closed")
        assert isinstance(move, Drop | Pop)
        table.tap(move.column)
        kept = [table.game.position.kept(side) for side in (RED, YELLOW)]
        if kept != [before.kept(side) for side in (RED, YELLOW)] and not table.game.outcome:
            table.wait(400)
            assert sum(light != DARK for column in table.lamps.cells for light in column) == sum(kept)
            counted += 1
        table.wait(4000)
    assert counted


def test_filled_outer_columns_have_no_buttons_and_the_first_button_is_the_second_column_of_the_grid():
    table = TableTop("five 7x6")
    table.tap(1, 7)
    assert table.moves == "d2 d8"
    assert [len(column) for column in table.board.twin.grid] == [1, 0, 0, 0, 0, 0, 1]
    assert table.said[-2:] == ["Red drops a disc in column 2.", "Yellow drops a disc in column 8."]


def test_every_step_is_taken_back_by_itself_down_to_the_beginning():
    for kind in KINDS:
        record = shortest(kind, 1)
        table = TableTop(rules_of(record).text)
        pictures = [(table.game, table.board.twin.grid)]
        for move, _ in steps(record):
            make(table, move)
            pictures.append((table.game, table.board.twin.grid))
        table.slide("closed")
        for game, grid in reversed(pictures[:-1]):
            table.hold(2)
            assert table.game == game
            assert table.board.twin.grid == grid
