"""The pins of the Pi's own header, through gpiozero and lgpio, with lgpio's traps kept away.

- lgpio makes a pipe in the working folder when it is imported, and changes into the folder that ``LG_WD`` names. So it
  is given a fresh private one, and the working folder and the environment are put back.
- A factory that is closed and opened anew in the same process can kill lgpio's only thread. So there is one factory in
  a process; boards let go of their pins only.
- An exception ends that thread and makes every button dead. So it is watched, and started anew at the next opening.

It needs gpiozero and lgpio, and imports them when pins are asked for.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from popout.board.contacts import pin_number
from popout.board.driver import BoardError, BoardLost
from popout.board.find import DriverPackageMissing
from popout.board.gpio.chips import Chip, header_chip
from popout.board.gpio.pins import Pins
from popout.rules.messages import Message

_FOLDER = "popout-lgpio-"


class NoHeader(BoardError):
    """This computer has no header with GPIO pins."""

    code = "no-header"


class PinsForbidden(BoardError, PermissionError):
    """The user may not use the pins."""

    code = "pins-forbidden"


class NoRunFolder(BoardError):
    """There is no folder in which lgpio could make its pipe."""

    code = "no-run-folder"


class HeaderPins(Pins):
    """The pins of the header, taken as the layout of that name says.

    :raises NoHeader, PinsForbidden, NoRunFolder, DriverPackageMissing: they cannot be had; the message says why.
    :raises ModuleNotFoundError: a package is missing.
    """

    # lgpio itself is one for the whole process, and so is what is known of it.
    _factory: ClassVar[Any] = None
    _folder: ClassVar[Path | None] = None

    def __init__(self, layout: str) -> None:
        self.chip = _find_chip()
        self._import_lgpio()
        self._revive_thread()
        super().__init__(self._factory_for(self.chip), layout)

    def check(self) -> None:
        """See whether lgpio's thread, which brings all edges, lives."""
        if not sys.modules["lgpio"]._notify_thread.is_alive():
            raise BoardLost(Message("The buttons are not heard any more: the part of lgpio that listens has stopped."))

    def _free(self, pin: str) -> None:
        # gpiozero's closing claims the line as an input once more, and keeps it.
        lgpio = sys.modules["lgpio"]
        with suppress(lgpio.error):
            lgpio.gpio_free(self.factory._handle, pin_number(pin))

    @classmethod
    def _import_lgpio(cls) -> None:
        if "lgpio" in sys.modules:
            return
        try:
            with cls._in_run_folder():
                import_module("lgpio")
        except OSError as error:
            raise _no_run_folder(error) from None
        except ModuleNotFoundError:
            raise
        except ImportError as error:
            raise DriverPackageMissing(
                Message(
                    "The Python package “lgpio” is there, but cannot be loaded ({reason}). If it misses liblgpio.so.1, "
                    "type: sudo apt install liblgpio1; else install “lgpio” anew.",
                    reason=str(error).rstrip("."),
                )
            ) from None
        if not hasattr(sys.modules["lgpio"], "gpiochip_open"):
            del sys.modules["lgpio"]
            raise DriverPackageMissing(
                Message(
                    "The Python package “lgpio” is there, but empty: that is what pip finds for a version of Python "
                    "that lgpio does not serve. What to install instead says: popout doctor"
                )
            )

    @classmethod
    def _revive_thread(cls) -> None:
        """Start lgpio's thread anew if it has died. The pins that it served are closed by now."""
        lgpio: Any = sys.modules["lgpio"]
        dead = lgpio._notify_thread
        if dead.is_alive():
            return
        # Its pipe is made where lgpio was imported, and opened by its bare name. A board may be opened again in any
        # thread, where the working folder must stay as it is.
        lgpio.open = cls._open_pipe
        try:
            lgpio._notify_thread = lgpio._callback_thread()
        except OSError as error:
            raise _no_run_folder(error) from None
        finally:
            del lgpio.open
        with suppress(Exception):
            dead._file.close()
            lgpio.notify_close(dead._notify)

    @classmethod
    def _open_pipe(cls, name: str, mode: str) -> Any:
        return Path(cls._folder or "", name).open(mode)

    @classmethod
    def _factory_for(cls, chip: Chip) -> Any:
        lgpio = sys.modules["lgpio"]
        if cls._factory is not None and cls._factory.chip == chip.number:
            with suppress(lgpio.error):
                lgpio.gpio_get_chip_info(cls._factory._handle)
                return cls._factory
        if cls._factory is not None:
            # The chip went away and is back, perhaps as another one. All of its pins have been let go of.
            with suppress(Exception):
                cls._factory.close()
            cls._factory = None
        try:
            cls._factory = import_module("gpiozero.pins.lgpio").LGPIOFactory(chip=chip.number)
        except lgpio.error as error:
            if not os.access(chip.path, os.R_OK | os.W_OK):
                raise _forbidden() from None
            raise NoHeader(
                Message(
                    "The GPIO chip {path} cannot be opened: {reason}.", path=str(chip.path), reason=str(error.value)
                )
            ) from None
        return cls._factory

    @classmethod
    @contextmanager
    def _in_run_folder(cls) -> Iterator[None]:
        """Be in a private folder, for as long as lgpio makes a pipe. It stays until the process ends.

        :raises OSError: there is none, or one cannot be written in.
        """
        if cls._folder is None:
            _remove_old_folders()
            cls._folder = Path(tempfile.mkdtemp(prefix=f"{_FOLDER}{os.getpid()}-"))
            atexit.register(shutil.rmtree, cls._folder, ignore_errors=True)
        before = os.environ.get("LG_WD")
        # By its handle, since the working folder may have been removed, or may not be read.
        here = os.open(".", os.O_PATH)
        os.environ["LG_WD"] = str(cls._folder)
        try:
            os.chdir(cls._folder)
            yield
        finally:
            os.environ.pop("LG_WD")
            if before is not None:
                os.environ["LG_WD"] = before
            try:
                os.fchdir(here)
            finally:
                os.close(here)


def _remove_old_folders() -> None:
    """Remove what programs left behind that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_FOLDER}[0-9]*-*"):
        pid = folder.name.removeprefix(_FOLDER).partition("-")[0]
        with suppress(OSError):
            if folder.stat().st_uid == os.getuid() and not Path("/proc", pid).exists():
                shutil.rmtree(folder)


def _find_chip() -> Chip:
    try:
        chip = header_chip()
    except PermissionError:
        raise _forbidden() from None
    if chip is None:
        raise NoHeader(
            Message(
                "This computer has no GPIO pins of a Raspberry Pi that could be found. Choose another board, such as "
                "the simulator: --board sim"
            )
        )
    return chip


def _forbidden() -> PinsForbidden:
    return PinsForbidden(
        Message(
            "You may not use the pins of this Raspberry Pi, since you are not in the group “gpio”. Type: sudo usermod "
            "-aG gpio $USER; then log out and in again."
        )
    )


def _no_run_folder(error: OSError) -> NoRunFolder:
    return NoRunFolder(
        Message(
            "lgpio needs a folder to write in, and none could be found: {reason}. Name one in the environment "
            "variable TMPDIR.",
            reason=error.strerror or str(error),
        )
    )
