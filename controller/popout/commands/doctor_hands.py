"""The conversation of `popout doctor --hands`: a board's wiring is tested, and its layout corrected if asked."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import click

from popout.board.driver import BoardDriver, BoardError
from popout.board.find import SIMULATOR, choose, default_layout
from popout.board.gpio import machine
from popout.board.layout import Layout, path_of, shipped
from popout.commands.console import Console, speak, wanted_language
from popout.commands.device import wanted_board
from popout.commands.layout_new import NameTaken
from popout.commands.stopping import FROM_OUTSIDE, told_to_stop
from popout.commands.terminal import standard_input
from popout.doctor.contact_diagnosis import Times
from popout.doctor.correcting import LayoutNotWritten, difference, edited, layout_text, place_of, write_corrected
from popout.doctor.diagnosis import Diagnosis, judge
from popout.doctor.finding import Finding
from popout.doctor.findings import GPIO
from popout.doctor.hands import examine_board
from popout.play.settings import load_settings
from popout.rules.messages import Message
from popout.views.drawing import wrap
from popout.views.lines import Lines

_YES = "y"
_POINT, _CUT = "- ", "..."
_BEFORE_A_COMMENT = re.compile(r"""(?:[^"'#]|"(?:[^"\\]|\\.)*"|'[^']*')*(?=#)""")


class NoBoardToTest(BoardError):
    """There is no board under the hands."""

    code = "no-board-to-test"


def examine_wiring(
    board: str | None,
    device: str | None,
    layout: str | None,
    settings: Path | None,
    write: Path | None,
    tell: Callable[[Console, Sequence[Finding]], None],
) -> int:
    """Test the wiring of a board with a person at it, and write the corrected layout if that is wanted.

    The first four are the options of the command; `tell` prints findings.

    :param write: where to write; None asks at the end.
    :return: the exit code: 0 if all is right, 1 if something is wrong or the person left.
    :raises PopoutError: there is no such board or layout, the board cannot be opened or went away, nobody answers, or
        nothing can be written where it is wanted.
    """
    chosen = load_settings(settings)
    console = Console(speak(wanted_language(chosen)))
    if write is not None:
        check_place(write)
    named = layout or chosen.layout
    described = Layout.load(named) if named else None
    board, device = wanted_board(board, device, chosen)
    driver = board_to_test(board, described)
    make = driver.opener(device)
    if described is None:
        described = default_layout(driver.name)
    if named is None and described.name in shipped():
        named = described.name
    times = Times(chosen.glitch_ms, chosen.lockout_ms, chosen.disc_lockout_ms)
    test = _talk(console, make, described, path_of(named) if named else None, write, times, tell)
    try:
        return asyncio.run(test)
    except asyncio.CancelledError:
        raise click.Abort from None


def board_to_test(named: str | None, layout: Layout | None) -> type[BoardDriver]:
    """The driver of the board whose wiring is tested: a real one. If its board is not seen, opening it says why.

    :raises NoBoardToTest: there can be none here. :raises PopoutError: see `choose`.
    """
    if named == SIMULATOR:
        raise NoBoardToTest(
            Message(
                "The simulator has no wiring that could be tested. Name the driver of a real board, such as "
                "--board gpio."
            )
        )
    wanted = named or (layout.driver if layout is not None else "") or GPIO
    on_pi = machine.look().is_pi
    driver = choose(named, layout)[0] if on_pi or named != GPIO else None
    if driver is not None and (named is not None or driver.name != SIMULATOR):
        return driver
    if wanted == GPIO and not on_pi:
        raise NoBoardToTest(
            Message(
                "The test of the wiring needs a real board, and this is no Raspberry Pi. Run it on the Pi that the "
                "board hangs on."
            )
        )
    return choose(wanted, layout)[0]


def check_place(file: Path) -> Path:
    """The place where a corrected layout is written; it may be there already.

    :raises NameTaken: ``--layout`` would not open it. :raises LayoutNotWritten: it cannot be written.
    """
    if str(file) in shipped():
        raise NameTaken(
            Message("“{name}” is a shipped layout. Choose another name, such as my-board.toml.", name=str(file))
        )
    return place_of(file)


def tell_person(console: Console, message: Message) -> None:
    """Tell a sentence to the person at the board; a point of a list stays one where it is broken."""
    text = console.catalogue.text(message)
    width = console.style.width
    if not text.startswith(_POINT) or width is None:
        console.say(message)
        return
    style = replace(console.style, width=max(width - len(_POINT), 1))
    first, *others = wrap(text.removeprefix(_POINT), style)
    console.write(_POINT + first, *(" " * len(_POINT) + line for line in others))


def cut(line: str, width: int) -> str:
    """A line of TOML, with one sign before it, whose comment is cut so that it fits; what is no comment stays whole."""
    before = _BEFORE_A_COMMENT.match(line)
    if len(line) <= width or before is None:
        return line
    room = width - len(_CUT)
    return line[:room].rstrip() + _CUT if before.end() < room else before[0].rstrip()


async def _talk(
    console: Console,
    make: Callable[[Layout], BoardDriver],
    layout: Layout,
    file: Path | None,
    write: Path | None,
    times: Times,
    tell: Callable[[Console, Sequence[Finding]], None],
) -> int:
    lines, task = standard_input(), asyncio.current_task()
    assert task is not None
    # As by Ctrl+C, the lamps are dark then.
    with told_to_stop(task.cancel, FROM_OUTSIDE), make(layout) as board:
        console.say(*board.remarks, *_beginning(board))
        seen = await examine_board(
            board, lines, lambda message: tell_person(console, message), typed=console.interactive
        )
    if seen is None:
        console.say(Message("The test was left. Nothing was written."))
        return 1
    diagnosis = judge(layout, seen, times)
    console.write("")
    tell(console, diagnosis.findings)
    if diagnosis.edits:
        await _correct(console, lines, layout, file, write, diagnosis)
    return 0 if diagnosis.all_right else 1


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
    changes = difference(before, after, file.name)
    width = console.style.width
    console.write(*(changes if width is None else (cut(line, width) for line in changes)), "")
    target: Path | None = None
    while target is None:
        wanted = write or await _wanted(console, lines, Path(f"{file.stem}-corrected.toml"))
        write = None
        if wanted is None:
            console.say(Message("Nothing was written."))
            return
        try:
            may_replace = check_place(wanted).exists()
            if may_replace and not await _replaces(console, lines, wanted):
                console.say(Message("Nothing was written."))
                return
            write_corrected(after, wanted, layout, diagnosis.edits, may_replace=may_replace)
            target = wanted.expanduser()
        except (LayoutNotWritten, NameTaken) as error:
            console.say(error.message)
    console.say(Message("The corrected layout is in {file}.", file=str(target)))
    command = shlex.join(("popout", "play", "--layout", str(target)))
    console.write(console.catalogue.text(Message("Play: {command}", command=command)))  # to be copied whole


async def _wanted(console: Console, lines: Lines, suggested: Path) -> Path | None:
    """Where the person wants the corrected layout; None for nowhere."""
    console.say(
        Message("Type y to write it to {file}, or the name of another file; Enter for none.", file=str(suggested))
    )
    answer = await _line(lines)
    if not answer:
        return None
    return suggested if answer.lower() == _YES else Path(answer)


async def _replaces(console: Console, lines: Lines, target: Path) -> bool:
    """Whether the person wants a file replaced that is there."""
    file = str(target.expanduser())
    console.say(Message("{file} is there already. Type y to replace it, Enter to leave it.", file=file))
    return (await _line(lines)).lower() == _YES


async def _line(lines: Lines) -> str:
    """The next line; empty if there is none."""
    async for line in lines:
        return line.strip()
    return ""
