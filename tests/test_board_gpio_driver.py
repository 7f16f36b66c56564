"""The driver of boards on a Raspberry Pi's pins, on gpiozero's mock factory: opening, hearing, losing."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from gpio_pins import PI, Ear, Lights, Wires, listening
from popout.board.driver import BoardDriver, BoardError, BoardLost
from popout.board.find import DriverPackageMissing
from popout.board.frame import Frame
from popout.board.gpio import chips, machine
from popout.board.gpio import driver as driver_module
from popout.board.gpio import lamps as lamps_module
from popout.board.gpio.chips import Chip
from popout.board.gpio.driver import WATCH_MS, GpioBoard, LayoutWithoutPins
from popout.board.gpio.hearing import GRACE_MS
from popout.board.gpio.machine import Machine
from popout.board.gpio.pins import PinBusy, Pins
from popout.board.gpio.route import Facts
from popout.board.layout import Layout
from popout.board.switches import SwitchEvent
from test_board_gpio_pins import CHIP
from turned_clock import TurnedLoop
from waiting import until

PI_4 = Machine("Raspberry Pi 4 Model B Rev 1.4", 4)
DARK = Frame.dark(7, 6)


def opened(wires: Wires | None = None, lights: Lights | None = None) -> GpioBoard:
    return GpioBoard(PI, pin_factory=wires or Wires(), lamps=lights or Lights())


# Finding and opening


def test_it_is_a_board_driver_named_gpio_whose_events_are_raw():
    assert issubclass(GpioBoard, BoardDriver)
    assert GpioBoard.name == "gpio"
    assert not GpioBoard.debounced
    assert not GpioBoard.resizable
    assert GpioBoard.faults() == {}


@pytest.mark.parametrize(
    ("computer", "chip", "there"), [(PI_4, CHIP, True), (PI_4, None, False), (machine.NO_PI, CHIP, False)]
)
def test_it_is_attached_to_a_pi_with_a_header(
    computer: Machine, chip: Chip | None, there: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(machine, "look", lambda: computer)
    monkeypatch.setattr(chips, "header_chip", lambda: chip)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    assert GpioBoard.attached(PI) == there


def test_a_header_that_may_not_be_opened_is_there_nevertheless(monkeypatch: pytest.MonkeyPatch):
    def refuse() -> Chip:
        raise PermissionError

    monkeypatch.setattr(machine, "look", lambda: PI_4)
    monkeypatch.setattr(chips, "header_chip", refuse)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    assert GpioBoard.attached(PI)


@pytest.mark.parametrize("missing", ["gpiozero", "lgpio"])
def test_a_pi_on_which_a_package_is_missing_says_which(missing: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(machine, "look", lambda: PI_4)
    monkeypatch.setattr(chips, "header_chip", lambda: CHIP)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == missing else name)
    with pytest.raises(ModuleNotFoundError) as caught:
        GpioBoard.attached(PI)
    assert caught.value.name == missing


def test_a_package_that_is_missing_at_the_opening_is_one_sentence(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "gpiozero.exc", None)
    with pytest.raises(DriverPackageMissing) as caught:
        opened()
    assert str(caught.value) == (
        "The board driver “gpio” needs the Python package “gpiozero.exc”, which is missing. “popout doctor” says how "
        "to install it."
    )


def test_a_layout_without_pins_is_refused():
    with pytest.raises(LayoutWithoutPins) as caught:
        GpioBoard(Layout.plain(7, 6), pin_factory=Wires(), lamps=Lights())
    assert str(caught.value) == (
        "The layout “7x6” does not say on which pins its switches are. Choose one that does, such as “7x6-pi”."
    )


def test_an_opening_that_fails_leaves_nothing_open_and_the_next_one_works_g8():
    """Field bug G8: the eighth of ten pins is busy; after that all can be had."""
    wires = Wires()
    wires.busy = {16: 10_000}
    with pytest.raises(BoardError) as caught:
        opened(wires)
    assert wires.reserved() == []
    wires.busy = {}
    with opened(wires) as board:
        assert set(board.levels()) == set(PI.switches)
    assert str(caught.value).startswith("Pin GPIO16 (bar) cannot be used:")


def test_two_boards_cannot_have_the_same_pins():
    wires = Wires()
    with opened(wires), pytest.raises(PinBusy):
        opened(wires)
    with opened(wires):
        pass


@pytest.mark.parametrize(
    ("computer", "said"),
    [(PI_4, "the pins of the Raspberry Pi 4 Model B"), (machine.NO_PI, "the pins of a Raspberry Pi")],
)
def test_it_says_which_pins_these_are(computer: Machine, said: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(machine, "look", lambda: computer)
    with opened() as board:
        assert str(board.description) == said


def test_the_lamps_that_the_layout_asks_for_are_opened_and_what_they_say_is_kept(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(machine, "look", lambda: PI_4)
    facts = Facts(
        spi="missing",
        spi_buffer=4096,
        pio="missing",
        packages=frozenset({"Adafruit_PureIO", "neopixel_spi"}),
        root=False,
        clock_fixed=True,
    )
    monkeypatch.setattr(lamps_module, "look", lambda _root: facts)
    with GpioBoard(PI, pin_factory=Wires()) as board:
        assert board.remarks == ()
        board.show(DARK)
    with GpioBoard(Layout.load("7x6-pi"), pin_factory=Wires()) as board:
        assert [str(remark) for remark in board.remarks] == [
            "The lamps stay dark: SPI, which drives them on GPIO10, is switched off. Type “sudo raspi-config nonint "
            "do_spi 0” and restart the Pi."
        ]
        board.show(DARK)


def test_the_lamps_are_opened_only_after_the_pins(monkeypatch: pytest.MonkeyPatch):
    """A board that cannot be had must not light up, or darken another program's lamps."""
    wires, asked = Wires(), []
    wires.busy = {5: 10_000}

    def lamps(self: GpioBoard) -> Callable[[], None]:
        asked.append(self)
        raise AssertionError

    monkeypatch.setattr(GpioBoard, "_open_lamps", lamps)
    with pytest.raises(BoardError):
        GpioBoard(PI, pin_factory=wires)
    assert asked == []


