"""Taking pins of the Pi through gpiozero, and letting go of them so that the next one can have them.

Raw edges only: what is a press and what is a bounce is for our own debouncer to say.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal, NoReturn

from popout.board.contacts import Level, Pull, pin_number
from popout.board.driver import BoardError
from popout.board.gpio.chips import Chip, holders, line
from popout.board.processes import Process
from popout.rules.messages import Message

Device = Any
"""An input of gpiozero, which has no types of its own."""

Edge = Callable[[float, int], None]
"""What hears an edge, in a thread of the library: the time in seconds of the monotonic clock, and the level after it.

It must never raise: that would end lgpio's only thread and make every button dead.
"""

Own = Literal["service", "program"]
"""How another popout runs: as the service of the system, or started by somebody."""

RETRIES: Final = 10
RETRY_S: Final = 0.005
"""A line that was let go a moment ago is still busy until lgpio's thread has seen it."""

_ROOT = Path("/")
_PULL_UP: Final[dict[Pull, bool | None]] = {"up": True, "down": False, "none": None}


class PinBusy(BoardError):
    """Something else holds a pin."""

    code = "pin-busy"


class PinUnusable(BoardError):
    """A pin cannot be what it is to be."""

    code = "pin-unusable"


def own(process: Process, root: Path) -> Own | None:
    """How the process runs if it is popout; None if it is something else.

    :param root: where the file system begins.
    """
    folder = root / f"proc/{process.pid}"
    if b"/popout.service" in _content(folder / "cgroup"):
        return "service"
    words = _content(folder / "cmdline").split(b"\0")[:3]  # after a Python, or after that and -m
    named = process.name == "popout" or any(word.rpartition(b"/")[2] == b"popout" for word in words)
    return "program" if named else None


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


class Pins:
    """Pins of one gpiozero factory.

    :param factory: a gpiozero factory; the caller closes it, or keeps it.
    :param layout: the name of the layout, for sentences.
    """

    chip: Chip | None = None
    """The chip whose lines they are, where the kernel can be asked about it."""

    def __init__(self, factory: Any, layout: str) -> None:
        self.factory = factory
        self._layout = layout

    def take(
        self, pin: str, use: str, *, pull: Pull = "none", closed: Level = "high", edge: Edge | None = None
    ) -> Device:
        """Take a pin as an input; let go of it with `release`.

        :param pin: such as ``GPIO5``. :param use: what it is for, such as ``column 3``.
        :param closed: the level that counts as active, where gpiozero cannot know it from the pull.
        :param edge: a bound method that hears every edge. gpiozero keeps no hold of its object: the caller does.
        :raises BoardError: it cannot be had; nothing is left taken then.
        :raises ModuleNotFoundError: gpiozero is missing.
        """
        reserved = import_module("gpiozero.exc").GPIOPinInUse
        # A failed claim keeps the pin reserved for as long as its traceback lives, and the error that we raise would
        # keep that alive. So only the words of the failure leave the loop.
        problem, in_use = "", False
        for _ in range(RETRIES):
            try:
                return self._take(pin_number(pin), pull, closed, edge)
            except Exception as error:  # lgpio's own kind of error derives from nothing else
                problem = str(error).strip("'\"") or type(error).__name__
                in_use = isinstance(error, reserved)
            if in_use or not _says_busy(problem):
                break
            time.sleep(RETRY_S)
        if in_use:
            raise PinBusy(
                Message(
                    "Pin {pin} ({use}) is in use already by this very program, which has a board open.",
                    pin=pin,
                    use=use,
                )
            )
        self._explain(pin, use, problem)

    def release(self, device: Device) -> None:
        """Let go of a pin, whatever state it and its chip are in. It may be taken anew at once."""
        pin = device.pin
        if pin is None:
            return
        with suppress(Exception):
            pin.when_changed = None
        try:
            device.close()
        except Exception:
            # Closing claims the line once more, which fails on a chip that is gone. Forgotten here, since otherwise
            # the device would try again when it is collected, and say so on the terminal.
            device._pin = None
        self.forget(pin.info.name)

    def forget(self, pin: str) -> None:
        """Give back a pin whose device was closed: gpiozero itself would keep it until the program ends."""
        for info in [info for info in self.factory.pins if info.name == pin]:
            del self.factory.pins[info]
        self._free(pin)

    def release_all(self, devices: Iterable[Device]) -> None:
        """Let go of several pins."""
        for device in devices:
            self.release(device)

    def check(self) -> None:
        """See whether edges can still be heard.

        :raises BoardLost: they cannot.
        """

    def _take(self, number: int, pull: Pull, closed: Level, edge: Edge | None) -> Device:
        pull_up = _PULL_UP[pull]
        # gpiozero takes an active level only where it cannot be told from the pull.
        active = closed == "high" if pull_up is None else None
        device = import_module("gpiozero").InputDevice(
            number, pull_up=pull_up, active_state=active, pin_factory=self.factory
        )
        try:
            if edge is not None:
                device.pin.bounce = None
                device.pin.edges = "both"
                device.pin.when_changed = edge
        except BaseException:
            self.release(device)
            raise
        return device

    def _free(self, pin: str) -> None:
        """Give the line back to the kernel, where closing the device does not."""

    def _tell_of_popout(self, pin: str, use: str, found: Iterable[Process]) -> None:
        """Say that it is another popout that holds the pins, if there is one that does."""
        kinds = {kind: process.pid for process in found if (kind := own(process, _ROOT)) is not None}
        if "service" in kinds:
            raise PinBusy(
                Message(
                    "Pin {pin} ({use}) is in use: popout plays on this board already, as the service of the system. "
                    "Stop it by “sudo systemctl stop popout”.",
                    pin=pin,
                    use=use,
                )
            )
        if kinds:
            raise PinBusy(
                Message(
                    "Pin {pin} ({use}) is in use: popout plays on this board already, in process {process}. End it "
                    "with Ctrl+C where it runs.",
                    pin=pin,
                    use=use,
                    process=kinds["program"],
                )
            )

    def _explain(self, pin: str, use: str, problem: str) -> NoReturn:
        if self.chip is not None and _says_busy(problem):
            consumer = ""
            with suppress(OSError):
                consumer = line(self.chip, pin_number(pin)).consumer
            found = holders()
            self._tell_of_popout(pin, use, found)
            programs = ", ".join(f"{process.name} ({process.pid})" for process in found)
            if programs:
                raise PinBusy(
                    Message(
                        "Pin {pin} ({use}) is held by another program, known to the kernel as “{consumer}”: stop it "
                        "(of the programs that run, these hold pins: {programs}), or give {use} another pin in the "
                        "layout {layout}.",
                        pin=pin,
                        use=use,
                        consumer=consumer or "?",
                        programs=programs,
                        layout=self._layout,
                    )
                )
            raise PinBusy(
                Message(
                    "Pin {pin} ({use}) is held by another program or by the kernel itself, known as “{consumer}”: stop "
                    "that program or switch that part off in /boot/firmware/config.txt, or give {use} another pin in "
                    "the layout {layout}.",
                    pin=pin,
                    use=use,
                    consumer=consumer or "?",
                    layout=self._layout,
                )
            )
        raise PinUnusable(
            Message(
                "Pin {pin} ({use}) cannot be used: {reason}. Give {use} another pin in the layout {layout}, or try "
                "again.",
                pin=pin,
                use=use,
                layout=self._layout,
                reason=problem.rstrip("."),
            )
        )


def _says_busy(problem: str) -> bool:
    """Whether lgpio says that a line is taken; for a line with edges it says only that the request was bad."""
    return "busy" in problem.lower() or "event request" in problem.lower()
