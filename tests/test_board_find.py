"""Finding a board driver by name, by what is attached, and saying why."""

import importlib.metadata
import sys
import types
from importlib.metadata import EntryPoint

import pytest

from popout.board import find
from popout.board.driver import BoardDriver
from popout.board.find import (
    DriverBroken,
    DriverPackageMissing,
    LayoutForOtherDriver,
    UnknownDriver,
    attached,
    choose,
    default_layout,
    driver,
    driver_names,
)
from popout.board.layout import Layout, path_of


class FakeBoard(BoardDriver):
    """A driver that is attached if the test says so, and notes the layouts that it was asked about."""

    name = "fake"
    there = False
    asked: list[Layout]

    @classmethod
    def attached(cls, layout):
        cls.asked.append(layout)
        return cls.there

    description = "a fake"  # type: ignore[assignment]
    now = levels = events = show = close = None  # type: ignore[assignment]


def fake(driver_name: str, there: bool = False) -> type[FakeBoard]:
    return type(driver_name.title(), (FakeBoard,), {"name": driver_name, "there": there, "asked": []})


@pytest.fixture
def install(monkeypatch):
    """Install drivers: a class for one that loads, a text for an entry point that is written so."""

    def install_all(**drivers):
        module = types.ModuleType("fake_boards")
        points = []
        for name, what in drivers.items():
            if isinstance(what, str):
                points.append(EntryPoint(name, what, find.GROUP))
            else:
                setattr(module, name, what)
                points.append(EntryPoint(name, f"fake_boards:{name}", find.GROUP))
        monkeypatch.setitem(sys.modules, "fake_boards", module)

        def entry_points(*, group):
            assert group == "popout.boards"
            return points

        monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)

    return install_all


@pytest.fixture
def broken_module(monkeypatch, tmp_path):
    """Write a module that does something when it is imported."""

    def write(name: str, content: str) -> None:
        (tmp_path / f"{name}.py").write_text(content)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, name, raising=False)

    return write


# By name.


def test_drivers_are_found_in_the_entry_point_group(install):
    sim, mine = fake("sim"), fake("mine")
    install(sim=sim, mine=mine)
    assert driver_names() == ("mine", "sim")
    assert driver("mine") is mine


def test_an_unknown_driver_lists_those_that_there_are(install):
    install(sim=fake("sim"), serial=fake("serial"))
    with pytest.raises(UnknownDriver) as refusal:
        driver("gpoi")
    assert isinstance(refusal.value, LookupError)
    assert refusal.value.code == "unknown-driver"
    assert str(refusal.value) == "There is no board driver “gpoi”. The drivers are: serial, sim."


def test_a_driver_of_ours_without_its_package_names_the_extra(install, broken_module):
    broken_module("needs_pins", "import a_pin_library_that_is_not_there\n")
    install(gpio="needs_pins:Board")
    with pytest.raises(DriverPackageMissing) as refusal:
        driver("gpio")
    assert isinstance(refusal.value, ImportError)
    assert str(refusal.value) == (
        "The board driver “gpio” needs the Python package “a_pin_library_that_is_not_there”, which is missing. "
        "“popout doctor” says how to install it."
    )


def test_a_driver_of_somebody_else_without_its_package_does_not_name_our_extra(install, broken_module):
    broken_module("needs_more", "import a_library_that_is_not_there\n")
    install(mine="needs_more:Board")
    with pytest.raises(DriverPackageMissing) as refusal:
        driver("mine")
    assert str(refusal.value) == (
        "The board driver “mine” needs the Python package “a_library_that_is_not_there”, which is missing. "
        "Install the package that the driver comes from again."
    )


def test_a_driver_that_fails_when_it_is_imported_is_a_sentence(install, broken_module):
    broken_module("fails", "raise NotImplementedError('Board not supported')\n")
    install(mine="fails:Board")
    with pytest.raises(DriverBroken) as refusal:
        driver("mine")
    assert str(refusal.value) == "The board driver “mine” cannot be loaded from fails:Board: Board not supported."


def test_a_driver_that_is_no_board_driver_is_refused(install):
    install(mine=dict)
    with pytest.raises(DriverBroken) as refusal:
        driver("mine")
    assert str(refusal.value) == (
        "The board driver “mine” cannot be used: fake_boards:mine is not a class derived from BoardDriver."
    )


# The choice.


def test_the_driver_that_is_named_is_chosen_attached_or_not(install):
    serial = fake("serial", there=False)
    install(sim=fake("sim"), serial=serial, gpio=fake("gpio", there=True))
    chosen, reason = choose("serial")
    assert chosen is serial
    assert str(reason) == "Playing on the board driver “serial”, as chosen."
    assert serial.asked == []


def test_the_simulator_can_be_chosen_though_a_board_is_attached(install):
    sim = fake("sim")
    install(sim=sim, gpio=fake("gpio", there=True))
    chosen, reason = choose("sim", Layout.load("7x6-pi"))
    assert chosen is sim
    assert str(reason) == "Playing on the simulator, as chosen."


