"""Two plain LEDs as turn lamps, on the pins of gpiozero's mock factory."""

from dataclasses import replace
from itertools import pairwise

import pytest

from popout.board.contacts import Leds
from popout.board.frame import Frame
from popout.board.gpio.leds import TurnLeds, lit
from popout.board.layout import Layout
from popout.board.power import within_limits
from popout.play.lights import frame
from popout.play.palette import STEP_MS
from popout.play.scene import Drawn, MenuShown, Scene, Waiting, Won
from popout.play.settings import Settings
from popout.rules.side import RED, YELLOW

LEDS = Leds(red="GPIO17", yellow="GPIO27")
PALETTES = ("classic", "colour-blind", "mono")


@pytest.fixture
def factory():
    from gpiozero.pins.mock import MockFactory

    made = MockFactory()
    yield made
    made.close()


def turns(red, yellow):
    return Frame(((0,),), (0,), (red, yellow))


def levels(factory):
    return factory.pin(17).state, factory.pin(27).state


def lit_at(mode, turn, now, palette):
    """Which LEDs are lit at a time, on a board whose brightness is capped to a half."""
    scene = Scene(("",) * 7, 6, turn, (), (), (), False, mode)
    layout = replace(Layout.plain(7, 6), brightness=0.5)
    shown = within_limits(frame(scene, now, Settings(palette=palette)), layout)
    return tuple(lit(colour, layout.brightness) for colour in shown.turns)


def over(milliseconds, mode, turn, palette):
    """The same at every step of a time that begins when yellow is light."""
    return [lit_at(mode, turn, now, palette) for now in range(400, 400 + milliseconds, STEP_MS)]


@pytest.mark.parametrize("palette", PALETTES)
def test_the_side_to_move_is_lit_and_the_other_one_dark(palette):
    assert set(over(3_600, Waiting(), RED, palette)) == {(True, False)}
    assert set(over(3_600, Waiting(), YELLOW, palette)) == {(False, True)}


@pytest.mark.parametrize("palette", PALETTES)
def test_yellow_is_told_from_red_by_its_dark_moment(palette):
    assert lit_at(Waiting(), YELLOW, 4_000, palette) == (False, False)
    assert lit_at(Waiting(), RED, 4_000, palette) == (True, False)


@pytest.mark.parametrize("palette", PALETTES)
def test_the_winner_blinks_alone(palette):
    for winner, on in ((RED, (True, False)), (YELLOW, (False, True))):
        shown = over(1_200, Won(winner, (), (), 400), None, palette)
        assert set(shown) == {on, (False, False)}
        assert shown.count((False, False)) == 3, "120 ms in 1200 ms: long enough to be seen"


@pytest.mark.parametrize("palette", PALETTES)
def test_a_draw_is_both_of_them_slowly(palette):
    shown = over(3_600, Drawn(400), None, palette)
    assert set(shown) == {(True, True), (False, False)}
    assert [one != other for one, other in pairwise(shown)].count(True) == 2


@pytest.mark.parametrize("palette", PALETTES)
def test_the_menu_is_both_of_them_steadily(palette):
    assert set(over(4_000, MenuShown((1, 2)), None, palette)) == {(True, True)}


def test_no_light_is_dark_whatever_the_cap():
    assert not lit(0, 0.0)
    assert not lit(0, 1.0)
    assert lit(0x0000FF, 1.0)


@pytest.mark.parametrize(("level", "on"), [("high", True), ("low", False)])
def test_the_level_that_lights_is_a_setting(factory, level, on):
    leds = TurnLeds(Leds(red="GPIO17", yellow="GPIO27", lit=level), 1.0, factory)
    assert levels(factory) == (not on, not on), "dark at the start"
    leds.show(turns(0xFF0000, 0))
    assert levels(factory) == (on, not on)
    leds.show(turns(0, 0xFFB000))
    assert levels(factory) == (not on, on)
    leds.close(dark=True)


@pytest.mark.parametrize("dark", [True, False])
def test_the_leds_are_dark_once_they_are_closed(factory, dark):
    """L6: a pin that is let go of lights nothing."""
    leds = TurnLeds(LEDS, 1.0, factory)
    leds.show(turns(0xFF0000, 0xFFB000))
    leds.close(dark=dark)
    for pin in (factory.pin(17), factory.pin(27)):
        assert [state.state for state in pin.states][-2:] == [True, False]
        assert pin.function == "input"
    leds.close(dark=dark)
    leds.show(turns(0xFF0000, 0))  # too late, and no harm


def test_a_pin_that_is_taken_leaves_the_other_one_free(factory):
    from gpiozero import LED, GPIOPinInUse

    with LED(27, pin_factory=factory):
        with pytest.raises(GPIOPinInUse):
            TurnLeds(LEDS, 1.0, factory)
        with LED(17, pin_factory=factory):
            pass


def test_a_pin_that_fails_is_reported_once_until_it_works_again_and_the_other_one_shines(factory, caplog):
    leds = TurnLeds(LEDS, 1.0, factory)

    def failing(_pin, _value):
        raise OSError(5, "Input/output error")

    before = factory.pin(17)._set_state
    for _ in range(2):
        caplog.clear()
        factory.pin(17)._set_state = failing.__get__(factory.pin(17))
        leds.show(turns(0xFF0000, 0xFFB000))
        leds.show(turns(0xFF0000, 0xFFB000))
        assert factory.pin(27).state
        factory.pin(17)._set_state = before
        leds.show(turns(0xFF0000, 0xFFB000))
        leds.show(turns(0xFF0000, 0xFFB000))
        assert factory.pin(17).state
        assert [record.getMessage() for record in caplog.records] == [
            "The LED on GPIO17 cannot be switched ([Errno 5] Input/output error).",
            "The LED on GPIO17 can be switched again.",
        ]
    leds.close(dark=True)
