"""Tests on real GPIO lines of a kernel of their own, see `rig.gpio.run`; and the figures that they find."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from hands import Hands

from rig.gpio.chips import Chip

_FIGURES: list[str] = []


def pytest_configure() -> None:
    """Refuse to test a computer without lines."""
    if os.environ.get("RIG_GPIO") != "guest":
        raise pytest.UsageError(
            "The tests in tests/rig_gpio need the GPIO lines that only the rig has. Type: make rig-gpio"
        )


@pytest.fixture
def chip() -> Chip:
    """The chip of the header; every finger is off."""
    chip = Chip("pi")
    chip.rest()
    return chip


@pytest.fixture
def hands(chip: Chip) -> Iterator[Hands]:
    """Hands at the lines of the header, in a process of their own."""
    with Hands(chip.name) as hands:
        yield hands


@pytest.fixture
def figure() -> Callable[[str], None]:
    """Takes a sentence that says what was measured, and prints it at the end."""
    return _FIGURES.append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures."""
    for each in _FIGURES:
        terminalreporter.write_line(each)
