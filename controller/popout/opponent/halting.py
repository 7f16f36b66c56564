"""Stopping what works without looking up: a thread looks for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LOOKS_EVERY_S = 0.01


@contextmanager
def watched(halted: Callable[[], bool], stop: Callable[[], object]) -> Iterator[None]:
    """Call `stop` as soon as `halted` is true, while the block works.

    Again and again: what something is told before it has begun may not count.
    """
    done = threading.Event()

    def watch() -> None:
        while not done.wait(LOOKS_EVERY_S):
            if halted():
                stop()

    watcher = threading.Thread(target=watch, name="popout-halting", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
