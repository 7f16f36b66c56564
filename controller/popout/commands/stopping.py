"""The signals by which a person or the system tells a program to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

CTRL_C: Final = "SIGINT"
FROM_OUTSIDE: Final = ("SIGTERM", "SIGHUP")
"""The system is shut down, or the terminal is closed."""


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
