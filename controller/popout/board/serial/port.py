"""Opening a serial port for this program alone, and why that cannot be done."""

from __future__ import annotations

import errno
import os
import re
import shlex
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from popout.board.driver import BoardAway, BoardError
from popout.board.processes import Process, holders, is_behind
from popout.rules.messages import Message

BAUD: Final = 115_200
"""Nothing runs at this rate on USB; at another one a Pico goes into its boot loader."""
BOOT_LOADER_BAUD: Final = 1200
"""A Pico with MicroPython goes into its boot loader when its port was open at this rate and is closed."""
READ_S: Final = 0.1
"""How long reading waits for a byte."""
WRITE_S: Final = 1.0
"""How long writing waits for a board that takes nothing; then it is taken for lost."""

_GONE: Final = (errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.ENOTDIR)
_REFUSED: Final = (errno.EACCES, errno.EPERM)
_HELD: Final = (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK)
_NO_PORT: Final = (errno.ENOTTY, errno.EISDIR)
_NOT_CONFIGURED: Final = re.compile(r"Could not configure port: \((\d+), ")


class PortMissing(BoardAway, LookupError):
    """There is no such port."""

    code = "port-missing"


class PortRefused(BoardError, PermissionError):
    """This user may not open the port."""

    code = "port-refused"


class PortHeld(BoardError):
    """Another program has the port open."""

    code = "port-held"


class PortUnusable(BoardError):
    """The port cannot be opened or is none."""

    code = "port-unusable"


def open_port(
    device: str,
    *,
    baud: int = BAUD,
    connect: Callable[..., Any] | None = None,
    who: Callable[[Callable[[str], bool]], tuple[Process, ...]] = holders,
) -> Any:
    """A port of pyserial, open for this program alone; what came before has been thrown away.

    Whoever opens it must greet the board: it may have been reset by that, or just been plugged in.

    :param device: its path or name. :param baud: the rate.
    :param connect: what opens it, other than pyserial; :param who: finds the programs that have a file open. For tests.
    :raises PortMissing: it is not there. :raises PortRefused: this user may not open it.
    :raises PortHeld: another program has it; the message names it if it can be known.
    :raises PortUnusable: anything else.
    """
    opening = import_module("serial").Serial if connect is None else connect
    try:
        port = opening(device, baud, timeout=READ_S, write_timeout=WRITE_S, exclusive=True)
    except (OSError, ValueError) as error:  # a ValueError for a name that no file can have
        raise _explained(device, error, who) from error
    # A program that has it open without having locked it would take half of what the board says.
    others = () if _is_terminal(device) else _programs(device, who)
    if others:
        port.close()
        raise _held(device, others)
    return port


def touch(device: str) -> None:
    """Send the Pico on a port into its boot loader, whatever MicroPython runs on it. Its port is gone soon after.

    :raises BoardError: the port cannot be opened, as with `open_port`.
    """
    port = open_port(device, baud=BOOT_LOADER_BAUD)
    with suppress(OSError):  # its closing drops these lines as well, but not on every system
        port.dtr = False
        port.rts = False
    with suppress(OSError):
        port.close()


def udev_rules() -> Path:
    """The file that lets people use a board on Linux, for ``/etc/udev/rules.d``; it comes with the package."""
    package = Path(__file__).parent.parent
    installed = package / "udev"
    return (installed if installed.is_dir() else package.parents[2] / "hardware/udev") / "70-popout.rules"


def _explained(
    device: str, error: OSError | ValueError, who: Callable[[Callable[[str], bool]], tuple[Process, ...]]
) -> BoardError:
    number = error.errno if isinstance(error, OSError) else errno.ENOENT
    told = str(error)
    configured = _NOT_CONFIGURED.match(told)
    if configured:  # pyserial tells this error of termios in words
        number = int(configured[1])
    # On Windows pyserial tells the error in words only, and refuses who comes second.
    if number in _GONE or (number is None and "FileNotFoundError" in told):
        return PortMissing(
            Message(
                "There is no serial port “{device}”, and no board with that serial number on USB. Plug the board in, "
                "or leave out the device to have the board looked for.",
                device=device,
            )
        )
    if number in _REFUSED:
        return _refused(device)
    if number in _HELD or (number is None and "PermissionError" in told):
        return _held(device, _programs(device, who))
    if number in _NO_PORT:
        return PortUnusable(
            Message(
                "{device} is no serial port. Name another device, or leave out the device to have the board looked "
                "for.",
                device=device,
            )
        )
    reason = os.strerror(number) if number is not None else told
    return PortUnusable(
        Message(
            "The serial port {device} cannot be used: {reason}. Pull the board's cable and plug it in again, or name "
            "another device.",
            device=device,
            reason=reason.rstrip("."),
        )
    )


def _refused(device: str) -> PortRefused:
    group = _group(device)
    install = f"sudo cp {shlex.quote(str(udev_rules()))} /etc/udev/rules.d/ && sudo udevadm control --reload-rules"
    if group in ("", "root"):
        return PortRefused(
            Message(
                "You may not use {device}, which only root may. Let whoever is logged in use it: type “{install}”, "
                "then plug the board in again.",
                device=device,
                install=install,
            )
        )
    return PortRefused(
        Message(
            "You may not use {device}. It belongs to the group {group}: type “{join}”, then log out and in again. Or "
            "let whoever is logged in use it: type “{install}”, then plug the board in again.",
            device=device,
            group=group,
            join=f"sudo usermod -aG {group} $USER",
            install=install,
        )
    )


def _held(device: str, programs: tuple[Process, ...]) -> PortHeld:
    if not programs:
        return PortHeld(
            Message(
                "{device} is open in another program. Stop that program; one at a time can speak with the board.",
                device=device,
            )
        )
    return PortHeld(
        Message(
            "{device} is open in another program: {programs}. Stop that program; one at a time can speak with the "
            "board.",
            device=device,
            programs=", ".join(f"{process.pid} “{process.name}”" for process in programs),
        )
    )


def _programs(device: str, who: Callable[[Callable[[str], bool]], tuple[Process, ...]]) -> tuple[Process, ...]:
    real = os.path.realpath(device)
    # The board on a pseudo-terminal is no program that speaks with it.
    return tuple(process for process in who(lambda name: name == real) if not is_behind(real, process.pid))


def _is_terminal(device: str) -> bool:
    """Whether it is no wire but a program's pseudo-terminal, which that program may well have open at both ends."""
    return os.path.realpath(device).startswith("/dev/pts/")


def _group(device: str) -> str:
    """The group that the port belongs to, by its name, or by its number if it has none; empty if that is not known."""
    try:
        number = os.stat(device).st_gid  # noqa: PTH116 - a name on Windows is no path
    except OSError:
        return ""
    try:
        return str(import_module("grp").getgrgid(number).gr_name)
    except (ImportError, KeyError):
        return str(number)
