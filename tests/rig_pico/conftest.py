"""Tests of the firmware that people install, on an emulated Pico; and the figures that they find."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from picoboard import PICO, Boot

from popout.board.layout import Layout
from popout.board.serial import driver, ports, talking, wire
from popout.board.serial.description import description
from popout.board.serial.ports import SerialPort
from popout.firmware.build import base_image
from popout.firmware.image import with_description
from popout.firmware.uf2 import read_uf2, write_uf2
from rig.pico.board import EmulatedPico, Mode

HOST_PATIENCE_S = 30.0
"""How long the controller waits here, by the wall, for what a real board does within a second or two of it."""

_FIGURE = "figure"


@pytest.fixture(scope="session")
def base() -> Path:
    """The base image of a Pico, which is compiled first if there is none of these sources."""
    return base_image("pico", print)


@pytest.fixture
def image(base: Path, tmp_path: Path) -> Callable[[Layout], Path]:
    """Makes the firmware of a layout: its file."""

    def make(layout: Layout) -> Path:
        made = tmp_path / f"{layout.name}.uf2"
        made.write_bytes(write_uf2(with_description(read_uf2(base.read_bytes(), base.name), description(layout), "")))
        return made

    return make


@pytest.fixture
def boot(image: Callable[[Layout], Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[Boot]:
    """Gives a Pico current; the computer sees it on USB, and goes by its time."""
    with ExitStack() as running:

        def begin(layout: Layout = PICO, mode: Mode = "paced", slower: int = 1) -> EmulatedPico:
            lamps = [] if layout.chain is None else [int(layout.chain.pin.removeprefix("GP"))]
            pico = running.enter_context(EmulatedPico(image(layout), lamps=lamps, mode=mode, slower=slower))
            for module in (driver, ports):
                monkeypatch.setattr(module, "ports", lambda: _on_usb(pico))
            for module in (driver, talking):
                monkeypatch.setattr(module, "monotonic_ms", lambda: pico.told_us / 1000)
            monkeypatch.setattr(talking, "GREETED_WITHIN_S", HOST_PATIENCE_S)
            monkeypatch.setattr(wire, "LAST_WORDS_S", HOST_PATIENCE_S)
            pico.wait_for_port()
            return pico

        yield begin


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Takes a sentence that says what was measured, which is printed at the end."""
    return lambda text: record_property(_FIGURE, text)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures, of whatever process has measured them."""
    for outcome in ("passed", "failed"):
        for report in terminalreporter.getreports(outcome):
            for name, text in report.user_properties:
                if name == _FIGURE and report.when == "call":
                    terminalreporter.write_line(str(text))


def _on_usb(pico: EmulatedPico) -> tuple[SerialPort, ...]:
    port, usb = pico.port, pico.usb
    if port is None or usb is None:
        return ()
    return (SerialPort(port, usb.vid, usb.pid, usb.serial_number, usb.product),)
