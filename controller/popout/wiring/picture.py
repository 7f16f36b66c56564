"""The wiring of a board as a picture: one SVG with everything that must be soldered, drawn by schemdraw.

schemdraw is imported when a picture is drawn, so that whatever else is asked of a layout does not wait for it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from popout.board.contacts import crossing
from popout.board.layout import Layout
from popout.board.switches import BAR, numbered
from popout.rules.messages import Message, PopoutError
from popout.wiring.connections import Connection, connections
from popout.wiring.notes import notes
from popout.wiring.pinout import EXPANDER, GROUND, PINOUTS, SUPPLY_3V3, SUPPLY_5V
from popout.wiring.remarks import remarks
from popout.wiring.supplies import HIGH, fed_by_the_computer, feeds, fixed_legs, rail

if TYPE_CHECKING:
    from popout.wiring.picture_chip import ChipPicture, Contact, Ending
    from popout.wiring.sheet import Sheet

Say = Callable[[Message], str]
"""A message as text in the reader's language."""

_WIDEST = 50.0
_GAP = 1.8
_SHORTEST_NOTE, _LONGEST_NOTE = 60, 120
_NOTE_LINE = 0.45


class PictureImpossible(PopoutError, ValueError):
    """A layout whose wiring cannot be drawn."""

    code = "picture-impossible"


class Block(Protocol):
    """A part of the picture that stands by itself; its measures are in units of the sheet."""

    @property
    def width(self) -> float:
        """From left to right."""

    @property
    def height(self) -> float:
        """From top to bottom."""

    def draw(self, sheet: Sheet, x: float, y: float) -> None:
        """Draw it with its upper left corner there."""


def picture(layout: Layout, say: Say) -> str:
    """The wiring of the board as an SVG document; the same layout gives the same bytes.

    :raises PictureImpossible: it is not known what the pins of the layout are on.
    """
    if layout.driver not in PINOUTS:
        raise PictureImpossible(
            Message(
                "The wiring of “{layout}” cannot be drawn: its key driver does not say whose pins these are. Write "
                "“gpio” for a Raspberry Pi or “serial” for a Pico.",
                layout=layout.name,
            )
        )
    from popout.wiring.sheet import GREY, LABEL, TITLE, Sheet, text_width

    sheet = Sheet()
    sheet.text((0, 0), layout.title, size=1.4 * TITLE)
    size = Message("{columns} columns, {rows} rows", columns=layout.columns, rows=layout.rows)
    sheet.text((0, -0.8), say(size), size=LABEL, colour=GREY)
    bottom = _shelve(sheet, list(_blocks(layout, say)), -1.8)
    letters = max(_SHORTEST_NOTE, int((sheet.right - 0.4) / text_width("n")))
    for note in (*notes(layout), *remarks(layout)):
        first, *rest = textwrap.wrap(say(note), min(letters, _LONGEST_NOTE))
        sheet.text((0, bottom), "•")
        for line in (first, *rest):
            sheet.text((0.4, bottom), line)
            bottom -= _NOTE_LINE
        bottom -= 0.1
    return sheet.svg()


def _shelve(sheet: Sheet, blocks: Sequence[Block], y: float) -> float:
    """Draw the first block at the left and the others in rows beside it; returns where the lowest ends."""
    ways = (_places(blocks, beneath=False), _places(blocks, beneath=True))
    places = max(ways, key=lambda way: _lowest(blocks, way))
    for block, (x, under) in zip(blocks, places, strict=True):
        block.draw(sheet, x, y + under)
    return y + _lowest(blocks, places) - _GAP


def _places(blocks: Sequence[Block], *, beneath: bool) -> list[tuple[float, float]]:
    """The upper left corner of each; with `beneath` the rows go on under the first block, else they stay beside it."""
    first, *others = blocks
    places = [(0.0, 0.0)]
    left = x = first.width + _GAP
    row = 0.0
    for block in others:
        if x > left and x + block.width > _WIDEST:
            passed = slice(0 if beneath else 1, len(places))
            row = _lowest(blocks[passed], places[passed]) - _GAP
            left = x = 0.0 if beneath else left
        places.append((x, row))
        x += block.width + _GAP
    return places


def _lowest(blocks: Iterable[Block], places: Iterable[tuple[float, float]]) -> float:
    return min(under - block.height for block, (_, under) in zip(blocks, places, strict=True))


def _blocks(layout: Layout, say: Say) -> Iterator[Block]:
    wires = connections(layout)
    yield _computer(layout, wires, say)
    if layout.matrix is not None:
        from popout.wiring.picture_matrix import MatrixPicture

        yield MatrixPicture(
            title=say(Message("Matrix")),
            subtitle=say(Message("R1, C1 and so on are the flags of the same name at the header.")),
            rows=len(layout.matrix.rows),
            columns=len(layout.matrix.columns),
            diodes=layout.matrix.diodes,
            contacts={
                place: _contact(layout, wire, say)
                for wire in wires
                if wire.place is None and (place := crossing(wire.pin)) is not None
            },
        )
    for number in range(1, len(layout.expanders) + 1):
        yield _expander(layout, number, wires, say)
    if layout.chain is not None:
        yield from _chain(layout, say)


