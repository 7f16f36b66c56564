"""`popout firmware info` and `popout firmware log`: what a board on a Pico says of itself, whatever its layout."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import Any, Final

import click

from popout import __version__
from popout.board.driver import BoardError
from popout.board.layout import Layout, shipped
from popout.board.serial import DRIVER
from popout.board.serial.conversation import Pong
from popout.board.serial.description import digest
from popout.board.serial.hello import Hello
from popout.board.serial.port import PortMissing
from popout.board.serial.ports import SerialPort
from popout.board.serial.talking import (
    BoardNotFound,
    BoardSilent,
    first_that_answers,
    greet,
    install_command,
    likely,
    said_by,
    talk_to,
)
from popout.board.serial.wire import Wire
from popout.board.switches import Fault, SwitchFault
from popout.commands.console import Console, language_option, settings_option, speak, wanted_language
from popout.commands.device import device_option, wanted_board
from popout.commands.firmware_files import known_layouts
from popout.firmware.image import TITLES
from popout.link import words
from popout.link.reports import Levels
from popout.play.settings import Settings, load_settings
from popout.rules.messages import N_, Message

WELL, TO_BE_PUT_RIGHT = 0, 1
FOLLOW_S: Final = 1.0
"""How long `log --follow` waits before it looks for new lines."""


@click.command(short_help="Say what the board on a Pico says of itself.")
@device_option
@click.option("--layout", metavar="LAYOUT", help="Compare the board with this layout: a shipped one, or a file.")
@settings_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
@language_option
def info(device: str | None, layout: str | None, settings: Path | None, as_json: bool) -> None:
    """Say what the board on a Pico says of itself: its firmware and layout, how it is, and its switches now.

    Exit code: 0 if all is well, 1 if something is to be put right.

    With --json the object has "ok" (whether the exit code is 0), "exit", "port", "id", "model", "version" (of the
    firmware), "program" (the version of this program), "protocol", "digest" and "layout" (its name; null if none that
    is known), "switches" and "lamps" (how many), "reset" (why it started last), "freeBytes" (memory), "loopUs" (the
    longest turn of its loop, in microseconds), "badLines" (that came damaged), the switches that are "closed",
    "stuck" or "muted" now, by their names, "wanted" (what --layout named, or null) and "problems", a list of what is to
    be put right: other-version, no-layout, unknown-layout, other-layout, stuck-switch or muted-switch.
    """
    chosen = load_settings(settings)
    console = Console(speak(wanted_language(chosen)))
    port, wire = talk_to(_device(device, chosen), layout=layout or chosen.layout)
    with closing(wire):
        seen = _look(port, wire, layout, chosen)
    code = TO_BE_PUT_RIGHT if seen.problems else WELL
    if as_json:
        console.write(json.dumps({"ok": code == WELL, "exit": code, **_for_programs(seen)}, ensure_ascii=False))
    else:
        console.say(*_sentences(seen))
    raise click.exceptions.Exit(code)


@click.command(short_help="Show the log of the board on a Pico.")
@device_option
@settings_option
@click.option("--follow", "-f", is_flag=True, help="Go on with what is added, until Ctrl+C.")
@language_option
def log(device: str | None, settings: Path | None, follow: bool) -> None:
    """Show the log that the board on a Pico keeps: its last lines, the oldest first. They are in English."""
    chosen = load_settings(settings)
    console = Console(speak(wanted_language(chosen)))
    device, layout = _device(device, chosen), chosen.layout
    port, wire = talk_to(device, layout=layout)
    unique = said_by(wire).unique
    while True:
        try:
            with closing(wire):
                _show_log(console, port, wire, layout, follow=follow)
                return
        except BoardError as error:
            if not follow:
                raise
            console.complain(Message("{problem} The board is waited for; Ctrl+C ends that.", problem=error.message))
            if isinstance(error, BoardSilent):
                sleep(FOLLOW_S)  # it may refuse to answer, and do so again at once
        port, wire = _await_board(console, device, unique, layout)
        # Whatever the reason was, it may have begun anew, and its log with it: all of it is shown.
        console.complain(Message("The connection to the board is back."))


def _show_log(console: Console, port: SerialPort, wire: Wire, layout: str | None, *, follow: bool) -> None:
    known = read_log(wire, port, layout)
    console.write(*known)
    if not known and not follow:
        console.say(Message("The board on {port} has nothing in its log.", port=port.device))
    while follow:
        sleep(FOLLOW_S)
        lines = read_log(wire, port, layout)
        console.write(*added(known, lines))
        known = lines


def _await_board(console: Console, device: str | None, unique: str, layout: str | None) -> tuple[SerialPort, Wire]:
    """The wire to the same board, as soon as it answers again, on whatever port."""

    def greet_same(port: SerialPort) -> Wire:
        wire = greet(port, layout=layout)
        if said_by(wire).unique != unique:
            wire.close()
            raise BoardNotFound(Message("The board on {port} is another one.", port=port.device))
        return wire

    last = told = ""
    while True:
        try:
            return first_that_answers(likely(device, unique), greet_same, layout)
        except (BoardNotFound, PortMissing):
            last = ""
        except BoardError as error:
            reason = str(error)
            if told != reason == last:  # not what passes, as a port that is not yet allowed to this user
                console.complain(error.message)
                told = reason
            last = reason
        sleep(FOLLOW_S)


def read_log(wire: Wire, port: SerialPort, layout: str | None) -> list[str]:
    """The lines that a board keeps, the oldest first.

    :param layout: as for `talk_to`.
    :raises BoardError: it is lost, or does not answer.
    """
    lines: list[str] = []
    while True:
        count, _, line = _answer(wire, port, layout, words.ASK_LOG, words.joined(len(lines))).partition(":")
        if len(lines) >= (words.number(count) or 0):
            return lines
        lines.append(line)


def added(before: Sequence[str], now: Sequence[str]) -> list[str]:
    """The lines that are new in a log of which the oldest may be gone meanwhile.

    >>> added(["a", "b", "c"], ["b", "c", "d"])
    ['d']

    Lines have no numbers, so of a full log that has repeated itself, as one of equal lines, nobody can know how often:
    as few lines as can be are taken to be new.
    """
    kept = next(count for count in range(min(len(before), len(now)), -1, -1) if _ends(before, count) == now[:count])
    return list(now[kept:])


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a board has said.

    :ivar layout: that it was made for; None if none that is known. :ivar named: how that is named in commands.
    :ivar wanted: the layout that was named to be compared; None if none was.
    :ivar meant: that one, or else the one of the settings.
    """

    port: SerialPort
    hello: Hello
    pong: Pong
    levels: Levels
    layout: Layout | None
    named: str | None
    wanted: str | None
    meant: str | None

    @property
    def problems(self) -> list[str]:
        """What is to be put right, in words for a program."""
        found = {
            "other-version": self.hello.version != __version__,
            "no-layout": self.hello.digest == words.NO_BOARD,
            "unknown-layout": self.hello.digest != words.NO_BOARD and self.named is None,
            "other-layout": self.named is not None and self.wanted not in (None, self.named),
            "stuck-switch": bool(self.levels.stuck),
            "muted-switch": bool(self.levels.muted),
        }
        return [problem for problem, is_so in found.items() if is_so]

    def switches(self, mask: int) -> list[str]:
        """The names of the switches in a mask; they have numbers if the layout is not known."""
        names = [] if self.layout is None else list(self.layout.switches)
        return [
            names[switch] if switch < len(names) else str(switch + 1)
            for switch in range(mask.bit_length())
            if mask >> switch & 1
        ]


