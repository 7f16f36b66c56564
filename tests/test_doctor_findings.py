"""Made-up machines and what is found out about each as a whole; nothing can stop it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from computers import EXPANDED, PICO, POPOUT, WIRED, Computer, codes, laptop, pi_3, pi_4, pi_5, pi_zero_2, says
from popout.board.layout import Layout
from popout.doctor.facts import Named
from popout.doctor.findings import examine, likely_board

Make = Callable[[Path], Computer]


@pytest.mark.parametrize("make", [pi_4, pi_5], ids=lambda make: make.__name__)
def test_a_pi_that_is_ready(tmp_path: Path, make: Make):
    facts = make(tmp_path).facts()

    assert codes(facts, severity="problem") == []
    assert codes(facts, severity="advice") == ["level-shifter"]


@pytest.mark.parametrize("make", [pi_zero_2, pi_3], ids=lambda make: make.__name__)
def test_a_smaller_pi_that_is_ready(tmp_path: Path, make: Make):
    facts = make(tmp_path).facts()

    assert codes(facts, severity="problem") == []
    assert codes(facts, severity="advice") == ["supply-cable", "level-shifter"]


def test_a_laptop_is_told_what_can_be_played_and_has_no_problem(tmp_path: Path):
    facts = laptop(tmp_path).facts()

    assert [each.severity for each in examine(facts)] == ["fine"] * 3
    assert says(facts, "no-pi", None) == (
        "fine",
        "This is no Raspberry Pi (Debian GNU/Linux 12 (bookworm), 64 bit, kernel 6.1.0-18-amd64, Python 3.11), so it "
        "has no pins for a board. What can be played here is the simulator, or a board with a Pico on a USB "
        "cable.",
        f"{POPOUT} sim",
    )


def test_a_container_without_the_device_tree(tmp_path: Path):
    made = laptop(tmp_path)
    made.write("run/.containerenv")

    assert says(made.facts(), "container", None) == (
        "advice",
        "This runs in a container, which sees of its computer only what it is shown. If that is a Raspberry Pi, run "
        "popout outside of the container.",
    )


def test_whoever_asks_for_pins_on_a_laptop_has_a_problem(tmp_path: Path):
    facts = laptop(tmp_path).facts()

    assert codes(facts, severity="problem") == []
    assert says(facts, "no-pins", board="gpio") == (
        "problem",
        "The board driver “gpio” plays on the header of a Raspberry Pi, and this computer has none.",
        f"{POPOUT} sim",
    )


def test_a_pi_with_nothing_on_it(tmp_path: Path):
    made = pi_4(tmp_path)
    made.packages, made.modules, made.chip = {}, (), None
    for file in ("dev/gpiochip0", "dev/spidev0.0"):
        (tmp_path / file).unlink()

    assert codes(made.facts(), severity="problem") == ["packages-missing", "no-header", "no-light", "no-light"]


def test_which_board_is_likely(tmp_path: Path):
    made = laptop(tmp_path / "laptop")
    assert likely_board(made.facts()) == "sim"
    made.ports = [PICO]
    assert likely_board(made.facts()) == "serial"
    assert likely_board(made.facts(), WIRED) == "gpio"
    assert likely_board(pi_3(tmp_path / "pi").facts()) == "gpio"


def test_on_the_simulator_no_pin_is_looked_at(tmp_path: Path):
    facts = replace(pi_4(tmp_path).facts(), named=Named(board="sim"))

    assert {each.area for each in examine(facts, None, "sim")} == {"computer", "places"}


# Nothing can stop it


@pytest.mark.parametrize("make", [laptop, pi_zero_2, pi_3, pi_4, pi_5], ids=lambda make: make.__name__)
@pytest.mark.parametrize("board", [None, "gpio", "serial", "sim", "a driver of others"])
@pytest.mark.parametrize("layout", [None, WIRED, EXPANDED, Layout.plain(7, 6), Layout.load("7x6-pico")], ids=str)
def test_every_board_on_every_machine(tmp_path: Path, make: Make, board: str | None, layout: Layout | None):
    assert examine(make(tmp_path).facts(), layout, board)


def test_junk_in_every_file(tmp_path: Path):
    made = pi_5(tmp_path)
    for file in [file for file in tmp_path.rglob("*") if file.is_file() and "device-tree" not in str(file)]:
        file.write_bytes(bytes(range(256)))

    assert examine(made.facts(), WIRED)