def _computer(layout: Layout, wires: Sequence[Connection], say: Say) -> ChipPicture:
    from popout.wiring.picture_chip import ChipPicture, Contact, Led, Net

    pi = layout.driver == "gpio"
    pinout = PINOUTS[layout.driver]
    endings = {
        wire.place.number: _ending(layout, wire, say) for wire in wires if not wire.chip and wire.place is not None
    }
    names = {pin.number: pin.name for pin in pinout.pins}
    for number, fed in feeds(layout).items():
        endings[number] = Net(say(fed), HIGH if names[number] == SUPPLY_3V3 else "5 V")
    bus = rail(layout)
    grounded = bus == GROUND and any(
        isinstance(each, Contact) or (isinstance(each, Led) and each.end == bus) for each in endings.values()
    )
    if not grounded and (pin := pinout.pin(GROUND)) is not None:
        endings[pin.number] = Net("", GROUND)
    return ChipPicture(
        title=say(Message("Raspberry Pi, 40-pin header")) if pi else say(Message("Raspberry Pi Pico or Pico 2")),
        subtitle=say(
            Message("From above, pin 1 next to the corner of the board; all pins GND are joined.")
            if pi
            else Message("From above; all pins GND are joined.")
        ),
        pinout=pinout,
        endings=endings,
        bus=bus,
        mark="" if pi else "socket",
    )


def _expander(layout: Layout, number: int, wires: Sequence[Connection], say: Say) -> ChipPicture:
    from popout.wiring.picture_chip import ChipPicture, Net

    address = layout.expanders[number - 1].address
    endings: dict[int, Ending] = {
        wire.place.number: _ending(layout, wire, say)
        for wire in wires
        if wire.chip == number and wire.place is not None
    }
    pulled = say(Message("pulled up on the Pi"))
    flags = {
        **{leg: Net("", level) for leg, level in fixed_legs(address).items()},
        "SDA": Net(pulled, "SDA"),
        "SCL": Net(pulled, "SCL"),
        "INTA": Net("", f"INT{number}"),
    }
    for name, ending in flags.items():
        pin = EXPANDER.pin(name)
        assert pin is not None, "the case has it"
        endings[pin.number] = ending
    return ChipPicture(
        title=say(Message("Expander {number}: MCP23017", number=number)),
        subtitle=say(Message("From above, address {address}", address=hex(address))),
        pinout=EXPANDER,
        endings=endings,
        bus=rail(layout),
        mark="notch",
    )


def _chain(layout: Layout, say: Say) -> Iterator[Block]:
    from popout.wiring.picture_lamps import ChainCircuit, ChainMap

    if fed_by_the_computer(layout):
        pin = PINOUTS[layout.driver].pin(*SUPPLY_5V)
        assert pin is not None, "both computers have it"
        supply = (
            say(Message("5 V of the computer")),
            say(Message("pin {number}, {milliamps} mA", number=pin.number, milliamps=f"{layout.milliamps:g}")),
        )
    else:
        supply = say(Message("Supply of 5 V")), say(Message("{amperes} A", amperes=f"{layout.milliamps / 1000:g}"))
    yield ChainCircuit(
        title=say(Message("The lamps on their wire")),
        subtitle=say(Message("WS2812 or alike; the capacitor and the resistor near the first lamp")),
        lamps=len(layout.places),
        supply=supply,
        flag="DATA",
        ground=say(Message("joined with GND of the computer")),
    )
    yield ChainMap(
        title=say(Message("Where the lamps are")),
        subtitle=say(Message("From the front, numbered along the wire")),
        places=layout.places,
        columns=layout.columns,
        rows=layout.rows,
        turns=(say(Message("red")), say(Message("yellow"))),
    )


def _ending(layout: Layout, wire: Connection, say: Say) -> Ending:
    from popout.wiring.picture_chip import Led, Net

    match wire.kind:
        case "switch":
            return _contact(layout, wire, say)
        case "led":
            outwards = wire.closed == "high"
            label = say(Message("{led}, 330 Ω", led=wire.told()))
            return Led(label, end=GROUND if outwards else SUPPLY_3V3, outwards=outwards)
        case "row" | "column" | "interrupt":
            letters = {"row": "R", "column": "C", "interrupt": "INT"}[wire.kind]
            return Net(say(wire.told()), f"{letters}{wire.number}")
        case "data" | "clock" | "lamps":
            return Net(say(wire.told()), {"data": "SDA", "clock": "SCL", "lamps": "DATA"}[wire.kind])


def _contact(layout: Layout, wire: Connection, say: Say) -> Contact:
    from popout.wiring.picture_chip import Contact

    conducting = "low" if wire.place is None or rail(layout) == GROUND else "high"
    closed = wire.closed != conducting
    label = say(Message("{switch} (closed at rest)", switch=wire.told()) if closed else wire.told())
    kind = (numbered(wire.name) or ("",))[0]
    if kind.endswith("sensor"):
        return Contact(label, "beam", closed)
    lever = wire.name == BAR or (layout.actuation == "disc" and kind == "column")
    return Contact(label, "lever" if lever else "button", closed)
