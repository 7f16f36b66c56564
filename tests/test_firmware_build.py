"""Building the base image: once, by one, and with a sentence where it cannot be. Debian is played by small scripts."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import threading
import tomllib
from pathlib import Path
from typing import TextIO

import pytest
from filelock import FileLock

from popout.board.serial.ports import PRODUCT
from popout.firmware import build, debian
from popout.firmware.build import base_image, licences_of
from popout.firmware.debian import TOOLS, BuildFailed, NotDebian, ToolsMissing
from popout.firmware.uf2 import FAMILIES, read_uf2
from popout.rules.messages import Message

ROOT = Path(__file__).parent.parent
MIRROR = "http://mirror.example/debian"

APT_GET = """
echo "apt-get $*" >> calls
case "$1" in
  indextargets) cat targets ;;
  update) if [ -e targets-of-tomorrow ]; then cp targets-of-tomorrow targets; fi ;;
esac
"""
APT_CACHE = """
for package; do :; done
grep "^$package " versions | sed 's/.* /Version: /'
"""
DPKG_QUERY = """
sed 's/$/ install ok installed/' installed
"""
BUILD = """
echo "build $1" >> calls
echo "what the compiler says"
mkdir "$3/build"
echo "the licences of $1" > "$3/licences.txt"
cd "$2"
{ echo "for $1"; find . -name '*.py' | sort; cat main.py; } > "$3/build/firmware.bin"
"""


class Debian:
    """A system with apt, of which the tests say what it knows and has."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "bin"
        self.sources = folder / "firmware"
        self.said: list[str] = []
        self.programs.mkdir()
        for part in ("program", "boards"):
            (self.sources / part).mkdir(parents=True)
        (self.sources / "manifest.py").write_text("")
        (self.sources / "program" / "main.py").write_text("print(1)\n")
        for name, script in (("apt-get", APT_GET), ("apt-cache", APT_CACHE), ("dpkg-query", DPKG_QUERY)):
            (self.programs / name).write_text(f"#!/bin/bash\ncd {folder}\n{script}")
            (self.programs / name).chmod(0o755)
        self.builds_by(BUILD)
        self.knows(f"Debian-Security {MIRROR}-security", "Others http://others.example", f"Debian {MIRROR}")
        self.offers(micropython="1.25.0", mbedtls="3.6.6", **{"pico-sdk-source": "2.1.1", "tinyusb-source": "0.18"})
        self.has(*TOOLS)

    def builds_by(self, script: str) -> None:
        (self.sources / "build.sh").write_text(script.replace("calls", str(self.folder / "calls")))

    def knows(self, *targets: str) -> None:
        (self.folder / "targets").write_text("".join(f"{target}\n" for target in targets))

    def offers(self, **versions: str) -> None:
        (self.folder / "versions").write_text("".join(f"{name} {version}\n" for name, version in versions.items()))

    def has(self, *tools: str) -> None:
        (self.folder / "installed").write_text("".join(f"{tool}\n" for tool in tools))

    def say(self, message: Message) -> None:
        self.said.append(str(message))

    def calls(self, first: str) -> list[str]:
        """The commands that were called, those that begin so."""
        calls = self.folder / "calls"
        return [line for line in calls.read_text().splitlines() if line.startswith(first)] if calls.exists() else []


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Debian:
    made = Debian(tmp_path)
    keys = tmp_path / "keys.gpg"
    keys.touch()
    monkeypatch.setattr(debian, "_KEYS", keys)
    monkeypatch.setattr(build, "sources", lambda: made.sources)
    monkeypatch.setattr(build, "cache", lambda: tmp_path / "cache")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("PATH", f"{made.programs}{os.pathsep}{os.environ['PATH']}")
    return made


def refusal(kind: type[Exception], system: Debian) -> str:
    with pytest.raises(kind) as caught:
        base_image("pico", system.say)
    return str(caught.value)


@pytest.mark.parametrize("model", FAMILIES)
def test_an_image_is_built_from_the_program_and_the_link(system: Debian, model: str):
    image = read_uf2(base_image(model, system.say).read_bytes(), "base.uf2")

    (content,) = image.pieces()
    lines = content.rstrip(b"\xff").decode().splitlines()
    assert image.model == model
    assert lines[0] == f"for POPOUT_{model.upper()}"
    assert {"./main.py", "./popout/__init__.py", "./popout/link/__init__.py", "./popout/link/debounce.py"} < {*lines}
    assert not [line for line in lines if "popout/board" in line]
    assert lines[-1] == "print(1)"
    assert system.said == ["Compiling the firmware; this takes some minutes the first time ..."]


def test_it_is_built_once(system: Debian):
    first = base_image("pico", system.say)

    assert base_image("pico", system.say) == first
    assert system.calls("build") == ["build POPOUT_PICO"]
    assert system.calls("apt-get update") == ["apt-get update -q"]


def test_a_kept_image_needs_no_compiler(system: Debian):
    first = base_image("pico", system.say)
    system.has()

    assert base_image("pico", system.say) == first


