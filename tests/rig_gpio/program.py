"""The real program, `popout play`, in a process of its own on the lines of the rig."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

COMMAND = Path(sys.executable).with_name("popout")
PATIENCE_S = 30.0


def popout(*arguments: str | Path, environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command of the program to its end."""
    return subprocess.run(
        [COMMAND, *arguments],
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


def at_the_pins(record: Path, *more: str | Path) -> list[str | Path]:
    """The arguments with which the program plays on the pins."""
    return ["play", "--board", "gpio", "--no-browser", "--port", "0", "--record", record, *more]


class Program:
    """`popout play` on the pins, begun and heard.

    :ivar pid: its process.
    """

    def __init__(self, folder: Path, record: Path, *more: str | Path) -> None:
        self._log = folder / "said"
        self._log.unlink(missing_ok=True)
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [COMMAND, *at_the_pins(record, *more)],
                env={**os.environ, "PYTHONUNBUFFERED": "1", "COLUMNS": "1000"},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self.pid = self._process.pid

    def hear(self, words: str) -> str:
        """Wait until it has said something; the answer is all that it has said.

        :raises AssertionError: it never does.
        """
        end = time.monotonic() + PATIENCE_S
        while words not in self.said:
            assert self._process.poll() is None, f"it ended: {self.said}"
            assert time.monotonic() < end, f"it said: {self.said}"
            time.sleep(0.02)
        return self.said

    @property
    def said(self) -> str:
        """All that it has said until now, in one line."""
        return " ".join(self._log.read_text().split())

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send it a signal and see it end; the answer is its exit status."""
        self._process.send_signal(number)
        return self._process.wait(PATIENCE_S)

    def processor_seconds(self) -> list[float]:
        """How long each of its threads has worked until now, the main one first."""
        tasks = sorted(Path(f"/proc/{self.pid}/task").iterdir(), key=lambda task: int(task.name))
        fields = [(task / "stat").read_text().rpartition(")")[2].split() for task in tasks]
        return [(int(each[11]) + int(each[12])) / os.sysconf("SC_CLK_TCK") for each in fields]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.end(signal.SIGKILL)
