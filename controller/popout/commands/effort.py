"""What commands share that compute for long: how much memory and how many cores, how far it is, and Ctrl+C."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import current_thread, main_thread
from time import monotonic
from types import FrameType
from typing import Final

import click

from popout.commands.console import Console, can_show
from popout.opponent.errors import no_memory_left
from popout.rules import Message

MIB: Final = 1 << 20
MOST_USUAL_MIB: Final = 1024
LEAST_MIB: Final = 16
_MEMORY: Final = Path("/proc/meminfo")
_BAR: Final = 20
_BLOCKS: Final = "█░"
_PLAIN_BLOCKS: Final = "#."


def memory_option(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the option ``--memory``, in MiB; None if it is not given."""
    return click.option(
        "--memory",
        metavar="MIB",
        type=click.IntRange(LEAST_MIB),
        help=f"Use no more memory than this, in MiB. [default: half of what is free, at most {MOST_USUAL_MIB}]",
    )(command)


def cores_option(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the option ``--cores``; None if it is not given."""
    return click.option(
        "--cores", metavar="COUNT", type=click.IntRange(1, 64), help="Use so many cores. [default: all]"
    )(command)


def free_memory() -> int | None:
    """The bytes of memory that programs can have now; None where the system does not say."""
    try:
        found = re.search(r"^MemAvailable:\s+(\d+) kB", _MEMORY.read_text("ascii"), re.MULTILINE)
    except (OSError, UnicodeDecodeError):
        return None
    return int(found[1]) * 1024 if found else None


def usual_memory() -> int:
    """The bytes of memory that a computation may take if nobody says how many."""
    free = free_memory()
    return max(LEAST_MIB, min(MOST_USUAL_MIB, (free or MOST_USUAL_MIB * MIB) // MIB // 2)) * MIB


def check_memory(wanted: int) -> None:
    """Refuse to begin what the system has no memory for: it would end this program, or another, in the middle.

    :raises NotEnoughMemory: it has less.
    """
    free = free_memory()
    if free is not None and wanted > free:
        raise no_memory_left(wanted // MIB)


def usual_cores() -> int:
    """The cores that this program may use."""
    with suppress(AttributeError):  # not every system says so
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def ctrl_c(stop: Callable[[], object]) -> Iterator[Callable[[], bool]]:
    """Call `stop` at Ctrl+C, instead of ending the program; gives whether it was pressed. A second one ends it."""
    pressed = False

    def hear(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            signal.default_int_handler(number, frame)
        pressed = True
        stop()

    before = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or before is signal.SIG_IGN:
        yield lambda: False
        return
    signal.signal(signal.SIGINT, hear)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)


class ProgressLine:
    """One line of the terminal that says how far something is; none where standard error is no terminal."""

    def __init__(self, console: Console) -> None:
        self._catalogue = console.catalogue
        self._shown = sys.stderr is not None and sys.stderr.isatty()
        self._full, self._empty = _BLOCKS if can_show(_BLOCKS, sys.stderr) else _PLAIN_BLOCKS
        self._began = monotonic()
        self._width = 0

    @property
    def seconds(self) -> float:
        """Since the line was made."""
        return monotonic() - self._began

    def show(self, message: Message, share: float | None = None) -> None:
        """Replace the line by a bar, if it is known how much is done (from 0 to 1), and a sentence."""
        if not self._shown:
            return
        text = self._catalogue.text(message)
        if share is not None:
            done = round(_BAR * min(1.0, share))
            text = f"{self._full * done}{self._empty * (_BAR - done)} {text}"
        self._write(text)

    def clear(self) -> None:
        """Remove the line."""
        if self._shown and self._width:
            self._write("")
            click.echo("\r", file=sys.stderr, nl=False)

    def _write(self, text: str) -> None:
        click.echo(f"\r{text:<{self._width}}", file=sys.stderr, nl=False)
        self._width = len(text)


def grouped(number: int) -> str:
    """A number that people can read, in groups of three digits as in every language."""
    return f"{number:,}".replace(",", " ")