def test_a_name_that_is_unknown_is_never_replaced_by_the_simulator(install):
    install(sim=fake("sim"))
    with pytest.raises(UnknownDriver):
        choose("serial")


def test_the_board_that_is_attached_is_chosen(install):
    mine = fake("mine", there=True)
    install(sim=fake("sim", there=True), serial=fake("serial"), mine=mine)
    chosen, reason = choose()
    assert chosen is mine
    assert str(reason) == "Playing on the board driver “mine”, whose board is attached."


def test_without_a_board_it_is_the_simulator(install):
    sim = fake("sim", there=True)
    install(sim=sim, serial=fake("serial"))
    chosen, reason = choose()
    assert chosen is sim
    assert str(reason) == "Playing on the simulator, since no board is attached."
    assert sim.asked == []


def test_without_a_board_of_the_layout_it_says_how_to_find_out_why(install, tmp_path):
    install(sim=fake("sim"), serial=fake("serial"))
    mine = tmp_path / "my board.toml"
    mine.write_text(path_of("7x6-pico").read_text("utf-8"), "utf-8")

    assert str(choose(layout=Layout.load(mine))[1]) == (
        "Playing on the simulator, since no board is attached. If there should be one, type: popout doctor --layout "
        f"'{mine}'"
    )


def test_a_pico_is_preferred_to_pins_that_may_have_nothing_on_them(install):
    serial = fake("serial", there=True)
    install(sim=fake("sim"), gpio=fake("gpio", there=True), serial=serial)
    assert choose()[0] is serial


def test_only_drivers_that_suit_the_layout_are_asked(install):
    gpio, serial, mine = fake("gpio", there=True), fake("serial", there=True), fake("mine", there=False)
    install(sim=fake("sim"), gpio=gpio, serial=serial, mine=mine)
    layout = Layout.load("7x6-pi")
    assert choose(layout=layout)[0] is gpio
    assert serial.asked == []
    assert mine.asked == [layout]
    assert gpio.asked == [layout]


def test_a_layout_for_any_driver_suits_all(install):
    serial = fake("serial", there=True)
    install(sim=fake("sim"), serial=serial)
    assert choose(layout=Layout.plain(7, 6))[0] is serial


def test_each_driver_is_asked_about_its_own_usual_board_when_no_layout_is_named(install):
    gpio, serial, mine = fake("gpio"), fake("serial"), fake("mine")
    install(sim=fake("sim"), gpio=gpio, serial=serial, mine=mine)
    assert attached() is None
    assert [board.asked[0].name for board in (gpio, serial, mine)] == ["7x6-pi", "7x6-pico", "7x6"]


def test_a_named_driver_and_a_layout_for_the_other_one_contradict_each_other(install):
    install(sim=fake("sim"), gpio=fake("gpio"), serial=fake("serial"))
    with pytest.raises(LayoutForOtherDriver) as refusal:
        choose("serial", Layout.load("7x6-pi"))
    assert str(refusal.value) == (
        "The layout “7x6-pi” is for the driver “gpio”, not for “serial”. Choose the other driver, or a layout for "
        "this one."
    )


def test_a_driver_that_could_not_be_asked_is_told_of(install, broken_module):
    broken_module("needs_pins", "import a_pin_library_that_is_not_there\n")
    sim = fake("sim")
    install(sim=sim, gpio="needs_pins:Board")
    chosen, reason = choose()
    assert chosen is sim
    assert str(reason) == (
        "Playing on the simulator: no board is attached, and one driver could not be asked. The board driver “gpio” "
        "needs the Python package “a_pin_library_that_is_not_there”, which is missing. “popout doctor” "
        "says how to install it."
    )


def test_a_board_that_may_be_there_and_needs_a_package_is_told_of(install):
    class Pins(fake("gpio")):
        @classmethod
        def attached(cls, layout):  # noqa: ARG003
            raise ModuleNotFoundError("No module named 'gpiozero'", name="gpiozero")

    install(gpio=Pins, sim=fake("sim"))

    driver, reason = choose()

    assert driver.name == "sim"
    assert str(reason) == (
        "Playing on the simulator: no board is attached, and one driver could not be asked. The board driver “gpio” "
        "needs the Python package “gpiozero”, which is missing. “popout doctor” says how to install it."
    )


def test_a_driver_that_could_not_be_asked_does_not_hide_a_board(install, broken_module):
    broken_module("fails", "raise NotImplementedError('Board not supported')\n")
    serial = fake("serial", there=True)
    install(sim=fake("sim"), broken="fails:Board", serial=serial)
    assert choose()[0] is serial


# The layout that goes with a driver.


@pytest.mark.parametrize(("name", "layout"), [("gpio", "7x6-pi"), ("serial", "7x6-pico")])
def test_our_drivers_have_a_usual_board(name, layout):
    assert default_layout(name) == Layout.load(layout)
    assert default_layout(name).driver == name


def test_other_drivers_have_the_plain_board():
    assert default_layout("sim") == Layout.plain(7, 6)
