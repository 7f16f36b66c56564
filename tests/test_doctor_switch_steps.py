"""Switches that are wrong, each alone, with a person at the board; several faults are in test_doctor_diagnosis.py."""

from __future__ import annotations

from dataclasses import replace

import pytest

from popout.board.contacts import Matrix
from popout.board.layout import Layout
from popout.board.switches import SwitchEvent
from popout.doctor.asking import Paces, Tap
from popout.doctor.diagnosis import Diagnosis, judge
from popout.doctor.edits import corrected
from popout.doctor.examination import Examination
from popout.doctor.observations import Seen, SwitchesSeen, Trial
from popout_sim.contacts import Contact
from wiring import Bench, Person, sit_down

BARE = replace(Layout.load("7x6-pi"), chain=None)
LAMPS = Layout.load("7x6-pi")
CLUB = replace(Layout.load("7x6-club"), chain=None)


def problems(diagnosis: Diagnosis) -> list[tuple[str, str]]:
    return [(found.code, str(found.text)) for found in diagnosis.findings if found.severity == "problem"]


def rewired(**pins: str) -> Layout:
    return replace(BARE, switches={**BARE.switches, **{name.replace("_", " "): pin for name, pin in pins.items()}})


def test_a_right_board_is_asked_for_each_switch_once():
    person = Person(Bench(BARE, BARE))

    sit_down(person.bench, person=person)

    assert person.said == [
        "Take all discs out of the board, close the bar, take your hands off, and type Enter.",
        "Touch nothing until the next line.",
        *(f"Press the button of column {column}, counted from the left, and let it go." for column in range(1, 8)),
        "Open the bar.",
        "Close the bar.",
        "Press the menu button and let it go.",
        "Press the take-back button and let it go.",
    ]


def test_with_lamps_it_is_also_looked_at_what_switches_do_when_they_blink():
    person = Person(Bench(LAMPS, LAMPS))

    sit_down(person.bench, person=person)

    assert person.said[2] == "Now the lamps blink. Touch nothing until the next line."


def test_two_exchanged_buttons():
    real = rewired(column_2="GPIO26", column_5="GPIO6")
    person = Person(Bench(BARE, real))

    diagnosis = sit_down(person.bench, person=person)

    assert problems(diagnosis) == [
        ("switches-exchanged", "“column 2” and “column 5” are exchanged: their wires are on GPIO26 and GPIO6.")
    ]
    assert corrected(BARE, diagnosis.edits) == real
    assert "The answer came from the wire of “column 5”. Once more, to be sure." in person.said


def test_a_row_of_buttons_from_right_to_left():
    pins = [BARE.switches[f"column {column}"] for column in range(7, 0, -1)]
    real = rewired(**{f"column_{column}": pin for column, pin in enumerate(pins, start=1)})

    diagnosis = sit_down(Bench(BARE, real))

    assert problems(diagnosis) == [
        (
            "switches-reversed",
            "The switches “columns” are wired from right to left: “column 1” is on GPIO20, where the layout has "
            "“column 7”.",
        )
    ]
    assert corrected(BARE, diagnosis.edits) == real


def test_buttons_that_are_shifted_by_one():
    pins = [BARE.switches[f"column {column}"] for column in (2, 3, 4, 5, 6, 7, 1)]
    real = rewired(**{f"column_{column}": pin for column, pin in enumerate(pins, start=1)})

    diagnosis = sit_down(Bench(BARE, real))

    assert [code for code, _ in problems(diagnosis)] == ["switch-elsewhere"] * 7
    assert problems(diagnosis)[0][1] == "“column 1” is on GPIO6, where the layout has “column 2”."
    assert corrected(BARE, diagnosis.edits) == real


def test_the_bar_and_a_button_exchanged():
    real = rewired(bar="GPIO5", column_1="GPIO16")

    diagnosis = sit_down(Bench(BARE, real))

    assert corrected(BARE, diagnosis.edits) == real


def test_a_dead_button():
    diagnosis = sit_down(Bench(BARE, BARE, dead={"column 3"}))

    assert problems(diagnosis) == [
        (
            "switch-dead",
            "Nothing comes of “column 3”. Look for a loose wire between the switch, the pin GPIO13 and ground, and "
            "whether the wire is on that pin at all.",
        )
    ]
    assert not diagnosis.edits


def test_a_stuck_button():
    """Field bug G13: a button that is closed from the start."""
    diagnosis = sit_down(Bench(BARE, BARE, stuck={"column 4"}))

    assert problems(diagnosis) == [
        (
            "switch-stuck",
            "“column 4” (GPIO19) is closed while nobody touches it, and pressing it changes nothing. Free the switch, "
            "look where its wire touches another, and see that it is wired to the contact that is open at rest.",
        )
    ]
    assert not diagnosis.edits


