"""What holds for every test."""

from __future__ import annotations

import os

import pytest


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything must have run, a test that was skipped is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and reporter.stats.get("skipped"):
        reporter.write_line("Tests were skipped, and with CI set none may be.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
