"""What is left of a program that failed: a file that the next start reads into the log."""

import io
import os
import sys
from time import sleep_ms

import chip

_FILE = "failure.txt"
_MOST_LETTERS = 1500


def keep(error: Exception) -> None:
    """Write down where the program failed; without memory or room for it, nothing is."""
    try:
        said = io.StringIO()
        # The stubs know nothing of a StringIO but how to make one.
        sys.print_exception(error, said)  # pyright: ignore[reportArgumentType]
        text = said.getvalue()[-_MOST_LETTERS:]  # pyright: ignore[reportAttributeAccessIssue]
        # A program that fails the same way at every start does not wear the flash memory out.
        if text != _kept():
            with open(_FILE, "w") as file:
                file.write(text)
    except (OSError, MemoryError):
        pass


def found(reset: str) -> list[str]:
    """The lines that the last failure left; none if the chip was without power since, or got a new firmware.

    :param reset: why the chip started, see `chip.reset_reason`.
    """
    text = _kept()
    if text and reset != chip.WATCHDOG:
        try:
            os.remove(_FILE)
        except OSError:
            pass
        return []
    return [line for line in text.split("\n") if line]


def wait_for_the_watchdog() -> None:
    """Never returns."""
    chip.start_watchdog()  # it runs already, unless the program failed before
    while True:
        sleep_ms(10)


def _kept() -> str:
    try:
        with open(_FILE) as file:
            return file.read(_MOST_LETTERS)
    except OSError:
        return ""