# Hearing


def test_edges_come_out_with_their_own_times_g12():
    async def story(ear: Ear) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, TurnedLoop)
        pressed_at = ear.now
        ear.wires.move("column 4", True)
        loop.turn(0.08)  # the program is asleep
        ear.wires.move("column 4", False)
        loop.turn(1)
        await ear.wait(1)
        assert [event.time - pressed_at for event in ear.events] == pytest.approx([0, 80], abs=0.1)

    listening(story)


def test_a_time_of_another_clock_is_taken_for_now():
    """Kernels before 5.7 count the times of edges from 1970."""

    async def story(ear: Ear) -> None:
        now = ear.now
        ear.wires.clock = lambda: 1.7e12
        ear.wires.move("column 4", True)
        await ear.wait(1)
        assert ear.events[0].time == pytest.approx(now, abs=10)

    listening(story)


@pytest.mark.parametrize(("pull", "closed"), [("up", "low"), ("up", "high"), ("down", "high"), ("none", "low")])
def test_levels_count_as_the_layout_says(pull: str, closed: str):
    layout = replace(PI, pull=pull, closed=closed, inverted=frozenset({"bar"}))

    async def story(ear: Ear) -> None:
        assert ear.board.levels() == {**dict.fromkeys(PI.switches, False), "column 2": True}
        for switch in ("column 1", "bar"):
            ear.wires.tap(switch)
        await ear.wait(1)
        assert ear.heard == [("column 1", True), ("column 1", False), ("bar", True), ("bar", False)]
        assert ear.wires.wire(PI.switches["bar"]).state == (closed == "high")

    listening(story, layout, held=["column 2"])


def test_what_came_before_anybody_listened_is_not_lost():
    async def story(ear: Ear) -> None:
        assert not ear.board.levels()["column 4"]
        ear.wires.move("column 4", True)
        ear.listen()
        await ear.wait(1)
        assert ear.heard == [("column 4", True)]

    listening(story, listen=False)


def test_levels_are_what_the_lines_are_while_nobody_listens():
    async def story(ear: Ear) -> None:
        ear.wires.move("column 4", True, silently=True)
        assert ear.board.levels()["column 4"]
        ear.wires.move("column 4", False, silently=True)
        assert not ear.board.levels()["column 4"]

    listening(story, listen=False)


def test_a_level_is_left_open_while_an_edge_of_it_is_on_its_way():
    """A busy machine hears edges late: what was heard is not up to date, and what the line reads is not all of it."""

    async def story(ear: Ear) -> None:
        ear.wires.move("column 4", True)
        assert "column 4" not in ear.board.levels(), "its edge waits to be read"
        assert ear.board.levels()["column 5"] is False
        await ear.wait(1)
        assert ear.board.levels()["column 4"]
        assert ear.heard == [("column 4", True)]

    listening(story)


