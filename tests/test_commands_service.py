"""`popout service`: installing, removing and showing it, and what it says where that cannot be done."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from popout.cli import main
from popout.commands import service
from popout.service.unit import this_popout
from users import somebody

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="systemd is for Linux")

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.delenv("SUDO_USER", raising=False)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(["service", *arguments])
        said = capfd.readouterr()
        return code, said.out, said.err

    return call


class System:
    """A system with a systemd that notes what it is told, and on which we are root."""

    def __init__(self, folder: Path) -> None:
        self.units = folder / "units"
        self.units.mkdir()
        self.told: list[str] = []
        self.refuses = ""
        self.user_may_run = True

    @property
    def file(self) -> Path:
        return self.units / "popout.service"

    def run(self, words: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        if words[0] != "systemctl":
            if not self.user_may_run:
                raise PermissionError
            return subprocess.CompletedProcess(words, 0, "", "")
        self.told.append(" ".join(words[1:]))
        return subprocess.CompletedProcess(words, bool(self.refuses), "active\n", self.refuses)


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> System:
    made = System(tmp_path)
    monkeypatch.setattr(service, "UNITS", made.units)
    monkeypatch.setattr(service, "_RUNNING_SYSTEMD", tmp_path)
    monkeypatch.setattr(service.os, "geteuid", lambda: 0)
    monkeypatch.setattr(service.subprocess, "run", made.run)
    return made


def test_installing_writes_the_unit_and_starts_it(run: Run, system: System):
    code, out, err = run("install", "--user", somebody())

    assert (code, err) == (0, "")
    assert out == (
        f"The service is described in {system.file}.\n"
        "It runs now, and whenever the machine is started. How it is says: popout status\n"
    )
    assert f"User={somebody()}" in system.file.read_text("utf-8")
    assert system.told == ["daemon-reload", "enable popout.service", "restart popout.service"]


def test_the_one_who_called_sudo_plays(run: Run, system: System, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SUDO_USER", somebody())

    assert run("install")[0] == 0
    assert f"User={somebody()}" in system.file.read_text("utf-8")


def test_installing_again_replaces_what_was_there(run: Run, system: System):
    run("install", "--user", somebody())
    run("install", "--user", somebody(), "--", "--port", "8500")

    assert "--port 8500" in system.file.read_text("utf-8")
    assert [path.name for path in system.units.iterdir()] == ["popout.service"]


def test_without_root_it_says_what_to_type(run: Run, system: System, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(service.os, "geteuid", lambda: 1000)

    assert run("install", "--user", somebody(), "--", "--rules", "popout 9x7") == (
        2,
        "",
        "popout: Only root may change what the system runs. Type: "
        f"sudo {' '.join(this_popout())} service install --user {somebody()} -- --rules 'popout 9x7'\n",
    )
    assert not system.file.exists()


def test_without_a_running_systemd_it_says_what_to_type_later(
    run: Run, system: System, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(service, "_RUNNING_SYSTEMD", tmp_path / "nowhere")

    code, out, _ = run("install", "--user", somebody())

    assert code == 0
    assert out.splitlines()[1:] == [
        "systemd does not run here now. Where it does, type: "
        "systemctl daemon-reload && systemctl enable --now popout.service"
    ]
    assert system.told == []


def test_what_systemd_refuses_is_passed_on(run: Run, system: System):
    system.refuses = "Failed to reload daemon:\nAccess denied\n"

    assert run("install", "--user", somebody())[::2] == (
        2,
        "popout: systemd refused “systemctl daemon-reload”: Failed to reload daemon: Access denied\n",
    )


def test_a_popout_that_the_user_cannot_run_is_not_installed(run: Run, system: System):
    system.user_may_run = False

    code, _, err = run("install", "--user", somebody())

    assert code == 2
    assert err == (
        f"popout: The user “{somebody()}” cannot run {' '.join(this_popout())}. "
        "Install popout where that user may read it, or name another user with --user.\n"
    )
    assert not system.file.exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["--user", "root"],
            "The game is not played as root, which it does not need. Name another user with --user.",
        ),
        (["--user", "noone-here"], "There is no user “noone-here” on this system. Name one that there is with --user."),
        ([], "Say with --user who is to play, such as: --user pi"),
    ],
)
def test_a_wrong_user_is_refused(run: Run, system: System, arguments: list[str], sentence: str):
    assert run("install", *arguments) == (2, "", f"popout: {sentence}\n")
    assert not system.file.exists()


def test_an_option_that_play_does_not_have_is_refused_now_and_not_at_every_start(run: Run, system: System):
    code, _, err = run("install", "--user", somebody(), "--", "--bord", "gpio")

    assert code == 2
    assert err.startswith("popout: No such option '--bord'.")
    assert not system.file.exists()


def test_files_are_named_so_that_they_are_found_from_anywhere(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.toml").write_text("", "utf-8")

    options = ["--record", "g.db", "--layout", "my.toml", "--settings", "s.toml", "--board", "sim"]
    unit_file = run("install", "--print", "--user", somebody(), "--", *options)[1].splitlines()

    popout = " ".join(this_popout())
    here = f"--board sim --layout {tmp_path}/my.toml"
    assert (
        f"ExecStart={popout} play --no-browser {here} --record {tmp_path}/g.db --settings {tmp_path}/s.toml"
        in unit_file
    )
    assert f"ExecStopPost={popout} dark --as-set {here} --settings {tmp_path}/s.toml" in unit_file
    assert f"ReadWritePaths={tmp_path}" in unit_file


def test_a_shipped_layout_keeps_its_name(run: Run):
    assert "--layout 7x6-pi" in run("install", "--print", "--user", somebody(), "--", "--layout", "7x6-pi")[1]


def test_printing_changes_nothing(run: Run, system: System):
    code, out, _ = run("install", "--print", "--user", somebody())

    assert code == 0
    assert "[Service]" in out
    assert list(system.units.iterdir()) == []
    assert system.told == []


def test_it_can_be_written_elsewhere_by_anybody(run: Run, tmp_path: Path):
    assert run("install", "--user", somebody(), "--to", str(tmp_path)) == (
        0,
        f"The service is described in {tmp_path}/popout.service.\n",
        "",
    )
    assert (tmp_path / "popout.service").stat().st_mode & 0o777 == 0o644


def test_a_folder_that_cannot_be_written_is_one_sentence(run: Run, tmp_path: Path):
    assert run("install", "--user", somebody(), "--to", f"{tmp_path}/no") == (
        2,
        "",
        f"popout: The service cannot be written to {tmp_path}/no/popout.service: No such file or directory.\n",
    )


def test_uninstalling_stops_and_removes_it_and_keeps_the_games(run: Run, system: System):
    run("install", "--user", somebody())
    system.told.clear()

    assert run("uninstall") == (0, "The service is removed. Its games are still in /var/lib/popout.\n", "")
    assert system.told == ["disable --now popout.service", "daemon-reload"]
    assert not system.file.exists()


def test_uninstalling_what_is_not_installed_is_no_error(run: Run, system: System):
    assert run("uninstall") == (0, "The service is not installed.\n", "")
    assert system.told == []


def test_uninstalling_needs_root(run: Run, system: System, monkeypatch: pytest.MonkeyPatch):
    run("install", "--user", somebody())
    monkeypatch.setattr(service.os, "geteuid", lambda: 1000)

    assert run("uninstall")[2] == (
        f"popout: Only root may change what the system runs. Type: sudo {' '.join(this_popout())} service uninstall\n"
    )
    assert system.file.exists()


def test_showing_it_shows_the_unit_and_what_systemd_says(run: Run, system: System):
    run("install", "--user", somebody())

    code, out, _ = run("show")

    assert code == 0
    assert out.splitlines()[0] == f"# {system.file}"
    assert out.splitlines()[-1] == "systemd calls it “active”."


def test_showing_what_is_not_installed_says_how_to_install_it(run: Run, system: System):
    assert run("show")[:2] == (
        1,
        f"The service is not installed. To install it type: sudo {' '.join(this_popout())} service install\n",
    )
    assert system.told == []


# Not skipped elsewhere but left out: most machines that build and test things have no running systemd.
if sys.platform == "linux" and os.geteuid() == 0 and Path("/run/systemd/system").is_dir():

    def test_under_a_real_systemd_it_becomes_ready_and_stops(run: Run, tmp_path: Path):
        name = f"popout-test-{os.getpid()}.service"
        run("install", "--user", somebody(), "--to", str(tmp_path), "--", "--board", "sim", "--no-page")
        text = (tmp_path / "popout.service").read_text("utf-8").replace("=popout\n", f"=popout-test-{os.getpid()}\n")
        place = Path("/run/systemd/system") / name
        place.write_text(text.replace("%t/popout", f"%t/popout-test-{os.getpid()}"), "utf-8")
        try:
            subprocess.run(["systemctl", "daemon-reload"], check=True)
            subprocess.run(["systemctl", "start", name], check=True, timeout=60)
            shown = subprocess.run(["systemctl", "show", "-P", "StatusText", name], capture_output=True, text=True)
            subprocess.run(["systemctl", "stop", name], check=True, timeout=20)
            result = subprocess.run(["systemctl", "show", "-P", "Result", name], capture_output=True, text=True)
        finally:
            subprocess.run(["systemctl", "kill", "--signal=KILL", name], check=False, capture_output=True)
            place.unlink()
            subprocess.run(["systemctl", "daemon-reload"], check=False)

        assert "Red to move." in shown.stdout
        assert result.stdout.strip() == "success"
