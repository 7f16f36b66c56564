"""What the test of the lamps means: findings with their remedies, and the edits that the layout needs. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TypeVar, get_args

from popout.board.chain import CellLamps, CellPlace, Chain, ColumnLamps, ColumnPlace, Order, Place, TurnLamps
from popout.board.contacts import Leds, other
from popout.board.layout import Layout
from popout.doctor.finding import Finding, Severity
from popout.doctor.observations import LampsSeen, LedsSeen
from popout.rules.messages import Message


@dataclass(slots=True)
class LampVerdict:
    """What is the matter with the lamps, and what the layout should say of them; see `popout.doctor.edits`."""

    findings: list[Finding] = field(default_factory=list)
    order: Order | None = None
    parts: tuple[CellLamps | ColumnLamps | TurnLamps, ...] | None = None
    leds: Leds | None = None

    def add(self, severity: Severity, code: str, text: Message) -> None:
        """Note a finding."""
        self.findings.append(Finding(severity, code, text, area="lamps"))


def judge_chain(layout: Layout, chain: Chain, seen: LampsSeen, verdict: LampVerdict) -> None:
    """What was seen of the chain, understood."""
    if not seen.light:
        verdict.add(
            "problem",
            "no-light",
            Message(
                "No lamp lights. See that their supply is on and its ground connected with the controller's, that the "
                "data wire goes from {pin} to the input (DIN) of the first lamp and not to an output, and that "
                "“popout doctor” finds a way to light them.",
                pin=chain.pin or "?",
            ),
        )
        return
    _colours(chain, seen, verdict)
    lengths = {len(order) for order in seen.orders}
    if lengths == {3, 4}:
        _dark([], seen, verdict)
        return
    if lengths != {len(chain.order)}:
        verdict.add(
            "advice",
            "lamps-not-looked-at",
            Message(
                "Dark lamps and the way of their wire could not be looked at. Run the test again with the corrected "
                "layout."
            ),
        )
        return
    found = seen.chains[0] if seen.confirmed else None
    possible = seen.chains if found or len(seen.chains) > 1 else ()
    _dark([each.places(layout.columns, layout.rows) for each in possible], seen, verdict)
    _way(layout, chain, seen, found, verdict)


def judge_leds(leds: Leds, seen: LedsSeen, verdict: LampVerdict) -> None:
    """What was seen of two plain LEDs, understood."""
    fits = [
        (inverted, exchanged, dead)
        for inverted, exchanged, dead in product((False, True), (False, True), ("", "r", "y", "ry"))
        if _leds_shown(inverted, exchanged, dead) == seen
    ]
    if (False, False, "") in fits:
        verdict.add("fine", "leds-right", Message("The two turn lamps light as the layout says."))
        return
    if len(fits) != 1:
        verdict.add(
            "problem",
            "leds-unclear",
            Message(
                "The two turn lamps do not light as any wiring would let them. See that red's is on {red} and yellow's "
                "on {yellow}, each with its resistor and the right way round, and run the test again.",
                red=leds.red,
                yellow=leds.yellow,
            ),
        )
        return
    ((inverted, exchanged, dead),) = fits
    red, yellow = (leds.yellow, leds.red) if exchanged else (leds.red, leds.yellow)
    if exchanged:
        verdict.add(
            "problem",
            "leds-exchanged",
            Message("The turn lamps are exchanged: red's is on {red}, yellow's on {yellow}.", red=red, yellow=yellow),
        )
    lit = other(leds.lit) if inverted else leds.lit
    if inverted:
        verdict.add(
            "problem",
            "leds-inverted",
            Message("The turn lamps light when they should be dark: they are lit at the level “{level}”.", level=lit),
        )
    if exchanged or inverted:
        verdict.leds = Leds(red=red, yellow=yellow, lit=lit)
    for side, pin in (("r", red), ("y", yellow)):
        if side in dead:
            verdict.add(
                "problem",
                "led-dead",
                Message(
                    "The turn lamp on {pin} does not light. See that the LED is the right way round, its resistor is "
                    "there and its other end is connected.",
                    pin=pin,
                ),
            )


def _leds_shown(inverted: bool, exchanged: bool, dead: str) -> LedsSeen:
    """What would be seen of two LEDs."""

    def shown(*on: str) -> str:
        lit = {("y" if side == "r" else "r") if exchanged else side for side in "ry" if (side in on) != inverted}
        lit -= set(dead)
        return "b" if len(lit) == 2 else next(iter(lit), "n")

    return LedsSeen(shown(), shown("r"), shown("y"))


def _colours(chain: Chain, seen: LampsSeen, verdict: LampVerdict) -> None:
    known = [order for order in get_args(Order) if order in seen.orders]
    if chain.order in known:
        return
    if known and len(seen.orders) == 1:
        (verdict.order,) = known
        verdict.add("problem", *_other_order(known[0], chain.order))
    elif known:
        verdict.add(
            "problem",
            "colours-undecided",
            Message(
                "The lamps take their colours otherwise than the layout says, but too many lamps are dark to tell how. "
                "Put them right first and run the test again."
            ),
        )
    elif seen.orders:
        verdict.add(
            "problem",
            "colours-unknown",
            Message(
                "The lamps take their colours in an order that no layout can name: they are of another kind than "
                "WS2812 or SK6812."
            ),
        )
    else:
        verdict.add(
            "problem",
            "colours-unclear",
            Message(
                "The colours that were seen fit no order. If the lamps flicker, look at their data wire: it should "
                "be short, with 5 V levels and a ground beside it. Then run the test again."
            ),
        )


def _other_order(order: Order, told: Order) -> tuple[str, Message]:
    """That the order is not the one that was told."""
    if len(order) == len(told):
        return "colours-exchanged", Message(
            "Red and green come out exchanged: these lamps take their colours in the order “{order}”.", order=order
        )
    if len(order) > len(told):
        return "lamps-with-white", Message(
            "The lamps show shifted colours: each has a white of its own besides the three colours. Their order is "
            "“{order}”.",
            order=order,
        )
    return "lamps-without-white", Message(
        "The lamps show shifted colours: they have three colours and no white of their own. Their order is “{order}”.",
        order=order,
    )


def _dark(ways: Sequence[Sequence[Place]], seen: LampsSeen, verdict: LampVerdict) -> None:
    """Lamps that do not light: alone, or all behind a break of the wire.

    :param ways: the places of the lamps along each way that the wire may go. What they agree on is certain.
    """
    numbers = [_agreed([places.index(place) for places in ways]) for place in sorted(seen.dark, key=str)]
    reach = seen.reach
    if len(seen.dark) > 1:
        behind = [min(places.index(place) for place in seen.dark) for places in ways]
        if all(len(places) - first == len(seen.dark) for first, places in zip(behind, ways, strict=True)):
            reach = _agreed(behind)
    if reach is not None:
        last = _agreed([places[reach - 1] for places in ways]) if reach else None
        if last is not None:
            text = Message(
                "The lamps light up to number {reach} on the wire (“{last}”), and those behind it are dark. Look "
                "at the wire from there to the next one; if it is whole, replace one of these two lamps.",
                reach=reach,
                last=place_name(last),
            )
        else:
            text = Message(
                "The lamps light up to number {reach} on the wire, and those behind it are dark. Look at the wire from "
                "there to the next one; if it is whole, replace one of these two lamps.",
                reach=reach,
            )
        verdict.add("problem", "chain-broken", text)
        return
    for place, number in zip(sorted(seen.dark, key=str), numbers, strict=True):
        if number is not None:
            text = Message(
                "The lamp “{place}” stays dark; it is number {number} on the wire. Replace it.",
                place=place_name(place),
                number=number + 1,
            )
        else:
            text = Message("The lamp “{place}” stays dark. Replace it.", place=place_name(place))
        verdict.add("problem", "lamp-dead", text)


_Value = TypeVar("_Value")


def _agreed(values: Sequence[_Value]) -> _Value | None:
    """The value that all of them are; None if they differ or there are none."""
    return values[0] if values and all(value == values[0] for value in values) else None


def _way(layout: Layout, chain: Chain, seen: LampsSeen, found: Chain | None, verdict: LampVerdict) -> None:
    if found == chain:
        verdict.add("fine", "chain-right", Message("The chain of lamps goes as the layout says."))
    elif found is not None:
        verdict.parts = found.parts
        verdict.add(
            "problem",
            "chain-otherwise",
            Message(
                "The chain of lamps goes otherwise than the layout says. What was seen fits only this: {parts}.",
                parts="; ".join(_written(part) for part in found.parts),
            ),
        )
    elif len(seen.chains) > 1 and chain in seen.chains:
        verdict.add(
            "advice",
            "chain-untold",
            Message(
                "Nothing speaks against the layout's description of the chain, but too many lamps are dark to be sure."
            ),
        )
    elif len(seen.chains) > 1:
        verdict.add(
            "problem",
            "chain-undecided",
            Message(
                "The chain of lamps goes otherwise than the layout says, but too many lamps are dark to tell how. Put "
                "them right first and run the test again."
            ),
        )
    else:
        _unclear(layout, seen, verdict)


def _unclear(layout: Layout, seen: LampsSeen, verdict: LampVerdict) -> None:
    """No way of the wire explains the answers: show them all."""
    if seen.chains:
        verdict.add(
            "problem",
            "chain-contradicts",
            Message(
                "The lamps that were lit alone are where one way of their wire would have them, but the picture of "
                "column 1 and row 1 did not look so. Either an answer was wrong, or pieces of the wire have changed "
                "places in a way that no layout can say. Run the test again."
            ),
        )
        return
    verdict.add(
        "problem",
        "chain-unclear",
        Message(
            "What was seen of the lamps fits no way in which their wire could go. Either an answer was wrong, or "
            "the layout describes other lamps than there are. Compare its parts with the board and run the test again."
        ),
    )
    for each in seen.answers:
        expected = place_name(layout.places[each.index])
        if each.seen is None:
            text = Message(
                "Lamp {number} on the wire: no light was seen; by the layout it is “{expected}”.",
                number=each.index + 1,
                expected=expected,
            )
        else:
            text = Message(
                "Lamp {number} on the wire: the light was at “{seen}”; by the layout it is “{expected}”.",
                number=each.index + 1,
                seen=place_name(each.seen),
                expected=expected,
            )
        verdict.add("advice", "lamp-seen", text)


def place_name(place: Place) -> Message:
    """Where a lamp is, for a person."""
    match place:
        case CellPlace(column, row):
            return Message("column {column}, row {row}", column=column, row=row)
        case ColumnPlace(column):
            return Message("button of column {column}", column=column)
        case _:
            return Message("red's turn lamp") if place.side == "red" else Message("yellow's turn lamp")


def _written(part: CellLamps | ColumnLamps | TurnLamps) -> str:
    """A part as a layout file writes it."""
    kind = part.__struct_config__.tag
    values = {name: getattr(part, name) for name in part.__struct_fields__}
    return ", ".join(
        f"{name} = {str(value).lower() if isinstance(value, bool) else chr(34) + str(value) + chr(34)}"
        for name, value in {"kind": kind, **values}.items()
    )
