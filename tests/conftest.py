"""What holds for every test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import catalogues
from commanded_boards import mine, plug  # noqa: F401 - fixtures
from firmware_bench import bench, patience, story  # noqa: F401 - fixtures
from firmware_boards import TOLD, Start
from firmware_on_unix import Firmware, flash
from popout.record.store import Store
from sentence_net import SentenceNet

# The tests read English, whatever the computer and the user's own settings speak.
os.environ["LANGUAGE"] = "en"
os.environ["XDG_CONFIG_HOME"] = str(Path(__file__).parent / "no-settings")

# However slow the computer is.
settings.register_profile("popout", deadline=None)
settings.load_profile("popout")

NET = SentenceNet()
NET.spread()


@pytest.fixture
def store() -> Iterator[Store]:
    """A record in memory."""
    with Store(None) as store:
        yield store


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Give current to a board with our firmware, on MicroPython's unix port: how it is described, and what
    `firmware_on_unix.Firmware` takes.
    """
    with ExitStack() as running:

        def begin(told: dict[str, Any] | None = TOLD, **how: int) -> Firmware:
            return running.enter_context(Firmware(tmp_path, flash(told), **how))

        yield begin


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything must have run, a test that was skipped is a failure; so is a sentence that nobody translates."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:
        return
    if os.environ.get("CI") and reporter.stats.get("skipped"):
        reporter.write_line("Tests were skipped, and with CI set none may be.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    unmarked = NET.unmarked(message.id for message in catalogues.template())
    if unmarked:
        reporter.write_line("Sentences that no catalogue has; mark them with N_ where they are written:", red=True)
        for each in unmarked:
            reporter.write_line(each)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
