"""The log: lines for a terminal and for the journal, and no spam."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROLOGUE = """
import logging, sys, threading
from popout.service import logs
log = logging.getLogger("popout.play")
"""


def said(script: str, tmp_path: Path, *, journal: bool = False) -> list[str]:
    """What a program of its own writes to its standard error, which may be the journal."""
    with (tmp_path / "errors").open("w+b") as errors:
        found = os.fstat(errors.fileno())
        stream = {"JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino if journal else found.st_ino + 1}"}
        subprocess.run(
            [sys.executable, "-c", PROLOGUE + script],
            stderr=errors,
            check=True,
            timeout=60,
            env={**os.environ, **stream, "PYTHONIOENCODING": "utf-8"},
        )
        errors.seek(0)
        return errors.read().decode().splitlines()


THREE = 'log.error("lost %s", "it"); log.info("by the way"); log.debug("in detail")'
FAULT = """
try:
    1 / 0
except ZeroDivisionError:
    log.exception("It failed.")
"""


def test_at_a_terminal_what_went_wrong_is_a_line(tmp_path: Path):
    assert said("logs.configure();" + THREE, tmp_path) == ["popout: lost it"]


def test_with_verbose_there_is_more(tmp_path: Path):
    assert said("logs.configure(verbose=True);" + THREE, tmp_path) == [
        "popout: lost it",
        "popout: by the way",
        "popout: in detail",
    ]


def test_for_the_journal_each_line_has_its_priority_and_no_time(tmp_path: Path):
    assert said("logs.configure();" + THREE + ';log.warning("hm")', tmp_path, journal=True) == [
        "<3>lost it",
        "<6>by the way",
        "<7>in detail",
        "<4>hm",
    ]


def test_a_terminal_is_not_flooded_with_where_a_fault_arose(tmp_path: Path):
    assert said("logs.configure()" + FAULT, tmp_path) == ["popout: It failed."]


def test_the_journal_gets_where_a_fault_arose_every_line_marked(tmp_path: Path):
    lines = said("logs.configure()" + FAULT, tmp_path, journal=True)

    assert lines[:2] == ["<3>It failed.", "<3>Traceback (most recent call last):"]
    assert lines[-1] == "<3>ZeroDivisionError: division by zero"
    assert all(line.startswith("<3>") for line in lines)


def test_packages_are_heard_only_when_they_fail(tmp_path: Path):
    script = """
logs.configure()
for name in ("uvicorn.error", "websockets.server", "zeroconf", "asyncio"):
    logging.getLogger(name).warning("a stranger talks nonsense")
logging.getLogger("uvicorn.error").error("Exception in ASGI application")
"""
    assert said(script, tmp_path) == ["popout: uvicorn.error: Exception in ASGI application"]


def test_nothing_in_the_log_moves_a_cursor(tmp_path: Path):
    assert said(r'logs.configure(); log.error("a\x1b[2Jb\rc\nd")', tmp_path) == [
        "popout: a?[2Jb",
        "popout: c",
        "popout: d",
    ]


def test_a_thread_that_fails_is_a_line_too(tmp_path: Path):
    script = """
logs.configure()
thread = threading.Thread(target=lambda: 1 / 0, name="lamps")
thread.start(); thread.join()
"""
    assert said(script, tmp_path) == ["popout: The thread lamps failed (ZeroDivisionError: division by zero)."]


def test_set_up_twice_it_says_everything_once(tmp_path: Path):
    assert said('logs.configure(); logs.configure(); log.error("once")', tmp_path) == ["popout: once"]


def test_without_a_standard_error_nothing_fails(tmp_path: Path):
    assert said('sys.stderr = None; logs.configure(); log.error("to nobody")', tmp_path) == []


def test_a_standard_error_that_is_gone_ends_nothing(tmp_path: Path):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", PROLOGUE + 'logs.configure(); log.error("to nobody"); print("goes on", flush=True)'],
        stderr=writing,
        stdout=subprocess.PIPE,
        timeout=60,
        check=False,
        cwd=tmp_path,
    )
    os.close(writing)

    assert done.stdout.strip() == b"goes on"
