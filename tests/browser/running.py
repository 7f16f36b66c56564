"""The real program in a process of its own, a hand at its table that sets the scene, and a real Chromium."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from playwright.sync_api import Browser, Playwright
from websockets.sync.client import connect

COMMAND = Path(sys.executable).with_name("popout")
CHROMIUM = Path(os.environ.get("POPOUT_CHROMIUM", "/usr/bin/chromium"))
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]


class ChromiumMissing(Exception):
    """There is no browser to test in."""


def launch(playwright: Playwright) -> Browser:
    """Start Chromium: Debian's, or the one that POPOUT_CHROMIUM names.

    :raises ChromiumMissing: there is none.
    """
    if not CHROMIUM.exists():
        raise ChromiumMissing(
            f"There is no Chromium at {CHROMIUM}. Install Debian's (apt install chromium),"
            " or name another in POPOUT_CHROMIUM."
        )
    return playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)


class Program:
    """`popout sim`, started with a record of its own and perhaps other `arguments`.

    :ivar address: of the page. :ivar record: the file in which the games are kept.
    """

    def __init__(self, folder: Path, *arguments: str | Path) -> None:
        self.record = folder / "games"
        self._arguments = arguments
        self._folder = folder
        self._port = 0
        self.start()

    def start(self) -> None:
        """Start it; once it has had a port, at that port again."""
        environment = {
            **os.environ,
            "LC_ALL": "C.UTF-8",
            "XDG_CONFIG_HOME": str(self._folder),  # not the settings of whoever runs the tests
            "PYTHONUNBUFFERED": "1",
        }
        self._process = subprocess.Popen(
            [COMMAND, "sim", "--no-browser", "--port", str(self._port), "--record", self.record, *self._arguments],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._process.stdout is not None
        said = ""
        for line in self._process.stdout:
            said += line
            if found := re.search(r"http://\S+:(\d+)/", said):
                self.address, self._port = found.group(), int(found.group(1))
                return
        self._process.stdout.close()
        raise RuntimeError(f"popout sim ended with {self._process.wait()} before it gave an address. It said:\n{said}")

    def stop(self) -> None:
        """Tell it to stop, as Ctrl+C would, and wait until it has."""
        self._process.terminate()
        assert self._process.stdout is not None
        self._process.stdout.close()
        assert self._process.wait(10) == 0


class Hand:
    """Somebody else at the same table: plays and arranges through the page's own connection, without a page.

    :ivar state: the newest state message.
    """

    def __init__(self, program: Program) -> None:
        address = program.address.replace("http:", "ws:") + "ws"
        # Without a longest queue: what nobody reads must not hold up the end of the connection.
        self._connection = connect(address, origin=program.address.rstrip("/"), max_queue=None)
        self.state: dict[str, Any] = {}

    def __enter__(self) -> Self:
        self._socket = self._connection.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._connection.__exit__(*error)

    def say(self, text: str) -> dict[str, Any]:
        """Send a raw message; the answer to it."""
        self._socket.send(text)
        while (message := self._hear())["type"] not in ("done", "look", "refused"):
            pass
        return message

    def do(self, command: str, **fields: object) -> None:
        """Do what a page can ask for. It must not be refused."""
        answer = self.say(json.dumps({"do": command, **fields}))
        assert answer["type"] == "done", answer

    def begin(self, rules: str, moves: str = "") -> None:
        """A new game with a careful hand and the bar closed, up to the position after `moves`."""
        self.do("new", rules=rules)
        self.do("hand", action={"do": "careful", "on": True})
        self._until(lambda state: state["moves"] == [] and state["twin"]["careful"])
        self.play(moves)
        self.bar("closed")

    def play(self, moves: str) -> None:
        """Make moves with the finger and the bar, as a record writes them: ``d4 d4 p4``; power discs: ``a4``."""
        for word in moves.split():
            self.bar("open" if word[0] == "p" else "closed")
            if word[0] in "abwx":
                self.do("power", disc=word[0])
            made = len(self.state["moves"]) + 1
            switch = f"column {int(word[1:]) - self.state['rules']['firstColumn'] + 1}"
            self.do("press", switch=switch)
            self.do("release", switch=switch)
            self._until(lambda state, made=made: len(state["moves"]) == made)

    def bar(self, to: str) -> None:
        """Slide the bar."""
        if self.state.get("bar") != to:
            self.do("bar", to=to)
            self._until(lambda state: state["bar"] == to)

    def _until(self, reached: Any) -> None:
        while not (self.state and reached(self.state)):
            self._hear()

    def _hear(self) -> dict[str, Any]:
        message: Mapping[str, Any] = json.loads(self._socket.recv(timeout=10))
        if message["type"] == "state":
            self.state = dict(message)
        return dict(message)