def test_it_is_built_again_for_another_program(system: Debian):
    first = base_image("pico", system.say)
    (system.sources / "program" / "main.py").write_text("print(2)\n")

    second = base_image("pico", system.say)

    assert second != first
    assert b"print(2)" in next(read_uf2(second.read_bytes(), "base.uf2").pieces())


def test_an_image_that_nothing_needs_any_more_is_removed(system: Debian):
    other = base_image("pico2", system.say)
    base_image("pico", system.say)
    (system.sources / "program" / "main.py").write_text("print(2)\n")

    kept = base_image("pico", system.say)

    assert sorted((system.folder / "cache").glob("*.uf2")) == sorted([kept, other])
    assert sorted((system.folder / "cache").glob("*.txt")) == sorted([licences_of(kept), licences_of(other)])


def test_the_licences_of_what_is_in_an_image_are_kept_beside_it(system: Debian):
    assert licences_of(base_image("pico2", system.say)).read_text() == "the licences of POPOUT_PICO2\n"


def test_it_is_built_again_for_other_sources_of_debian(system: Debian):
    first = base_image("pico", system.say)
    system.offers(micropython="1.26.0", mbedtls="3.6.6", **{"pico-sdk-source": "2.1.1", "tinyusb-source": "0.18"})

    assert base_image("pico", system.say) != first
    assert len(system.calls("build")) == 2


def test_sources_come_from_where_the_system_gets_debian(system: Debian):
    base_image("pico", system.say)

    written = (system.folder / "cache/apt/sources.d/debian.sources").read_text()
    assert written.splitlines()[:3] == ["Types: deb deb-src", f"URIs: {MIRROR}", "Suites: trixie"]


def test_one_builds_and_another_waits(system: Debian):
    (system.folder / "cache").mkdir()
    waits = threading.Event()
    found: list[Path] = []

    def say(message: Message) -> None:
        system.say(message)
        waits.set()

    another = threading.Thread(target=lambda: found.append(base_image("pico", say)))
    with FileLock(system.folder / "cache/lock"):
        another.start()
        assert waits.wait(60)
        assert system.said == ["Waiting for another program that builds the firmware ..."]
        assert system.calls("build") == []
    another.join(60)

    assert [file.exists() for file in found] == [True]


def test_a_failed_build_says_where_its_words_are_and_leaves_nothing(system: Debian):
    system.builds_by("echo 'no room for the heap'; exit 3")

    cache = system.folder / "cache"
    assert refusal(BuildFailed, system) == (
        "The firmware could not be built: bash failed (exit code 3): “no room for the heap”. All that it said is in "
        f"{cache / 'build.log'}. If it did not reach the network, try again when it does; or build the firmware on "
        "another computer, and name the file by --base."
    )
    assert "no room for the heap\n" in (cache / "build.log").read_text()
    assert list(cache.glob("building*")) == []
    assert list(cache.glob("*.uf2")) == []


def test_after_a_failed_build_the_next_one_may_do_better(system: Debian):
    system.builds_by("exit 3")
    refusal(BuildFailed, system)
    system.builds_by(BUILD)

    assert base_image("pico", system.say).exists()


def test_a_build_that_is_stopped_stops_all_that_it_started(system: Debian, monkeypatch: pytest.MonkeyPatch):
    alive = system.folder / "alive"
    os.mkfifo(alive)
    heard: list[TextIO] = []

    class Impatient(subprocess.Popen[bytes]):
        """A command at which somebody types Ctrl-C when the build's own child runs."""

        def wait(self, timeout: float | None = None) -> int:
            if not heard and isinstance(self.args, list) and self.args[0] == "bash":
                heard.append(alive.open())
                assert heard[0].readline() == "started\n"
                raise KeyboardInterrupt
            return super().wait(timeout)

    system.builds_by(f"exec 9>{alive}; (echo started >&9; sleep 20; echo survived >&9) & wait")
    monkeypatch.setattr(subprocess, "Popen", Impatient)

    with pytest.raises(KeyboardInterrupt):
        base_image("pico", system.say)

    with heard[0]:
        assert heard[0].read() == ""
    assert list((system.folder / "cache").glob("building*")) == []


def test_the_folder_of_a_build_that_was_killed_is_removed_when_its_compiler_has_ended(system: Debian):
    cache = system.folder / "cache"
    running, ended = cache / "building-1", cache / "building-2"
    for folder in (running, ended):
        folder.mkdir(parents=True)
        (folder / "alive").touch()
    with (running / "alive").open() as compiler:
        fcntl.flock(compiler, fcntl.LOCK_EX)
        base_image("pico", system.say)
        assert list(cache.glob("building*")) == [running]

    (system.sources / "program" / "main.py").write_text("print(2)\n")
    base_image("pico", system.say)
    assert list(cache.glob("building*")) == []


def test_the_compiler_itself_keeps_its_folder_in_use(system: Debian):
    system.builds_by("(readlink /proc/$BASHPID/fd/* | grep /building-); exit 3")

    assert "/alive”" in refusal(BuildFailed, system)


