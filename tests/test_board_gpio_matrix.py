"""Switches in a matrix, with diodes and without, on mock pins that conduct as the switches do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpio_pins import PI, Ear, Wire, Wires, listening
from popout.board.contacts import Matrix
from popout.board.driver import BoardError
from popout.board.gpio.driver import WATCH_MS, GpioBoard
from popout.board.gpio.matrix import HIDDEN_MS, QUIET_MS, SCAN_MS, SURE_MS
from popout.board.layout import Layout

ROWS, COLUMNS = ("GPIO5", "GPIO6", "GPIO13"), ("GPIO19", "GPIO26", "GPIO21")


def matrix(*, diodes: bool = True) -> Layout:
    """Switches ``column 1`` to ``column 9``: 1, 2, 3 in the first row, and so on; the bar on a pin of its own."""
    places = {f"column {number + 1}": f"R{number // 3 + 1}C{number % 3 + 1}" for number in range(9)}
    return replace(
        PI,
        switches={**places, "bar": "GPIO16"},
        matrix=Matrix(rows=ROWS, columns=COLUMNS, diodes=diodes),
    )


def functions(wires: Wires) -> list[str]:
    return [wires.wire(pin).function for pin in ROWS]


def test_at_rest_all_rows_are_driven_low_and_nothing_is_polled():
    async def story(ear: Ear) -> None:
        await ear.wait(QUIET_MS + 2 * SCAN_MS)
        assert functions(ear.wires) == ["output"] * 3
        assert not any(ear.wires.wire(pin).state for pin in ROWS)
        before = scans(ear)
        assert before
        await ear.wait(60_000)
        assert scans(ear) == before
        assert ear.events == []

    listening(story, matrix())


@pytest.mark.parametrize("number", range(1, 10))
def test_each_switch_is_heard_within_a_scan_and_the_scanning_ends(number: int):
    async def story(ear: Ear) -> None:
        await ear.wait(1000)
        pressed_at = ear.now
        ear.wires.move(f"column {number}", True)
        await ear.wait(100)
        ear.wires.move(f"column {number}", False)
        await ear.wait(1000)
        assert ear.heard == [(f"column {number}", True), (f"column {number}", False)]
        for event, at in zip(ear.events, (pressed_at, pressed_at + 100), strict=True):
            assert at <= event.time <= at + SCAN_MS + 1
        assert functions(ear.wires) == ["output"] * 3

    listening(story, matrix())


def test_while_columns_are_read_one_row_is_driven_and_never_is_one_driven_high(monkeypatch: pytest.MonkeyPatch):
    """Else two switches that are closed would short one row to another."""
    driven: list[int] = []

    async def story(ear: Ear) -> None:
        await ear.wait(1000)
        read = Wire._get_state

        def counted(wire: Wire) -> bool:
            if str(wire) in COLUMNS and "input" in functions(ear.wires):
                driven.append(functions(ear.wires).count("output"))
            return bool(read(wire))

        monkeypatch.setattr(Wire, "_get_state", counted)
        ear.wires.move("column 1", True)
        ear.wires.move("column 4", True)
        await ear.wait(200)
        assert set(driven) == {1}
        for pin in ROWS:
            wire = ear.wires.wire(pin)
            assert not (wire.function == "output" and wire._state)

    listening(story, matrix())


def scans(ear: Ear) -> int:
    """How often the matrix was scanned, or a little more: a row floats after each scan, and when listening ends."""
    return ear.wires.wire(ROWS[0]).floated


@pytest.mark.parametrize("length", [0.1, 1, 1.9])
def test_a_pulse_that_is_gone_at_the_second_look_is_not_believed_g3(length: float):
    async def story(ear: Ear) -> None:
        await ear.wait(1000)
        before = scans(ear)
        for closed in (True, False):
            ear.wires.move("column 5", closed)
            await ear.wait(length)
        await ear.wait(1000)
        assert ear.events == []
        assert scans(ear) > before, "it was seen"
        ear.wires.move("column 5", True)
        await ear.wait(length)
        ear.wires.move("column 5", False)
        await ear.wait(SURE_MS - length)
        ear.wires.move("column 6", True)
        await ear.wait(100)
        assert ear.heard == [("column 6", True)], "each switch has its own doubt"

    listening(story, matrix())


def test_what_is_believed_at_the_second_look_bears_the_time_of_the_first():
    async def story(ear: Ear) -> None:
        await ear.wait(1000)
        at = ear.now
        ear.wires.move("column 5", True)
        await ear.wait(SURE_MS - 0.5)
        assert ear.events == []
        assert not ear.board.levels()["column 5"]
        await ear.wait(1.5)
        assert ear.heard == [("column 5", True)]
        assert ear.events[0].time == pytest.approx(at, abs=0.5)

    listening(story, matrix())


def test_a_switch_that_stays_closed_and_hides_none_lets_the_scanning_end():
    layout = matrix()
    layout = replace(
        layout, switches={s: pin for s, pin in layout.switches.items() if s not in ("column 2", "column 8")}
    )

    async def story(ear: Ear) -> None:
        await ear.wait(1000)
        ear.wires.move("column 5", True)
        await ear.wait(1000)
        before = scans(ear)
        await ear.wait(WATCH_MS + 1000)
        assert scans(ear) == before
        at = ear.now
        ear.wires.move("column 5", False)
        await ear.wait(1000)
        assert ear.heard == [("column 5", True), ("column 5", False)]
        assert at <= ear.events[-1].time <= at + 1

    listening(story, layout)


def test_beside_a_switch_that_stays_closed_the_others_ring_and_those_behind_it_are_looked_for_slowly():
    """An open bar: 5 stays closed for minutes. It holds its column low, so that 2 and 8 make no edge."""

    async def story(ear: Ear) -> None:
        await ear.wait(1000)
        ear.wires.move("column 5", True)
        await ear.wait(1000)
        before = scans(ear)
        await ear.wait(60_000)
        # Each time the rows float twice: when the listening ends, and after the scan.
        assert 1000 <= scans(ear) - before <= 2 * 60_000 / HIDDEN_MS
        latest = []
        for number, patience in ((1, 1.0), (4, 1.0), (9, 1.0), (2, HIDDEN_MS + 1), (8, HIDDEN_MS + 1)):
            for closed in (True, False):
                at = ear.now
                ear.wires.move(f"column {number}", closed)
                await ear.wait(1000 + 7 * number)
                assert ear.heard[-1] == (f"column {number}", closed)
                assert at <= ear.events[-1].time <= at + patience
                latest.append(ear.events[-1].time - at)
        assert max(latest) > SCAN_MS, "else nothing was behind it"
        assert len(ear.events) == 11
        assert ear.error is None

    listening(story, matrix())


def test_edges_that_the_scanning_made_itself_and_that_are_heard_late_start_no_other():
    """lgpio's thread hands them on after the scanning, when edges mean something again."""

    async def story(ear: Ear) -> None:
        await ear.wait(1000)
        ear.wires.move("column 5", True)
        await ear.wait(1000)
        before = scans(ear)
        for _ in range(100):
            ear.wires.wire(COLUMNS[1]).tell(ear.now)
            await ear.wait(0.1)
        assert scans(ear) - before <= 2

    listening(story, matrix())


