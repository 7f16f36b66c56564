"""The conversation of `popout doctor --hands`: a board's wiring is tested, and its layout corrected if asked."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from popout.board.driver import BoardDriver, BoardError
from popout.board.find import SIMULATOR, choose, default_layout
from popout.board.layout import Layout, path_of, shipped
from popout.commands.console import Console, speak, wanted_language
from popout.commands.terminal import standard_input
from popout.doctor.contact_diagnosis import Times
from popout.doctor.correcting import difference, edited, layout_text, write_corrected
from popout.doctor.diagnosis import Diagnosis, judge
from popout.doctor.finding import Finding
from popout.doctor.hands import examine_board
from popout.play.settings import load_settings
from popout.rules.messages import Message
from popout.views.lines import Lines

_YES = "y"


class NoBoardToTest(BoardError):
    """There is no board under the hands."""

    code = "no-board-to-test"


def examine_wiring(
    board: str | None,
    layout: str | None,
    settings: Path | None,
    write: Path | None,
    tell: Callable[[Console, Sequence[Finding]], None],
) -> int:
    """Test the wiring of a board with a person at it, and write the corrected layout if that is wanted.

    The first three are the options of the command; `tell` prints findings.

    :param write: where to write; None asks at the end.
    :return: the exit code: 0 if all is right, 1 if something is wrong or the person left.
    :raises PopoutError: there is no such board or layout, the board cannot be opened or went away, nobody answers.
    """
    chosen = load_settings(settings)
    console = Console(speak(wanted_language(chosen)))
    named = layout or chosen.layout
    described = Layout.load(named) if named else None
    driver = _board(board or chosen.board, described)
    if described is None:
        described = default_layout(driver.name)
    if named is None and described.name in shipped():
        named = described.name
    times = Times(chosen.glitch_ms, chosen.lockout_ms, chosen.disc_lockout_ms)
    test = _talk(console, driver, described, path_of(named) if named else None, write, times, tell)
    try:
        return asyncio.run(test)
    except asyncio.CancelledError:
        raise click.Abort from None


def _board(named: str | None, layout: Layout | None) -> type[BoardDriver]:
    driver, _ = choose(named, layout)
    if named is None and driver.name == SIMULATOR:
        raise NoBoardToTest(
            Message("No board was found whose wiring could be tested. Name its driver, such as --board gpio.")
        )
    return driver


async def _talk(
    console: Console,
    driver: type[BoardDriver],
    layout: Layout,
    file: Path | None,
    write: Path | None,
    times: Times,
    tell: Callable[[Console, Sequence[Finding]], None],
) -> int:
    lines = standard_input()
    with _until_told_to_stop(), driver(layout) as board:
        console.say(*board.remarks, *_beginning(board))
        seen = await examine_board(board, lines, console.say, typed=console.interactive)
    if seen is None:
        console.say(Message("The test was left. Nothing was written."))
        return 1
    diagnosis = judge(layout, seen, times)
    console.write("")
    tell(console, diagnosis.findings)
    if diagnosis.edits:
        await _correct(console, lines, layout, file, write, diagnosis)
    return 0 if diagnosis.all_right else 1


@contextmanager
def _until_told_to_stop() -> Iterator[None]:
    """End as Ctrl+C does, lamps dark, when the terminal is closed or the system is shut down."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    heard = []
    for name in ("SIGTERM", "SIGHUP"):
        with suppress(AttributeError, NotImplementedError, ValueError):  # not every system has every signal
            number = getattr(signal, name)
            loop.add_signal_handler(number, task.cancel)
            heard.append(number)
    try:
        yield
    finally:
        for number in heard:
            loop.remove_signal_handler(number)


def _beginning(board: BoardDriver) -> Iterable[Message]:
    yield Message(
        "This tests the wiring of {board}, by the layout “{layout}”, with your hands.",
        board=board.description,
        layout=board.layout.title,
    )
    yield Message(
        "Do one thing at a time, as the lines say. If nothing happens where something should, type Enter. Type q and "
        "Enter to leave; nothing is written without asking."
    )


async def _correct(
    console: Console, lines: Lines, layout: Layout, file: Path | None, write: Path | None, diagnosis: Diagnosis
) -> None:
    """Show how the layout's file should be, and write it where the person wants it."""
    if file is None:
        console.say(Message("No layout file belongs to this board, so none can be corrected."))
        return
    before = layout_text(file)
    after = edited(before, diagnosis.edits)
    console.say(Message("The layout should be so:"))
    console.write(*difference(before, after, file.name), "")
    target = write
    if target is None:
        suggested = Path(f"{file.stem}-corrected.toml")
        console.say(
            Message("Type y to write it to {file}, or the name of another file; Enter for none.", file=str(suggested))
        )
        answer = await _line(lines)
        if not answer:
            console.say(Message("Nothing was written."))
            return
        target = suggested if answer.lower() == _YES else Path(answer)
    target = target.expanduser()
    may_replace = False
    if target.exists():
        console.say(Message("{file} is there already. Type y to replace it, Enter to leave it.", file=str(target)))
        may_replace = (await _line(lines)).lower() == _YES
        if not may_replace:
            console.say(Message("Nothing was written."))
            return
    write_corrected(after, target, layout, diagnosis.edits, may_replace=may_replace)
    console.say(
        Message("The corrected layout is in {file}. Use it with: --layout {file}", file=str(target)),
    )


async def _line(lines: Lines) -> str:
    """The next line; empty if there is none."""
    async for line in lines:
        return line.strip()
    return ""
