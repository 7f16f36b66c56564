"""The part of the test that is about lamps: their colours, which stay dark, and along which way their wire goes.

Lamps are lit by their place on the wire, as far as the layout's description lets it be known which that is; where the
light is, the person says by pressing the column, or at the terminal.
"""

from __future__ import annotations

from collections.abc import Iterable

from popout.board.chain import CellPlace, Chain, ColumnPlace, Place, TurnPlace
from popout.board.frame import DARK, Colour, Frame
from popout.board.layout import Layout
from popout.board.switches import numbered
from popout.doctor import colours
from popout.doctor.asking import Question, Reply, Script, Tap, Touched, Typed, ask, ask_word
from popout.doctor.chains import all_ways, best_lamp, that_explain
from popout.doctor.observations import LampSeen, LampsSeen, LedsSeen, SwitchesSeen
from popout.doctor.switch_steps import GLOW, unreliable
from popout.rules.messages import Message

_PURE: dict[str, Colour] = {"r": 0x600000, "g": 0x006000, "b": 0x000060}
_ALL_LIT = "all lit"
_MANY_DARK = "many dark"
_MOST_PROBES = 8


def try_leds(layout: Layout) -> Script[LedsSeen]:
    """Light the two plain LEDs in every way."""
    dark = Frame.dark(layout.columns, layout.rows)
    seen = []
    for red, yellow in ((DARK, DARK), (GLOW, DARK), (DARK, GLOW)):
        frame = Frame(dark.cells, dark.columns, (red, yellow))
        say = (Message("Which turn lamp is lit now? Type r for red's, y for yellow's, b for both, n for none."),)
        seen.append((yield from ask_word(say, frame, "rybn")))
    return LedsSeen(*seen)


def try_chain(layout: Layout, chain: Chain, switches: SwitchesSeen, seen: LampsSeen) -> Script[None]:
    """Find out all about the chain, as far as the first things found allow the later ones to be asked."""
    yield from _colours(layout, chain, seen)
    if not seen.light:
        return
    lengths = {len(order) for order in seen.orders}
    if lengths == {3, 4}:
        # So many of the first lamps are dark that it could not be told; where the light ends can be.
        seen.reach = yield from _reach(layout)
    # Only where each lamp takes as many bytes as it is sent does it show what it is meant to show.
    if lengths != {len(chain.order)}:
        return
    yield from _dark_ones(layout, switches, seen)
    if seen.reach == 0:
        seen.light = False
        return
    yield from _way(layout, chain, switches, seen)


def _colours(layout: Layout, chain: Chain, seen: LampsSeen) -> Script[None]:
    lamps = len(layout.places)
    orders: list[str] = list(colours.ORDERS)
    useless: list[int] = []
    for number in range(_MOST_PROBES):
        probe = colours.best_probe(chain.order, orders, lamps, useless)
        if probe is None:
            break
        letter = yield from ask_word(
            (
                Message("One lamp is lit now. Which colour has it?")
                if number == 0
                else Message("Again one lamp is lit. Which colour has it now?"),
                Message("Type r for red, g for green, b for blue, w for white, m for more than one, n for no light."),
            ),
            _lit(layout, [probe.lamp], _PURE[probe.colour]),
            "rgbwmn",
        )
        if letter == colours.NONE:
            if not useless and not (yield from _any_light(layout)):
                seen.light = False
                return
            useless.append(probe.lamp)  # the lamp is dark, whatever it is sent
            continue
        orders = [order for order in orders if colours.answer(chain.order, order, lamps, probe) == letter]
    if lamps == 1:
        orders = [order for order in orders if len(order) == len(chain.order)]  # it makes no difference
    seen.orders = tuple(orders)


def _any_light(layout: Layout) -> Script[bool]:
    say = (Message("All lamps should be lit now. Is there light in any of them? Type y or n."),)
    return (yield from ask_word(say, _lit(layout, range(len(layout.places)), GLOW), "yn")) == "y"


def _dark_ones(layout: Layout, switches: SwitchesSeen, seen: LampsSeen) -> Script[None]:
    """Ask which lamps stay dark while all should be lit."""
    everything = _lit(layout, range(len(layout.places)), GLOW)
    say = [
        Message("All lamps should be lit now. Type Enter if they are, m if many are dark."),
        Message("If one of them is dark, say which:"),
        *_how_to_say_where(layout),
    ]
    dark: set[Place] = set()
    while True:
        found = yield from _place(layout, switches, tuple(say), everything, (_ALL_LIT, _MANY_DARK))
        if found == _MANY_DARK:
            seen.reach = yield from _reach(layout)
            return
        if not isinstance(found, tuple):
            seen.dark = frozenset(dark)
            return
        dark.add(found)
        say = [Message("Is another one dark? Say which in the same way; type Enter if all others are lit.")]


def _reach(layout: Layout) -> Script[int | None]:
    """Find how many lamps from the pin on light, halving what is left with each question; None if all do after all."""
    lit, dark = 0, len(layout.places)
    while lit < dark:
        middle = (lit + dark) // 2
        say = (Message("One lamp should be lit now. Is it? Type y or n."),)
        if (yield from ask_word(say, _lit(layout, [middle], GLOW), "yn")) == "y":
            lit = middle + 1
        else:
            dark = middle
    return lit if lit < len(layout.places) else None


