from __future__ import annotations

import random
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpio_pins import with_beams
from popout.board.chain import CellLamps, CellPlace, ColumnLamps, ColumnPlace, TurnLamps, TurnPlace
from popout.board.contacts import Leds
from popout.board.layout import Layout
from popout.doctor.chains import all_ways
from popout.doctor.diagnosis import Diagnosis
from popout.doctor.edits import Edits, corrected
from wiring import Bench, Person, sit_down

PI, SMALL, CLUB = (Layout.load(name) for name in ("7x6-pi", "5x4", "7x6-club"))
BARE = replace(PI, chain=None)
LEDS = replace(SMALL, chain=None, leds=Leds(red="GPIO17", yellow="GPIO27"))
BEAMS = with_beams()
BOARDS = {"7x6": PI, "5x4": SMALL, "club": CLUB, "no lamps": BARE, "LEDs only": LEDS, "beams": BEAMS}

every_board = pytest.mark.parametrize("told", BOARDS.values(), ids=BOARDS)


def codes(diagnosis: Diagnosis) -> list[str]:
    """What is wrong; not what is only worth knowing."""
    return [finding.code for finding in diagnosis.findings if finding.severity == "problem"]


def rewired(layout: Layout, *exchanged: tuple[str, str]) -> Layout:
    """The board with the wires of these switches exchanged."""
    pins = dict(layout.switches)
    for first, second in exchanged:
        pins[first], pins[second] = pins[second], pins[first]
    return replace(layout, switches=pins)


def rechained(layout: Layout, **values: object) -> Layout:
    """The board with another chain."""
    return replace(layout, chain=msgspec.structs.replace(layout.chain, **values))


def backwards(layout: Layout) -> Layout:
    """The board with its chain connected at the other end."""
    assert layout.chain is not None
    ways = all_ways(layout.chain, layout.columns, layout.rows)
    (chain,) = (chain for chain, places in ways.items() if places == layout.places[::-1])
    return replace(layout, chain=chain)


@every_board
@pytest.mark.parametrize("by_hand", [True, False], ids=["pressing", "typing"])
def test_a_board_that_is_wired_as_the_layout_says_is_all_right(told: Layout, by_hand: bool):
    diagnosis = sit_down(Bench(told, told), by_hand=by_hand)

    assert diagnosis.all_right
    assert not diagnosis.edits


@every_board
def test_exchanged_buttons_and_a_bar_the_other_way_round(told: Layout):
    real = replace(rewired(told, ("column 2", "column 5")), inverted=frozenset({"bar"}))

    diagnosis = sit_down(Bench(told, real))

    assert codes(diagnosis) == ["switches-exchanged", "switch-inverted"]
    assert corrected(told, diagnosis.edits) == real


@pytest.mark.parametrize("told", [PI, SMALL, CLUB], ids=["7x6", "5x4", "club"])
def test_exchanged_buttons_and_a_chain_that_is_connected_at_its_other_end(told: Layout):
    real = backwards(rewired(told, ("column 1", "column 2")))

    diagnosis = sit_down(Bench(told, real))

    assert codes(diagnosis) == ["switches-exchanged", "chain-otherwise"]
    assert corrected(told, diagnosis.edits) == real


def test_buttons_and_lamps_from_right_to_left_are_two_faults_and_not_none():
    mirrored = tuple(
        msgspec.structs.replace(part, start="bottom right" if part.start == "bottom left" else "left")
        for part in PI.chain.parts[:2]
    )
    real = rechained(
        rewired(PI, ("column 1", "column 7"), ("column 2", "column 6"), ("column 3", "column 5")),
        parts=(*mirrored, PI.chain.parts[2]),
    )

    diagnosis = sit_down(Bench(PI, real))

    assert codes(diagnosis) == ["switches-reversed", "chain-otherwise"]
    assert corrected(PI, diagnosis.edits) == real


@pytest.mark.parametrize("dark", [CellPlace(1, 1), CellPlace(4, 3), ColumnPlace(7), TurnPlace("yellow")], ids=str)
def test_red_and_green_exchanged_and_a_dead_lamp(dark: object):
    """Field bug L3, and what it may hide."""
    real = rechained(PI, order="rgb")

    diagnosis = sit_down(Bench(PI, real, dark={dark}))

    assert codes(diagnosis) == ["colours-exchanged", "lamp-dead"]
    assert corrected(PI, diagnosis.edits) == real


@pytest.mark.parametrize("reach", [1, 5, 20, 43, 50])
def test_a_broken_wire_in_a_chain_with_other_colours_never_makes_a_wrong_layout(reach: int):
    real = rechained(PI, order="rgb")

    diagnosis = sit_down(Bench(PI, real, reach=reach))

    found = corrected(PI, diagnosis.edits)
    assert "chain-broken" in codes(diagnosis) or (reach == 50 and "lamp-dead" in codes(diagnosis))
    assert not diagnosis.edits if reach == 1 else found == real


def test_a_dead_button_and_exchanged_ones_leave_only_one_pin_for_it():
    real = rewired(PI, ("column 1", "column 2"))

    diagnosis = sit_down(Bench(PI, real, dead={"column 2"}))

    assert codes(diagnosis) == ["switch-dead", "switch-elsewhere"]
    assert corrected(PI, diagnosis.edits) == real
    assert "“column 2” did nothing, and GPIO5 is the only pin that is left for it." in map(
        str, (finding.text for finding in diagnosis.findings)
    )


