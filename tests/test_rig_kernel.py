"""The rig's kernel is made once and whole, whoever asks for it and however often it is stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from processes import ended
from rig.gpio import kernel as kernels
from rig.gpio.kernel import RigError, kernel

OFFERED = "Package: linux-source\nVersion: {version}\nDepends: linux-source-6.1 (= {version})\n"


@pytest.fixture
def apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Lets Debian offer a version of the kernel's source, to somebody who is not root and has every tool."""
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    _program(programs / "dpkg-query", "printf 'install ok installed'")
    _program(programs / "apt-get", "true")

    def offer(version: str) -> None:
        (tmp_path / "offered").write_text(OFFERED.format(version=version) if version else "")
        _program(programs / "apt-cache", f"cat '{tmp_path}/offered'")

    offer("6.1.100-1")
    return offer


@pytest.fixture
def builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Says how many kernels were begun; what is given to it is how the next ones are made."""
    script, log = tmp_path / "build", tmp_path / "log"
    log.touch()
    monkeypatch.setattr(kernels, "BUILD", script)
    monkeypatch.setattr(kernels, "fingerprint", lambda source: source.version)

    def builds(how: str = 'echo "$1 $2" > "$3"') -> int:
        _program(script, f"echo begun >> '{log}'; {how}")
        return len(log.read_text().splitlines())

    builds()
    return builds


def _program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def left() -> list[str]:
    return sorted(path.name for path in kernels.cache().iterdir() if path.name != "lock")


@pytest.mark.usefixtures("apt")
def test_it_is_made_once(builds: Callable[..., int]):
    made = kernel()

    assert made.read_text() == "linux-source-6.1 6.1.100-1\n"
    assert kernel() == made
    assert builds() == 1
    assert left() == [made.name]


def test_it_is_made_anew_of_a_newer_source(apt: Callable[[str], None], builds: Callable[..., int]):
    old = kernel()
    apt("6.1.101-1")

    assert kernel() != old
    assert builds() == 2


def test_what_it_is_made_of_is_in_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source = kernels.Source("linux-source-6.1", "6.1.100-1")
    names = {kernels.fingerprint(source), kernels.fingerprint(kernels.Source("linux-source-6.1", "6.1.101-1"))}
    for file in ("BUILD", "CONFIG"):
        other = tmp_path / file
        other.write_text("other")
        monkeypatch.setattr(kernels, file, other)
        names.add(kernels.fingerprint(source))

    assert len(names) == 4


@pytest.mark.usefixtures("apt")
def test_one_that_fails_or_is_killed_half_way_leaves_no_kernel(builds: Callable[..., int]):
    for how in ('echo half > "$3"; exit 1', 'echo half > "$3"; kill -9 $$'):
        builds(how)
        with pytest.raises(RigError, match="could not be made"):
            kernel()
        assert left() == []
    builds()

    assert kernel().read_text() == "linux-source-6.1 6.1.100-1\n"


@pytest.mark.usefixtures("apt")
def test_one_that_is_stopped_half_way_stops_all_that_it_started(builds: Callable[..., int], tmp_path: Path):
    builds(f"sleep 1000 & echo $! > '{tmp_path}/started'; wait")
    program = (
        "import sys; from pathlib import Path; from rig.gpio import kernel;"
        f"kernel.BUILD = Path({str(kernels.BUILD)!r}); sys.exit(kernel.main())"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    with subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.DEVNULL) as making:
        while not (tmp_path / "started").exists() or not (tmp_path / "started").read_text():
            assert making.poll() is None
            time.sleep(0.01)
        making.terminate()
        assert making.wait() == 128 + signal.SIGTERM

    assert ended(int((tmp_path / "started").read_text()))
    assert left() == []


@pytest.mark.usefixtures("apt", "builds")
def test_what_one_left_that_was_killed_with_its_build_is_cleared_away():
    scratch = kernels.cache() / "making"
    scratch.mkdir(parents=True)
    (scratch / "built").write_text("half")

    assert kernel().read_text() == "linux-source-6.1 6.1.100-1\n"
    assert left() == [kernel().name]


@pytest.mark.usefixtures("apt")
def test_two_at_once_make_one(builds: Callable[..., int]):
    builds('sleep 0.2; echo done > "$3"')
    with ThreadPoolExecutor() as pool:
        first, second = pool.map(lambda _: kernel(), range(2))

    assert first == second
    assert builds() == 1


def test_without_debians_source_it_says_what_to_type(apt: Callable[[str], None]):
    apt("")

    with pytest.raises(RigError) as caught:
        kernel()
    assert str(caught.value) == (
        "The rig's kernel is made from Debian's package linux-source, of which apt knows nothing here. "
        "On Debian, type: sudo apt-get update"
    )


@pytest.mark.usefixtures("apt")
def test_without_its_tools_it_says_what_to_type(tmp_path: Path):
    missing = "case $* in *bison*|*flex*) exit 1;; *) printf 'install ok installed';; esac"
    _program(tmp_path / "programs" / "dpkg-query", missing)

    with pytest.raises(RigError) as caught:
        kernel()
    assert str(caught.value) == (
        "The rig's kernel cannot be made without bison, flex. Type: sudo apt-get install bison flex"
    )
