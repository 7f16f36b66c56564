"""Along which way the wire of a chain of lamps goes: all ways that there are, and which lamp tells them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations, product
from typing import get_args, get_type_hints

import msgspec

from popout.board.chain import CellLamps, Chain, ColumnLamps, Corner, Place, TurnLamps
from popout.doctor.observations import LampSeen

Part = CellLamps | ColumnLamps | TurnLamps
Ways = dict[Chain, tuple[Place, ...]]
"""Descriptions of a chain, each of another course of the wire, with the places of its lamps."""


def all_ways(declared: Chain, columns: int, rows: int) -> Ways:
    """Every way in which the parts of this chain can be wired.

    Of several descriptions of one course, as on a board with one row, it is the one that is most like `declared`.
    """
    found: dict[tuple[Place, ...], Chain] = {}
    for order in permutations(declared.parts):
        for parts in product(*(_forms(part) for part in order)):
            chain = msgspec.structs.replace(declared, parts=parts)
            places = chain.places(columns, rows)
            if places not in found or _unlike(chain, declared) < _unlike(found[places], declared):
                found[places] = chain
    return {chain: places for places, chain in found.items()}


def that_explain(ways: Ways, answers: Iterable[LampSeen], dark: frozenset[Place]) -> Ways:
    """Those of the ways by which all answers would be as they were, if the lamps at `dark` do not light."""
    said = list(answers)
    return {
        chain: places
        for chain, places in ways.items()
        if all(_seen(places, each.index, dark) == each.seen for each in said)
    }


def best_lamp(ways: Ways, dark: frozenset[Place], lamps: int) -> int | None:
    """The lamp on the wire, of the first `lamps`, that tells most of these ways apart; None if none tells any."""
    best: tuple[int, int] | None = None
    for index in range(lamps):
        counts = Counter(_seen(places, index, dark) for places in ways.values())
        worst = max(counts.values())
        # That no lamp lights is the weakest answer: it can have another reason.
        if worst < len(ways) and (best is None or (worst + counts[None], index) < best):
            best = worst + counts[None], index
    return best[1] if best else None


def _seen(places: Sequence[Place], index: int, dark: frozenset[Place]) -> Place | None:
    return None if places[index] in dark else places[index]


def _forms(part: Part) -> list[Part]:
    """A part, wired in every way."""
    if isinstance(part, CellLamps):
        along = get_args(get_type_hints(CellLamps)["along"])
        return [
            CellLamps(start=start, along=way, serpentine=serpentine)
            for start, way, serpentine in product(get_args(Corner), along, (True, False))
        ]
    starts = get_args(get_type_hints(type(part))["start"])
    return [msgspec.structs.replace(part, start=start) for start in starts]


def _unlike(chain: Chain, declared: Chain) -> int:
    """In how many values they differ; the order of the parts counts most."""
    moved = sum(kind != other for kind, other in zip(chain.kinds, declared.kinds, strict=True))
    parts = {type(part): part for part in declared.parts}
    values = sum(
        bool(getattr(part, name) != getattr(parts[type(part)], name))
        for part in chain.parts
        for name in part.__struct_fields__
    )
    return 10 * moved + values
