"""Telling systemd how the program is: ready, what it is doing, still alive, about to stop (sd_notify's protocol)."""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Mapping
from typing import Self

_log = logging.getLogger(__name__)

MICROSECONDS = 1_000_000


class Notifier:
    """Sends to the socket that ``NOTIFY_SOCKET`` names, and does nothing if there is none.

    Nothing here waits and nothing raises: whoever listens must not be able to hold up a game.

    :ivar ping_every_s: how often `alive` must be called, in seconds: twice in the time that the watchdog allows.
        None if there is no watchdog, or if it watches another process.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._address = _address(environ.get("NOTIFY_SOCKET", ""))
        self._socket: socket.socket | None = None
        if self._address is not None and sys.platform != "win32":
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._socket.setblocking(False)
        self.ping_every_s = _half_of_watchdog_s(environ) if self._socket else None

    def ready(self) -> bool:
        """The game can be played. Whether it was heard; if not, say it again."""
        return self._send("READY=1")

    def status(self, sentence: str) -> bool:
        """What the program is doing, in one line. Whether it was heard."""
        return self._send("STATUS=" + " ".join(sentence.split()))

    def alive(self) -> None:
        """The watchdog need not bite."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The program is about to end."""
        self._send("STOPPING=1")

    def close(self) -> None:
        """Let go of the socket; may be called twice."""
        if self._socket:
            self._socket.close()
            self._socket = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, text: str) -> bool:
        if self._socket is None or self._address is None:
            return True  # nobody wants to know
        try:
            self._socket.sendto(text.encode(), self._address)
        except OSError as error:
            _log.debug("The system could not be told %s (%s).", text.partition("=")[0], error)
            return False
        return True


def _address(name: str) -> str | None:
    """A path, or with a leading @ a name in Linux' own namespace; other kinds are for virtual machines."""
    if name.startswith("@"):
        return "\0" + name[1:]
    return name if name.startswith("/") else None


def _half_of_watchdog_s(environ: Mapping[str, str]) -> float | None:
    microseconds = environ.get("WATCHDOG_USEC", "")
    watched = environ.get("WATCHDOG_PID", "") or str(os.getpid())
    if not microseconds.isascii() or not microseconds.isdigit() or not int(microseconds):
        return None
    return int(microseconds) / MICROSECONDS / 2 if watched == str(os.getpid()) else None
