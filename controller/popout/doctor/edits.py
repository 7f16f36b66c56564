"""What a layout must be told otherwise, as values, and the layout that comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import msgspec

from popout.board.chain import CellLamps, ColumnLamps, Order, TurnLamps
from popout.board.contacts import Leds, Level
from popout.board.layout import Layout
from popout.board.switches import numbered

_LISTS = {
    "column": "columns",
    "yellow column": "yellow_columns",
    "drop sensor": "drop_sensors",
    "pop sensor": "pop_sensors",
}


@dataclass(frozen=True, slots=True)
class Edits:
    """The corrections of a layout; what is None or empty stays as it is.

    :ivar pins: the new pin of each switch that gets another. :ivar closed: the level of a closed switch.
    :ivar inverted: the keys whose switches count the other way round; all of them.
    :ivar order: of the lamps' colours. :ivar parts: of the chain. :ivar leds: the plain LEDs.
    """

    pins: Mapping[str, str] = field(default_factory=dict)
    closed: Level | None = None
    inverted: frozenset[str] | None = None
    order: Order | None = None
    parts: tuple[CellLamps | ColumnLamps | TurnLamps, ...] | None = None
    leds: Leds | None = None

    def __bool__(self) -> bool:
        return self != Edits()


def key_of(switch: str) -> str:
    """The key of the table ``[switches]`` that gives the pin of this switch."""
    kind, _ = numbered(switch) or ("", 0)
    return _LISTS.get(kind, switch.replace(" ", "_"))


def corrected(layout: Layout, edits: Edits) -> Layout:
    """The layout after the edits."""
    chain = layout.chain
    if chain is not None:
        parts = chain.parts if edits.parts is None else edits.parts
        chain = msgspec.structs.replace(chain, order=edits.order or chain.order, parts=parts)
    inverted = layout.inverted
    if edits.inverted is not None:
        inverted = frozenset(switch for switch in layout.switches if key_of(switch) in edits.inverted)
    return replace(
        layout,
        switches={**layout.switches, **edits.pins},
        closed=edits.closed or layout.closed,
        inverted=inverted,
        chain=chain,
        leds=edits.leds or layout.leds,
    )
