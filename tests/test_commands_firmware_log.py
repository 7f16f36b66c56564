"""`popout firmware log`: the lines that a board keeps, and following them until somebody ends it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from commanded_boards import Plug
from popout.board.serial.port import PortRefused
from popout.cli import main
from popout.commands import firmware_talk
from popout.commands.firmware_talk import added
from popout.link import board_end
from popout.rules.messages import Message

Run = Callable[..., tuple[int, list[str], str]]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, list[str], str]:
        code = main(["firmware", *arguments])
        said = capfd.readouterr()
        return code, said.out.splitlines(), said.err

    return call


def test_the_log_is_shown_the_oldest_line_first(plug: Plug, run: Run):
    board = plug(layout_digest="0BADC0DE")
    board.end.note("started: power-on")
    board.end.note("the host fell silent: at 3:15")

    assert run("log") == (0, ["started: power-on", "the host fell silent: at 3:15"], "")


def test_a_log_without_lines_is_told(plug: Plug, run: Run):
    board = plug()

    assert run("log") == (0, [f"The board on {board.port} has nothing in its log."], "")


def test_a_board_that_will_not_tell_its_log_is_told_at_once(plug: Plug, run: Run, monkeypatch: pytest.MonkeyPatch):
    board = plug()
    monkeypatch.setattr(board_end, "ASK_LOG", "?")

    assert run("log") == (
        2,
        [],
        f"popout: The board on {board.port} does not answer as it should. Unplug it and plug it in again; if that does "
        "not help, install the firmware anew: popout firmware install\n",
    )


def test_following_a_board_that_will_not_tell_its_log_takes_its_time(
    plug: Plug, run: Run, monkeypatch: pytest.MonkeyPatch
):
    plug()
    monkeypatch.setattr(board_end, "ASK_LOG", "?")
    happens = iter([lambda: monkeypatch.setattr(board_end, "ASK_LOG", "g"), lambda: None])

    def wait(_: float) -> None:
        action = next(happens, None)
        if action is None:
            raise KeyboardInterrupt
        action()

    monkeypatch.setattr(firmware_talk, "sleep", wait)
    code, _, err = run("log", "--follow")

    assert code == 130
    refused, back = err.strip().splitlines()
    assert refused.endswith(" The board is waited for; Ctrl+C ends that.")
    assert back == "popout: The connection to the board is back."


def test_what_is_added_is_followed_until_somebody_ends_it(plug: Plug, run: Run, monkeypatch: pytest.MonkeyPatch):
    board = plug()
    board.end.note("first")
    coming = ["second", "third"]

    def wait(_: float) -> None:
        if not coming:
            raise KeyboardInterrupt
        board.end.note(coming.pop(0))

    monkeypatch.setattr(firmware_talk, "sleep", wait)
    code, out, err = run("log", "--follow")

    assert (code, out, err) == (130, ["first", "second", "third"], "\n")


def test_following_goes_on_when_the_board_is_plugged_in_again(plug: Plug, run: Run, monkeypatch: pytest.MonkeyPatch):
    plug(unique="E660BB", layout_digest="0BADC0DE")  # of another one nothing is told
    board = plug()
    board.end.note("started: power-on")

    def plugged_in_again() -> None:
        board.end.note("started: power-on")
        board.plug()

    def interrupted() -> None:
        raise KeyboardInterrupt

    happens = iter([board.unplug, lambda: None, plugged_in_again, lambda: board.end.note("second"), interrupted])
    monkeypatch.setattr(firmware_talk, "sleep", lambda _: next(happens)())

    code, out, err = run("log", "--follow", "--device", "E660AA")

    assert (code, out) == (130, ["started: power-on", "started: power-on", "second"])
    lost, back = err.strip().splitlines()
    assert lost.startswith("popout: The cable to the board was unplugged")
    assert lost.endswith(" The board is waited for; Ctrl+C ends that.")
    assert back == "popout: The connection to the board is back."


def test_following_says_what_keeps_the_board_from_coming_back(plug: Plug, run: Run, monkeypatch: pytest.MonkeyPatch):
    board = plug()
    refused = PortRefused(Message("You may not use the port."))
    tries = iter([refused] * 3 + [KeyboardInterrupt()])

    def greet(*_: object, **__: object) -> None:
        raise next(tries)

    def lost(_: float) -> None:
        if board.plugged:
            board.unplug()
            monkeypatch.setattr(firmware_talk, "first_that_answers", greet)

    monkeypatch.setattr(firmware_talk, "sleep", lost)
    code, _, err = run("log", "--follow")

    assert code == 130
    assert err.splitlines()[1:] == ["popout: You may not use the port.", ""]


@pytest.mark.parametrize(
    ("before", "now", "new"),
    [
        ("", "", ""),
        ("", "ab", "ab"),
        ("ab", "ab", ""),
        ("ab", "abc", "c"),
        ("abc", "bcd", "d"),
        ("aaa", "aab", "b"),
        ("abc", "xyz", "xyz"),
        ("abc", "a", "a"),
        ("aaa", "aaaa", "a"),  # the log was not full
        ("aaa", "aaa", ""),  # it was, and perhaps there are new ones
    ],
)
def test_the_lines_that_are_new(before: str, now: str, new: str):
    assert added(list(before), list(now)) == list(new)
