"""Lamps that are wrong, one fault at a time, with a person at the board; test_doctor_diagnosis.py has several."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from popout.board.chain import CellLamps, CellPlace, ColumnLamps, ColumnPlace, Place, TurnLamps, TurnPlace
from popout.board.contacts import Leds
from popout.board.layout import Layout
from popout.doctor.diagnosis import Diagnosis, judge
from popout.doctor.edits import corrected
from wiring import Bench, Person, go_through, sit_down

PI, SMALL = Layout.load("7x6-pi"), Layout.load("5x4")
LEDS = replace(SMALL, chain=None, leds=Leds(red="GPIO17", yellow="GPIO27"))


def problems(diagnosis: Diagnosis) -> list[tuple[str, str]]:
    return [(found.code, str(found.text)) for found in diagnosis.findings if found.severity == "problem"]


def rechained(layout: Layout, **values: object) -> Layout:
    return replace(layout, chain=msgspec.structs.replace(layout.chain, **values))


def test_red_and_green_exchanged():
    """Field bug L3."""
    real = rechained(PI, order="rgb")

    diagnosis = sit_down(Bench(PI, real))

    assert problems(diagnosis) == [
        (
            "colours-exchanged",
            "Red and green come out exchanged: these lamps take their colours in the order “rgb”.",
        )
    ]
    assert corrected(PI, diagnosis.edits) == real


@pytest.mark.parametrize(
    ("told", "real", "code"),
    [
        ("grb", "grbw", "lamps-with-white"),
        ("grb", "rgbw", "lamps-with-white"),
        ("rgbw", "rgb", "lamps-without-white"),
        ("grbw", "rgb", "lamps-without-white"),
    ],
)
def test_lamps_with_another_number_of_colours(told: str, real: str, code: str):
    layout, board = rechained(PI, order=told), rechained(PI, order=real)

    diagnosis = sit_down(Bench(layout, board))

    assert [found for found, _ in problems(diagnosis)] == [code]
    assert corrected(layout, diagnosis.edits) == board
    assert [found.code for found in diagnosis.findings][-1] == "lamps-not-looked-at"


def test_lamps_of_a_kind_that_no_layout_can_name():
    diagnosis = sit_down(Bench(PI, rechained(PI, order="bgr")))

    assert [code for code, _ in problems(diagnosis)] == ["colours-unknown"]
    assert not diagnosis.edits


@pytest.mark.parametrize("colour", ["m", "w"])
def test_a_colour_that_no_order_gives_is_no_end(colour: str):
    class Flickering(Person):
        def act(self, question, frame):
            done = super().act(question, frame)
            return ("type", colour) if "Which colour" in str(question.say[0]) else done

    diagnosis = judge(PI, go_through(Flickering(Bench(PI, PI))))

    assert "colours-unclear" in [code for code, _ in problems(diagnosis)]


def test_no_light_at_all():
    diagnosis = sit_down(Bench(PI, PI, reach=0))

    assert problems(diagnosis) == [
        (
            "no-light",
            "No lamp lights. See that their supply is on and its ground connected with the controller's, that the data "
            "wire goes from GPIO10 to the input (DIN) of the first lamp and not to an output, and that “popout doctor” "
            "finds a way to light them.",
        )
    ]


@pytest.mark.parametrize(
    ("dark", "told"),
    [
        (CellPlace(1, 1), "The lamp “column 1, row 1” stays dark; it is number 1 on the wire. Replace it."),
        (CellPlace(3, 2), "The lamp “column 3, row 2” stays dark; it is number 14 on the wire. Replace it."),
        (ColumnPlace(7), "The lamp “button of column 7” stays dark; it is number 43 on the wire. Replace it."),
        (TurnPlace("yellow"), "The lamp “yellow's turn lamp” stays dark; it is number 51 on the wire. Replace it."),
    ],
)
@pytest.mark.parametrize("by_hand", [True, False], ids=["pressing", "typing"])
def test_a_dead_lamp(dark: Place, told: str, by_hand: bool):
    diagnosis = sit_down(Bench(PI, PI, dark={dark}), by_hand=by_hand)

    assert problems(diagnosis) == [("lamp-dead", told)]
    assert not diagnosis.edits


@pytest.mark.parametrize("reach", [20, 49])
def test_a_broken_wire(reach: int):
    diagnosis = sit_down(Bench(PI, PI, reach=reach))

    last = {20: "column 4, row 5", 49: "button of column 1"}[reach]
    assert problems(diagnosis) == [
        (
            "chain-broken",
            f"The lamps light up to number {reach} on the wire (“{last}”), and those behind it are dark. Look at the "
            "wire from there to the next one; if it is whole, replace one of these two lamps.",
        )
    ]
    assert not diagnosis.edits


def test_many_dark_lamps_of_which_each_lights_alone_are_none():
    class Mistaken(Person):
        """Says that many lamps are dark, though none is."""

        def act(self, question, frame):
            done = super().act(question, frame)
            return ("type", "m") if "type Enter if they are" in str(question.say[0]).replace("Type", "type") else done

    person = Mistaken(Bench(SMALL, SMALL))

    assert sit_down(person.bench, person=person).all_right
    assert person.said.count("One lamp should be lit now. Is it? Type y or n.") == 3


def test_behind_a_break_it_is_said_that_the_way_cannot_be_told():
    real = rechained(PI, parts=(*PI.chain.parts[:1], *reversed(PI.chain.parts[1:])))

    diagnosis = sit_down(Bench(PI, real, reach=42))

    assert [found.code for found in diagnosis.findings] == ["switches-right", "chain-broken", "chain-untold"]
    assert not diagnosis.edits


def test_another_start_corner():
    parts = (CellLamps(start="top right", along="row", serpentine=False), *PI.chain.parts[1:])
    real = rechained(PI, parts=parts)

    diagnosis = sit_down(Bench(PI, real))

    assert problems(diagnosis) == [
        (
            "chain-otherwise",
            "The chain of lamps goes otherwise than the layout says. What was seen fits only this: "
            'kind = "cells", start = "top right", along = "row", serpentine = false; '
            'kind = "columns", start = "right"; kind = "turns", start = "red".',
        )
    ]
    assert corrected(PI, diagnosis.edits) == real


def test_parts_in_another_order_on_a_board_without_cell_lamps():
    real = rechained(SMALL, parts=(TurnLamps(start="yellow"), ColumnLamps(start="right")))

    diagnosis = sit_down(Bench(SMALL, real))

    assert [code for code, _ in problems(diagnosis)] == ["chain-otherwise"]
    assert corrected(SMALL, diagnosis.edits) == real


def test_lamps_that_are_wired_in_no_way_that_a_layout_can_say():
    """Two strips of cells changed places: the last picture shows it, and nothing is made up."""
    tangled = Tangled(PI, PI)

    diagnosis = sit_down(tangled)

    assert [code for code, _ in problems(diagnosis)] == ["chain-contradicts"]
    assert not diagnosis.edits


class Tangled(Bench):
    """A board on which the lamps of columns 1 and 4 changed places."""

    def lit(self, frame):
        turned = {1: 4, 4: 1}
        return {
            CellPlace(turned.get(place.column, place.column), place.row)
            if isinstance(place, CellPlace)
            else place: light
            for place, light in super().lit(frame).items()
        }


def test_a_layout_with_turn_lamps_that_are_not_there_shows_what_contradicts():
    real = rechained(PI, parts=PI.chain.parts[:2])

    diagnosis = sit_down(Bench(PI, real))

    assert [code for code, _ in problems(diagnosis)] == ["chain-unclear"]
    assert "Lamp 50 on the wire: no light was seen; by the layout it is “red's turn lamp”." in [
        str(found.text) for found in diagnosis.findings
    ]
    assert not diagnosis.edits


def test_one_answer_that_was_wrong_is_asked_again():
    class Hasty(Person):
        """Names the wrong place of the first lamp that is to be found."""

        slips = 1

        def act(self, question, frame):
            done = super().act(question, frame)
            if "Say where" in " ".join(map(str, question.say)) and self.slips:
                self.slips -= 1
                return "type", "4 3"  # no chain begins or ends there
            return done

    person = Hasty(Bench(PI, PI), by_hand=False)

    diagnosis = sit_down(person.bench, person=person)

    assert diagnosis.all_right
    assert "That fits no way in which the lamps can be wired. Please look once more." in person.said


def test_a_press_of_an_unknown_wire_does_not_name_a_column():
    bench = Bench(PI, PI, dead={"column 2"})
    person = Person(bench)

    diagnosis = sit_down(bench, person=person)

    assert [code for code, _ in problems(diagnosis)] == ["switch-dead"]


def test_an_answer_that_is_none_is_asked_again():
    class Mumbling(Person):
        """Answers one question with something else."""

        mumbled = False

        def act(self, question, frame):
            done = super().act(question, frame)
            if "Which colour" in str(question.say[0]) and not self.mumbled:
                self.mumbled = True
                return "type", "reddish"
            return done

    person = Mumbling(Bench(SMALL, SMALL))

    assert sit_down(person.bench, person=person).all_right
    assert "“reddish” is no answer to this." in person.said


def test_plain_leds_that_are_right():
    diagnosis = sit_down(Bench(LEDS, LEDS))

    assert diagnosis.all_right
    assert str(diagnosis.findings[-1].text) == "The two turn lamps light as the layout says."


def test_plain_leds_without_any_light():
    diagnosis = sit_down(Bench(LEDS, LEDS, dead_leds="ry"))

    assert [code for code, _ in problems(diagnosis)] == ["leds-unclear"]
    assert not diagnosis.edits


def test_few_questions_are_enough():
    """A right board: each switch once, the colour three times, all lamps once, a few lamps alone, one picture."""
    person = Person(Bench(PI, PI), by_hand=False)

    sit_down(person.bench, person=person)

    asked = [said for said in person.said if said.startswith(("One lamp", "Again", "All lamps", "Now only"))]
    assert len(asked) <= 9
