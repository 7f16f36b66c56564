"""Putting the firmware onto a Pico: into its boot loader, onto its drive, and until the board says hello.

What is asked of the computer is in `Computer`, so that a test can make up drives and time. Who asks for it is told what
is done, and asked before what a person may not want.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from popout import __version__
from popout.board.driver import BoardError, BoardLost
from popout.board.serial.description import NO_BOARD
from popout.board.serial.hello import FirmwareProtocolError, Hello
from popout.board.serial.port import PortHeld, PortMissing, PortRefused, PortUnusable, touch
from popout.board.serial.ports import MICROPYTHON, RASPBERRY_PI, SerialPort, candidates, is_board, may_be_board, ports
from popout.board.serial.talking import BoardSilent, greet, said_by
from popout.firmware import drives as disks
from popout.firmware.drives import Drive, copy, drive_at
from popout.firmware.errors import FirmwareError
from popout.firmware.image import TITLES
from popout.link import words
from popout.rules.messages import Message

DRIVE_WITHIN_S: Final = 15.0
"""How long a drive may take to appear after a Pico went into its boot loader."""
MOUNTED_WITHIN_S: Final = 3.0
"""How long a desktop may take until a folder leads to a drive that is there."""
BOARD_WITHIN_S: Final = 20.0
"""How long a board may take to answer after its firmware was copied."""
_LOOK_S: Final = 0.25


class PicoNotFound(FirmwareError, LookupError):
    """There is no Pico onto which the firmware could go."""

    code = "pico-not-found"


class SeveralPicos(FirmwareError, LookupError):
    """There is more than one Pico, and nobody said which is meant."""

    code = "several-picos"


class WrongModel(FirmwareError, ValueError):
    """The firmware is for the other model."""

    code = "wrong-model"


class NotAllowed(FirmwareError):
    """Nobody has agreed that what is on a Pico is replaced."""

    code = "not-allowed"


class FirmwareNotTaken(FirmwareError):
    """The firmware was copied, and the board does not answer with it."""

    code = "firmware-not-taken"


@dataclass(frozen=True, slots=True)
class Firmware:
    """What is to be installed.

    :ivar data: the UF2 file. :ivar digest: of its layout. :ivar compiled: whether it was made of this program's
        own sources, so that its version is known.
    """

    data: bytes
    model: str
    digest: str
    compiled: bool


@dataclass(frozen=True, slots=True)
class Computer:
    """What is asked of the computer on which it runs: the drives, the ports' boot loader, and the time in seconds."""

    drives: Callable[[], Sequence[Drive]] = disks.drives
    unmounted: Callable[[], Path | None] = disks.unmounted
    mount: Callable[[Path], None] = disks.mount
    touch: Callable[[str], None] = touch
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True, slots=True)
class Person:
    """Who wants it: told what is done, and asked what may be.

    :ivar say: shows a sentence. :ivar may: whether what is on a Pico may be replaced; None if nobody can be asked.
    :ivar waits: whether somebody is there who can plug in a Pico meanwhile.
    """

    say: Callable[[Message], None]
    may: Callable[[Message], bool] | None
    waits: bool