def _way(layout: Layout, chain: Chain, switches: SwitchesSeen, seen: LampsSeen) -> Script[None]:
    ways = all_ways(chain, layout.columns, layout.rows)
    lamps = len(layout.places) if seen.reach is None else seen.reach
    one = Message("One lamp is lit now. Say where; type Enter if you see no light.")
    say = (one, *_how_to_say_where(layout))
    while (index := best_lamp(ways, seen.dark, lamps)) is not None:
        frame = _lit(layout, [index], GLOW)
        found = yield from _place(layout, switches, say, frame, (_ALL_LIT,))
        answer = LampSeen(index, found if isinstance(found, tuple) else None)
        left = that_explain(ways, [answer], seen.dark)
        if not left:
            doubt = Message("That fits no way in which the lamps can be wired. Please look once more.")
            found = yield from _place(layout, switches, (doubt, *say), frame, (_ALL_LIT,))
            answer = LampSeen(index, found if isinstance(found, tuple) else None)
            left = that_explain(ways, [answer], seen.dark)
        seen.answers.append(answer)
        ways = left
        say = (one,)  # how to say it is known by now
        if not ways:
            return
    seen.chains = tuple(ways)
    if len(ways) == 1:
        ((_, places),) = ways.items()
        seen.confirmed = yield from _confirm(layout, places)


def _confirm(layout: Layout, places: tuple[Place, ...]) -> Script[bool]:
    """Show a picture that looks wrong in any other way of the wire than the one that was found."""
    picture, said = set[Place](), [Message("Now only these lamps should be lit:")]
    if any(isinstance(place, CellPlace) for place in places):
        picture |= {place for place in places if isinstance(place, CellPlace) and 1 in place}
        said.append(Message("- all cells of column 1, the leftmost, and of row 1, the lowest;"))
    if ColumnPlace(1) in places:
        picture.add(ColumnPlace(1))
        said.append(Message("- the lamp at the button of column 1;"))
    if TurnPlace("red") in places:
        picture.add(TurnPlace("red"))
        said.append(Message("- red's turn lamp."))
    said.append(Message("Is it so, apart from lamps that are always dark? Type y or n."))
    frame = _lit(layout, [index for index, place in enumerate(places) if place in picture], GLOW)
    return (yield from ask_word(tuple(said), frame, "yn")) == "y"


def _lit(layout: Layout, indices: Iterable[int], colour: Colour) -> Frame:
    """The frame in which the lamps at these places of the wire are lit."""
    lit = {layout.places[index] for index in indices}
    return Frame(
        cells=tuple(
            tuple(colour if CellPlace(column, row) in lit else DARK for row in range(1, layout.rows + 1))
            for column in range(1, layout.columns + 1)
        ),
        columns=tuple(colour if ColumnPlace(column) in lit else DARK for column in range(1, layout.columns + 1)),
        turns=(
            colour if TurnPlace("red") in lit else DARK,
            colour if TurnPlace("yellow") in lit else DARK,
        ),
    )


def _how_to_say_where(layout: Layout) -> list[Message]:
    has = layout.chain.kinds if layout.chain else ()
    said = []
    if "cells" in has:
        said.append(
            Message(
                "- behind a cell: press the button of its column, or type column and row, such as 3 2 (row 1 lowest)"
            )
        )
    if "columns" in has:
        said.append(Message("- at a button: press that button, or type its column, such as 3 0"))
    if "turns" in has:
        said.append(Message("- a turn lamp: type r for red's, y for yellow's"))
    return said


def _place(
    layout: Layout, switches: SwitchesSeen, say: tuple[Message, ...], frame: Frame, words: tuple[str, ...]
) -> Script[Place | str]:
    """Ask for the place of a lamp. Of `words`, the first is what the Enter key says, the second the letter m."""
    has = layout.chain.kinds if layout.chain else ()

    def understand(reply: Reply) -> Place | int | str | None:
        if isinstance(reply, Touched):
            return _column_pressed(switches, reply)
        if not isinstance(reply, Typed):
            return None
        match reply.text.replace(",", " ").split():
            case []:
                return words[0]
            case ["m"] if len(words) > 1:
                return words[1]
            case ["r"] if "turns" in has:
                return TurnPlace("red")
            case ["y"] if "turns" in has:
                return TurnPlace("yellow")
            case [column] if column.isdecimal() and 1 <= int(column) <= layout.columns:
                return int(column)
            case [column, row] if column.isdecimal() and row.isdecimal() and 1 <= int(column) <= layout.columns:
                return _lamp(layout, int(column), int(row))
        return None

    tap = Tap(switches.resting, unreliable(switches), patient=True)
    where: Script[Place | int | str] = ask(Question(say, tap, (frame,)), understand)
    found = yield from where
    if not isinstance(found, int):
        return found
    column = found
    if "cells" not in has:
        return ColumnPlace(column)
    if "columns" not in has and layout.rows == 1:
        return CellPlace(column, 1)

    def understand_row(reply: Reply) -> Place | None:
        if not isinstance(reply, Typed) or not reply.text.isdecimal():
            return None
        return _lamp(layout, column, int(reply.text))

    if "columns" in has:
        row = Message(
            "Column {column}: in which row? Type its number, 1 for the lowest; 0 if it is the lamp at the button.",
            column=column,
        )
    else:
        row = Message("Column {column}: in which row? Type its number, 1 for the lowest.", column=column)
    in_column: Script[Place] = ask(Question((row,), tap, (frame,)), understand_row)
    return (yield from in_column)


def _lamp(layout: Layout, column: int, row: int) -> Place | None:
    """The lamp that was named by two numbers; None if the board has no such."""
    place = CellPlace(column, row) if row else ColumnPlace(column)
    return place if place in layout.places else None


def _column_pressed(switches: SwitchesSeen, reply: Touched) -> int | None:
    """The column at whose button a hand was, by what was learnt of the buttons; None if that is not certain."""
    if len(reply.switches) != 1:
        return None
    place = switches.place_of(reply.switches[0])
    kind, column = numbered(place or "") or ("", 0)
    return column if kind in ("column", "yellow column") else None
