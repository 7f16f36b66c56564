"""A program that is killed at random instants resumes exactly what it had shown as committed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from witness import Figures, Witness

HERE = Path(__file__).parent
KILLS = 1000

NEW = ["new", "popout 7x6"]
MOVE = ["move", "d4"]


def run(script: str, *arguments: str, **environment: str) -> Any:
    """What a script of this folder prints as JSON; it runs alone in a process, since it forks."""
    done = subprocess.run(
        [sys.executable, HERE / script, *arguments],
        env={**os.environ, "PYTHONPATH": str(HERE.parent), **environment},
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(done.stdout)


def test_a_thousand_kills_lose_no_step_and_double_none():
    figures = run("killing.py", "--json", "--kills", str(KILLS), "--seed", "1")
    assert (figures["kills"], figures["lost"], figures["doubled"], figures["faults"]) == (KILLS, 0, 0, [])
    assert figures["in_commit"] > KILLS / 10, "the instants are well chosen"
    assert set(figures["kinds"]) == {"new", "move", "take-back", "draw", "resign", "correction"}


def heard(*lives: list[list[str]]) -> Figures:
    """The figures after a witness has heard these lives."""
    figures = Figures()
    witness = Witness(figures)
    for lines in lives:
        witness.hear(lines)
    return figures


def found(*entries: list[str]) -> list[str]:
    return ["resumed", json.dumps(entries), "same"]


BEGUN = [["begin", *NEW], ["end"], ["shown", *NEW], ["begin", *MOVE], ["end"], ["shown", *MOVE]]


def test_the_witness_misses_a_step_that_was_shown():
    assert heard(BEGUN, [found(NEW)]).lost == 1


@pytest.mark.parametrize("was_on_disk", [True, False])
def test_the_witness_takes_a_step_that_nobody_saw_or_none(was_on_disk: bool):
    cut_off = [*BEGUN, ["begin", *MOVE], *([["end"]] if was_on_disk else [])]
    for entries in ([NEW, MOVE], [NEW, MOVE, MOVE]):
        figures = heard(cut_off, [found(*entries)])
        assert (figures.lost, figures.doubled, figures.faults) == (0, 0, [])


def test_the_witness_finds_a_step_that_is_there_twice():
    assert heard([*BEGUN, ["begin", *MOVE]], [found(NEW, MOVE, MOVE, MOVE)]).doubled == 1


def test_the_witness_finds_a_step_that_was_refused_and_is_there_all_the_same():
    assert heard([*BEGUN, ["begin", *MOVE], ["refused"]], [found(NEW, MOVE, MOVE)]).faults
    assert not heard([*BEGUN, ["begin", *MOVE], ["doubtful"]], [found(NEW, MOVE, MOVE)]).faults


@pytest.mark.parametrize("entries", [1, 2])
def test_the_witness_tells_a_new_game_from_the_same_one_without_a_move(entries: int):
    witness = Witness(Figures())
    witness.hear([["resumed", json.dumps([]), "same", "0"], ["begin", *NEW], ["shown", *NEW], ["begin", *NEW]])
    witness.hear([["resumed", json.dumps([NEW]), "same", str(entries)]])
    assert len(witness.shown) == entries


def test_the_witness_lets_one_doubtful_step_be_there_until_another_was_refused_for_certain():
    doubtful = [*BEGUN, ["begin", *MOVE], ["doubtful"], ["begin", "move", "d5"]]
    assert not heard([*doubtful, ["doubtful"]], [found(NEW, MOVE, MOVE)]).faults
    assert heard([*doubtful, ["doubtful"]], [found(NEW, MOVE, MOVE, ["move", "d5"])]).faults
    assert heard([*doubtful, ["refused"]], [found(NEW, MOVE, MOVE)]).faults
