"""Putting the firmware onto a Pico: into its boot loader, onto its drive, and until the board says hello.

Who asks for it is told what is done, and asked before what a person may not want.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from popout.board.driver import BoardError, BoardLost
from popout.board.serial.hello import Hello
from popout.board.serial.port import PortHeld, PortMissing, PortRefused, PortUnusable
from popout.board.serial.ports import MICROPYTHON, RASPBERRY_PI, SerialPort, candidates, is_board, may_be_board
from popout.board.serial.talking import BoardSilent, said_by
from popout.firmware.answer import await_board
from popout.firmware.computer import Computer, Firmware, Person
from popout.firmware.drives import Drive
from popout.firmware.errors import FirmwareError
from popout.firmware.image import TITLES
from popout.link import words
from popout.rules.messages import Message

DRIVE_WITHIN_S: Final = 15.0
"""How long a drive may take to appear after a Pico went into its boot loader."""
MOUNTED_WITHIN_S: Final = 3.0
"""How long a desktop may take until a folder leads to a drive that is there."""
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
        # Drives of Picos that are not meant; those without a folder by their devices.
        self._others: Collection[Drive | Path] = ()

    def run(self, device: str | None = None, folder: Path | None = None) -> tuple[SerialPort, Hello]:
        """Install, and say on which port the board is now and what it says of itself.

        :param device: the port or the serial number of the board that is to get it; None takes the only one.
        :param folder: the drive that is to get it; None looks for it.
        :raises FirmwareError: it cannot be, or went wrong; the message says what to do.
        :raises BoardError: a port cannot be used, or the new firmware speaks another protocol.
        """
        if self._model is not None:
            self._prepare(self._model)  # whatever is wrong with it is said before a Pico is touched
        drive = self._find(device) if folder is None else self._computer.drive_at(folder)
        firmware = self._prepare(drive.model)
        self._check_model(firmware.model, Message("The drive {folder}", folder=str(drive.folder)), drive.model)
        # The Pico itself is on no port now: these are others.
        others = self._computer.ports()
        self._person.say(Message("Copying the firmware to {folder} ...", folder=str(drive.folder)))
        try:
            self._computer.copy(firmware.data, drive)
        except KeyboardInterrupt:
            self._person.say(
                Message(
                    "Perhaps not all of the firmware is on the Pico. Unplug it, hold its button BOOTSEL while you plug "
                    "it in again, and install once more."
                )
            )
            raise
        return await_board(firmware, drive, others, self._computer, self._person.say)

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
        waiting = tuple(self._computer.unmounted())
        if device is not None:
            # Whoever names a port means no Pico that is on none.
            self._others = {*self._computer.drives(), *waiting}
        drive = self._only_drive()
        if drive is not None:
            return drive
        if device is not None or not waiting:
            port = self._port(device)
            if port is None:
                return self._with_hands(Message("No Pico was found on USB."))
            self._send_to_boot_loader(port)
        drive = self._await_drive(DRIVE_WITHIN_S)
        return drive or self._with_hands(Message("The drive of the Pico has not appeared."))

    def _only_drive(self) -> Drive | None:
        found = [drive for drive in self._computer.drives() if drive not in self._others]
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
        drive = self._await_drive(math.inf)
        assert drive is not None, "it is waited for without an end"
        return drive

    def _await_drive(self, within_s: float) -> Drive | None:
        """The drive, as soon as there is one; None if none appears in time. It is mounted if nobody else does so."""
        computer = self._computer
        ends = computer.now() + within_s
        mount_at: float | None = None
        while True:
            drive = self._only_drive()
            if drive is not None:
                return drive
            now = computer.now()
            device = next((device for device in computer.unmounted() if device not in self._others), None)
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
        there = self._computer.ports()
        found = [port for port in there if _is_pico(port)] if device is None else candidates(device, there)
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
                    raise _no_board(port) from error
        if not is_board(port):
            self._ask_for_leave(port)
        self._person.say(Message("Sending the Pico on {port} into its boot loader ...", port=port.device))
        self._computer.touch(port.device)

    def _ask_board(self, port: SerialPort) -> None:
        with closing(self._computer.greet(port)) as wire:
            hello = said_by(wire)
            model = hello.model
            if model in TITLES:
                firmware = self._prepare(model)
                self._check_model(firmware.model, Message("The board on {port}", port=port.device), model)
                if hello.digest not in (firmware.digest, words.NO_BOARD):
                    self._ask_for_another_layout(port, hello.digest, firmware.digest)
            self._person.say(Message("Sending the board on {port} into its boot loader ...", port=port.device))
            with suppress(BoardLost):  # it may be gone before it was heard to agree
                if wire.ask(words.TO_BOOT_LOADER) is None:
                    raise _no_board(port)

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


def _is_pico(port: SerialPort) -> bool:
    """Whether a Pico with MicroPython is on the port, that of this project or another."""
    return is_board(port) or (port.vendor == RASPBERRY_PI and port.product == MICROPYTHON)


def _no_board(port: SerialPort) -> BoardSilent:
    return BoardSilent(
        Message(
            "What is on {port} does not answer as a board does, and was left alone. If it is a Pico, hold its button "
            "BOOTSEL while you plug it in, and install once more without --device.",
            port=port.device,
        )
    )
