"""The number of legal move sequences of each length, against published and independently counted figures."""

from __future__ import annotations

import json
import os
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from popout.rules import Position, RuleSet

MOST_SEQUENCES = int(os.environ.get("POPOUT_PERFT", "400000"))
"""How many sequences of an entry are walked one by one; the environment variable allows deeper counts."""

PERFT = Path(__file__).parent / "data" / "vectors" / "perft.json"
ENTRIES: list[dict[str, Any]] = [
    entry for entry in json.loads(PERFT.read_text(encoding="utf-8")) if entry["variant"] in ("standard", "popout")
]
DEEPER = [
    {"variant": "standard", "cols": 7, "rows": 6, "connect": 4, "opts": {}, "counts": [
        7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572,
    ]},
    {"variant": "popout", "cols": 7, "rows": 6, "connect": 4, "opts": {}, "counts": [
        7, 49, 392, 3087, 25977, 218225, 1946406, 16878611,
    ]},
]  # fmt: skip


def named(entry: dict[str, Any]) -> str:
    options = "".join(f" {name}={value}" for name, value in entry["opts"].items())
    return f"{entry['variant']} {entry['cols']}x{entry['rows']} connect={entry['connect']}{options}"


def start_of(entry: dict[str, Any]) -> Position:
    unwinnable = entry["connect"] > max(entry["cols"], entry["rows"])
    text = named(entry) + (" allow-unwinnable=yes" if unwinnable else "")
    return Position.start(RuleSet.parse(text))


def walked(position: Position, depth: int) -> int:
    """Every sequence of `depth` moves, each played to its end."""
    if depth == 0:
        return 1
    return sum(walked(position.play(move), depth - 1) for move in position.legal_moves)


def merged(start: Position, depth: int) -> list[int]:
    """The counts up to `depth`, positions that are reached in several ways being looked at once."""
    counts = []
    layer = {start: 1}
    for _ in range(depth):
        following: dict[Position, int] = {}
        counts.append(sum(len(position.legal_moves) * ways for position, ways in layer.items()))
        if len(counts) < depth:
            for position, ways in layer.items():
                for move in position.legal_moves:
                    after = position.play(move)
                    following[after] = following.get(after, 0) + ways
        layer = following
    return counts


def test_the_data_has_entries_of_both_games_and_of_counted_discs() -> None:
    assert len(ENTRIES) == 15
    assert {entry["variant"] for entry in ENTRIES} == {"standard", "popout"}
    assert any("supply" in entry["opts"] for entry in ENTRIES)


@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_sequences_walked_one_by_one_are_as_many_as_in_the_data(entry: dict[str, Any]) -> None:
    start = start_of(entry)
    expected = list(takewhile(lambda count: count <= MOST_SEQUENCES, entry["counts"]))
    assert [walked(start, depth) for depth in range(1, len(expected) + 1)] == expected


@pytest.mark.parametrize("entry", [*ENTRIES, *DEEPER], ids=named)
def test_sequences_counted_by_positions_are_as_many_at_every_depth_of_the_data(entry: dict[str, Any]) -> None:
    assert merged(start_of(entry), len(entry["counts"])) == entry["counts"]
