"""The rig's runner passes on what its guest says and how it ended, and leaves nothing behind."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from processes import ended
from rig.gpio.run import run

TESTS = Path(__file__).parent

# Stands for the kernel: $work is the folder that it is told to use.
BEGIN = """#!/bin/sh
for each; do case $each in uml_dir=*) work=${each#uml_dir=};; esac; done
"""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where folders for a moment are made."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(work))
    return work


def linux(folder: Path, script: str) -> Path:
    path = folder / "linux"
    path.write_text(BEGIN + script)
    path.chmod(0o755)
    return path


def test_the_output_and_the_status_are_the_commands(tmp_path: Path, work: Path):
    heard = io.BytesIO()
    script = "echo hello; echo 'reboot: System halted'; echo world >&2; echo 3 > $work/out/status"

    assert run(["true"], linux=linux(tmp_path, script), to=heard) == 3
    assert heard.getvalue() == b"hello\nworld\n"
    assert list(work.iterdir()) == []


@pytest.mark.usefixtures("work")
def test_the_guest_is_told_what_to_run_where_and_with_which_chips(tmp_path: Path):
    heard = io.BytesIO()
    kernel = linux(tmp_path, "cat $work/wanted.json; echo 0 > $work/out/status")

    assert run(["popout", "play"], linux=kernel, chips=[("other", "led", 4)], out=tmp_path, to=heard) == 0
    wanted = json.loads(heard.getvalue())
    assert wanted["command"] == ["popout", "play"]
    assert wanted["folder"] == str(Path.cwd())
    assert wanted["chips"] == [["other", "led", 4]]
    assert str(tmp_path) in wanted["out"]
    assert "HOME" not in wanted["environment"]


@pytest.mark.usefixtures("work")
def test_a_guest_that_dies_is_told_from_a_command_that_fails(tmp_path: Path):
    assert run(["true"], linux=linux(tmp_path, "kill -9 $$"), to=io.BytesIO()) == 125


def test_what_takes_too_long_is_stopped_with_all_that_it_started(tmp_path: Path, work: Path):
    heard = io.BytesIO()

    assert run(["true"], linux=linux(tmp_path, "sleep 1000 & echo $!; wait"), limit_s=0.5, to=heard) == 124
    assert ended(int(heard.getvalue()))
    assert list(work.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_one_that_is_interrupted_leaves_no_guest_and_no_folder(tmp_path: Path, work: Path, number: signal.Signals):
    kernel = linux(tmp_path, "sleep 1000 & echo $!; wait")
    program = (
        "import sys; from pathlib import Path; from rig.gpio import run;"
        f"run.kernel = lambda: Path({str(kernel)!r}); sys.argv[1:] = ['true']; sys.exit(run.main())"
    )
    environment = {**os.environ, "PYTHONPATH": str(TESTS), "TMPDIR": str(work)}
    with subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        guest = int(running.stdout.readline())
        running.send_signal(number)
        assert running.wait() == 128 + number
    assert ended(guest)
    assert list(work.iterdir()) == []
