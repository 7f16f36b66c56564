"""The board that says hello after its firmware was copied, compared with what was copied."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import closing
from typing import Final

from popout import __version__
from popout.board.driver import BoardError
from popout.board.serial.hello import FirmwareProtocolError, Hello
from popout.board.serial.ports import SerialPort, candidates
from popout.board.serial.talking import BoardSilent, said_by
from popout.firmware.computer import Computer, Firmware
from popout.firmware.drives import Drive
from popout.firmware.errors import FirmwareError
from popout.firmware.image import TITLES
from popout.rules.messages import Message

BOARD_WITHIN_S: Final = 20.0
"""How long a board may take to answer after its firmware was copied."""
_LOOK_S: Final = 0.25


class FirmwareNotTaken(FirmwareError):
    """The firmware was copied, and the board does not answer with it."""

    code = "firmware-not-taken"


def await_board(
    firmware: Firmware,
    drive: Drive,
    others: Collection[SerialPort],
    computer: Computer,
    say: Callable[[Message], None],
) -> tuple[SerialPort, Hello]:
    """The port on which the board is now, which may have another name than before, and what it says of itself.

    :param firmware: what was copied, :param drive: and where to. :param others: the ports that were there before.
    :param say: told what is done.
    :raises FirmwareNotTaken: it does not answer, or not as what was copied.
    :raises BoardError: its port cannot be used, or it speaks another protocol.
    """
    port, hello = _answer(drive, others, computer, say)
    _check(firmware, port, hello)
    return port, hello


def _answer(
    drive: Drive, others: Collection[SerialPort], computer: Computer, say: Callable[[Message], None]
) -> tuple[SerialPort, Hello]:
    known = {(port.device, port.serial_number) for port in others}
    ends = computer.now() + BOARD_WITHIN_S
    problem: BoardError | None = None
    say(Message("Waiting for the board to say hello ..."))
    while True:
        for port in candidates(None, computer.ports()):
            if (port.device, port.serial_number) in known:
                continue
            try:
                with closing(computer.greet(port)) as wire:
                    return port, said_by(wire)
            except FirmwareProtocolError:
                raise
            except BoardError as error:  # it may not be ready, or its port not yet be allowed to this user
                problem = error
        if computer.now() >= ends:
            raise _no_answer(computer, drive, problem)
        computer.sleep(_LOOK_S)


def _no_answer(computer: Computer, drive: Drive, problem: BoardError | None) -> FirmwareNotTaken | BoardError:
    if drive in computer.drives():
        return FirmwareNotTaken(
            Message(
                "The Pico has not taken the firmware: its drive {folder} is still there. Unplug it, hold its "
                "button BOOTSEL while you plug it in again, and install once more.",
                folder=str(drive.folder),
            )
        )
    if problem is not None and not isinstance(problem, BoardSilent):
        return problem
    return FirmwareNotTaken(
        Message(
            "The firmware was copied, but no board has said hello since. Unplug the Pico and plug it in again, and "
            "see whether it answers: popout firmware info. If it does not, hold its button BOOTSEL while you plug "
            "it in, and install once more."
        )
    )


def _check(firmware: Firmware, port: SerialPort, hello: Hello) -> None:
    """Compare what answers with what was installed."""
    if (hello.digest, hello.model) != (firmware.digest, firmware.model):
        raise FirmwareNotTaken(
            Message(
                "The board on {port} says hello with another firmware than was copied: for a {model}, layout {digest} "
                "instead of {wanted}. If it is another board, unplug it; then install once more.",
                port=port.device,
                model=Message(TITLES[hello.model]) if hello.model in TITLES else hello.model,
                digest=hello.digest,
                wanted=firmware.digest,
            )
        )
    if hello.version == __version__:
        return
    if firmware.compiled:
        raise FirmwareNotTaken(
            Message(
                "The board on {port} still runs version {theirs} of the firmware, not {ours}. Unplug it, hold its "
                "button BOOTSEL while you plug it in again, and install once more.",
                port=port.device,
                theirs=hello.version,
                ours=__version__,
            )
        )
    raise FirmwareNotTaken(
        Message(
            "The firmware is installed on the board on {port}, but it is version {theirs}, and this program is "
            "{ours}. Take a file that “popout firmware build” of this program has made.",
            port=port.device,
            theirs=hello.version,
            ours=__version__,
        )
    )