def _ends(lines: Sequence[str], count: int) -> Sequence[str]:
    return lines[len(lines) - count :]


def _device(device: str | None, chosen: Settings) -> str | None:
    return wanted_board(DRIVER, device, chosen)[1]


def _look(port: SerialPort, wire: Wire, wanted: str | None, chosen: Settings) -> _Seen:
    meant = wanted or chosen.layout
    _answer(wire, port, meant, words.PING)
    pong, hello, levels = wire.conversation.pong, said_by(wire), wire.conversation.levels
    if pong is None:
        raise _silent(port, meant)
    named = [name for name in (wanted, chosen.layout) if name is not None]
    if wanted is not None:
        digest(Layout.load(wanted))  # it may be no layout, or not one for a Pico
    found = next(known_layouts(hello.digest, (*named, *shipped())), None)
    layout, name = found or (None, None)
    return _Seen(port, hello, pong, Levels(levels.closed, levels.stuck, levels.muted), layout, name, wanted, meant)


def _answer(wire: Wire, port: SerialPort, layout: str | None, kind: str, payload: str = "") -> str:
    answer = wire.ask(kind, payload)
    if answer is None:
        raise _silent(port, layout)
    return answer


def _silent(port: SerialPort, layout: str | None) -> BoardSilent:
    return BoardSilent(
        Message(
            "The board on {port} does not answer as it should. Unplug it and plug it in again; if that does not help, "
            "install the firmware anew: {command}",
            port=port.device,
            command=install_command(layout),
        )
    )


# For people and programs


