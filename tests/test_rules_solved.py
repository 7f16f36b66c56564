"""The values of small boards, found again from the end by a plain search on the rules core's public interface.

Every position that can be reached is a node, and a whole turn is a ply: a power disc with the step that follows it is
one, in Pop 10 a pop and its put-back are two. Endless play is a draw.

``POPOUT_SOLVED=1`` searches the larger boards too, which takes some minutes and gigabytes. The two boards of twenty
cells have more positions than a search in Python can keep in memory; their values are in the data for a better one.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from popout.rules import RED, YELLOW, Phase, Position, RuleSet, Side

MOST_POSITIONS = 10**9 if os.environ.get("POPOUT_SOLVED") else 700_000
"""Entries with more positions, or of which the data does not say how many, are searched only if asked for."""

MOST_CELLS = 19
"""A larger board has too many positions to be kept in memory."""

MID_TURN = (Phase.BOMB, Phase.WALL, Phase.DOUBLE)
SOLVED = Path(__file__).parent / "data" / "vectors" / "solved.json"
ENTRIES: list[dict[str, Any]] = [
    entry
    for entry in json.loads(SOLVED.read_text(encoding="utf-8"))
    if entry["cols"] * entry["rows"] <= MOST_CELLS and entry.get("positions", 10**8) <= MOST_POSITIONS
]
PLAYERS = {RED: 1, YELLOW: 2, None: 0}


@dataclass(slots=True)
class Node:
    """A position while it is not known what it is worth, and after."""

    turn: Side
    unknown: int
    """How many turns lead to positions of which it is not known that they are lost."""
    before: list[int]
    winner: Side | None = None
    plies: int | None = None


def named(entry: dict[str, Any]) -> str:
    options = "".join(f" {name}={value}" for name, value in entry["opts"].items())
    return f"{entry['variant']} {entry['cols']}x{entry['rows']} connect={entry['connect']}{options}"


def start_of(entry: dict[str, Any]) -> Position:
    options = dict(entry["opts"])
    if "sides" in options:
        options["flanks"] = options.pop("sides").replace("X", "R").replace("O", "Y")
    size = (entry["cols"], entry["rows"], entry["connect"])
    return Position.start(RuleSet(entry["variant"], *size, allow_unwinnable=True, **options))


def after_turns(position: Position) -> Iterator[Position]:
    """The position after each legal turn."""
    for move in position.legal_moves:
        after = position.play(move)
        if after.phase in MID_TURN:
            yield from after_turns(after)
        else:
            yield after


def reached(start: Position) -> list[Node]:
    """Every position that can be reached, the start first."""
    numbers = {start: 0}
    found = [start]
    nodes = []
    before: list[list[int]] = [[]]
    for number, position in enumerate(found):  # grows while it is walked
        following = set(after_turns(position))
        for after in following:
            if after not in numbers:
                numbers[after] = len(found)
                found.append(after)
                before.append([])
            before[numbers[after]].append(number)
        outcome = position.outcome
        node = Node(position.turn, len(following), before[number])
        if outcome:
            node.winner, node.plies = outcome.winner, 0
        nodes.append(node)
    return nodes


def solve(nodes: list[Node]) -> None:
    """Give each node its winner and the plies to the end; those that are never reached backwards are draws.

    Layer by layer: the winner hurries, so the first win found is the shortest; the loser delays, so a position is lost
    when the last of its turns is.
    """
    layer = [node for node in nodes if node.winner]
    while layer:
        following = []
        for node in layer:
            for number in node.before:
                earlier = nodes[number]
                if earlier.winner or earlier.plies == 0:
                    continue
                earlier.unknown -= 1
                if node.winner is earlier.turn or earlier.unknown == 0:
                    assert node.plies is not None
                    earlier.winner, earlier.plies = node.winner, node.plies + 1
                    following.append(earlier)
        layer = following


@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_a_small_board_is_worth_what_the_data_says(entry: dict[str, Any]) -> None:
    nodes = reached(start_of(entry))
    finished = sum(node.plies == 0 for node in nodes)
    solve(nodes)
    start, worth = nodes[0], Counter(node.winner for node in nodes)
    assert (PLAYERS[start.winner], start.plies) == (entry["winner"], entry["plies"])
    if "positions" in entry:
        counted = (len(nodes), finished, worth[RED], worth[YELLOW], worth[None])
        assert counted == tuple(entry[name] for name in ("positions", "finished", "won1", "won2", "drawn"))
