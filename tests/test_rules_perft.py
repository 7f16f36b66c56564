"""The number of legal turn sequences of each length, against published and independently counted figures.

A turn of Power Up is a power disc with the step that follows it. In every other game a turn is a move; in Pop 10 a pop
and its put-back are two.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from popout.rules import Phase, Position, RuleSet

MOST_SEQUENCES = int(os.environ.get("POPOUT_PERFT", "30000"))
"""How many sequences of an entry are walked one by one; the environment variable allows deeper counts."""

MID_TURN = (Phase.BOMB, Phase.WALL, Phase.DOUBLE)

PERFT = Path(__file__).parent / "data" / "vectors" / "perft.json"
ENTRIES: list[dict[str, Any]] = json.loads(PERFT.read_text(encoding="utf-8"))


def full_size(variant: str, connect: int, counts: list[int], **opts: str) -> dict[str, Any]:
    return {"variant": variant, "cols": 7, "rows": 6, "connect": connect, "opts": opts, "counts": counts}


STANDARD_7 = [7, 49, 343, 2401, 16807, 117649, 823536]
POPOUT_7 = [7, 49, 392, 3087, 25977, 218225, 1946406]
FIGURES_TO_MEET = [
    full_size("standard", 4, [*STANDARD_7, 5673234, 39394572]),
    full_size("popout", 4, [*POPOUT_7, 16878611]),
    full_size("five", 5, [*STANDARD_7, 5724138]),
    full_size("five+pop", 5, [*POPOUT_7, 16977881]),
    full_size("five+pop", 5, [*POPOUT_7, 17017457], sides="XO"),
    full_size("pop10", 4, [7, 42, 210, 840, 2520, 5040, 5040, 35280, 211680]),
    full_size("power", 4, [112, 13916]),
]
"""Those of the rule text, where they go deeper than the data."""


def named(entry: dict[str, Any]) -> str:
    options = "".join(f" {name}={value}" for name, value in entry["opts"].items())
    return f"{entry['variant']} {entry['cols']}x{entry['rows']} connect={entry['connect']}{options}"


def start_of(entry: dict[str, Any]) -> Position:
    """The position before the first move; the data has a few games that nobody can win."""
    options = dict(entry["opts"])
    if "sides" in options:
        options["flanks"] = options.pop("sides").replace("X", "R").replace("O", "Y")
    if "power" in options:
        options["powers"] = options.pop("power")
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


def walked(position: Position, depth: int) -> int:
    """Every sequence of `depth` turns, each played to its end."""
    if depth == 0:
        return 1
    return sum(walked(after, depth - 1) for after in after_turns(position))


def merged(start: Position, depth: int) -> list[int]:
    """The counts up to `depth`, positions that are reached in several ways being looked at once."""
    counts = []
    layer = {start: 1}
    while len(counts) < depth:
        if len(counts) == depth - 1 and not start.rules.power_discs:
            counts.append(sum(len(position.legal_moves) * ways for position, ways in layer.items()))
            break
        following: dict[Position, int] = {}
        for position, ways in layer.items():
            for after in after_turns(position):
                following[after] = following.get(after, 0) + ways
        counts.append(sum(following.values()))
        layer = following
    return counts


def test_the_data_has_entries_of_every_game_that_it_has_records_of() -> None:
    assert len(ENTRIES) == 42
    assert {entry["variant"] for entry in ENTRIES} == {
        *("standard", "popout", "pop10", "five", "five+pop", "power", "power+pop"),
    }


@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_sequences_walked_one_by_one_are_as_many_as_in_the_data(entry: dict[str, Any]) -> None:
    start = start_of(entry)
    expected = list(takewhile(lambda count: count <= MOST_SEQUENCES, entry["counts"]))
    assert [walked(start, depth) for depth in range(1, len(expected) + 1)] == expected


@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_sequences_counted_by_positions_are_as_many_at_every_depth_of_the_data(entry: dict[str, Any]) -> None:
    assert merged(start_of(entry), len(entry["counts"])) == entry["counts"]


@pytest.mark.parametrize("entry", FIGURES_TO_MEET, ids=named)
def test_the_figures_of_the_rule_text_are_met(entry: dict[str, Any]) -> None:
    assert merged(start_of(entry), len(entry["counts"])) == entry["counts"]