def test_where_two_dead_buttons_leave_two_pins_it_is_said_that_nobody_can_tell():
    real = rewired(PI, ("column 1", "column 2"), ("column 3", "column 4"))

    diagnosis = sit_down(Bench(PI, real, dead={"column 2", "column 4"}))

    assert "pins-undecided" in codes(diagnosis)
    assert not diagnosis.edits


def test_rows_of_buttons_that_are_exchanged():
    pairs = [(f"column {column}", f"yellow column {column}") for column in range(1, 8)]
    real = rewired(CLUB, *pairs)

    diagnosis = sit_down(Bench(CLUB, real))

    assert codes(diagnosis) == ["switches-exchanged"] * 7
    assert corrected(CLUB, diagnosis.edits) == real


def test_a_beam_that_is_on_the_pin_of_a_button():
    real = rewired(CLUB, ("drop sensor 3", "menu"))

    diagnosis = sit_down(Bench(CLUB, real))

    assert codes(diagnosis) == ["switches-exchanged"]
    assert corrected(CLUB, diagnosis.edits) == real


@pytest.mark.parametrize("fault", ["exchanged", "inverted", "both"])
@pytest.mark.parametrize("dead", ["", "r", "y"])
def test_plain_leds(fault: str, dead: str):
    leds = LEDS.leds
    if fault in ("exchanged", "both"):
        leds = Leds(red=leds.yellow, yellow=leds.red)
    if fault in ("inverted", "both"):
        leds = msgspec.structs.replace(leds, lit="low")
    real = replace(LEDS, leds=leds)

    diagnosis = sit_down(Bench(LEDS, real, dead_leds=dead))

    assert corrected(LEDS, diagnosis.edits) == real
    assert ("led-dead" in codes(diagnosis)) == bool(dead)


# Any wiring


@st.composite
def wirings(draw: st.DrawFn) -> tuple[Layout, Layout]:
    """A layout as it is told, and a board that has the same parts, wired in any way."""
    told = draw(st.sampled_from([PI, SMALL, CLUB]))
    if draw(st.booleans()):
        columns, rows = draw(st.integers(1, 7)), draw(st.integers(1, 6))
        kept = {switch: pin for switch, pin in PI.switches.items() if not switch.startswith("column")}
        pins = {f"column {column}": f"GPIO{column + 1}" for column in range(1, columns + 1)}
        told = replace(PI, columns=columns, rows=rows, switches={**pins, **kept, "menu": "GPIO22", "bar": "GPIO23"})
    pins = draw(st.permutations(list(told.switches.values())))
    real = replace(told, switches=dict(zip(told.switches, pins, strict=True)))
    inverted = {"columns": "column", "bar": "bar", "menu": "menu", "drop_sensors": "drop sensor"}
    chosen = draw(st.sets(st.sampled_from(sorted(inverted))))
    real = replace(
        real,
        inverted=frozenset(
            switch
            for switch in told.switches
            for key in chosen
            if switch == inverted[key] or switch.startswith(f"{inverted[key]} ")
        ),
    )
    corner = st.sampled_from(["bottom left", "bottom right", "top left", "top right"])
    chains = all_ways(told.chain, told.columns, told.rows)
    told = rechained(
        told,
        parts=tuple(
            CellLamps(
                start=draw(corner), along=draw(st.sampled_from(["column", "row"])), serpentine=draw(st.booleans())
            )
            if isinstance(part, CellLamps)
            else ColumnLamps(start=draw(st.sampled_from(["left", "right"])))
            if isinstance(part, ColumnLamps)
            else TurnLamps(start=draw(st.sampled_from(["red", "yellow"])))
            for part in draw(st.permutations(told.chain.parts))
        ),
    )
    real = replace(real, chain=draw(st.sampled_from(list(chains))))
    order = draw(st.sampled_from(["rgb", "grb"]))
    return told, rechained(real, order=order)


@given(wirings(), st.booleans())
@settings(max_examples=60)
def test_any_wiring_is_found(wiring: tuple[Layout, Layout], by_hand: bool):
    told, real = wiring

    diagnosis = sit_down(Bench(told, real), by_hand=by_hand)

    found = corrected(told, diagnosis.edits)
    assert found.switches == real.switches
    assert {s: found.closed_level(s) for s in found.switches} == {s: real.closed_level(s) for s in real.switches}
    assert found.places == real.places
    assert found.chain.order == real.chain.order


@given(wirings(), st.integers(0, 2**32), st.booleans())
@settings(max_examples=60)
def test_with_anything_broken_besides_no_correction_is_wrong(wiring: tuple[Layout, Layout], seed: int, by_hand: bool):
    told, real = wiring
    chance = random.Random(seed)
    switches, places = list(real.switches), list(real.places)
    bench = Bench(
        told,
        real,
        dead=set(chance.sample(switches, chance.randint(0, 2))),
        stuck=set(chance.sample(switches, chance.choice([0, 0, 1]))),
        floating=set(chance.sample(switches, chance.choice([0, 0, 1]))),
        dark=set(chance.sample(places, min(len(places), chance.randint(0, 3)))),
        reach=chance.choice([None, None, chance.randint(0, len(places))]),
    )

    diagnosis = sit_down(bench, person=Person(bench, by_hand))

    edits = diagnosis.edits
    assert {switch: real.switches[switch] for switch in edits.pins} == edits.pins
    if edits.order is not None:
        assert edits.order == real.chain.order
    if edits.parts is not None:
        assert corrected(told, Edits(parts=edits.parts)).places == real.places
    broken = bench.dead | bench.stuck | bench.floating | bench.dark
    assert diagnosis.all_right <= (not broken and not edits)