def test_a_column_that_says_otherwise_than_its_scans_is_scanned_no_faster_than_any_other():
    async def story(ear: Ear) -> None:
        await ear.wait(1000)
        before = scans(ear)

        def low(number: int) -> None:
            if functions(ear.wires) == ["output"] * 3:
                ear.wires.wire(COLUMNS[number]).force(False)

        driven = ear.wires.driven

        def leaking() -> None:
            driven()
            low(1)

        ear.wires.driven = leaking  # type: ignore[method-assign]
        ear.wires.driven()
        await ear.wait(1000)
        assert 0 < scans(ear) - before <= 2 * 1000 / SCAN_MS + 2
        assert ear.events == []

    listening(story, matrix())


def test_a_press_between_the_last_scan_and_the_listening_is_not_lost_g2():
    async def story(ear: Ear) -> None:
        await ear.wait(1000)
        driven = ear.wires.driven

        def pressed_as_the_last_row_is_driven() -> None:
            if functions(ear.wires) == ["output"] * 3:
                ear.wires.driven = driven  # type: ignore[method-assign]
                ear.wires.conducting.add("R2C2")
            driven()

        ear.wires.tap("column 1")  # the scanning begins
        ear.wires.move("column 1", True)
        await ear.wait(1)
        ear.wires.move("column 1", False)
        ear.wires.driven = pressed_as_the_last_row_is_driven  # type: ignore[method-assign]
        await ear.wait(QUIET_MS + 100)
        assert "R2C2" in ear.wires.conducting
        assert ear.heard == [("column 5", True)]

    listening(story, matrix())


def test_a_switch_beside_others_is_heard_and_pins_of_their_own_go_on():
    async def story(ear: Ear) -> None:
        ear.wires.move("column 1", True)
        await ear.wait(100)
        ear.wires.move("column 5", True)
        ear.wires.move("bar", True)
        await ear.wait(100)
        ear.wires.move("column 1", False)
        await ear.wait(100)
        assert [switch for switch, _ in ear.heard] == ["column 1", "bar", "column 5", "column 1"]
        assert ear.board.levels()["column 5"]
        assert not ear.board.levels()["column 1"]

    listening(story, matrix())


