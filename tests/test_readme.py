"""The README is run as written: its files are made, its commands run, and what they print is what it shows.

A line of three dots stands for any lines. Where a command is shown without output, it only has to work.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from popout.play.settings import Settings

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def shown(markdown: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of the console blocks, with the lines that are shown under it."""
    for block in re.findall(r"^```console\n(.*?)^```", markdown, re.DOTALL | re.MULTILINE):
        command: str | None = None
        output: list[str] = []
        for line in block.splitlines():
            if line.startswith("$ "):
                if command is not None:
                    yield command, output
                command, output = line.removeprefix("$ "), []
            else:
                output.append(line)
        if command is not None:
            yield command, output


def files(markdown: str) -> dict[str, str]:
    """The files that the text shows, by name."""
    return dict(re.findall(r"^```text file=(\S+)\n(.*?)^```", markdown, re.DOTALL | re.MULTILINE))


def fits(printed: list[str], expected: list[str]) -> bool:
    """Whether what was printed is what is shown."""
    pattern = "".join(r"(?:.*\n)*" if line == "..." else re.escape(line) + r"\n" for line in expected)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


POPOUT_COMMANDS = [(command, output) for command, output in shown(README) if "popout " in command]


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    for name, text in files(README).items():
        (tmp_path / name).write_text(text, "utf-8")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    home = {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    # What the make that runs the tests was told is not for the make of the README.
    outside = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKEOVERRIDES", "ARGS")}
    return {**outside, **home, "PATH": path, "LC_ALL": "C.UTF-8", "LANGUAGE": "en", "PYTHONUNBUFFERED": "1"}


@pytest.mark.parametrize(("command", "expected"), POPOUT_COMMANDS, ids=[command for command, _ in POPOUT_COMMANDS])
def test_a_command_of_the_readme_prints_what_the_readme_shows(
    command: str, expected: list[str], surroundings: dict[str, str], tmp_path: Path
):
    run = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=surroundings, capture_output=True, text=True, timeout=60, check=False
    )

    assert run.returncode in (0, 1), run.stderr
    assert run.stderr == ""
    if expected:
        assert fits(run.stdout.splitlines(), expected), run.stdout


def test_make_play_starts_the_board_and_prints_where_it_is(surroundings: dict[str, str]):
    assert ("make play", []) in list(shown(README))
    without_screen = {name: value for name, value in surroundings.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    # The README's own command, and a port that is free.
    command = ["make", "play", "PORT=0"]
    with subprocess.Popen(
        command, cwd=ROOT, env=without_screen, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as play:
        try:
            assert play.stdout
            address = next(word for line in play.stdout for word in line.split() if word.startswith("http://"))
            with urlopen(address, timeout=10) as page:
                assert "Pop Out" in page.read().decode()
        finally:
            os.killpg(play.pid, signal.SIGTERM)


def test_dots_stand_for_any_lines_and_nothing_else_does():
    assert fits(["a", "b", "c"], ["a", "...", "c"])
    assert fits(["a", "c"], ["a", "...", "c"])
    assert not fits(["a", "b", "d"], ["a", "...", "c"])
    assert not fits(["ab"], ["a"])


def test_commands_are_found_with_what_is_shown_under_them():
    text = "```console\n$ make x\n$ popout check\nyes\n```\n```\n$ not this\n```\n"
    assert list(shown(text)) == [("make x", []), ("popout check", ["yes"])]


def test_every_setting_is_named():
    for name in Settings.__struct_fields__:
        assert f"`{name}" in README, name
