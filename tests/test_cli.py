"""The `popout` command: its help, its errors, and that it never shows a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import platformdirs
import pytest

import popout
from popout import cli
from popout.cli import main
from popout.rules import Message, PopoutError

HEAVY = {"starlette", "uvicorn", "websockets", "msgspec", "serial", "gpiozero", "textual", "asyncio", "sqlite3", "ssl"}
GAME = "rules: popout 7x6\nmoves: d4\n"


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]):
    def call(*arguments: str) -> tuple[int, list[str], list[str]]:
        code = main(list(arguments))
        printed = capfd.readouterr()
        return code, printed.out.splitlines(), printed.err.splitlines()

    return call


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch):
    """Makes ``popout try`` do what a test wants."""

    def make(action) -> None:
        tried = click.Command("try", callback=action)
        monkeypatch.setitem(cli.COMMANDS, "try", ("popout.cli:tried", "Try."))
        monkeypatch.setattr(cli, "tried", tried, raising=False)

    return make


def popout_process(*arguments: str, **options) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "popout", *arguments], capture_output=True, timeout=60, check=False, **options
    )


def test_the_version(run):
    assert run("--version") == (0, [f"popout {popout.__version__}"], [])


@pytest.mark.parametrize("command", [("firmware", "info"), ("firmware", "build"), ("play", "--no-page"), ("doctor",)])
def test_settings_that_nobody_can_look_for_are_told_and_no_fault(run, monkeypatch, tmp_path, command):
    """As in a folder that this user may not enter."""
    folder = tmp_path / ("x" * 300)
    monkeypatch.setattr(platformdirs, "user_config_path", lambda _: folder)
    code, out, err = run(*command)

    told = f"The settings file {folder}/settings.toml cannot be read: File name too long."
    assert code in (1, 2)
    assert told in "".join(err or out)
    assert err in ([], [f"popout: {told}"])


def test_the_help_lists_every_command_with_what_it_does(run):
    code, out, err = run("--help")

    assert (code, err) == (0, [])
    for name, (_, text) in cli.COMMANDS.items():
        assert any(line.split() == [name, *text.split()] for line in out), name


def test_without_a_command_the_help_is_shown(run):
    code, out, err = run()

    assert (code, out) == (2, [])
    assert err[0] == "Usage: popout [OPTIONS] COMMAND [ARGS]..."


def test_an_unknown_command_is_refused_with_the_closest(run):
    assert run("chek") == (
        2,
        [],
        ["popout: No such command 'chek'. Did you mean 'check'?", 'Try "popout --help".'],
    )


def test_an_unknown_option_is_refused_with_the_closest(run):
    assert run("check", "--jsn") == (
        2,
        [],
        ["popout: No such option '--jsn'. Did you mean '--json'?", 'Try "popout check --help".'],
    )


def test_a_refusal_is_one_sentence_on_standard_error(run, command):
    def refuse() -> None:
        raise PopoutError(Message("Column {column} is full.", column=3))

    command(refuse)

    assert run("try") == (2, [], ["popout: Column 3 is full."])


def test_a_fault_of_the_program_is_a_sentence_too(run, command):
    def fail() -> None:
        raise ZeroDivisionError("division by zero")

    command(fail)

    assert run("try") == (
        70,
        [],
        [
            "popout: This is a fault of the program, not yours (ZeroDivisionError: division by zero). "
            "Please report it, with what POPOUT_TRACEBACK=1 shows before the same command."
        ],
    )


def test_a_fault_shows_where_it_arose_if_asked(command, monkeypatch: pytest.MonkeyPatch):
    def fail() -> None:
        raise ZeroDivisionError

    command(fail)
    monkeypatch.setenv("POPOUT_TRACEBACK", "1")

    with pytest.raises(ZeroDivisionError):
        main(["try"])


def test_an_interruption_is_quiet(run, command):
    def interrupt() -> None:
        raise KeyboardInterrupt

    command(interrupt)

    code, out, err = run("try")

    assert (code, out) == (130, [])
    assert "".join(err) == ""


def test_a_command_may_choose_its_exit_code(run, command):
    def leave() -> None:
        raise click.exceptions.Exit(5)

    command(leave)

    assert run("try")[0] == 5


def test_a_reader_that_goes_away_is_no_trouble(tmp_path: Path):
    (tmp_path / "a.txt").write_text(GAME * 2000, "utf-8")
    reading, writing = os.pipe()
    os.close(reading)

    done = subprocess.run(
        [sys.executable, "-m", "popout", "check", "a.txt"],
        cwd=tmp_path,
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    os.close(writing)

    assert done.returncode == 141
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only where there is a device that is always full")
def test_a_full_disk_is_said_in_a_sentence():
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "popout", "--version"], stdout=full, stderr=subprocess.PIPE, check=False
        )

    assert done.returncode == 2
    assert done.stderr == b"popout: The output cannot be written: No space left on device.\n"


def test_a_console_without_utf_8_shows_something_else_and_does_not_crash(tmp_path: Path):
    (tmp_path / "zażółć.txt").write_text(GAME, "utf-8")

    done = popout_process(
        "check", "zażółć.txt", cwd=tmp_path, env={**os.environ, "PYTHONIOENCODING": "ascii:strict", "PYTHONUTF8": "0"}
    )

    assert done.returncode == 0
    assert done.stdout.startswith(b"za????.txt:1: Game 1. ")


def test_help_and_check_import_nothing_heavy(tmp_path: Path):
    (tmp_path / "a.txt").write_text(GAME, "utf-8")
    script = (
        "import sys, json; from popout.cli import main; main(sys.argv[1:]); "
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules} | set(sys.modules))))"
    )

    for arguments in (["--help"], ["check", "--help"], ["check", "a.txt"]):
        done = subprocess.run(
            [sys.executable, "-c", script, *arguments], cwd=tmp_path, capture_output=True, timeout=60, check=True
        )
        imported = set(json.loads(done.stdout.splitlines()[-1]))
        assert "popout.cli" in imported
        assert not imported & HEAVY, arguments
        assert not {name for name in imported if name.startswith(("popout.board", "popout.play", "popout.views.web"))}
        assert not {name for name in imported if name.startswith(("popout_sim", "popout.record"))}


def test_the_list_of_commands_imports_none_of_them():
    script = "import sys; from popout.cli import main; main(['--help']); print('popout.commands.check' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60, check=True)

    assert done.stdout.splitlines()[-1] == b"False"
