"""The wiring of a board as a picture: one SVG with everything that must be soldered, drawn by schemdraw.

schemdraw is imported when a picture is drawn, so that whatever else is asked of a layout does not wait for it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from popout.board.contacts import crossing
from popout.board.layout import Layout
from popout.board.switches import BAR, numbered
from popout.rules.messages import Message, PopoutError
from popout.wiring.connections import Connection, connections
from popout.wiring.pinout import EXPANDER, GROUND, PINOUTS, SUPPLY_3V3, SUPPLY_5V
from popout.wiring.remarks import remarks

if TYPE_CHECKING:
    from popout.wiring.picture_chip import ChipPicture, Contact, Ending
    from popout.wiring.sheet import Sheet

Say = Callable[[Message], str]
"""A message as text in the reader's language."""

FROM_THE_COMPUTER = 500
"""Milliamps that the 5 V pins of the computer can give besides the computer itself."""

_LAMPS_A_FEED = 50
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
    for note in _notes(layout):
        first, *rest = textwrap.wrap(say(note), min(letters, _LONGEST_NOTE))
        sheet.text((0, bottom), "•")
        for line in (first, *rest):
            sheet.text((0.4, bottom), line)
            bottom -= _NOTE_LINE
        bottom -= 0.1
    return sheet.svg()


def _shelve(sheet: Sheet, blocks: Sequence[Block], y: float) -> float:
    """Draw the first block at the left and the others in rows beside it; returns where the lowest ends."""
    first, *others = blocks
    first.draw(sheet, 0, y)
    lowest = y - first.height
    beside = first.width + _GAP
    x, row, under = beside, y, y
    for block in others:
        if x > beside and x + block.width > _WIDEST:
            x, row = beside, under
        block.draw(sheet, x, row)
        lowest = min(lowest, row - block.height)
        under = row - block.height - _GAP if x == beside else min(under, row - block.height - _GAP)
        x += block.width + _GAP
    return lowest - _GAP


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
    from popout.wiring.picture_chip import ChipPicture, Net

    pi = layout.driver == "gpio"
    pinout = PINOUTS[layout.driver]
    endings = {
        wire.place.number: _ending(layout, wire, say) for wire in wires if not wire.chip and wire.place is not None
    }
    if _fed_by_the_computer(layout) and (pin := pinout.pin(*SUPPLY_5V)) is not None:
        endings[pin.number] = Net(say(Message("the lamps' supply")), "5 V")
    if layout.expanders and (pin := pinout.pin(SUPPLY_3V3)) is not None:
        endings[pin.number] = Net(say(Message("the expanders' supply")), "3.3 V")
    return ChipPicture(
        title=say(Message("Raspberry Pi, 40-pin header")) if pi else say(Message("Raspberry Pi Pico or Pico 2")),
        subtitle=say(
            Message("From above, pin 1 next to the corner of the board; all pins GND are joined.")
            if pi
            else Message("From above; all pins GND are joined.")
        ),
        pinout=pinout,
        endings=endings,
        bus=_bus(layout),
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
    pulled = say(Message("1.8 kΩ on the Pi"))
    high, low = Net("", "3.3 V"), Net("", "GND")
    supplies = {
        "VDD": high,
        "VSS": low,
        "SDA": Net(pulled, "SDA"),
        "SCL": Net(pulled, "SCL"),
        "RESET": high,
        "INTA": Net("", f"INT{number}"),
        **{f"ADDR{bit}": high if address >> bit & 1 else low for bit in range(3)},
    }
    for name, ending in supplies.items():
        pin = EXPANDER.pin(name)
        assert pin is not None, "the case has it"
        endings[pin.number] = ending
    return ChipPicture(
        title=say(Message("Expander {number}: MCP23017", number=number)),
        subtitle=say(Message("From above, address {address}", address=hex(address))),
        pinout=EXPANDER,
        endings=endings,
        bus=_bus(layout),
        mark="notch",
    )


def _chain(layout: Layout, say: Say) -> Iterator[Block]:
    from popout.wiring.picture_lamps import ChainCircuit, ChainMap

    if _fed_by_the_computer(layout):
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
            label = say(Message("{led}, 330 Ω", led=wire.name))
            return Led(label, end=GROUND if outwards else SUPPLY_3V3, outwards=outwards)
        case "row" | "column" | "interrupt":
            letters = {"row": "R", "column": "C", "interrupt": "INT"}[wire.kind]
            return Net(say(wire.told()), f"{letters}{wire.number}")
        case "data" | "clock" | "lamps":
            return Net(say(wire.told()), {"data": "SDA", "clock": "SCL", "lamps": "DATA"}[wire.kind])


def _contact(layout: Layout, wire: Connection, say: Say) -> Contact:
    from popout.wiring.picture_chip import Contact

    closed = wire.name in layout.inverted
    label = say(Message("{switch} (closed at rest)", switch=wire.name) if closed else wire.told())
    kind = (numbered(wire.name) or ("",))[0]
    if kind.endswith("sensor"):
        return Contact(label, "beam", closed)
    lever = wire.name == BAR or (layout.actuation == "disc" and kind == "column")
    return Contact(label, "lever" if lever else "button", closed)


def _notes(layout: Layout) -> Iterator[Message]:
    if layout.chain is not None:
        if _fed_by_the_computer(layout):
            yield Message("The lamps are fed by the computer: never more than {most} mA.", most=FROM_THE_COMPUTER)
        else:
            yield Message("Join the grounds of supply, lamps and computer, but never the supply's + with a 3.3 V pin.")
        if len(layout.places) > _LAMPS_A_FEED:
            yield Message(
                "Feed the chain at both ends, and every {count} lamps between: a thin wire loses light and colour.",
                count=_LAMPS_A_FEED,
            )
    if any((numbered(switch) or ("",))[0].endswith("sensor") for switch in layout.switches):
        yield Message(
            "A beam's receiver needs a supply of its own (its data sheet says which), an open collector and a Schmitt "
            "trigger, so that a disc is seen once."
        )
    if layout.matrix is not None and layout.matrix.diodes:
        yield Message("The diodes are 1N4148 or alike, the ring towards the row.")
    if layout.expanders:
        yield Message("At each expander: 100 nF between its legs 9 and 10. INTA tells of both ports; INTB stays free.")
    if layout.pull == "up" and any(
        wire.kind == "switch" and wire.place and not wire.chip for wire in connections(layout)
    ):
        yield Message(
            "A wire over a metre long picks up what is switched nearby: twist it with a ground wire, and put 4.7 kΩ to "
            "3.3 V and 100 nF to GND at its pin."
        )
    yield from remarks(layout)


def _bus(layout: Layout) -> str:
    """What a closed contact connects its pin to."""
    return GROUND if layout.closed == "low" else SUPPLY_3V3


def _fed_by_the_computer(layout: Layout) -> bool:
    return layout.chain is not None and layout.milliamps <= FROM_THE_COMPUTER