def test_two_wires_that_touch():
    diagnosis = sit_down(Bench(BARE, BARE, joined=[("column 2", "column 3")]))

    assert [code for code, _ in problems(diagnosis)] == ["switches-bridged"] * 2
    assert problems(diagnosis)[0][1] == (
        "One press of “column 2” closes “column 2”, “column 3” (GPIO13, GPIO6). Look where their wires touch; in a "
        "matrix, for a diode that is missing or the wrong way round."
    )
    assert not diagnosis.edits


def test_a_ghost_in_a_matrix_without_diodes():
    matrix = Matrix(rows=("GPIO5", "GPIO6"), columns=("GPIO13", "GPIO19", "GPIO26", "GPIO21"), diodes=False)
    pins = {f"column {column}": f"R{1 + (column > 4)}C{column - 4 * (column > 4)}" for column in range(1, 8)}
    told = replace(BARE, matrix=matrix, switches={**BARE.switches, **pins})

    diagnosis = sit_down(Bench(told, told, joined=[("column 2", "column 6")]))

    assert "The matrix has no diodes" in problems(diagnosis)[0][1]
    assert not diagnosis.edits


def test_crossings_of_a_matrix_whose_rows_are_exchanged():
    matrix = Matrix(rows=("GPIO5", "GPIO6"), columns=("GPIO13", "GPIO19", "GPIO26", "GPIO21"))
    told = replace(
        BARE,
        matrix=matrix,
        switches={**{f"column {n}": f"R{1 + n // 5}C{1 + (n - 1) % 4}" for n in range(1, 8)}, "bar": "R2C4"},
    )
    real = replace(told, switches={switch: f"R{3 - int(pin[1])}{pin[2:]}" for switch, pin in told.switches.items()})

    diagnosis = sit_down(Bench(told, real))

    assert corrected(told, diagnosis.edits) == real


def test_a_wire_that_holds_no_level():
    """Field bug G11: a missing pull-up."""
    told = replace(BARE, pull="none")

    diagnosis = sit_down(Bench(told, told, floating={"column 6"}))

    assert problems(diagnosis) == [
        (
            "switch-floats",
            "“column 6” (GPIO21) flutters by itself, 40 changes in a moment: no resistor holds its level. Wire one of "
            '10 kΩ from the pin to the level it rests at, or use the controller\'s own: pull = "up" for switches to '
            'ground, pull = "down" for switches to 3.3 V.',
        )
    ]
    assert not diagnosis.edits


def test_a_wire_that_floats_although_there_is_a_resistor():
    diagnosis = sit_down(Bench(BARE, BARE, floating={"column 6"}))

    assert [code for code, _ in problems(diagnosis)] == ["switch-floats"]
    assert "Look for a loose contact" in problems(diagnosis)[0][1]


def test_noise_on_a_long_wire():
    """Field bug G3: pulses of noise."""
    diagnosis = sit_down(Bench(BARE, BARE, noise_ms={"column 1": 9.5}))

    assert [code for code, _ in problems(diagnosis)] == ["switch-noise"]
    assert "caught noise of 10 ms" in problems(diagnosis)[0][1]


def test_noise_below_the_glitch_limit_is_only_worth_knowing():
    diagnosis = sit_down(Bench(BARE, BARE, noise_ms={"column 1": 1.0}))

    assert diagnosis.all_right
    assert "switch-noise" in [found.code for found in diagnosis.findings]


def test_a_wire_that_feels_the_lamps():
    """Field bug G11: presses when a lamp switches."""
    diagnosis = sit_down(Bench(LAMPS, LAMPS, disturbed={"column 2"}))

    assert problems(diagnosis) == [
        (
            "lamps-disturb-switch",
            "“column 2” (GPIO6) changes when the lamps switch. Lead its wire away from those of the lamps, give the "
            "lamps a ground wire of their own, and put 100 nF from the pin to ground.",
        )
    ]


def test_a_bar_that_is_closed_at_rest():
    real = replace(BARE, inverted=frozenset({"bar"}))

    diagnosis = sit_down(Bench(BARE, real))

    assert [code for code, _ in problems(diagnosis)] == ["switch-inverted"]
    assert corrected(BARE, diagnosis.edits) == real


def test_a_layout_that_turns_a_bar_that_is_not():
    told = replace(BARE, inverted=frozenset({"bar"}))

    diagnosis = sit_down(Bench(told, BARE))

    assert corrected(told, diagnosis.edits) == BARE


def test_beams_that_count_the_other_way_round():
    real = replace(CLUB, inverted=frozenset(f"drop sensor {column}" for column in range(1, 8)))

    diagnosis = sit_down(Bench(CLUB, real))

    assert corrected(CLUB, diagnosis.edits) == real


def test_a_board_on_which_everything_is_closed_at_rest():
    real = replace(BARE, closed="high")

    diagnosis = sit_down(Bench(BARE, real))

    assert problems(diagnosis) == [
        (
            "level-inverted",
            "All switches are closed at rest and open when they are pressed, as the layout reads them: a closed switch "
            "has the level “high”.",
        )
    ]
    assert corrected(BARE, diagnosis.edits) == real


