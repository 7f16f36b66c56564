"""The test of the wiring on a simulated board, with its own clock, its contacts and its faults."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
import pytest

from gpio_pins import Lights, Wires
from popout.board.chain import Place
from popout.board.driver import BoardLost
from popout.board.frame import Frame
from popout.board.gpio.driver import GpioBoard
from popout.board.layout import Layout
from popout.board.switches import SwitchEvent
from popout.doctor.asking import Paces, Question, Word
from popout.doctor.diagnosis import Diagnosis, judge
from popout.doctor.edits import corrected
from popout.doctor.hands import AnswersEnded, examine_board
from popout.doctor.observations import Seen
from popout.rules import Message
from popout_sim.contacts import LIGHT
from popout_sim.driver import SimulatedBoard
from popout_sim.mischief import Mischief
from popout_sim.named import parse_faults
from wiring import Bench, Person

SMALL, PI = Layout.load("5x4"), Layout.load("7x6-pi")
QUICK = Paces(rest_ms=40, blink_ms=10, settle_ms=15, bar_settle_ms=15)
PRESS_MS = 8


class BySimulator(Bench):
    """A board whose lamps are what the simulator shows, faults and all."""

    def lit(self, frame: Frame) -> dict[Place, str]:
        found = {}
        for place, colour in zip(self.told.places, self.told.colours(frame), strict=True):
            if colour:
                found[place] = "".join(letter for letter, at in (("r", 16), ("g", 8), ("b", 0)) if colour >> at & 255)
        return found


@dataclass
class AtTheBoard:
    """A person who hears what is said, sees the lamps of a simulated board, and lays hands on it."""

    board: Any
    person: Person
    said: list[Message] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    leaves_at: str = "nothing of this"

    def sees(self) -> Frame:
        """What the lamps were told."""
        return self.board.lamps

    def hear(self, message: Message) -> None:
        self.said.append(message)
        self.news.set()

    async def answers(self) -> AsyncIterator[str]:
        self.levels = self.person.bench.levels()
        while True:
            await self.news.wait()
            self.news.clear()
            await asyncio.sleep(0)  # until the lamps are lit
            say, self.said = tuple(self.said), []
            if self.leaves_at in str(say):
                yield "q"
                continue
            if "ouch nothing" in str(say[-1]):
                continue
            what, which = self.person.act(Question(say, Word(), ()), self.sees())
            if what == "type":
                yield which
            elif not await self.move(what, which):
                yield ""  # nothing happens

    async def move(self, what: str, which: str) -> bool:
        """Lay a hand on a switch; whether anything comes of it."""
        bench, now = self.person.bench, self.board.now()
        after = bench.levels({which} if what in ("tap", "open") else ())
        edges = bench.edges(self.levels, after, now)
        if what == "tap":
            edges += bench.edges(after, self.levels, now + PRESS_MS)
        else:
            self.levels = after
        self.board.inject(edges)
        return bool(edges)


def try_board(bench: Bench, faults: str = "", **rest: str) -> tuple[Seen | None, SimulatedBoard, Person]:
    """Let a person test the wiring of a simulated board."""
    mischief = Mischief(parse_faults(faults)) if faults else None

    async def test() -> tuple[Seen | None, SimulatedBoard, Person]:
        with SimulatedBoard(bench.told, mischief=mischief) as board:
            board.inject(SwitchEvent(switch, True, board.now()) for switch, closed in bench.levels().items() if closed)
            someone = AtTheBoard(board, Person(bench), **rest)
            seen = await asyncio.wait_for(
                examine_board(board, someone.answers(), someone.hear, paces=QUICK), timeout=120
            )
            return seen, board, someone.person

    return asyncio.run(test())


class AtThePins(AtTheBoard):
    """The same at a board on the pins of a Pi, which are gpiozero's mock pins."""

    def __init__(self, board: GpioBoard, person: Person, wires: Wires, lights: Lights) -> None:
        super().__init__(board, person)
        self.wires, self.lights = wires, lights

    def sees(self) -> Frame:
        return self.lights.shown[-1]

    async def move(self, what: str, which: str) -> bool:
        self.wires.move(which, what != "close")
        if what == "tap":
            await asyncio.sleep(PRESS_MS / 1000)
            self.wires.move(which, False)
        return True