def test_a_line_that_stays_ahead_of_its_edge_is_an_edge_that_was_lost_g2():
    async def story(ear: Ear) -> None:
        ear.wires.move("column 4", True, silently=True)
        at = ear.now
        assert "column 4" not in ear.board.levels()
        await ear.wait(GRACE_MS - 1)
        assert ear.events == []
        await ear.wait(2)
        assert ear.heard == [("column 4", True)]
        assert ear.events[0].time == pytest.approx(at, abs=1)
        assert ear.board.levels()["column 4"]

    listening(story)


def test_an_edge_that_comes_within_the_grace_is_heard_once():
    async def story(ear: Ear) -> None:
        at = ear.now
        ear.wires.move("column 4", True, silently=True)
        ear.board.levels()
        await ear.wait(GRACE_MS / 2)
        ear.wires.wire(PI.switches["column 4"]).tell(at)
        await ear.wait(1000)
        assert ear.events == [SwitchEvent("column 4", True, at)]

    listening(story)


def test_an_edge_that_comes_just_before_it_would_be_found_lost_is_not_lost():
    async def story(ear: Ear) -> None:
        news = ear.board._inbox.listen()
        at = ear.now
        ear.wires.move("column 4", True, silently=True)
        ear.board.levels()
        await ear.wait(GRACE_MS + 1)
        ear.wires.wire(PI.switches["column 4"]).tell(at)
        assert ear.board._lost() == []
        assert ear.board._inbox.take(news) == [SwitchEvent("column 4", True, at)]

    listening(story, listen=False)


def test_an_idle_board_is_left_alone_but_for_a_look_every_few_seconds():
    async def story(ear: Ear) -> None:
        looks = 0
        look = ear.board._watch

        def counted() -> None:
            nonlocal looks
            looks += 1
            look()

        ear.board._watch = counted  # type: ignore[method-assign]
        await ear.wait(60_000)
        assert looks == 60_000 // WATCH_MS - 1 or looks == 60_000 // WATCH_MS
        ear.wires.move("column 4", True, silently=True)
        await ear.wait(WATCH_MS + GRACE_MS + 10)
        assert ear.heard == [("column 4", True)]

    listening(story)


def test_edges_of_another_thread_are_heard_in_a_real_loop():
    wires = Wires()

    async def story() -> list[SwitchEvent]:
        heard: list[SwitchEvent] = []
        with opened(wires) as board:

            async def listen() -> None:
                async for event in board.events():
                    heard.append(event)

            listener = asyncio.create_task(listen())
            await asyncio.sleep(0)
            hand = threading.Thread(target=lambda: [wires.tap("column 4") for _ in range(20)])
            hand.start()
            await until(lambda: len(heard) == 40)
            hand.join()
            board.close()
            await listener
        return heard

    heard = asyncio.run(story())
    assert [event.time for event in heard] == sorted(event.time for event in heard)


def test_a_callback_never_raises_even_when_loop_and_board_are_gone_g10():
    wires = Wires()
    board = opened(wires)
    line = board._wirings[0]._lines["column 4"]  # type: ignore[attr-defined]

    async def story() -> None:
        reader = board.events()
        task = asyncio.ensure_future(anext(reader))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(story())
    wires.tap("column 4")
    board.close()
    line.heard(1.0, 0)


# Losing


def test_a_library_that_hears_nothing_any_more_is_a_board_that_is_lost_g10(monkeypatch: pytest.MonkeyPatch):
    def dead(pins: Pins) -> None:  # noqa: ARG001
        raise BoardLost(driver_module.Message("It has stopped."))

    async def story(ear: Ear) -> None:
        monkeypatch.setattr(Pins, "check", dead)
        await ear.wait(WATCH_MS + 10)
        assert isinstance(ear.error, BoardLost)
        assert str(ear.error) == "It has stopped."

    listening(story)


def test_lines_that_cannot_be_read_are_a_board_that_is_lost(monkeypatch: pytest.MonkeyPatch):
    def gone(wire: object) -> bool:  # noqa: ARG001
        raise RuntimeError("'bad GPIO read'")

    async def story(ear: Ear) -> None:
        monkeypatch.setattr("gpio_pins.Wire._get_state", gone)
        with pytest.raises(BoardLost) as caught:
            ear.board.levels()
        assert str(caught.value) == "The pins of the board cannot be read any more (bad GPIO read)."
        await ear.wait(WATCH_MS + 10)
        assert isinstance(ear.error, BoardLost)

    listening(story)