def test_with_diodes_three_switches_of_a_rectangle_are_three():
    async def story(ear: Ear) -> None:
        for number in (1, 2, 4):
            ear.wires.move(f"column {number}", True)
        await ear.wait(100)
        assert sorted(ear.heard) == [("column 1", True), ("column 2", True), ("column 4", True)]

    listening(story, matrix())


def test_with_diodes_four_switches_of_a_rectangle_are_four():
    async def story(ear: Ear) -> None:
        for number in (1, 2, 4, 5):
            ear.wires.move(f"column {number}", True)
        await ear.wait(100)
        assert len(ear.heard) == 4

    listening(story, matrix())


def test_without_diodes_a_ghost_is_not_believed():
    """Closed in one rectangle: 1, 2 and 4. Current finds its way to 5 through them."""

    async def story(ear: Ear) -> None:
        for number in (1, 2):
            ear.wires.move(f"column {number}", True)
            await ear.wait(50)
        ear.wires.move("column 4", True)
        await ear.wait(100)
        assert ear.heard == [("column 1", True), ("column 2", True)], "neither 4 nor 5 can be told from a ghost"
        ear.wires.move("column 2", False)
        await ear.wait(100)
        assert ear.heard[2:] == [("column 2", False), ("column 4", True)] or ear.heard[2:] == [
            ("column 4", True),
            ("column 2", False),
        ]
        assert ear.board.levels()["column 5"] is False

    listening(story, matrix(diodes=False))


def test_without_diodes_two_switches_in_one_row_or_column_are_two():
    async def story(ear: Ear) -> None:
        for number in (1, 3, 7):
            ear.wires.move(f"column {number}", True)
            await ear.wait(50)
            ear.wires.move("column 1", False)
            await ear.wait(50)
        assert ear.heard == [
            ("column 1", True),
            ("column 1", False),
            ("column 3", True),
            ("column 7", True),
        ]

    listening(story, matrix(diodes=False))


def test_a_switch_held_at_the_start_is_in_the_levels_and_makes_no_event_g13():
    async def story(ear: Ear) -> None:
        assert ear.board.levels() == {**dict.fromkeys(ear.wires.layout.switches, False), "column 5": True}
        await ear.wait(1000)
        assert ear.events == []
        ear.wires.move("column 5", False)
        await ear.wait(1000)
        assert ear.heard == [("column 5", False)]

    listening(story, matrix(), held=["column 5"])


def test_an_edge_that_was_lost_is_found_by_the_watch_g2():
    async def story(ear: Ear) -> None:
        await ear.wait(1000)
        ear.wires.conducting.add("R2C2")
        ear.wires.wire(COLUMNS[1]).force(False, silently=True)
        await ear.wait(WATCH_MS + 100)
        assert ear.heard == [("column 5", True)]

    listening(story, matrix())


def test_an_edge_that_was_lost_is_found_when_the_table_reads_the_levels_g2():
    async def story(ear: Ear) -> None:
        await ear.wait(1000)
        ear.wires.conducting.add("R2C2")
        ear.wires.wire(COLUMNS[1]).force(False, silently=True)
        ear.board.levels()
        await ear.wait(2 * SURE_MS)
        assert ear.heard == [("column 5", True)]

    listening(story, matrix())


def test_levels_are_scanned_while_nobody_listens():
    async def story(ear: Ear) -> None:
        for closed in (True, False, True):
            ear.wires.move("column 9", closed)
            assert ear.board.levels()["column 9"] is closed
        ear.listen()
        await ear.wait(1000)
        ear.wires.move("column 9", False)
        await ear.wait(1000)
        assert ear.heard == [("column 9", False)]

    listening(story, matrix(), listen=False)


def test_a_switch_that_counts_the_other_way_round_is_closed_while_it_does_not_conduct():
    layout = replace(matrix(), inverted=frozenset({"column 2"}))

    async def story(ear: Ear) -> None:
        assert ear.board.levels()["column 2"]
        ear.wires.move("column 2", True)  # the hand lets it conduct
        await ear.wait(100)
        assert ear.heard == [("column 2", False)]

    listening(story, layout)


def test_a_line_of_the_matrix_that_is_busy_is_named_and_leaves_nothing_open_g8():
    wires = Wires(matrix())
    wires.busy = {21: 10_000}
    with pytest.raises(BoardError) as caught:
        GpioBoard(matrix(), pin_factory=wires)
    assert str(caught.value).startswith("Pin GPIO21 (matrix column 3) cannot be used: GPIO busy.")
    assert wires.reserved() == []
