"""Boards on pseudo-terminals that the commands of `popout firmware` find on USB, and a layout of somebody's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from popout import __version__
from popout.board.serial import ports as ports_module
from serial_boards import PtyBoard, on_usb

Plug = Callable[..., PtyBoard]
OURS = (__version__, "power-on", "pico")
"""What a board of this version says of itself: version, reason of its start, model."""


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch) -> Iterator[Plug]:
    """Make a board and plug it in."""
    boards: list[PtyBoard] = []
    monkeypatch.setattr(ports_module, "ports", lambda: on_usb(*boards)())
    with ExitStack() as stack:

        def make(**options: object) -> PtyBoard:
            boards.append(stack.enter_context(PtyBoard(**{"about": OURS, **options})))  # type: ignore[arg-type]
            return boards[-1]

        yield make


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A layout file with other pins."""
    file = tmp_path / "mine.toml"
    source = Path(__file__).parent.parent / "hardware/boards/7x6-pico.toml"
    file.write_text(source.read_text("utf-8").replace('"GP9"', '"GP12"'), "utf-8")
    return file
