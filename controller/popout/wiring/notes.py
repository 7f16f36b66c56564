"""What there is to know while a board is soldered, beside its wires."""

from __future__ import annotations

from collections.abc import Iterator

from popout.board.contacts import crossing
from popout.board.layout import Layout
from popout.board.switches import numbered
from popout.rules.messages import Message
from popout.wiring.connections import connections
from popout.wiring.pinout import GROUND
from popout.wiring.supplies import FROM_THE_COMPUTER, HIGH, fed_by_the_computer, rail

_LAMPS_A_FEED = 50


def drawn(layout: Layout) -> Iterator[Message]:
    """What a picture shows by itself, for those who read text: the other ends of switches, and the lamps' parts."""
    switches = [wire for wire in connections(layout) if wire.kind == "switch"]
    level = GROUND if rail(layout) == GROUND else HIGH
    crossings = [wire for wire in switches if wire.place is None and crossing(wire.pin) is not None]
    if layout.matrix is not None and crossings:
        if layout.matrix.diodes:
            yield Message(
                "The switch of a crossing lies between the two lines that it is named after, R1C2 between row 1 and "
                "column 2 of the matrix, with a diode in line."
            )
        else:
            yield Message(
                "The switch of a crossing lies between the two lines that it is named after, R1C2 between row 1 and "
                "column 2 of the matrix."
            )
        if any(wire.place is not None for wire in switches):
            yield Message("The other contact of any other switch goes to {rail}, wherever that is nearest.", rail=level)
    elif any(wire.place is not None for wire in switches):
        yield Message("The other contact of a switch goes to {rail}, wherever that is nearest.", rail=level)
    if layout.leds is not None:
        yield Message(
            "Each of the turn LEDs lies between its pin and {rail}, with a resistor of 330 ohms.",
            rail=GROUND if layout.leds.lit == "high" else HIGH,
        )
    if layout.chain is not None and layout.driver:
        yield Message(
            "The lamps' data go from their pin through a level shifter 74AHCT125, fed with 5 V, and a resistor of 330 "
            "to 470 ohms to DIN of the first lamp, and from DOUT of each lamp to DIN of the next one."
        )
        yield Message("A capacitor of 1000 microfarads lies between 5 V and GND near the first lamp.")
        if not fed_by_the_computer(layout):
            yield Message(
                "The lamps have a 5 V supply of their own, which gives {amperes} A.",
                amperes=f"{layout.milliamps / 1000:g}",
            )


def notes(layout: Layout) -> Iterator[Message]:
    """What no picture shows."""
    if layout.chain is not None and layout.driver:
        if fed_by_the_computer(layout):
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
        # No sign for ohms: it is said on screens too, and not every one has it.
        yield Message(
            "A wire over a metre long picks up what is switched nearby: twist it with a ground wire, and put 4.7 "
            "kilohms to 3.3 V and 100 nF to GND at its pin."
        )