class Installation:
    """One installation.

    :param make: makes the firmware for a model. :param model: the only one that there can be one for, if there is.
    """

    def __init__(self, make: Callable[[str], Firmware], model: str | None, person: Person, computer: Computer) -> None:
        self._make = make
        self._model = model
        self._person = person
        self._computer = computer
        self._firmware: Firmware | None = None

    def run(self, device: str | None = None, folder: Path | None = None) -> tuple[SerialPort, Hello]:
        """Install, and say on which port the board is now and what it says of itself.

        :param device: the port or the serial number of the board that is to get it; None takes the only one.
        :param folder: the drive that is to get it; None looks for it.
        :raises FirmwareError: it cannot be, or went wrong; the message says what to do.
        :raises BoardError: a port cannot be used, or the new firmware speaks another protocol.
        """
        if self._model is not None:
            self._prepare(self._model)  # whatever is wrong with it is said before a Pico is touched
        drive = self._find(device) if folder is None else drive_at(folder)
        firmware = self._prepare(drive.model)
        self._check_model(firmware.model, Message("The drive {folder}", folder=str(drive.folder)), drive.model)
        # The Pico itself is on no port now: these are others.
        others = {(port.device, port.serial_number) for port in ports()}
        self._person.say(Message("Copying the firmware to {folder} ...", folder=str(drive.folder)))
        try:
            copy(firmware.data, drive)
        except KeyboardInterrupt:
            self._person.say(
                Message(
                    "Perhaps not all of the firmware is on the Pico. Unplug it, hold its button BOOTSEL while you plug "
                    "it in again, and install once more."
                )
            )
            raise
        port, hello = self._answer(others, drive)
        _check(firmware, port, hello)
        return port, hello

    def _prepare(self, model: str) -> Firmware:
        if self._firmware is None:
            self._firmware = self._make(model if self._model is None else self._model)
        return self._firmware

    def _check_model(self, ours: str, what: Message, its: str) -> None:
        if ours != its:
            raise WrongModel(
                Message(
                    "{what} is that of a {its}, and the firmware is for a {ours}. Take another file, or another "
                    "--model. Nothing was changed.",
                    what=what,
                    its=Message(TITLES[its]),
                    ours=Message(TITLES[ours]),
                )
            )

    # To the drive

    def _find(self, device: str | None) -> Drive:
        """The drive of the Pico that is meant, which is sent into its boot loader if it is not there yet."""
        # Whoever names a port means no Pico that is on none.
        others = () if device is None else tuple(self._computer.drives())
        drive = self._only_drive(others)
        if drive is not None:
            return drive
        if device is not None or self._computer.unmounted() is None:
            port = self._port(device)
            if port is None:
                return self._with_hands(Message("No Pico was found on USB."))
            self._send_to_boot_loader(port)
        drive = self._await_drive(DRIVE_WITHIN_S, others)
        return drive or self._with_hands(Message("The drive of the Pico has not appeared."))

    def _only_drive(self, others: Collection[Drive]) -> Drive | None:
        found = [drive for drive in self._computer.drives() if drive not in others]
        fitting = [drive for drive in found if self._model in (None, drive.model)] or found
        if len(fitting) > 1:
            raise SeveralPicos(
                Message(
                    "There are several drives of Picos: {folders}. Name the one that is to get the firmware: --drive "
                    "{folder}",
                    folders=", ".join(str(drive.folder) for drive in fitting),
                    folder=str(fitting[0].folder),
                )
            )
        return fitting[0] if fitting else None

    def _with_hands(self, why: Message) -> Drive:
        """The drive, after somebody has held the button."""
        if not self._person.waits:
            raise PicoNotFound(
                Message(
                    "{why} Hold the button BOOTSEL of the Pico while you plug it in, and install once more.",
                    why=why,
                )
            )
        self._person.say(
            Message(
                "{why} Hold the button BOOTSEL of the Pico while you plug it in. Its drive is waited for; Ctrl+C ends "
                "that.",
                why=why,
            )
        )
        drive = self._await_drive(math.inf, ())
        assert drive is not None, "it is waited for without an end"
        return drive

    def _await_drive(self, within_s: float, others: Collection[Drive]) -> Drive | None:
        """The drive, as soon as there is one; None if none appears in time. It is mounted if nobody else does so."""
        computer = self._computer
        ends = computer.now() + within_s
        mount_at: float | None = None
        while True:
            drive = self._only_drive(others)
            if drive is not None:
                return drive
            now, device = computer.now(), computer.unmounted()
            if device is None:
                mount_at = None
            elif mount_at is None:
                mount_at = now + MOUNTED_WITHIN_S
            elif now >= mount_at:
                computer.mount(device)
                mount_at = math.inf
            if now >= ends:
                return None
            computer.sleep(_LOOK_S)

    # Into the boot loader

    def _port(self, device: str | None) -> SerialPort | None:
        """The port of the Pico that is meant; None if there is none."""
        found = [port for port in ports() if _is_pico(port)] if device is None else list(candidates(device))
        if len(found) > 1:
            raise SeveralPicos(
                Message(
                    "There are several Picos on USB: {ports}. Name the one that is to get the firmware: --device "
                    "{port}",
                    ports=", ".join(port.device for port in found),
                    port=found[0].device,
                )
            )
        return found[0] if found else None

    def _send_to_boot_loader(self, port: SerialPort) -> None:
        if not _is_pico(port) or may_be_board(port):
            try:
                self._ask_board(port)
                return
            except (PortMissing, PortHeld, PortRefused, PortUnusable):
                raise
            except BoardError as error:
                # Not a board, a board that hangs, or one of another protocol: that is why it gets a firmware. But
                # what is not even a Pico is left alone.
                if not _is_pico(port):
                    raise BoardSilent(
                        Message(
                            "What is on {port} does not answer as a board does, and was left alone. If it is a Pico, "
                            "hold its button BOOTSEL while you plug it in, and install once more without --device.",
                            port=port.device,
                        )
                    ) from error
        if not is_board(port):
            self._ask_for_leave(port)
        self._person.say(Message("Sending the Pico on {port} into its boot loader ...", port=port.device))
        self._computer.touch(port.device)

    def _ask_board(self, port: SerialPort) -> None:
        with closing(greet(port)) as wire:
            hello = said_by(wire)
            model = hello.model
            if model in TITLES:
                firmware = self._prepare(model)
                self._check_model(firmware.model, Message("The board on {port}", port=port.device), model)
                if hello.digest not in (firmware.digest, NO_BOARD):
                    self._ask_for_another_layout(port, hello.digest, firmware.digest)
            self._person.say(Message("Sending the board on {port} into its boot loader ...", port=port.device))
            with suppress(BoardLost):  # it may be gone before it was heard to agree
                if wire.ask(words.TO_BOOT_LOADER) is None:
                    raise BoardSilent(Message("The board on {port} does not answer.", port=port.device))

    def _ask_for_leave(self, port: SerialPort) -> None:
        """Ask before the program of a Pico that is no board yet is replaced."""
        what = Message(
            "On {port} is a Pico with another program. Installing replaces that program.",
            port=port.device,
        )
        if self._person.may is None:
            raise NotAllowed(
                Message(
                    "{what} If that is what you want, add --yes; else unplug that Pico, and hold the button BOOTSEL of "
                    "the one that is to get the firmware while you plug it in.",
                    what=what,
                )
            )
        self._ask(port, what, self._person.may)

    def _ask_for_another_layout(self, port: SerialPort, theirs: str, ours: str) -> None:
        """Ask before a board gets the firmware of another layout than it was made for."""
        what = Message(
            "The board on {port} was made for another layout (board {theirs}) than the firmware that is to be "
            "installed (board {ours}).",
            port=port.device,
            theirs=theirs,
            ours=ours,
        )
        if self._person.may is None:
            raise NotAllowed(
                Message(
                    "{what} If that is what you want, add --yes; else name the layout of the board by --layout.",
                    what=what,
                )
            )
        self._ask(port, what, self._person.may)

    def _ask(self, port: SerialPort, what: Message, may: Callable[[Message], bool]) -> None:
        if not may(what):
            raise NotAllowed(Message("The Pico on {port} was left as it is.", port=port.device))

    # Until it answers

    def _answer(self, others: Collection[tuple[str, str]], drive: Drive) -> tuple[SerialPort, Hello]:
        """What the board says that is on a port after the copying; it may have another name than before."""
        ends = self._computer.now() + BOARD_WITHIN_S
        problem: BoardError | None = None
        self._person.say(Message("Waiting for the board to say hello ..."))
        while True:
            for port in candidates():
                if (port.device, port.serial_number) in others:
                    continue
                try:
                    with closing(greet(port)) as wire:
                        return port, said_by(wire)
                except FirmwareProtocolError:
                    raise
                except BoardError as error:  # it may not be ready, or its port not yet be allowed to this user
                    problem = error
            if self._computer.now() >= ends:
                raise self._no_answer(drive, problem)
            self._computer.sleep(_LOOK_S)

    def _no_answer(self, drive: Drive, problem: BoardError | None) -> FirmwareNotTaken | BoardError:
        if drive in self._computer.drives():
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


def _is_pico(port: SerialPort) -> bool:
    """Whether a Pico with MicroPython is on the port, that of this project or another."""
    return is_board(port) or (port.vendor == RASPBERRY_PI and port.product == MICROPYTHON)


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
