"""The signals by which a person or the system tells a program to stop."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final

CTRL_C: Final = "SIGINT"
FROM_OUTSIDE: Final = ("SIGTERM", "SIGHUP")
"""The system is shut down, or the terminal is closed."""


@contextmanager
def stopped_as_by_ctrl_c(signals: Iterable[str] = FROM_OUTSIDE) -> Iterator[None]:
    """Let these signals end what runs without an event loop as Ctrl+C does, so that it can clean up behind itself.

    One that is ignored, as that of a closed terminal under ``nohup``, stays so. Only the main thread can be told.
    """
    told = False

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal told
        if not told:  # a second one must not disturb the cleaning up
            told = True
            raise KeyboardInterrupt

    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for name in signals:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def told_to_stop(stop: Callable[[], object], signals: Iterable[str] = (*FROM_OUTSIDE, CTRL_C)) -> Iterator[None]:
    """Call `stop` at each of these signals, in the running event loop; afterwards they mean what they meant before."""
    loop = asyncio.get_running_loop()
    heard = []
    for name in signals:
        with suppress(AttributeError, NotImplementedError, ValueError):  # not every system has every signal
            number = getattr(signal, name)
            loop.add_signal_handler(number, stop)
            heard.append(number)
    try:
        yield
    finally:
        for number in heard:
            loop.remove_signal_handler(number)