def test_without_tools_and_rights_it_says_what_to_type(system: Debian):
    system.has(*(tool for tool in TOOLS if tool not in ("cmake", "make")))

    assert refusal(ToolsMissing, system) == (
        "The firmware cannot be compiled without the packages cmake, make. Type: sudo apt-get install "
        "--no-install-recommends cmake make"
    )
    assert system.calls("apt-get") == []


def test_root_gets_the_tools_installed(system: Debian, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    system.has(*(tool for tool in TOOLS if tool != "cmake"))

    base_image("pico", system.say)

    assert system.said[0] == "Installing cmake ..."
    assert system.calls("apt-get install") == ["apt-get install -q --yes --no-install-recommends cmake"]


@pytest.mark.parametrize("missing", ["keys.gpg", "bin/apt-get"])
def test_where_no_debian_is_it_says_what_else_can_be_done(
    system: Debian, monkeypatch: pytest.MonkeyPatch, missing: str
):
    (system.folder / missing).unlink()
    monkeypatch.setenv("PATH", str(system.programs))

    assert refusal(NotDebian, system) == (
        "The firmware is compiled from Debian's sources with Debian's tools, and this is no Debian. Build it on a "
        "Debian or a Raspberry Pi, and give the file from there to “popout firmware build --base”."
    )


def test_an_apt_that_knows_no_mirror_is_to_be_asked_to_look(system: Debian):
    system.knows("Others http://others.example")

    assert refusal(NotDebian, system) == (
        "The firmware is compiled from Debian's sources, and apt does not know here where those are. If this is a "
        "Debian, type: sudo apt-get update"
    )


def test_root_lets_apt_look_by_itself(system: Debian, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    (system.folder / "targets").rename(system.folder / "targets-of-tomorrow")
    system.knows()

    assert base_image("pico", system.say).exists()


def test_a_command_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(BuildFailed) as caught:
        debian.run(["no-such-command"], tmp_path / "log")

    assert str(caught.value) == (
        "The firmware could not be built: no-such-command cannot be run (No such file or directory)."
    )


def test_sources_that_debian_no_longer_has_are_named(system: Debian):
    system.offers(micropython="1.25.0")

    assert refusal(BuildFailed, system) == (
        "The firmware could not be built: Debian does not offer all of micropython, mbedtls, pico-sdk-source, "
        "tinyusb-source any more."
    )


def test_a_folder_that_cannot_be_made_is_named(system: Debian):
    (system.folder / "cache").write_text("a file in the way")

    assert refusal(BuildFailed, system) == (
        f"The firmware could not be built in {system.folder / 'cache'}: File exists. Put that right, or let the "
        "variable XDG_CACHE_HOME name a folder that you may write to."
    )


def test_a_tool_that_is_not_on_the_path_is_named(system: Debian):
    system.builds_by("no-such-compiler")

    assert "bash failed (exit code 127): “" in (told := refusal(BuildFailed, system))
    assert "no-such-compiler: command not found”." in told


def test_a_network_that_is_not_there_is_told(system: Debian):
    (system.programs / "apt-get").write_text(
        f'#!/bin/bash\ncd {system.folder}\n{APT_GET}\n[ "$1" != update ] || {{ echo "E: No route"; exit 100; }}\n'
    )

    assert refusal(BuildFailed, system).startswith(
        "The firmware could not be built: apt-get update failed (exit code 100): “E: No route”. "
    )


def test_who_waits_is_told_that_it_goes_on(system: Debian, monkeypatch: pytest.MonkeyPatch):
    waits = iter([False, False, True])

    class Slow(subprocess.Popen[bytes]):
        def wait(self, timeout: float | None = None) -> int:
            if timeout is not None and isinstance(self.args, list) and self.args[0] == "bash" and not next(waits):
                raise subprocess.TimeoutExpired(self.args, timeout)
            return super().wait()

    monkeypatch.setattr(subprocess, "Popen", Slow)
    base_image("pico", system.say)

    assert system.said[1:] == ["Still compiling, for 20 s now ...", "Still compiling, for 40 s now ..."]


# The real sources


def test_the_sources_come_with_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]["firmware"] == (
        "popout/firmware/sources"
    )
    assert build.sources() == ROOT / "firmware"


def test_installed_sources_are_taken_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "sources").mkdir()
    monkeypatch.setattr(build, "_HERE", tmp_path)

    assert build.sources() == tmp_path / "sources"


@pytest.mark.parametrize("model", FAMILIES)
def test_each_model_says_on_the_usb_what_it_is(model: str):
    board = ROOT / "firmware" / "boards" / f"POPOUT_{model.upper()}" / "mpconfigboard.h"

    assert f'#define MICROPY_HW_USB_PRODUCT_FS_STRING "{PRODUCT}"\n' in board.read_text("utf-8")


@pytest.mark.parametrize("changed", ["build.sh", "manifest.py", "boards/POPOUT_PICO/mpconfigboard.h"])
def test_every_file_of_the_build_counts(changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    copied = Path(shutil.copytree(ROOT / "firmware", tmp_path / "firmware"))
    monkeypatch.setattr(build, "sources", lambda: copied)
    before = build.fingerprint({"micropython": "1"})

    with (copied / changed).open("a") as file:
        file.write("\n")

    assert build.fingerprint({"micropython": "1"}) != before
