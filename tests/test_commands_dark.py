"""`popout dark`: the lamps of a board that nobody plays on go dark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from popout.board.driver import BoardError
from popout.board.frame import DARK, Frame
from popout.board.layout import Layout
from popout.cli import main
from popout.commands import dark
from popout.rules import Message
from popout_sim.driver import SimulatedBoard

Run = Callable[..., tuple[int, str, str]]


class LitBoard(SimulatedBoard):
    """A board whose lamps another program left lit."""

    opened: ClassVar[list[LitBoard]] = []

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.show(replace(Frame.dark(layout.columns, layout.rows), turns=(0xFF0000, DARK)))
        self.opened.append(self)


class HeldBoard(SimulatedBoard):
    """A board that another program has open."""

    def __init__(self, _: Layout) -> None:
        raise BoardError(Message("The board is held by another program."))


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    LitBoard.opened.clear()

    def call(board: type[SimulatedBoard], *arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(dark, "choose", lambda *_: (board, Message("chosen")))
        code = main(["dark", *arguments])
        said = capfd.readouterr()
        return code, said.out, said.err

    return call


def is_dark(board: SimulatedBoard) -> bool:
    return board.lamps == Frame.dark(board.layout.columns, board.layout.rows)


def test_the_lamps_go_dark_without_a_word(run: Run):
    assert run(LitBoard) == (0, "", "")
    assert [is_dark(board) for board in LitBoard.opened] == [True]


def test_it_is_the_board_of_the_layout(run: Run):
    assert run(LitBoard, "--layout", "5x4") == (0, "", "")
    assert [board.layout.name for board in LitBoard.opened] == ["5x4"]


@pytest.mark.parametrize(("arguments", "goes_dark"), [([], True), (["--as-set"], False)])
def test_lamps_that_are_to_stay_lit_stay_so_only_where_that_is_asked(
    run: Run, tmp_path: Path, arguments: list[str], goes_dark: bool
):
    (tmp_path / "settings.toml").write_text("dark_on_exit = false", "utf-8")

    assert run(LitBoard, "--settings", str(tmp_path / "settings.toml"), *arguments) == (0, "", "")
    assert [is_dark(board) for board in LitBoard.opened] == [goes_dark]


def test_a_board_that_is_being_played_on_is_left_alone(run: Run):
    assert run(HeldBoard) == (2, "", "popout: The board is held by another program.\n")


def test_without_a_board_there_is_nothing_to_do(capfd: pytest.CaptureFixture[str]):
    assert main(["dark"]) == 0
    assert capfd.readouterr() == ("", "")
