"""Opening the talk with a board on USB, whatever layout its firmware was made for."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterable
from typing import Final

from popout.board.driver import BoardAway, BoardError
from popout.board.serial.conversation import Report, Times
from popout.board.serial.hello import INSTALL, Hello
from popout.board.serial.ports import SerialPort, candidates
from popout.board.serial.wire import Port, Wire
from popout.rules.messages import Message

GREETED_WITHIN_S: Final = 2.0
"""How long a board may take to answer after its port was opened."""


class BoardNotFound(BoardAway):
    """No board is on any port, or not the one that was there before."""

    code = "board-not-found"


class BoardSilent(BoardError):
    """What is on the port does not answer as a board does."""

    code = "board-silent"


def install_command(layout: str | None) -> str:
    """How to install the firmware for a layout, as commands name it; None leaves it to the settings."""
    return INSTALL if layout is None else f"{INSTALL} {shlex.join(('--layout', layout))}"


def talk_to(device: str | None = None, *, layout: str | None = None) -> tuple[SerialPort, Wire]:
    """The wire to a board, which is greeted, and the port that it is on. Whoever has it closes it.

    :param device: a port such as ``/dev/ttyACM0``, or a board's serial number; without it the board is looked for.
    :param layout: the one whose firmware is to be installed where it is missing; see `install_command`.
    :raises BoardError: there is none; what was wrong with the first that may have been the board.
    """
    return first_that_answers(candidates(device), lambda port: greet(port, layout=layout), layout)


def likely(device: str | None, unique: str | None) -> Iterable[SerialPort]:
    """The ports on which a board may be, the likeliest first.

    :param device: as in `talk_to`. :param unique: the id of the board, which may be on another port now.
    """
    found = list(candidates(device))
    if unique is not None:
        known = {port.device for port in found}
        found += [port for port in candidates(None) if port.device not in known]
        # A port whose serial number is known to be another one needs no asking.
        found = [port for port in found if not port.serial_number or port.serial_number.casefold() == unique.casefold()]
    return found


def first_that_answers(
    ports: Iterable[SerialPort], greet: Callable[[SerialPort], Wire], layout: str | None
) -> tuple[SerialPort, Wire]:
    """The first of some ports on which a board answers as it is greeted, with the wire to it.

    :param layout: as in `talk_to`.
    :raises BoardError: there is none; what was wrong with the first that may have been the board.
    """
    refused: BoardError | None = None
    for port in ports:
        try:
            return port, greet(port)
        except BoardError as error:
            refused = refused or error
    raise refused or BoardNotFound(
        Message(
            "No board was found on USB. Plug in the Pico, or name its port, such as --device /dev/ttyACM0. If it has "
            "no firmware of this program yet, type: {command}",
            command=install_command(layout),
        )
    )


def greet(
    port: SerialPort,
    *,
    clock: Callable[[], float] | None = None,
    heard: Callable[[list[Report]], None] | None = None,
    lost: Callable[[BoardError], None] | None = None,
    layout: str | None = None,
    times: Times | None = None,
) -> Wire:
    """The wire to the board on a port, which has said hello and how its switches are.

    :param clock, heard, lost, times: for `Wire`; without them nobody listens. :param layout: as in `talk_to`.
    :raises BoardSilent: something else is there. :raises BoardError: the port cannot be opened, or the board speaks
        another protocol.
    """
    from popout.board.serial.port import open_port

    opened: Port = open_port(port.device)
    install = install_command(layout)
    wire = Wire(
        opened,
        clock=clock or monotonic_ms,
        heard=heard or _ignore,
        lost=lost or _ignore,
        install=install,
        times=times,
    )
    try:
        if not wire.greeted(GREETED_WITHIN_S):
            raise BoardSilent(
                Message(
                    "What is on {port} does not answer as a board does. If it is a Pico, install the firmware on it: "
                    "{command}",
                    port=port.device,
                    command=install,
                )
            )
    except BaseException:
        wire.close()
        raise
    return wire


def said_by(wire: Wire) -> Hello:
    """What the board on a wire that was greeted said of itself."""
    hello = wire.conversation.hello
    assert hello is not None, "a board that did not say hello was not greeted"
    return hello


def monotonic_ms() -> float:
    """The monotonic clock of this computer, in milliseconds."""
    return time.monotonic() * 1000


def _ignore(_: object) -> None:
    """Nobody listens."""
