"""What is asked of pip for a Raspberry Pi, and what is made of its answers. What it answers, `make check` looks at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import pi_packages
from pi_packages import SYSTEMS, CannotBeInstalled, applying, check, hardware, resolved

BOOKWORM, TRIXIE = SYSTEMS
FOR_OLD = "lgpio>=0.2.2.0; python_version < '3.13'"
FOR_NEW = "adafruit-lgpio>=0.2.2.0; python_version >= '3.13'"


class Index:
    """A pip with a few packages: the requirements of each by its name. It judges conditions as a Python 3.11 does."""

    def __init__(self, packages: dict[str, tuple[str, ...]], *, tag: str = "cp3-manylinux2014_aarch64") -> None:
        self.packages = packages
        self.tag = tag

    def __call__(self, arguments: list[str], _system: pi_packages.System) -> str:
        named = [argument for argument in arguments[1:] if not argument.startswith("--")]
        if arguments[0] == "download":
            (folder,) = [Path(argument[7:]) for argument in arguments if argument.startswith("--dest=")]
            for pin in named:
                (folder / f"{pin.partition('==')[0].replace('-', '_')}-1-{self.tag}.whl").touch()
            return ""
        wanted, found = [Requirement(text).name for text in named], {}
        while wanted:
            name = wanted.pop()
            found[name] = {"name": name, "version": "1", "requires_dist": self.packages[name]}
            wanted += [need.name for need in applying(self.packages[name], BOOKWORM) if need.name not in found]
        return json.dumps({"install": [{"metadata": metadata} for metadata in found.values()]})


def project(*pi: str, plain: tuple[str, ...] = ("click",)) -> dict[str, object]:
    return {"dependencies": list(plain), "optional-dependencies": {"pi": list(pi)}}


def test_a_condition_is_judged_by_the_system_that_is_asked_for():
    assert [str(one) for one in applying([FOR_OLD, FOR_NEW, "gpiozero"], BOOKWORM)] == ["lgpio>=0.2.2.0", "gpiozero"]
    assert [str(one) for one in applying([FOR_OLD, FOR_NEW], TRIXIE)] == ["adafruit-lgpio>=0.2.2.0"]
    assert applying(["sysv_ipc; platform_machine != 'aarch64'", "babel; extra == 'test'"], TRIXIE) == []


def test_only_files_that_its_glibc_can_load_are_asked_for():
    assert "--platform=manylinux_2_36_aarch64" in BOOKWORM.options
    assert "--platform=manylinux_2_37_aarch64" not in BOOKWORM.options
    assert "--platform=manylinux_2_41_aarch64" in TRIXIE.options
    assert "--only-binary=:all:" in TRIXIE.options


def test_what_pip_leaves_out_for_its_own_pythons_sake_is_asked_for(monkeypatch):
    index = Index({"blinka": ("new; python_version >= '3.13'", "old; python_version < '3.13'"), "new": (), "old": ()})
    monkeypatch.setattr(pi_packages, "_pip", index)
    assert set(resolved(["blinka"], TRIXIE)) == {"blinka", "new"}
    assert set(resolved(["blinka"], BOOKWORM)) == {"blinka", "old"}


def test_hardware_is_known_by_its_names():
    names = ("click", "pyserial", "gpiozero", "adafruit-blinka", "rpi-ws281x", "lgpio", "rpi-lgpio", "websockets")
    assert hardware(names) == ["adafruit-blinka", "gpiozero", "lgpio", "rpi-lgpio", "rpi-ws281x"]


def test_a_plain_installation_that_brings_hardware_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(pi_packages, "_pip", Index({"click": ("gpiozero",), "gpiozero": (), "lgpio": ()}))
    with pytest.raises(CannotBeInstalled, match=r"^A plain installation brings packages for hardware: gpiozero\.$"):
        check(project(FOR_OLD), BOOKWORM, tmp_path)


def test_the_empty_stub_of_lgpio_is_refused(monkeypatch, tmp_path):
    """G16: on Python 3.13 pip finds a package of that name with nothing in it."""
    monkeypatch.setattr(pi_packages, "_pip", Index({"click": (), "lgpio": ()}, tag="py3-none-any"))
    with pytest.raises(CannotBeInstalled, match="only an empty stub"):
        check(project("lgpio"), TRIXIE, tmp_path)


def test_what_the_extra_brings_is_listed(monkeypatch, tmp_path):
    monkeypatch.setattr(pi_packages, "_pip", Index({"click": (), "adafruit-lgpio": ()}))
    assert check(project(FOR_OLD, FOR_NEW), TRIXIE, tmp_path)[1:] == [
        "1 packages without [pi], none of them for hardware; with it also",
        "  adafruit-lgpio 1",
    ]
