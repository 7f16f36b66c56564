"""The solver: values of small boards, what it does when it must stop, and what it takes."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any

import pytest

from kernel_positions import game_positions, wins_within
from popout.opponent.errors import NotEnoughMemory
from popout.opponent.kernel.compiling import COMPILED
from popout.opponent.solver import MIB, Progress, Solver
from popout.opponent.verdicts import DRAWN, Verdict, Worth, before, lost_in, unknown, won_in
from popout.rules import Drop, Position, RuleSet, parse_position
from test_rules_solved import named, start_of

MOST_POSITIONS = 10**8 if COMPILED else 60_000
SLOW_GAMES = ("pop10", "power")
SOLVED = Path(__file__).parent / "data" / "vectors" / "solved.json"
ENTRIES: list[dict[str, Any]] = [
    entry
    for entry in json.loads(SOLVED.read_text("utf-8"))
    if entry.get("positions", 10**7) <= (60_000 if entry["variant"].startswith(SLOW_GAMES) else MOST_POSITIONS)
]
MEMORY = 64 * MIB


def start(rules: str) -> Position:
    return Position.start(RuleSet.parse(rules))


def verdict_of(entry: dict[str, Any]) -> Verdict:
    """What the data says of a start position, at which player 1 moves."""
    return {0: DRAWN, 1: won_in(entry["plies"] or 0), 2: lost_in(entry["plies"] or 0)}[entry["winner"]]


@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_a_small_board_is_worth_what_the_data_says(entry: dict[str, Any]):
    position = start_of(entry)

    assert Solver(position.rules, MEMORY).value(position) == verdict_of(entry)


@pytest.mark.parametrize(
    "entry",
    [each for each in ENTRIES if each["winner"] and each["variant"] in ("popout", "five", "five+pop")],
    ids=named,
)
def test_the_search_finds_the_same_wins_without_a_table(entry: dict[str, Any]):
    position = start_of(entry)
    if entry["plies"] > 9 and not COMPILED:
        entry = {**entry, "plies": 9}

    found = Solver(position.rules, MEMORY).value(position, most_plies=entry["plies"])

    assert found == (verdict_of(entry) if found.worth is not Worth.UNKNOWN else unknown(entry["plies"]))
    assert (found.worth is Worth.UNKNOWN) == (position.rules.connect == 3 and position.rules.rows == 5 and not COMPILED)


def test_the_original_is_a_draw_where_nobody_can_win_before_its_last_turn():
    position = parse_position("OO/OX/OX/XOXO/XXXO X", RuleSet.parse("standard 5x4"))
    solver = Solver(position.rules, 16 * MIB)  # which is too little for a table

    assert solver.memory == 16 * MIB
    assert solver.value(position) == DRAWN
    assert len(solver.line(position)) == 6


def test_each_move_is_worth_what_the_position_after_it_is():
    solver = Solver(RuleSet.parse("popout 4x3 connect=3"), MEMORY)
    for position in list(game_positions("popout 4x3 connect=3", games=6))[::4]:
        if position.ended is None:
            found = solver.moves(position)
            assert list(found) == list(position.legal_moves)
            for move, verdict in found.items():
                assert verdict == before(solver.value(position.play(move)), same_side=False)
            best = max(verdict.estimate for verdict in found.values())
            assert solver.value(position).estimate == best


def test_the_moves_of_a_game_with_steps_are_worth_what_the_whole_turn_is():
    solver = Solver(RuleSet.parse("power 3x2 connect=2 powers=x"), MEMORY)
    position = start("power 3x2 connect=2 powers=x")

    found = {str(move): verdict for move, verdict in solver.moves(position).items()}

    assert found["x2"] == won_in(1)  # and a disc beside it, in the same turn
    assert solver.value(position) == won_in(1)
    assert [str(move) for move in solver.line(position)] == ["x2", "d2"]


def test_a_line_is_as_long_as_the_value_says_and_ends_the_game():
    for rules in ("popout 4x4 connect=3", "popout 3x4 connect=3", "five+pop 3x3 connect=3"):
        position = start(rules)
        solver = Solver(position.rules, MEMORY)
        if COMPILED or position.rules.columns < 4:
            verdict, line = solver.value(position), solver.line(position)
            for move in line:
                position = position.play(move)
            assert position.ended is not None
            assert len(line) == verdict.plies


def test_a_line_of_endless_play_ends_where_it_began_again():
    solver = Solver(RuleSet.parse("popout 3x2 connect=3"), MEMORY)
    line = solver.line(start("popout 3x2 connect=3"))
    positions = [start("popout 3x2 connect=3")]
    for move in line:
        positions.append(positions[-1].play(move))

    assert positions[-1].ended is not None or positions[-1] in positions[:-1]


def test_what_has_ended_needs_no_search():
    position = start("standard 7x6")
    for column in (1, 2, 1, 2, 1, 2, 1):
        position = position.play(Drop(column))
    solver = Solver(position.rules, MEMORY)

    assert solver.value(position) == lost_in(0)
    assert solver.moves(position) == {}
    assert solver.line(position) == []
    assert solver.positions == 0


def test_it_looks_no_further_than_it_is_told():
    position = start("popout 7x6")
    solver = Solver(position.rules, MEMORY)

    assert solver.value(position, most_plies=5) == unknown(5)
    assert set(solver.moves(position, most_plies=5).values()) == {unknown(5)}


def test_at_the_deadline_it_says_how_far_it_has_come():
    position = start("popout 7x6")
    solver = Solver(position.rules, MEMORY)

    assert solver.value(position, deadline=monotonic() - 1) == unknown(0)
    found = solver.value(position, deadline=monotonic() + 0.5)
    assert found.worth is Worth.UNKNOWN
    assert found.searched >= 1


def test_it_is_stopped_from_another_thread():
    position = start("popout 9x6")
    solver = Solver(position.rules, MEMORY)
    seen: list[Progress] = []

    def stop_soon(progress: Progress) -> None:
        seen.append(progress)
        if len(seen) == 2:
            Thread(target=solver.stop).start()

    found = solver.value(position, progress=stop_soon)

    assert found.worth is Worth.UNKNOWN
    assert found.searched >= 1
    assert seen[-1].turns >= 1
    assert seen[-1].positions > 0


def test_what_progress_raises_ends_it():
    class Enough(Exception):
        pass

    def enough(_: Progress) -> None:
        raise Enough

    solver = Solver(RuleSet.parse("popout 9x6"), MEMORY)

    with pytest.raises(Enough):
        solver.value(start("popout 9x6"), progress=enough)
    assert solver.value(start("popout 9x6"), most_plies=3) == unknown(3)


def test_a_table_that_was_begun_is_gone_on_with():
    position = start("popout 3x3 connect=3 full-grid=continue")
    solver = Solver(position.rules, MEMORY)
    stops = 0
    found = unknown()

    def stop(_: Progress) -> None:
        solver.stop()

    while found.worth is Worth.UNKNOWN and stops < 200:
        found = solver.value(position, progress=stop)
        stops += 1

    assert found == Solver(position.rules, MEMORY).value(position)


@pytest.mark.parametrize("cores", [1, 2, 3])
def test_the_cores_agree(cores: int):
    rules = "popout 4x3 connect=3"
    solver = Solver(RuleSet.parse(rules), MEMORY, cores)
    for position in list(game_positions(rules, games=3))[::5]:
        if position.ended is None:
            assert solver.value(position) == Solver(position.rules, MEMORY).value(position)


def test_a_win_within_so_many_turns():
    position = start("popout 4x4 connect=3")
    solver = Solver(position.rules, MEMORY)

    assert solver.wins_within(position, 9) is True
    assert solver.wins_within(position, 7) is False
    assert solver.wins_within(start("popout 4x4 connect=3"), 9, deadline=monotonic() - 1) is None
    assert not wins_within(position, 5, True)


def test_less_memory_than_the_least_is_refused():
    with pytest.raises(NotEnoughMemory) as caught:
        Solver(RuleSet.parse("popout 7x6"), MIB)

    assert str(caught.value) == "1 MiB of memory are too little. Allow at least 16."


def test_a_graph_that_does_not_fit_is_not_known():
    position = start("pop10 7x6")
    solver = Solver(position.rules, 16 * MIB)

    assert solver.value(position, deadline=monotonic() + 30) == unknown()
    assert solver.positions <= 16 * MIB // 500


@pytest.mark.parametrize(
    ("rules", "memory"),
    [("popout 5x4", 31**5 + 8 * MIB), ("popout 7x6", MEMORY), ("pop10 7x6", MEMORY), ("popout 4x3", 15**4 + 8 * MIB)],
)
def test_it_says_beforehand_what_memory_it_takes(rules: str, memory: int):
    assert Solver(RuleSet.parse(rules), MEMORY).memory == memory
