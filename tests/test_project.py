"""The project as a whole: its files, its entry points, and that its README tells the truth."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import popout
from popout.cli import COMMANDS

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

TEXTS = {".py", ".md", ".toml", ".js", ".css", ".html", ".txt", ".json", ".jsonl", ".cfg", ".service", ".rules", ""}
FOLDERS = ("controller", "sim", "firmware", "hardware", "tests", "tools", ".ci")


def test_the_files_that_a_project_needs_are_there():
    for name in (
        *("README.md", "LICENSE", "CHANGELOG.md", "Makefile", "pyproject.toml", ".ci/run"),
        *("controller/popout/py.typed", "sim/popout_sim/py.typed"),
    ):
        assert (ROOT / name).is_file(), name


def test_what_is_run_can_be_run():
    assert (ROOT / ".ci/run").stat().st_mode & 0o111


def test_the_licence_is_the_one_that_the_package_names():
    assert PROJECT["project"]["license"] == "MIT"
    assert (
        (ROOT / "LICENSE").read_text("utf-8").startswith("MIT License\n\nCopyright (c) 2026 The popout-board authors")
    )


def test_there_is_one_version_and_it_is_the_packages():
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "controller/popout/__init__.py"
    assert re.fullmatch(r"\d+\.\d+\.\d+", popout.__version__)


def test_the_changelog_has_a_place_for_what_is_new():
    assert "\n## [Unreleased]\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_nothing_unfinished_and_no_path_of_one_machine_is_left():
    # Spelled so that this file does not find itself.
    wrong = re.compile(
        r"TO" r"DO|FIX" r"ME|XX" r"X\b(?![\"'OX/])|/ho" r"me/\w|/ro" r"ot\b|/Use" r"rs/\w|/wo" r"rk/|/t" r"mp/"
    )
    found = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file in _texts()
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if wrong.search(line)
    ]

    assert found == []


def _entry_points() -> Iterator[EntryPoint]:
    yield from (EntryPoint(name, value, "console_scripts") for name, value in PROJECT["project"]["scripts"].items())
    for group, points in PROJECT["project"].get("entry-points", {}).items():
        yield from (EntryPoint(name, value, group) for name, value in points.items())


@pytest.mark.parametrize("point", list(_entry_points()), ids=lambda point: f"{point.group}:{point.name}")
def test_every_entry_point_leads_somewhere(point: EntryPoint):
    assert callable(point.load())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_of_itself_what_the_list_says(command: str):
    where, text = COMMANDS[command]

    loaded = EntryPoint(command, where, "commands").load()

    assert loaded.name == command
    assert loaded.get_short_help_str(200) == text


def test_every_make_target_of_the_readme_is_in_the_makefile():
    targets = make_targets((ROOT / "Makefile").read_text("utf-8"))

    assert {target for command in _readme() for target in made_by(command)} <= targets


def test_every_popout_command_of_the_readme_exists():
    assert {name for command in _readme() for name in run_by(command)} <= set(COMMANDS)


def test_the_readme_shows_the_two_commands_that_set_everything_up():
    assert {"play", "test"} <= {target for command in _readme() for target in made_by(command)}


def commands_of(markdown: str) -> list[str]:
    """The commands in the fenced blocks of a text, without prompts, comments and continuations.

    In a block with prompts, the other lines are what the commands print.
    """
    blocks = re.findall(r"^```(?:sh|bash|console|shell|powershell)\n(.*?)^```", markdown, re.DOTALL | re.MULTILINE)
    lines = []
    for block in blocks:
        whole = block.replace("\\\n", " ").splitlines()
        prompted = [line.removeprefix("$ ") for line in whole if line.startswith("$ ")]
        lines += prompted or whole
    return [part.strip() for line in lines for part in re.split(r"&&|\||;", line.partition(" #")[0]) if part.strip()]


def made_by(command: str) -> list[str]:
    words = shlex.split(command)
    return [word for word in words[1:] if "=" not in word and word[0] != "-"] if words[:1] == ["make"] else []


def run_by(command: str) -> list[str]:
    words = shlex.split(command)
    runs = bool(words) and Path(words[0]).name == "popout"
    return [word for word in words[1:2] if word[0] != "-"] if runs else []


def make_targets(makefile: str) -> set[str]:
    return set(re.findall(r"^([a-z][\w-]*):", makefile, re.MULTILINE))


def test_commands_are_found_in_fenced_blocks_only():
    markdown = (
        "`make nothing`\n```console\n$ make play PORT=85  # the page\nIt's printed\n```\n"
        "```sh\npopout check a.txt && make -s test\n```\n"
    )

    commands = commands_of(markdown)

    assert commands == ["make play PORT=85", "popout check a.txt", "make -s test"]
    assert [made_by(command) for command in commands] == [["play"], [], ["test"]]
    assert [run_by(command) for command in commands] == [[], ["check"], []]


def test_targets_are_told_from_recipes():
    assert make_targets("PORT := 1\nplay: .venv\n\t@x: y\ntest-all:\n.PHONY: z\n") == {"play", "test-all"}


def _readme() -> list[str]:
    return commands_of((ROOT / "README.md").read_text("utf-8"))


def _texts() -> Iterator[Path]:
    for file in ROOT.iterdir():
        if file.is_file() and file.suffix in TEXTS and file.name != ".gitignore":
            yield file
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*")):
            if file.is_file() and file.suffix in TEXTS and "__pycache__" not in file.parts:
                yield file