def judged(bench: Bench, faults: str = "") -> Diagnosis:
    seen, board, _ = try_board(bench, faults)
    assert seen is not None
    assert board.lamps == Frame.dark(bench.told.columns, bench.told.rows)
    return judge(bench.told, seen)


def codes(diagnosis: Diagnosis) -> list[str]:
    return [found.code for found in diagnosis.findings if found.severity == "problem"]


def test_a_right_board_is_all_right():
    assert judged(Bench(SMALL, SMALL, contact=LIGHT)).all_right


def test_exchanged_buttons_and_a_chain_from_the_other_side():
    switches = {**SMALL.switches, "column 1": SMALL.switches["column 4"], "column 4": SMALL.switches["column 1"]}
    chain = msgspec.structs.replace(SMALL.chain, parts=SMALL.chain.parts[::-1])
    real = replace(SMALL, switches=switches, chain=chain, inverted=frozenset({"bar"}))

    diagnosis = judged(Bench(SMALL, real))

    assert corrected(SMALL, diagnosis.edits) == real


@pytest.mark.parametrize(
    ("faults", "expected"),
    [
        ("swapped-colours", ["colours-exchanged"]),
        ("dead-lamp:3:2", ["lamp-dead"]),
        ("reversed-chain", ["chain-otherwise"]),
        ("swapped-colours,dead-lamp:7", ["colours-exchanged", "lamp-dead"]),
        ("reversed-chain,dead-lamp:2:5", ["lamp-dead", "chain-otherwise"]),
    ],
)
def test_faults_of_lamps_that_the_simulator_makes(faults: str, expected: list[str]):
    diagnosis = judged(BySimulator(PI, PI), faults)

    assert codes(diagnosis) == expected
    found = corrected(PI, diagnosis.edits)
    if "reversed-chain" in faults:
        assert found.places == PI.places[::-1]
    if "swapped-colours" in faults:
        assert found.chain.order == "rgb"


def test_the_pins_of_a_pi():
    """Exchanged buttons, a bar the other way round and lamps of another order, through the driver and its mock pins."""
    switches = {**PI.switches, "column 6": PI.switches["menu"], "menu": PI.switches["column 6"]}
    chain = msgspec.structs.replace(PI.chain, order="rgb", parts=PI.chain.parts[::-1])
    real = replace(PI, switches=switches, chain=chain, inverted=frozenset({"bar"}))
    wires, lights, bench = Wires(real), Lights(), Bench(PI, real)
    for switch in real.switches:
        wires.move(switch, False)

    async def test() -> Seen | None:
        with GpioBoard(PI, pin_factory=wires, lamps=lights) as board:
            someone = AtThePins(board, Person(bench), wires, lights)
            return await asyncio.wait_for(
                examine_board(board, someone.answers(), someone.hear, paces=QUICK), timeout=120
            )

    seen = asyncio.run(test())

    assert seen is not None
    assert corrected(PI, judge(PI, seen).edits) == real
    assert lights.shown[-1] == Frame.dark(7, 6)


def test_a_button_that_is_held_as_the_test_begins_is_told():
    """Field bug G13: a button reads pressed at the start."""
    diagnosis = judged(Bench(SMALL, SMALL, stuck={"column 3"}))

    assert codes(diagnosis) == ["switch-stuck"]


def test_who_leaves_leaves_dark_lamps_and_no_diagnosis():
    """Field bug L6: lamps stay lit after a stop."""
    seen, board, person = try_board(Bench(SMALL, SMALL), leaves_at="Which colour has it")

    assert seen is None
    assert board.lamps == Frame.dark(5, 4)
    assert len(person.said) > 5