def _for_programs(seen: _Seen) -> dict[str, Any]:
    hello = seen.hello
    return {
        "port": seen.port.device,
        "id": hello.unique,
        "model": hello.model,
        "version": hello.version,
        "program": __version__,
        "protocol": hello.protocol,
        "digest": hello.digest,
        "layout": seen.named,
        "switches": hello.switches,
        "lamps": hello.lamps,
        "reset": hello.reset,
        "freeBytes": seen.pong.free,
        "loopUs": seen.pong.loop_us,
        "badLines": seen.pong.bad_lines,
        "closed": seen.switches(seen.levels.closed),
        "stuck": seen.switches(seen.levels.stuck),
        "muted": seen.switches(seen.levels.muted),
        "wanted": seen.wanted,
        "problems": seen.problems,
    }


def _sentences(seen: _Seen) -> Iterator[Message]:
    hello, pong = seen.hello, seen.pong
    port = seen.port.device
    if hello.model in TITLES:
        model = Message(TITLES[hello.model])
        yield Message("The board on {port} is a {model} with the id {id}.", port=port, model=model, id=hello.unique)
    else:
        yield Message(
            "The board on {port} is no Pico but “{model}”, with the id {id}.",
            port=port,
            model=hello.model,
            id=hello.unique,
        )
    yield _version(seen)
    yield _layout(seen)
    yield Message("Switches: {switches}. Lamps: {lamps}.", switches=hello.switches, lamps=hello.lamps)
    if hello.reset in _RESETS:
        yield Message(_RESETS[hello.reset])
    else:
        yield Message("It started for this reason: {reason}.", reason=hello.reset)
    longest = f"{pong.loop_us / 1000:.1f}"
    if pong.free:
        yield Message(
            "Free memory: {free} bytes. Longest turn of its loop: {longest} ms. Lines that came damaged: {bad}.",
            free=pong.free,
            longest=longest,
            bad=pong.bad_lines,
        )
    else:  # a simulated board does not know
        yield Message(
            "Longest turn of its loop: {longest} ms. Lines that came damaged: {bad}.",
            longest=longest,
            bad=pong.bad_lines,
        )
    closed = seen.switches(seen.levels.closed)
    if closed:
        yield Message("Closed now: {switches}.", switches=", ".join(closed))
    else:
        yield Message("No switch is closed now.")
    for fault, mask in ((Fault.STUCK, seen.levels.stuck), (Fault.FAULTY, seen.levels.muted)):
        for switch in seen.switches(mask):
            yield SwitchFault(switch, fault, 0).message


_RESETS = N_(
    {
        "power-on": "It started when it got its current, or was reset.",
        "restart": "It started anew because it got a firmware, or was told to.",
        "watchdog": "It started anew because its program failed or stood still. See what it wrote: popout firmware log",
    }
)


def _version(seen: _Seen) -> Message:
    theirs, protocol = seen.hello.version, seen.hello.protocol
    if theirs == __version__:
        return Message(
            "Its firmware is version {theirs}, as this program is, and speaks protocol {protocol}.",
            theirs=theirs,
            protocol=protocol,
        )
    if _numbers(theirs) > _numbers(__version__):
        return Message(
            "Its firmware is version {theirs} and speaks protocol {protocol}. This program is older ({ours}): update "
            "it.",
            theirs=theirs,
            protocol=protocol,
            ours=__version__,
        )
    return Message(
        "Its firmware is version {theirs} and speaks protocol {protocol}. This program is newer ({ours}). Update the "
        "board: {command}",
        theirs=theirs,
        protocol=protocol,
        ours=__version__,
        command=install_command(seen.wanted or seen.named or seen.meant),
    )


def _layout(seen: _Seen) -> Message:
    made_for = seen.hello.digest
    if made_for == words.NO_BOARD:
        return Message(
            "No board is described in its firmware. Install one that has yours: {command}",
            command=install_command(seen.meant),
        )
    if seen.named is None:
        return Message(
            "It was made for another layout (board {digest}) than those that are known here. Name the right one by "
            "--layout, or install the firmware for yours: {command}",
            digest=made_for,
            command=install_command(seen.meant or "LAYOUT"),
        )
    if seen.wanted in (None, seen.named):
        return Message("It was made for the layout “{layout}” (board {digest}).", layout=seen.named, digest=made_for)
    return Message(
        "It was made for the layout “{layout}” (board {digest}), not for “{wanted}”. Use that layout, or install the "
        "firmware for this one: {command}",
        layout=seen.named,
        digest=made_for,
        wanted=seen.wanted or "",
        command=install_command(seen.wanted),
    )


def _numbers(version: str) -> list[int]:
    """The numbers of a version, which tell older from newer."""
    return [int(number) for number in re.findall(r"\d{1,9}", version)]
