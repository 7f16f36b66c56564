"""Boards on a cable: serial ports on USB, and whether they can be used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from popout.board.find import default_layout
from popout.board.serial import DRIVER
from popout.board.serial.ports import RASPBERRY_PI, may_be_board
from popout.doctor.facts import Facts, Port
from popout.doctor.finding import Finding, advice, fine, named, popout, problem
from popout.doctor.rights import of_devices
from popout.rules import Message


def is_pico(port: Port) -> bool:
    """Whether a Pico, or another board with its chip, is on the port."""
    return port.vendor == RASPBERRY_PI


def of_the_ports(facts: Facts, *, wanted: bool) -> Iterator[Finding]:
    """The boards that are seen on a cable.

    :param wanted: a board on a cable is to be played on, so that it is a problem if there is none.
    """
    boards = [port for port in facts.ports if is_pico(port)]
    others = [port for port in facts.ports if not is_pico(port)]
    for port in boards:
        if may_be_board(port):
            yield fine(
                "pico",
                Message("A Pico is on {device} ({title}).", device=port.device.path, title=port.title or "USB"),
                _play(facts, wanted=wanted),
            )
        else:
            yield (problem if wanted and len(boards) == 1 else advice)(
                "pico-without-firmware",
                Message(
                    "A Pico is on {device} ({title}), without the firmware of this program. Install it.",
                    device=port.device.path,
                    title=port.title or "USB",
                ),
                _install(facts, wanted=wanted),
            )
        yield from _held(port)
    if boards:
        yield from (each for each in of_devices(facts, tuple(port.device for port in boards)) if each.code != "devices")
    if others:
        yield fine(
            "other-ports",
            Message(
                "No Pico is on these serial ports: {ports}.",
                ports=", ".join(f"{port.device.path} ({port.title or 'USB'})" for port in others),
            ),
        )
    if wanted and not boards:
        yield problem(
            "no-pico",
            Message(
                "No board is seen on a USB cable. Plug it in, with a cable that has wires for data and is not for "
                "charging only. A Pico that shows itself as a drive has no firmware of this program yet: install it."
            ),
            "lsusb",
            _install(facts, wanted=wanted),
        )
    elif not facts.ports and not (facts.named.board or facts.named.layout):
        yield fine(
            "no-port",
            Message("No board is seen on a USB cable. If there should be one, type this."),
            popout(facts, "doctor", "--board", DRIVER),
        )


def _play(facts: Facts, *, wanted: bool) -> str:
    """How to play on it. What was named for another board is not for this one."""
    options = named(replace(facts, named=replace(facts.named, board=DRIVER if wanted else "")))
    return popout(facts, "play", *(options if wanted else ("--board", DRIVER)))


def _install(facts: Facts, *, wanted: bool) -> str:
    """How to install the firmware for its layout. What was named for another board is not for this one."""
    given = replace(facts, named=replace(facts.named, board=""))
    options = named(given) if wanted else ("--layout", default_layout(DRIVER).name) if facts.named.layout else ()
    return popout(facts, "firmware", "install", *options)


def _held(port: Port) -> Iterator[Finding]:
    if port.openers:
        yield problem(
            "port-held",
            Message(
                "{device} is open in another program: {programs}. Stop that program; one at a time can speak with the "
                "board.",
                device=port.device.path,
                programs=", ".join(f"{process.pid} “{process.name}”" for process in port.openers),
            ),
            f"ps -o pid,user,args -p {','.join(str(process.pid) for process in port.openers)}",
        )