async def lines(*said: str) -> AsyncIterator[str]:
    for line in said:
        yield line


async def and_then_nothing(*said: str) -> AsyncIterator[str]:
    for line in said:
        yield line
    await asyncio.Event().wait()


def test_lines_of_a_pipe_wait_for_their_questions():
    said: list[str] = []

    async def test() -> Seen | None:
        with SimulatedBoard(replace(SMALL, chain=None)) as board:
            return await examine_board(
                board,
                and_then_nothing(*[""] * 13),  # twice for each switch
                lambda message: said.append(str(message)),
                typed=False,
                paces=QUICK,
            )

    seen = asyncio.run(test())

    assert seen is not None
    assert all(not trial.answers for trial in seen.switches.trials.values())
    assert "no answer" not in str(said)


def test_what_is_typed_while_nothing_is_asked_is_no_answer_to_the_next_question():
    async def test() -> Seen | None:
        with SimulatedBoard(replace(SMALL, chain=None)) as board:
            told, resting = asyncio.Event(), asyncio.Event()

            async def someone() -> AsyncIterator[str]:
                yield ""
                await resting.wait()
                yield ""  # too early
                await told.wait()
                yield "q"

            def say(message: Message) -> None:
                if "column 2" in str(message):
                    raise AssertionError("column 1 was taken as answered")
                if "Touch nothing" in str(message):
                    resting.set()
                if "column 1" in str(message):
                    told.set()

            return await examine_board(board, someone(), say, paces=QUICK)

    assert asyncio.run(test()) is None


def test_the_end_of_what_a_person_types_leaves_the_test():
    """Ctrl+D at a terminal."""

    async def test() -> Seen | None:
        with SimulatedBoard(SMALL) as board:
            return await examine_board(board, lines(), lambda _: None, paces=QUICK)

    assert asyncio.run(test()) is None


def test_lines_of_a_pipe_that_end_too_early_end_the_test():
    async def test() -> None:
        with SimulatedBoard(SMALL) as board:
            await examine_board(board, lines(), lambda _: None, typed=False, paces=QUICK)

    with pytest.raises(AnswersEnded) as caught:
        asyncio.run(test())

    assert str(caught.value) == (
        "The test of the wiring asks questions, and there is nobody to answer: its input has ended. Run it in a "
        "terminal."
    )


def test_a_board_that_closes_without_an_error_ends_the_test():
    async def test() -> None:
        with SimulatedBoard(SMALL) as board:

            def say(message: Message) -> None:
                if "column 1" in str(message):
                    board.close()

            await asyncio.wait_for(examine_board(board, and_then_nothing(""), say, paces=QUICK), timeout=30)

    with pytest.raises(BoardLost) as caught:
        asyncio.run(test())

    assert str(caught.value) == "The board has fallen silent."


def test_a_board_that_goes_away_ends_the_test():
    async def test() -> None:
        with SimulatedBoard(SMALL) as board:

            def say(message: Message) -> None:
                if "column 1" in str(message):
                    board.go_away(60_000)

            await examine_board(board, and_then_nothing(""), say, paces=QUICK)

    with pytest.raises(BoardLost):
        asyncio.run(test())


def test_ctrl_c_leaves_dark_lamps():
    async def test() -> SimulatedBoard:
        with SimulatedBoard(SMALL) as board:
            blinked = asyncio.Event()
            board_show = board.show

            def show(frame: Frame) -> None:
                board_show(frame)
                if frame != Frame.dark(5, 4):
                    blinked.set()

            board.show = show  # type: ignore[method-assign]
            testing = asyncio.create_task(examine_board(board, and_then_nothing(""), lambda _: None, paces=QUICK))
            await blinked.wait()
            testing.cancel()
            await asyncio.gather(testing, return_exceptions=True)
            assert testing.cancelled()
            return board

    assert asyncio.run(test()).lamps == Frame.dark(5, 4)