def test_in_a_matrix_where_everything_is_closed_at_rest_each_key_is_turned():
    matrix = Matrix(rows=("GPIO5", "GPIO6"), columns=("GPIO13", "GPIO19"))
    told = replace(
        BARE,
        columns=3,
        matrix=matrix,
        switches={"column 1": "R1C1", "column 2": "R1C2", "column 3": "R2C1", "bar": "R2C2"},
    )
    real = replace(told, inverted=frozenset(told.switches))

    diagnosis = sit_down(Bench(told, real))

    assert corrected(told, diagnosis.edits) == real


def test_a_switch_that_stays_down_says_nothing_about_its_levels():
    """Which of its two levels is the one at rest, nobody can know then."""
    seen = SwitchesSeen(resting=dict.fromkeys(BARE.switches, True))
    seen.trials = {switch: Trial(frozenset({switch}), None, stays=True) for switch in BARE.switches}

    diagnosis = judge(BARE, Seen(seen, None, None))

    assert {code for code, _ in problems(diagnosis)} == {"switch-jams"}
    assert not diagnosis.edits


def test_what_was_held_while_nothing_was_to_be_touched_is_at_rest_once_it_is_let_go():
    """Field bug G13: a button reads pressed at the start."""
    held = {**dict.fromkeys(LAMPS.switches, False), "column 1": True}
    examination = Examination(LAMPS, held, 0, Paces())
    examination.typed("", 0)
    examination.tick(3000, held)
    examination.edge(SwitchEvent("column 1", False, 3100))
    examination.tick(6000, {**held, "column 1": False})
    examination.tick(9000, {**held, "column 1": False})

    assert examination.question is not None
    assert isinstance(examination.question.wants, Tap)
    assert not examination.question.wants.resting["column 1"]


def test_one_button_of_many_the_other_way_round_cannot_be_said_in_a_layout():
    real = replace(BARE, inverted=frozenset({"column 3"}))

    diagnosis = sit_down(Bench(BARE, real))

    assert problems(diagnosis) == [
        (
            "switch-mixed",
            "Of the switches “columns”, some close when they are pressed and others open: “column 3”. The layout "
            "cannot say that; wire these to their other contact.",
        )
    ]
    assert not diagnosis.edits


@pytest.mark.parametrize(
    ("pull", "closed", "advice"), [("up", "low", 'pull = "down"'), ("down", "high", 'pull = "up"')]
)
def test_switches_that_are_wired_to_the_other_rail(pull: str, closed: str, advice: str):
    told = replace(BARE, pull=pull, closed=closed)

    diagnosis = sit_down(Bench(told, told, dead=set(told.switches)))

    assert [code for code, _ in problems(diagnosis)] == ["no-switch-works"]
    assert advice in problems(diagnosis)[0][1]
    assert not diagnosis.edits


def test_a_bounce_that_is_longer_than_the_lock_out():
    """Field bug G1: one press counts twice."""
    worn = Contact(press_bounces=4, press_span_ms=60)

    diagnosis = sit_down(Bench(BARE, BARE, contact=worn))

    assert {code for code, _ in problems(diagnosis)} == {"switch-bounces"}
    assert "longer than it is ignored after a change (30 ms)" in problems(diagnosis)[0][1]
    assert "Write lockout_ms = 90 in the settings" in problems(diagnosis)[0][1]


def test_a_bounce_that_the_lock_out_covers_is_none_of_a_persons_concern():
    diagnosis = sit_down(Bench(BARE, BARE, contact=Contact(press_bounces=4, press_span_ms=18)))

    assert diagnosis.all_right


def test_levers_and_beams_that_one_disc_moves_together():
    beams = {
        f"drop sensor {column}": f"GPIO{pin}" for column, pin in zip(range(1, 8), (2, 3, 4, 7, 8, 9, 11), strict=True)
    }
    told = replace(BARE, actuation="disc", switches={**BARE.switches, **beams})
    one_disc = [(f"column {column}", f"drop sensor {column}") for column in range(1, 8)]

    diagnosis = sit_down(Bench(told, told, joined=one_disc))

    assert diagnosis.all_right


def test_a_bar_that_was_open_when_it_should_have_been_closed():
    bench = Bench(BARE, BARE)
    person = Person(bench)

    diagnosis = sit_down(bench, person=person, bar_open=True)

    assert diagnosis.all_right
    assert "Close the bar, and touch nothing until the next line." in person.said


def test_one_enter_too_many_makes_no_switch_dead():
    examination = Examination(BARE, dict.fromkeys(BARE.switches, False), 0, Paces())
    examination.typed("", 0)
    examination.tick(3000, dict.fromkeys(BARE.switches, False))

    def asked() -> list[str]:
        assert examination.question is not None
        return [str(message) for message in examination.question.say]

    first = "Press the button of column 1, counted from the left, and let it go."
    assert asked() == [first]
    examination.typed("", 4000)
    assert asked() == ["Nothing has come so far. Once more; or type Enter if nothing happens.", first]
    examination.typed("", 5000)
    assert asked() == ["Press the button of column 2, counted from the left, and let it go."]
